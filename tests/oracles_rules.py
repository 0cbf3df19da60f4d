"""PART again, naively: the recursion of the paper over rows of sets, on the naive tree."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from oracles_cell_tree import SAME, Cell, NaiveCellTree, Node, Row, bits
from oracles_trees import added_errors

Way = list[tuple[Node, int]]
"""The nodes from the root to a leaf, each with the branch that is taken."""


@dataclass
class NaiveRules(NaiveCellTree):
    """Settings as the tree has them, and the confidence of pruning; None does not prune."""

    confidence: float | None = 0.25

    def rules(self, rows: list[Row]) -> list[tuple[Way, list[float]]]:
        """Each rule's way and the class counts of its leaf."""
        left, found = self.merged(rows), []
        bounds = tuple((0, n_values - 1) for n_values in self.n_values)
        while left:
            way, covered = self._partial(left, bounds, frozenset())
            found.append((way, self._count(covered)))
            if not way:
                return found
            gone: dict[Any, float] = defaultdict(float)
            for cells, target, weight in covered:
                gone[cells, target] += weight
            rest = [(*row[:2], row[2], row[2] - gone[row[:2]]) for row in left]
            left = [
                (cells, target, weight) for cells, target, before, weight in rest if weight > SAME * before
            ]
        return found

    def _partial(self, rows: list[Row], bounds: Any, tested: frozenset[int]) -> tuple[Way, list[Row]]:
        """The way to the leaf of a partial tree that has the most rows, none for a leaf, and its rows."""
        node = self._tested(rows, bounds, tested)
        if node.column is None:
            return [], rows
        subsets = self._divide(rows, node)
        node.children = {branch: Node(self._count(part)) for branch, part in subsets.items()}
        size = {branch: sum(child.counts) for branch, child in node.children.items()}
        large = [branch for branch in subsets if size[branch] >= self.min_rows - SAME]
        leaves: dict[int, tuple[Way, list[Row]]] = {}
        for branch in self._ordered({b: bits(node.children[b].counts) / size[b] for b in large}):
            leaves[branch] = self._partial(subsets[branch], *self._below(node, branch, tested))
            if leaves[branch][0]:
                break
        else:
            if not leaves or self._is_pruned(node):
                return [], rows
        covered = {branch: -sum(row[2] for row in found[1]) for branch, found in leaves.items()}
        best = self._ordered(dict(sorted(covered.items())))[0]
        return [(node, best), *leaves[best][0]], leaves[best][1]

    @staticmethod
    def _ordered(amounts: dict[int, float]) -> list[int]:
        """From the lowest on; of those that are alike the first."""
        order, left = [], dict(amounts)
        while left:
            order.append(next(key for key in left if left[key] <= min(left.values()) + SAME))
            del left[order[-1]]
        return order

    def _is_pruned(self, node: Node) -> bool:
        """Whether one leaf is estimated to make no more errors than those below."""
        if self.confidence is None:
            return False
        below = sum(self._errors(child.counts) for child in node.children.values())
        return self._errors(node.counts) <= below + 0.1 + SAME

    def _errors(self, counts: list[float]) -> float:
        assert self.confidence is not None
        wrong = sum(counts) - max(counts)
        return wrong + added_errors(sum(counts), wrong, self.confidence)

    def answer(self, rules: list[tuple[Way, list[float]]], cells: tuple[Cell, ...]) -> list[float]:
        """The class shares of a new row."""
        told, left = [0.0] * self.n_classes, 1.0
        for way, counts in rules:
            share = left
            for node, branch in way:
                weight = self.open_branches(node, cells)
                total = sum(weight.values())
                if not total:  # values that no branch has are alike
                    weight, total = dict.fromkeys(weight, 1.0), float(len(weight))
                share *= weight.get(branch, 0.0) / total if total else 0.0
            told = [a + share * count / sum(counts) for a, count in zip(told, counts, strict=True)]
            left -= share
        return told
