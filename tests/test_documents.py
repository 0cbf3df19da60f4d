"""The documents are true: the README's example prints what it says, its commands are those that run."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from kanopy.utility import LOSSES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


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


def test_every_loss_is_documented_with_its_own_words() -> None:
    text = (ROOT / "docs" / "losses.md").read_text(encoding="utf-8")
    for loss in LOSSES:
        assert f"| `{loss.name}` | {loss.direction} | {loss.meaning} |" in text


def test_links_lead_somewhere() -> None:
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / link).exists(), f"{document.name}: {link}"
