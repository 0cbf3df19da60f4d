"""k-anonymity: nobody stands alone."""

from __future__ import annotations

from dataclasses import dataclass

from kanopy.data import GroupCounts
from kanopy.privacy.exact import whole_number
from kanopy.privacy.model import Bools, PrivacyModel, fill, least


@dataclass(frozen=True, slots=True)
class KAnonymity(PrivacyModel):
    """Every group has at least k members: persons where they are known, rows otherwise.

    Sweeney, *k-anonymity: a model for protecting privacy* (2002).

    Parameters
    ----------
    k : int
        At least 2.
    """

    k: int

    def __post_init__(self) -> None:
        fill(self, k=whole_number("k", self.k, at_least=2))

    @property
    def monotone(self) -> bool:
        """True: a union has at least as many members as each of its parts."""
        return True

    @property
    def columns(self) -> tuple[str, ...]:
        return ()

    def holds(self, counts: GroupCounts) -> Bools:
        """Whether each group has k members; O(groups)."""
        # PRIVACY: persons, not rows, where both are known (tests/unit/privacy/test_anonymity.py).
        return counts.members >= self.k

    def level(self, counts: GroupCounts) -> float:
        """The members of the smallest group: the largest k that is kept."""
        return least(counts.members)

    def sentence(self, unit: str = "rows") -> str:
        return f"Every combination of the quasi-identifiers covers at least {self.k} {unit}."
