"""A folder of parts that somebody tampered with: none is taken for the release."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from command import assert_clean, run
from part_folders import FLAGS, forge, names_of, part_bytes, rows_of, swap_rows, write_parts

import kanopy
from kanopy.errors import InputError

SUFFIXES = (".csv", ".parquet")


@pytest.fixture(params=SUFFIXES)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_parts(tmp_path / "out", request.param)


def remove(folder: Path) -> None:
    (folder / names_of(folder)[1]).unlink()


def double(folder: Path) -> None:
    name = names_of(folder)[1]
    shutil.copy(folder / name, folder / f"part-00009-copy{Path(name).suffix}")


def change(folder: Path) -> None:
    name = names_of(folder)[1]
    rows = rows_of(folder, name)
    ill = ["cold" if cell == "flu" else cell for cell in rows["ill"].to_pylist()]
    edited = rows.set_column(rows.column_names.index("ill"), "ill", [ill])
    (folder / name).write_bytes(part_bytes(edited, Path(name).suffix))


def reorder(folder: Path) -> None:
    first, last = (folder / name for name in (names_of(folder)[0], names_of(folder)[-1]))
    first.rename(folder / "aside")
    last.rename(first)
    (folder / "aside").rename(last)


KINDS: dict[Callable[[Path], None], str] = {
    remove: "removed: 'part-00001-ab12",
    double: "a copy of a part: 'part-00009-copy",
    change: "changed: 'part-00001-ab12",
    reorder: "exchanged with another part: 'part-00000-ab12",
}


@pytest.mark.parametrize("tamper", KINDS, ids=lambda tamper: tamper.__name__)
def test_a_folder_that_was_tampered_with(tamper: Callable[[Path], None], folder: Path) -> None:
    assert kanopy.verify(folder).kept
    tamper(folder)
    failed = {check.name: check.message for check in kanopy.verify(folder).checks if check.outcome == "fails"}
    assert KINDS[tamper] in failed["parts"]
    outcome = run("verify", folder)
    assert outcome.code == 1
    assert_clean(outcome)
    if tamper in (remove, double):
        outcome = run("audit", folder, *FLAGS)
        assert outcome.code == 3
        assert "kanopy verify" in outcome.err
        assert_clean(outcome)


@pytest.mark.parametrize("tamper", [reorder, lambda folder: swap_rows(folder, names_of(folder)[1])])
def test_another_order_behind_a_forged_certificate(tamper: Callable[[Path], None], folder: Path) -> None:
    """Whoever changes parts and certificate is not found by digests; the order tells it all the same."""
    tamper(folder)
    forge(folder)
    found = kanopy.verify(folder)
    assert [check.name for check in found.checks if check.outcome == "fails"] == ["order"]
    assert run("verify", folder).code == 1


def test_a_doubled_part_behind_a_forged_certificate(folder: Path) -> None:
    double(folder)
    forge(folder)
    found = kanopy.verify(folder)
    assert [check.name for check in found.checks if check.outcome == "fails"] == ["order"]


def test_a_part_that_breaks_the_promise_behind_a_forged_certificate(folder: Path) -> None:
    name = names_of(folder)[0]
    rows = rows_of(folder, name)
    (folder / name).write_bytes(part_bytes(rows.slice(1), Path(name).suffix))
    for other in names_of(folder)[1:]:
        (folder / other).unlink()
    lonely = rows.slice(0, 1).set_column(rows.column_names.index("zip"), "zip", [["00000"]])
    (folder / f"a{Path(name).suffix}").write_bytes(part_bytes(lonely, Path(name).suffix))
    forge(folder)
    failed = [check.name for check in kanopy.verify(folder).checks if check.outcome == "fails"]
    assert "promise" in failed


def test_a_link_in_the_place_of_a_part(folder: Path) -> None:
    name = names_of(folder)[0]
    (folder / name).rename(folder.parent / name)
    (folder / name).symlink_to(folder.parent / name)
    failed = {check.name: check.message for check in kanopy.verify(folder).checks if check.outcome == "fails"}
    assert f"a link or no file at all: '{name}'" in failed["parts"]
    with pytest.raises(InputError, match="its files are not those that"):
        kanopy.audit(folder, kanopy.Policy(["age"], k=2))
