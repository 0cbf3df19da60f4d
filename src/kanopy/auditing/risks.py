"""How likely an attacker is to find the right row: prosecutor, journalist and marketer risk.

An attacker who knows the quasi-identifiers of a person sees the group of rows that fit, and picks one of its
n members (rows, or persons where k counts persons): the pick is right with probability 1/n. The three
attackers are those of El Emam and Dankar, Protecting Privacy Using k-Anonymity (JAMIA 2008), as ARX and
sdcMicro show them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from kanopy.data.arrays import Ints

HIGH_RISK_BELOW = 5
"""A member of a smaller group is at high risk: above 20%, a limit that health agencies use."""


@dataclass(frozen=True, slots=True)
class Risks:
    """Re-identification risks of a table, by its equivalence classes.

    Parameters
    ----------
    is_bound : bool
        Whether the figures are upper bounds that follow from the promise, and not counted. They are where k
        counts persons and the person column is not published.
    prosecutor_highest : float
        The attacker knows that the person is in the table: 1 / members of the smallest group.
    prosecutor_average : float
        The same, averaged over all members: groups / members.
    journalist_at_most : float
        The attacker does not know whether the person is in the table, and looks among a population. That has
        at least as many people in every group, so this risk is at most the highest one of the prosecutor.
    marketer : float
        The attacker matches everybody and wants many right pairs: the expected share of right ones.
    expected_matches : float or None
        How many pairs that is, on average: one per group.
    high_risk : float or None
        The share of members whose risk is above 1/5.
    above_promise : float or None
        The share of members whose risk is above 1/k, for the k that is promised; None without one.
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
    def of(cls, members: Ints, k: int | None) -> Risks:
        """Count the risks of groups with so many members each; O(groups)."""
        n_groups, n_members = len(members), int(members.sum())
        highest = 1 / int(members.min()) if n_groups else 0.0
        average = n_groups / n_members if n_members else 0.0
        above = None if k is None else _share_below(members, k)
        high_risk = _share_below(members, HIGH_RISK_BELOW)
        return cls(False, highest, average, highest, average, n_groups, high_risk, above)

    @classmethod
    def at_most(cls, k: int | None) -> Risks:
        """What follows from a promised k alone, or from nothing."""
        most = 1.0 if k is None else float(Fraction(1, k))
        high_risk = 0.0 if k is not None and k >= HIGH_RISK_BELOW else None
        return cls(True, most, most, most, most, None, high_risk, None if k is None else 0.0)

    @property
    def sentence(self) -> str:
        """All three in one line."""
        at_most = "at most " if self.is_bound else ""
        highest, average = f"{self.prosecutor_highest:.1%}", f"{self.prosecutor_average:.1%}"
        pairs = "" if self.expected_matches is None else f", {self.expected_matches:,} expected right pairs"
        return (
            f"prosecutor {at_most}{highest} (average {at_most}{average}), "
            f"journalist at most {self.journalist_at_most:.1%}, marketer {at_most}{self.marketer:.1%}{pairs}"
        )


def _share_below(members: Ints, n: int) -> float:
    """The share of members in groups of fewer than ``n``; compared as whole numbers, so exactly."""
    total = int(members.sum())
    return int(members[members < n].sum()) / total if total else 0.0
