"""A partial C4.5 tree: expanded only as far as one rule needs it.

E. Frank and I. H. Witten, "Generating Accurate Rule Sets Without Global Optimization" (ICML 1998), in the
details of Weka's PART.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.learners.tree_level import CellLevel
from kanopy.trees.class_counts import summed_entropy
from kanopy.trees.inducers import PRUNE_SLACK, estimated_errors
from kanopy.trees.splits import Splits
from kanopy.trees.tree import Tree, TreeBuilder

_SAME = 1e-6

Choose = Callable[[CellLevel], Splits]


class TakenTest(NamedTuple):
    """A test on the way to a leaf."""

    test: Splits  # of one node
    counts: Floats  # subsets x classes
    branch: int  # the subset on the way


class Way(NamedTuple):
    """The way from the root to the leaf that covers most rows, and the rows, or parts of them, it covers."""

    steps: list[TakenTest]  # the last test first
    leaf: CellLevel

    def tree(self, root: Floats) -> tuple[Tree, int]:
        """The way as a tree, with leaves beside it, and the number of its leaf; O(branches)."""
        builder, counts, node = TreeBuilder(self.leaf.domains), [root[None]], 0
        for step in reversed(self.steps):
            node = int(builder.split_many(np.array([node]), step.test)[0]) + step.branch
            counts.append(step.counts)
        return builder.tree(np.concatenate(counts)), node


@dataclass(frozen=True, slots=True)
class PartialTree:
    """How partial trees are expanded and pruned."""

    choose: Choose
    min_rows: float  # subsets with fewer are not expanded
    confidence: float | None  # of the estimated errors that pruning compares; None: no pruning

    def best_way(self, root: CellLevel) -> Way:
        """Expand a partial tree and choose its leaf with the most rows.

        The subsets of a split are expanded from the lowest entropy on, until one of them is not a leaf. Where
        all are leaves, the split is undone if one leaf is estimated to make no more errors. O(rows * columns)
        for each node that is expanded, and its siblings, which are counted together with it.
        """
        test = self._tests(root)
        opened = [] if test.is_none[0] else [self._opened(root, test)]
        while opened:
            node = opened[-1]
            subset = node.following(self.min_rows)
            if subset >= 0:
                place = int(np.searchsorted(node.number, subset))
                is_here = np.arange(node.below.n_nodes) == place
                node.is_expanded[subset] = True
                if not node.tests.is_none[place]:
                    opened.append(self._opened(node.below.of_nodes(is_here), node.tests.of_nodes(is_here)))
                continue
            opened.pop()
            way = node.way(self)
            if not opened:
                return way or Way([], root)
            opened[-1].subtree = way
        return Way([], root)

    def _opened(self, level: CellLevel, test: Splits) -> _Opened:
        below, number, counts = level.divided(test, np.zeros(1, dtype=np.int64), int(test.n_branches[0]))
        return _Opened(test, counts, below, number, self._tests(below), np.zeros(len(counts), dtype=bool))

    def _tests(self, level: CellLevel) -> Splits:
        """How each node of a level would be split."""
        may_split = level.may_split
        tests = Splits.none(level.domains, level.n_nodes)
        if may_split.any() and level.domains:
            tests.put(np.flatnonzero(may_split), self.choose(level.of_nodes(may_split)))
        return tests


@dataclass(slots=True, eq=False)
class _Opened:
    """A node that is split, while its subsets are expanded."""

    test: Splits
    counts: Floats  # subsets x classes
    below: CellLevel  # the subsets that have rows
    number: Ints  # which subset each of its nodes is, ascending
    tests: Splits  # of these nodes
    is_expanded: Bools  # per subset
    last: int = -1  # the subset that was expanded last
    subtree: Way | None = None  # into it, if it is no leaf

    def following(self, min_rows: float) -> int:
        """The subset to expand next, that of the lowest entropy; -1 where none is left or needed."""
        if self.subtree is not None:
            return -1
        rows = self.counts.sum(axis=1)
        is_open = ~self.is_expanded & (rows >= min_rows - _SAME) & (rows > _SAME)
        if not is_open.any():
            return -1
        entropy = np.where(is_open, summed_entropy(self.counts) / np.maximum(rows, _SAME), np.inf)
        self.last = _first_lowest(entropy)
        return self.last

    def way(self, rules: PartialTree) -> Way | None:
        """The way to the leaf with the most rows; None where the node becomes a leaf itself."""
        rows = self.counts.sum(axis=1)
        if self.subtree is not None:
            rows[self.last] = self.subtree.leaf.weight.sum()
        elif not self.is_expanded.any() or self._is_pruned(rules.confidence):
            return None
        branch = _first_lowest(np.where(self.is_expanded, -rows, np.inf))
        step = TakenTest(self.test, self.counts, branch)
        if self.subtree is not None and branch == self.last:
            self.subtree.steps.append(step)
            return self.subtree
        return Way([step], self.below.of_nodes(self.number == branch))

    def _is_pruned(self, confidence: float | None) -> bool:
        if confidence is None:
            return False
        as_leaf = estimated_errors(self.counts.sum(axis=0, keepdims=True), confidence)
        below = estimated_errors(self.counts, confidence).sum()
        return bool(as_leaf[0] <= below + PRUNE_SLACK + _SAME)


def _first_lowest(amounts: Floats) -> int:
    return int(np.argmax(amounts <= amounts.min() + _SAME))
