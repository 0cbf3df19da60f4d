"""A published tree, and the table that it implies: a row says what the path to its leaf says, no more."""

from dataclasses import dataclass

import numpy as np

from kanopy.data import Cell, Domain, EncodedTable, RecodedColumn, Recoding, cell
from kanopy.data.arrays import Bools, Groups, Ints
from kanopy.data.grammar import MISSING_TEXT
from kanopy.trees import Tree, as_graphviz, as_mermaid, as_text
from kanopy.trees.class_counts import SparseCounts, sums_of_groups

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
        texts = (*self.classes[:-1], MISSING_TEXT)
        counts = self.tree.counts[self.tree.is_leaf]
        if self.n_public is not None and self.n_public < len(self.tree.splits.domains):
            shown = np.concatenate([ends[:, : self.n_public] for ends in _code_ranges(self.tree)], axis=1)
            group = np.unique(shown[self.tree.is_leaf], axis=0, return_inverse=True)[1].reshape(-1)
            counts = sums_of_groups(counts, group, int(group.max()) + 1)
        if not isinstance(counts, SparseCounts):
            lines = counts.astype(np.int64).tolist()
            return [dict(zip(texts, line, strict=False)) for line in lines if any(line)]
        leaves: dict[int, dict[str, int]] = {}
        entries = (counts.line, counts.code, counts.amount.astype(np.int64))
        for leaf, code, n_rows in zip(*(part.tolist() for part in entries), strict=True):
            leaves.setdefault(leaf, {})[texts[code]] = n_rows
        return list(leaves.values())


def publish_paths(table: EncodedTable, tree: Tree, leaf: Groups) -> Recoding:
    """Print every row by the tests on the path to its leaf; O(rows * columns + nodes * columns).

    Numbers become the range that the thresholds leave, values under a hierarchy the node that was tested. No
    two leaves print alike. Groupings must be runs of codes.
    """
    low, high, only_missing = _code_ranges(tree)
    columns = []
    for number, column in enumerate(table.quasi):
        ranges = zip(*(part[:, number].tolist() for part in (low, high, only_missing)), strict=True)
        made = [_path_cell(column.domain, *allowed) for allowed in ranges]
        place: dict[Cell, int] = {}
        cell_of_node = np.array([place.setdefault(each, len(place)) for each in made], dtype=np.int32)
        columns.append(RecodedColumn(column.domain, tuple(place), cell_of_node[leaf]))
    return Recoding(tuple(columns), np.ones(table.n_rows, dtype=bool), leaf)


def _code_ranges(tree: Tree) -> tuple[Ints, Ints, Bools]:
    """Nodes x columns: the lowest and highest code that the path allows, and whether only missing is."""
    domains = tree.splits.domains
    shape = (tree.n_nodes, len(domains))
    low, high = np.zeros(shape, dtype=np.int64), np.empty(shape, dtype=np.int64)
    # One more than the last value: untested, so that missing is allowed as well.
    high[:] = [domain.missing_code for domain in domains]
    only_missing = np.zeros(shape, dtype=bool)
    for nodes in tree.levels[1:]:
        above = tree.parent[nodes]
        low[nodes], high[nodes], only_missing[nodes] = low[above], high[above], only_missing[above]
        column = tree.splits.column[above]
        first, last = _codes_of_branch(tree, above, nodes - tree.first_child[above])
        low[nodes, column] = np.maximum(low[nodes, column], first)
        high[nodes, column] = np.minimum(high[nodes, column], last)
        missing_code = np.array([domain.missing_code for domain in domains])[column]
        only_missing[nodes, column] = first == missing_code
    return low, high, only_missing


def _codes_of_branch(tree: Tree, node: Ints, branch: Ints) -> tuple[Ints, Ints]:
    """The first and last code that a branch of a node takes; missing has branches of its own."""
    splits = tree.splits
    missing_code = np.array([domain.missing_code for domain in splits.domains])[splits.column[node]]
    threshold = splits.threshold[node]
    # Multiway: the branch is the code. Threshold: up to it, beyond it, missing.
    first = np.choose(branch.clip(0, 2), [np.zeros_like(branch), threshold + 1, missing_code])
    last = np.choose(branch.clip(0, 2), [threshold, missing_code - 1, missing_code])
    first, last = np.where(threshold >= 0, first, branch), np.where(threshold >= 0, last, branch)
    for place in np.flatnonzero(splits.grouping[node] >= 0).tolist():
        codes = np.flatnonzero(splits.groupings[splits.grouping[node[place]]] == branch[place])
        first[place], last[place] = codes[0], codes[-1]
    return first, last


def _path_cell(domain: Domain, low: int, high: int, only_missing: bool) -> Cell:  # noqa: FBT001
    if only_missing:
        return cell.MISSING
    if high == domain.missing_code:
        return cell.SUPPRESSED
    if low < high and domain.hierarchy is not None:
        found = int(domain.hierarchy.common_node(np.array([low]), np.array([high]))[0])
        # A threshold need not end where a node does: the node would say less than the path, and so print
        # two leaves alike.
        if (domain.hierarchy.node_low[found], domain.hierarchy.node_high[found]) == (low, high):
            return cell.node(domain, found)
    return cell.span(low, high)
