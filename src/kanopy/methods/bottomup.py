"""Bottom-Up Generalization: from the table as it is, merge siblings until every group keeps the promise.

Wang, Yu, Chakraborty, "Bottom-Up Generalization: A Data Mining Solution to Privacy Protection" (ICDM 2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kanopy.data import Cell, CodedColumn, EncodedTable, GroupCounts, RecodedColumn, Recoding, cell
from kanopy.data.keys import group_rows
from kanopy.methods.limits import check_satisfiable
from kanopy.methods.method import Method, Progress, silent
from kanopy.methods.requirements import Requirement, requirements_of
from kanopy.privacy import PrivacyModel
from kanopy.trees.class_counts import count_classes, summed_entropy, with_line

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def bottomup(
    table: EncodedTable, promise: PrivacyModel, rng: np.random.Generator, progress: Progress = silent
) -> Recoding:
    """Anonymize by Bottom-Up Generalization. Nothing here is random.

    As long as a group breaks the promise, the generalization that loses the least information per anonymity
    gained is done, everywhere alike. At most as many steps as the hierarchies have inner nodes; each costs
    O(groups * columns ** 2), and O(rows) for every candidate where the promise counts more than rows.
    """
    del rng
    check_satisfiable(table, promise)
    trees = [_ValueTree(column, table.target) for column in table.quasi]
    requirements, n_implied = requirements_of(promise, table)
    views = [_View(requirement, table, trees) for requirement in requirements]
    n_steps = sum(tree.n_inner for tree in trees)
    n_done = 0
    while not all(view.is_kept for view in views):
        column, node = _best_generalization(trees, views)
        merged = trees[column].generalize(node)
        for view in views:
            view.generalize(column, merged, node)
        n_done += 1
        progress(n_done, n_steps)
    columns = (tree.recoded(column) for tree, column in zip(trees, table.quasi, strict=True))
    facts = {"implied_promises": n_implied} if n_implied else {}
    return Recoding(tuple(columns), np.ones(table.n_rows, dtype=bool), facts=facts)


def _best_generalization(trees: Sequence[_ValueTree], views: Sequence[_View]) -> tuple[int, int]:
    """The least information lost per anonymity gained; of those that gain any, if there are any."""
    best: tuple[bool, float, int, int] | None = None
    for column, tree in enumerate(trees):
        # What helps only requirements that are kept already would cost and bring nothing.
        concerned = [view for view in views if not view.is_kept and column in view.requirement.columns]
        for node, children in tree.available() if concerned else ():
            gained = round(float(np.mean([view.gained(column, children) for view in concerned])), 12)
            price = tree.information(children) / (gained if gained > 0 else 1)
            # Nine digits that count: where many rows are gained, all prices are tiny.
            found = (gained <= 0, float(f"{price:.9g}"), column, node)
            best = found if best is None or found < best else best
    assert best is not None, "the most general table keeps the promise"
    return best[2], best[3]


class _ValueTree:
    """The hierarchy of a column, and the cut through it, from the leaves up.

    Without a hierarchy all values are children of the root. Missing is a child of the root.
    """

    def __init__(self, column: CodedColumn, target: CodedColumn | None) -> None:
        domain = self.domain = column.domain
        hierarchy = domain.hierarchy
        # A hierarchy over a single value has no node but its root.
        self._has_nodes = hierarchy is not None and hierarchy.n_nodes > 1
        if hierarchy is None or not self._has_nodes:
            self._parent = np.append(-1, np.zeros(domain.n_codes, dtype=np.int64))
            self.node_of_code = np.arange(1, domain.n_codes + 1)
        else:
            self._parent = np.append(hierarchy.node_parent, 0)
            self.node_of_code = np.append(hierarchy.ancestors[0].astype(np.int64), hierarchy.n_nodes)
        n_classes = 1 if target is None else target.domain.n_codes
        classes = np.zeros(len(column.codes), dtype=np.int64) if target is None else target.codes
        node = self.node_of_code[column.codes]
        self._by_class = count_classes(node * n_classes + classes, None, self.n_nodes, n_classes)
        self._in_cut: Bools = np.bincount(node, minlength=self.n_nodes) > 0

    @property
    def n_nodes(self) -> int:
        return len(self._parent)

    @property
    def n_inner(self) -> int:
        return len(np.unique(self._parent[self._parent >= 0]))

    def available(self) -> Iterator[tuple[int, Ints]]:
        """Nodes all of whose children that occur are in the cut, with these children."""
        inside = np.flatnonzero(self._in_cut)
        below = self._occurs_below()
        for node in np.unique(self._parent[inside]).tolist():
            children = np.flatnonzero((self._parent == node) & below) if node >= 0 else inside[:0]
            if len(children) and self._in_cut[children].all():
                yield node, children

    def _occurs_below(self) -> Bools:
        """Nodes that have an element of the cut at or below them."""
        occurs = self._in_cut.copy()
        step = np.flatnonzero(occurs)
        while len(step):
            step = np.unique(self._parent[step])
            step = step[step >= 0]
            occurs[step] = True
        return occurs

    def information(self, children: Ints) -> float:
        """Bits per row that are lost about the class when the children become one, without float noise."""
        counts = self._by_class[children]
        whole = counts.sum(axis=0)
        return round(float(summed_entropy(whole) - summed_entropy(counts).sum()) / int(whole.sum()), 12)

    def generalize(self, node: int) -> Ints:
        """Replace the children of a node by it; the nodes that are no longer in the cut."""
        merged = np.flatnonzero((self._parent == node) & self._in_cut)
        self._in_cut[merged] = False
        self._in_cut[node] = True
        self._by_class = with_line(self._by_class, node, self._by_class[merged].sum(axis=0))
        self.node_of_code[np.isin(self.node_of_code, merged)] = node
        return merged

    def recoded(self, column: CodedColumn) -> RecodedColumn:
        nodes, codes, ids = np.unique(self.node_of_code, return_index=True, return_inverse=True)
        made = map(self._cell, nodes.tolist(), codes.tolist())
        return RecodedColumn(self.domain, tuple(made), ids.astype(np.int32)[column.codes])

    def _cell(self, node: int, code: int) -> Cell:
        if node == 0:
            return cell.SUPPRESSED
        if code == self.domain.missing_code:
            return cell.MISSING
        return cell.node(self.domain, node) if self._has_nodes else cell.exact(code)


class _View:
    """The groups of one requirement, each with its nodes and its rows."""

    def __init__(self, requirement: Requirement, table: EncodedTable, trees: Sequence[_ValueTree]) -> None:
        self.requirement = requirement
        self._table = table
        chosen = {number: (trees[number], table.quasi[number].codes) for number in requirement.columns}
        nodes = {number: tree.node_of_code[codes] for number, (tree, codes) in chosen.items()}
        self._sizes = [tree.n_nodes for tree, _ in chosen.values()]
        self._group, n_groups = group_rows(list(nodes.values()), self._sizes, table.n_rows)
        example = np.zeros(n_groups, dtype=np.int64)
        example[self._group] = np.arange(table.n_rows)
        self._nodes = {number: found[example] for number, found in nodes.items()}
        self._judge()

    def _judge(self) -> None:
        counts = GroupCounts.of(self._table, self._group, len(next(iter(self._nodes.values()))))
        self._size = counts.members
        holds = self.requirement.holds(counts)
        self.is_kept = bool(holds.all())
        self._level = self._level_of(counts, holds)

    def _level_of(self, counts: GroupCounts, holds: Bools) -> float:
        """How much anonymity there is: the smallest group, or the share of rows in groups that comply."""
        if self.requirement.bounds_size:
            return float(counts.members.min())
        return float(counts.rows[holds].sum() / counts.rows.sum())

    def gained(self, column: int, children: Ints) -> float:
        """How much anonymity merging the children would add."""
        is_merged = np.isin(self._nodes[column], children)
        others = [nodes for number, nodes in self._nodes.items() if number != column]
        sizes = [size for number, size in zip(self._nodes, self._sizes, strict=True) if number != column]
        rest, n_rests = group_rows([nodes[is_merged] for nodes in others], sizes, int(is_merged.sum()))
        if self.requirement.bounds_size and self._table.persons is None:
            smallest = np.bincount(rest, self._size[is_merged], minlength=n_rests).min()
            kept = self._size[~is_merged]
            return float(min(smallest, kept.min(initial=np.iinfo(np.int64).max))) - self._level
        number = np.empty(len(is_merged), dtype=np.int64)
        number[is_merged] = rest
        number[~is_merged] = n_rests + np.arange(np.count_nonzero(~is_merged))
        counts = GroupCounts.of(self._table, number[self._group], int(number.max()) + 1)
        return self._level_of(counts, self.requirement.holds(counts)) - self._level

    def generalize(self, column: int, merged: Ints, node: int) -> None:
        """Merge the groups that now agree; O(groups * columns + rows)."""
        if column not in self._nodes:
            return
        nodes = self._nodes[column]
        self._nodes[column] = np.where(np.isin(nodes, merged), node, nodes)
        number, n_groups = group_rows(list(self._nodes.values()), self._sizes, len(nodes))
        example = np.zeros(n_groups, dtype=np.int64)
        example[number] = np.arange(len(number))
        self._nodes = {name: found[example] for name, found in self._nodes.items()}
        self._group = number[self._group]
        self._judge()


BOTTOMUP = Method(
    name="bottomup",
    title="merges sibling values, least information per anonymity first, until every group keeps the promise",
    paper="Wang, Yu, Chakraborty: Bottom-Up Generalization: A Data Mining Solution to Privacy Protection "
    "(ICDM 2004)",
    run=bottomup,
)
