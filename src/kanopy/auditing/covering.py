"""Which original values a published text of a quasi-identifier may stand for, read from the text alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kanopy.data import Domain
from kanopy.data.grammar import Part, ReadCell, read_cell
from kanopy.data.value_sets import CellTexts, Run, ValueSets, runs_of_names

_NOTHING = (0, -1)


def covered_values(domain: Domain, words: Sequence[str]) -> ValueSets:
    """The values that each published text covers; O(length of the texts).

    A text that cannot be read covers nothing, nor does a name or the end of a range that is no value of the
    domain.
    """
    run_of_name, code_of = runs_of_names(domain), domain.code_of

    def run_of(part: Part) -> Run:
        if isinstance(part, str):
            return run_of_name.get(part, _NOTHING)
        low, high = (code_of.get(end, -1) for end in part)
        return (low, high) if domain.is_numeric and 0 <= low <= high else _NOTHING

    texts = CellTexts.of([_read(word) for word in words])
    begin, end = np.array([run_of(part) for part in texts.parts], dtype=np.int64).reshape(-1, 2).T
    places, without_missing = np.arange(len(begin)), np.zeros(len(begin), dtype=bool)
    return texts.sets(ValueSets.of_runs(domain.n_values, places, begin, end, without_missing))


def _read(text: str) -> ReadCell:
    try:
        return read_cell(text)
    except ValueError:
        return ReadCell()
