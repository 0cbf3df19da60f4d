"""kADET: grow a tree that is anonymous from the start, and publish it.

Friedman, Wolff, Schuster, "Providing k-Anonymity in Data Mining" (VLDB Journal 2008); "k-Anonymous Decision
Tree Induction" (PKDD 2006).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from kanopy.algorithms.allowed_cuts import allowed_boundaries
from kanopy.algorithms.method import Method, Progress, always, silent
from kanopy.algorithms.requirements import check_satisfiable
from kanopy.algorithms.tree_model import TreeModel, publish_paths
from kanopy.data import Domain, EncodedTable, GroupCounts, Recoding, ValueTree
from kanopy.data.arrays import Floats, Ints
from kanopy.privacy import PrivacyModel
from kanopy.trees.class_counts import summed_entropy, sums_of_runs
from kanopy.trees.code_level import CodeLevel
from kanopy.trees.frontier import Frontier
from kanopy.trees.grow import grow
from kanopy.trees.slots import Slots
from kanopy.trees.splits import Splits

_NO_GAIN = 1e-9


def kadet(
    table: EncodedTable, promise: PrivacyModel, rng: np.random.Generator, progress: Progress = silent
) -> Recoding:
    """Anonymize by kADET: of all splits whose parts keep the promise, take the one with the most gain.

    The quasi-identifiers are public, the class is private. Numbers are split at thresholds; values under a
    hierarchy on the finest level that keeps the promise, values without one if each of them keeps it. No
    rows are dropped. O(rows * columns) per level of the tree, for columns with a hierarchy times its height.
    """
    del rng, progress  # nothing is drawn, and the tree is all the work there is
    check_satisfiable(table, promise)
    domains = [column.domain for column in table.quasi]
    levels = _TaxonomyLevels(domains)
    choose = partial(_choose_by_allowed_gain, promise=promise, levels=levels)
    tree = grow(table, choose, groupings=tuple(levels.groupings))
    leaf = tree.route([column.codes for column in table.quasi], table.n_rows)
    assert table.target is not None
    model = TreeModel(tree, (*table.target.domain.labels, "missing"))
    return replace(publish_paths(table, tree, leaf), model=model)


class _TaxonomyLevels:
    """The levels on which a column can be split, finest first, as groupings of its codes.

    A grouping gives every code its branch, missing the last one. ``of_column`` has the groupings by number
    for each column; -1 is the column itself, with one branch per value.
    """

    def __init__(self, domains: list[Domain]) -> None:
        self.groupings: list[Ints] = []
        self.of_column: list[list[int]] = [[-1] for _ in domains]
        for column, domain in enumerate(domains):
            tree = ValueTree.of(domain)
            inner = range(1, tree.n_levels - 1)  # the root says nothing
            self.of_column[column] += range(len(self.groupings), len(self.groupings) + len(inner))
            self.groupings += [tree.groups(level) for level in inner]


def _choose_by_allowed_gain(level: CodeLevel, *, promise: PrivacyModel, levels: _TaxonomyLevels) -> Splits:
    """The split with the most gain of those that keep the promise; ties: column order."""
    frontier, is_tested = level.frontier, level.is_tested
    n_nodes = frontier.n_nodes
    column_of, threshold_of, grouping_of = (np.full(n_nodes, -1) for _ in range(3))
    best = np.full(n_nodes, _NO_GAIN)
    if frontier.n_classes < 2:
        return Splits.none([column.domain for column in frontier.table.quasi], n_nodes)
    for column in range(len(frontier.quasi)):
        slots = Slots(frontier, column)
        is_open = np.ones(n_nodes, dtype=bool)
        if frontier.domain(column).is_numeric and frontier.domain(column).hierarchy is None:
            gain, threshold = _best_allowed_threshold(slots, frontier, column, promise)
            found = [(gain, threshold, -1)]
        else:
            is_open = ~is_tested[:, column]
            found = [
                (*_gain_of_level(slots, frontier, levels, grouping, promise), grouping)
                for grouping in levels.of_column[column]
            ]
        for gain, threshold, grouping in found:
            # A coarser level is looked at only where the finer one is not allowed.
            wins = is_open & (gain > best)
            best[wins], column_of[wins] = gain[wins] + _NO_GAIN, column
            threshold_of[wins], grouping_of[wins] = threshold[wins], grouping
            is_open &= gain < 0
    domains = [column.domain for column in frontier.table.quasi]
    return Splits.of(
        domains, column_of, threshold_of, grouping=grouping_of, groupings=tuple(levels.groupings)
    )


def _gain_of_level(
    slots: Slots, frontier: Frontier, levels: _TaxonomyLevels, grouping: int, promise: PrivacyModel
) -> tuple[Floats, Ints]:
    """The gain, in bits, of one branch per value or per group of values; -1 where it breaks the promise."""
    part_of_slot = slots.code if grouping < 0 else levels.groupings[grouping][slots.code]
    begins = np.ones(len(slots.node), dtype=bool)
    begins[1:] = (np.diff(slots.node) != 0) | (np.diff(part_of_slot) != 0)
    part = np.cumsum(begins) - 1
    starts = np.flatnonzero(begins)
    node_of_part = slots.node[starts]
    by_class = sums_of_runs(slots.by_class, starts)
    if frontier.counts_rows_only:
        counts = GroupCounts(by_class.sum(axis=1))
    else:
        counts = frontier.counts(part[slots.of_rows()], len(starts))
    n_broken = np.bincount(node_of_part[~promise.holds(counts)], minlength=frontier.n_nodes)
    after = np.bincount(node_of_part, summed_entropy(by_class), minlength=frontier.n_nodes)
    before = summed_entropy(slots.class_sums(slots.by_class))
    gain = (before - after) / slots.node_sums(slots.size)
    return np.where(n_broken == 0, gain, -1.0), np.full(frontier.n_nodes, -1)


def _best_allowed_threshold(
    slots: Slots, frontier: Frontier, column: int, promise: PrivacyModel
) -> tuple[Floats, Ints]:
    """The most gain, in bits, of thresholds whose sides, and missing, keep the promise; -1 without any."""
    known = _known_rows(frontier, column)
    gain, threshold = np.full(frontier.n_nodes, -1.0), np.full(frontier.n_nodes, -1)
    if known is None:
        return gain, threshold
    part, nodes = known
    numbers = Slots(part, 0)
    is_last = np.zeros(len(numbers.node), dtype=bool)
    is_last[numbers.first[1:] - 1] = True
    boundaries = np.flatnonzero(~is_last)
    point = frontier.domain(column).numbers
    assert point is not None
    # Some numbers are written in several ways, and none of them is above the other.
    boundaries = boundaries[point[numbers.code[boundaries]] < point[numbers.code[boundaries + 1]]]
    boundaries, entropy = allowed_boundaries(numbers, part, boundaries, promise, len(frontier.quasi))
    node = numbers.node[boundaries]
    least = np.full(part.n_nodes, np.inf)
    np.minimum.at(least, node, entropy)
    is_best = np.flatnonzero(entropy <= least[node] + _NO_GAIN)
    first_best = np.full(part.n_nodes, len(numbers.node))
    np.minimum.at(first_best, node[is_best], boundaries[is_best])
    missing = np.flatnonzero(slots.code == frontier.domain(column).missing_code)
    may_split = np.ones(frontier.n_nodes, dtype=bool)
    of_missing = np.zeros(frontier.n_nodes)
    if len(missing):
        rows = np.flatnonzero(frontier.quasi[column] == frontier.domain(column).missing_code)
        counts = frontier.counts(frontier.node[rows], frontier.n_nodes, rows)
        has_missing = counts.rows > 0
        may_split = ~has_missing | promise.holds(counts)
        of_missing[slots.node[missing]] = summed_entropy(slots.by_class[missing])
    found = np.flatnonzero(np.isfinite(least) & may_split[nodes])
    at = nodes[found]
    before = summed_entropy(slots.class_sums(slots.by_class))
    gain[at] = ((before - of_missing)[at] - least[found]) / slots.node_sums(slots.size)[at]
    threshold[at] = numbers.code[first_best[found]]
    return gain, threshold


def _known_rows(frontier: Frontier, column: int) -> tuple[Frontier, Ints] | None:
    """The places where the column is not missing, as a frontier of it alone, and the nodes that have any."""
    places = np.flatnonzero(frontier.quasi[column] != frontier.domain(column).missing_code)
    if not len(places):
        return None
    part = frontier.of_column(column, places)
    nodes = np.unique(part.node).astype(np.int64)
    return part.renumbered(len(nodes)), nodes


KADET = Method(
    name="kadet",
    title="grows a decision tree whose leaves keep the promise; publishes the tree and the table it implies",
    paper="Friedman, Wolff, Schuster: Providing k-Anonymity in Data Mining (VLDB Journal 2008)",
    run=kadet,
    takes_weights=always,
    needs_target=True,
    publishes_tree=True,
)
