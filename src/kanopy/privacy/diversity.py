"""l-diversity: within a group, the confidential value stays open.

Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, *l-diversity: privacy beyond k-anonymity* (2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from kanopy.data import GroupCounts
from kanopy.data.arrays import Bools, Floats
from kanopy.data.intervals import decimal_text
from kanopy.privacy import exact
from kanopy.privacy.exact import Integers, Written, exact_bound, less_than, whole_number
from kanopy.privacy.model import LOOK_ALIKES, ColumnModel, checked_text, counted_in, fill, worst

_NOISE = 1e-9
_WRITTEN_OUT = 2000  # rows, without common divisors, up to which an entropy is compared by whole numbers


@dataclass(frozen=True, slots=True)
class DistinctDiversity(ColumnModel):
    """Every group has at least l different values.

    Parameters
    ----------
    column : str
    l : int
        At least 2.
    """

    monotone = True  # a union has every value of its parts
    monotone_over_persons = True
    kept_by_larger = True

    l: int  # noqa: E741 (the letter of the paper)

    def __post_init__(self) -> None:
        fill(self, column=checked_text("column", self.column), l=whole_number("l", self.l, at_least=2))

    def holds(self, counts: GroupCounts) -> Bools:
        """Whether each group has l different values; O(entries)."""
        return self.histogram(counts).n_different >= self.l

    def level(self, counts: GroupCounts) -> float:
        """The fewest different values of any group: the largest l that is kept."""
        return worst(self.histogram(counts).n_different, more_is_better=True)

    def sentence(self, unit: str = "rows") -> str:
        return f"{LOOK_ALIKES}column {self.column!r} takes at least {self.l} different values."


@dataclass(frozen=True, slots=True, init=False)
class EntropyDiversity(ColumnModel):
    """Every group is as varied as l equally frequent values: ``exp(entropy) >= l``.

    l equally frequent values keep exactly l: where the entropy, a float, comes near the bound, whole numbers
    decide.

    Parameters
    ----------
    column : str
    l : number
        Above 1; not necessarily whole.
    """

    monotone = True  # the entropy of a mixture is at least the smallest entropy in it

    l: Fraction  # noqa: E741 (the letter of the paper)

    def __init__(self, column: str, l: Written) -> None:  # noqa: E741 (the letter of the paper)
        fill(self, column=checked_text("column", column), l=exact_bound("l", l, above=1))

    def holds(self, counts: GroupCounts) -> Bools:
        """Whether each group is varied enough; O(entries)."""
        varied = self._n_effective(counts)
        holds: Bools = varied >= float(self.l)
        is_near = np.abs(varied - float(self.l)) <= _NOISE * float(self.l)
        histogram, known = self.histogram(counts), dict[tuple[int, ...], bool]()
        different = histogram.n_different
        is_even = histogram.largest * different == histogram.sizes
        holds[is_even] = ~less_than(different, np.ones_like(different), self.l)[is_even]
        is_near &= ~is_even
        first = histogram.first
        for group in np.flatnonzero(is_near).tolist():
            held = np.sort(histogram.count[first[group] : first[group + 1]])
            sizes = tuple((held // max(np.gcd.reduce(held), 1)).tolist())
            if sizes not in known:
                known[sizes] = _is_surely_varied(sizes, self.l)
            holds[group] = known[sizes]
        return holds

    def level(self, counts: GroupCounts) -> float:
        """The least ``exp(entropy)`` of any group: the largest l that is kept."""
        return worst(self._n_effective(counts), more_is_better=True)

    def sentence(self, unit: str = "rows") -> str:
        return (
            f"{LOOK_ALIKES}the values of column {self.column!r} are at least as mixed "
            f"as {decimal_text(self.l)} equally frequent values{counted_in(unit)}."
        )

    def _n_effective(self, counts: GroupCounts) -> Floats:
        histogram = self.histogram(counts)
        rows = np.maximum(histogram.sizes, 1)
        mean_log = histogram.sums(histogram.count * np.log(histogram.count)) / rows
        return np.where(counts.are_nobodys, 0.0, np.exp(np.log(rows) - mean_log))


def _is_surely_varied(sizes: tuple[int, ...], least: Fraction) -> bool:
    """Whether ``exp(entropy) >= l`` by whole numbers: both sides to the power of all rows together.

    Where these would become too long, no: so near a bound, a method may as well stay on the safe side.
    """
    whole = sum(sizes)
    if whole > _WRITTEN_OUT:
        return False
    varied, bound = Fraction(whole, 1) ** whole, least**whole
    for size in sizes:
        bound *= size**size
    return varied >= bound


@dataclass(frozen=True, slots=True, init=False)
class RecursiveDiversity(ColumnModel):
    """The most frequent value of a group is rarer than c times all from the l-th most frequent on.

    With counts ``r1 >= r2 >= ... >= rm``: ``r1 < c * (rl + ... + rm)``; fewer than l values never keep it.

    Parameters
    ----------
    column : str
    c : number
        Above 0.
    l : int
        At least 2.
    """

    monotone = True  # merging adds up the rare values at least, and the most frequent one at most

    c: Fraction
    l: int  # noqa: E741 (the letter of the paper)

    def __init__(self, column: str, c: Written, l: int) -> None:  # noqa: E741 (the letter of the paper)
        fill(self, column=checked_text("column", column), c=exact_bound("c", c))
        fill(self, l=whole_number("l", l, at_least=2))

    def holds(self, counts: GroupCounts) -> Bools:
        """Whether each group keeps the bound, exactly; O(entries log entries)."""
        return less_than(*self._most_and_rare(counts), self.c)

    def level(self, counts: GroupCounts) -> float:
        """The largest ``r1 / (rl + ... + rm)``: every c above it is kept; infinite below l values."""
        return worst(np.where(counts.are_nobodys, np.inf, exact.ratios(*self._most_and_rare(counts))))

    def sentence(self, unit: str = "rows") -> str:
        return (
            f"{LOOK_ALIKES}the most frequent value of column {self.column!r} occurs less than "
            f"{decimal_text(self.c)} times as often as all values from rank {self.l} down together"
            f"{counted_in(unit)}."
        )

    def _most_and_rare(self, counts: GroupCounts) -> tuple[Integers, Integers]:
        histogram = self.histogram(counts)
        group = histogram.group
        by_size = histogram.count[np.lexsort((-histogram.count, group))]
        is_rare = np.arange(len(group)) - histogram.first[group] >= self.l - 1
        return histogram.largest, exact.added_up(by_size[is_rare], group[is_rare], counts.n_groups)
