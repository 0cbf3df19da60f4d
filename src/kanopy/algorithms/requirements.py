"""What a promise asks of a table: as a whole, before any method starts, and of which columns together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kanopy.data import EncodedTable, GroupCounts
from kanopy.data.arrays import Floats
from kanopy.data.intervals import decimal_text
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import AllOf, PrivacyModel, largest_k, smallest_satisfiable
from kanopy.privacy.implied import without_implied

if TYPE_CHECKING:
    from kanopy.privacy import Template

_SHOWN_PROMISES = 3


class Requirement(NamedTuple):
    """Some columns, and what every combination of their cells must keep."""

    columns: tuple[int, ...]  # their places among the quasi-identifiers
    promise: PrivacyModel

    @property
    def templates(self) -> tuple[Template, ...]:
        """Templates of one value each."""
        return tuple(single for part in self.promise.parts for single in _templates(part))

    @property
    def bounds_size(self) -> bool:
        """Whether a part of the promise counts rows or persons."""
        return any(not part.columns for part in self.promise.parts)

    def confidences(self, counts: GroupCounts) -> Floats:
        """Templates x groups: the share of the template's value."""
        shares = np.zeros((len(self.templates), counts.n_groups))
        for number, template in enumerate(self.templates):
            histogram = template.histogram(counts)
            code = histogram.domain.code_of.get(template.values[0])
            if code is not None:
                shares[number] = histogram.of_value(code) / np.maximum(counts.members, 1)
        return shares


def requirements_of(promise: PrivacyModel, table: EncodedTable) -> tuple[tuple[Requirement, ...], int]:
    """One requirement for every set of columns that a part of the promise speaks about, in their order.

    Parts that name no columns speak about all quasi-identifiers together. A template of several values is
    one of each value. Parts that follow from others are left out; also tells how many these are.
    """
    names = [column.domain.name for column in table.quasi]
    parts: dict[tuple[int, ...], list[PrivacyModel]] = {}
    # PRIVACY: what follows by adding up rows need not follow for persons, who may have rows in several groups
    # (tests/unit/algorithms/test_requirements.py).
    sets = (each for part in promise.parts for each in part.over(names))
    singles = AllOf(tuple(single for part in sets for single in _templates(part) or (part,))).parts
    follows = [part for part in singles if table.persons is None or part.monotone_over_persons]
    _, implied = without_implied(follows)
    for part in singles:
        if part in implied:
            continue
        given = part.grouped_by
        columns = tuple(range(len(names))) if given is None else tuple(sorted(map(names.index, given)))
        parts.setdefault(columns, []).append(part)
    found = tuple(Requirement(columns, AllOf(tuple(kept))) for columns, kept in parts.items())
    return found, len(implied)


def _templates(part: PrivacyModel) -> tuple[Template, ...]:
    from kanopy.privacy import Template  # here and below: whoever promises k alone needs none

    return part.of_each_value if isinstance(part, Template) else ()


def least_members(promise: PrivacyModel) -> int:
    """The largest k of a promise, 1 where it has none: a group that keeps the whole promise has as many
    rows, even where the k is that of some quasi-identifiers only."""
    return largest_k(promise) or 1


def check_satisfiable(table: EncodedTable, promise: PrivacyModel) -> None:
    """Refuse a table that breaks the promise as one group, and say what it reaches; O(rows * confidential
    columns)."""
    whole = GroupCounts.of(table, np.zeros(table.n_rows, dtype=np.int32), 1)
    broken = [part for part in promise.parts if not part.holds(whole).all()]
    if not broken:
        return
    told = [_told(part, table, whole) for part in broken[:_SHOWN_PROMISES]]
    more = len(broken) - len(told)
    and_more = f" The same holds for {more} more promises." if more else ""
    raise UnsatisfiableError(
        f"even all rows together do not keep the promise: {' '.join(what for what, _ in told)}{and_more}",
        f"the table as one group reaches {', '.join(reached for _, reached in told)}; "
        "relax the bound or add rows",
    )


def _told(part: PrivacyModel, table: EncodedTable, whole: GroupCounts) -> tuple[str, str]:
    """What is promised, and what would be the strictest promise of its kind that can be kept."""
    from kanopy.privacy import AlphaBound, Template

    sentence = part.sentence("rows" if table.persons is None else "persons")
    if not isinstance(part, AlphaBound | Template):
        return sentence, f"{part.level(whole):.6g}"
    share = smallest_satisfiable(part, table)
    if share == 1:
        return f"{sentence} All rows have the same value.", "1, so that no bound can be kept"
    written = decimal_text(share) if "/" not in decimal_text(share) else f'"{share}"'
    name = "alpha" if isinstance(part, AlphaBound) else "at_most"
    return (
        f"{sentence} It is {share} in the whole table.",
        f"{decimal_text(share)}: the smallest bound that can be kept is {name} = {written}",
    )
