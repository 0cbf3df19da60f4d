"""What columns mean that are published as they are: they may have a value for every row, so Arrow looks."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.codebook.meaning import (
    AS_IT_IS,
    MISSING,
    MOST_LEVELS,
    Cells,
    ColumnMeaning,
    Decisions,
    column_meaning,
)
from kanopy.data.arrays import Floats
from kanopy.data.grammar import MISSING_TEXT
from kanopy.data.intervals import PLAIN_NUMBER
from kanopy.data.scale import DECLARED
from kanopy.frames.from_numpy import as_arrow

_NUMBER = rf"^{PLAIN_NUMBER.pattern}\z"
_OTHER_ORDER = rf"^(?:[<>]=?)?{PLAIN_NUMBER.pattern}\z|^[0-9]{{4}}(?:s|-[0-9Q][0-9-]*(?: [0-9:h]+)?)?\z"
"""What a censored number or a date may look like; most texts do not, and then none of them is asked."""


def plain_meaning(name: str, words: pa.StringArray, decided: Decisions) -> ColumnMeaning:
    """What the different texts of a column say that is no quasi-identifier; O(texts)."""
    present = words.filter(pc.not_equal(words, MISSING_TEXT))
    if not len(present) or name in decided.categorical:
        return _of_texts(name, words, present, decided)
    if name in decided.dates:
        return column_meaning(name, words.to_pylist(), decided)
    if pc.all(pc.match_substring_regex(present, _NUMBER)).as_py():
        numbers = np.asarray(pc.cast(present, pa.float64()))
        if np.isfinite(numbers).all():
            ends = tuple(_first(present, numbers, sign) for sign in (1.0, -1.0))
            return _meaning(name, words, present, decided, Cells.PLAIN_NUMBERS, ends)
    elif pc.all(pc.match_substring_regex(present, _OTHER_ORDER)).as_py():
        return column_meaning(name, words.to_pylist(), decided)
    return _of_texts(name, words, present, decided)


def _first(present: pa.StringArray, numbers: Floats, sign: float) -> str:
    """The text of the lowest number, or of the highest with -1; of equal ones the first by its text."""
    lowest = np.flatnonzero(sign * numbers == (sign * numbers).min())
    ordered = DECLARED.ordered(present.take(as_arrow(lowest)).to_pylist())
    return ordered[0] if sign > 0 else ordered[-1]


def _of_texts(name: str, words: pa.StringArray, present: pa.StringArray, decided: Decisions) -> ColumnMeaning:
    first = pc.select_k_unstable(present, MOST_LEVELS, sort_keys=[("", "ascending")])
    levels = tuple(present.take(first).to_pylist())
    return _meaning(name, words, present, decided, Cells.PLAIN_TEXTS, levels)


def _meaning(
    name: str,
    words: pa.StringArray,
    present: pa.StringArray,
    decided: Decisions,
    cells: Cells,
    levels: tuple[str, ...],
) -> ColumnMeaning:
    n_levels = len(levels) if cells is Cells.PLAIN_NUMBERS else len(present)
    kinds = (*((AS_IT_IS,) if len(present) else ()), *((MISSING,) if len(present) < len(words) else ()))
    return ColumnMeaning(name, decided.roles[name], cells, "", kinds, levels, frozenset(), n_levels)
