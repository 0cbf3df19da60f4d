"""A few thousand of a column's different values, among them every form that values have."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.data.arrays import Ints
from kanopy.frames.from_numpy import as_arrow

_SAMPLE = 2000
_LOOKED_AT = 50_000  # values whose form is looked at
_MOST_FORMS = 200  # a column of free text has as many forms as values
_PER_FORM = 20
_LONGEST = 200  # characters of a value
_WORD = re.compile(r"[^\W\d_]+(?:['’.\-][^\W\d_]*)*", re.UNICODE)


class Unseen(NamedTuple):
    """The values of a column that are left out where some are seen, with all their rows; and their rows."""

    n_values: int = 0
    n_rows: int = 0


class Sample(NamedTuple):
    """Different values of a column, and how many rows and values the whole column has."""

    texts: Sequence[str]
    n_rows: int  # with a value
    n_values: int

    @property
    def distinct_share(self) -> float:
        """Different values per row that has one; 1 where all differ."""
        return self.n_values / max(self.n_rows, 1)

    @property
    def rows_per_value(self) -> float:
        return self.n_rows / max(self.n_values, 1)

    def share(self, is_meant: Callable[[str], object]) -> float:
        """The share of the values of which something is true; O(values in the sample)."""
        return sum(map(bool, map(is_meant, self.texts))) / max(len(self.texts), 1)

    def mean(self, measure: Callable[[str], float]) -> float:
        return sum(map(measure, self.texts)) / max(len(self.texts), 1)


def sample_of(words: pa.StringArray, counts: Ints, unseen: Unseen) -> Sample:
    """Values at even distances, and some of every form: digits stand for each other; O(values)."""
    n_values, chosen = len(words), words
    if n_values > _SAMPLE:
        places = set(np.linspace(0, n_values - 1, _SAMPLE).astype(np.int64).tolist())
        looked_at = np.linspace(0, n_values - 1, min(n_values, _LOOKED_AT)).astype(np.int64)
        places.update(looked_at[_of_every_form(words.take(as_arrow(looked_at)))].tolist())
        chosen = words.take(pa.array(sorted(places), pa.int64()))
    # Patterns may take the square of a text's length, and its beginning tells what it is.
    texts = pc.utf8_slice_codeunits(chosen, 0, _LONGEST).to_pylist()
    return Sample(texts, int(counts.sum()) + unseen.n_rows, n_values + unseen.n_values)


def _of_every_form(words: pa.StringArray) -> Ints:
    """Where some values of every form stand; nowhere where forms are too many to tell anything."""
    forms = pc.replace_substring_regex(words, pattern="[0-9]", replacement="9").dictionary_encode()
    if len(forms.dictionary) > _MOST_FORMS:
        return np.zeros(0, dtype=np.int64)
    form = forms.indices.to_numpy(zero_copy_only=False)
    order = np.argsort(form, kind="stable")
    first = np.searchsorted(form[order], np.arange(len(forms.dictionary)))
    rank = np.arange(len(form)) - first[form[order]]
    return np.asarray(order[rank < _PER_FORM], dtype=np.int64)


def words_in(text: str) -> list[str]:
    """The words of a text: letters, with apostrophes, hyphens and full stops inside or behind."""
    return _WORD.findall(text)
