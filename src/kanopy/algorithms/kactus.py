"""kACTUS: grow a decision tree for the class, then prune it until every leaf keeps the promise.

Kisilevich, Rokach, Elovici, Shapira, "Efficient Multi-Dimensional Suppression for K-Anonymity" (TKDE 2010).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kanopy.algorithms.draws import drawn_by_count
from kanopy.algorithms.equal_rows import EqualRows
from kanopy.algorithms.method import WIDEN, Method, Option, Progress, always, silent
from kanopy.algorithms.requirements import check_satisfiable, least_members
from kanopy.algorithms.strata import SharedOut, Strata, shared_among_rows
from kanopy.algorithms.tickets import drawn_salt
from kanopy.algorithms.tree_release import (
    MERGES,
    NUMBERS,
    BinnedTable,
    GroupedNodes,
    publish_groups,
    released_at_root,
)
from kanopy.data import EncodedTable, GroupCounts, Recoding, Split
from kanopy.data.arrays import Bools, Codes, Groups, Ints
from kanopy.data.keys import counted, order_of, rank, rows_of_each
from kanopy.errors import PolicyError
from kanopy.privacy import PrivacyModel
from kanopy.trees import Tree
from kanopy.trees.inducers import INDUCERS, induce, is_fitted_tree, is_inducer

if TYPE_CHECKING:
    from kanopy.algorithms.division.groups import DividedRelease

_DRAWN_ROW_BY_ROW = 1 << 20
"""Up to so many rows are drawn one by one, as they were before equal rows were counted: releases of such
tables stay what they were."""


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
    widen: bool = False,
    **literal: bool,
) -> Recoding:
    """Anonymize by kACTUS; see the options of ``KACTUS``.

    The tree costs what its inducer does. Pruning it is O(rows), plus the rows that are handed up, once for
    every level they rise. At most k - 1 rows are dropped. A large table is one of different rows, and counts
    of them are drawn: an inducer that has no name gets every row all the same.
    """
    check_satisfiable(table, promise)
    if publish == "bins" and is_fitted_tree(inducer):
        raise PolicyError("a fitted tree knows no bins", "publish means or ranges, or an unfitted tree")
    needs_bins = publish == "bins" or inducer == "id3"
    is_drawn_by_row = table.persons is not None or is_drawn_row_by_row(table.total_weight)
    rows = EqualRows.apart(table) if is_drawn_by_row else EqualRows.counted(table)
    view = BinnedTable.of(rows.table) if needs_bins else BinnedTable(rows.table, rows.table)
    counts = isinstance(inducer, str) or is_fitted_tree(inducer)
    tree = induce(
        inducer, view.binned if counts else view.binned.expanded(), min_rows or least_members(promise)
    )
    leaf = tree.route([column.codes for column in view.binned.quasi], view.binned.n_rows)
    if is_drawn_by_row:
        node, split = anonymize_leaves(tree, leaf, view.binned, promise, rng, progress, **literal)
    else:
        node, split = _anonymize_strata(tree, leaf, rows.table, promise, rng, progress, **literal)
    groups = GroupedNodes.of_nodes(node, tree.n_nodes)
    parts = view.binned if split is None else split.of(view.binned)
    recoding = publish_groups(parts, tree, groups, numbers=publish, merge=merge, widen=widen)
    return rows.of_given(view.in_numbers(recoding, widen=widen), split)


def is_drawn_row_by_row(n_rows: int) -> bool:
    """Whether the rows of a table of so many are drawn one by one."""
    return n_rows <= _DRAWN_ROW_BY_ROW


def _anonymize_strata(
    tree: Tree,
    leaf: Groups,
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator,
    progress: Progress,
    **literal: bool,
) -> ReleasedRows:
    """The same as ``anonymize_leaves`` with a table of different rows, counted: first how many rows of each
    stratum are released where, then which."""
    salt = drawn_salt(rng)
    strata, stratum = Strata.of_rows(table, leaf, tree.n_nodes)
    counted_rows = strata.table([column.domain for column in table.confidential.values()])
    found = anonymize_leaves(tree, strata.leaf, counted_rows, promise, rng, progress, **literal)
    shared = SharedOut.of(found.node, found.split)
    return ReleasedRows(*shared_among_rows(table, strata, stratum, shared, salt))


class ReleasedRows(NamedTuple):
    """Where the rows of a table are released."""

    node: Groups  # of the tree; -1 for rows that are dropped
    split: Split | None = None  # where equal rows are released apart, in the order of the table


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
) -> ReleasedRows:
    """The paper's second phase: the node at which each row, or each part of it, is released.

    From the deepest level up, leaves that comply are released. The rows of the others go up to their parent.
    Where they are too few for a group, complying siblings give up some of theirs, chosen at random.
    """
    k, parts = least_members(promise), _Parts(table, leaf)
    of_depth = rows_of_each(tree.depth[leaf], len(tree.levels))
    lifted = np.empty(0, dtype=np.int64)
    for of_leaves in reversed(of_depth[1:]):
        here = np.concatenate([of_leaves, lifted])
        group, n_groups = _numbered(parts.holder[here])
        complies = promise.holds(parts.counts(here, parts.weight[here], group, n_groups))[group]
        n_moved = np.zeros(len(here), dtype=np.int64)
        if complies.any():
            siblings = _Siblings(tree, parts, here, complies)
            required = _required(siblings, k, zero=literal_nui_zero, ge_k=literal_nui_ge_k)
            n_moved = siblings.draw(required, k, rng)
            n_moved[~siblings.still_keep(n_moved, promise)[siblings.family]] = 0
        lifted = parts.release(here, np.where(complies, n_moved, parts.weight[here]))
        parts.holder[lifted] = tree.parent[parts.holder[lifted]]
        progress(parts.n_released, table.total_weight)
    return parts.released(np.concatenate([of_depth[0], lifted]), promise)


class _Parts:
    """The rows of a table on their way up a tree, in parts where equal ones go different ways."""

    def __init__(self, table: EncodedTable, leaf: Groups) -> None:
        self.table = table
        self.origin = np.arange(table.n_rows)
        self.weight = np.ones(table.n_rows, dtype=np.int64) if table.weight is None else table.weight.copy()
        self.holder = leaf.astype(np.int64)
        self.node = np.full(table.n_rows, -1, dtype=np.int32)
        self.n_released = 0

    def counts(self, parts: Ints, weight: Ints, groups: Codes, n_groups: int) -> GroupCounts:
        """Count so many rows of each of these parts; O(parts * confidential columns)."""
        table, rows = self.table, self.origin[parts]
        codes = {name: column.codes[rows] for name, column in table.confidential.items()}
        persons = None if table.persons is None else table.persons[rows]
        times = None if table.weight is None else weight
        return GroupCounts.of_members(table, codes, persons, times, groups, n_groups)

    def release(self, parts: Ints, n_lifted: Ints) -> Ints:
        """Release parts where they are, but for so many rows of each, which are given back as parts."""
        is_whole = n_lifted == self.weight[parts]
        stays = parts[~is_whole]
        self.node[stays] = self.holder[stays]
        is_divided = ~is_whole & (n_lifted > 0)
        divided, n_new = parts[is_divided], n_lifted[is_divided]
        new = np.arange(len(self.node), len(self.node) + len(divided))
        if len(new):
            self.weight[divided] -= n_new
            self.weight = np.append(self.weight, n_new)
            self.origin = np.append(self.origin, self.origin[divided])
            self.holder = np.append(self.holder, self.holder[divided])
            self.node = np.append(self.node, np.full(len(new), -1, dtype=np.int32))
        self.n_released += int(self.weight[stays].sum())
        return np.concatenate([parts[is_whole], new])

    def released(self, left: Ints, promise: PrivacyModel) -> ReleasedRows:
        """Where each part is released; what is left, at the root."""
        if len(self.origin) == self.table.n_rows:
            return ReleasedRows(released_at_root(self.node, left, self.table, promise))
        counted = Split(self.origin, self.weight).of(replace(self.table, quasi=(), target=None))
        node = released_at_root(self.node, left, counted, promise)
        order = order_of(self.origin, self.table.n_rows)
        return ReleasedRows(node[order], Split(self.origin[order], self.weight[order]))


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

    def __init__(self, tree: Tree, parts: _Parts, here: Ints, complies: Bools) -> None:
        self._parts, self._here, self._complies = parts, here, complies
        self._weight = parts.weight[here]
        self.family, self.n_families = _numbered(tree.parent[parts.holder[here]])
        self._leaf, self._n_leaves = _numbered(parts.holder[here])
        self._family_of_leaf = np.zeros(self._n_leaves, dtype=np.int64)
        self._family_of_leaf[self._leaf] = self.family
        left = np.flatnonzero(~complies)
        counts = parts.counts(here[left], self._weight[left], self.family[left], self.n_families)
        self.n_left = counts.members

    def n_spare(self, k: int) -> Ints:
        """Rows of each family's complying leaves beyond the first k."""
        n_spare: Ints = counted(self._family_of_leaf, self.n_families, self._spare_of_leaf(k))
        return n_spare

    def _spare_of_leaf(self, k: int) -> Ints:
        in_leaf: Ints = counted(self._leaf[self._complies], self._n_leaves, self._weight[self._complies])
        return np.maximum(in_leaf - k, 0)

    def draw(self, required: Ints, k: int, rng: np.random.Generator) -> Ints:
        """How many rows of each part are given up: of every leaf k stay, and of the others as many as the
        family requires are drawn, all equally likely; none where there are fewer. O(parts), and sorts."""
        required = np.where(self.n_spare(k) >= required, required, 0)
        places = np.flatnonzero(self._complies & (required > 0)[self.family])
        n_moved = np.zeros(len(self._here), dtype=np.int64)
        if self._parts.table.weight is None:
            spare = places[_random_place(self._leaf[places], rng) >= k]
            is_drawn = _random_place(self.family[spare], rng) < required[self.family[spare]]
            n_moved[spare[is_drawn]] = 1
        else:
            # Any rows of a leaf may be those beyond k: first how many each leaf gives up, then which.
            of_leaf = drawn_by_count(self._spare_of_leaf(k), self._family_of_leaf, required, rng)
            n_moved[places] = drawn_by_count(self._weight[places], self._leaf[places], of_leaf, rng)
        return n_moved

    def still_keep(self, n_moved: Ints, promise: PrivacyModel) -> Bools:
        """Whether in each family givers and leftovers keep the promise after the move.

        PRIVACY: k rows are not all that a promise may ask for (tests/unit/algorithms/test_kactus.py).
        """
        involved = np.zeros(self.n_families, dtype=bool)
        involved[self.family[n_moved > 0]] = True
        places = np.flatnonzero(involved[self.family])
        family = self.family[places]
        n_up = np.where(self._complies[places], n_moved[places], self._weight[places])
        leaf = np.concatenate([self._leaf[places], self._n_leaves + family])
        weight = np.concatenate([self._weight[places] - n_up, n_up])
        some = np.flatnonzero(weight)
        _, first, group = np.unique(leaf[some], return_index=True, return_inverse=True)
        part = np.tile(self._here[places], 2)[some]
        counts = self._parts.counts(part, weight[some], group, len(first))
        keeps = np.ones(self.n_families, dtype=bool)
        keeps[np.tile(family, 2)[some[first[~promise.holds(counts)]]]] = False
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


def _divide(*given: Any, **options: Any) -> DividedRelease:
    from kanopy.algorithms.division.kactus import kactus_divided  # for tables that no process holds

    return kactus_divided(*given, **options)


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
    takes_weights=always,
    options={
        **TREE_OPTIONS,
        "publish": Option(
            "range",
            "numbers that the tree uses: their group's mean, its range, or bins that are cut beforehand",
            NUMBERS,
        ),
        "merge": MERGE_OPTION,
        "widen": WIDEN,
        "literal_nui_zero": Option(
            False, "as printed in the paper: take k rows from complying leaves also where no leaf needs them"
        ),
        "literal_nui_ge_k": Option(
            False, "as printed in the paper: where leftovers suffice, leave all spare rows with them"
        ),
    },
    presets={"paper": {"publish": "mean", "merge": "suppress"}},
    divide=_divide,
)
