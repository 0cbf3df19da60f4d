"""Drafting hierarchies: a rule that fits the values of a column, and what it makes of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor, log10

import pyarrow as pa

from kanopy.data import Hierarchy
from kanopy.data.grammar import SUPPRESSED_TEXT
from kanopy.data.intervals import plain_number
from kanopy.drafting.policy_draft import Suggestion
from kanopy.frames.distinct import DistinctColumn, distinct_column
from kanopy.frames.domains import class_counts_of
from kanopy.frames.tables import read_table
from kanopy.hierarchies import Dates, HierarchyRule, Merge, Prefix, Ranges
from kanopy.hierarchies.merge import MOST_VALUES

_FEW_VALUES = 5
"""With fewer values there is nothing between a value and all of them."""

_MOST_RANGES = 15
_LEAST_SPAN = Fraction(1, 10**20)
_LEVELS = 3
_DATE_FORMATS = (
    None, "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class HierarchyDraft:
    """A hierarchy that a person should look at.

    Parameters
    ----------
    hierarchy : Hierarchy
        Over the values of the table.
    reason : str
        How the values are grouped; no values.
    """

    hierarchy: Hierarchy
    reason: str

    def lines(self) -> list[list[str]]:
        """One path per value, without levels that change nothing; O(values * levels)."""
        names = self.hierarchy.node_label
        levels = [[names[node] for node in level] for level in self.hierarchy.ancestors.tolist()]
        kept = [level for level, lower in zip(levels, [None, *levels], strict=False) if level != lower]
        return [list(path) for path in zip(*kept, strict=True)]


def draft_hierarchies(table: pa.Table, suggestion: Suggestion) -> dict[str, HierarchyDraft]:
    """Draft a hierarchy for every quasi-identifier that gains by one; O(rows), plus the merging of values.

    Numbers are grouped by width, dates by month and year, codes by their first characters, and everything
    else by what it says about the target, where there is one.
    """
    _, table = read_table(table)
    target = None
    if suggestion.target is not None:
        target = distinct_column(suggestion.target, table[suggestion.target], suggestion.missing)
    drafts = {}
    for column in suggestion.columns:
        if column.role != "quasi_identifiers":
            continue
        values = distinct_column(column.name, table[column.name], suggestion.missing)
        draft = _draft(values, target, is_code=column.is_code)
        if draft is not None:
            drafts[column.name] = draft
    return drafts


def _draft(column: DistinctColumn, target: DistinctColumn | None, *, is_code: bool) -> HierarchyDraft | None:
    texts = column.texts.to_pylist()
    if len(texts) < _FEW_VALUES or SUPPRESSED_TEXT in texts:
        return None
    rule, reason = _prefixes(texts) if is_code else _rule(texts, target)
    if rule is None:
        return None
    hierarchy = rule.build(column.name, texts, lambda: class_counts_of(column, target))
    has_groups = hierarchy.n_nodes > len(texts) + 1
    return HierarchyDraft(hierarchy, reason) if has_groups else None


def _rule(texts: list[str], target: DistinctColumn | None) -> tuple[HierarchyRule | None, str]:
    numbers = [plain_number(text) for text in texts]
    read = [number for number in numbers if number is not None]
    if len(read) == len(texts):
        return _widths(read)
    dates = [rule for rule in map(_dates, _DATE_FORMATS) if rule.fits(texts)]
    if dates:  # two formats fit where no day is above 12: a person must say which it is
        return (dates[0], "by month, quarter and year") if len(dates) == 1 else (None, "")
    if target is not None and len(texts) <= MOST_VALUES:
        levels = 2 if len(texts) <= 20 else 3
        return Merge(levels), "merged by what values say about the target; give the groups names"
    return None, ""


def _dates(form: str | None) -> Dates:
    return Dates(["day", "month", "quarter", "year", "decade"], form)


def _widths(numbers: list[Fraction]) -> tuple[HierarchyRule | None, str]:
    """1, 2 or 5 times a power of ten, for at most fifteen ranges or so; then two and four times that."""
    span = max(numbers) - min(numbers)
    if not _LEAST_SPAN < span < 1 / _LEAST_SPAN:
        return None, ""
    is_whole = all(number.denominator == 1 for number in numbers)
    least = max(span / _MOST_RANGES, Fraction(2 if is_whole else 0))
    power = Fraction(10) ** floor(log10(least))
    width = next(step * power for step in (1, 2, 5, 10, 20) if step * power >= least)
    widths = [width * 2**level for level in range(_LEVELS) if width * 2**level < span]
    if not widths:
        return None, ""
    return Ranges(widths), f"ranges of width {', '.join(f'{float(width):g}' for width in widths)}"


def _prefixes(texts: list[str]) -> tuple[HierarchyRule | None, str]:
    """The fewest characters that still tell groups apart, and up to two lengths more."""
    lengths: list[int] = []
    n_groups = 1
    for length in range(1, max(map(len, texts))):
        n_longer = len({text[:length] for text in texts})
        if n_groups < n_longer < len(texts) and len(lengths) < _LEVELS:
            lengths.insert(0, length)
            n_groups = n_longer
    if not lengths:
        return None, ""
    return Prefix(lengths), f"by the first {', '.join(map(str, lengths))} characters"
