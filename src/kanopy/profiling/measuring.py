"""From a table and the names of its quasi-identifiers to a profile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow.compute as pc

from kanopy.auditing import Risks, TextTable
from kanopy.auditing.counted import Members
from kanopy.auditing.decide import decide
from kanopy.auditing.text import TextColumn, TextRows
from kanopy.auditing.warnings import nameless_finding
from kanopy.data.grammar import MISSING_TEXT
from kanopy.engines.spark.session import is_spark_frame
from kanopy.errors import InputError
from kanopy.frames.numbers import is_number
from kanopy.policy import Policy, shown_name
from kanopy.profiling.figures import Profile, SensitiveFigures, SmallGroups
from kanopy.profiling.lines import LineCounter, NamedLines, count_others, different_lines, lines_of
from kanopy.profiling.subsets import largest_subset, members_below, subset_figures

_SMALL = (3, 5, 10)
_SHOWN_GROUPS = 10


def profile(
    table: Any,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str] = (),
    person: str | None = None,
    missing: Sequence[str] = (),
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
) -> Profile:
    """Measure a table as it is: no k, no policy, and no role for every column is needed.

    Cells are compared as text, as the audit compares them; missing is a value. O(rows * columns), plus
    O(different rows) for every one, two and three quasi-identifiers.

    Parameters
    ----------
    table : frame or path
        A pandas, polars or pyarrow table, or a CSV, Parquet or Excel file, a folder or list of them, or
        ``"-"``. The equal rows of a Spark frame are counted on its cluster.
    quasi_identifiers : list of str
        Columns an attacker may know.
    sensitive : list of str
        Columns that must not be inferred.
    person : str, optional
        Column that tells persons apart: persons are counted then, not rows.
    missing : list of str
        Texts that mean missing, besides the empty one.
    delimiter, encoding : str
        Of a CSV file.
    sheet : str
        Of an Excel workbook that has several.
    """
    asked = asked_policy(quasi_identifiers, sensitive, person, missing, sheet=sheet)
    if is_spark_frame(table):
        from kanopy.profiling.on_spark import spark_lines  # needs Spark

        return measured(spark_lines(table, asked), asked)
    return measured(lines_of(table, asked, delimiter=delimiter, encoding=encoding), asked)


def asked_policy(
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str] = (),
    person: str | None = None,
    missing: Sequence[str] = (),
    *,
    sheet: str | None = None,
) -> Policy:
    """The columns that were named, checked as a policy checks them; its k is never looked at."""
    roles: dict[str, Any] = {"quasi_identifiers": quasi_identifiers, "sensitive": sensitive, "person": person}
    return Policy(**roles, missing=missing, source={} if sheet is None else {"sheet": sheet}, k=2)


def measured_texts(table: TextTable, asked: Policy) -> Profile:
    """The figures of a table that is in memory as texts, but for those of subsets; O(rows * columns)."""
    n_others = count_others(list(table.columns), asked)
    counter = LineCounter(asked)
    counter.add_texts(table)
    return measured(NamedLines(counter.lines(), n_others), asked, subsets=False)


def measured(lines: NamedLines, asked: Policy, *, subsets: bool = True) -> Profile:
    """All figures of a table; O(lines * columns), plus the cost of the subsets where these are wanted."""
    named = _with_person(lines.table, asked)
    quasi, rows = tuple(asked.quasi_identifiers), _rows(named, asked)
    members = rows.members(rows.grouped(quasi))
    known = (*quasi, *([asked.person] if asked.person else []))
    combined = _rows(different_lines(named, known), asked) if subsets else rows
    unique, n_members = members_below(members, 2), members.n_table
    return Profile(
        rows=lines.table.n_rows,
        persons=None if rows.persons is None else n_members,
        unit=rows.unit,
        quasi_identifiers=quasi,
        other_columns=lines.n_others,
        groups=len(members.number),
        k=int(members.number.min()),
        smallest_groups=tuple(np.sort(members.number)[:_SHOWN_GROUPS].tolist()),
        unique=unique,
        unique_share=unique / n_members,
        small_groups=tuple(_small_groups(members)),
        sensitive=tuple(_sensitive(rows, members, asked)),
        subsets=subset_figures(combined, quasi, n_members) if subsets else (),
        largest_subset=largest_subset(len(quasi)) if subsets else 0,
        risks=Risks.of(members.number, None, members.shares(named.weight)),
        notes=(
            *_notes(quasi),
            *_notes_on_commas(rows.table, asked.sensitive),
            *_notes_on_nameless(asked.person, lines.table.n_rows - named.n_rows),
        ),
    )


def _with_person(lines: TextTable, asked: Policy) -> TextTable:
    """The lines that are somebody's: the others count for nobody. O(lines * columns)."""
    if asked.person is None:
        return lines
    person = lines.columns[asked.person]
    is_blank = pc.equal(person.words, MISSING_TEXT).to_numpy(zero_copy_only=False).take(person.codes)
    kept = np.flatnonzero(~is_blank)
    if not len(kept):
        what = f"person column {shown_name(asked.person)} is empty in every row"
        raise InputError(what, "persons are counted: fill it in, or name no person, so that rows are")
    if len(kept) == len(is_blank):
        return lines
    weight = np.ones(len(kept), dtype=np.int64) if lines.weight is None else lines.weight[kept]
    columns = {name: TextColumn(each.words, each.codes.take(kept)) for name, each in lines.columns.items()}
    return TextTable(columns, int(weight.sum())).weighing(weight)


def _rows(lines: TextTable, asked: Policy) -> TextRows:
    """The lines with the person behind each; a person's equal rows are one line, so they weigh nothing."""
    if asked.person is None:
        return TextRows(lines)
    columns = {name: column._replace(weight=None) for name, column in lines.columns.items()}
    return TextRows(TextTable(columns, lines.n_lines), lines.columns[asked.person].codes)


def _small_groups(members: Members) -> Iterator[SmallGroups]:
    for below in _SMALL:
        number = members_below(members, below)
        yield SmallGroups(below, number, number / members.n_table)


def _sensitive(rows: TextRows, members: Members, asked: Policy) -> Iterator[SensitiveFigures]:
    """l and t of every sensitive column, by the code with which the audit counts these promises."""
    numeric = [name for name in asked.sensitive if _is_numeric(rows.table, name)]
    texts = [name for name in asked.sensitive if name not in numeric]
    read = replace(asked, numeric=numeric, categorical=texts)
    for name in asked.sensitive:
        column = rows.confidential(members, name, read)
        distance = "ordered" if name in numeric else "equal"
        bounds = {"column": name, "l": 1, "t": Fraction(1), "distance": distance}
        diverse = decide("DistinctDiversity", bounds, members.number, column)
        close = decide("Closeness", bounds, members.number, column)
        n_values = int(np.count_nonzero(column.held.totals))
        yield SensitiveFigures(name, n_values, int(diverse.level), close.level, distance)


def _is_numeric(table: TextTable, name: str) -> bool:
    """Whether a column has values, and all of them are plain numbers; O(values)."""
    return _are_numbers(_texts(table, name))


def _are_numbers(texts: Sequence[str]) -> bool:
    return bool(texts) and all(map(is_number, texts))


def _texts(table: TextTable, name: str) -> list[str]:
    return [text for text in table.columns[name].words.to_pylist() if text != MISSING_TEXT]


def _notes_on_commas(table: TextTable, names: Sequence[str]) -> Iterator[str]:
    """Which columns may be numbers with a decimal comma: nothing here says so, and t would be another."""
    for name in names:
        texts = _texts(table, name)
        if not _are_numbers(texts) and _are_numbers([text.replace(",", ".", 1) for text in texts]):
            yield (
                f"Column {shown_name(name)} looks like numbers with a decimal comma. It was taken for texts, "
                "so its t does not know their order: a drafted policy does (kanopy suggest)."
            )


def _notes_on_nameless(person: str | None, n_rows: int) -> Iterator[str]:
    """How many rows have no person."""
    if person is not None and n_rows:
        found = nameless_finding(person, n_rows)
        yield f"{found.message}; {found.advice}."


def _notes(quasi: Sequence[str]) -> Iterator[str]:
    if (largest := largest_subset(len(quasi))) < min(3, len(quasi)):
        which = "single columns and pairs" if largest == 2 else "single columns"
        yield f"There are {len(quasi)} quasi-identifiers: of their subsets, only {which} were counted."
