"""kACTUS-2: repair every leaf that is too small by itself, by swapping a value or by suppressing one.

Kisilevich, Elovici, Shapira, Rokach, "kACTUS 2: Privacy Preserving in Classification Tasks Using k-Anonymity"
(Protecting Persons While Protecting the People, LNCS 5661, 2009).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kanopy.algorithms.kactus import MERGE_OPTION, TREE_OPTIONS
from kanopy.algorithms.method import WIDEN, Method, Option, Progress, silent
from kanopy.algorithms.requirements import check_satisfiable, least_members
from kanopy.algorithms.tree_release import BinnedTable, GroupedNodes, keeps, publish_groups, released_at_root
from kanopy.data import EncodedTable, Recoding
from kanopy.data.arrays import Ints
from kanopy.data.keys import rows_of_each
from kanopy.privacy import PrivacyModel
from kanopy.trees import Tree
from kanopy.trees.inducers import induce, is_fitted_tree


def kactus2(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator | None,
    progress: Progress = silent,
    *,
    inducer: Any = "c45",
    min_rows: int = 2,
    publish: str = "range",
    merge: str = "members",
    widen: bool = False,
    **rules: Any,
) -> Recoding:
    """Anonymize by kACTUS-2; see the options of ``KACTUS2``. Nothing here is random.

    The tree costs what its inducer does. Repairing it loops over inner nodes and their branches, and is
    O(rows), plus the rows that are handed up, once for every level they rise. At most k - 1 rows are dropped.
    """
    del rng
    assert table.weight is None, "equal rows may be released apart: expand the table"
    check_satisfiable(table, promise)
    has_bins = inducer == "id3" or (publish == "bins" and not is_fitted_tree(inducer))
    view = BinnedTable.of(table) if has_bins else BinnedTable(table, table)
    tree = induce(inducer, view.binned, min_rows)
    repair = _Repair(view.binned, tree, promise, **rules)
    repair.run(progress)
    groups = repair.released()  # before the swapped table: some swaps are undone
    style: Any = {"numbers": "range", "merge": merge, "widen": widen}
    recoding = publish_groups(repair.swapped_table(), tree, groups, **style)
    facts = {"swapped_cells": repair.n_untrue(recoding)}
    return replace(view.in_numbers(recoding, widen=widen), facts=facts)


@dataclass(frozen=True, slots=True)
class _Rules:
    """How small leaves are repaired; see the options of ``KACTUS2``."""

    swapping_threshold: float = 0.0
    swap_strict: bool = True
    donor_only: bool = False
    pooled: bool = False


@dataclass(slots=True, eq=False)
class _Leaf:
    """A node without children: its rows, sorted within each class. The first rows are taken first."""

    node: int
    by_class: list[Ints]
    n_taken: Ints  # of each class

    @property
    def counts(self) -> Ints:
        return np.array([len(rows) for rows in self.by_class], dtype=np.int64) - self.n_taken

    @property
    def n_rows(self) -> int:
        return int(self.counts.sum())

    def rows(self) -> Ints:
        """The rows that are still there."""
        return np.concatenate([rows[n:] for rows, n in zip(self.by_class, self.n_taken, strict=True)])

    def divided(self, n_of_class: Ints) -> tuple[Ints, Ints]:
        """The first rows of every class, so many of each, and those that would stay."""
        parts = list(zip(self.by_class, self.n_taken, self.n_taken + n_of_class, strict=True))
        first = np.concatenate([rows[begin:end] for rows, begin, end in parts])
        return first, np.concatenate([rows[end:] for rows, _, end in parts])


class _Repair:
    """The paper's algorithms 1 to 4, over the nodes of one tree."""

    def __init__(self, table: EncodedTable, tree: Tree, promise: PrivacyModel, **rules: Any) -> None:
        self._table, self._tree, self._promise, self._rules = table, tree, promise, _Rules(**rules)
        self._k = least_members(promise)
        assert table.target is not None
        self._target = table.target.codes
        self._class = np.zeros(table.n_rows, dtype=np.int64)
        self._n_classes = 1
        self._group = np.full(table.n_rows, -1, dtype=np.int32)
        self._node_of_group: list[int] = []
        self.swaps: list[tuple[Ints, int, int]] = []

    def run(self, progress: Progress) -> None:
        """Repair parents from the deepest level up; the root's own branches are not repaired."""
        tree = self._tree
        leaf = tree.route([column.codes for column in self._table.quasi], self._table.n_rows)
        of_nodes = enumerate(rows_of_each(leaf, tree.n_nodes))
        rows_of = {node: rows for node, rows in of_nodes if len(rows)}
        for nodes in reversed(tree.levels[1:]):
            for parent in nodes[~tree.is_leaf[nodes]].tolist():
                left = self._perform_anonymization(self._family(parent, rows_of))
                if len(left):
                    rows_of[parent] = left
            progress(int(np.count_nonzero(self._group >= 0)), self._table.n_rows)
        for child, rows in rows_of.items():
            if child and self._keeps(rows):
                self._release(child, rows)

    def released(self) -> GroupedNodes:
        """The group of each row and the node of each group, the leftovers included. Groups that have to join
        the leftovers tell no value any more, so those of their rows are not swapped."""
        left = np.flatnonzero(self._group < 0)
        root = len(self._node_of_group)
        group = released_at_root(self._group, left, self._table, self._promise, root)
        self.swaps = [swap for swap in self.swaps if group[swap[0][0]] != root]
        return GroupedNodes.of(group, np.array([*self._node_of_group, 0]))

    def n_untrue(self, recoding: Recoding) -> int:
        """How many swapped values a recoding prints: none where a group shows the column to be suppressed, as
        its rows differ beyond what the tree tests. O(swaps * codes + swapped rows)."""
        n_untrue = 0
        for rows, column, _ in self.swaps:
            printed = recoding.columns[column]
            is_covered = printed.cells[printed.ids[rows[0]]].covers(printed.domain)
            codes = self._table.quasi[column].take(rows).over(printed.domain).codes
            n_untrue += int(np.count_nonzero(~is_covered[codes]))
        return n_untrue

    def swapped_table(self) -> EncodedTable:
        """The table with the values that swapping wrote."""
        quasi = list(self._table.quasi)
        for column in {column for _, column, _ in self.swaps}:
            quasi[column] = replace(quasi[column], codes=quasi[column].codes.copy())
        for rows, column, code in self.swaps:
            quasi[column].codes[rows] = code
        return replace(self._table, quasi=tuple(quasi))

    def _family(self, parent: int, rows_of: dict[int, Ints]) -> list[_Leaf]:
        """The children of a node that have rows, which are taken out of ``rows_of``; their classes are
        numbered anew."""
        first, n_children = int(self._tree.first_child[parent]), int(self._tree.n_children[parent])
        rows = {child: rows_of.pop(child) for child in range(first, first + n_children) if child in rows_of}
        if not rows:
            return []
        together = np.concatenate(list(rows.values()))
        classes, self._class[together] = np.unique(self._target[together], return_inverse=True)
        self._n_classes = len(classes)
        return [self._leaf(child, of_child) for child, of_child in rows.items()]

    def _leaf(self, node: int, rows: Ints) -> _Leaf:
        """A leaf, its rows sorted by class, then by number; O(rows log rows + classes)."""
        classes = self._class[rows]
        ends = np.cumsum(np.bincount(classes, minlength=self._n_classes))
        by_class = np.split(rows[np.lexsort((rows, classes))], ends[:-1])
        return _Leaf(node, by_class, np.zeros(len(by_class), dtype=np.int64))

    def _keeps(self, rows: Ints) -> bool:
        return keeps(rows, self._table, self._promise)

    def _release(self, node: int, rows: Ints) -> None:
        self._group[rows] = len(self._node_of_group)
        self._node_of_group.append(node)

    def _perform_anonymization(self, leaves: Sequence[_Leaf]) -> Ints:
        """Release what can be released of a family; the rows that are left for the parent."""
        if sum(leaf.n_rows for leaf in leaves) >= self._k:
            complying = [leaf for leaf in leaves if self._keeps(leaf.rows())]
            leaves = [leaf for leaf in leaves if leaf not in complying]
            if complying:
                leaves = self._suppress(complying, self._swap(complying, leaves))
        return np.concatenate([np.empty(0, dtype=np.int64), *(leaf.rows() for leaf in leaves)])

    def _swap(self, complying: list[_Leaf], others: list[_Leaf]) -> list[_Leaf]:
        """Fill small leaves with rows of a sibling, whose value is changed; the leaves that were not."""
        unserved = []
        for small in others:
            donor = None
            # Divided, not multiplied: 29 / 100 is the float 0.29, but 0.29 * 100 is less than 29.
            if (self._k - small.n_rows) / self._k <= self._rules.swapping_threshold:
                donor = self._purest_donor(complying, small)
            if donor is None:
                unserved.append(small)
                continue
            column = int(self._tree.splits.column[self._tree.parent[small.node]])
            # A test that is no equality lets several values through: the most frequent one is written.
            codes, n_rows = np.unique(self._table.quasi[column].codes[small.rows()], return_counts=True)
            taken = self._fill(small, donor, small.node)
            self.swaps.append((taken, column, int(codes[n_rows.argmax()])))
        return unserved

    def _suppress(self, complying: list[_Leaf], others: list[_Leaf]) -> list[_Leaf]:
        """Fill small leaves with rows of a sibling, without the value that tells them apart; the rest."""
        if self._rules.pooled and others:
            together = np.concatenate([leaf.rows() for leaf in others])
            others = [self._leaf(others[0].node, np.sort(together))]
        for donor in complying:
            unserved = []
            for small in others:
                if self._can_give(donor, small, least_over=0):
                    self._fill(small, donor, int(self._tree.parent[small.node]))
                else:
                    unserved.append(small)
            others = unserved
            self._release(donor.node, donor.rows())
        return others

    def _fill(self, small: _Leaf, donor: _Leaf, node: int) -> Ints:
        """Release a small leaf at a node, together with rows of the donor, which are given back."""
        selection = self._selection(donor, small)
        taken, _ = donor.divided(selection)
        donor.n_taken = donor.n_taken + selection
        self._release(node, np.concatenate([small.rows(), taken]))
        return taken

    def _purest_donor(self, complying: list[_Leaf], small: _Leaf) -> _Leaf | None:
        """Of those who can give, the one whose class is the most certain afterwards."""
        over = int(self._rules.swap_strict)
        donors = [donor for donor in complying if self._can_give(donor, small, least_over=over)]
        return min(
            donors, key=lambda donor: entropy(donor.counts - self._selection(donor, small)), default=None
        )

    def _can_give(self, donor: _Leaf, small: _Leaf, *, least_over: int) -> bool:
        """Whether rows are lacking, the donor has enough beyond k, and the promise holds for both afterwards.

        PRIVACY: k rows are not all that a promise may ask for (tests/unit/algorithms/test_kactus2.py).
        """
        n_lacking = self._k - small.n_rows
        if n_lacking <= 0 or donor.n_rows - self._k < n_lacking + least_over:
            return False
        if not self._table.confidential and self._table.persons is None:
            return True
        taken, stays = donor.divided(self._selection(donor, small))
        return self._keeps(np.concatenate([small.rows(), taken])) and self._keeps(stays)

    def _selection(self, donor: _Leaf, small: _Leaf) -> Ints:
        match = not self._rules.donor_only
        wanted = small.counts if match else donor.counts * 0
        return select(donor.counts, wanted, self._k - small.n_rows, match=match)


def select(donor: Ints, small: Ints, required: int, *, match: bool = True) -> Ints:
    """How many rows of each class to move from a donor to a small leaf, given the class counts of both.

    Row by row, the paper moves the class that makes the small leaf purest, its most frequent one (of several,
    the one that the donor has fewest of); where the donor has none of these, the donor's rarest. As that
    stays the choice until the donor has no more of it, whole classes are moved at once: O(classes ** 2).
    Ties: the first class. Without ``match`` only the donor counts.
    """
    donor, small = donor.copy(), small.copy()
    moved = np.zeros_like(donor)
    while required:
        candidates = donor > 0
        if match:
            wanted = candidates & (small == small.max())
            candidates = wanted if wanted.any() else candidates
        chosen = int(np.where(candidates, donor, donor.max() + 1).argmin())
        n_moved = min(required, int(donor[chosen]))
        donor[chosen] -= n_moved
        small[chosen] += n_moved
        moved[chosen] += n_moved
        required -= n_moved
    return moved


def entropy(counts: Ints) -> float:
    """Of the classes, in bits; rounded, so that equal ones tie."""
    shares = counts[counts > 0] / max(int(counts.sum()), 1)
    return round(float(-(shares * np.log2(shares)).sum()), 12)


KACTUS2 = Method(
    name="kactus2",
    title="as kactus, but repairs small leaves one by one, by entropy and not at random; may swap values",
    paper="Kisilevich, Elovici, Shapira, Rokach: kACTUS 2: Privacy Preserving in Classification Tasks Using "
    "k-Anonymity (LNCS 5661, 2009)",
    run=kactus2,
    draws=False,
    needs_target=True,
    drops="fewer than k",
    options={
        "swapping_threshold": Option(
            0.0,
            "a leaf that lacks at most this share of k is filled with rows whose value is changed; 0: never",
            at_least=0,
            at_most=1,
        ),
        "inducer": TREE_OPTIONS["inducer"],
        "min_rows": Option(2, "rows that at least two branches of a split need", at_least=1),
        "publish": Option(
            "range",
            "numbers: bins that are cut beforehand for the class, as in the paper, or ranges that the tree "
            "cuts itself; a fitted tree always gets ranges",
            ("bins", "range"),
        ),
        "merge": MERGE_OPTION,
        "widen": WIDEN,
        "swap_strict": Option(
            True, "whether a leaf that gives rows to be swapped must keep more than k, as printed"
        ),
        "donor_only": Option(
            False, "whether rows are chosen by what the leaf that gives them keeps, and by nothing else"
        ),
        "pooled": Option(False, "whether all small leaves of a node are repaired as one"),
    },
    presets={"paper": {"publish": "bins", "merge": "suppress", "swapping_threshold": 0.5}},
)
