"""What a column looks like: an identifier, a date, free text."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.auditing.text import TextTable
from kanopy.data.grammar import MISSING_TEXT
from kanopy.frames.numbers import is_number

_PATTERNS = {
    "email": re.compile(r"[^@\s]+@[^@\s]+\.[a-zA-Z]{2,}"),
    "date": re.compile(
        r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ]\d{1,2}:\d{2}.*)?"  # 2024-05-01, with or without a time
        r"|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}( \d{1,2}:\d{2}.*)?"  # 01.05.2024, 5/1/24
    ),
    "free text": re.compile(r".{41,}|([^ ]* ){4}.*", re.DOTALL),  # long, or at least five words
}
_SAMPLE = 2000
_NEAR_UNIQUE = 0.9
_RARE = 5
_FEW_ROWS = 20  # with fewer rows nearly every column is nearly unique


@dataclass(frozen=True, slots=True)
class Profile:
    """What one column looks like; counts and shares, no values."""

    n_rows: int
    n_values: int
    n_missing: int
    is_numeric: bool
    looks_like: str  # "identifier", "email", "date", "free text" or empty
    n_rare: int  # values that occur fewer than five times

    @property
    def look(self) -> str:
        """``looks_like`` as words in a sentence."""
        words = {"identifier": "an identifier", "email": "e-mail addresses", "date": "a date"}
        return words.get(self.looks_like, self.looks_like)

    @property
    def distinct_share(self) -> float:
        """Different values per row that has one."""
        return self.n_values / max(self.n_rows - self.n_missing, 1)


def profile_column(name: str, table: TextTable) -> Profile:
    """Profile a column; O(rows). Patterns are looked for in a sample of its texts at even distances."""
    column = table.columns[name]
    counts = np.bincount(column.codes, minlength=len(column.words))
    is_value = pc.not_equal(column.words, MISSING_TEXT).to_numpy(zero_copy_only=False)
    places = np.flatnonzero(is_value)
    sample = column.words.take(pa.array(places[:: max(1, len(places) // _SAMPLE)])).to_pylist()
    n_missing = int(counts[~is_value].sum())
    is_numeric = bool(sample) and all(map(is_number, sample))
    looks_like = _pattern(sample)
    distinct_share = len(places) / max(table.n_rows - n_missing, 1)
    if not looks_like and table.n_rows >= _FEW_ROWS and distinct_share > _NEAR_UNIQUE:
        has_fractions = is_numeric and any("." in word for word in sample)
        looks_like = "" if has_fractions else "identifier"
    n_rare = int((counts[is_value] < _RARE).sum())
    return Profile(table.n_rows, len(places), n_missing, is_numeric, looks_like, n_rare)


def _pattern(sample: list[str]) -> str:
    for looks_like, pattern in _PATTERNS.items():
        if sum(pattern.fullmatch(word) is not None for word in sample) > 0.8 * len(sample):
            return looks_like
    return ""
