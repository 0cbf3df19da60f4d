"""How likely a cut would tell as much about the class by chance, where so many cuts are tried."""

from __future__ import annotations

import math

import numpy as np

from kanopy.data.arrays import Amounts, Floats, Ints
from kanopy.trees.class_counts import Counts, as_sparse
from kanopy.trees.slots import Slots

_LOG_2 = math.log(2)


def log_cuts(slots: Slots, *, is_ordered: bool, k: int) -> Floats:
    """The logarithm of how many cuts in two each node has in one column, minus infinity for none; O(slots).

    An ordered column has a cut between any two values that has k rows on either side, another one has a cut
    for every way to divide its values: ordering them by their classes chooses among all of these.
    """
    if is_ordered:
        left = slots.running(slots.size)
        is_wide = (left >= k) & (slots.node_sums(slots.size)[slots.node] - left >= k)
        with np.errstate(divide="ignore"):
            return np.log(np.bincount(slots.node[is_wide], minlength=slots.n_nodes))
    n_others = (np.diff(slots.first) - 1) * _LOG_2
    with np.errstate(divide="ignore"):
        return np.asarray(n_others + np.log(-np.expm1(-n_others)))


def log_chance(by_class: Counts, node: Ints, n_nodes: int) -> Floats:
    """The logarithm of the chance that shuffled classes differ as much between the sides of every node.

    Given are the rows of each class on each side, and the node of each side, in order. It is the tail of
    Pearson's chi-square, its statistic scaled to the mean that it has over all ways to shuffle, but never
    less than the share of these ways that give exactly the counts at hand: in small nodes the tail is far
    below what can happen at all. A sort of the counts.
    """
    counts = as_sparse(by_class)
    n_classes, size, at = counts.shape[1], counts.sum(axis=1), node[counts.line]
    classes, place = np.unique(at * n_classes + counts.code, return_inverse=True)
    total = np.bincount(place, counts.amount)  # rows of each class in each node
    owner = classes // n_classes

    def of_nodes(nodes: Amounts, amounts: Amounts | None = None) -> Amounts:
        return np.bincount(nodes, amounts, minlength=n_nodes)

    n_rows = of_nodes(node, size)
    agreement = of_nodes(at, counts.amount / size[counts.line] * (counts.amount / total[place]))
    freedom = (of_nodes(node, size > 0) - 1) * (of_nodes(owner) - 1)
    exactly = of_nodes(node, log_factorial(size)) + of_nodes(owner, log_factorial(total))
    exactly -= log_factorial(n_rows) + of_nodes(at, log_factorial(counts.amount))
    return np.asarray(np.maximum(log_tail((n_rows - 1) * (agreement - 1), freedom), exactly))


def log_tail(statistic: Floats, freedom: Amounts) -> Floats:
    """The logarithm of the probability that chi-square is larger: 0 up to its mean, then the first term of
    the continued fraction of the incomplete gamma function, which is off by a few percent."""
    z, a = statistic / 2, freedom / 2
    is_beyond = (z > a) & (a > 0)
    z, a = np.where(is_beyond, z, 1.0), np.where(is_beyond, a, 0.5)
    found = a * np.log(z) - z - _log_gamma(a) - np.log(z - a + 1)
    return np.where(is_beyond, np.minimum(found, 0), 0.0)


def log_factorial(numbers: Amounts) -> Floats:
    """The logarithm of the factorial of each of some whole numbers."""
    return _log_gamma(numbers + 1.0)


def _log_gamma(numbers: Floats) -> Floats:
    """NumPy has none. Of numbers that add up to n there are O(sqrt(n)) different ones."""
    different, place = np.unique(numbers, return_inverse=True)
    return np.array([math.lgamma(number) for number in different.tolist()])[place]
