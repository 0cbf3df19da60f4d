"""kACTUS: grow a decision tree for the class, then prune it until every leaf keeps the promise.

Kisilevich, Rokach, Elovici, Shapira, "Efficient Multi-Dimensional Suppression for K-Anonymity" (TKDE 2010).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kanopy.algorithms.method import Method, Option, Progress, silent
from kanopy.algorithms.requirements import check_satisfiable, least_members
from kanopy.algorithms.tree_release import (
    MERGES,
    NUMBERS,
    BinnedTable,
    GroupedNodes,
    publish_groups,
    released_at_root,
)
from kanopy.data import EncodedTable, GroupCounts, Recoding
from kanopy.data.arrays import Bools, Groups, Ints
from kanopy.data.keys import rank, rows_of_each
from kanopy.errors import PolicyError
from kanopy.privacy import PrivacyModel
from kanopy.trees import Tree
from kanopy.trees.inducers import INDUCERS, induce, is_fitted_tree, is_inducer


def kactus(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    inducer: Any = "c45",
    min_rows: int = 0,
    publish: str = "range",
    merge: str = "members",
    **literal: bool,
) -> Recoding:
    """Anonymize by kACTUS; see the options of ``KACTUS``.

    The tree costs what its inducer does. Pruning it is O(rows), plus the rows that are handed up, once for
    every level they rise. At most k - 1 rows are dropped.
    """
    assert table.weight is None, "equal rows may be released apart: expand the table"
    check_satisfiable(table, promise)
    if publish == "bins" and is_fitted_tree(inducer):
        raise PolicyError("a fitted tree knows no bins", "publish means or ranges, or an unfitted tree")
    needs_bins = publish == "bins" or inducer == "id3"
    view = BinnedTable.of(table) if needs_bins else BinnedTable(table, table)
    tree = induce(inducer, view.binned, min_rows or least_members(promise))
    leaf = tree.route([column.codes for column in view.binned.quasi], table.n_rows)
    node = anonymize_leaves(tree, leaf, table, promise, rng, progress, **literal)
    groups = GroupedNodes.of_nodes(node, tree.n_nodes)
    return view.in_numbers(publish_groups(view.binned, tree, groups, numbers=publish, merge=merge))


def anonymize_leaves(
    tree: Tree,
    leaf: Groups,
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    literal_nui_zero: bool = False,
    literal_nui_ge_k: bool = False,
) -> Groups:
    """The paper's second phase: the node at which each row is released; -1 for rows that are dropped.

    From the deepest level up, leaves that comply are released. The rows of the others go up to their parent.
    Where they are too few for a group, complying siblings give up some of theirs, chosen at random.
    """
    k = least_members(promise)
    node = np.full(table.n_rows, -1, dtype=np.int32)
    holder = leaf.astype(np.int64)
    of_depth = rows_of_each(tree.depth[leaf], len(tree.levels))
    lifted = np.empty(0, dtype=np.int64)
    for rows_of_leaves in reversed(of_depth[1:]):
        rows = np.concatenate([rows_of_leaves, lifted])
        group, n_groups = _numbered(holder[rows])
        complies = promise.holds(GroupCounts.of(table, group, n_groups, rows))[group]
        moved = np.zeros(len(rows), dtype=bool)
        if complies.any():
            siblings = _Siblings(tree, holder[rows], rows, complies, table)
            required = _required(siblings, k, zero=literal_nui_zero, ge_k=literal_nui_ge_k)
            moved = siblings.draw(required, k, rng)
            moved &= siblings.still_keep(moved, promise)[siblings.family]
        released = rows[complies & ~moved]
        node[released] = holder[released]
        lifted = rows[~complies | moved]
        holder[lifted] = tree.parent[holder[lifted]]
        progress(int(np.count_nonzero(node >= 0)), table.n_rows)
    return released_at_root(node, np.concatenate([of_depth[0], lifted]), table, promise)


def _required(siblings: _Siblings, k: int, *, zero: bool, ge_k: bool) -> Ints:
    """How many rows each family must give up: as many as its leftovers lack to k. The pseudo-code also takes
    k rows where there are no leftovers (``zero``), and all spare rows where there are enough (``ge_k``)."""
    n_left = siblings.n_left
    required = np.where((n_left > 0) & (n_left < k), k - n_left, 0)
    if zero:
        required[n_left == 0] = k
    if ge_k:
        required[n_left >= k] = siblings.n_spare(k)[n_left >= k]
    return required


class _Siblings:
    """The rows of one level, in families: all leaves that have the same parent."""

    def __init__(self, tree: Tree, holder: Ints, rows: Ints, complies: Bools, table: EncodedTable) -> None:
        self._rows, self._complies, self._table = rows, complies, table
        self.family, self.n_families = _numbered(tree.parent[holder])
        self._leaf, self._n_leaves = _numbered(holder)
        left = np.flatnonzero(~complies)
        counts = GroupCounts.of(table, self.family[left], self.n_families, rows[left])
        self.n_left = counts.members

    def n_spare(self, k: int) -> Ints:
        """Rows of each family's complying leaves beyond the first k."""
        in_leaf = np.bincount(self._leaf[self._complies], minlength=self._n_leaves)
        family_of_leaf = np.zeros(self._n_leaves, dtype=np.int64)
        family_of_leaf[self._leaf] = self.family
        spare = np.maximum(in_leaf - k, 0)
        return np.bincount(family_of_leaf, weights=spare, minlength=self.n_families).astype(np.int64)

    def draw(self, required: Ints, k: int, rng: np.random.Generator) -> Bools:
        """Which rows are given up: of every leaf k stay, and of the others as many as the family requires are
        drawn, all equally likely; none where there are fewer. O(rows), and a sort of the rows in question."""
        gives = (required > 0) & (self.n_spare(k) >= required)
        places = np.flatnonzero(self._complies & gives[self.family])
        spare = places[_random_place(self._leaf[places], rng) >= k]
        is_drawn = _random_place(self.family[spare], rng) < required[self.family[spare]]
        moved = np.zeros(len(self._rows), dtype=bool)
        moved[spare[is_drawn]] = True
        return moved

    def still_keep(self, moved: Bools, promise: PrivacyModel) -> Bools:
        """Whether in each family givers and leftovers keep the promise after the move.

        PRIVACY: k rows are not all that a promise may ask for (tests/unit/algorithms/test_kactus.py).
        """
        involved = np.zeros(self.n_families, dtype=bool)
        involved[self.family[moved]] = True
        places = np.flatnonzero(involved[self.family])
        goes_up = ~self._complies[places] | moved[places]
        leaf = np.where(goes_up, self._n_leaves + self.family[places], self._leaf[places])
        _, first, group = np.unique(leaf, return_index=True, return_inverse=True)
        counts = GroupCounts.of(self._table, group, len(first), self._rows[places])
        keeps = np.ones(self.n_families, dtype=bool)
        keeps[self.family[places[first[~promise.holds(counts)]]]] = False
        return keeps


def _numbered(nodes: Ints) -> tuple[Groups, int]:
    """Nodes numbered from 0 without gaps; O(rows + nodes)."""
    return rank(nodes, int(nodes.max(initial=0)) + 1)


def _random_place(group: Groups, rng: np.random.Generator) -> Ints:
    """A random place for every row within its group, from 0."""
    order = np.lexsort((rng.random(len(group)), group))
    sizes = np.bincount(group)
    place = np.empty(len(group), dtype=np.int64)
    place[order] = np.arange(len(group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return place


TREE_OPTIONS = {
    "inducer": Option(
        "c45",
        "what grows the tree: c45, or id3, which works on bins; in Python also a scikit-learn tree or your "
        "own function",
        tuple(INDUCERS),
        accepts=is_inducer,
    ),
    "min_rows": Option(0, "rows that at least two branches of a split need; 0: as many as k", at_least=0),
}

MERGE_OPTION = Option(
    "members",
    "the column that divided merged leaves: suppress it, or publish the members, the set of their values",
    MERGES,
)

KACTUS = Method(
    name="kactus",
    title="prunes a decision tree until its leaves keep the promise; suppresses what the tree does not use",
    paper="Kisilevich, Rokach, Elovici, Shapira: Efficient Multi-Dimensional Suppression for K-Anonymity "
    "(TKDE 2010)",
    run=kactus,
    needs_target=True,
    drops="fewer than k",
    options={
        **TREE_OPTIONS,
        "publish": Option(
            "range",
            "numbers that the tree uses: their group's mean, its range, or bins that are cut beforehand",
            NUMBERS,
        ),
        "merge": MERGE_OPTION,
        "literal_nui_zero": Option(
            False, "as printed in the paper: take k rows from complying leaves also where no leaf needs them"
        ),
        "literal_nui_ge_k": Option(
            False, "as printed in the paper: where leftovers suffice, leave all spare rows with them"
        ),
    },
    presets={"paper": {"publish": "mean", "merge": "suppress"}},
)
