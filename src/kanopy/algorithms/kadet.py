"""kADET: grow a tree that is anonymous from the start, and publish it.

Friedman, Wolff, Schuster, "Providing k-Anonymity in Data Mining" (VLDB Journal 2008); "k-Anonymous Decision
Tree Induction" (PKDD 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from kanopy.algorithms.cuts import allowed_boundaries, least_of_nodes
from kanopy.algorithms.method import Method, Option, Progress, always, silent
from kanopy.algorithms.requirements import check_satisfiable, least_members
from kanopy.algorithms.spans import Spans
from kanopy.algorithms.tree_model import TreeModel, publish_paths
from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts, Recoding, ValueTree
from kanopy.data.arrays import Amounts, Bools, Floats, Ints
from kanopy.data.counts import x_log_x
from kanopy.privacy import PrivacyModel
from kanopy.trees.class_counts import summed_entropy, sums_of_runs
from kanopy.trees.frontier import Frontier
from kanopy.trees.grow import grow
from kanopy.trees.slots import Slots
from kanopy.trees.splits import Splits

if TYPE_CHECKING:
    from kanopy.algorithms.division.groups import DividedRelease

_NO_GAIN = 1e-9
_SLACK_OF_AVERAGE = 1e-3
_CRITERIA = ("gain", "gain_ratio")


def kadet(
    table: EncodedTable,
    promise: PrivacyModel,
    rng: np.random.Generator | None,
    progress: Progress = silent,
    *,
    criterion: str = "gain",
    private: bool = False,
    min_rows: int = 0,
) -> Recoding:
    """Anonymize by kADET: of all splits that keep the promise, take the best; see the options of ``KADET``.

    Numbers are split at thresholds, values under a hierarchy on the finest level that keeps the promise,
    values without one if each of them keeps it. Private columns divide no group of the table, so they are
    split freely. No rows are dropped. O(rows * columns) per level of the tree, for columns with a hierarchy
    times its height.
    """
    del rng, progress  # nothing is drawn, and the tree is all the work there is
    check_satisfiable(table, promise)
    assert table.target is not None
    seen = replace(table, quasi=(*table.quasi, *_private_columns(table))) if private else table
    n_private = len(seen.quasi) - len(table.quasi)
    spans = Spans(table, promise, len(table.quasi)) if n_private else None
    rules = _rules(promise, len(table.quasi), n_private, min_rows)
    growth = Growth([column.domain for column in table.quasi], rules, criterion, spans)
    tree = grow(seen, growth, groupings=tuple(growth.levels.groupings))
    leaf = tree.route([column.codes for column in seen.quasi], table.n_rows)
    model = TreeModel(tree, (*table.target.domain.labels, "missing"), len(table.quasi))
    return replace(publish_paths(table, tree, leaf), model=model)


def growth_of_public(domains: Sequence[Domain], promise: PrivacyModel, criterion: str) -> Growth:
    """What chooses splits where every column is a quasi-identifier; can be pickled."""
    return Growth(domains, _rules(promise, len(domains), 0, 0), criterion)


def _rules(promise: PrivacyModel, n_public: int, n_private: int, min_rows: int) -> list[_Public | _Private]:
    rules: list[_Public | _Private] = [_Public(promise, n_public + n_private)] * n_public
    return rules + [_Private(min_rows or least_members(promise))] * n_private


def _private_columns(table: EncodedTable) -> list[CodedColumn]:
    """What is published as it is, but for the class."""
    assert table.target is not None
    return [each for each in table.others() if each.domain.name != table.target.domain.name]


class _TaxonomyLevels:
    """The levels on which a column can be split, finest first, as groupings of its codes.

    A grouping gives every code its branch, missing the last one. ``of_column`` has the groupings by number
    for each column; -1 is the column itself, with one branch per value.
    """

    def __init__(self, domains: Sequence[Domain]) -> None:
        self.groupings: list[Ints] = []
        self.of_column: list[list[int]] = []
        for domain in domains:
            tree = ValueTree.of(domain)
            inner = range(1, tree.n_levels - 1)  # the root says nothing
            self.of_column.append([-1, *range(len(self.groupings), len(self.groupings) + len(inner))])
            self.groupings += [tree.groups(level) for level in inner]


@dataclass(frozen=True, slots=True)
class _Public:
    """A quasi-identifier: every part of a split must keep the promise."""

    promise: PrivacyModel
    n_columns: int

    def allows_parts(self, slots: Slots, part: Ints, node: Ints, size: Amounts) -> Bools:
        """Nodes all of whose parts, given with the node and the rows of each, may be."""
        frontier = slots.frontier
        if frontier.counts_rows_only:
            counts = GroupCounts(np.asarray(size))
        else:
            counts = frontier.counts(part[slots.of_rows()], len(node))
        n_broken = np.bincount(node[~self.promise.holds(counts)], minlength=frontier.n_nodes)
        return np.asarray(n_broken == 0)

    def allows_missing(self, frontier: Frontier, rows: Ints) -> Bools:
        """Nodes whose rows without a number may be a part of their own."""
        counts = frontier.counts(frontier.node[rows], frontier.n_nodes, rows)
        return np.asarray((counts.rows == 0) | self.promise.holds(counts))

    def boundaries(self, numbers: Slots, known: Frontier, boundaries: Ints) -> tuple[Ints, Floats]:
        """Those where both sides may be, and the summed class entropy of the sides."""
        return allowed_boundaries(numbers, known, boundaries, self.promise, self.n_columns)


@dataclass(frozen=True, slots=True)
class _Private:
    """A column that nobody is known by: two parts must be large enough to be worth a split."""

    min_rows: int

    def allows_parts(self, slots: Slots, part: Ints, node: Ints, size: Amounts) -> Bools:
        n_large = np.bincount(node[size >= self.min_rows], minlength=slots.n_nodes)
        return np.asarray(n_large >= 2)

    def allows_missing(self, frontier: Frontier, rows: Ints) -> Bools:
        return np.ones(frontier.n_nodes, dtype=bool)

    def boundaries(self, numbers: Slots, known: Frontier, boundaries: Ints) -> tuple[Ints, Floats]:
        left = numbers.running(numbers.size)[boundaries]
        right = numbers.node_sums(numbers.size)[numbers.node[boundaries]] - left
        boundaries = boundaries[np.minimum(left, right) >= self.min_rows]
        return boundaries, numbers.entropies_beside(numbers.by_class, boundaries)


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """The split of every open node by one column; a gain of -1 says that none is allowed."""

    gain: Floats  # bits per row about the class
    information: Floats  # bits per row in the branch itself
    threshold: Ints
    grouping: Ints

    def or_else(self, other: _Found) -> _Found:
        """This split where it is allowed, elsewhere the other one."""
        pairs = ((getattr(self, name), getattr(other, name)) for name in self.__slots__)
        return _Found(*(np.where(self.gain < 0, theirs, mine) for mine, theirs in pairs))


class SlotLevel(Protocol):
    """The open nodes of one level, whose columns can be counted one by one."""

    @property
    def frontier(self) -> Frontier: ...

    @property
    def domains(self) -> Sequence[Domain]: ...

    @property
    def is_tested(self) -> Bools: ...  # nodes x columns: whether the column was split by its values above

    def slots(self, column: int) -> Slots: ...


class Growth:
    """Chooses the splits of one level after the other; ``domains`` are those of the quasi-identifiers."""

    def __init__(
        self,
        domains: Sequence[Domain],
        rules: Sequence[_Public | _Private],
        criterion: str,
        spans: Spans | None = None,
    ) -> None:
        self.levels = _TaxonomyLevels(domains)
        self._rules, self._by_ratio, self._spans = rules, criterion == "gain_ratio", spans

    def __call__(self, level: SlotLevel) -> Splits:
        """The best of the splits that are allowed; ties: column order."""
        frontier = level.frontier
        nodes = np.arange(frontier.n_nodes)
        if frontier.n_classes < 2:
            return Splits.none(level.domains, frontier.n_nodes)
        found = [self._split_by(level, column) for column in range(len(level.domains))]
        column = _best(found, range(len(found)), by_ratio=self._by_ratio)
        if self._spans is not None:
            others = range(self._spans.n_public, len(found))
            fallback = _best(found, others, by_ratio=self._by_ratio)
            column = self._spans.checked(frontier, column, fallback)
        threshold, grouping = (
            np.stack([getattr(each, name) for each in found])[column, nodes]
            for name in ("threshold", "grouping")
        )
        groupings = tuple(self.levels.groupings)
        splits = Splits.of(level.domains, column, threshold, grouping=grouping, groupings=groupings)
        if self._spans is not None:
            self._spans.divide(frontier, splits)
        return splits

    def _split_by(self, level: SlotLevel, column: int) -> _Found:
        """Thresholds for numbers; else the finest level that is allowed, where the column is not used up."""
        slots, rule = level.slots(column), self._rules[column]
        if slots.domain.is_numeric and slots.domain.hierarchy is None:
            return _best_threshold(slots, rule)
        levels = self.levels.of_column[column] if column < len(self.levels.of_column) else [-1]
        found = self._on_level(slots, levels[0], rule)
        for grouping in levels[1:]:
            found = found.or_else(self._on_level(slots, grouping, rule))
        return replace(found, gain=np.where(level.is_tested[:, column], -1.0, found.gain))

    def _on_level(self, slots: Slots, grouping: int, rule: _Public | _Private) -> _Found:
        """One branch per value, or per group of values."""
        part_of_slot = slots.code if grouping < 0 else self.levels.groupings[grouping][slots.code]
        begins = np.ones(len(slots.node), dtype=bool)
        begins[1:] = (np.diff(slots.node) != 0) | (np.diff(part_of_slot) != 0)
        starts = np.flatnonzero(begins)
        node, n_nodes = slots.node[starts], slots.n_nodes
        by_class = sums_of_runs(slots.by_class, starts)
        size = by_class.sum(axis=1)
        is_allowed = rule.allows_parts(slots, np.cumsum(begins) - 1, node, size)
        after = np.bincount(node, summed_entropy(by_class), minlength=n_nodes)
        before = summed_entropy(slots.class_sums(slots.by_class))
        n_rows = slots.node_sums(slots.size)
        information = x_log_x(n_rows) - np.bincount(node, x_log_x(size), minlength=n_nodes)
        gain = np.where(is_allowed, (before - after) / n_rows, -1.0)
        return _Found(gain, information / n_rows, np.full(n_nodes, -1), np.full(n_nodes, grouping))


def _best(found: Sequence[_Found], columns: range, *, by_ratio: bool) -> Ints:
    """For every node the column with the most gain, or of those with at least average gain that with the
    highest ratio of gain to the information in the branch (C4.5); -1 for none."""
    gain = np.stack([each.gain for each in found])
    is_open = gain > _NO_GAIN
    is_open[: columns.start] = False
    score = gain
    if by_ratio:
        average = np.where(is_open, gain, 0).sum(axis=0) / np.maximum(is_open.sum(axis=0), 1)
        is_open &= gain >= average - _SLACK_OF_AVERAGE
        information = np.stack([each.information for each in found])
        score = gain / np.where(is_open, information, 1)
    column, best = np.full(gain.shape[1], -1), np.full(gain.shape[1], _NO_GAIN)
    for place in columns:
        wins = is_open[place] & (score[place] > best)
        column[wins], best[wins] = place, score[place][wins] + _NO_GAIN
    return column


def _best_threshold(slots: Slots, rule: _Public | _Private) -> _Found:
    """The most gain of the thresholds whose sides, and missing, are allowed."""
    frontier, domain, n_nodes = slots.frontier, slots.domain, slots.n_nodes
    found = _Found(np.full(n_nodes, -1.0), np.ones(n_nodes), np.full(n_nodes, -1), np.full(n_nodes, -1))
    is_missing = slots.codes == domain.missing_code
    if is_missing.all():
        return found
    known = frontier.of_column(slots.column, np.flatnonzero(~is_missing))
    nodes = np.unique(known.node).astype(np.int64)
    known = known.renumbered(len(nodes))
    numbers = Slots(known, 0)
    assert domain.numbers is not None
    # Some numbers are written in several ways, and none of them is above the other.
    point = domain.numbers[numbers.code]
    boundaries = np.flatnonzero((np.diff(numbers.node) == 0) & (point[:-1] < point[1:]))
    boundaries, entropy = rule.boundaries(numbers, known, boundaries)
    least, first = least_of_nodes(numbers.node[boundaries], boundaries, entropy, len(nodes), _NO_GAIN)
    may_split = np.isfinite(least)
    before, n_missing = summed_entropy(slots.class_sums(slots.by_class)), np.zeros(n_nodes)
    if is_missing.any():
        may_split &= rule.allows_missing(frontier, np.flatnonzero(is_missing))[nodes]
        missing = np.flatnonzero(slots.code == domain.missing_code)
        before[slots.node[missing]] -= summed_entropy(slots.by_class[missing])
        n_missing[slots.node[missing]] = slots.size[missing]
    at, first = nodes[may_split], first[may_split]
    n_rows, n_left = slots.node_sums(slots.size)[at], numbers.running(numbers.size)[first]
    parts = (n_left, n_rows - n_missing[at] - n_left, n_missing[at])
    found.gain[at] = (before[at] - least[may_split]) / n_rows
    found.information[at] = (x_log_x(n_rows) - sum(map(x_log_x, parts))) / n_rows
    found.threshold[at] = numbers.code[first]
    return found


def _divide(*given: Any, **options: Any) -> DividedRelease:
    """Loaded when it is used: most tables fit into one process."""
    from kanopy.algorithms.division.kadet import kadet_divided

    return kadet_divided(*given, **options)


KADET = Method(
    name="kadet",
    title="grows a decision tree whose leaves keep the promise; publishes the tree and the table it implies",
    paper="Friedman, Wolff, Schuster: Providing k-Anonymity in Data Mining (VLDB Journal 2008)",
    run=kadet,
    draws=False,
    takes_weights=always,
    needs_target=True,
    publishes_tree=True,
    options={
        "criterion": Option(
            "gain",
            "which split is the best: most information gained about the class, or the highest gain ratio",
            _CRITERIA,
        ),
        "private": Option(
            False,
            "whether the tree may also test sensitive and kept columns, which are published anyway and which "
            "nobody is known by",
        ),
        "min_rows": Option(
            0, "rows that at least two branches of a private test need; 0: as many as k", at_least=0
        ),
    },
    presets={"paper": {"private": True}},
    divide=_divide,
)
