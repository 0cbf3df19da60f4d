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
        code_of = {**domain.code_of, MISSING_TEXT: domain.missing_code}
        single: list[int] = []
        runs: list[Run] = []
        for word, text in enumerate(words):
            first = word * domain.n_codes
            if domain.hierarchy is None and _is_plain_set(text):
                # Nearly all long texts are such sets, and this is many times faster than reading them.
                codes = map(code_of.get, text[1:-1].split(", "))
                single += [first + code for code in codes if code is not None]
            else:
                runs += [(first + low, first + high) for low, high in self._runs(text)]
        self._single = np.sort(np.array(single, dtype=np.int64))
        self._low, high = np.array(sorted(runs), dtype=np.int64).reshape(-1, 2).T
        # Runs may contain each other, a hierarchy's node and one of its values: what counts is how far
        # the runs that begin so far reach.
        self._reach = np.append(np.maximum.accumulate(high) if len(high) else high, -1)

    def covers(self, words: Ints, codes: Ints) -> NDArray[np.bool_]:
        """Whether each text may stand for the value beside it; O(pairs * log(members))."""
        keys = words * self._domain.n_codes + codes
        is_in_run = self._reach[np.searchsorted(self._low, keys, side="right") - 1] >= keys
        place = np.searchsorted(self._single, keys)
        is_member: NDArray[np.bool_] = np.append(self._single, -1)[place] == keys
        return is_in_run | is_member

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


def _is_plain_set(text: str) -> bool:
    return text[:1] == "{" and text[-1] == "}" and "\\" not in text and "[" not in text
