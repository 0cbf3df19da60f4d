"""The documents are true: examples print what they say, commands run, links and paths lead somewhere."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from kanopy.utility import LOSSES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("benchmarks/*.md"),
        *ROOT.glob("fuzz/*.md"),
    ]
)


def test_the_example_prints_what_the_readme_says() -> None:
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    printed = re.search(r"```text\n(.*?)```", README, re.DOTALL)
    assert code is not None
    assert printed is not None
    assert len(code.group(1).strip().splitlines()) <= 12
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code.group(1), "README.md", "exec"), {})
    assert output.getvalue() == printed.group(1)


def test_the_utility_function_prints_what_the_document_says() -> None:
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    found = re.search(
        r"## Your own utility function.*?```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL
    )
    assert found is not None
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(found.group(1), "docs/python.md", "exec"), {})
    assert output.getvalue() == found.group(2)


def test_the_guide_fits_on_one_screen() -> None:
    guide, _, rest = README.partition("## Read on")
    assert rest
    assert len(guide.splitlines()) <= 60


def test_ci_runs_the_test_command_of_the_readme() -> None:
    command = re.search(r"\*\*Test it\*\*:\n\n```sh\n(.*?)\n```", README, re.DOTALL)
    assert command is not None
    assert command.group(1) in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_privacy_marks_name_tests_that_exist() -> None:
    n_marks = 0
    for path in (ROOT / "src").rglob("*.py"):
        named = None
        for mark in re.finditer(r"PRIVACY:(.*?)\)[.\n]", path.read_text(encoding="utf-8"), re.DOTALL):
            n_marks += 1
            found = re.search(r"tests/[\w/.]*\w", mark.group(1))
            named = found.group() if found else named if "same test" in mark.group(1) else None
            assert named is not None, f"{path.name}: a PRIVACY mark without a test"
            assert (ROOT / named).exists(), f"{path.name}: {named} does not exist"
    assert n_marks > 5


def test_threats_name_tests_that_exist() -> None:
    text = (ROOT / "THREATS.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:unit|properties|sabotage|badinput)/[\w/.]*)`", text))
    assert named
    assert not [name for name in named if not (ROOT / "tests" / name).exists()]


@pytest.mark.parametrize(
    "term",
    [
        *(
            "Quasi-identifier",
            "Equivalence class",
            "k-anonymity",
            "l-diversity",
            "t-closeness",
            "Confidence bound",
        ),
        *("Suppression", "Generalization", "Recoding", "Hierarchy", "Random seed", "Cross-validation"),
        *("Permuted labels", "Majority rate", "Target", "Sensitive column", "Identifier", "Person column"),
        *("Release", "Manifest", "Audit", "Linkage", "Downcoding"),
    ],
)
def test_the_glossary_explains(term: str) -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert re.search(rf"^\*\*{re.escape(term)}\b", glossary, re.MULTILINE)


def test_every_loss_is_documented_with_its_own_words() -> None:
    text = " ".join((ROOT / "docs" / "losses.md").read_text(encoding="utf-8").split())
    for loss in LOSSES:
        assert f"- `{loss.name}` ({loss.direction}): {loss.meaning}" in text


def anchors(document: Path) -> set[str]:
    """What a link may name after #, as GitHub makes it from headings."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    for link, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", document.read_text(encoding="utf-8")):
        if not link.startswith("https://"):
            goal = document.parent / link if link else document
            assert goal.exists(), link
            assert not anchor or anchor in anchors(goal), f"{link}#{anchor}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_paths_in_the_text_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = re.findall(r"`((?:src|tests|docs|benchmarks|fuzz)/[\w/.*-]*(?:\.py|\.md|/))`", text)
    assert not [path for path in named if not list(ROOT.glob(path.rstrip("/")))]


def test_the_architecture_names_every_package() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    packages = {path.parent.name for path in (ROOT / "src" / "kanopy").glob("*/__init__.py")}
    assert named == packages
