"""Groups of values that say the same about the class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kanopy.data import Hierarchy
from kanopy.data.arrays import Floats, Ints
from kanopy.data.counts import x_log_x
from kanopy.errors import PolicyError
from kanopy.hierarchies.rule import ClassCounts, HierarchyRule, refusal, stacked

MOST_VALUES = 2_000
_MOST_LEVELS = 20
_SHOWN_CHARACTERS = 60
_SAME = 9  # decimals in which two losses must differ: last bits of a logarithm are not the same everywhere


@dataclass(frozen=True)
class Merge(HierarchyRule):
    """Two groups at a time are merged, always those whose merging loses least information about the class.

    The loss is what the entropy of the class, summed over all rows, grows by (agglomerative information
    bottleneck; Slonim and Tishby, NIPS 1999).

    Parameters
    ----------
    levels : int
        Between the values and the root; the numbers of groups form about a geometric series.
    """

    levels: int = 3
    needs_class = True
    counts_rows = True

    def __post_init__(self) -> None:
        if type(self.levels) is not int or not 1 <= self.levels <= _MOST_LEVELS:
            raise PolicyError(
                f"levels takes a whole number from 1 to {_MOST_LEVELS}", "for example levels = 3"
            )

    def build(self, column: str, labels: Sequence[str], class_counts: ClassCounts | None = None) -> Hierarchy:
        """O(values² * classes) where few neighbours change at a merge, as a rule; at worst times values."""
        if class_counts is None:
            raise refusal(column, "values are merged by the class, and there is none", "declare a target")
        if len(labels) > MOST_VALUES:
            raise refusal(
                column,
                f"merging takes at most {MOST_VALUES:,} values, and the table has {len(labels):,}",
                "group them with prefix or ranges, or in a file",
            )
        wanted = _sizes(len(labels), self.levels)
        group = np.arange(len(labels))
        levels: list[list[str]] = []
        n_groups = len(labels)
        for kept, gone in merges(class_counts()):
            if len(levels) == len(wanted):
                break
            group[group == gone] = kept
            n_groups -= 1
            if n_groups == wanted[len(levels)]:
                levels.append(_names(labels, group))
        return stacked(column, labels, levels)


def merges(class_counts: Ints) -> Iterator[tuple[int, int]]:
    """Which groups are merged, in order: the second joins the first, which has the lower number.

    Every group remembers its nearest among the groups with higher numbers. Equal losses: the lowest numbers.
    """
    counts = class_counts.astype(np.float64)
    summed, n = _summed_entropy(counts), len(counts)
    is_open, nearest, loss = np.ones(n, dtype=bool), np.full(n, -1), np.full(n, np.inf)

    def losses(one: int, others: Ints) -> Floats:
        together = _summed_entropy(counts[others] + counts[one])
        rounded: Floats = np.round(together - summed[others] - summed[one], _SAME)
        return rounded

    def look_around(one: int) -> None:
        nearest[one], loss[one] = -1, np.inf
        others = one + 1 + np.flatnonzero(is_open[one + 1 :])
        if len(others):
            around = losses(one, others)
            place = int(around.argmin())
            nearest[one], loss[one] = others[place], around[place]

    for one in range(n):
        look_around(one)
    for _ in range(n - 1):
        kept = int(loss.argmin())
        gone = int(nearest[kept])
        yield kept, gone
        counts[kept] += counts[gone]
        summed[kept] = _summed_entropy(counts[kept : kept + 1])[0]
        is_open[gone], loss[gone] = False, np.inf
        is_stale = is_open & ((nearest == kept) | (nearest == gone))
        is_stale[kept] = True
        # With three classes or more, two groups together may be nearer to a third than either was.
        before = np.flatnonzero(is_open[:kept])
        is_stale[before] |= losses(kept, before) <= loss[before]
        for one in np.flatnonzero(is_stale).tolist():
            look_around(one)


def _summed_entropy(counts: Floats) -> Floats:
    """Bits needed to tell the classes of all rows of each group."""
    inside: Floats = x_log_x(counts.sum(axis=1)) - x_log_x(counts).sum(axis=1)
    return inside


def _sizes(n_values: int, n_levels: int) -> list[int]:
    """How many groups each level has: fewer than below, and at least two."""
    sizes: list[int] = []
    for level in range(1, n_levels + 1):
        size = max(2, round(n_values ** (1 - level / (n_levels + 1))))
        if size < (sizes[-1] if sizes else n_values):
            sizes.append(size)
    return sizes


def _names(labels: Sequence[str], group: Ints) -> list[str]:
    members: dict[int, list[str]] = {}
    for label, number in zip(labels, group.tolist(), strict=True):
        members.setdefault(number, []).append(label)
    names = {number: _joined(sorted(inside)) for number, inside in members.items()}
    return [names[number] for number in group.tolist()]


def _joined(members: list[str]) -> str:
    """The members, or as many as fit on a line; a person may find a better word for them."""
    ends = np.cumsum([len(member) + 3 for member in members])
    n_shown = max(1, int(np.searchsorted(ends, _SHOWN_CHARACTERS + 3, side="right")))
    n_more = len(members) - n_shown
    if n_more < 2:  # the last one takes no more room than saying so
        return " | ".join(members)
    return " | ".join([*members[:n_shown], f"{n_more} more"])
