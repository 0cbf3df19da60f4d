"""k-anonymity: every group has at least k members."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from kanopy.data import GroupCounts
from kanopy.data.arrays import Bools
from kanopy.privacy.exact import whole_number
from kanopy.privacy.model import PrivacyModel, fill, given_columns, read_aloud, worst


@dataclass(frozen=True, slots=True, init=False)
class Anonymity(PrivacyModel):
    """Every group has at least k members: persons where they are known, rows otherwise."""

    monotone = True  # a union has at least as many members as each of its parts
    monotone_over_persons = True
    kept_by_larger = True
    columns = ()

    k: int

    def holds(self, counts: GroupCounts) -> Bools:
        """Whether each group has k members; O(groups)."""
        # PRIVACY: persons, not rows, where both are known (tests/unit/privacy/test_anonymity.py).
        return counts.members >= self.k

    def level(self, counts: GroupCounts) -> float:
        """The members of the smallest group: the largest k that is kept."""
        return worst(counts.members, more_is_better=True)


@dataclass(frozen=True, slots=True, init=False)
class KAnonymity(Anonymity):
    """Every combination of all quasi-identifiers has at least k members.

    Sweeney, *k-anonymity: a model for protecting privacy* (2002).

    Parameters
    ----------
    k : int
        At least 2.
    """

    def __init__(self, k: int) -> None:
        fill(self, k=whole_number("k", k, at_least=2))

    def sentence(self, unit: str = "rows") -> str:
        return f"Every combination of the quasi-identifiers covers at least {self.k} {unit}."


@dataclass(frozen=True, slots=True, init=False)
class AnonymityOf(Anonymity):
    """Every combination of the given quasi-identifiers has at least k members; of the others nothing is said.

    Several of them are the requirement of Fung, Wang, Yu, *Anonymizing classification data for privacy
    preservation* (2007): each attacker knows some columns, and none knows them all.

    Methods may check it on groups over all quasi-identifiers. That suffices, as a group over ``given`` alone
    is a union of those; but it is stricter than needed, and such a method generalizes more than it must.

    Parameters
    ----------
    given : tuple of str
        The quasi-identifiers that are known together.
    k : int
        At least 2.
    """

    given: tuple[str, ...]

    def __init__(self, given: Iterable[str], k: int) -> None:
        fill(self, given=given_columns(given), k=whole_number("k", k, at_least=2))

    @property
    def grouped_by(self) -> tuple[str, ...]:
        return self.given

    def sentence(self, unit: str = "rows") -> str:
        what = "combination" if len(self.given) > 1 else "value"
        return f"Every {what} of {read_aloud(self.given)} covers at least {self.k} {unit}."


@dataclass(frozen=True, slots=True, init=False)
class CombinationAnonymity(Anonymity):
    """Every combination of values in up to so many quasi-identifiers has at least k members; this is not
    k-anonymity, as combinations of more of them may belong to a single person.

    It is what mu-Argus checks: Hundepool, Willenborg, *mu- and tau-Argus: software for statistical disclosure
    control* (1996).

    Methods may check it on groups over all quasi-identifiers, which is stricter than needed.

    Parameters
    ----------
    size : int
        Of how many quasi-identifiers at most, at least 1. Where there are not more of them, all are meant.
    k : int
        At least 2.
    """

    size: int

    def __init__(self, size: int, k: int) -> None:
        size = whole_number("combinations", size, at_least=1)
        fill(self, size=size, k=whole_number("k", k, at_least=2))

    def over(self, quasi_identifiers: Sequence[str]) -> tuple[PrivacyModel, ...]:
        """A promise for every set of ``size`` columns: what holds there holds for fewer columns."""
        sets = combinations(quasi_identifiers, min(self.size, len(quasi_identifiers)))
        return tuple(AnonymityOf(names, self.k) for names in sets)

    def sentence(self, unit: str = "rows") -> str:
        some = f"combination of values in up to {self.size} of the quasi-identifiers"
        what = some if self.size > 1 else "value of each single quasi-identifier"
        return (
            f"Every {what} covers at least {self.k} {unit}. Combinations of more than {self.size} "
            "quasi-identifiers are not protected: this is not k-anonymity."
        )


def largest_k(promise: PrivacyModel) -> int | None:
    """The largest k of any part, over whichever columns; None where no part has one."""
    return max((part.k for part in promise.parts if isinstance(part, Anonymity)), default=None)
