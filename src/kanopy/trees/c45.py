"""C4.5: gain ratio, thresholds that pay for their choice, error-based pruning.

Quinlan, "C4.5: Programs for Machine Learning" (1993), in the details of Weka's J48. Two differences, unless
asked for: no subtree is raised into the place of its parent, and missing values have a branch of their own
instead of being shared among the branches.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CodedColumn, EncodedTable
from kanopy.trees.class_counts import only_lines, summed_entropy, x_log_x
from kanopy.trees.frontier import Frontier
from kanopy.trees.grow import grow
from kanopy.trees.pruning import collapsed, pruned_by_estimated_errors
from kanopy.trees.raising import raised
from kanopy.trees.slots import Slots
from kanopy.trees.splits import Splits
from kanopy.trees.tree import Tree

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_SAME = 1e-6
_SLACK_OF_AVERAGE = 1e-3
_MOST_ROWS_BESIDE_A_THRESHOLD = 25
_MANY_VALUES = 0.3


def c45(
    table: EncodedTable,
    *,
    min_rows: float = 2,
    confidence: float = 0.25,
    prune: bool = True,
    weights: Floats | None = None,
    share_missing: bool = False,
    raise_subtrees: bool = False,
) -> Tree:
    """Learn the class of a table from its quasi-identifiers.

    Parameters
    ----------
    table : EncodedTable
        Without a class, or with a single one, the tree is a leaf.
    min_rows : float
        Rows that at least two branches of a split must have; both sides of a threshold.
    confidence : float
        Of the error estimates that pruning compares; less prunes more.
    prune : bool
        Whether to prune by these estimates. Splits that change no verdict are undone in any case.
    weights : array of float, optional
        What each row counts for.
    share_missing : bool
        Whether rows with a missing value are shared among the branches (C4.5 as a learner).
    raise_subtrees : bool
        Whether pruning may put the largest branch of a split in the place of the split (C4.5 as a learner).

    Notes
    -----
    O(rows * columns) per level, and a sort per level for columns with very many values, or for very many
    classes. Memory is O(rows * columns), and one number for every branch of the tree.
    """
    choose = partial(_choose_by_gain_ratio, min_rows=min_rows, share_missing=share_missing)
    tree = grow(table, choose, weights=weights, share_missing=share_missing)
    tree = collapsed(tree)
    if prune and raise_subtrees:
        return raised(tree, table, confidence=confidence, weights=weights, share_missing=share_missing)
    return pruned_by_estimated_errors(tree, confidence) if prune else tree


def _choose_by_gain_ratio(
    frontier: Frontier, is_tested: Bools, *, min_rows: float, share_missing: bool
) -> Splits:
    """Of the splits with at least average gain the one with the highest gain ratio; ties: column order."""
    del is_tested  # what was tested above gains nothing, or may be tested again
    domains = [column.domain for column in frontier.table.quasi]
    found = [
        best_split(Slots(frontier, column), frontier, column, min_rows=min_rows, share_missing=share_missing)
        for column in range(len(domains))
    ]
    counts = np.stack([split.is_valid for split in found]) & _counts_in_average(frontier.table)[:, None]
    gains = np.where(counts, np.stack([split.gain for split in found]), 0)
    average = gains.sum(axis=0) / np.maximum(counts.sum(axis=0), 1)
    chosen = np.full(frontier.n_nodes, -1)
    threshold = np.full(frontier.n_nodes, -1)
    best = np.zeros(frontier.n_nodes)
    for column, split in enumerate(found):
        ratio = split.gain_ratio()
        wins = split.is_valid & (split.gain >= average - _SLACK_OF_AVERAGE) & (ratio > best + _SAME)
        chosen[wins], threshold[wins], best[wins] = column, split.threshold[wins], ratio[wins]
    return Splits.of(domains, chosen, threshold)


def _counts_in_average(table: EncodedTable) -> Bools:
    """Not columns with a category for every few rows, whose gain is high in any case; unless all are such."""
    few = [
        column.domain.is_numeric or column.domain.n_values < _MANY_VALUES * table.total_weight - _SAME
        for column in table.quasi
    ]
    return np.array(few) | (not any(few))


@dataclass(frozen=True, slots=True, eq=False)
class BestSplit:
    """The best split of every open node by one column.

    Parameters
    ----------
    is_valid : array of bool
    gain : array of float
        Bits per row that the split tells about the class.
    split_information : array of float
        Bits per row that the split costs to tell.
    threshold : array of int
        -1 for multiway splits.
    """

    is_valid: Bools
    gain: Floats
    split_information: Floats
    threshold: Ints

    def gain_ratio(self) -> Floats:
        has_parts = self.split_information > _SAME
        return np.divide(self.gain, self.split_information, out=np.zeros_like(self.gain), where=has_parts)


def best_split(
    slots: Slots, frontier: Frontier, column: int, *, min_rows: float, share_missing: bool
) -> BestSplit:
    """Multiway for categories, the best threshold for numbers."""
    domain = frontier.domain(column)
    is_known = slots.code != domain.missing_code
    in_all = slots.node_sums(slots.size).astype(np.float64)
    # Missing has a branch, or stands aside when gain is measured; it is a part that must be told either way.
    counts_for_gain = is_known if share_missing else np.ones_like(is_known)
    before = summed_entropy(slots.class_sums(only_lines(slots.by_class, counts_for_gain)))
    if domain.is_numeric:
        return _best_threshold(
            slots, frontier, column, is_known, before, min_rows, share_missing=share_missing
        )
    after = slots.node_sums(np.where(counts_for_gain, summed_entropy(slots.by_class), 0))
    n_large = slots.node_sums(counts_for_gain & (slots.size >= min_rows - _SAME))
    information = (x_log_x(in_all) - slots.node_sums(x_log_x(slots.size))) / in_all
    return BestSplit(n_large >= 2, (before - after) / in_all, information, np.full(len(in_all), -1))


def _best_threshold(
    slots: Slots,
    frontier: Frontier,
    column: int,
    is_known: Bools,
    before: Floats,
    min_rows: float,
    *,
    share_missing: bool,
) -> BestSplit:
    """The threshold with the most gain, less what it costs to say which of so many it is."""
    in_all = slots.node_sums(slots.size).astype(np.float64)
    n_nodes = len(in_all)
    known_by_class = only_lines(slots.by_class, is_known)
    n_known = slots.class_sums(known_by_class).sum(axis=1)
    least = np.minimum(0.1 * n_known / frontier.n_classes, _MOST_ROWS_BESIDE_A_THRESHOLD)
    least = np.maximum(least, min_rows)
    left_rows = slots.running(slots.size * is_known)
    node = slots.node
    enough = (left_rows >= least[node] - _SAME) & (n_known[node] - left_rows >= least[node] - _SAME)
    coded = frontier.table.quasi[column]
    assert coded.domain.numbers is not None
    numbers = np.append(coded.domain.numbers, np.inf)[slots.code]
    boundary = np.flatnonzero(is_known & enough)
    boundary = boundary[numbers[boundary] < numbers[boundary + 1]]  # some numbers are written in several ways
    node = node[boundary]
    entropy = slots.entropies_beside(known_by_class, boundary)
    lowest = np.full(n_nodes, np.inf)
    np.minimum.at(lowest, node, entropy)
    is_lowest = entropy <= lowest[node] + _SAME
    place = np.full(n_nodes, len(slots.node))
    np.minimum.at(place, node[is_lowest], boundary[is_lowest])
    has_any = place < len(slots.node)
    place = np.where(has_any, place, 0)
    missing = slots.class_sums(only_lines(slots.by_class, ~is_known))
    after = np.where(has_any, lowest, 0) + (0 if share_missing else summed_entropy(missing))
    n_candidates = np.bincount(node, minlength=n_nodes)
    gain = (before - after - np.log2(np.maximum(n_candidates, 1))) / in_all
    parts = [left_rows[place], n_known - left_rows[place], missing.sum(axis=1)]
    information = (x_log_x(in_all) - sum(x_log_x(part) for part in parts)) / in_all
    threshold = np.full(n_nodes, -1)
    cut = place[has_any]
    threshold[has_any] = _threshold(coded, numbers[cut], numbers[cut + 1])
    return BestSplit(has_any & (gain > _SAME), gain, information, threshold)


def _threshold(column: CodedColumn, below: Floats, above: Floats) -> Ints:
    """The highest code of the whole table that is no farther from the numbers below than from those above.

    It divides the node's rows like any other between the two, but says more about rows to come.
    """
    assert column.domain.numbers is not None
    halfway = below / 2 + above / 2 + _SAME * (above / 2 - below / 2)  # exactly, but for rounding
    halfway = np.where(halfway < above, halfway, below)
    occurs = np.flatnonzero(column.totals[:-1])
    return occurs[np.searchsorted(column.domain.numbers[occurs], halfway, side="right") - 1]
