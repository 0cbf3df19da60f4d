"""Which original values a published text of a quasi-identifier may stand for, read from the text alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kanopy.data import Domain
from kanopy.data.grammar import MISSING_TEXT, SUPPRESSED_TEXT, read_cell

Ints = NDArray[np.int64]
Run = tuple[int, int]
"""First and last code of values that follow each other in the order of the domain."""


class CoveredValues:
    """The values that each published text covers, as runs of codes; O(length of the texts).

    A text that cannot be read, or names a value that the domain does not have, covers nothing.
    """

    def __init__(self, domain: Domain, words: Sequence[str]) -> None:
        self._domain = domain
        self._runs_of_name = {label: (code, code) for code, label in enumerate(domain.labels)}
        if domain.hierarchy is not None:
            tree = domain.hierarchy
            ends = zip(tree.node_low.tolist(), tree.node_high.tolist(), strict=True)
            # A leaf is its own node, and comes last: a name is a value before it is a group of values.
            self._runs_of_name = dict(zip(tree.node_label, ends, strict=True)) | self._runs_of_name
        runs = [
            (word * domain.n_codes + low, word * domain.n_codes + high)
            for word, text in enumerate(words)
            for low, high in self._runs(text)
        ]
        self._low, self._high = np.array(sorted(runs), dtype=np.int64).reshape(-1, 2).T
        # Runs may contain each other, a hierarchy's node and one of its values: what counts is how far
        # the runs that begin so far reach.
        self._reach = np.maximum.accumulate(self._high) if len(runs) else self._high

    def covers(self, words: Ints, codes: Ints) -> NDArray[np.bool_]:
        """Whether each text may stand for the value beside it; O(pairs * log(runs))."""
        keys = words * self._domain.n_codes + codes
        place = np.searchsorted(self._low, keys, side="right") - 1
        reach = np.append(self._reach, -1)[place]
        return reach >= keys

    def _runs(self, text: str) -> Iterator[Run]:
        missing = self._domain.missing_code
        if text == SUPPRESSED_TEXT:
            yield 0, missing
            return
        if text == MISSING_TEXT:
            yield missing, missing
            return
        try:
            cell = read_cell(text)
        except ValueError:
            return
        if cell.with_missing:
            yield missing, missing
        for name in cell.texts:
            if name in self._runs_of_name:
                yield self._runs_of_name[name]
        for ends in cell.ranges:
            low, high = (self._domain.code_of.get(end, -1) for end in ends)
            if self._domain.is_numeric and 0 <= low <= high:
                yield low, high
