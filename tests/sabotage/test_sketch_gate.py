"""Sketches that keep k and are refused all the same: wrong means and counts, small chunks, other readings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sketching import SKETCHES, run

import kanopy
from kanopy.data import (
    Cell,
    CellKind,
    Partition,
    PublishedReading,
    Reading,
    RecodedColumn,
    Recoding,
    sketched,
)
from kanopy.data.cell import SUPPRESSED
from kanopy.errors import VerificationError

N_ROWS = 120
FRAME = pa.table(
    {
        "age": [20 + (i * 7) % 31 if i % 11 else None for i in range(N_ROWS)],
        "job": ["abcd"[(i * i) % 4] if i % 13 else None for i in range(N_ROWS)],
        "person": [f"p{i // 2}" for i in range(N_ROWS)],
        "cls": ["YN"[i % 2] for i in range(N_ROWS)],
    }
)
POLICY = kanopy.Policy(quasi_identifiers=["age", "job"], target="cls", identifiers=["person"], k=30)
PERSONS = replace(POLICY, identifiers=(), person="person", k=16)

Break = Callable[[Recoding], Recoding]


def release_of(break_it: Break, policy: kanopy.Policy = POLICY, **options: Any) -> kanopy.Release:
    def broken(*arguments: Any, **settings: Any) -> Recoding:
        return break_it(run(*arguments, **settings))

    return kanopy.anonymize(FRAME, policy, method=replace(SKETCHES, run=broken), **options)


def refused(break_it: Break, policy: kanopy.Policy = POLICY) -> str:
    with pytest.raises(VerificationError) as caught:
        release_of(break_it, policy)
    assert caught.value.exit_code == 5
    return caught.value.message


def with_cells(change: Callable[[Cell], Cell], name: str) -> Break:
    """Change the first sketch of a column that can be changed."""

    def broken(recoding: Recoding) -> Recoding:
        columns = list(recoding.columns)
        for place, column in enumerate(columns):
            if column.domain.name == name:
                cells = list(column.cells)
                number = next(n for n, cell in enumerate(cells) if cell.kind is CellKind.SKETCH)
                cells[number] = change(cells[number])
                columns[place] = RecodedColumn(column.domain, tuple(cells), column.ids)
        return replace(recoding, columns=tuple(columns))

    return broken


@pytest.mark.parametrize("policy", [POLICY, PERSONS], ids=["rows", "persons"])
def test_without_a_fault_it_is_released(policy: kanopy.Policy) -> None:
    assert release_of(lambda recoding: recoding, policy).audit.kept


UNTRUE = "do not cover what the source says"


@pytest.mark.parametrize("policy", [POLICY, PERSONS], ids=["rows", "persons"])
def test_a_wrong_mean(policy: kanopy.Policy) -> None:
    def shifted(cell: Cell) -> Cell:
        return replace(cell, means=(*cell.means[:-1], str(int(cell.means[-1]) + 1)))

    assert UNTRUE in refused(with_cells(shifted, "age"), policy)


def test_a_mean_with_more_digits() -> None:
    assert UNTRUE in refused(
        with_cells(lambda cell: replace(cell, means=(f"{cell.means[0]}.0", *cell.means[1:])), "age")
    )


def test_a_mean_that_is_none() -> None:
    assert UNTRUE in refused(with_cells(lambda cell: replace(cell, means=("x", *cell.means[1:])), "age"))


@pytest.mark.parametrize("change", [1, -1])
def test_a_wrong_count(change: int) -> None:
    def counted(cell: Cell) -> Cell:
        return replace(cell, counts=(cell.counts[0] + change, *cell.counts[1:]))

    assert UNTRUE in refused(with_cells(counted, "job"))


def test_counts_that_are_exchanged() -> None:
    def exchanged(cell: Cell) -> Cell:
        counts = sorted(cell.counts)
        return replace(cell, counts=tuple(counts if counts != list(cell.counts) else reversed(counts)))

    assert UNTRUE in refused(with_cells(exchanged, "job"))


def test_a_value_that_is_left_out() -> None:
    def without_one(cell: Cell) -> Cell:
        return replace(cell, members=cell.members[1:], counts=cell.counts[1:])

    assert UNTRUE in refused(with_cells(without_one, "job"))


def test_missing_that_is_hidden() -> None:
    def whole(cell: Cell) -> Cell:
        assert cell.with_missing
        return replace(cell, counts=(), with_missing=False)

    assert UNTRUE in refused(with_cells(whole, "age"))


@pytest.mark.parametrize(
    ("policy", "is_refused"),
    [
        (replace(POLICY, k=24), True),
        (replace(POLICY, k=30), False),
        (replace(PERSONS, k=12), True),  # of 24 rows
        (replace(PERSONS, k=15), False),
    ],
)
def test_a_sketch_of_fewer_than_thirty_rows(policy: kanopy.Policy, is_refused: bool) -> None:
    """Whatever k is, and where persons are counted; ``sketches`` makes groups of no more than k needs."""
    unclassed = replace(policy, target=None, keep=["cls"])
    if is_refused:
        assert "fewer than 30" in refused(lambda recoding: recoding, unclassed)
    else:
        assert release_of(lambda recoding: recoding, unclassed).audit.kept


def test_a_small_group_without_a_sketch_beside_sketches() -> None:
    """All that 29 rows have in common is said of few rows, too."""

    def divided(table: Any, *_arguments: Any, **_settings: Any) -> Recoding:
        few = np.flatnonzero(table.quasi[0].codes == 0)
        group = np.ones(table.n_rows, dtype=np.int32)
        group[few] = 0
        return sketched(Partition(group, 2), table, 20)

    frame = pa.table({"age": [1] * 29 + [*range(2, 93)], "cls": ["Y"] * 120})
    policy = kanopy.Policy(quasi_identifiers=["age"], target="cls", k=20)
    with pytest.raises(VerificationError, match="about 29 rows, fewer than 30"):
        kanopy.anonymize(frame, policy, method=replace(SKETCHES, run=divided))


def chunks_of(size: int) -> Break:
    """The true means of chunks of so many rows."""

    def broken(recoding: Recoding) -> Recoding:
        column = recoding.columns[0]
        numbers, cells = column.domain.numbers, list(column.cells)
        assert numbers is not None
        codes = broken.codes  # type: ignore[attr-defined]
        for number in set(column.ids.tolist()):
            values = np.sort(numbers[codes[(column.ids == number) & (codes < len(numbers))]])
            n_chunks = len(values) // size
            chunks = [
                values[j * len(values) // n_chunks : (j + 1) * len(values) // n_chunks]
                for j in range(n_chunks)
            ]
            cells[number] = replace(cells[number], means=tuple(f"{chunk.mean():.0f}" for chunk in chunks))
        return replace(
            recoding, columns=(RecodedColumn(column.domain, tuple(cells), column.ids), *recoding.columns[1:])
        )

    return broken


@pytest.mark.parametrize(("size", "is_refused"), [(1, True), (2, True), (3, False)])
def test_a_chunk_of_fewer_than_three_rows(size: int, is_refused: bool) -> None:
    def broken(table: Any, *arguments: Any, **settings: Any) -> Recoding:
        change = chunks_of(size)
        change.codes = table.quasi[0].codes  # type: ignore[attr-defined]
        return change(run(table, *arguments, **settings))

    method = replace(SKETCHES, run=broken)
    if not is_refused:
        assert kanopy.anonymize(FRAME, POLICY, method=method).audit.kept
        return
    with pytest.raises(VerificationError, match=UNTRUE):
        kanopy.anonymize(FRAME, POLICY, method=method)


def test_a_chunk_of_fewer_than_three_persons() -> None:
    """Three rows are enough, but here they are of two persons."""

    def broken(table: Any, _promise: Any, rng: Any, _progress: Any, **_settings: Any) -> Recoding:
        group = np.zeros(table.n_rows, dtype=np.int32)
        rows_count = replace(table, persons=None)
        return sketched(Partition(group, 1), rows_count, 200)

    policy = replace(PERSONS, quasi_identifiers=["age"], keep=["job"])
    frame = FRAME.set_column(0, "age", pa.array([20 + i // 2 for i in range(N_ROWS)]))
    with pytest.raises(VerificationError, match=UNTRUE):
        kanopy.anonymize(frame, policy, method=replace(SKETCHES, run=broken), allow_empty=True)


def with_reading(change: Callable[[Reading], Reading]) -> Break:
    def broken(recoding: Recoding) -> Recoding:
        assert recoding.reading is not None
        return replace(recoding, reading=change(recoding.reading))

    return broken


def moved(by: float) -> Break:
    def change(reading: Reading) -> Reading:
        matrix = reading.correlation.copy()
        matrix[0, 1] = matrix[1, 0] = np.round(matrix[0, 1] + by, 3)
        return Reading(reading.orders, matrix, reading.linear)

    return with_reading(change)


def test_a_correlation_with_more_digits() -> None:
    assert "two decimals" in refused(moved(0.001))


def test_a_correlation_of_other_rows() -> None:
    assert "not that of the groups" in refused(moved(0.02))


def test_a_correlation_that_is_none() -> None:
    def skew(reading: Reading) -> Reading:
        matrix = reading.correlation.copy()
        matrix[0, 1] += 0.01
        return Reading(reading.orders, matrix, reading.linear)

    assert "no correlation" in refused(with_reading(skew))


@pytest.mark.parametrize("order", [(0, 0), (0, 99), (-1,)])
def test_an_order_of_other_values(order: tuple[int, ...]) -> None:
    assert "order of categories" in refused(
        with_reading(lambda reading: Reading((reading.orders[0], order), reading.correlation, reading.linear))
    )


def test_a_value_that_no_cell_shows_is_not_listed(tmp_path: Path) -> None:
    def suppressed(recoding: Recoding) -> Recoding:
        """All jobs are suppressed, though the order names them."""
        column = recoding.columns[1]
        hidden = RecodedColumn(column.domain, (SUPPRESSED,), np.zeros_like(column.ids))
        return replace(recoding, columns=(recoding.columns[0], hidden))

    frame = FRAME.set_column(1, "job", pa.array([f"SECRET-{i % 4}" for i in range(N_ROWS)]))

    def broken(*arguments: Any, **settings: Any) -> Recoding:
        return suppressed(run(*arguments, **settings))

    release = kanopy.anonymize(frame, POLICY, method=replace(SKETCHES, run=broken))
    assert isinstance(release.reading, PublishedReading)
    assert release.reading.orders == {}
    release.write(tmp_path / "r.csv")
    for path in tmp_path.iterdir():
        assert b"SECRET" not in path.read_bytes()


def test_a_changed_codebook_is_found(tmp_path: Path) -> None:
    release_of(lambda recoding: recoding).write(tmp_path / "r.csv")
    assert kanopy.verify(tmp_path / "r.csv").kept
    book = tmp_path / "r.codebook.csv"
    book.write_text(book.read_text().replace("correlation,job,", "correlation,job,0"))
    assert not kanopy.verify(tmp_path / "r.csv").kept
