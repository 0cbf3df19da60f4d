"""Published texts of one column as sets of its values: what each text names, and what the names stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kanopy.data.grammar import Part, ReadCell
from kanopy.data.value_sets import ValueSets, numbers_from

if TYPE_CHECKING:
    from kanopy.data.domain import Domain

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

Run = tuple[int, int]
"""First and last code of values that follow each other in the order of their column."""


@dataclass(frozen=True, slots=True, eq=False)
class CellTexts:
    """Many texts, taken apart. ``{a, [1, 2]}`` has two parts: the name ``a`` and a range.

    What a part stands for is decided once, however many texts have it; who reads a table decides it.

    Parameters
    ----------
    parts : list of Part
        The different names and ranges.
    first, part : arrays of int
        Text ``t`` has the parts of numbers ``part[first[t]:first[t + 1]]``, names before ranges.
    is_suppressed, with_missing : arrays of bool, one per text
    """

    parts: list[Part]
    first: Ints
    part: Ints
    is_suppressed: Bools
    with_missing: Bools

    @classmethod
    def of(cls, cells: Sequence[ReadCell]) -> CellTexts:
        """Number the parts of texts that were read; O(parts)."""
        parts_of_cell = [cell.parts for cell in cells]
        flat: list[Part] = list(chain.from_iterable(parts_of_cell))
        number = {part: place for place, part in enumerate(dict.fromkeys(flat))}
        return cls(
            list(number),
            np.cumsum([0, *map(len, parts_of_cell)]),
            np.fromiter(map(number.__getitem__, flat), dtype=np.int64, count=len(flat)),
            np.array([cell.is_suppressed for cell in cells], dtype=bool),
            np.array([cell.with_missing for cell in cells], dtype=bool),
        )

    def sets(self, parts: ValueSets) -> ValueSets:
        """What each text stands for: the values of its parts, all of a suppressed one; O(runs * log(runs)).

        Parameters
        ----------
        parts : ValueSets
            The values of each part, none for one that means nothing.
        """
        n_runs = np.diff(parts.first)[self.part]
        run = numbers_from(parts.first[self.part], n_runs)
        text = np.repeat(np.repeat(np.arange(len(self.with_missing)), np.diff(self.first)), n_runs)
        with_missing = self.with_missing | self.is_suppressed
        named = ValueSets.of_runs(parts.n_values, text, parts.begin[run], parts.end[run], with_missing)
        return named.filled(self.is_suppressed)


def runs_of_names(domain: Domain) -> Mapping[str, Run]:
    """The values that each name of a domain stands for: a value itself, a node of a hierarchy those below it.

    The root is among the nodes. A name is a value before it is a node.
    """
    run_of_label = {label: (code, code) for code, label in enumerate(domain.labels)}
    tree = domain.hierarchy
    if tree is None:
        return run_of_label
    ends = zip(tree.node_low.tolist(), tree.node_high.tolist(), strict=True)
    return dict(zip(tree.node_label, ends, strict=True)) | run_of_label
