"""A published tree, and the table that it implies: a row says what the path to its leaf says, no more."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kanopy.data import Cell, Domain, EncodedTable, RecodedColumn, Recoding, cell
from kanopy.data.arrays import Bools, Codes, Groups, Ints
from kanopy.data.grammar import MISSING_TEXT
from kanopy.trees import Tree, as_graphviz, as_mermaid, as_text
from kanopy.trees.class_counts import Counts, SparseCounts, sums_of_groups

_WRITERS = {".txt": as_text, ".dot": as_graphviz, ".mmd": as_mermaid}


@dataclass(frozen=True, slots=True, eq=False)
class TreeModel:
    """A published tree: its leaves, with the rows of each class, are the groups of the published table."""

    tree: Tree
    classes: tuple[str, ...]
    """By code; the last one stands for a missing class."""
    n_public: int | None = None
    """How many of the tree's columns are quasi-identifiers, the first ones; None for all."""

    def write(self, suffix: str) -> str:
        """The tree in the format of a file's suffix: text, Graphviz, Mermaid.

        PRIVACY: a branch that no row took would name a value that the table hides
        (tests/unit/algorithms/test_tree_model.py).
        """
        return _WRITERS[suffix](self.tree, self.classes, only_taken=True)

    def __str__(self) -> str:
        return self.write(".txt")

    def leaves(self) -> list[dict[str, int]]:
        """The rows of each class in every leaf that has any; of many classes, only those that occur in the
        leaf. Leaves that differ in private tests only print alike, and count as one."""
        counts = self.tree.counts[self.tree.is_leaf]
        if self._has_private:
            allowed = _AllowedCodes.of(self.tree)
            parts = (allowed.low, allowed.high, allowed.with_missing, allowed.chosen)
            shown = np.concatenate([part[:, : self.n_public] for part in parts], axis=1)
            group = np.unique(shown[self.tree.is_leaf], axis=0, return_inverse=True)[1].reshape(-1)
            counts = sums_of_groups(counts, group, int(group.max()) + 1)
        return list(self._by_text(counts).values())

    def every_leaf(self) -> dict[int, dict[str, int]]:
        """The same by node, one entry for every leaf that has rows."""
        nodes = np.flatnonzero(self.tree.is_leaf).tolist()
        return {nodes[place]: line for place, line in self._by_text(self.tree.counts[nodes]).items()}

    def private_tests(self) -> list[tuple[Domain, Ints, Ints]]:
        """Every private column that is tested, with the first and the last code that each node allows."""
        if not self._has_private:
            return []
        allowed, domains = _AllowedCodes.of(self.tree), self.tree.splits.domains
        # Private tests never send missing, the last code, the way of some values only.
        high = np.where(allowed.with_missing, [domain.missing_code for domain in domains], allowed.high)
        columns = np.unique(self.tree.splits.column)
        private = columns[columns >= (self.n_public or 0)].tolist()
        return [(domains[column], allowed.low[:, column], high[:, column]) for column in private]

    @property
    def _has_private(self) -> bool:
        return self.n_public is not None and self.n_public < len(self.tree.splits.domains)

    def _by_text(self, counts: Counts) -> dict[int, dict[str, int]]:
        """Lines of class counts that have rows, by their place."""
        texts = (*self.classes[:-1], MISSING_TEXT)
        if not isinstance(counts, SparseCounts):
            lines = enumerate(counts.astype(np.int64).tolist())
            return {place: dict(zip(texts, line, strict=False)) for place, line in lines if any(line)}
        leaves: dict[int, dict[str, int]] = {}
        entries = (counts.line, counts.code, counts.amount.astype(np.int64))
        for place, code, n_rows in zip(*(part.tolist() for part in entries), strict=True):
            leaves.setdefault(place, {})[texts[code]] = n_rows
        return leaves


def publish_paths(table: EncodedTable, tree: Tree, leaf: Groups) -> Recoding:
    """Print every row by the tests on the path to its leaf; O(rows * columns + nodes * columns).

    Numbers become the range that the thresholds leave, values under a hierarchy the node that was tested,
    other values the set of a branch that takes several. No two leaves print alike. A path must not test a
    column again below a branch that takes values which do not follow each other.
    """
    columns = cells_of_leaves([column.domain for column in table.quasi], tree, leaf)
    return Recoding(columns, np.ones(table.n_rows, dtype=bool), leaf)


def cells_of_leaves(domains: Sequence[Domain], tree: Tree, leaf: Codes) -> tuple[RecodedColumn, ...]:
    """The cells of some leaves, for each of the tree's first columns; O(nodes * columns)."""
    allowed, columns = _AllowedCodes.of(tree), []
    for number, domain in enumerate(domains):
        made = [allowed.cell(domain, node, number) for node in range(tree.n_nodes)]
        place: dict[Cell, int] = {}
        cell_of_node = np.array([place.setdefault(each, len(place)) for each in made], dtype=np.int32)
        columns.append(RecodedColumn(domain, tuple(place), cell_of_node[leaf]))
    return tuple(columns)


@dataclass(frozen=True, slots=True, eq=False)
class _AllowedCodes:
    """What the path to each node lets through (nodes x columns)."""

    low: Ints  # the first and last value
    high: Ints
    with_missing: Bools
    chosen: Ints  # which of the sets, where the values do not follow each other; -1 for none
    sets: list[tuple[int, ...]]

    @classmethod
    def of(cls, tree: Tree) -> "_AllowedCodes":
        shape = (tree.n_nodes, len(tree.splits.domains))
        low, high = np.zeros(shape, dtype=np.int64), np.empty(shape, dtype=np.int64)
        high[:] = [domain.n_values - 1 for domain in tree.splits.domains]
        made = cls(low, high, np.ones(shape, dtype=bool), np.full(shape, -1), [])
        for nodes in tree.levels[1:]:
            above = tree.parent[nodes]
            for part in (made.low, made.high, made.with_missing, made.chosen):
                part[nodes] = part[above]
            column = tree.splits.column[above]
            first, last, is_missing, chosen = made._of_branches(tree, above, nodes - tree.first_child[above])
            made.low[nodes, column] = np.maximum(made.low[nodes, column], first)
            made.high[nodes, column] = np.minimum(made.high[nodes, column], last)
            made.with_missing[nodes, column] &= is_missing
            made.chosen[nodes, column] = np.maximum(made.chosen[nodes, column], chosen)
        return made

    def _of_branches(self, tree: Tree, node: Ints, branch: Ints) -> tuple[Ints, Ints, Bools, Ints]:
        """The first and last value that branches take, whether they take missing, and their sets."""
        splits, threshold = tree.splits, tree.splits.threshold[node]
        n_values = np.array([domain.n_values for domain in splits.domains])[splits.column[node]]
        # Threshold: up to it, beyond it, missing. Multiway: the branch is the code.
        first = np.choose(branch.clip(0, 2), [np.zeros_like(branch), threshold + 1, n_values])
        last = np.choose(branch.clip(0, 2), [threshold, n_values - 1, n_values - 1])
        is_cut = threshold >= 0
        first = np.where(is_cut, first, branch)
        last = np.where(is_cut, last, np.minimum(branch, n_values - 1))
        is_missing = np.where(is_cut, branch == splits.missing_branch[node], branch == n_values)
        chosen = np.full(len(node), -1)
        for place in np.flatnonzero(splits.grouping[node] >= 0).tolist():
            codes = np.flatnonzero(splits.groupings[splits.grouping[node[place]]] == branch[place])
            values = codes[codes < n_values[place]]
            is_missing[place] = len(values) < len(codes)
            first[place], last[place] = (values[0], values[-1]) if len(values) else (n_values[place], -1)
            if len(values) and values[-1] - values[0] >= len(values):
                chosen[place] = len(self.sets)
                self.sets.append(tuple(values.tolist()))
        return first, last, is_missing, chosen

    def cell(self, domain: Domain, node: int, column: int) -> Cell:
        """What a row of a node says about a column."""
        low, high = int(self.low[node, column]), int(self.high[node, column])
        with_missing, chosen = bool(self.with_missing[node, column]), int(self.chosen[node, column])
        if chosen >= 0:
            return cell.members(self.sets[chosen], with_missing=with_missing)
        if with_missing and (low, high) == (0, domain.n_values - 1):
            return cell.SUPPRESSED
        if low > high:
            return cell.MISSING
        if low < high and domain.hierarchy is not None and not with_missing:
            found = int(domain.hierarchy.common_node(np.array([low]), np.array([high]))[0])
            # A threshold need not end where a node does: the node would say less than the path, and so print
            # two leaves alike.
            if (domain.hierarchy.node_low[found], domain.hierarchy.node_high[found]) == (low, high):
                return cell.node(domain, found)
        if domain.is_numeric:
            return cell.span(low, high, with_missing=with_missing)
        return cell.members(tuple(range(low, high + 1)), with_missing=with_missing)
