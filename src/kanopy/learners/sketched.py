"""Plain rows drawn from sketched cells: the values of each group, given to its rows in correlated ranks.

A row of a group gets one value of each cell. Which, is decided by normal numbers that go together like the
quasi-identifiers do inside groups, as far as the codebook tells: the row with the r-th smallest one gets the
r-th smallest value of the cell. So a drawn table has the published counts exactly and the published means
nearly. Its rows are made up; some may equal real ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.data import PublishedReading
from kanopy.data.arrays import Codes, Floats, Ints
from kanopy.data.grammar import MISSING_TEXT, ReadCell, read_any_text, write_alone
from kanopy.data.keys import group_rows
from kanopy.data.normal_rows import DrawnColumn
from kanopy.data.ranked import ChunkMeans, CountedCodes, correlated, ranks_in_groups
from kanopy.data.reading import NORMAL
from kanopy.data.scale import Calendar, TextScale, scale_of
from kanopy.frames.distinct import DistinctColumn, distinct_column, is_text
from kanopy.frames.from_numpy import as_arrow

N_DRAWS = 3
"""Plain tables that learners draw from sketches."""


class PlainCopies(NamedTuple):
    """Plain rows: all of the given ones once, then all of them again, and so on."""

    table: pa.Table
    n_copies: int
    group: Ints  # of each given row: those that read alike
    around: dict[str, DrawnColumn]  # for linear models; none where these learn from the drawn rows


def is_sketched(source: pa.Table) -> bool:
    """Whether a column of the table has sketched cells; O(rows * columns)."""
    return any(_sketched(name, source[name]) is not None for name in source.column_names)


def drawn_rows(
    source: pa.Table,
    reading: PublishedReading | None,
    rng: np.random.Generator,
    n_copies: int = N_DRAWS,
    classes: Sequence[Any] | NDArray[Any] | None = None,
) -> PlainCopies | None:
    """Draw plain tables from a table with sketched cells; None where it has none.

    Without a reading, columns are drawn by themselves, and categories in the order of their texts. Where the
    reading tells about the classes, ``classes`` are those of the rows, as texts or as numbers.
    O(copies * rows * columns * log(rows)).
    """
    found = {name: _sketched(name, source[name]) for name in source.column_names}
    columns = {name: column for name, column in found.items() if column is not None}
    if not columns or not source.num_rows:
        return None
    names, correlation = tuple(columns), np.eye(len(columns))
    if reading is not None and set(columns) <= set(reading.names) <= set(source.column_names):
        names, correlation = reading.names, reading.correlation
    else:
        reading = None
    groups = _Groups.of([_codes(name, source[name], columns.get(name)) for name in names])
    orders = {} if reading is None else reading.orders
    cells = {name: column.by_group(groups, orders.get(name, ())) for name, column in columns.items()}
    pull = 0.0 if reading is None else reading.pull(classes, groups.group)
    normal = np.vstack([correlated(source.num_rows, correlation, rng) + pull for _ in range(n_copies)])
    keys = dict(zip(names, normal.T, strict=True))
    drawn = {name: column.drawn(keys[name], n_copies) for name, column in cells.items()}
    rows = as_arrow(np.tile(np.arange(source.num_rows), n_copies))
    table = {
        name: cells[name].texts(drawn[name]) if name in cells else source[name].take(rows)
        for name in source.column_names
    }
    is_around = reading is not None and reading.linear == NORMAL
    lines = cells.items() if is_around else ()
    around = {name: DrawnColumn(column.places(drawn[name]), keys[name]) for name, column in lines}
    return PlainCopies(pa.table(table), n_copies, groups.group.astype(np.int64), around)


def _codes(name: str, column: pa.ChunkedArray, known: _Sketched | None) -> tuple[Codes, int]:
    coded = distinct_column(name, column, ()) if known is None else known.coded
    return coded.codes, len(coded.texts) + 1


class _Groups(NamedTuple):
    """Rows that read alike in all sketched columns."""

    group: Codes  # of each row
    sizes: Ints
    starts: Ints  # rows of the groups before
    example: Ints  # a row of each

    @classmethod
    def of(cls, columns: Sequence[tuple[Codes, int]]) -> _Groups:
        codes, sizes = [codes for codes, _ in columns], [size for _, size in columns]
        group, n_groups = group_rows(codes, sizes, len(codes[0]))
        n_rows, example = np.bincount(group, minlength=n_groups), np.zeros(n_groups, dtype=np.int64)
        example[group] = np.arange(len(group))
        return cls(group, n_rows, np.cumsum(n_rows) - n_rows, example)


class _Sketched(NamedTuple):
    """A column with sketches: its different texts, and what they say."""

    coded: DistinctColumn
    cells: list[ReadCell]

    def by_group(self, groups: _Groups, order: Sequence[str]) -> _DrawnColumn:
        """What is drawn for each group."""
        texts = [*self.coded.texts.to_pylist(), None]
        word = self.coded.codes[groups.example].tolist()
        cells = [self.cells[each] for each in word]
        means = [mean for cell in self.cells for mean in cell.means]
        scale = scale_of(set(means), has_ranges=True) if means else None
        # Means that are no numbers, as they have decimal commas, stay as they are.
        is_drawn = np.array([bool(cell.means) if scale is not None else _is_counted(cell) for cell in cells])
        base = _DrawnColumn(texts, self.coded.codes, groups, is_drawn)
        return _Numbers.of(base, cells, scale) if scale is not None else _Categories.of(base, cells, order)


def _sketched(name: str, column: pa.ChunkedArray) -> _Sketched | None:
    if not is_text(column.type):
        return None
    coded = distinct_column(name, column, ())
    may_be = pc.or_(pc.starts_with(coded.texts, "~["), pc.starts_with(coded.texts, "{"))
    if not pc.any(may_be, min_count=0).as_py():
        return None
    cells = [*map(read_any_text, coded.texts.to_pylist()), ReadCell(with_missing=True)]
    return _Sketched(coded, cells) if any(cell.is_sketch for cell in cells) else None


@dataclass(frozen=True, eq=False)
class _DrawnColumn:
    """A column whose rows are drawn group by group; where a cell is no sketch, they stay as they are."""

    words: list[str | None]
    codes: Codes  # the word of each row
    groups: _Groups
    is_drawn: Ints  # per group

    def drawn(self, keys: Floats, n_copies: int) -> Floats:
        """The drawn value of each row, copy by copy, given the normal numbers that say who gets which."""
        group, starts = self.groups.group, self.groups.starts
        return np.concatenate([
            self.at(ranks_in_groups(group, starts, of_copy)) for of_copy in np.split(keys, n_copies)
        ])  # fmt: skip

    def at(self, ranks: Ints) -> Floats:
        """The drawn value of each row, NaN for missing, given its rank in its group."""
        raise NotImplementedError

    def texts(self, drawn: Floats) -> pa.Array:
        """The column as text, of so many copies as were drawn; O(rows) and a sort of the numbers."""
        codes = np.tile(self.codes.astype(np.int64), len(drawn) // max(len(self.codes), 1))
        is_drawn = np.tile(self.is_drawn[self.groups.group], len(drawn) // max(len(self.codes), 1))
        values, place = np.unique(drawn[is_drawn], return_inverse=True)
        codes[is_drawn] = len(self.words) + place
        new = [None if np.isnan(value) else self.written(value) for value in values.tolist()]
        return pa.array([*self.words, *new], pa.string()).take(as_arrow(codes))

    def written(self, value: float) -> str:
        """A drawn value as the exact cell that says it."""
        raise NotImplementedError

    def places(self, drawn: Floats) -> Floats:
        """Where drawn values lie in the order of their column; missing numbers at its end."""
        return np.where(np.isnan(drawn), np.fmax.reduce(drawn), drawn)


@dataclass(frozen=True, eq=False)
class _Numbers(_DrawnColumn):
    chunks: ChunkMeans
    scale: TextScale
    decimals: int

    @classmethod
    def of(cls, base: _DrawnColumn, cells: Sequence[ReadCell], scale: TextScale) -> _Numbers:
        told = [cell.means or ("",) for cell in cells]
        first = np.cumsum([0, *map(len, told)])
        means = [scale.number(mean) if mean else np.nan for line in told for mean in line]
        counts = np.array(
            [(*cell.counts, 0)[:2] if cell.counts else (1, 0) for cell in cells], dtype=np.int64
        )
        n_numbers = _scaled(base.groups.sizes, counts[:, 0], counts.sum(axis=1))
        known = np.array(means, dtype=np.float64)
        decimals = max(len(mean.partition(".")[2]) for line in told for mean in line)
        known = np.where(np.isnan(known), np.nanmin(known), known)  # of groups that are not drawn
        chunks = ChunkMeans(first, known, np.maximum(n_numbers, 1))
        return cls(base.words, base.codes, base.groups, base.is_drawn, chunks, scale, decimals)

    def at(self, ranks: Ints) -> Floats:
        group = self.groups.group
        n_numbers = self.chunks.n_numbers[group]
        values = self.chunks.at(group, np.minimum(ranks, n_numbers - 1).astype(np.float64))
        if isinstance(self.scale, Calendar):
            step, means = self.scale.step(0), self.chunks.means
            values = np.rint(np.clip(values, means.min(), means.max()) / step) * step  # none in the future
        else:
            values = np.round(values, self.decimals)
        return np.where(ranks < n_numbers, values, np.nan)

    def written(self, value: float) -> str:
        return self.scale.written(value, self.decimals)


@dataclass(frozen=True, eq=False)
class _Categories(_DrawnColumn):
    counted: CountedCodes
    totals: Ints  # rows of each group, as its cell says
    values: tuple[str, ...]

    @classmethod
    def of(cls, base: _DrawnColumn, cells: Sequence[ReadCell], order: Sequence[str]) -> _Categories:
        named = {text for cell in cells if _is_counted(cell) for text in _named(cell)}
        values = tuple(text for text in order if text in named)
        values += tuple(sorted(named - {*values, MISSING_TEXT})) + (
            (MISSING_TEXT,) * (MISSING_TEXT not in values)
        )
        place = {text: number for number, text in enumerate(values)}
        entries = [
            sorted(zip((place[text] for text in _named(cell)), cell.counts, strict=True))
            if _is_counted(cell)
            else [(0, 1)]
            for cell in cells
        ]
        flat = np.array([pair for line in entries for pair in line], dtype=np.int64).reshape(-1, 2)
        counted = CountedCodes(np.cumsum([0, *map(len, entries)]), flat[:, 0], flat[:, 1])
        totals = np.add.reduceat(flat[:, 1], counted.first[:-1])
        return cls(base.words, base.codes, base.groups, base.is_drawn, counted, totals, values)

    def at(self, ranks: Ints) -> Floats:
        group = self.groups.group
        # A group that has other rows than its cell counts, as some were left out, keeps the shares.
        rank = (2 * ranks + 1) * self.totals[group] // (2 * self.groups.sizes[group])
        codes = self.counted.at(group, rank.astype(np.float64)).astype(np.float64)
        missing = self.values.index(MISSING_TEXT)
        return np.where(codes == missing, np.nan, codes)

    def written(self, value: float) -> str:
        return write_alone(self.values[int(value)])

    def places(self, drawn: Floats) -> Floats:
        return np.where(np.isnan(drawn), self.values.index(MISSING_TEXT), drawn)


def _is_counted(cell: ReadCell) -> bool:
    return bool(cell.counts) and not cell.means


def _named(cell: ReadCell) -> tuple[str, ...]:
    return (*cell.texts, MISSING_TEXT) if cell.with_missing else cell.texts


def _scaled(sizes: Ints, counts: Ints, totals: Ints) -> Ints:
    """How many of the rows that there are have a number, given how many of all rows have one."""
    return np.asarray((2 * sizes * counts + totals) // (2 * totals))
