"""From the most general table down: refine what tells most and costs least, as long as the promise holds.

The engine of Top-Down Disclosure, Specialization and Refinement. A table that is fully generalized keeps the
promise or nothing does; every step keeps it, so the work can end at any moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from kanopy.algorithms.cut_columns import CutColumn
from kanopy.algorithms.divided_counts import divided_counts, divided_rows
from kanopy.algorithms.method import Progress
from kanopy.algorithms.requirements import Requirement, requirements_of
from kanopy.data import CodedColumn, EncodedTable, GroupCounts, RecodedColumn, Recoding
from kanopy.data.arrays import Bools, Codes, Floats, Groups, Ints
from kanopy.data.keys import count_keys, narrowest_unsigned, paired, rank, rows_of_each
from kanopy.privacy import PrivacyModel

_ALMOST = 1 - 1e-9  # what counts as equal: relative, as all scores are tiny where many rows are lost
_MANY = np.iinfo(np.int64).max
_MOST = 25_000_000_000
"""Nanoseconds, as they are estimated here, for a table of up to ``_CELLS`` cells."""
_CELLS = 500_000
"""Larger tables may take more: with the square of their cells, so that their steps are hardly ever cut."""
_PER_COLUMN, _PER_CODE, _PER_CELL = 100_000, 10, 40


@dataclass(slots=True, eq=False)
class Effort:
    """How much may still be done for a table, so that a small one never takes minutes. Steps are counted, not
    seconds: the same table gives the same bytes."""

    per_step: int  # what it costs to look for the best candidate of every column
    per_row: int  # what it costs to look at a row that a step divides
    left: int

    @classmethod
    def of(cls, table: EncodedTable, cuts: Sequence[CutColumn | None]) -> Effort:
        cut = [column for column in cuts if column is not None]
        per_step = sum(_PER_COLUMN + _PER_CODE * column.domain.n_codes for column in cut)
        n_cells = table.total_weight * max(len(cut), 1)
        most = _MOST if n_cells <= _CELLS else _MOST * n_cells**2 // _CELLS**2
        return cls(per_step, _PER_CELL * len(cut), most)

    def spend(self, n_rows: int) -> None:
        self.left -= self.per_step + self.per_row * n_rows

    @property
    def is_spent(self) -> bool:
        return self.left <= 0


@dataclass(slots=True, eq=False)
class Outlook:
    """What refining a column would do to the groups of one requirement, candidate by candidate.

    Groups only ever split, which lowers the smallest group and raises the highest confidence or leaves them.
    So these are running extremes: groups that did not change are not counted again. Not so where persons have
    rows in several groups.
    """

    holds: Bools  # whether all parts of all groups keep the requirement
    smallest: Ints  # rows (or persons) of the smallest part
    confidence: Floats  # templates x candidates: the highest confidence in any part

    @classmethod
    def of(cls, n_candidates: int, n_templates: int) -> Outlook:
        every, many = np.ones(n_candidates, dtype=bool), np.full(n_candidates, _MANY)
        return cls(every, many, np.zeros((n_templates, n_candidates)))


class View:
    """The groups of one requirement: rows that agree on its columns."""

    def __init__(
        self, requirement: Requirement, table: EncodedTable, cuts: Sequence[CutColumn | None]
    ) -> None:
        self.requirement = requirement
        self.group = np.zeros(table.n_rows, dtype=np.int32)
        self.n_groups = 1
        self.recount(table, cuts)

    def recount(self, table: EncodedTable, cuts: Sequence[CutColumn | None]) -> None:
        """Count the groups as they are, and forget what refining them would do; O(rows)."""
        counts = GroupCounts.of(table, *rank(self.group.astype(np.int64), self.n_groups))
        self.smallest = int(counts.members.min())
        self.confidence = self.requirement.confidences(counts).max(axis=1)
        n_templates = len(self.requirement.templates)
        self.outlook: dict[int, Outlook] = {}
        for column in self.requirement.columns:
            cut = cuts[column]
            assert cut is not None
            self.outlook[column] = Outlook.of(cut.n_candidates, n_templates)

    def split(self, rows: Groups, part: Codes) -> None:
        """Divide the groups of the rows by part; the largest part keeps the old numbers. O(rows)."""
        sizes = np.bincount(part)
        moves = np.flatnonzero(part != sizes.argmax())
        moving = rows.take(moves)
        keys = paired(self.group.take(moving), part.take(moves), self.n_groups, len(sizes))
        number, n_new = rank(keys, self.n_groups * len(sizes))
        self.group[moving] = number + np.int32(self.n_groups)
        self.n_groups += n_new


class Step(NamedTuple):
    """A refinement that could be done next, or was."""

    column: int
    candidate: int
    score: float


Score = Callable[["TopDown", int, CutColumn], Floats]
"""From the state and a column to the score of each of its candidates."""


@dataclass(eq=False)
class TopDown:
    """The state of a top-down method."""

    table: EncodedTable
    cuts: Sequence[CutColumn | None]  # None for columns that no requirement is about, which stay as they are
    requirements: Sequence[Requirement]
    n_implied: int = 0  # parts of the promise that follow from others, and are not among the requirements
    steps: list[Step] = field(default_factory=list)  # what was done so far

    @classmethod
    def of(
        cls, table: EncodedTable, promise: PrivacyModel, cut_of: Callable[[CodedColumn], CutColumn]
    ) -> TopDown:
        """The most general table, in which columns that no part of the promise is about stay as they are."""
        requirements, n_implied = requirements_of(promise, table)
        named = {column for requirement in requirements for column in requirement.columns}
        cuts = [cut_of(column) if place in named else None for place, column in enumerate(table.quasi)]
        return cls(table, cuts, requirements, n_implied)

    def __post_init__(self) -> None:
        self.views = [View(requirement, self.table, self.cuts) for requirement in self.requirements]
        everything = np.arange(self.table.n_rows, dtype=np.int32)
        # The rows of every element: a refinement looks at no others.
        self._rows = {column: {0: everything} for column, cut in enumerate(self.cuts) if cut is not None}
        self._effort = Effort.of(self.table, self.cuts)
        for view in self.views:
            self._look_ahead(view, everything)

    def views_of(self, column: int) -> list[View]:
        return [view for view in self.views if column in view.requirement.columns]

    def best_step(self, score: Score, *, needs_gain: bool) -> Step | None:
        """The valid and beneficial candidate with the highest score; ties: column order, then the first."""
        found: list[Step] = []
        for column, cut in enumerate(self.cuts):
            if cut is None:
                continue
            candidates = np.unique(cut.candidate[cut.candidate >= 0])
            is_allowed = cut.is_beneficial[candidates]
            if needs_gain:
                is_allowed = is_allowed & (cut.gain[candidates] > 0)
            for view in self.views_of(column):
                is_allowed = is_allowed & view.outlook[column].holds[candidates]
            candidates = candidates[is_allowed]
            if not len(candidates):
                continue
            scores = score(self, column, cut)[candidates]
            place = int((scores >= scores.max() * _ALMOST).argmax())
            found.append(Step(column, int(candidates[place]), float(scores[place])))
        least = max((step.score for step in found), default=0.0) * _ALMOST
        return next((step for step in found if step.score >= least), None)

    def take(self, step: Step) -> None:
        """Refine, and see what that changes; O(rows of the element * columns of its requirements)."""
        cut = self.cuts[step.column]
        assert cut is not None
        element = int(cut.element[np.flatnonzero(cut.candidate == step.candidate)[0]])
        affected = self._rows[step.column].pop(element)
        views = self.views_of(step.column)
        for view in views:
            outlook = view.outlook[step.column]
            view.smallest = min(view.smallest, int(outlook.smallest[step.candidate]))
            view.confidence = np.maximum(view.confidence, outlook.confidence[:, step.candidate])
        n_before = len(cut.cells)
        cut.refine(step.candidate)
        codes = self.table.quasi[step.column].codes.take(affected)
        is_present = np.bincount(codes, minlength=cut.domain.n_codes) > 0
        elements = np.unique(cut.element[is_present])
        assert all(new >= n_before or new == element for new in elements.tolist())
        part = np.searchsorted(elements, cut.element).astype(narrowest_unsigned(len(elements))).take(codes)
        # Copies: a part that is a view would keep the rows of all the others in memory, step after step.
        divided = [affected.take(places) for places in rows_of_each(part, len(elements))]
        self._rows[step.column].update(zip(elements.tolist(), divided, strict=True))
        for view in views:
            view.split(affected, part)
            # A split can lower the share of a value in all parts, where persons have rows in several of them.
            if self.table.persons is not None and not view.requirement.promise.monotone_over_persons:
                view.recount(self.table, self.cuts)
                self._look_ahead(view, np.arange(self.table.n_rows, dtype=np.int32))
            else:
                self._look_ahead(view, affected)
        weight = self.table.weight_of(affected)
        self._effort.spend(len(affected) if weight is None else int(weight.sum()))
        self.steps.append(step)

    def _look_ahead(self, view: View, rows: Groups) -> None:
        """Update what candidates would do, from the groups of the given rows."""
        group, n_groups = view.group.take(rows), view.n_groups
        if n_groups > len(rows) // 16:  # groups that others of their rows are in would cost counters
            group, n_groups = rank(group, n_groups)
        for column in view.requirement.columns:
            cut = self.cuts[column]
            assert cut is not None
            if not cut.n_open:
                continue
            outlook = view.outlook[column]
            codes = self.table.quasi[column].codes.take(rows)
            for part, counts in self._divided(cut, rows, group, n_groups, codes):
                candidate = cut.candidate_of_part[part]
                outlook.holds[candidate[~view.requirement.promise.holds(counts)]] = False
                np.minimum.at(outlook.smallest, candidate, counts.members)
                for number, confidence in enumerate(view.requirement.confidences(counts)):
                    np.maximum.at(outlook.confidence[number], candidate, confidence)

    def _divided(
        self, cut: CutColumn, rows: Groups, group: Groups, n_groups: int, codes: Codes
    ) -> Iterator[tuple[Ints, GroupCounts]]:
        """What the parts of a column's candidates hold of each group, and with ``divides_off`` its rests."""
        table, n_codes = self.table, cut.domain.n_codes
        if table.confidential or table.persons is not None:
            places = np.flatnonzero((cut.candidate >= 0).take(codes))
            parts = cut.part.take(codes.take(places))
            yield from divided_counts(
                table, rows[places], group[places], n_groups, parts, cut.n_parts, divides_off=cut.divides_off
            )
            return
        # Values are counted and then added up to parts: that takes one pass over the rows.
        keys = paired(group, codes, n_groups, n_codes)
        present, n_rows = count_keys(keys, n_groups * n_codes, table.weight_of(rows))
        owner, code = np.divmod(present, n_codes)
        some = np.flatnonzero(cut.candidate[code] >= 0)
        owner, part = owner[some], cut.part[code[some]]
        yield from divided_rows(owner, n_groups, part, cut.n_parts, n_rows[some], divides_off=cut.divides_off)

    def run(self, score: Score, progress: Progress, *, needs_gain: bool) -> Recoding:
        """Take steps until there is none, the progress asks to stop, or the effort is spent.

        What is released then keeps the promise, and says that it was cut short.
        """
        n_open = sum(cut.n_open for cut in self.cuts if cut is not None)
        is_over = False
        while (step := self.best_step(score, needs_gain=needs_gain)) is not None:
            if is_over:  # and there was more to do
                recoding = self.recoding()
                return replace(recoding, facts={**recoding.facts, "cut_short": True})
            self.take(step)
            is_over = progress(min(len(self.steps), n_open), max(n_open, 1)) or self._effort.is_spent
        return self.recoding()

    def recoding(self) -> Recoding:
        """Every row by the elements of its codes; O(rows * columns)."""
        columns = []
        for column, cut in zip(self.table.quasi, self.cuts, strict=True):
            if cut is None:
                columns.append(RecodedColumn.unchanged(column))
            else:
                ids = cut.element.astype(np.int32).take(column.codes)
                columns.append(RecodedColumn(column.domain, tuple(cut.cells), ids))
        facts = {"implied_promises": self.n_implied} if self.n_implied else {}
        return Recoding(tuple(columns), np.ones(self.table.n_rows, dtype=bool), facts=facts)
