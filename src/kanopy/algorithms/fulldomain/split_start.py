"""A good set of splits to begin a search with: greedy steps down, then exchanges of single splits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kanopy.algorithms.fulldomain.split_losses import SplitOutlook
from kanopy.algorithms.fulldomain.split_space import Branch, Solution, SplitSpace
from kanopy.data.arrays import Bools, Ints

_MOST_PASSES = 10


def good_start(space: SplitSpace) -> Solution:
    """The better of two greedy sets, by cost and by divided groups, after exchanges.

    Each of at most as many steps as there are values, and of as many exchanges for each split, costs
    O(tuples * columns); in large tables they end before.
    """
    found = [exchanged(space, _greedy(space, rank)) for rank in (_cheapest, _widest)]
    return min(found, key=lambda solution: solution.cost)


def _first(space: SplitSpace) -> Solution:
    found = space.solution(space.root())
    assert found is not None, "all rows together keep the promise"
    return found


def _cheapest(outlook: SplitOutlook) -> Ints:
    return outlook.cost


def _widest(outlook: SplitOutlook) -> Ints:
    """Fine splits of many groups early: later they would leave parts that are too small."""
    return -outlook.touched


def _greedy(space: SplitSpace, rank: Callable[[SplitOutlook], Ints]) -> Solution:
    """The split of the least rank, again and again, as long as one costs less than none."""
    branch, current = space.root(), _first(space)
    rejected = np.zeros(len(branch.splits), dtype=bool)
    while (value := _best_split(space, branch, 0, rejected, rank)) is not None:
        child = space.child(branch, value)
        found = space.solution(child)
        if found is None or found.cost >= current.cost:
            rejected[value] = True
        else:
            branch, current = child, found
    return current


def exchanged(space: SplitSpace, current: Solution) -> Solution:
    """Each split in turn is left out, or exchanged for the best other one, where that costs less."""
    for _ in range(_MOST_PASSES):
        cost_before = current.cost
        for value in np.flatnonzero(current.splits & ~space.loss.table.nothing).tolist():
            if not current.splits[value]:
                continue
            if space.steps.n_left <= 0:
                return current
            group = current.group, int(current.group.max()) + 1
            fewer = space.without(Branch(current.splits, *group, np.zeros(0, dtype=np.int64)), value)
            more = current.cost - space.cost(fewer)
            rejected = np.zeros(len(current.splits), dtype=bool)
            rejected[value] = True
            other = _best_split(space, fewer, more, rejected)
            offers = [fewer] if other is None else [space.child(fewer, other), fewer]
            found = [solution for each in offers if (solution := space.solution(each)) is not None]
            current = min([current, *found], key=lambda solution: solution.cost)
        if current.cost == cost_before:
            break
    return current


def _best_split(
    space: SplitSpace,
    branch: Branch,
    most: int,
    rejected: Bools,
    rank: Callable[[SplitOutlook], Ints] = _cheapest,
) -> int | None:
    """The split of the least rank that changes the cost by less than ``most``; None where there is none."""
    if not space.steps.take():
        return None
    outlook = space.outlook(branch)
    is_open = ~branch.splits & ~rejected & (outlook.cost < most)
    is_open &= space.hopeless(branch) + outlook.hopeless <= space.suppression.limit
    offers = np.flatnonzero(is_open)
    return int(offers[rank(outlook)[offers].argmin()]) if len(offers) else None
