"""Findings about what columns hold: identifiers, free text, dates, values that nearly every row has alone."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.auditing.finding import Finding
from kanopy.auditing.named_values import NamedValues
from kanopy.auditing.text import TextTable
from kanopy.auditing.warnings import nameless_finding
from kanopy.content import FEWEST, Content, content_of, searched
from kanopy.data import calendar
from kanopy.data.arrays import Ints
from kanopy.data.grammar import MISSING_TEXT
from kanopy.data.keys import counted
from kanopy.errors import InputError, StoppedError
from kanopy.frames.distinct import distinct_column
from kanopy.frames.encode import Encoded
from kanopy.frames.from_numpy import as_arrow
from kanopy.policy import Policy, shown_name
from kanopy.policy.toml_text import toml_key

_FEW_ROWS = 20  # with fewer rows nearly every column is nearly unique
_NEAR_UNIQUE = 0.9
_FEW_VALUES = 20
_ROWS_OF_EACH = 5
_LONGEST_CODE = 80  # characters: a long name must not flood a message
_DATES = ("date", "time", "clock")
_COARSER = {"month": "year", "quarter": "year", "year": "decade", "decade": None}
"""Calendar levels that need no warning by themselves, and what to publish where they are still too fine."""
_HOLDS = {
    "key": "keys",
    "serial": "serial numbers",
    "person key": "keys of persons",
    "email": "e-mail addresses",
    "phone": "telephone numbers",
    "iban": "numbers of bank accounts",
    "national id": "national identity numbers",
    "payment card": "numbers of payment cards",
    "birth date": "dates of birth",
    "person name": "names of people",
    "url": "web addresses",
    "address": "postal addresses",
    "network address": "addresses of computers",
    "date": "dates",
    "time": "dates with a time of day",
    "clock": "times of day",
}

Contents = Mapping[str, Content]
"""What each column holds."""


def contents_of_text(table: TextTable, named: Mapping[str, NamedValues], policy: Policy) -> Contents:
    """What the published columns of a table hold; of quasi-identifiers, the values that cells name."""
    found = {}
    for name, column in table.columns.items():
        if name not in policy.published:
            continue
        words, counts = column.words, column.counts
        if name in named:
            words, counts, _ = named[name]
        is_value = ~pc.is_in(
            words, value_set=pa.array([MISSING_TEXT, *policy.missing], pa.string())
        ).to_numpy(zero_copy_only=False)
        found[name] = content_of_column(name, words.filter(as_arrow(is_value)), counts[is_value], policy)
    return found


def content_of_column(name: str, words: pa.StringArray, counts: Ints, policy: Policy) -> Content:
    """What a column holds; declared dates, cut down to months, would look like keys. O(values).

    The kind of dates that were cut down to months or more is their calendar level.
    """
    if len(words) < FEWEST:
        few = Content("category", "few values", "sure", int(counts.sum()), len(words), 0)
        return searched(few, words, counts)
    found, form = content_of(words, counts), policy.columns.get(name)
    if found.is_inside or (found.kind not in ("date", "time") and (form is None or not form.is_date)):
        return found
    level = calendar.finest_period(words.to_pylist())
    if level is None:
        return found
    kind = level if level in _COARSER else "date" if level == "day" else "time"
    return found._replace(kind=kind, evidence=f"{found.n_values:,} different dates", certainty="sure")


def contents_of_source(encoded: Encoded, policy: Policy) -> Contents:
    """What the columns of the source hold that will be published; O(rows * columns)."""
    found = {}
    for quasi in encoded.table.quasi:
        totals = counted(quasi.codes, quasi.domain.n_codes, encoded.table.weight)
        occurring = np.flatnonzero(totals[:-1])
        words = pa.array([quasi.domain.labels[code] for code in occurring.tolist()], pa.string())
        name = quasi.domain.name
        found[name] = content_of_column(name, words, totals[occurring].astype(np.int64), policy)
    for name, column in encoded.passing.items():
        found[name] = content_of_column(name, column.texts, column.counts[:-1], policy)
    return found


def content_findings(contents: Contents, policy: Policy) -> Iterator[Finding]:
    """What should not be published like this, or what somebody should look at, column by column."""
    accepted = set(policy.accept)
    for name, content in contents.items():
        is_quasi = policy.roles[name] == "quasi_identifiers"
        if content.is_private:
            found = _identifying(name, content, policy)
            accepted.discard(found.code)
            yield found
        elif not is_quasi and content.kind in _DATES:
            message = f"column {shown_name(name)} is published as it is and holds {_told(content)}"
            yield Finding("warning", message, name, f"date:{name}", _coarser(name, content))
        elif is_quasi and _is_nearly_unique(content):
            message = f"quasi-identifier {shown_name(name)} is nearly unique: {content.evidence}"
            yield Finding("warning", message, name, f"nearly unique:{name}", _coarser(name, content))
    for code in sorted(accepted):
        kind, _, name = code.partition(":")
        if name in contents:
            what = {"identifier": "it may tell persons apart", "free text": "it may hold free text"}[kind]
            message = f"column {shown_name(name)} is published although {what}: the policy accepts this"
            yield Finding("warning", message, name, code, _REVIEW)


def _coarser(name: str, content: Content) -> str:
    if content.kind == "clock":
        return "publish hours or parts of the day instead, or declare it as an identifier"
    level = "year" if content.kind in _DATES else _COARSER.get(content.kind)
    if level is not None:
        shown = name if len(name) <= _LONGEST_CODE else f"{name[: _LONGEST_CODE - 1]}…"
        return f'publish coarser dates, for example with levels = ["{level}"] in [columns.{toml_key(shown)}]'
    return "its cells will say little: declare it as an identifier, or give it coarser values"


_REVIEW = "have a colleague review the line accept of the policy"


def _identifying(name: str, content: Content, policy: Policy) -> Finding:
    kind = "free text" if content.kind == "free text" else "identifier"
    code = f"{kind}:{name}"
    is_sure = content.is_identifying and not _has_few_names(content)
    verb = "holds" if is_sure else "may hold"
    message = f"column {shown_name(name)} is published and {verb} {_told(content)}"
    if code in policy.accept:
        return Finding("warning", f"{message}; the policy accepts this", name, code, _REVIEW)
    return Finding("serious" if is_sure else "warning", message, name, code, _advice([code]))


def _has_few_names(content: Content) -> bool:
    """Cook, Baker and Smith are names of people and trades: a few that many rows share tell nobody apart."""
    few = content.n_values <= _FEW_VALUES and content.n_rows >= _ROWS_OF_EACH * content.n_values
    return content.kind == "person name" and few


def _advice(codes: Sequence[str]) -> str:
    shown = (code if len(code) <= _LONGEST_CODE else f"{code[: _LONGEST_CODE - 1]}…" for code in codes)
    listed = ", ".join(json.dumps(code, ensure_ascii=False) for code in shown)
    what = "it" if len(codes) == 1 else "them"
    agreed = f"if a reviewer agrees to publish {what} all the same, write in the policy: accept = [{listed}]"
    return f"declare {what} in identifiers, which are dropped; {agreed}"


def _told(content: Content) -> str:
    return f"{_HOLDS.get(content.kind, content.kind)} ({content.evidence})"


def _is_nearly_unique(content: Content) -> bool:
    """Numbers are published as ranges, whose ends say little about anyone."""
    return content.kind != "number" and content.n_values > _NEAR_UNIQUE * max(content.n_rows, _FEW_ROWS)


def check_source(source: pa.Table, encoded: Encoded, policy: Policy) -> tuple[Finding, ...]:
    """Findings for the custodian alone; a PolicyError where a column must not be published like this.

    PRIVACY: k says nothing about a column that itself tells who somebody is, or in which anybody may have
    written that (tests/unit/test_stops.py).
    """
    found = content_findings(contents_of_source(encoded, policy), policy)
    return checked_findings([*found, *_person_findings(source, policy), *_nameless_findings(encoded, policy)])


def checked_findings(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """The same for the custodian alone; a PolicyError where one of them is serious."""
    stopped = [finding for finding in found if finding.severity == "serious"]
    if not stopped:
        return tuple(replace(finding, is_private=True) for finding in found)
    columns = "; ".join(finding.message for finding in stopped)
    which = "1 column" if len(stopped) == 1 else f"{len(stopped)} columns"
    codes = tuple(each.code for each in stopped)
    raise StoppedError(
        f"{which} would tell who people are, whatever the promise is: {columns}", _advice(codes), codes
    )


def _nameless_findings(encoded: Encoded, policy: Policy) -> Iterator[Finding]:
    """That rows have no person, and how many; O(rows)."""
    persons = encoded.table.persons
    if persons is not None and policy.person is not None and (n_rows := int(np.count_nonzero(persons < 0))):
        yield nameless_finding(policy.person, n_rows)


def _person_findings(source: pa.Table, policy: Policy) -> Iterator[Finding]:
    """Rows are not persons: where a dropped key repeats, somebody has several rows; O(rows) a column."""
    if policy.person is not None:
        return
    contents = {}
    for name in policy.identifiers:
        with contextlib.suppress(InputError):  # it is dropped anyway, whatever it holds
            column = distinct_column(name, source[name], policy.missing)
            contents[name] = content_of(column.texts, column.counts[:-1])
    keys = [name for name, content in contents.items() if content.kind == "person key"]
    name = max(keys or contents, key=lambda each: contents[each].n_values, default="")
    n_values = contents[name].n_values if contents else source.num_rows
    if not keys and n_values == source.num_rows:
        return
    message = f"identifier {shown_name(name)} has {n_values:,} values in {source.num_rows:,} rows: "
    message += "persons have several rows, and k counts rows" if keys else "a person may have several rows"
    advice = "declare it as person, so that k counts persons"
    yield Finding("warning" if keys else "note", message, name, f"persons:{name}", advice)
