"""A tree on a table that no process holds: its top is grown from counters, the rest in tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol, TypeVar

import numpy as np

from kanopy.algorithms.division.counting import CodedRows, DividingEngine, NodeCounts
from kanopy.algorithms.division.routing import DividedCodes, Routing
from kanopy.algorithms.division.whole import WholeTable, counters_of, not_divided
from kanopy.algorithms.method import Progress
from kanopy.data import Domain
from kanopy.data.arrays import Amounts, Bools, Codes, Ints
from kanopy.trees.class_counts import Counts, count_classes, joined
from kanopy.trees.criterion import ColumnCounts
from kanopy.trees.frontier import Frontier
from kanopy.trees.grow import MOST_PASSES, counts_of_codes
from kanopy.trees.slots import Slots
from kanopy.trees.splits import Splits
from kanopy.trees.tree import Tree


class HasTree(Protocol):
    """What a task says of a node: among others, the tree of its rows."""

    @property
    def tree(self) -> Tree: ...


AnyGrown = TypeVar("AnyGrown", bound=HasTree)


class CountedLevel:
    """The open nodes of one level, whose rows an engine has: it counts them when a column is asked for."""

    def __init__(
        self,
        engine: DividingEngine,
        whole: WholeTable,
        routing: Routing,
        nodes: Ints,  # by their place in the routing
        sizes: Amounts,
        is_tested: Bools,  # nodes x columns: whether the column was split by its values above the node
        limit: int,
    ) -> None:
        self._engine, self._whole, self._routing, self._limit = engine, whole, routing, limit
        self._nodes, self._sizes, self.is_tested = nodes, sizes, is_tested

    @classmethod
    def of_table(
        cls,
        engine: DividingEngine,
        whole: WholeTable,
        routing: Routing,
        counts: Sequence[NodeCounts],
        limit: int,
    ) -> CountedLevel:
        """One node that holds every row, counted already."""
        sizes, is_tested = np.array([whole.n_rows]), np.zeros((1, len(whole.form.quasi)), dtype=bool)
        level = cls(engine, whole, routing, np.zeros(1, dtype=np.int64), sizes, is_tested, limit)
        vars(level)["_frontiers"] = level._as_frontiers(counts)
        return level

    @cached_property
    def _frontiers(self) -> list[Frontier]:
        wanted = counters_of(self._whole.form)
        return self._as_frontiers(self._engine.count(self._routing.numbered(self._nodes), wanted))

    def _as_frontiers(self, counts: Sequence[NodeCounts]) -> list[Frontier]:
        return [self._whole.of_column(column, each, self.n_nodes) for column, each in enumerate(counts)]

    @property
    def frontier(self) -> Frontier:
        return self._frontiers[0]

    @property
    def domains(self) -> Sequence[Domain]:
        return self._whole.form.quasi

    @property
    def n_nodes(self) -> int:
        return len(self._nodes)

    @property
    def n_places(self) -> int:
        return int(self._sizes.sum())

    @property
    def may_split(self) -> Bools:
        """Here: smaller nodes are left to tasks."""
        return np.asarray(self._sizes > self._limit)

    def slots(self, column: int) -> Slots:
        return Slots(self._frontiers[column], 0)

    def counts_of(self, column: int) -> ColumnCounts:
        return counts_of_codes(self.slots(column), self._whole.cuts(column))

    def class_counts(self) -> Counts:
        return self._class_counts([self.frontier], [self.frontier.node], self.n_nodes)

    def of_nodes(self, is_chosen: Bools) -> CountedLevel:
        if is_chosen.all():
            return self
        nodes, sizes = self._nodes[is_chosen], self._sizes[is_chosen]
        found = self._with(self._routing, nodes, sizes, self.is_tested[is_chosen])
        if "_frontiers" in vars(self):
            vars(found)["_frontiers"] = [frontier.of_nodes(is_chosen) for frontier in self._frontiers]
        return found

    def divided(
        self, splits: Splits, first_child: Ints, n_children: int
    ) -> tuple[CountedLevel, Ints, Counts]:
        """All nodes are split; O(counters)."""
        branch, first = splits.branch_of_codes(np.arange(self.n_nodes))
        frontiers, places, children = [], list[Codes](), list[Codes]()
        for column, frontier in enumerate(self._frontiers):
            some = frontier.at(np.flatnonzero(splits.column[frontier.node] == column))
            frontiers.append(some)
            places.append(some.node)
            children.append(first_child[some.node] + branch[first[some.node] + some.quasi[0]])
        counts = self._class_counts(frontiers, children, n_children)
        codes = np.concatenate([some.quasi[0] for some in frontiers])
        child, sizes = np.concatenate(children), counts.sum(axis=1)
        present = np.flatnonzero(sizes)
        leads = DividedCodes(np.concatenate(places), codes, np.searchsorted(present, child))
        n_codes = splits.n_codes(np.arange(self.n_nodes))
        routing = self._routing.divided(self._nodes, splits.column, n_codes, leads)
        parent = np.repeat(np.arange(self.n_nodes), splits.n_branches)[present]
        is_tested = splits.tested_below(self.is_tested, parent)
        nodes = self._routing.n_nodes + np.arange(len(present))
        return self._with(routing, nodes, sizes[present], is_tested), present, counts

    def _with(self, routing: Routing, nodes: Ints, sizes: Amounts, is_tested: Bools) -> CountedLevel:
        return CountedLevel(self._engine, self._whole, routing, nodes, sizes, is_tested, self._limit)

    def _class_counts(self, frontiers: Sequence[Frontier], line: Sequence[Codes], n_lines: int) -> Counts:
        n_classes = self._whole.n_classes
        target = np.concatenate([frontier.target for frontier in frontiers])
        weight = np.concatenate([np.asarray(frontier.weight) for frontier in frontiers])
        return count_classes(np.concatenate(line) * n_classes + target, weight, n_lines, n_classes)


def grown_below(
    engine: DividingEngine,
    top: Tree,
    small: Ints,
    subtree: Callable[[int, CodedRows], AnyGrown],
    progress: Progress,
) -> list[AnyGrown]:
    """What tasks say of the small leaves of the top, in order."""
    answers: dict[int, AnyGrown] = {}
    n_settled, n_rows = 0, int(top.rows_of_node[0])
    if len(small):
        for number, answer in engine.subtrees(routing_of(top).numbered(small), subtree):
            answers[number] = answer
            n_settled += int(top.rows_of_node[small[number]])
            progress(n_settled, n_rows)
    return [answers[number] for number in range(len(small))]


def without_domains(tree: Tree) -> Tree:
    """A tree as a task sends it: the driver knows what the codes mean."""
    return replace(tree, splits=replace(tree.splits, domains=(), groupings=()))


def check_depth(tree: Tree, method: str) -> Tree:
    """Refuse a tree that a process with the whole table would not have grown to its end."""
    if len(tree.levels) > MOST_PASSES:
        raise not_divided(method, f"its tree has more than {MOST_PASSES} levels")
    return tree


def routing_of(tree: Tree) -> Routing:
    """The same tree for rows of any task."""
    inner = np.flatnonzero(~tree.is_leaf)
    branch, begin = tree.splits.branch_of_codes(inner)
    first = np.full(tree.n_nodes, -1)
    first[inner] = begin
    below = branch + np.repeat(tree.first_child[inner], tree.splits.n_codes(inner))
    names = tuple(domain.name for domain in tree.splits.domains)
    number = np.full(tree.n_nodes, -1, dtype=np.int32)
    return Routing(names, tree.splits.column, first, below.astype(np.int32), number)


def split_above(tree: Tree) -> Bools:
    """Nodes x columns: whether the column was split by its values above the node."""
    found = np.zeros((tree.n_nodes, len(tree.splits.domains)), dtype=bool)
    for nodes in tree.levels[1:]:
        found[nodes] = tree.splits.tested_below(found, tree.parent[nodes])
    return found


def grafted(top: Tree, leaves: Ints, subtrees: Sequence[Tree]) -> tuple[Tree, list[Ints]]:
    """The top with a tree in the place of each of some leaves, numbered level by level; and where the nodes
    of each of these trees, and of the top, are now. O(nodes)."""
    first = top.n_nodes + np.cumsum([0, *(tree.n_nodes - 1 for tree in subtrees)])
    where = [
        np.append(leaf, np.arange(begin, begin + tree.n_nodes - 1))
        for leaf, begin, tree in zip(leaves, first, subtrees, strict=False)
    ]
    splits = Splits.none(top.splits.domains, int(first[-1]), top.splits.groupings)
    first_child = np.zeros(int(first[-1]), dtype=np.int64)
    for tree, nodes in zip([top, *subtrees], [np.arange(top.n_nodes), *where], strict=True):
        splits.put(nodes, tree.splits)
        first_child[nodes] = nodes[tree.first_child]
    counts = joined([top.counts, *(tree.counts[1:] for tree in subtrees)])
    whole = Tree(splits, first_child, counts)
    number = np.argsort(np.concatenate(whole.levels))
    in_order = whole.pruned(np.zeros(whole.n_nodes, dtype=bool))
    return in_order, [*(number[nodes] for nodes in where), number[: top.n_nodes]]
