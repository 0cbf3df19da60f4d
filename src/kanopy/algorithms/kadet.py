"""kADET: grow a tree that is anonymous from the start, and publish it.

Friedman, Wolff, Schuster, "Providing k-Anonymity in Data Mining" (VLDB Journal 2008); "k-Anonymous Decision
Tree Induction" (PKDD 2006).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from kanopy.algorithms.cuts import allowed_boundaries, least_of_nodes
from kanopy.algorithms.method import Method, Progress, always, silent
from kanopy.algorithms.requirements import check_satisfiable
from kanopy.algorithms.tree_model import TreeModel, publish_paths
from kanopy.data import Domain, EncodedTable, GroupCounts, Recoding, ValueTree
from kanopy.data.arrays import Floats, Ints
from kanopy.privacy import PrivacyModel
from kanopy.trees.class_counts import summed_entropy, sums_of_runs
from kanopy.trees.frontier import Frontier
from kanopy.trees.grow import CodeLevel, grow
from kanopy.trees.slots import Slots
from kanopy.trees.splits import Splits

_NO_GAIN = 1e-9


def kadet(
    table: EncodedTable, promise: PrivacyModel, rng: np.random.Generator, progress: Progress = silent
) -> Recoding:
    """Anonymize by kADET: of all splits whose parts keep the promise, take the one with the most gain.

    Numbers are split at thresholds, values under a hierarchy on the finest level that keeps the promise,
    values without one if each of them keeps it. No rows are dropped. O(rows * columns) per level of the tree,
    for columns with a hierarchy times its height.
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
        self.of_column: list[list[int]] = []
        for domain in domains:
            tree = ValueTree.of(domain)
            inner = range(1, tree.n_levels - 1)  # the root says nothing
            self.of_column.append([-1, *range(len(self.groupings), len(self.groupings) + len(inner))])
            self.groupings += [tree.groups(level) for level in inner]


def _choose_by_allowed_gain(level: CodeLevel, *, promise: PrivacyModel, levels: _TaxonomyLevels) -> Splits:
    """The split with the most gain of those that keep the promise; ties: column order."""
    frontier, is_tested = level.frontier, level.is_tested
    domains = [column.domain for column in frontier.table.quasi]
    n_nodes = frontier.n_nodes
    if frontier.n_classes < 2:
        return Splits.none(domains, n_nodes)
    column_of, threshold_of, grouping_of = (np.full(n_nodes, -1) for _ in range(3))
    best = np.full(n_nodes, _NO_GAIN)
    for column, domain in enumerate(domains):
        slots = Slots(frontier, column)
        is_open = np.ones(n_nodes, dtype=bool)
        if domain.is_numeric and domain.hierarchy is None:
            found = [(*_best_allowed_threshold(slots, frontier, column, promise), -1)]
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
    groupings = tuple(levels.groupings)
    return Splits.of(domains, column_of, threshold_of, grouping=grouping_of, groupings=groupings)


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
    domain, n_nodes = frontier.domain(column), frontier.n_nodes
    gain, threshold = np.full(n_nodes, -1.0), np.full(n_nodes, -1)
    is_missing = frontier.quasi[column] == domain.missing_code
    if is_missing.all():
        return gain, threshold
    known = frontier.of_column(column, np.flatnonzero(~is_missing))
    nodes = np.unique(known.node).astype(np.int64)
    known = known.renumbered(len(nodes))
    numbers = Slots(known, 0)
    assert domain.numbers is not None
    # Some numbers are written in several ways, and none of them is above the other.
    point = domain.numbers[numbers.code]
    boundaries = np.flatnonzero((np.diff(numbers.node) == 0) & (point[:-1] < point[1:]))
    boundaries, entropy = allowed_boundaries(numbers, known, boundaries, promise, len(frontier.quasi))
    least, first = least_of_nodes(numbers.node[boundaries], boundaries, entropy, len(nodes), _NO_GAIN)
    may_split = np.isfinite(least)
    before = summed_entropy(slots.class_sums(slots.by_class))
    if is_missing.any():
        rows = np.flatnonzero(is_missing)
        counts = frontier.counts(frontier.node[rows], n_nodes, rows)
        may_split &= ((counts.rows == 0) | promise.holds(counts))[nodes]
        missing = np.flatnonzero(slots.code == domain.missing_code)
        before[slots.node[missing]] -= summed_entropy(slots.by_class[missing])
    at = nodes[may_split]
    gain[at] = (before[at] - least[may_split]) / slots.node_sums(slots.size)[at]
    threshold[at] = numbers.code[first[may_split]]
    return gain, threshold


KADET = Method(
    name="kadet",
    title="grows a decision tree whose leaves keep the promise; publishes the tree and the table it implies",
    paper="Friedman, Wolff, Schuster: Providing k-Anonymity in Data Mining (VLDB Journal 2008)",
    run=kadet,
    takes_weights=always,
    needs_target=True,
    publishes_tree=True,
)
