"""The values that the cells of a published column name: alone, or as members of a set."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.auditing.text import TextColumn
from kanopy.data.arrays import Ints
from kanopy.data.grammar import MISSING_TEXT, SUPPRESSED_TEXT, read_cell

_UNIT = 1 << 20  # rows are shared out in whole parts of this size: their sum depends on no order
_MARKED = (SUPPRESSED_TEXT, "[", "{", "~[", "\\")  # how texts begin that are more than a value


class NamedValues(NamedTuple):
    """Every value that a column names, without missing, and how many rows have it."""

    words: pa.StringArray
    counts: Ints  # the rows of a set are shared out among its members
    n_members: Ints  # how many values each text of the column names


def named_values(column: TextColumn) -> NamedValues:
    """The values named in a column; O(rows + members of the different cells). Ranges name none."""
    n_rows = column.counts
    if not pc.any(pc.match_substring_regex(column.words, r"^([*\[{\\]|~\[)")).as_py():
        is_value = pc.not_equal(column.words, MISSING_TEXT)
        places = is_value.to_numpy(zero_copy_only=False)
        return NamedValues(column.words.filter(is_value), n_rows[places], places.astype(np.int64))
    members = list(map(_members, column.words.to_pylist()))
    n_members = np.fromiter(map(len, members), np.int64, len(members))
    named = pa.array(list(chain.from_iterable(members)), pa.string()).dictionary_encode()
    shares = np.zeros(len(named.dictionary), dtype=np.int64)
    share = n_rows * _UNIT // np.maximum(n_members, 1)
    np.add.at(shares, named.indices.to_numpy(), np.repeat(share, n_members))
    return NamedValues(named.dictionary, np.maximum((shares + _UNIT // 2) // _UNIT, 1), n_members)


def _members(text: str) -> tuple[str, ...]:
    if not text.startswith(_MARKED):
        return () if text == MISSING_TEXT else (text,)
    try:
        return read_cell(text).texts
    except ValueError:  # other tools write other texts
        return (text,)
