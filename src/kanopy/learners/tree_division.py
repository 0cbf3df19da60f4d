"""Where rows go on whose cell leaves more than one branch open: after a split, and to be predicted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.data.keys import group_rows
from kanopy.data.value_sets import numbers_from
from kanopy.learners.cells import CellColumn
from kanopy.learners.tree_columns import Members, OwnSets, Partition, TreeColumn
from kanopy.learners.tree_level import CellLevel, CellSlots, ranked
from kanopy.trees.splits import BranchShares, Parts, Splits
from kanopy.trees.tree import Tree, shares_at_leaves

_LEAST_PART = 1e-4  # a part of a row that weighs less stays at its node
_SAME = 1e-9  # what counts as equal: sums in another order differ in their last digits

Measure = Callable[[Ints, Ints], Floats]
"""From the first slots of runs, and the slots after their last, to how much the runs weigh."""


@dataclass(frozen=True, slots=True)
class Division:
    """How rows with generalized cells go on.

    A part of a row that weighs less than ``least_part`` is left to the other parts. If there would be more
    than ``most_parts`` in all (or more than rows), so are the lightest, equal ones together. Both keep the
    weight of every row, and bound what a level costs. A heaviest part always stays; of equal ones another
    from row to row, so that no branch has more than its share.
    """

    partition: Partition
    members: Members  # of fractional: the values of a cell are alike, or weigh as much as they do in the node
    least_part: float
    most_parts: int
    rng: np.random.Generator = field(default_factory=np.random.default_rng)

    def __call__(self, level: CellLevel, splits: Splits) -> Parts:
        """Divide all places of a level whose nodes are all split; parts of a place follow one another.

        O(places + pairs * values of a cell), of thresholds O(pairs * runs of a cell), plus sorts of these.
        """
        found = [self._by_column(level, splits, number) for number in np.unique(splits.column).tolist()]
        place, branch, weight = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
        if self.partition == "fractional":
            return self._without_light_parts(place, branch, weight)
        return place, branch, weight

    def _by_column(self, level: CellLevel, splits: Splits, number: int) -> Parts:
        is_mine = splits.column == number
        mine, places = level.of_nodes(is_mine), np.flatnonzero(is_mine.take(level.node))
        slots = CellSlots(mine, number, members=self.members)
        column = level.columns[number]
        if column.domain.is_numeric:
            pair, branch, amount = self._at_thresholds(column, slots, splits.threshold[is_mine])
        else:
            pair, branch, amount = self._at_values(column, slots)
        find = BranchShares.of_highest if self.partition == "highest_frequency" else BranchShares.of
        shares = find(pair, branch, amount, len(slots.pairs))
        if self.partition in ("fractional", "highest_frequency"):
            part, branch, share = shares.parts(slots.pairs.of_place)
            return places[part], branch, mine.weight[part] * share
        return places, shares.drawn(slots.pairs.of_place, self.rng), mine.weight

    def _at_values(self, column: TreeColumn, slots: CellSlots) -> Parts:
        pair, slot, _ = _with_unknown(slots)
        value = slots.low[slot]
        if self.partition in ("highest_frequency", "original_distribution"):
            amount = column.frequency[value]
        elif self.partition == "fractional" and self.members == "frequency":
            unknown = slots.pairs.is_unknown[pair]
            amount = np.where(unknown, slots.size[slot], np.diff(slots.before)[slot])
        else:
            amount = column.width[value]
        return pair, value, amount

    def _at_thresholds(self, column: TreeColumn, slots: CellSlots, threshold: Ints) -> Parts:
        pair, begin, end = _with_unknown(slots)
        # The first slot of the node that lies above the threshold; no slot lies on both sides of it.
        n_left = slots.node_sums(slots.high <= threshold[slots.node])
        cut = (slots.first[:-1] + n_left)[slots.pairs.node[pair]]
        return beside(pair, begin, end, cut, self._measure(column, slots, slots.pairs.is_unknown[pair]))

    def _measure(self, column: TreeColumn, slots: CellSlots, unknown: Bools) -> Measure:
        if self.partition == "highest_frequency":
            return _highest(column.frequency, slots)
        if self.partition == "original_distribution":
            up_to = np.append(0, np.cumsum(column.frequency))
            in_slots = up_to[slots.high + 1] - up_to[slots.low]
        elif self.partition == "fractional" and self.members == "frequency":
            return _summed(np.where(unknown, 1, 0), np.stack([np.diff(slots.before), slots.size]))
        else:
            in_slots = slots.measure
        return _summed(np.zeros(len(unknown), dtype=np.int64), in_slots[None])

    def _without_light_parts(self, place: Ints, branch: Ints, weight: Floats) -> Parts:
        """Without the lightest parts, the others of a place made heavier instead; O(parts), or a sort."""
        begins = np.flatnonzero(np.diff(place, prepend=-1))
        if len(begins) == len(place):
            return place, branch, weight
        n_parts = np.diff(begins, append=len(place))
        highest = np.maximum.reduceat(weight, begins)
        heaviest = np.flatnonzero(weight >= np.repeat(highest * (1 - _SAME), n_parts))
        kept = np.zeros(len(place), dtype=bool)
        first = np.flatnonzero(np.diff(place[heaviest], prepend=-1))
        n_heaviest = np.diff(first, append=len(heaviest))
        kept[heaviest[first + np.arange(len(first)) % n_heaviest]] = True
        others = np.flatnonzero(~kept & (weight >= self.least_part))
        n_more = max(self.most_parts - len(begins), 0)
        if len(others) > n_more:
            ascending = np.sort(weight[others])
            others = others[weight[others] > ascending[len(others) - n_more - 1] * (1 + _SAME)]
        kept[others] = True
        if kept.all():
            return place, branch, weight
        before = np.add.reduceat(weight, begins)
        after = np.add.reduceat(np.where(kept, weight, 0), begins)
        weight = weight * np.repeat(before / after, n_parts)
        return place[kept], branch[kept], weight[kept]


def beside(pair: Ints, begin: Ints, end: Ints, cut: Ints, measure: Measure) -> Parts:
    """What lies of runs from ``begin`` to before ``end`` before a cut, branch 0, and from it on, branch 1."""
    sides = [(begin, np.minimum(end, cut)), (np.maximum(begin, cut), end)]
    amounts = np.concatenate([measure(low, np.maximum(low, high)) for low, high in sides])
    is_there = np.concatenate([low < high for low, high in sides])
    branch = np.repeat([0, 1], len(pair))
    return np.tile(pair, 2)[is_there], branch[is_there], amounts[is_there]


def _summed(line: Ints, amounts: Floats) -> Measure:
    """The sum of what the slots have, in the line that every run names."""
    up_to = np.concatenate([np.zeros((len(amounts), 1)), np.cumsum(amounts, axis=1)], axis=1)
    return lambda begin, end: np.asarray(up_to[line, end] - up_to[line, begin])


def _highest(frequency: Floats, slots: CellSlots) -> Measure:
    """The highest frequency of a value in the slots, which follow one another without gaps.

    The maxima of all 1, 2, 4, ... neighbours are found once, in O(n log n); then a run takes O(1).
    """
    maxima = [frequency]
    while 2 ** len(maxima) <= len(frequency):
        width = 2 ** (len(maxima) - 1)
        maxima.append(np.maximum(maxima[-1][:-width], maxima[-1][width:]))

    def measure(begin: Ints, end: Ints) -> Floats:
        amounts = np.full(len(begin), -1.0)
        some = np.flatnonzero(begin < end)
        low, after = slots.low[begin[some]], slots.high[end[some] - 1] + 1
        power = np.frexp(after - low)[1] - 1
        for number, highest in enumerate(maxima):
            mine = np.flatnonzero(power == number)
            amounts[some[mine]] = np.maximum(highest[low[mine]], highest[after[mine] - 2**number])
        return amounts

    return measure


def _with_unknown(slots: CellSlots) -> tuple[Ints, Ints, Ints]:
    """The pairs of the entries and the slots these run over; cells that may be anything run over all."""
    rest = np.flatnonzero(slots.pairs.is_unknown)
    n_slots = np.diff(slots.first)[slots.pairs.node[rest]]
    pair = np.repeat(rest, n_slots)
    slot = numbers_from(slots.first[slots.pairs.node[rest]], n_slots)
    return (
        np.concatenate([slots.entry_pair, pair]),
        np.concatenate([slots.entry_begin, slot]).astype(np.int64),
        np.concatenate([slots.entry_end, slot + 1]).astype(np.int64),
    )


@dataclass(frozen=True, slots=True, eq=False)
class NewColumn:
    """A column of rows to predict."""

    cells: TreeColumn  # over the values of the training table; an unknown cell has no members
    is_unseen: Bools  # per cell: it names only values that the training table did not
    own_branch: Ints  # per cell: the branch it has for itself where a set is one more value; -1 for none
    frequency: Floats  # how often the training table had each value
    branch: Ints  # of each value at a node that is split by values
    width: Floats  # of each branch: how many values share it

    @classmethod
    def of(cls, column: CellColumn, fitted: TreeColumn, own_sets: OwnSets, branch: Ints) -> NewColumn:
        """Read a column; O(rows + members)."""
        cells = TreeColumn.of(column, as_categories=not fitted.domain.is_numeric)
        own_branch = np.full(cells.n_cells, -1)
        if own_sets:
            for cell in np.flatnonzero(cells.n_members != 1).tolist():
                members = cells.members[cells.first[cell] : cells.first[cell + 1]]
                own_branch[cell] = own_sets.get(members.tobytes(), -1)
        is_unseen = (column.sizes == 0) & ~column.with_missing & ~column.is_suppressed
        own_branch[is_unseen] = -1
        return cls(cells, is_unseen, own_branch, fitted.frequency, branch, fitted.width)

    @property
    def is_plain(self) -> bool:
        return self.cells.is_plain and not self.is_unseen.any()

    def codes(self) -> Ints:
        """The branch of every row of a plain column, or its value where there are thresholds."""
        return np.append(self.branch, len(self.width))[self.cells.codes()]


class CellPredictor:
    """What a tree predicts for cells, whose values are alike, or weigh as much as their branches have rows.

    At a threshold they weigh as much as in the training table.
    """

    def __init__(self, tree: Tree, columns: list[NewColumn], members: Members) -> None:
        self._tree, self._columns, self._members = tree, columns, members
        self._of_children = BranchShares.of_nodes(tree.n_children, tree.first_child, tree.rows_of_node)
        self._low, self._high = _bounds(tree)

    def class_shares(self, n_rows: int) -> Floats:
        """For every row the shares of the classes, averaged over all that its cells may stand for.

        A branch without rows, and a value that the training table did not name, get the shares of the node.
        O(different rows * depth), for rows with many open cells at most the leaves, or 1 / the least part.
        """
        kind, example = different_rows(self._columns, n_rows)

        def descend(node: Ints, row: Ints) -> Parts:
            column_of_row = self._tree.splits.column[node]
            found = [(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0))]
            for number in np.unique(column_of_row).tolist():
                here = np.flatnonzero(column_of_row == number)
                place, child, share = self._below(number, node[here], example[row[here]])
                found.append((here[place], child, share))
            place, child, share = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
            return place, child, share

        return shares_at_leaves(self._tree, descend, len(example), _LEAST_PART)[kind]

    def share_at(self, leaf: int, rows: Ints) -> Floats:
        """How much of each of the rows comes to a leaf; O(rows * depth)."""
        way = [leaf]
        while way[-1]:
            way.append(int(self._tree.parent[way[-1]]))
        here, share = np.arange(len(rows)), np.ones(len(rows))
        for child, node in zip(way[-2::-1], way[:0:-1], strict=True):
            number = int(self._tree.splits.column[node])
            place, reached, part = self._below(number, np.full(len(here), node), rows[here])
            goes_on = np.flatnonzero(reached == child)
            here, share = here[place[goes_on]], share[place[goes_on]] * part[goes_on]
        found = np.zeros(len(rows))
        found[here] = share
        return found

    def _below(self, number: int, node: Ints, row: Ints) -> Parts:
        """Which place goes to which child with which share; child -1 for a value that no branch has."""
        column, tree = self._columns[number], self._tree
        n_cells = column.cells.n_cells
        of_place, key = ranked(node * n_cells + column.cells.ids[row], tree.n_nodes * n_cells)
        pair_node, cell = np.divmod(key, n_cells)
        is_threshold = tree.splits.threshold[pair_node] >= 0
        own = column.own_branch[cell]
        has_own = (own >= 0) & ~is_threshold
        has_own[has_own] = tree.rows_of_node[tree.first_child[pair_node[has_own]] + own[has_own]] > 0
        is_unknown = column.cells.is_unknown[cell] & ~column.is_unseen[cell] & ~has_own
        owner, unseen = np.flatnonzero(has_own), np.flatnonzero(column.is_unseen[cell])
        first_child = tree.first_child[pair_node]
        found = [
            (owner, first_child[owner] + own[owner], np.ones(len(owner))),
            (unseen, np.full(len(unseen), -1), np.ones(len(unseen))),
        ]
        known = ~is_unknown & ~column.is_unseen[cell] & ~has_own
        for find, is_chosen in (
            (self._at_all_branches, is_unknown),
            (self._at_values, known & ~is_threshold),
            (self._at_thresholds, known & is_threshold),
        ):
            places = np.flatnonzero(is_chosen)
            sharer, branch, share = find(number, pair_node[places], cell[places])
            found.append((places[sharer], first_child[places[sharer]] + branch, share))
        pair, child, amount = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
        return BranchShares.of(pair, child, amount, len(key)).parts(of_place)

    def _at_all_branches(self, number: int, node: Ints, cell: Ints) -> Parts:
        return self._of_children.parts(node)

    def _at_values(self, number: int, node: Ints, cell: Ints) -> Parts:
        column = self._columns[number]
        pair, value = column.cells.members_of(cell)
        branch = column.branch[value]
        amount = np.ones(len(pair))
        if self._members == "frequency":
            rows = self._tree.rows_of_node[self._tree.first_child[node][pair] + branch]
            amount = rows / column.width[branch]
        return pair, branch, amount

    def _at_thresholds(self, number: int, node: Ints, cell: Ints) -> Parts:
        column = self._columns[number]
        pair, begin, last = column.cells.runs_of(cell)
        begin = np.maximum(begin, self._low[node[pair], number])
        end = np.minimum(last, self._high[node[pair], number]) + 1
        cut = self._tree.splits.threshold[node[pair]] + 1
        frequency = column.frequency
        values = frequency if self._members == "frequency" else np.ones(len(frequency))
        up_to = np.append(0, np.cumsum(values))
        return beside(pair, begin, end, cut, lambda low, high: np.asarray(up_to[high] - up_to[low]))


def different_rows(columns: list[NewColumn], n_rows: int) -> tuple[Ints, Ints]:
    """The kind of every row, equal rows being of one kind, and a row of each kind; O(rows * columns)."""
    ids = [column.cells.ids for column in columns]
    kind, n_kinds = group_rows(ids, [column.cells.n_cells for column in columns], n_rows)
    example = np.zeros(n_kinds, dtype=np.int64)
    example[kind] = np.arange(n_rows)
    return np.asarray(kind), example


def _bounds(tree: Tree) -> tuple[Ints, Ints]:
    """Nodes x columns: the lowest and the highest value that the thresholds above a node leave; O(both)."""
    n_values = np.array([domain.n_values for domain in tree.splits.domains])
    low = np.zeros((tree.n_nodes, len(n_values)), dtype=np.int64)
    high = np.broadcast_to(n_values - 1, low.shape).copy()
    if not np.any((tree.splits.threshold >= 0) & ~tree.is_leaf):
        return low, high
    for nodes in tree.levels[1:]:
        above = tree.parent[nodes]
        branch = nodes - tree.first_child[above]
        low[nodes], high[nodes] = tree.splits.bounds_below(low, high, above, branch)
    return low, high
