"""Before and after: a row of the release stands beside a row of the table only if it covers it."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

from kanopy.data.grammar import read_cell
from kanopy.datasets import patients
from kanopy.drafting import SeenTable
from kanopy.engines.local import anonymize
from kanopy.release import Release
from kanopy.web.side_by_side import N_TRIED, side_by_side

TABLE = patients(600)


def made(method: str) -> Release:
    policy = replace(SeenTable.of(TABLE).draft().policy, method=method, options={}, k=5)
    return anonymize(TABLE, policy)


@pytest.mark.parametrize("method", ["mondrian", "tds", "kmember", "oka"])
def test_pairs_are_true_and_of_the_release(method: str) -> None:
    release = made(method)
    sides = side_by_side(release, TABLE.slice(0, N_TRIED))
    assert sides["is_paired"]
    assert len(sides["before"]["rows"]) == len(sides["after"]["rows"]) == 8
    lines = {tuple(str(cell or "") for cell in row.values()) for row in release.frame.to_pylist()}
    for old, new in zip(sides["before"]["rows"], sides["after"]["rows"], strict=True):
        before = dict(zip(sides["before"]["names"], old, strict=True))
        after = dict(zip(sides["after"]["names"], new, strict=True))
        assert tuple(new) in lines
        assert before["diagnosis"] == after["diagnosis"]
        cell = read_cell(after["age"])
        ranges = [(float(part[0]), float(part[1])) for part in cell.parts if not isinstance(part, str)]
        named = [part for part in cell.parts if isinstance(part, str)]
        is_covered = after["age"] == "*" or before["age"] in named
        assert is_covered or any(low <= float(before["age"]) <= high for low, high in ranges)


@pytest.mark.usefixtures("hasty_sketch")
@pytest.mark.parametrize("method", ["sketch", "loukides"])
def test_groups_and_dropped_rows_make_no_pairs(method: str) -> None:
    release = made(method)
    assert method == "sketch" or release.record["rows"]["dropped"]
    sides = side_by_side(release, TABLE.slice(0, N_TRIED))
    assert not sides["is_paired"]
    assert len(sides["before"]["rows"]) == len(sides["after"]["rows"]) == 8


def test_a_short_table_shows_what_it_has() -> None:
    short = pa.table({"age": ["1", "2", "3", "4"], "ill": ["y", "n", "y", "n"]})
    policy = SeenTable.of(short).draft().policy
    sides = side_by_side(anonymize(short, policy, allow_empty=True), short)
    assert len(sides["after"]["rows"]) == 4
