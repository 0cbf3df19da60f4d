"""A piece of a notebook: blocks with a style of their own, which no other output of the notebook sees."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import count

from kanopy.reporting import blocks
from kanopy.reporting.html import STYLE, block_markup
from kanopy.reporting.markup import Markup, element, written

_NOT_HERE = re.compile(r"^(:root|\*|body|html|main|footer|h1|h2|\.opening|\.brand|\.banner|\.figures)")
_NUMBERS = count(1)  # of the pictures in this process: a notebook shows many, and no two may have one name


@cache
def style() -> str:
    """The style of reports, for what stands inside of a fragment; its colours follow system and notebook."""
    light, dark = (each.removeprefix("color-scheme:light dark;") for each in _colours())
    is_light, is_dark = (
        "[data-jp-theme-light=true] .kanopy,.vscode-light .kanopy",
        ("[data-jp-theme-light=false] .kanopy,.vscode-dark .kanopy"),
    )
    themes = (
        f".kanopy,{is_light}{{{light}}}@media (prefers-color-scheme:dark){{.kanopy{{{dark}}}}}"
        f"{is_light}{{{light}}}{is_dark}{{{dark}}}"
    )
    own = files("kanopy.reporting").joinpath("notebook.css").read_text("utf-8")
    return re.sub(r"\n+", "", themes + "".join(_rules()) + own)


def _colours() -> list[str]:
    return [found.replace("\n", "") for found in re.findall(r":root\{(.*?)\}", STYLE, re.DOTALL)[:2]]


def _rules() -> list[str]:
    """The rules for parts of a page, each for what stands inside of a fragment alone.

    The class is named twice, so that the rules count more than those that notebooks have for all tables.
    """
    plain = re.sub(r"/\*.*?\*/", "", STYLE[: STYLE.index("@page")], flags=re.DOTALL)
    plain = plain[plain.index("*{box-sizing") :]
    found = []
    for selectors, said in re.findall(r"([^{}]+)\{([^{}]*)\}", plain):
        each = [one.strip() for one in selectors.split(",")]
        each = [f".kanopy.kanopy {one}" for one in each if not _NOT_HERE.match(one)]
        found += [f"{','.join(each)}{{{said}}}"] if each else []
    return found


def fragment(
    title: str,
    remark: str,
    content: Sequence[blocks.Block],
    *,
    verdict: tuple[str, blocks.Text] | None = None,
) -> Markup:
    """A box with a title, a verdict with its tone where there is one, and blocks."""
    parts = [element("h3", title, " ", element("small", remark))]
    if verdict is not None:
        tone, said = verdict
        word = element("p", written(said), class_="verdict-word")
        parts.append(element("div", word, class_=f"verdict {tone}"))
    parts += [block_markup(block, _NUMBERS) for block in content]
    return element("div", Markup(f"<style>{style()}</style>"), *parts, class_="kanopy")
