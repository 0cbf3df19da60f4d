"""Draft of a policy from a table: a role for every column with the reason, and how the table is written."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.auditing.text import TextColumn, TextTable
from kanopy.content import ALL_SEEN, MISSING_MARKS, Content, Unseen, content_of
from kanopy.drafting.column_settings import is_birth, settings_of
from kanopy.drafting.decided_roles import decided_roles
from kanopy.drafting.decisions import AS_DRAFTED, Bound, DraftDecisions
from kanopy.drafting.missing_marks import NUMBERS, missing_marks
from kanopy.drafting.name_hints import hints_at
from kanopy.drafting.policy_text import n_checks, policy_text
from kanopy.drafting.roles import DraftedRole
from kanopy.drafting.rule_draft import HierarchySuggestion, draft_rule
from kanopy.engines.spark.session import is_spark_frame
from kanopy.errors import InputError, KanopyError, PolicyError, near_name
from kanopy.frames.conversion import converted
from kanopy.frames.detected_file import read_detected
from kanopy.frames.dialect import Dialect
from kanopy.frames.tables import read_table
from kanopy.policy import Policy
from kanopy.policy.toml_file import MOST_BYTES, read_policy

_SAMPLE = 1000
_DROPPED = ("identifiers", "person")
_USUAL = Dialect()


@dataclass(frozen=True, slots=True)
class ColumnSuggestion:
    """The suggested role of a column, the reason, and how certain it is: sure, likely or doubtful.

    ``kind`` is what the column holds, ``settings`` how it is written, as in ``[columns.NAME]`` of a policy.
    ``diversity`` is how many values of a sensitive column every group shall have; 0: no such promise.
    """

    name: str
    role: str
    reason: str
    certainty: str = "sure"
    kind: str = "category"
    n_values: int = 0
    n_missing: int = 0
    is_code: bool = False
    is_birth: bool = False
    settings: dict[str, Any] = field(default_factory=dict)
    diversity: int = 0


@dataclass(frozen=True)
class Suggestion:
    """A drafted policy.

    ``missing`` are texts of the table that mean missing, ``maybe_missing`` those that may, with how often
    they occur, and ``missing_elsewhere`` the columns of text that have some of them, too. ``source`` says how
    the file is written where that is not as usual, ``doubts`` what is doubtful about it. ``decisions`` is
    what somebody decided otherwise.
    """

    columns: tuple[ColumnSuggestion, ...]
    missing: tuple[str, ...] = ()
    maybe_missing: Mapping[str, int] = field(default_factory=dict)
    k: int = 2
    n_rows: int = 0
    hierarchies: tuple[HierarchySuggestion, ...] = ()
    source: Mapping[str, str] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()
    missing_elsewhere: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    decisions: DraftDecisions = AS_DRAFTED

    @property
    def target(self) -> str | None:
        """The column to be predicted, if there is one."""
        return next((column.name for column in self.columns if column.role == "target"), None)

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The promises beside k: those that were decided, and advised ones where nobody decided."""
        decided = self.decisions.bounds or ()
        known = {bound.settings["column"] for bound in decided if bound.kind != "template"}
        advised = (
            Bound("diversity", {"column": column.name, "l": column.diversity})
            for column in self.columns
            if column.diversity and column.role == "sensitive"
            and column.name not in {*known, *self.decisions.unbounded}
        )  # fmt: skip
        return (*decided, *advised)

    @cached_property
    def policy(self) -> Policy:
        """The draft as a policy, to be read and changed before it is used.

        Raises
        ------
        PolicyError
            Where no column is left that could be a quasi-identifier.
        """
        return read_policy(policy_text(self).encode(), "the drafted policy", Path())

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain values; of a draft nothing is decided."""
        return {name: value for name, value in asdict(self).items() if name != "decisions"}

    def to_toml(self) -> str:
        """The draft as a policy file with a reason beside every line.

        Raises
        ------
        PolicyError
            Where it is too long for a policy file, even without the reasons.
        """
        text = policy_text(self)
        if (n_bytes := len(text.encode())) > MOST_BYTES:
            what = f"the draft for {len(self.columns):,} columns has {n_bytes:,} bytes"
            advice = "remove columns that nobody needs from the table, or shorten their names"
            raise PolicyError(f"{what}, and a policy file has at most {MOST_BYTES:,}", advice)
        return text

    @property
    def n_checks(self) -> int:
        """How many lines of the policy file are marked ``check:``."""
        return n_checks(self)


def suggest(
    table: Any,
    *,
    target: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
) -> Suggestion:
    """Draft a policy: what every column is, how the table is written, and why; O(rows * columns).

    Columns are judged by what they hold, and by their names where that protects more. What is doubtful is
    dropped or published coarsely.

    Parameters
    ----------
    table : frame or path
        A pandas, polars or pyarrow table, or the path of a CSV, Parquet or Excel file. How a CSV file is
        written is found out. Of a column of a Spark frame with very many values, some are looked at, with all
        their rows: see docs/spark.md.
    target : str, optional
        The class, if the caller knows it.
    delimiter, encoding : str, optional
        Of a CSV file, if the caller knows them.
    sheet : str, optional
        Of an Excel workbook that has several.

    Examples
    --------
    >>> import pyarrow as pa
    >>> draft = suggest(pa.table({"age": list(range(20, 60)) * 3, "ill": ["yes", "no"] * 60}))
    >>> [(column.name, column.role, column.certainty) for column in draft.columns]
    [('age', 'quasi_identifiers', 'sure'), ('ill', 'target', 'doubtful')]
    >>> draft.policy.target
    'ill'
    """
    if is_spark_frame(table):
        return draft_frame(table, target=target)
    source, dialect = _read(table, delimiter=delimiter, encoding=encoding, sheet=sheet)
    return draft_policy(source, dialect, target=target)


def _read(table: Any, **form: str | None) -> tuple[pa.Table, Dialect | None]:
    if isinstance(table, str | os.PathLike):
        return read_detected(table, **form)
    return read_table(table)[1], None


def draft_policy(table: pa.Table, dialect: Dialect | None = None, *, target: str | None = None) -> Suggestion:
    """The same for a table that was read already, and what its file was written in."""
    seen = SeenTable.of(table, dialect)
    _check_target(target, seen.columns)
    return seen.draft(target=target)


def draft_frame(frame: Any, dialect: Dialect | None = None, *, target: str | None = None) -> Suggestion:
    """The same for a Spark frame; O(rows * columns) on its cluster, O(values that are seen) here."""
    from kanopy.engines.spark.sampled import sampled_columns
    from kanopy.engines.spark.source import SparkSource

    source = SparkSource.as_it_is(frame)
    _check_target(target, source.names)
    sampled, n_rows = sampled_columns(source, (*MISSING_MARKS, *NUMBERS))
    seen = {}
    for name, each in sampled.items():
        text = TextTable.of_arrow(pa.table({name: each.values})).weighing(each.counts)
        seen[name] = SeenColumn(each.values, text.columns[name], each.unseen)
    contents = {name: column.content for name, column in seen.items()}
    return SeenTable(seen, contents, n_rows, dialect).draft(target=target)


def _check_target(target: str | None, names: Collection[str]) -> None:
    if target is not None and target not in names:
        raise PolicyError(f"the table has no column {target!r}", near_name(target, names))


class SeenColumn(NamedTuple):
    """A column as its cells came, as text, and how many values it has that are not among these."""

    cells: pa.Array | pa.ChunkedArray
    text: TextColumn
    unseen: Unseen = ALL_SEEN

    @property
    def content(self) -> Content:
        """What the column holds; O(values)."""
        content = content_of(self.text.words, self.text.counts, self.unseen)
        if not self.unseen.n_values:
            return content
        return content._replace(evidence=f"{content.evidence}; {len(self.text.words):,} were looked at")


class SeenTable(NamedTuple):
    """All columns of a table and what they hold, so that a draft with other roles need not look again."""

    columns: Mapping[str, SeenColumn]
    contents: Mapping[str, Content]
    n_rows: int
    dialect: Dialect | None = None

    @classmethod
    def of(
        cls, table: pa.Table, dialect: Dialect | None = None, contents: Mapping[str, Content] | None = None
    ) -> SeenTable:
        """Look at a table; ``contents`` is what an earlier look has found. O(rows * columns)."""
        texts = TextTable.of_arrow(table)
        if not texts.n_rows:
            raise InputError("the table has no rows")
        # Names of a table may have blanks around them, those of its texts do not.
        cells = dict(zip(texts.columns, table.columns, strict=True))
        seen = {name: SeenColumn(cells[name], text) for name, text in texts.columns.items()}
        found = {name: column.content for name, column in seen.items()} if contents is None else contents
        return cls(seen, found, texts.n_rows, dialect)

    def draft(self, decisions: DraftDecisions = AS_DRAFTED, *, target: str | None = None) -> Suggestion:
        """A draft in which some things are decided; O(rows + values * formats) for columns of dates."""
        contents = self.contents
        texts = {name: column.text for name, column in self.columns.items()}
        roles = decided_roles(contents, decisions, target)
        columns = tuple(_column(name, contents[name], role, texts[name]) for name, role in roles.items())
        published = {column.name for column in columns if column.role not in _DROPPED}
        marks = missing_marks(texts, contents, published)
        columns = tuple(_if_readable(column, self.columns[column.name], marks.sure) for column in columns)
        columns = tuple(_if_complete(column, texts[column.name], marks.sure) for column in columns)
        k = min(10, max(2, self.n_rows // 20)) if decisions.k is None else decisions.k
        return Suggestion(
            columns, marks.sure, marks.maybe, k, self.n_rows,
            hierarchies=_rules(columns, texts, marks.sure), source=_source(self.dialect),
            doubts=() if self.dialect is None else self.dialect.doubts, missing_elsewhere=marks.elsewhere,
            decisions=decisions,
        )  # fmt: skip


def _column(name: str, content: Content, decision: DraftedRole, column: TextColumn) -> ColumnSuggestion:
    is_dropped = decision.role in _DROPPED
    sample = _sample(column) if content.kind in ("date", "time") else []  # nothing else is looked at
    return ColumnSuggestion(
        name,
        decision.role,
        decision.reason,
        decision.certainty,
        content.kind,
        content.n_values,
        content.n_missing,
        is_code=decision.role == "quasi_identifiers" and _is_code(name, content),
        is_birth=is_birth(name, content, sample),
        settings={} if is_dropped else settings_of(name, content, sample),
        diversity=_diversity(column) if decision.role == "sensitive" else 0,
    )


def _diversity(column: TextColumn) -> int:
    """How many values every group can be asked for without putting most rows together; O(rows)."""
    sizes = column.counts
    n_values, most = int((sizes > 0).sum()), sizes.max() / sizes.sum()
    return 3 if n_values >= 6 and most <= 0.5 else 2 if n_values >= 3 and most <= 0.8 else 0


def _if_readable(column: ColumnSuggestion, seen: SeenColumn, missing: tuple[str, ...]) -> ColumnSuggestion:
    """Drop a column some values of which are not written as the others; O(rows + values * formats).

    The sample that its form was told from need not have had them. Without this, the next command would fail.
    """
    if not column.settings:
        return column
    settings = {column.name: column.settings}
    try:
        alone = Policy(quasi_identifiers=[column.name], columns=settings, missing=missing, k=2)
        converted(pa.table({column.name: seen.cells}), alone, weight=seen.text.weight)
    except KanopyError as error:
        if column.role == "target":
            return replace(column, settings={})
        why = f"{column.reason}; but {error.message}"
        return replace(column, role="identifiers", reason=why, certainty="doubtful", settings={})
    return column


def _if_complete(column: ColumnSuggestion, text: TextColumn, missing: tuple[str, ...]) -> ColumnSuggestion:
    """Rows without a person count for nobody: that is said, and where they are most rows it is no person."""
    if column.role != "person":
        return column
    words, blank = pc.utf8_trim_whitespace(text.words), pa.array(["", *missing], pa.string())
    n_blank = int(text.counts[pc.is_in(words, blank).to_numpy(zero_copy_only=False)].sum())
    if not n_blank:
        return column
    if 2 * n_blank > text.counts.sum():
        why = f"{column.reason}; but most rows lack it"
        return replace(column, role="identifiers", reason=why, certainty="doubtful")
    rows = "1 row lacks it and counts" if n_blank == 1 else f"{n_blank:,} rows lack it and count"
    return replace(column, reason=f"{column.reason}; {rows} for nobody")


def _is_code(name: str, content: Content) -> bool:
    """Codes, also those that look like numbers: a zip is no quantity."""
    is_number = content.kind == "number" and content.is_whole and content.n_values > 2
    return content.kind == "code" or (is_number and hints_at(name, "codes"))


def _sample(column: TextColumn) -> list[str]:
    """Some of the values, at even distances."""
    n_values = len(column.words)
    places = np.linspace(0, n_values - 1, min(n_values, _SAMPLE)).astype(np.int64)
    return [text.strip() for text in column.words.take(pa.array(places)).to_pylist()]


def _rules(
    columns: tuple[ColumnSuggestion, ...], texts: Mapping[str, TextColumn], missing: tuple[str, ...]
) -> tuple[HierarchySuggestion, ...]:
    """Hierarchies for quasi-identifiers, and for diagnoses in any role that is published; O(values)."""
    made = []
    for column in columns:
        kind = "code" if column.is_code else column.kind
        if column.settings.get("censored"):
            continue  # no rule groups <5
        if column.role == "quasi_identifiers" or (column.role == "sensitive" and kind == "icd10"):
            words = pc.unique(pc.utf8_trim_whitespace(texts[column.name].words)).to_pylist()
            rule = draft_rule(column.name, kind, [word for word in words if word not in ("", *missing)])
            made += [] if rule is None else [rule]
    return tuple(made)


def _source(dialect: Dialect | None) -> dict[str, str]:
    """What is not as usual."""
    if dialect is None:
        return {}
    keys = ("delimiter", "encoding", "quote", "sheet")
    return {key: value for key in keys if (value := getattr(dialect, key)) != getattr(_USUAL, key)}
