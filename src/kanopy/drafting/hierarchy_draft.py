"""Drafts of hierarchies: a rule that fits the values of a column, and the file with its result."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor, log10
from pathlib import Path
from typing import Any

from kanopy.data import Hierarchy
from kanopy.data.grammar import SUPPRESSED_TEXT
from kanopy.data.intervals import plain_number
from kanopy.drafting.policy_draft import Suggestion
from kanopy.drafting.rule_draft import FEW_VALUES, HierarchySuggestion, prefix_lengths, prefix_reason
from kanopy.engines.spark.session import is_spark_frame
from kanopy.errors import Hint, PolicyError, ResourceError
from kanopy.frames.conversion import converted
from kanopy.frames.distinct import DistinctColumn, distinct_column
from kanopy.frames.encode import class_counts_of
from kanopy.frames.tables import read_table
from kanopy.frames.tuples import CountedTable
from kanopy.hierarchies import HierarchyRule, Merge, Prefix, Ranges
from kanopy.hierarchies.merge import MOST_VALUES

_MOST_RANGES = 15
_LEAST_SPAN = Fraction(1, 10**20)
_LEVELS = 3
_SPECIAL = re.compile(r'[;"\r\n]')
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True, eq=False)
class HierarchyDraft:
    """A hierarchy over the values of a table that a person should check.

    ``reason`` says how the values are grouped, and names none.
    """

    hierarchy: Hierarchy
    reason: str

    def lines(self) -> list[list[str]]:
        """One path per value, without levels that change nothing; O(values * levels)."""
        names = self.hierarchy.node_label
        levels = [[names[node] for node in level] for level in self.hierarchy.ancestors.tolist()]
        kept = [level for level, lower in zip(levels, [None, *levels], strict=False) if level != lower]
        return [list(path) for path in zip(*kept, strict=True)]


def draft_hierarchies(table: Any, suggestion: Suggestion) -> dict[str, HierarchyDraft]:
    """Draft a hierarchy for every quasi-identifier that gains by one; O(rows), plus merging values.

    Numbers are grouped by width, codes by their first characters, and all other values by their class
    distribution, if there is a target. Dates need none: the levels of their column are one. Of a Spark frame,
    each column is counted with the target on the cluster.
    """
    if not any(column.role == "quasi_identifiers" for column in suggestion.columns):
        return {}
    rows_with = _rows(table, suggestion)
    drafts = {}
    for column in suggestion.columns:
        # Dates have levels, and no rule groups censored numbers.
        has_none = column.kind in ("date", "time") or column.settings.get("censored")
        if column.role == "quasi_identifiers" and not has_none:
            rows, weight = rows_with(column.name)
            values, target = (
                None if name is None else distinct_column(name, rows[name], suggestion.missing, weight)
                for name in (column.name, suggestion.target)
            )
            assert values is not None
            draft = _draft(values, target, is_code=column.is_code)
            if draft is not None:
                drafts[column.name] = draft
    return drafts


def _rows(table: Any, suggestion: Suggestion) -> Callable[[str], CountedTable]:
    """A function from a column to rows that have it and the target, with values as they will be published."""
    if not is_spark_frame(table):
        whole = CountedTable(converted(read_table(table)[1], suggestion.policy))
        return lambda _: whole
    from kanopy.engines.spark.counting import counted_columns
    from kanopy.engines.spark.source import SparkSource

    source = SparkSource.as_it_is(table)

    def counted(name: str) -> CountedTable:
        rows, weight = counted_columns(source, {name, suggestion.target or name})
        return CountedTable(converted(rows, suggestion.policy, weight=weight), weight)

    return counted


def _draft(column: DistinctColumn, target: DistinctColumn | None, *, is_code: bool) -> HierarchyDraft | None:
    texts = column.texts.to_pylist()
    if len(texts) < FEW_VALUES or SUPPRESSED_TEXT in texts:
        return None
    rule, reason = _prefixes(texts) if is_code else _rule(texts, target)
    if rule is None:
        return None
    hierarchy = rule.build(column.name, texts, lambda: class_counts_of(column, target))
    return HierarchyDraft(hierarchy, reason) if hierarchy.n_nodes > len(texts) + 1 else None  # has groups


def _rule(texts: list[str], target: DistinctColumn | None) -> tuple[HierarchyRule | None, str]:
    numbers = [plain_number(text) for text in texts]
    read = [number for number in numbers if number is not None]
    if len(read) == len(texts):
        return _widths(read)
    if target is None or len(texts) > MOST_VALUES:
        return None, ""
    reason = "merged by what values say about the target; give the groups names"
    return Merge(2 if len(texts) <= 20 else 3), reason


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
    lengths = prefix_lengths(texts)
    if not lengths:
        return None, ""
    return Prefix(lengths), prefix_reason(lengths)


def write_drafts(
    drafts: Mapping[str, HierarchyDraft], folder: Path, *, force: bool = False
) -> tuple[HierarchySuggestion, ...]:
    """Write one CSV file per draft, ``value;group;...;*`` on every line.

    ``drafts`` are by column; ``folder`` is created if it does not exist.

    Raises
    ------
    PolicyError
        If a file exists already and may not be replaced (``force``); then none is written.
    ResourceError
        If the folder cannot be written to.
    """
    files = {column: folder / name for column, name in zip(drafts, _file_names(drafts), strict=True)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        existing = [path.name for path in files.values() if path.exists() or path.is_symlink()]
        if existing and not force:
            hint = Hint("use {force} to replace them, or another folder", force=True)
            raise PolicyError(f"{len(existing)} drafts exist already, among them {existing[0]!r}", hint)
        for column, path in files.items():
            _write(path, drafts[column].lines())
    except FileExistsError:
        raise PolicyError(f"{folder.name!r} is no folder", "name a folder for the drafts") from None
    except OSError as error:
        reason = f"cannot write the drafts: {error.strerror}"
        raise ResourceError(reason, "check disk space and permissions") from None
    written = files.items()
    return tuple(
        HierarchySuggestion(name, drafts[name].reason, file=path.as_posix()) for name, path in written
    )


def _write(path: Path, lines: Iterable[list[str]]) -> None:
    """Write a file whole or not at all."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.kanopy-tmp")
    # PRIVACY: nobody else may read the values of the table (tests/unit/test_hierarchy_drafts.py).
    descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            for line in lines:
                quoted = [
                    '"' + cell.replace('"', '""') + '"' if _SPECIAL.search(cell) else cell for cell in line
                ]
                stream.write((";".join(quoted) + "\n").encode())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _file_names(columns: Iterable[str]) -> list[str]:
    """A file name for every column; they also differ on systems that ignore case."""
    names: list[str] = []
    for column in columns:
        stem = re.sub(r"[^\w-]+", "_", column)[:_LONGEST_NAME].strip("_") or "column"
        name, number = stem, 1
        while name.casefold() in names:
            number += 1
            name = f"{stem}_{number}"
        names.append(name.casefold())
    return [f"{name}.csv" for name in names]
