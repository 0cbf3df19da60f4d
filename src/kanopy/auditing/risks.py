"""How likely an attacker is to find the right row: prosecutor, journalist and marketer risk.

An attacker who knows the quasi-identifiers of a person sees the group of rows that fit, and picks one of its
n rows: the pick is right with probability 1/n. Where k counts persons, one of them may have most of the rows
of a group, so n persons say little: a pick is right with the share of the rows that the person has, and the
person with the largest share is counted. The three attackers are those of El Emam and Dankar, Protecting
Privacy Using k-Anonymity (JAMIA 2008), as ARX and sdcMicro show them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

import numpy as np

from kanopy.data.arrays import Bools, Ints

Shares = tuple[Ints, Ints]
"""Of every group, the rows of the person who has most of them, and the rows of all its persons."""

HIGH_RISK_BELOW = 5
"""A member of a smaller group is at high risk: above 20%, a limit that health agencies use."""
NOT_BOUNDED = (
    "not known: the promise counts persons, and does not bound how many rows of a group are one person's"
)


@dataclass(frozen=True, slots=True)
class Risks:
    """Re-identification risks of a table, by its equivalence classes.

    A share is that of the likeliest person of a group: 1 / rows, where every row is a person; else the rows
    of the person who has most of them / rows of the group. Rows without a person are in neither number.

    Parameters
    ----------
    is_bound : bool
        Whether nothing was counted, and the figures are the largest there can be. They are where k counts
        persons and the person column is not published: a promise of k persons does not bound how many rows
        one of them has.
    prosecutor_highest : float
        The attacker knows that the person is in the table: the largest share of any group.
    prosecutor_average : float
        The share of a group, averaged over all members: a person counts once in every group with rows of
        theirs.
    journalist_at_most : float
        The attacker does not know whether the person is in the table, and looks among a population. That has
        at least as many rows in every group, so this risk is at most the highest one of the prosecutor.
    marketer : float
        The attacker gives every row to the likeliest person of its group: the share of rows that is right.
    expected_matches : int or None
        How many rows that is: one per group, where every row is a person.
    high_risk : float or None
        The share of members in groups whose share is above 1/5.
    above_promise : float or None
        The share of members in groups whose share is above 1/k, for the k that is promised; None without one.
        Of persons this may be above 0 though the promise is kept: it is about persons, not about shares.
    """

    is_bound: bool
    prosecutor_highest: float
    prosecutor_average: float
    journalist_at_most: float
    marketer: float
    expected_matches: int | None
    high_risk: float | None
    above_promise: float | None

    @classmethod
    def of(cls, members: Ints, k: int | None, shares: Shares | None = None) -> Risks:
        """Count the risks of groups with so many members each, and these shares; O(groups).

        Without ``shares`` every row is a person.
        """
        if shares is None:
            shares = np.ones_like(members), members
        # PRIVACY: 1 of 12 persons may have 93% of the rows (tests/unit/auditing/test_risks.py).
        is_counted = members > 0  # a group of rows without a person is nobody's
        members, (most, rows) = members[is_counted], (each[is_counted] for each in shares)
        n_members, n_rows, n_right = int(members.sum()), int(rows.sum()), int(most.sum())
        highest = float((most / rows).max(initial=0))
        marketer = n_right / n_rows if n_rows else 0.0
        # Exact, as groups have another order in a file that is written in another way.
        average = fsum(members * (most / rows)) / n_members if n_right > len(members) else 0.0
        if n_right == len(members):
            average = n_right / n_members if n_members else 0.0
        above = None if k is None else _share_above(members, most * k > rows)
        high_risk = _share_above(members, most * HIGH_RISK_BELOW > rows)
        return cls(False, highest, average, highest, marketer, n_right, high_risk, above)

    @classmethod
    def not_bounded(cls) -> Risks:
        """What follows from a promise of k persons about shares of rows: nothing."""
        return cls(True, 1.0, 1.0, 1.0, 1.0, None, None, None)

    @property
    def sentence(self) -> str:
        """All three in one line."""
        if self.is_bound:
            return NOT_BOUNDED
        highest, average = f"{self.prosecutor_highest:.1%}", f"{self.prosecutor_average:.1%}"
        return (
            f"prosecutor {highest} (average {average}), journalist at most {self.journalist_at_most:.1%}, "
            f"marketer {self.marketer:.1%}, {self.expected_matches:,} expected right pairs"
        )


def _share_above(members: Ints, is_above: Bools) -> float:
    """The share of members in these groups."""
    total = int(members.sum())
    return int(members[is_above].sum()) / total if total else 0.0
