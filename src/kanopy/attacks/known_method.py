"""What the method gives away: which other tables would have given the same release?

The attacker knows the method and its options, which a certificate names, and no seed. She goes through tables
that differ in one thing, releases each by the same method, and rules out those that give another release. The
custodian does the same, beginning with the source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from math import sqrt
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from kanopy.attacks.figures import KnownMethod
from kanopy.attacks.reading import CellReader
from kanopy.data import CodedColumn
from kanopy.data.arrays import Bools, Codes, Int32s, Ints
from kanopy.data.grammar import MISSING_TEXT
from kanopy.data.keys import group_rows
from kanopy.errors import PolicyError, UnsatisfiableError
from kanopy.frames.distinct import DistinctColumn, distinct_column
from kanopy.frames.encode import coded_column
from kanopy.policy import Policy

Cells = list[tuple[list[str], Int32s]]
"""Of each quasi-identifier, the different texts and which of them each row has."""

Again = Callable[[pa.Table, int], tuple[Cells, Bools]]
"""What a method with its options shows in each row of a table, with a seed; and which rows it keeps."""

Alternatives = Iterator[tuple[str, Iterator[pa.Table]]]
"""The column in which tables differ from the source, and the tables: one for a swap, some for a value."""

Watch = Callable[[str, float | None], None]
"""Gets what is done, and the share of it that is."""

MOST_ROWS = 1000
"""Larger tables are sampled: the method runs some hundred times."""

_SEEDS = 3
"""The seed of the release and others: what only another seed gives is not ruled out either."""

_ALTERNATIVES = 10
"""So many other values at most are tried for one that might be pinned."""

_MOST_TRIES = 5_000
"""So many rows at most are drawn: of some tables nothing can be swapped."""

_DEVIATIONS = 1.959964
"""Of a normal distribution, 95% lie within so many deviations."""

_COUNTED = ("swaps", "ruled_out", "values", "pinned")


def unwatched(_stage: str, _share: float | None) -> None:
    """The watch of a measurement without a progress display."""


class MethodRuns(NamedTuple):
    """How the method is run again, and how often.

    Parameters
    ----------
    again : callable
        ``kanopy.engines.again.method_again(policy, method, **options)``.
    simulations : int
        How many swaps are tried.
    seed : int
        Of the release, and of what is drawn here.
    most_rows : int
        Of a larger table so many rows are drawn, and these are taken for the source.
    watch : callable
        Gets the progress.
    """

    again: Again
    simulations: int = 100
    seed: int = 0
    most_rows: int = MOST_ROWS
    watch: Watch = unwatched


def measure_known_method(
    source: pa.Table, policy: Policy, runs: MethodRuns, release: Sequence[DistinctColumn] = ()
) -> KnownMethod:
    """Release tables that differ from the source in a swap, or in one value, and count which it tells apart.

    A *swap* exchanges the values of one quasi-identifier between two rows of a group, whose cells say the
    same about both. A value is *pinned* where no other value that its cell allows gives the same release; up
    to ten are tried, for half as many values as there are swaps. ``release`` has the quasi-identifiers of the
    release that is attacked, to be compared. O(simulations) runs of the method: six each at most, three times
    that where it draws. A PolicyError where the method gives no release of these rows.
    """
    rng, n_rows = np.random.default_rng(runs.seed), source.num_rows
    if n_rows > runs.most_rows:
        source = source.take(pa.array(np.sort(rng.choice(n_rows, runs.most_rows, replace=False))))
    found = _Simulated.of(source, policy, runs.again, runs.seed)
    tried = _tried(found, runs, rng)
    swaps, ruled_out, values, pinned = (sum(each[what] for each in tried.values()) for what in _COUNTED)
    return KnownMethod(
        source_rows=n_rows,
        rows=source.num_rows,
        groups=found.groups[1],
        seeds=len(found.seeds),
        is_release=found.has_cells(release) if n_rows <= runs.most_rows and release else None,
        swaps=swaps,
        ruled_out=ruled_out,
        told=ruled_out / swaps if swaps else None,
        told_between=interval(ruled_out, swaps),
        values=values,
        pinned=pinned,
        alternatives=_ALTERNATIVES,
        columns=tried,
    )


def _tried(found: _Simulated, runs: MethodRuns, rng: np.random.Generator) -> dict[str, dict[str, int]]:
    """What was tried, and what it told, by column."""
    tried = {column.domain.name: dict.fromkeys(_COUNTED, 0) for column in found.quasi}
    trials = [(found.swaps(rng), "swaps", "ruled_out", runs.simulations)]
    trials += [(found.alternatives(rng), "values", "pinned", max(1, runs.simulations // 2))]
    n_done, n_all = 0, sum(n_wanted for *_, n_wanted in trials)
    for alternatives, what, is_told, n_wanted in trials:
        for name, tables in islice(alternatives, n_wanted):
            runs.watch("releasing again", n_done / n_all)
            tried[name][what] += 1
            tried[name][is_told] += not any(map(found.gives_same, tables))
            n_done += 1
    return tried


def interval(n_found: int, n_tried: int) -> tuple[float, float] | None:
    """Wilson's interval for a share, of 95%; None where nothing was tried.

    >>> [round(end, 3) for end in interval(69, 100)]
    [0.594, 0.772]
    """
    if not n_tried:
        return None
    share, spread = n_found / n_tried, _DEVIATIONS**2 / n_tried
    half = sqrt(spread * (share * (1 - share) + spread / 4))
    low, high = ((share + spread / 2 + side * half) / (1 + spread) for side in (-1, 1))
    return (low if n_found else 0.0), (high if n_found < n_tried else 1.0)


@dataclass(frozen=True, eq=False)
class _Simulated:
    """A table, its release by a method, and tables that might have given the same."""

    table: pa.Table
    quasi: tuple[CodedColumn, ...]
    others: Sequence[Codes]  # what is published as it is
    again: Again
    seeds: tuple[int, ...]
    cells: Cells
    is_kept: Bools

    @classmethod
    def of(cls, table: pa.Table, policy: Policy, again: Again, seed: int) -> _Simulated:
        """Release the table; a method that gives the same for several seeds draws nothing."""
        columns = {name: distinct_column(name, table[name], policy.missing) for name in policy.published}
        target = columns.get(policy.target or "")
        quasi = tuple(coded_column(columns.pop(name), policy, target) for name in policy.quasi_identifiers)
        others = [column.codes for column in columns.values()]
        try:
            found = cls(table, quasi, others, again, (seed,), *again(table, seed))
        except UnsatisfiableError as error:
            what = f"the method gives no release of the {table.num_rows:,} rows that were drawn: {error}"
            raise PolicyError(what, "measure it with a smaller k") from None
        seeds = tuple(range(seed, seed + _SEEDS))
        draws = not all(found._is_given(table, other) for other in seeds[1:])
        return replace(found, seeds=seeds) if draws else found

    @cached_property
    def groups(self) -> tuple[Int32s, int]:
        """The published group of each row, -1 for rows that are not published, and the number of groups."""
        kept, group = np.flatnonzero(self.is_kept), np.full(len(self.is_kept), -1, dtype=np.int32)
        codes, sizes = [ids[kept] for _, ids in self.cells], [len(texts) for texts, _ in self.cells]
        group[kept], n_groups = group_rows(codes, sizes, len(kept))
        return group, n_groups

    def gives_same(self, table: pa.Table) -> bool:
        """Whether another table, released with one of the seeds, gives this release."""
        return any(self._is_given(table, seed) for seed in self.seeds)

    def _is_given(self, table: pa.Table, seed: int) -> bool:
        try:
            return self._has_lines(*self.again(table, seed), self.others)
        except UnsatisfiableError:
            return False

    def has_cells(self, columns: Sequence[DistinctColumn]) -> bool:
        """Whether these quasi-identifiers are those of the release; a sort."""
        cells = [([*column.texts.to_pylist(), MISSING_TEXT], column.codes) for column in columns]
        return self._has_lines(cells, np.ones(len(cells[0][1]), dtype=bool), [])

    def _has_lines(self, cells: Cells, is_kept: Bools, others: Sequence[Codes]) -> bool:
        """Whether rows show the same cells beside the same other columns, in whatever order; a sort."""
        found = []
        for (texts, ids), (known, _) in zip(cells, self.cells, strict=True):
            place = {text: number for number, text in enumerate(known)}
            found.append(np.array([place.get(text, -1) for text in texts])[ids])
        own = _sorted_lines([*(ids for _, ids in self.cells), *others], self.is_kept)
        return np.array_equal(_sorted_lines([*found, *others], is_kept), own)

    def swaps(self, rng: np.random.Generator) -> Alternatives:
        """Swaps inside groups, drawn at random: a row, a column in which its group differs, another such row.

        Rows that agree in all other published columns are not swapped: the table would be the same.
        """
        group, n_groups = self.groups
        codes = np.stack([*(column.codes for column in self.quasi), *self.others]).astype(np.int64)
        rows_of = [np.flatnonzero(group == number) for number in range(n_groups)]
        for row in rng.choice(np.flatnonzero(self.is_kept), _MOST_TRIES).tolist():
            rows = rows_of[group[row]]
            differs = codes[:, rows] != codes[:, [row]]
            is_swap = differs[: len(self.quasi)] & (differs.sum(axis=0) > 1)
            places = np.flatnonzero(is_swap.any(axis=1))
            if len(places):
                place = int(rng.choice(places))
                other = int(rng.choice(rows[is_swap[place]]))
                yield self.quasi[place].domain.name, iter([self._with(place, [row, other], [other, row])])

    def alternatives(self, rng: np.random.Generator) -> Alternatives:
        """Values drawn at random, each with tables that have another one there, which its cell allows."""
        allowed = [self._allowed(place) for place in range(len(self.quasi))]
        for row in rng.choice(np.flatnonzero(self.is_kept), _MOST_TRIES).tolist():
            place = int(rng.integers(len(self.quasi)))
            column, cell = self.quasi[place], self.cells[place][1][row]
            others = np.setdiff1d(allowed[place][cell], column.codes[row])
            if len(others):
                some = rng.permutation(others)[:_ALTERNATIVES].tolist()
                examples = [int(np.flatnonzero(column.codes == code)[0]) for code in some]
                yield column.domain.name, (self._with(place, [row], [example]) for example in examples)

    def _allowed(self, place: int) -> list[Ints]:
        """The codes of the table that each text of a column may stand for; O(texts * codes)."""
        column, texts = self.quasi[place], self.cells[place][0]
        cells, nothing = CellReader(column.domain).read(texts), np.zeros(0, dtype=np.int64)
        return [
            nothing if cell is None else np.flatnonzero(cell.covers(column.domain) & (column.totals > 0))
            for cell in cells
        ]

    def _with(self, place: int, rows: Sequence[int], examples: Sequence[int]) -> pa.Table:
        """The table whose rows have the values of other rows in one column; O(rows)."""
        name, taken = self.quasi[place].domain.name, np.arange(self.table.num_rows)
        taken[rows] = examples
        number = self.table.column_names.index(name)
        return self.table.set_column(number, name, self.table[name].take(pa.array(taken)))


def _sorted_lines(columns: Sequence[Codes], is_kept: Bools) -> Ints:
    """The rows that are kept, in an order that depends on nothing but themselves."""
    lines = np.stack([codes[is_kept].astype(np.int64) for codes in columns])
    return lines[:, np.lexsort(lines)]
