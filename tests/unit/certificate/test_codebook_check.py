"""``verify`` checks the codebook of a release, too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import run

import kanopy
from kanopy.codebook import codebook_paths
from kanopy.errors import InputError

ROWS = "age,cls\n" + "".join(f"{20 + i % 6},{'YN'[i % 2]}\n" for i in range(48))


@pytest.fixture
def release(tmp_path: Path) -> Path:
    (tmp_path / "data.csv").write_text(ROWS)
    flags = ("--quasi=age", "--target=cls", "--k=4")
    assert run("anonymize", tmp_path / "data.csv", "-o", tmp_path / "r.csv", *flags).code == 0
    return tmp_path / "r.csv"


def found(release: Path) -> tuple[str, int]:
    checks = {check.name: check.outcome for check in kanopy.verify(release).checks}
    return checks["codebook"], run("verify", release).code


def test_as_it_was_written(release: Path) -> None:
    assert found(release) == ("holds", 0)


@pytest.mark.parametrize("which", [0, 1])
def test_changed(which: int, release: Path) -> None:
    with codebook_paths(release)[which].open("ab") as stream:
        stream.write(b" ")
    assert found(release) == ("fails", 1)
    with pytest.raises(InputError, match="codebook"):
        kanopy.read_release(release)
    assert kanopy.read_release(release, verified=False) is not None


@pytest.mark.parametrize("which", [0, 1])
def test_a_link(which: int, release: Path, tmp_path: Path) -> None:
    book = codebook_paths(release)[which]
    book.rename(tmp_path / "elsewhere")
    book.symlink_to(tmp_path / "elsewhere")
    assert found(release) == ("fails", 1)


def test_left_behind(release: Path) -> None:
    """A release is the same without it."""
    codebook_paths(release)[0].unlink()
    assert found(release) == ("not checked", 0)


def test_a_release_without_one(release: Path, tmp_path: Path) -> None:
    flags = ("--quasi=age", "--target=cls", "--k=4", "--no-codebook", "--force")
    assert run("anonymize", tmp_path / "data.csv", "-o", release, *flags).code == 0
    assert not any(path.exists() for path in codebook_paths(release))
    assert "codebook" not in {check.name for check in kanopy.verify(release).checks}
    assert run("verify", release).code == 0


@pytest.mark.parametrize(
    "false",
    [
        [{"file": "../r.codebook.csv"}],
        [{"file": "/etc/passwd"}],
        [{"file": ""}],
        [{"file": ".."}],
        [{"file": "a\0"}],
        "x",
        [1],
        [{}, {}, {}],
    ],
)
def test_names_lead_nowhere_else(false: Any, release: Path) -> None:
    path = release.with_name("r.csv.kanopy.json")
    certificate = json.loads(path.read_text())
    if isinstance(false, list) and false and isinstance(false[0], dict) and "file" in false[0]:
        false = [{**certificate["codebook"][0], **false[0]}]
    path.write_text(json.dumps({**certificate, "codebook": false}))
    assert run("verify", release).code == 3


@pytest.mark.parametrize(
    "cells", [{"age": {"cells": "numbers"}}, {"age": {"cells": "x"}, "cls": {"cells": "plain texts"}}, []]
)
def test_cells_that_are_none(cells: Any, release: Path) -> None:
    path = release.with_name("r.csv.kanopy.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), "cells": cells}))
    assert run("verify", release).code == 3
