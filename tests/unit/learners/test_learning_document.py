"""The examples of docs/learning.md run, one after the other, and print what they say."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

from kanopy.learners.registry import DRAWS, NAMES

DOCUMENT = Path(__file__).parents[3] / "docs" / "learning.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")


def test_the_examples_print_what_the_document_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```(python|text)\n(.*?)```", TEXT, re.DOTALL)
    assert [kind for kind, _ in blocks] == ["python", "python", "text", "python", "text"]
    output, names = io.StringIO(), dict[str, Any]()
    for kind, block in blocks:
        if kind == "python":
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(block, DOCUMENT.name, "exec"), names)
        else:
            assert output.getvalue() == block


def test_the_recipient_needs_ten_lines() -> None:
    recipient = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)[1]
    assert len([line for line in recipient.splitlines() if line]) <= 10


def test_every_learner_is_named() -> None:
    for name in NAMES:
        assert f"| `{name}` |" in TEXT
    assert f"*{DRAWS} draws*" in TEXT
