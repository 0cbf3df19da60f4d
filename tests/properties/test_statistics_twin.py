"""Value statistics against their definition: what is made, and what the recount says of any statistics."""

from __future__ import annotations

from typing import Any

import numpy as np
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_statistics import StatisticsRow, may_be_told, statistics, told_values

from kanopy.auditing.statistics import OriginalRows, wrong_statistics
from kanopy.data import CodedColumn, Domain, EncodedTable, RecodedColumn, Recoding
from kanopy.data.cell import MISSING, SUPPRESSED, Cell, exact, members, span
from kanopy.data.value_sets import ValueSets
from kanopy.release.value_statistics import value_statistics

EXAMPLES = n_tables(40)


class Case:
    """A column of chance: every row has a cell that covers its value."""

    def __init__(self, seed: int, *, with_persons: bool) -> None:
        rng = np.random.default_rng(seed)
        self.floor, n_values, n_rows = (
            int(rng.integers(2, 6)),
            int(rng.integers(1, 9)),
            int(rng.integers(1, 70)),
        )
        self.labels = tuple("abcdefgh"[:n_values])
        codes = rng.choice(n_values + 1, n_rows, p=rng.dirichlet([0.7] * (n_values + 1)))
        self.cells = self._cells(rng, n_values)
        covers = ValueSets.of_cells(n_values, self.cells)
        ids = np.array([rng.choice(self._fitting(covers, code, rng)) for code in codes], dtype=np.int32)
        lowest = int(rng.choice([0, -1, -n_rows // 4]))
        numbers = np.maximum(rng.integers(lowest, max(n_rows // 2, 1), n_rows), -1).astype(np.int32)
        persons = numbers if with_persons else None
        is_kept = rng.random(n_rows) < rng.choice([1.0, 0.8])
        domain = Domain("q", self.labels)
        column = CodedColumn(domain, codes.astype(np.uint8))
        self.table = EncodedTable(n_rows, (column,), None, {}, persons)
        self.recoding = Recoding((RecodedColumn(domain, self.cells, ids),), is_kept)
        names = np.array([*self.labels, ""])
        of_cell = [frozenset(names[cell.covers(domain)].tolist()) for cell in self.cells]
        self.rows = [
            StatisticsRow(str(names[codes[row]]), of_cell[ids[row]], row if persons is None else persons[row])
            for row in np.flatnonzero(is_kept).tolist()
        ]
        is_open = np.array([len(each) > 1 for each in of_cell])
        used = [cell for cell, opens in enumerate(is_open) if opens and (ids[is_kept] == cell).any()]
        self.original = OriginalRows(
            (*self.labels, ""),
            codes[is_kept],
            ~is_open[ids[is_kept]],
            None if persons is None else persons[is_kept],
            ValueSets.of_cells(n_values, [self.cells[cell] for cell in used]),
        )

    @staticmethod
    def _cells(rng: np.random.Generator, n_values: int) -> tuple[Cell, ...]:
        ends = np.sort(rng.integers(0, n_values, (4, 2)), axis=1).tolist()
        some = [np.flatnonzero(rng.random(n_values) < 0.5).tolist() for _ in range(3)]
        sets = [members(tuple(codes), with_missing=bool(rng.integers(2))) for codes in some if codes]
        spans = [span(low, high, with_missing=bool(rng.integers(2))) for low, high in ends]
        return (MISSING, *(exact(code) for code in range(n_values)), *spans, *sets, SUPPRESSED)

    @staticmethod
    def _fitting(covers: ValueSets, code: int, rng: np.random.Generator) -> Any:
        """Cells that cover the code; the suppressed one, which links everything, seldom."""
        cells = np.arange(covers.n_cells)
        fitting = cells[covers.covers(cells, np.full(len(cells), code))]
        return fitting[:-1] if rng.random() < 0.95 and len(fitting) > 1 else fitting


@settings(max_examples=EXAMPLES)
@given(st.integers(0, 2**32), st.booleans())
def test_statistics_are_those_of_the_definition_and_may_be_told(seed: int, with_persons: bool) -> None:
    case = Case(seed, with_persons=with_persons)
    made = value_statistics(case.table, case.recoding, ["q"], case.floor)["q"]
    named = told_values(case.rows, (*case.labels, ""), case.floor)
    assert dict(made) == statistics(case.rows, named, case.floor)
    assert may_be_told(named, case.rows, case.floor)
    assert not list(wrong_statistics(made, case.original, case.floor))


@settings(max_examples=EXAMPLES)
@given(st.integers(0, 2**32), st.booleans(), st.sets(st.sampled_from([*"abcdefgh", ""])))
def test_the_recount_refuses_what_the_definition_refuses(
    seed: int, with_persons: bool, chosen: set[str]
) -> None:
    case = Case(seed, with_persons=with_persons)
    named = {value for value in chosen if value in (*case.labels, "")}
    told = statistics(case.rows, named, case.floor)
    wrong = list(wrong_statistics(told, case.original, case.floor))
    assert bool(wrong) != may_be_told(named, case.rows, case.floor)
    assert list(wrong_statistics({**told, "other": told["other"] + case.floor}, case.original, case.floor))
