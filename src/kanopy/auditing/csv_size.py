"""The size that a written CSV must have: a file that says the same in more bytes holds something else too."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.auditing.text import TextTable

_LINE_END = _DELIMITER = 1
_OTHER_DELIMITERS = ",;\t|"


def plain_csv_size(table: TextTable) -> int:
    """The bytes of the table as CSV, without a byte that is not needed; O(rows * columns).

    PRIVACY: readers pass over empty lines, byte order marks and quotes that nobody needs, so cells that read
    back as they should are not all that counts (tests/sabotage/test_bytes.py).
    """
    n_bytes = 0
    for column in table.columns.values():
        counts = np.bincount(column.codes, minlength=len(column.words))
        n_bytes += int((_sizes(column.words) + _DELIMITER) @ counts)
        if len(table.columns) == 1:  # an empty line would be no row, so the empty text is quoted
            n_bytes += 2 * int(counts @ (_lengths(column.words) == 0))
    return n_bytes + _header_size(list(table.columns))


def _header_size(names: list[str]) -> int:
    size = int(_sizes(pa.array(names, pa.string())).sum())
    needs_quotes = len(names) == 1 and any(sign in names[0] for sign in _OTHER_DELIMITERS)
    if needs_quotes and not _is_quoted(names[0]):
        size += 2
    return size + _DELIMITER * (len(names) - 1) + _LINE_END


def _sizes(words: pa.StringArray) -> NDArray[np.int64]:
    """The bytes of each text as a field: quoted where it must be, every quote in it doubled."""
    sizes: NDArray[np.int64] = _lengths(words)
    sizes = sizes + pc.count_substring(words, '"').to_numpy(zero_copy_only=False)
    # Blanks that are not ASCII are many: whatever else is not ASCII in front or at the end is looked at.
    doubtful = pc.match_substring_regex(words, r'["\r\n,]|^[^\x21-\x7e]|[^\x21-\x7e]$')
    places = np.flatnonzero(doubtful.to_numpy(zero_copy_only=False))
    is_quoted = [_is_quoted(text) for text in words.take(pa.array(places)).to_pylist()]
    sizes[places] += 2 * np.array(is_quoted, dtype=np.int64)
    return sizes


def _lengths(words: pa.StringArray) -> NDArray[np.int64]:
    return np.asarray(pc.binary_length(words).to_numpy(zero_copy_only=False), dtype=np.int64)


def _is_quoted(text: str) -> bool:
    has_sign = any(sign in text for sign in '",\r\n')
    return has_sign or text[:1].isspace() or text[-1:].isspace() or text.startswith("\ufeff")
