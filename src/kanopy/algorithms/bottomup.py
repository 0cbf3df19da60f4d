"""Bottom-Up Generalization: from the table as it is, merge siblings until every group keeps the promise.

Wang, Yu, Chakraborty, "Bottom-Up Generalization: A Data Mining Solution to Privacy Protection" (ICDM 2004).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kanopy.algorithms.drafted_tree import DraftedTree, levels_for
from kanopy.algorithms.method import Method, Option, Progress, always, silent
from kanopy.algorithms.requirements import Requirement, check_satisfiable, requirements_of
from kanopy.data import CodedColumn, EncodedTable, GroupCounts, RecodedColumn, Recoding, ValueTree
from kanopy.data.arrays import Amounts, Bools, Codes, Floats, Ints
from kanopy.data.keys import group_rows
from kanopy.errors import PolicyError
from kanopy.privacy import PrivacyModel
from kanopy.trees.class_counts import count_classes, summed_entropy, with_line

_MOST_COLUMNS = 500
_FACTS = {"drafted": "drafted_columns", "given": "suppressed_columns"}


def bottomup(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator | None,
    progress: Progress = silent,
    *,
    trees: str = "drafted",
) -> Recoding:
    """Anonymize by Bottom-Up Generalization; see the options of ``BOTTOMUP``. Nothing here is random.

    While a group breaks the promise, the generalization that loses the least information per anonymity gained
    is done. Each of at most as many steps as there are inner nodes costs O(groups * columns) and a sort for
    every column, and O(rows * columns) where the promise counts more than rows.
    """
    del rng
    if len(table.quasi) > _MOST_COLUMNS:
        raise PolicyError(
            f"{len(table.quasi):,} quasi-identifiers are too many for bottomup",
            f"use at most {_MOST_COLUMNS:,}, or another method, such as mondrian",
        )
    check_satisfiable(table, promise)
    cuts = [_Cut(column, table, drafts=trees == "drafted") for column in table.quasi]
    requirements, n_implied = requirements_of(promise, table)
    views = [_View(requirement, table, cuts) for requirement in requirements]
    n_steps = sum(cut.n_inner for cut in cuts)
    n_done = 0
    while not all(view.is_kept for view in views):
        column, node = _best_generalization(cuts, views)
        merged = cuts[column].generalize(node)
        for view in views:
            view.generalize(column, merged, node)
        n_done += 1
        progress(n_done, n_steps)
    columns = tuple(cut.recoded(column) for cut, column in zip(cuts, table.quasi, strict=True))
    # Of columns without a hierarchy, those that are not as they were: somebody should know.
    n_others = sum(cut.is_changed and cut.has_no_hierarchy for cut in cuts)
    facts = {"implied_promises": n_implied, _FACTS[trees]: n_others}
    told = {name: number for name, number in facts.items() if number}
    return Recoding(columns, np.ones(table.n_rows, dtype=bool), facts=told)


def _best_generalization(trees: Sequence[_Cut], views: Sequence[_View]) -> tuple[int, int]:
    """The least information lost per anonymity gained; of those that gain any, if there are any."""
    offers = []
    for column, tree in enumerate(trees):
        # What helps only requirements that are kept already would cost and bring nothing.
        concerned = [view for view in views if not view.is_kept and column in view.requirement.columns]
        nodes = tree.available()
        if concerned and len(nodes):
            above = tree.available_above()
            gained = np.mean([view.gained(column, above, nodes) for view in concerned], axis=0)
            offers.append((np.full(len(nodes), column), nodes, np.round(gained, 12), tree.information(nodes)))
    assert offers, "the most general table keeps the promise"
    columns, nodes, gained, information = (np.concatenate(part) for part in zip(*offers, strict=True))
    gains_any = gained > 0
    price = information / np.where(gains_any, gained, 1)
    chosen = np.flatnonzero(gains_any) if gains_any.any() else np.arange(len(nodes))
    least = float(price[chosen].min())
    near = chosen[price[chosen] <= least + 1e-8 * abs(least)]
    # Nine digits that count: where many rows are gained, all prices are tiny.
    return min((float(f"{price[at]:.9g}"), int(columns[at]), int(nodes[at])) for at in near.tolist())[1:]


class _Cut:
    """A cut through the tree over the values of a column, from the leaves up."""

    def __init__(self, column: CodedColumn, table: EncodedTable, *, drafts: bool) -> None:
        target, weight = table.target, table.weight
        given = ValueTree.of(column.domain)
        self.has_no_hierarchy, self.is_changed = column.domain.hierarchy is None, False
        self._tree: ValueTree | DraftedTree = given
        self.node_of_code = given.levels[0].astype(np.int64)
        if drafts and self.has_no_hierarchy:
            self._tree = DraftedTree.of(column, target, weight, levels_for(len(table.quasi)))
            self.node_of_code = self._tree.leaves
        self._parent, self.n_nodes = self._tree.parent, self._tree.n_nodes
        n_classes = 1 if target is None else target.domain.n_codes
        classes = np.zeros(len(column.codes), dtype=np.int64) if target is None else target.codes
        node = self.node_of_code[column.codes]
        self._by_class = count_classes(node * n_classes + classes, weight, self.n_nodes, n_classes)
        self._in_cut: Bools = np.bincount(node, minlength=self.n_nodes) > 0
        self._information = np.full(self.n_nodes, np.nan)
        self._available: Ints | None = None

    @property
    def n_inner(self) -> int:
        return len(np.unique(self._parent[self._parent >= 0]))

    def available(self) -> Ints:
        """Nodes all of whose children that occur are in the cut; O(nodes), when the cut has changed."""
        if self._available is None:
            n_inside, n_occurring = self._children(self._in_cut), self._children(self._occurs_below())
            self._available = np.flatnonzero((n_inside > 0) & (n_inside == n_occurring))
        return self._available

    def available_above(self) -> Ints:
        """For every node the place of its parent among those that are available; -1 for none."""
        place = np.full(self.n_nodes + 1, -1)
        place[self.available()] = np.arange(len(self.available()))
        return np.asarray(place[self._parent])

    def _children(self, is_chosen: Bools) -> Ints:
        """How many children of each node are chosen."""
        parents = self._parent[is_chosen]
        return np.bincount(parents[parents >= 0], minlength=self.n_nodes)

    def _occurs_below(self) -> Bools:
        """Nodes that have an element of the cut at or below them."""
        occurs = self._in_cut.copy()
        step = np.flatnonzero(occurs)
        while len(step):
            step = np.unique(self._parent[step])
            step = step[step >= 0]
            occurs[step] = True
        return occurs

    def information(self, nodes: Ints) -> Floats:
        """Bits per row that are lost about the class when the children of each node become one."""
        for node in nodes[np.isnan(self._information[nodes])].tolist():
            counts = self._by_class[(self._parent == node) & self._in_cut]
            whole = counts.sum(axis=0)
            bits = float(summed_entropy(whole) - summed_entropy(counts).sum())
            self._information[node] = round(bits / int(whole.sum()), 12)  # without float noise
        return self._information[nodes]

    def generalize(self, node: int) -> Ints:
        """Replace the children of a node by it; the nodes that are no longer in the cut."""
        merged = np.flatnonzero((self._parent == node) & self._in_cut)
        self._available, self.is_changed = None, True
        self._in_cut[merged] = False
        self._in_cut[node] = True
        self._by_class = with_line(self._by_class, node, self._by_class[merged].sum(axis=0))
        self.node_of_code[np.isin(self.node_of_code, merged)] = node
        return merged

    def recoded(self, column: CodedColumn) -> RecodedColumn:
        nodes, ids = np.unique(self.node_of_code, return_inverse=True)
        made = tuple(map(self._tree.cell, nodes.tolist()))
        return RecodedColumn(column.domain, made, ids.astype(np.int32)[column.codes])


class _View:
    """The groups of one requirement, each with its nodes and its rows."""

    def __init__(self, requirement: Requirement, table: EncodedTable, trees: Sequence[_Cut]) -> None:
        self.requirement, self._table = requirement, table
        chosen = {number: trees[number].node_of_code for number in requirement.columns}
        self._nodes = {number: nodes[table.quasi[number].codes] for number, nodes in chosen.items()}
        self._sizes = [trees[number].n_nodes for number in requirement.columns]
        self._group: Codes = np.arange(table.n_rows)
        self._mixed = np.zeros(table.n_rows, dtype=np.uint64)
        self._regroup()
        for number, nodes in self._nodes.items():
            self._mixed += _mixed(number, nodes)

    def _regroup(self) -> None:
        """Merge groups that agree, at first rows, and count them; O(groups * columns + rows)."""
        number, n_groups = group_rows(list(self._nodes.values()), self._sizes, len(self._mixed))
        example = np.zeros(n_groups, dtype=np.int64)
        example[number] = np.arange(len(number))
        self._nodes = {column: nodes[example] for column, nodes in self._nodes.items()}
        self._mixed = self._mixed[example]
        self._group = number[self._group]
        counts = GroupCounts.of(self._table, self._group, n_groups)
        self._size, self._rows = counts.members, counts.rows
        self._holds = self.requirement.promise.holds(counts)
        self.is_kept = bool(self._holds.all())
        self._smallest = np.flatnonzero(self._size == self._size.min())
        # How much anonymity there is: the smallest group, or the share of rows in groups that comply.
        share = self._rows[self._holds].sum() / self._rows.sum()
        self._level = float(self._size.min() if self.requirement.bounds_size else share)

    def gained(self, column: int, candidate_above: Ints, candidates: Ints) -> Floats:
        """How much anonymity each candidate would add, which merges the nodes of a column below one node.

        Candidates concern different groups, so all are tried at once: O(groups log groups), and O(rows) where
        the promise counts more than rows. ``candidate_above`` has the candidate above every node, -1 for
        none.
        """
        if self.requirement.bounds_size:
            # As long as one of the smallest groups stays as it is, nothing is gained.
            above = candidate_above[self._nodes[column][self._smallest]]
            if above[0] < 0 or (above != above[0]).any():
                return np.zeros(len(candidates))
        owner = candidate_above[self._nodes[column]]
        is_merged = owner >= 0
        mixed = self._mixed.copy()
        mixed[is_merged] += _mixed(column, candidates[owner[is_merged]])
        mixed[is_merged] -= _mixed(column, self._nodes[column][is_merged])
        _, example, number = np.unique(mixed, return_index=True, return_inverse=True)
        merged, n = owner[example], len(candidates)
        if self.requirement.bounds_size and self._table.persons is None:
            size = np.bincount(number, self._size)
            return _least_of_each(owner, self._size, merged, size, n) - self._level
        counts = GroupCounts.of(self._table, number[self._group], len(example))
        if self.requirement.bounds_size:
            return _least_of_each(owner, self._size, merged, counts.members, n) - self._level
        n_after = _summed(merged, counts.rows, self.requirement.promise.holds(counts), n)
        n_before = _summed(owner, self._rows, self._holds, n)
        n_complying = self._rows[self._holds].sum() - n_before + n_after
        return np.asarray(n_complying / self._rows.sum() - self._level)

    def generalize(self, column: int, merged: Ints, node: int) -> None:
        """Merge the groups that agree when some nodes of a column become one."""
        if column in self._nodes:
            nodes = self._nodes[column]
            self._nodes[column] = np.where(np.isin(nodes, merged), node, nodes)
            self._mixed += _mixed(column, self._nodes[column]) - _mixed(column, nodes)
            self._regroup()


def _mixed(column: int, nodes: Ints) -> NDArray[np.uint64]:
    """A hash of 64 bits for each node of a column (splitmix64); sums over all columns tell groups apart. Only
    what a candidate may gain is guessed that way: the promise is checked on groups that really agree."""
    mixed = nodes.astype(np.uint64) + np.uint64((column + 1) * 0x9E3779B97F4A7C15 % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


def _least_of_each(owner: Ints, size: Ints, new_owner: Ints, new_size: Amounts, n: int) -> Floats:
    """The smallest group after each candidate: among its merged groups and those that it does not concern."""
    merged, concerned = np.full(n + 1, np.inf), np.full(n + 1, np.inf)
    np.minimum.at(merged, new_owner, new_size)  # the last place is for groups of no candidate
    np.minimum.at(concerned, owner, size)
    first = int(concerned.argmin())
    others = np.full(n, concerned[first])
    if first < n:
        others[first] = np.delete(concerned, first).min(initial=np.inf)
    return np.asarray(np.minimum(merged[:n], others))


def _summed(owner: Ints, rows: Ints, holds: Bools, n: int) -> Ints:
    """Rows in groups that comply, for each candidate."""
    counts = holds & (owner >= 0)
    return np.bincount(owner[counts], rows[counts], minlength=n).astype(np.int64)


BOTTOMUP = Method(
    name="bottomup",
    title="merges sibling values, least information per anonymity first, until every group keeps the promise",
    paper="Wang, Yu, Chakraborty: Bottom-Up Generalization: A Data Mining Solution to Privacy Protection "
    "(ICDM 2004)",
    run=bottomup,
    draws=False,
    takes_weights=always,
    is_global=True,
    climbs_trees=True,
    options={
        "trees": Option(
            "drafted",
            "columns without a hierarchy: drafted groups their values, numbers into ranges, others by what "
            "they say about the class; given: such a column can only be suppressed as a whole",
            ("drafted", "given"),
        ),
    },
    presets={"paper": {"trees": "given"}},
)
