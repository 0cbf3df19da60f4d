"""``kanopy anonymize --tree``: the tree beside the table, or neither; and what is said about made-up rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import OLD, RELEASED, Outcome, assert_clean, content, run

LINES = [f"{20 + i % 30},{'abc'[i % 3]},{'YN'[(i % 30 > 14) ^ (i % 11 == 0)]}\n" for i in range(120)]
FLAGS = ("--quasi=age,zip", "--target=cls", "--k=5")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.csv").write_text("age,zip,cls\n" + "".join(LINES))
    return tmp_path


def anonymize(folder: Path, *more: str | Path, method: str = "kadet", output: str = "out.csv") -> Outcome:
    outcome = run(
        "anonymize", folder / "data.csv", "-o", folder / output, *FLAGS, f"--method={method}", *more
    )
    assert_clean(outcome)
    return outcome


@pytest.mark.parametrize("method", ["kadet", "apt"])
@pytest.mark.parametrize(
    ("name", "begin"),
    [("t.txt", "age <= "), ("t.dot", "digraph tree {"), ("t.mmd", "flowchart TD"), ("T.TXT", "age <= ")],
)
def test_the_tree_is_written(method: str, name: str, begin: str, folder: Path) -> None:
    outcome = anonymize(folder, "--tree", folder / name, method=method)
    assert outcome.code == 0, outcome
    assert (folder / name).read_text().startswith(begin)
    assert {path.name for path in folder.iterdir()} == {"data.csv", *RELEASED, name}


def test_the_tree_has_as_many_rows_as_the_table(folder: Path) -> None:
    assert anonymize(folder, "--tree", folder / "t.txt").code == 0
    leaves = [line.rpartition("(")[2] for line in (folder / "t.txt").read_text().splitlines() if "(" in line]
    counts = [int(leaf.strip(")").split("/")[0]) for leaf in leaves]
    assert sum(counts) == len((folder / "out.csv").read_text().splitlines()) - 1 == 120
    assert all(n == 0 or n >= 5 for n in counts)


def test_the_same_bytes_again(folder: Path) -> None:
    for name in ("one", "two"):
        assert anonymize(folder, "--tree", folder / f"{name}.dot", output=f"{name}.csv").code == 0
    assert (folder / "one.dot").read_bytes() == (folder / "two.dot").read_bytes()


def test_an_old_tree_is_replaced_where_asked(folder: Path) -> None:
    (folder / "t.txt").write_bytes(OLD)
    assert anonymize(folder, "--tree", folder / "t.txt", "--force").code == 0
    assert (folder / "t.txt").read_bytes() != OLD


# --- Refused, and nothing written ------------------------------------------------------------------------


def refused(folder: Path, *more: str | Path, method: str = "kadet", code: int = 2) -> str:
    before = content(folder)
    outcome = anonymize(folder, *more, method=method)
    assert outcome.code == code, outcome
    assert outcome.out == ""
    assert "hint" in outcome.err
    assert content(folder) == before
    return outcome.err


@pytest.mark.parametrize("name", ["t.png", "t.csv", "t", "t.txt.gz", ".txt"])
def test_a_format_that_is_not_written(name: str, folder: Path) -> None:
    assert ".dot" in refused(folder, "--tree", folder / name)


@pytest.mark.parametrize("method", ["mondrian", "kactus", "kactus2"])
def test_a_method_without_a_tree(method: str, folder: Path) -> None:
    assert "publishes no tree" in refused(folder, "--tree", folder / "t.txt", method=method)


def test_an_existing_tree(folder: Path) -> None:
    (folder / "t.txt").write_bytes(OLD)
    assert "exists" in refused(folder, "--tree", folder / "t.txt")


def test_an_existing_table_beside_a_new_tree(folder: Path) -> None:
    (folder / "out.csv").write_bytes(OLD)
    assert "exists" in refused(folder, "--tree", folder / "t.txt")


def test_the_place_of_the_output(folder: Path) -> None:
    refused(folder, "--tree", folder / "out.csv")
    refused(folder, "--tree", folder / "out.csv", "--force")


def test_the_place_of_the_input(folder: Path) -> None:
    source = folder / "data.txt"
    source.write_bytes((folder / "data.csv").read_bytes())
    before = content(folder)
    outcome = run(
        *("anonymize", source, "-o", folder / "out.csv", *FLAGS, "--method=kadet"),
        *("--tree", source, "--force", "--delimiter=,"),
    )
    assert outcome.code == 2
    assert content(folder) == before


def test_a_link(folder: Path) -> None:
    (folder / "other.txt").write_bytes(OLD)
    (folder / "link.txt").symlink_to(folder / "other.txt")
    assert "symbolic link" in refused(folder, "--tree", folder / "link.txt", "--force")


def test_a_folder_that_does_not_exist(folder: Path) -> None:
    refused(folder, "--tree", folder / "nowhere" / "t.txt", code=6)


def test_a_promise_that_cannot_be_kept(folder: Path) -> None:
    refused(folder, "--tree", folder / "t.txt", "--k=500", code=4)


# --- What is said ----------------------------------------------------------------------------------------


def told(outcome: Outcome) -> str:
    """Messages, whatever width they were wrapped at."""
    return " ".join(outcome.err.split())


def test_made_up_rows_are_called_so(folder: Path) -> None:
    outcome = anonymize(folder, "--json", method="apt")
    assert "this release is synthetic" in told(outcome)
    manifest = json.loads(outcome.out)["manifest"]
    assert manifest["truthful"] is False
    assert manifest["facts"] == {"synthetic": True}
    assert "is synthetic" not in told(anonymize(folder, "--force", method="kadet"))


def test_swapped_values_are_told(folder: Path) -> None:
    """Nurses are too few; clerks who become nurses make them five."""
    town = [("old", "clerk", "Y")] * 20 + [("old", "nurse", "N")] * 4 + [("new", "clerk", "P")] * 20
    (folder / "data.csv").write_text("age,zip,cls\n" + "".join(f"{','.join(line)}\n" for line in town))
    options = ("--option=inducer=id3", "--option=min_rows=1", "--json")
    outcome = anonymize(folder, *options, "--option=swapping_threshold=0.2", method="kactus2")
    assert "this release contains swapped values, 1 in all" in told(outcome)
    manifest = json.loads(outcome.out)["manifest"]
    assert manifest["facts"] == {"swapped_cells": "fewer than 5", "untrue_cells": "fewer than 5"}
    assert "fewer than 5 in all" in manifest["notices"][0]
    assert manifest["truthful"] is False
    outcome = anonymize(folder, *options, "--option=swapping_threshold=0.1", "--force", method="kactus2")
    assert "swapped values" not in told(outcome)
    manifest = json.loads(outcome.out)["manifest"]
    assert (manifest["facts"], manifest["truthful"]) == ({"swapped_cells": 0}, True)
