"""A partial C4.5 tree: expanded only as far as one rule needs it.

E. Frank and I. H. Witten, "Generating Accurate Rule Sets Without Global Optimization" (ICML 1998), in the
details of Weka's PART.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
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
        for each node that is expanded, and for those that are counted together with it.
        """
        test = self._tests(root)
        opened = [] if test.is_none[0] else self._opened(root, test)
        while opened:
            node = opened[-1]
            subset = node.following()
            if subset >= 0:
                node.is_expanded[subset] = True
                opened += self._below(node, subset)
                continue
            opened.pop()
            way = node.way()
            if not opened:
                return way or Way([], root)
            opened[-1].subtree = way
        return Way([], root)

    def _below(self, node: _Opened, subset: int) -> list[_Opened]:
        """A subset of a node, split; nothing where it is a leaf."""
        if node.is_leaf[subset]:
            return []
        if subset not in node.split:
            others = np.flatnonzero(~node.is_expanded & ~node.is_leaf)
            others = others[np.argsort(node.entropy[others], kind="stable")]
            n_before = int(node.is_expanded.sum()) - 1  # most are leaves in the end, and as many may follow
            self._split(node, np.sort(np.append(others[:n_before], subset)))
        return [node.split.pop(subset)]

    def _split(self, node: _Opened, subsets: Ints) -> None:
        """Split some subsets of a node and, level by level, all below splits that may be undone.

        Whether such a split is undone is not known before everything below it is expanded, and a whole level
        takes far less time than one subset after the other.
        """
        above = [(node, subsets)]
        while above:
            level, tests = above[0][0].below, above[0][0].tests
            is_chosen = np.zeros(level.n_nodes, dtype=bool)
            is_chosen[np.concatenate([parent.place[some] for parent, some in above])] = True
            opened = self._opened(level.of_nodes(is_chosen), tests.of_nodes(is_chosen))
            following = iter(opened)
            for parent, some in above:
                parent.split.update({subset: next(following) for subset in some.tolist()})
            undone = [each for each in opened if each.is_undone]
            above = [(each, np.flatnonzero(~each.is_leaf)) for each in undone if not each.is_leaf.all()]

    def _opened(self, level: CellLevel, tests: Splits) -> list[_Opened]:
        """The nodes of a level, each with its test."""
        n_subsets = tests.n_branches
        first = np.cumsum(n_subsets) - n_subsets
        below, number, counts = level.divided(tests, first, int(n_subsets.sum()))
        tests_below = self._tests(below)
        place = np.full(len(counts), -1)
        place[number] = np.arange(len(number))
        rows = counts.sum(axis=1)
        is_open = (rows >= self.min_rows - _SAME) & (rows > _SAME)
        entropy = np.where(is_open, summed_entropy(counts) / np.maximum(rows, _SAME), np.inf)
        is_leaf = (place < 0) | tests_below.is_none[place] | ~is_open
        is_undone = self._is_undone(counts, first)
        return [
            _Opened(
                tests.of_nodes([node]), counts[mine], below, tests_below, place[mine],
                entropy[mine], is_leaf[mine], bool(is_undone[node]), np.zeros_like(is_leaf[mine]),
            )
            for node, mine in enumerate(map(slice, first.tolist(), (first + n_subsets).tolist()))
        ]  # fmt: skip

    def _is_undone(self, counts: Floats, first: Ints) -> Bools:
        """Whether each node is estimated to make no more errors as a leaf than its subsets as leaves."""
        if self.confidence is None:
            return np.zeros(len(first), dtype=bool)
        as_leaf = estimated_errors(np.add.reduceat(counts, first), self.confidence)
        below = np.add.reduceat(estimated_errors(counts, self.confidence), first)
        return np.asarray(as_leaf <= below + PRUNE_SLACK + _SAME)

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
    below: CellLevel  # the subsets that have rows, and those of nodes that were split together with it
    tests: Splits  # of the nodes below
    place: Ints  # which node below each subset is; -1 for none
    entropy: Floats  # of each subset, per row; infinite for those that are never expanded
    is_leaf: Bools  # per subset: it is not split any further
    is_undone: bool  # if all subsets are leaves
    is_expanded: Bools  # per subset
    split: dict[int, _Opened] = field(default_factory=dict)  # subsets, before they are expanded
    last: int = -1  # the subset that was expanded last
    subtree: Way | None = None  # into it, if it is no leaf

    def following(self) -> int:
        """The subset to expand next, that of the lowest entropy; -1 where none is left or needed."""
        entropy = np.where(self.is_expanded, np.inf, self.entropy)
        if self.subtree is not None or not np.isfinite(entropy).any():
            return -1
        self.last = _first_lowest(entropy)
        return self.last

    def way(self) -> Way | None:
        """The way to the leaf with the most rows; None where the node becomes a leaf itself."""
        rows = self.counts.sum(axis=1)
        if self.subtree is not None:
            rows[self.last] = self.subtree.leaf.weight.sum()
        elif self.is_undone or not self.is_expanded.any():
            return None
        branch = _first_lowest(np.where(self.is_expanded, -rows, np.inf))
        step = TakenTest(self.test, self.counts, branch)
        if self.subtree is not None and branch == self.last:
            self.subtree.steps.append(step)
            return self.subtree
        return Way([step], self.below.of_nodes(np.arange(self.below.n_nodes) == self.place[branch]))


def _first_lowest(amounts: Floats) -> int:
    return int(np.argmax(amounts <= amounts.min() + _SAME))
