"""The experiment of the paper on Top-Down Disclosure: what suppression costs a learner, beside removal.

Some attributes are sensitive, all others are one quasi-identifier. The rarer half of every sensitive
attribute's values must not be concluded from it with a confidence above h. The paper suppressed *before* it
divided the rows, so that the test part influenced what is disclosed. Here both are measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.algorithms import find_method, silent
from kanopy.data import CellKind, CodedColumn, Domain, EncodedTable, GroupCounts
from kanopy.data.keys import group_rows, narrowest_unsigned
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import AllOf, Template
from kanopy.trees import c45
from kanopy_studies import learning
from kanopy_studies.paper_options import paper_options
from kanopy_studies.presplits import PROTOCOLS, PreSplit, load_pre_split
from kanopy_studies.settings import Sample

Disclosed = Mapping[str, NDArray[np.bool_]]
"""Of every masking attribute, which of its codes may be shown."""

SUPPRESSED = "*"
INSIDE, BEFORE = "inside", "before"
"""The rows are suppressed inside the training part, or before they are divided."""


@dataclass(frozen=True, slots=True)
class Task:
    """Some sensitive attributes of a data set, for all its thresholds."""

    data: str
    sensitive: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suppression:
    """One suppressed table: the error of what was learned from it, and how much of it is suppressed."""

    error: float
    n_suppressed: tuple[int, ...]
    """How many values of each masking attribute occur and are not shown."""


@dataclass(frozen=True, slots=True)
class SensitiveErrors:
    """What was measured for one set of sensitive attributes.

    Suppressions are by threshold; None where even the fully suppressed table does not keep the templates.
    """

    data: str
    sensitive: tuple[str, ...]
    removal: float
    """The error where the sensitive attributes are removed."""
    inside: tuple[Suppression | None, ...]
    before: tuple[Suppression | None, ...]

    def suppressions(self, protocol: str) -> tuple[Suppression | None, ...]:
        return self.inside if protocol == INSIDE else self.before


def ranking(train: Sample, n_attributes: int) -> tuple[str, ...]:
    """The attributes that C4.5 asks for first: the root of its tree; that attribute removed; and so on.

    The tree is not pruned: without its best attributes, pruning may leave nothing.
    """
    left, found = list(train.columns), list[str]()
    while left and len(found) < n_attributes:
        table, weights = learning.distinct_rows(train.with_columns(left))
        tree = c45(table, min_rows=learning.MIN_ROWS, weights=weights, prune=False)
        if tree.is_leaf[0]:
            break
        found.append(left.pop(int(tree.splits.column[0])).domain.name)
    return tuple(found)


def draw(names: Sequence[str], n_sensitive: int, number: int) -> tuple[str, ...]:
    """The sensitive attributes of one random draw, in the order of the table."""
    chosen = np.random.default_rng([n_sensitive, number]).choice(len(names), n_sensitive, replace=False)
    return tuple(names[place] for place in sorted(chosen.tolist()))


def properties(column: CodedColumn) -> tuple[str, ...]:
    """What must not be concluded: the rarer half of the values that occur; of equally rare ones the first."""
    occurring = np.flatnonzero(column.totals[: column.domain.n_values])
    by_rareness = occurring[np.argsort(column.totals[occurring], kind="stable")]
    return tuple(column.domain.labels[code] for code in by_rareness[: len(occurring) // 2].tolist())


def divided(sample: Sample, sensitive: Sequence[str]) -> EncodedTable:
    """The masking attributes as quasi-identifiers, the sensitive ones as confidential columns."""
    masking = tuple(column for column in sample.columns if column.domain.name not in sensitive)
    confidential = {c.domain.name: c for c in sample.columns if c.domain.name in sensitive}
    return EncodedTable(sample.n_rows, masking, sample.target, confidential)


def templates(table: EncodedTable, h: int) -> AllOf:
    """One template for every property, given all masking attributes together; h in percent."""
    given = [column.domain.name for column in table.quasi]
    bound = Fraction(h, 100)
    return AllOf(
        tuple(
            Template(given, name, value, bound)
            for name, column in table.confidential.items()
            for value in properties(column)
        )
    )


def disclosed(table: EncodedTable, h: int) -> Disclosed | None:
    """What Top-Down Disclosure shows; None where the templates cannot be kept."""
    method = find_method("tdd")
    try:
        rng = np.random.default_rng(0)  # nothing is drawn
        recoding = method.run(table, templates(table, h), rng, silent, **paper_options("tdd"))
    except UnsatisfiableError:
        return None
    shown = {}
    for column in recoding.columns:
        shown[column.domain.name] = np.zeros(column.domain.n_codes, dtype=bool)
        exact = [cell.low for cell in column.cells if cell.kind is CellKind.EXACT]
        shown[column.domain.name][exact] = True
    return shown


def masked(sample: Sample, shown: Disclosed) -> Sample:
    """Rows as they are published: what is not disclosed, or was never seen, becomes one more value."""
    return sample.with_columns(
        _masked(column, shown[column.domain.name]) if column.domain.name in shown else column
        for column in sample.columns
    )


def _masked(column: CodedColumn, is_shown: NDArray[np.bool_]) -> CodedColumn:
    domain = Domain(column.domain.name, (*column.domain.labels, SUPPRESSED))
    code = np.where(is_shown, np.arange(len(is_shown)), column.domain.n_values)
    return CodedColumn(domain, code.astype(narrowest_unsigned(domain.n_codes))[column.codes])


def error(train: Sample, test: Sample, *, raise_subtrees: bool = True) -> float:
    """The error of C4.5 on the test part; C4.5 as its author left it raises subtrees."""
    return 1 - learning.accuracy(learning.learn(train, raise_subtrees=raise_subtrees), test)


def removal_error(parts: PreSplit, sensitive: Sequence[str]) -> float:
    """The error without the sensitive attributes."""
    train, test = (
        sample.with_columns(column for column in sample.columns if column.domain.name not in sensitive)
        for sample in (parts.train, parts.test)
    )
    return error(train, test)


def suppression(parts: PreSplit, seen: Sample, sensitive: Sequence[str], h: int) -> Suppression | None:
    """Disclose what the seen rows allow, learn from the training part, test on the test part."""
    table = divided(seen, sensitive)
    shown = disclosed(table, h)
    if shown is None:
        return None
    hidden = [int(((column.totals > 0) & ~shown[column.domain.name]).sum()) for column in table.quasi]
    return Suppression(error(masked(parts.train, shown), masked(parts.test, shown)), tuple(hidden))


def run(task: Task) -> SensitiveErrors:
    """All thresholds, suppressed inside the training part and before the division."""
    parts, thresholds = load_pre_split(task.data), PROTOCOLS[task.data].thresholds
    by_rows = [
        tuple(suppression(parts, seen, task.sensitive, h) for h in thresholds)
        for seen in (parts.train, parts.whole)
    ]
    return SensitiveErrors(task.data, task.sensitive, removal_error(parts, task.sensitive), *by_rows)


def inferences(sample: Sample, sensitive: Sequence[str], given: Sequence[str], h: int) -> int:
    """How many pairs of a combination of values and a property have a confidence above h percent."""
    table = divided(sample, sensitive)
    known: list[Any] = [column for column in table.quasi if column.domain.name in given]
    sizes = [column.domain.n_codes for column in known]
    group, n_groups = group_rows([column.codes for column in known], sizes, table.n_rows)
    counts = GroupCounts.of(table, group, n_groups)
    n_found = 0
    for name, column in table.confidential.items():
        for value in properties(column):
            with_it = counts.histograms[name].of_value(column.domain.code_of[value])
            n_found += int((100 * with_it > h * counts.rows).sum())
    return n_found
