"""Hostile names and values are shown, not obeyed: in HTML, in SVG, in Markdown, in JSON."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pyarrow as pa
import pytest
from report_tables import FakeEvaluation, Score, evaluation

import kanopy
from kanopy._visible import shown
from kanopy.reporting import render

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></svg></style><script>alert(2)</script>",
    "' onmouseover='alert(1)",
    "&lt;b&gt;",
    "\u202etxt.exe\u202c",
    "a\u0001b\u001b[31m\u200b\ufeffc",
    "line\nbreak\u2028more",
    "<!-- ]]> -->",
    "javascript:alert(1)",
    "[click](javascript:alert(1))",
    "| a | b |",
    "`code` **bold** ![x](http://x/y)",
    "https://example.org www.example.org someone@example.org",
    "מזל טוב",
    "x" * 10_000,
    "{{ 7*7 }} ${7*7} %s",
)
ELEMENTS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "main",
        "footer",
        "section",
        "div",
        "p",
        "h1",
    ),
    *(
        "h2",
        "ul",
        "li",
        "dl",
        "dt",
        "dd",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "bdi",
        "em",
        "code",
    ),
    *("figure", "figcaption", "details", "summary", "span", "svg", "desc", "rect", "line", "path", "text"),
}
ATTRIBUTES = {
    *(
        "lang",
        "charset",
        "http-equiv",
        "content",
        "name",
        "class",
        "id",
        "scope",
        "role",
        "tabindex",
        "title",
    ),
    *("viewbox", "width", "height", "x", "y", "x1", "x2", "y1", "y2", "rx", "d"),
    *("aria-label", "aria-labelledby", "aria-hidden"),
}


class Page(HTMLParser):
    """What a browser would find: elements, attributes, texts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "rect", "line", "path", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect", "line", "path"):
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError("a comment")


def hostile_release(method: str = "mondrian") -> kanopy.Release:
    """Every hostile text is a column and a value, in every role."""
    names = [*HOSTILE[:13], *HOSTILE[14:]]
    roles: dict[str, list[str]] = {"quasi": names[:6], "sensitive": names[6:10], "keep": names[10:13]}
    n_rows = 40 * len(HOSTILE)
    columns: dict[str, Any] = {}
    for number, name in enumerate(name for group in roles.values() for name in group):
        columns[name] = [HOSTILE[(row // 40 + number) % len(HOSTILE)] for row in range(n_rows)]
    columns[names[13]] = [f"{row}" for row in range(n_rows)]
    columns[names[14]] = [HOSTILE[row % 3] for row in range(n_rows)]
    policy = kanopy.Policy(
        quasi_identifiers=roles["quasi"],
        sensitive=roles["sensitive"],
        keep=roles["keep"],
        identifiers=[names[13]],
        target=names[14],
        k=5,
    ).accepting_all()  # one of the values is an e-mail address
    return kanopy.anonymize(pa.table(columns), policy, method=method, allow_empty=True)


def hostile_evaluation() -> FakeEvaluation:
    methods, learners = list(HOSTILE[:8]), list(HOSTILE[8:])
    scores = [
        Score(method, 5, learner, encoding=HOSTILE[0], refused=HOSTILE[1])
        for method in methods
        for learner in learners
    ]
    return FakeEvaluation(scores, [], methods, [5], learners, protocol=HOSTILE[0])


def subject(name: str) -> Any:
    return {
        "release": hostile_release,
        "kactus": lambda: hostile_release("kactus"),
        "evaluation": hostile_evaluation,
        "plain": evaluation,
    }[name]()


@pytest.mark.parametrize("name", ["release", "kactus", "evaluation", "plain"])
def test_the_page_has_only_its_own_elements(name: str) -> None:
    page = Page(render(subject(name), ".html"))
    assert set(page.elements) <= ELEMENTS
    assert {attribute for attribute, _ in page.attributes} <= ATTRIBUTES
    assert page.open == []
    ids = [value for attribute, value in page.attributes if attribute == "id"]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", ["release", "evaluation"])
def test_nothing_is_loaded_and_nothing_runs(name: str) -> None:
    text = render(subject(name), ".html")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy.group(1) == "default-src &#x27;none&#x27;; style-src &#x27;unsafe-inline&#x27;"
    page = Page(text)
    assert not {"href", "src", "srcset", "action", "data", "style", "xlink:href"} & {
        name for name, _ in page.attributes
    }
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize("suffix", [".html", ".md", ".json"])
@pytest.mark.parametrize("name", ["release", "evaluation"])
def test_unseen_characters_are_spelled_out(name: str, suffix: str) -> None:
    text = render(subject(name), suffix)
    unseen = [letter for letter in text if letter != "\n" and shown(letter) != letter]
    assert unseen == []


@pytest.mark.parametrize("suffix", [".html", ".md"])
def test_long_ones_are_cut(suffix: str) -> None:
    text = render(hostile_release(), suffix)
    assert "x" * 30 in text
    assert "x" * 401 not in text
    assert len(text) < 200_000


def test_hostile_texts_are_there_to_read() -> None:
    """Escaped, not left out."""
    texts = "".join(Page(render(hostile_release(), ".html")).texts)
    assert "<script>alert(1)</script>" in texts
    assert "‹U+202E›txt.exe" in texts


def test_markdown_obeys_nothing() -> None:
    text = render(hostile_release(), ".md")
    assert "<" not in text.replace("&lt;", "")
    assert not re.search(r"(?<!\\)\[click", text)
    assert not re.search(r"(?<!\\)`", text)
    assert "https://" not in text
    assert not re.search(r"(?<!\\)@", text)
    for line in text.splitlines():
        if line.startswith("|"):
            assert line.endswith("|")
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert len(tables) > 5
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1


def test_json_keeps_the_names_whole() -> None:
    data = json.loads(render(hostile_release(), ".json"))
    assert HOSTILE[0] in data["columns"]
    assert data["about"] == "ReleaseSummary"


def test_a_lone_surrogate_is_no_stumbling_block() -> None:
    assert shown("\ud800a") == "‹U+D800›a"


def test_thousands_of_columns_stay_readable() -> None:
    """No more than linear, and only some of them are shown."""
    names = [f"column{number}" for number in range(3000)]
    table = pa.table({"q": ["a"] * 10, **{name: ["x"] * 10 for name in names}})
    policy = kanopy.Policy(quasi_identifiers=["q"], keep=names, k=5)
    release = kanopy.anonymize(table, policy)
    assert len(render(release, ".html")) < 100_000
    assert len(render(release, ".md")) < 100_000
