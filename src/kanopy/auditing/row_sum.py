"""Whether equal rows were counted rightly: a sum over all rows, before and after.

Shares no code with what counts them. Every value has a number that follows from its text, every row one that
follows from those of its values, and the numbers of all rows are added up. The sum does not depend on the
order of rows, and two tables with other rows have the same one in one case of 2^64.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.data.arrays import Ints

_WORD = 8  # bytes
_MIXERS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


class RowSum(NamedTuple):
    """How many rows there are, and what their numbers add up to."""

    n_rows: int = 0
    total: int = 0

    def plus(self, table: pa.Table, weight: Ints | None = None) -> RowSum:
        """With the rows of a table, each as often as it weighs; O(rows * columns)."""
        of_row = np.zeros(table.num_rows, dtype=np.uint64)
        for name, column in zip(table.column_names, table.columns, strict=True):
            for_each, codes = _numbers(name, column)
            of_row += for_each.take(codes)
        for mixer in _MIXERS:  # so that the values of a row belong together
            of_row ^= of_row >> np.uint64(31)
            of_row *= mixer
        if weight is not None:
            of_row *= weight.astype(np.uint64)
        n_rows = table.num_rows if weight is None else int(weight.sum())
        return RowSum(self.n_rows + n_rows, (self.total + int(of_row.sum(dtype=np.uint64))) % 2**64)


def _numbers(name: str, column: pa.ChunkedArray) -> tuple[NDArray[np.uint64], Ints]:
    """A number for each different value of a column, null the last, and the place of each row's."""
    coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    whole = coded.unify_dictionaries().combine_chunks()
    whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
    texts = whole.dictionary.cast(pa.string()).cast(pa.binary()).to_pylist()  # whether these are texts or not
    salt = hashlib.blake2b(name.encode(), digest_size=16).digest()
    null = hashlib.blake2b(b"", digest_size=_WORD, salt=salt, person=b"null").digest()
    digests = [
        null if text is None else hashlib.blake2b(text, digest_size=_WORD, salt=salt).digest()
        for text in (*texts, None)
    ]
    codes = whole.indices.cast(pa.int64()).fill_null(len(texts)).to_numpy(zero_copy_only=False)
    return np.frombuffer(b"".join(digests), dtype=np.uint64), codes
