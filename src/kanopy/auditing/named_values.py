"""The values that the cells of a published column name: alone, or as members of a set."""

from __future__ import annotations

from collections import defaultdict
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
    shares = defaultdict[str, int](int)
    n_members = np.zeros(len(column.words), dtype=np.int64)
    for place, (text, number) in enumerate(zip(column.words.to_pylist(), n_rows.tolist(), strict=True)):
        members = _members(text)
        n_members[place] = len(members)
        share = number * _UNIT // max(len(members), 1)
        for member in members:
            shares[member] += share
    counts = (np.array(list(shares.values()), dtype=np.int64) + _UNIT // 2) // _UNIT
    return NamedValues(pa.array(list(shares), pa.string()), np.maximum(counts, 1), n_members)


def _members(text: str) -> tuple[str, ...]:
    if not text.startswith(_MARKED):
        return () if text == MISSING_TEXT else (text,)
    try:
        return read_cell(text).texts
    except ValueError:  # other tools write other texts
        return (text,)
