"""Which promises follow from others, and what a table can keep at all.

Wang, Fung, Yu, *Handicapping attacker's confidence: an alternative to k-anonymization* (2006), section 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from kanopy.data import EncodedTable
from kanopy.privacy.anonymity import Anonymity, CombinationAnonymity
from kanopy.privacy.model import PrivacyModel, counted_column

if TYPE_CHECKING:
    from kanopy.privacy.shares import AlphaBound, Template

Promise = TypeVar("Promise", bound=PrivacyModel)


def without_implied(promises: Iterable[Promise]) -> tuple[tuple[Promise, ...], tuple[Promise, ...]]:
    """Part promises into those that are needed and those that follow from one of them (theorem 3.1).

    Both parts are in the given order. Of promises that say the same, the first is needed. Only templates and
    promises of k follow from another, each from its own kind. O(promises²).
    """
    every = tuple(promises)
    kept: list[Promise] = []
    dropped: list[Promise] = []
    for place, promise in enumerate(every):
        is_implied = any(
            implies(other, promise) and (other_place < place or not implies(promise, other))
            for other_place, other in enumerate(every)
            if other_place != place
        )
        (dropped if is_implied else kept).append(promise)
    return tuple(kept), tuple(dropped)


def implies(stronger: PrivacyModel, weaker: PrivacyModel) -> bool:
    """Whether every table that keeps the one promise keeps the other, by what they say alone.

    A group over some columns is a union of groups over more of them. So k there is at least as large, and a
    confidence at most as large.
    """
    if isinstance(stronger, Anonymity) and isinstance(weaker, Anonymity):
        if isinstance(stronger, CombinationAnonymity) and isinstance(weaker, CombinationAnonymity):
            return weaker.size <= stronger.size and weaker.k <= stronger.k
        return _speaks_about(stronger, weaker.grouped_by) and weaker.k <= stronger.k
    from kanopy.privacy.shares import Template

    if isinstance(stronger, Template) and isinstance(weaker, Template):
        has_values = stronger.column == weaker.column and set(weaker.values) <= set(stronger.values)
        return has_values and _speaks_about(stronger, weaker.given) and weaker.at_most >= stronger.at_most
    return stronger == weaker


def promised_k(promise: PrivacyModel, columns: Iterable[str]) -> int | None:
    """The k that a promise gives to combinations of these columns; None where it gives none.

    It is that of promises about all quasi-identifiers, or about these columns and perhaps more.
    """
    names = tuple(columns)
    parts = (part for part in promise.parts if isinstance(part, Anonymity))
    return max((part.k for part in parts if _speaks_about(part, names)), default=None)


def not_promised(k_of_all: int | None) -> str:
    """What nobody should conclude; ``k_of_all`` is promised for all quasi-identifiers together."""
    return NOT_PROMISED if k_of_all is not None else f"{_NO_K_OF_ALL} {NOT_PROMISED}"


NOT_PROMISED = (
    "Nothing is promised about other columns, about the class unless a bound was set on it, "
    "about other releases of the same people."
)
_NO_K_OF_ALL = "No k is promised for all quasi-identifiers together."


def smallest_satisfiable(bound: Template | AlphaBound, table: EncodedTable) -> Fraction:
    """The share that remains when all quasi-identifiers are suppressed (theorem 3.3); O(rows), once.

    Whatever is suppressed, no bound below it can be kept, and every bound from it on can.

    Raises
    ------
    PolicyError
        Where the column of the bound is not among the confidential ones of the table.
    """
    domain, totals = counted_column(bound.column, table.confidential).domain, table.totals[bound.column]
    if bound.value is None:
        n_members = int(totals.max())
    else:
        values = (bound.value,) if isinstance(bound.value, str) else bound.value
        codes = [domain.code_of[value] for value in values if value in domain.code_of]
        n_members = int(totals[codes].max(initial=0))
    return Fraction(n_members, max(table.n_persons, 1))


def _speaks_about(promise: PrivacyModel, columns: tuple[str, ...] | None) -> bool:
    """Whether the columns, None being all quasi-identifiers, are among those the promise is about."""
    if isinstance(promise, CombinationAnonymity):
        # PRIVACY: never about all of them, unless it is known that these are not more
        # (tests/unit/privacy/test_combinations.py).
        return columns is not None and len(columns) <= promise.size
    known = promise.grouped_by
    return known is None or (columns is not None and set(columns) <= set(known))
