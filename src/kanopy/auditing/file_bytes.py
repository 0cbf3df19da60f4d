"""The bytes of a written CSV file: it may hold its cells and nothing else, in the form that was asked for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.auditing.text import TextColumn, TextTable
from kanopy.frames.csv_form import PLAIN_FORM, CsvForm, with_point
from kanopy.frames.csv_text import as_before_disarming
from kanopy.frames.from_numpy import as_arrow


def plain_csv_size(table: TextTable, form: CsvForm = PLAIN_FORM) -> int:
    """The bytes of the table as CSV, without a byte that is not needed; O(rows * columns).

    PRIVACY: readers ignore empty lines, byte order marks and unnecessary quotes, so a file may hold more than
    the cells that are read back (tests/sabotage/test_bytes.py).
    """
    n_bytes, delimiter = len(form.mark), form.delimiter
    for column in table.columns.values():
        counts = column.counts
        n_bytes += int((_field_sizes(column.words, delimiter) + 1) @ counts)  # with a delimiter or a line end
        if len(table.columns) == 1:  # an empty line would be no row, so the empty text is quoted
            n_bytes += 2 * int(counts @ pc.equal(column.words, "").to_numpy(zero_copy_only=False))
    names = list(map(form.in_header, table.columns))
    if len(names) == 1 and any(sign in names[0] for sign in ",;\t|") and not _is_quoted(names[0], delimiter):
        n_bytes += 2
    return n_bytes + int(_field_sizes(pa.array(names, pa.string()), delimiter).sum()) + len(names)


def _field_sizes(words: pa.StringArray, delimiter: str) -> NDArray[np.int64]:
    """The bytes of each text as a field: quoted where it must be, every quote in it doubled."""
    sizes = np.asarray(pc.binary_length(words), dtype=np.int64)
    sizes = sizes + np.asarray(pc.count_substring(words, '"'), dtype=np.int64)
    # There are many blanks outside ASCII: every other character at an end of a text is looked at.
    doubtful = pc.match_substring_regex(words, rf'["\r\n{delimiter}]|^[^\x21-\x7e]|[^\x21-\x7e]$')
    places = np.flatnonzero(doubtful.to_numpy(zero_copy_only=False))
    is_quoted = [_is_quoted(text, delimiter) for text in words.take(as_arrow(places)).to_pylist()]
    sizes[places] += 2 * np.array(is_quoted, dtype=np.int64)
    return sizes


def _is_quoted(text: str, delimiter: str) -> bool:
    has_sign = any(sign in text for sign in f'"{delimiter}\r\n')
    return has_sign or text[:1].isspace() or text[-1:].isspace() or text.startswith("\ufeff")


def in_plain_form(table: TextTable, form: CsvForm) -> TextTable:
    """The table with decimal points again and formulas without their ``'``; O(words).

    So numbers are counted as numbers, values that a promise names are found, and those that are in order stay
    in order. No two texts become one: a column with decimal commas has no others between digits, and a text
    that had a ``'`` in front of a formula has two.
    """
    columns = dict(table.columns)
    for name in columns.keys() & set(form.comma_columns):
        columns[name] = _rewritten(columns[name], with_point)
    if form.is_disarmed:
        columns = {name: _rewritten(column, as_before_disarming) for name, column in columns.items()}
    return table._replace(columns=columns)


def _rewritten(column: TextColumn, rewrite: Callable[[str], str]) -> TextColumn:
    return column._replace(words=pa.array(map(rewrite, column.words.to_pylist()), pa.string()))
