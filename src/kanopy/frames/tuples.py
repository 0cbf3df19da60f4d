"""Equal rows of a source, counted: methods decide about different rows, each with a weight.

Of a large table most rows are equal to others in the few columns that are published. Values get codes in the
order in which they are seen, and a row is one whole number, made of the codes of its columns. The order of
rows and how they are divided into batches leave no trace: whoever encodes the table sorts values and rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.data.arrays import Codes, Ints
from kanopy.data.keys import narrowest_unsigned
from kanopy.frames.distinct import is_text
from kanopy.frames.from_numpy import as_arrow

_MOST_BITS = 62
_FEW = 1 << 16
_NEARLY_ALL = 0.9  # of a few rows: more of them will not make rows repeat enough
_MIXER = np.uint64(0x9E3779B97F4A7C15)  # spreads numbers that lie close together
_SAMPLED = np.uint64(1 << 60)  # of sixteen different rows one, with all its equals: how often do rows repeat?
_ROWS_AT_A_TIME = 1 << 22


class CountedTable(NamedTuple):
    """A table, and how many equal rows each of its rows stands for; None where that is one everywhere."""

    table: pa.Table
    weight: Ints | None = None


def counted_table(source: pa.Table) -> CountedTable:
    """The different rows of a table; the table itself where rows hardly repeat. O(rows * columns), a sort."""
    if source.num_rows > _FEW:
        places = np.linspace(0, source.num_rows - 1, _FEW).astype(np.int64)  # the first rows may be of a kind
        if not TupleCounter().add(source.take(as_arrow(places)), most_different=_NEARLY_ALL):
            return CountedTable(source)
    counter = TupleCounter()
    for start in range(0, source.num_rows, _ROWS_AT_A_TIME):
        if not counter.add(source.slice(start, _ROWS_AT_A_TIME)):
            return CountedTable(source)
    return counter.result() if source.num_rows else CountedTable(source)


class _SeenValues:
    """The values of a column that were seen until now; code 0 is null."""

    def __init__(self) -> None:
        self.values: pa.Array | None = None

    @property
    def n_bits(self) -> int:
        return max(0 if self.values is None else len(self.values).bit_length(), 1)

    def codes_of(self, column: pa.ChunkedArray) -> Codes:
        """The code of each row; new values get the next ones. O(rows)."""
        coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        whole = coded.unify_dictionaries().combine_chunks()
        whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
        found = whole.dictionary
        if self.values is None:
            self.values = found[:0]
        place = pc.index_in(found, value_set=self.values)
        is_new = place.is_null()
        n_new, n_old = pc.sum(is_new).as_py() or 0, len(self.values)
        codes = place.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        if n_new:
            self.values = pa.concat_arrays([self.values, found.filter(is_new)])
            codes[is_new.to_numpy(zero_copy_only=False)] = np.arange(n_old, n_old + n_new)
        rows = whole.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
        of_row: Codes = np.append(codes + 1, 0).astype(narrowest_unsigned(len(self.values) + 1))[rows]
        return of_row


class TupleCounter:
    """Counts equal rows of a table that comes in batches; O(rows * columns), plus sorts of different rows."""

    def __init__(self) -> None:
        self.n_rows = 0
        self._names: list[str] = []
        self._columns: list[_SeenValues] = []
        self._bits: list[int] = []
        self._runs: list[tuple[Ints, Ints]] = []  # sorted keys and their counts, large first

    def add(self, batch: pa.Table, *, most_different: float = 0.5) -> bool:
        """Count the rows of a batch; False where it is not worth it, and then nothing more can be added.

        It is worth it where no larger share of the first batch is different rows.
        """
        if not self._columns:
            self._names, self._columns = batch.column_names, [_SeenValues() for _ in batch.column_names]
        if not all(map(_is_counted, batch.schema.types)):
            return False
        codes = [seen.codes_of(column) for seen, column in zip(self._columns, batch.columns, strict=True)]
        if not self._widen():
            return False
        keys = _joined(codes, self._bits)
        if not self.n_rows and not _repeat(keys, most_different):
            return False
        self.n_rows += batch.num_rows
        keys.sort()
        self._put(keys, np.ones(len(keys), dtype=np.int64))
        return True

    def _widen(self) -> bool:
        """Give every column the bits that it needs now; False where a key does not hold them all."""
        wanted = [column.n_bits for column in self._columns]
        if sum(wanted) > _MOST_BITS:
            return False
        if self._bits and wanted != self._bits:
            self._runs = [
                (_joined(_divided(keys, self._bits), wanted), counts) for keys, counts in self._runs
            ]
        self._bits = wanted
        return True

    def _put(self, keys: Ints, counts: Ints) -> None:
        """Add sorted keys. Runs that have grown to the same size are merged, so a key is sorted seldom."""
        keys, counts = _merged(keys, counts)
        while self._runs and len(self._runs[-1][0]) <= 2 * len(keys):
            others, their_counts = self._runs.pop()
            both = np.concatenate([others, keys])
            order = np.argsort(both, kind="stable")  # two sorted runs: a merge
            keys, counts = _merged(both[order], np.concatenate([their_counts, counts])[order])
        self._runs.append((keys, counts))

    def result(self) -> CountedTable:
        """All different rows, and how often each was there."""
        keys = np.concatenate([keys for keys, _ in self._runs])
        counts = np.concatenate([counts for _, counts in self._runs])
        order = np.argsort(keys, kind="stable")
        keys, counts = _merged(keys[order], counts[order])
        arrays = []
        for column, codes in zip(self._columns, _divided(keys, self._bits), strict=True):
            places = pa.array(codes - 1, mask=codes == 0).cast(pa.int32())
            arrays.append(pa.DictionaryArray.from_arrays(places, column.values))
        return CountedTable(pa.table(arrays, names=self._names), counts)


def _is_counted(kind: pa.DataType) -> bool:
    """Floats are not: 0 and -0 are equal, and two texts."""
    types = pa.types
    return is_text(kind) or types.is_integer(kind) or types.is_boolean(kind) or types.is_date(kind)


def _repeat(keys: Ints, most_different: float) -> bool:
    """Whether no larger share of the keys is different ones; O(keys)."""
    some = np.sort(keys if len(keys) <= _FEW else keys[keys.astype(np.uint64) * _MIXER < _SAMPLED])
    some = np.sort(keys) if len(keys) // 64 > len(some) else some  # a few keys, each of which has many rows
    n_different = 1 + int(np.count_nonzero(some[1:] != some[:-1]))
    return n_different <= most_different * len(some)


def _merged(keys: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """Sorted keys, each once, with their counts added up."""
    is_first = np.ones(len(keys), dtype=bool)
    is_first[1:] = keys[1:] != keys[:-1]
    starts = np.flatnonzero(is_first)
    return keys[starts], np.add.reduceat(counts, starts) if len(starts) else counts


def _divided(keys: Ints, bits: list[int]) -> list[Ints]:
    """The codes of every column."""
    codes = []
    for n_bits in reversed(bits):
        codes.append(keys & ((1 << n_bits) - 1))
        keys = keys >> n_bits
    return codes[::-1]


def _joined(codes: Sequence[Codes], bits: list[int]) -> Ints:
    """One key per row; widening keeps the order of keys."""
    keys = np.zeros(len(codes[0]), dtype=np.int64)
    for n_bits, of_column in zip(bits, codes, strict=True):
        keys <<= n_bits
        keys |= of_column
    return keys
