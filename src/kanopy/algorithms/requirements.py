"""A promise as the top-down methods see it: what must hold for which columns together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kanopy.data import EncodedTable, GroupCounts
from kanopy.privacy import AllOf, PrivacyModel, Template
from kanopy.privacy.implied import without_implied

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Requirement:
    """Some columns, by their places among the quasi-identifiers, and what every combination of their cells
    must keep."""

    columns: tuple[int, ...]
    promise: PrivacyModel

    @property
    def templates(self) -> tuple[Template, ...]:
        return tuple(part for part in self.promise.parts if isinstance(part, Template))

    @property
    def bounds_size(self) -> bool:
        """Whether a part of the promise counts rows or persons."""
        return any(not part.columns for part in self.promise.parts)

    def holds(self, counts: GroupCounts) -> Bools:
        return self.promise.holds(counts)

    def confidences(self, counts: GroupCounts) -> Floats:
        """Templates x groups: the share of the template's value."""
        shares = np.zeros((len(self.templates), counts.n_groups))
        for number, template in enumerate(self.templates):
            histogram = template.histogram(counts)
            code = histogram.domain.code_of.get(template.value)
            if code is not None:
                shares[number] = histogram.of_value(code) / np.maximum(counts.members, 1)
        return shares


def requirements_of(promise: PrivacyModel, table: EncodedTable) -> tuple[tuple[Requirement, ...], int]:
    """One requirement for every set of columns that a part of the promise speaks about, in their order.

    Parts that name no columns speak about all quasi-identifiers together. Parts that follow from others are
    left out; not so where persons have rows in several groups, and what holds for each of them need not hold
    for all together. Also tells how many parts were left out.
    """
    names = [column.domain.name for column in table.quasi]
    parts: dict[tuple[int, ...], list[PrivacyModel]] = {}
    # PRIVACY: what follows by adding up rows need not follow for persons (tests/unit/algorithms/
    # test_requirements.py).
    follows = [part for part in promise.parts if table.persons is None or part.monotone_over_persons]
    _, implied = without_implied(follows)
    for part in promise.parts:
        if part in implied:
            continue
        given = part.grouped_by
        columns = tuple(range(len(names))) if given is None else tuple(sorted(map(names.index, given)))
        parts.setdefault(columns, []).append(part)
    found = tuple(Requirement(columns, AllOf(tuple(kept))) for columns, kept in parts.items())
    return found, len(implied)
