"""Whether the files beside a table say what was counted on its bytes, and name nothing that it hides.

Reads certificate, codebook and report back from their bytes, by none of the code that wrote them.
PRIVACY: these files are released too (tests/sabotage/test_files_beside.py).
"""

from __future__ import annotations

import csv
import hashlib
import html
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from kanopy.auditing.finding import colour_of
from kanopy.auditing.recounting import Audit, requested_promises
from kanopy.auditing.text import TextTable
from kanopy.errors import VerificationError
from kanopy.frames.csv_form import PLAIN_FORM, CsvForm
from kanopy.policy import Policy

_BOOK = ["column", "position", "role", "cells", "entry", "text", "meaning"]
_VALUES = ("lowest", "highest", "level", "order")
"""Entries of a codebook whose text is a value that the column shows."""
_FORMS_OF_CELLS = {
    "*", "", "value", "[low, high]", "{a, b}", "{, a}", "~[a, b]", "{a: 3, b: 2}", "{: 2, a: 3}", "name",
    "<5", "\\...",
}  # fmt: skip
"""How a codebook writes the kinds of cells: with words of its own, and none of a table."""

_FEW = 4  # texts that are looked up one by one
_MEMBER = re.compile(r"(?s), (?:~(?=\[))?(\[[^]]*\][^,]*|(?:\\.|,(?! )|[^\\,])*)")
_COUNTED = re.compile(r"(?s)((?:\\.|[^\\])*?): [1-9][0-9]*")
_ESCAPED = re.compile(r"(?s)\\(.)")
_TAG = re.compile(r"(?<!\\)<[^>]*>")
_CODE = re.compile(r"(?s)(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)")
_LONGEST_NAME = 60  # characters from which on a report shortens names

_ANY: Any = None  # there are no names below this one
_OPTIONS = "options"  # whatever names options have, but that of the seed; with plain values
_EACH_COLUMN = "*"  # stands for the name of every column


def _plain(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, _ANY)


_HELD = {_EACH_COLUMN: _plain("kind", "level", "censored")}
_FILE = _plain("file", "sha256", "bytes", "rows")
_FORM = _plain("delimiter", "byte_order_mark", "decimal", "decimal_commas", "formulas_disarmed")
_CERTIFICATE = {
    **_plain("about", "format", "kanopy", "date", "quasi_identifiers", "truthful", "notices"),
    "release": {**_FILE, "columns": _ANY, "parts": _FILE, "form": _FORM},
    "codebook": _FILE,
    "cells": {_EACH_COLUMN: _plain("cells", "suppressed")},
    "policy": _plain("sha256"),
    "promise": {
        **_plain("sentences", "not_promised", "counted"),
        "bounds": _ANY,  # compared one by one
        "ordered_as": {_EACH_COLUMN: _ANY},
    },
    "roles": {_EACH_COLUMN: _ANY},
    "columns": _HELD,
    "verdict": {
        **_plain("colour", "accepted", "more_findings"),
        "findings": _plain("severity", "message", "column", "code", "advice"),
    },
    "method": {"name": _ANY, "options": _OPTIONS, "seed": _ANY},
}
_MANIFEST = {
    **_plain("kanopy", "method", "promise", "not_promised", "truthful", "notices"),
    "versions": _plain("python", "numpy", "pyarrow"),
    "options": _OPTIONS,
    "roles": {_EACH_COLUMN: _ANY},
    "suppressed": {_EACH_COLUMN: _ANY},
    "rows": _plain("in", "out", "dropped"),
    "groups": _plain("count", "smallest", "counted", "sizes"),
    "losses": _plain(
        "missing_cell_ratio", "gcp", "discernibility", "average_group_size", "classification_metric"
    ),
    "facts": _plain(
        "synthetic", "cut_short", "implied_promises", "drafted_columns", "suppressed_columns",
        "swapped_cells", "untrue_cells", "pure", "group_rows", "spread", "spread_chosen", "excess",
        "excess_of_mondrian",
    ),
    "value_statistics": {_EACH_COLUMN: {"values": _ANY, "other": _ANY, "rounded_to": _ANY}},
    "columns": _HELD,
    "derived": {_EACH_COLUMN: _plain("from", "as", "at")},
}  # fmt: skip


class Counted(NamedTuple):
    """A table that was written, as it was counted on its bytes.

    Parameters
    ----------
    name, sha256 : str
    n_bytes : int
    table : TextTable
        With its words as they stand in the file.
    audit : Audit
        What was counted on them.
    policy : Policy
    form : CsvForm
    """

    name: str
    sha256: str
    n_bytes: int
    table: TextTable
    audit: Audit
    policy: Policy
    form: CsvForm = PLAIN_FORM

    @property
    def sentences(self) -> list[str]:
        """The promises that were counted, in words."""
        return [each.sentence for each in requested_promises(self.policy, self.audit.unit)]


def check_audit(said: Audit, counted: Counted) -> None:
    """The verdict that goes with a release is what its bytes say; what is beside that was found elsewhere.

    PRIVACY: a verdict may be changed between the run and the writing (tests/sabotage/test_files_beside.py).
    """
    recounted = counted.audit
    is_same = replace(said, findings=()) == replace(recounted, findings=())
    known = {(finding.code, finding.severity) for finding in said.findings}
    if not is_same or not known.issuperset((each.code, each.severity) for each in recounted.findings):
        raise _refused("the verdict", "figures or findings that were counted on its bytes")


def check_manifest(manifest: Mapping[str, Any], counted: Counted) -> None:
    """What is told to anyone has the names that may be told, and the figures that were counted."""
    _check_names(manifest, _MANIFEST, counted, "the manifest")
    audit, rows, groups = counted.audit, manifest["rows"], manifest["groups"]
    _same("the manifest", "promise", manifest["promise"], counted.sentences)
    _same("the manifest", "roles", manifest["roles"], counted.policy.roles)
    _same("the manifest", "rows", rows["out"], counted.table.n_rows)
    _same("the manifest", "groups", (groups["count"], groups["counted"]), (audit.groups, audit.unit))
    if audit.unit == "rows":
        _same("the manifest", "smallest group", groups["smallest"], audit.k)
    is_told = rows["dropped"] == 0 or (rows["in"] is None and isinstance(rows["dropped"], str))
    if not is_told:
        raise _refused("the manifest", "dropped rows as a range", "the exact number of them")


def check_certificate(raw: bytes, counted: Counted, beside: Mapping[str, bytes]) -> None:
    """The bytes of a certificate: names that may be told, this file, these files beside it, this promise."""
    what = "the certificate"
    said = _read(what, raw)
    _check_names(said, _CERTIFICATE, counted, what)
    release, promise, verdict = said["release"], said["promise"], said["verdict"]
    _same(what, "file", release["file"], counted.name)
    _same(what, "SHA-256", release["sha256"], counted.sha256)
    _same(what, "size", (release["bytes"], release["rows"]), (counted.n_bytes, counted.table.n_rows))
    _same(what, "columns", release["columns"], list(counted.table.columns))
    files = [
        {"file": name, "sha256": hashlib.sha256(text).hexdigest(), "bytes": len(text)}
        for name, text in beside.items()
    ]
    _same(what, "codebook", said["codebook"], files)
    requested = list(requested_promises(counted.policy, counted.audit.unit))
    _same(what, "promise", promise["sentences"], counted.sentences)
    _same(what, "unit", promise["counted"], counted.audit.unit)
    bounds = [{name: each[name] for name in each if name != "recount"} for each in promise["bounds"]]
    meant = [
        {"promise": each.kind} | {name: _as_written(bound) for name, bound in each.bounds.items()}
        for each in requested
    ]
    _same(what, "bounds", bounds, meant)
    quasi = list(counted.policy.quasi_identifiers)
    _same(what, "roles", (said["quasi_identifiers"], said["roles"]), (quasi, counted.policy.roles))
    _check_findings(verdict, counted)
    if not str(said["method"]["seed"]).startswith("withheld"):
        raise _refused(what, "no seed")


def _check_findings(verdict: Mapping[str, Any], counted: Counted) -> None:
    said = {(finding["code"], finding["severity"]) for finding in verdict["findings"]}
    public = counted.audit.public().findings
    is_cut = verdict["more_findings"] > 0
    if not is_cut and not said.issuperset((finding.code, finding.severity) for finding in public):
        raise _refused("the certificate", "the findings that were counted")
    _same("the certificate", "colour", verdict["colour"], colour_of(severity for _, severity in said))


def check_codebook(raw: bytes, counted: Counted) -> None:
    """The bytes of a codebook as a table: every value in it is one that the table shows; O(cells)."""
    what, columns = "the codebook", counted.table.columns
    try:
        text = raw.decode("utf-8-sig")
        header, *lines = csv.reader(io.StringIO(text, ""), strict=True, delimiter=counted.form.delimiter)
    except (csv.Error, ValueError):
        raise _refused(what, "a table that can be read") from None
    _same(what, "header", header, _BOOK)
    values: defaultdict[str, set[str]] = defaultdict(set)
    for line in lines:
        name = counted.form.named(line[:1])[0] if line else ""
        if len(line) != len(_BOOK) or name not in columns:
            raise _refused(what, "columns of the table")
        _, _, role, _, entry, text, meaning = line
        _same(what, "role", role, counted.policy.roles[name])
        if entry in _VALUES:
            values[name].add(text)
        elif not _is_known(entry, text, meaning, counted):
            raise _refused(what, "entries that the table has")
    for name, texts in values.items():
        _check_shown(what, texts, name, counted)


def _is_known(entry: str, text: str, meaning: str, counted: Counted) -> bool:
    """Whether a line of a codebook that names no value says nothing else either."""
    if entry in ("correlation", "class"):
        (name,) = counted.form.named([text])
        return name in counted.table.columns and bool(re.fullmatch(r"-?[01]\.[0-9]{2}", meaning))
    if entry == "more":
        return text.isdecimal() and int(text) < counted.table.n_rows
    allowed = {"column": {""}, "cell": _FORMS_OF_CELLS, "linear": {"draws", "normal"}}
    return text in allowed.get(entry, ())


def check_codebook_page(raw: bytes, counted: Counted) -> None:
    """The bytes of a codebook as a page: this file, this promise, and values that the table shows."""
    what, text = "the page of the codebook", raw.decode("utf-8")
    _check_said(what, _without_marks(text), counted)
    about_columns = text.partition("\n## Columns\n")[2].partition("\n## The grammar of cells\n")[0]
    levels, is_of = set[str](), ""
    names = {_on_one_line(name): name for name in counted.table.columns}
    for line in about_columns.splitlines():
        spans = [_unpadded(span).replace(r"\|", "|") for _, span in _CODE.findall(line)]
        if line.startswith("### ") and spans and spans[0] in names:
            is_of = names[spans[0]]
        elif line.startswith(("- in the order of", "- levels that cells name")):
            levels = {span for span in spans if "\N{REPLACEMENT CHARACTER}" not in span}
            _check_shown(what, levels, is_of, counted)
        elif not {*names, *_FORMS_OF_CELLS}.issuperset(spans):
            raise _refused(what, "columns of the table and kinds of cells")


def _on_one_line(name: str) -> str:
    return re.sub(r"[\x00-\x1f\x7f\u0085\u2028\u2029]", "\N{REPLACEMENT CHARACTER}", name).replace(r"\|", "|")


def _unpadded(span: str) -> str:
    return span[1:-1] if len(span) > 1 and span[0] == span[-1] == " " else span


def check_report(raw: bytes, suffix: str, counted: Counted) -> None:
    """The bytes of a report: it is about this file, and says the promises that were counted."""
    if suffix == ".json":
        said = _read("the report", raw)
        _same("the report", "SHA-256", (said.get("file") or {}).get("sha256"), counted.sha256)
        _same("the report", "number of promises", len(said["promises"]), len(counted.sentences))
        _same("the report", "verdict", (said["kept"], said["unit"]), (counted.audit.kept, counted.audit.unit))
    if suffix != ".pdf":  # which is printed from the page, and read by no program here
        text = raw.decode("utf-8")
        plain = html.unescape(_TAG.sub("", text)) if suffix == ".html" else _without_marks(text)
        _check_said("the report", plain, counted)


def _without_marks(text: str) -> str:
    """A page or data without tags; ``<`` with a backslash is that of a value, as is one in data."""
    return text if text.startswith("{") else _TAG.sub("", text)


def _check_said(what: str, text: str, counted: Counted) -> None:
    """A text says the digest of the table, and every promise."""
    letters = re.sub(r"\W+", "", text)
    if counted.sha256 not in letters:
        raise _refused(what, "the SHA-256 of the table")
    for promise in requested_promises(counted.policy, counted.audit.unit):
        names = (*promise.bounds.get("given", ()), promise.column or "")
        is_plain = promise.sentence.isascii() and not set(promise.sentence) & set("<\\")
        is_whole = all(len(name) <= _LONGEST_NAME for name in names) and promise.bounds.get("value") is None
        if is_plain and is_whole and re.sub(r"\W+", "", promise.sentence) not in letters:
            raise _refused(what, "the promise that was counted")


def _check_shown(what: str, texts: set[str], column: str, counted: Counted) -> None:
    """Every text is one of a published column, or stands in one of its cells; O(cells) at most."""
    if column not in counted.table.columns:
        raise _refused(what, "columns of the table")
    words = counted.table.columns[column].words
    missing = _not_among(words, texts - {""})
    if counted.form.is_disarmed:
        missing = {text[1:] for text in _not_among(words, {f"'{text}" for text in missing})}
    if missing and counted.policy.roles[column] == "quasi_identifiers":
        for cell in _cells_with(missing, words):
            shown = shown_texts(cell)
            disarmed = [f"'{text}" for text in shown] if counted.form.is_disarmed else []
            missing = missing.difference(shown, disarmed)
            if not missing:
                break
    if missing:
        raise _refused(what, f"values that column {column!r} shows")


def _not_among(words: pa.StringArray, texts: set[str]) -> set[str]:
    asked = pa.array(sorted(texts), pa.string())
    return set(asked.filter(pc.invert(pc.is_in(asked, value_set=words))).to_pylist())


def _cells_with(texts: set[str], words: pa.StringArray) -> Iterator[str]:
    """The cells that may show one of the texts; a few plain ones are searched for, as cells may be many."""
    if len(texts) <= _FEW and all(re.fullmatch(r"[\w.+-]+", text) for text in texts):
        for text in texts:
            yield from words.filter(pc.match_substring(words, text)).to_pylist()
    else:
        yield from words.to_pylist()


def shown_texts(cell: str) -> list[str]:
    """The texts that a published cell shows: members, what is counted, the ends of ranges, means.

    >>> shown_texts("{a: 3, b: 2}"), shown_texts("{, [20, 29]}"), shown_texts("\\\\*")
    (['a: 3', 'a', 'b: 2', 'b'], ['', '20', '29'], ['*'])
    """
    if cell[:1] != "{":
        ends = cell.lstrip("~")
        return ends[1:-1].split(", ") if ends[:1] == "[" else [cell.removeprefix("\\")]
    shown: list[str] = []
    for member in (found[1] for found in _MEMBER.finditer(", " + cell[1:-1])):
        counted = _COUNTED.fullmatch(member)
        for text in (member, *([counted[1]] if counted else [])):
            if text[:1] == "[":
                shown += text[1:].rstrip("]").split(", ") if text[-1] == "]" else []
            else:
                shown.append(_ESCAPED.sub(r"\1", text))
    return shown


def _check_names(said: Any, allowed: Any, counted: Counted, what: str) -> None:
    """PRIVACY: whatever has a name that is not listed here may be a secret (tests/sabotage)."""
    for each in said if isinstance(said, list) else ():
        _check_names(each, allowed, counted, what)
    if not isinstance(said, Mapping) or allowed is _ANY:
        return
    if allowed == _OPTIONS:
        if "seed" in said or not all(isinstance(each, bool | int | float | str) for each in said.values()):
            raise _refused(what, "options of the method")
        return
    if _EACH_COLUMN in allowed:
        allowed = dict.fromkeys(counted.policy.roles, allowed[_EACH_COLUMN])
    if not said.keys() <= allowed.keys():
        raise _refused(what, "entries that may be told", "others")
    for name, inner in said.items():
        _check_names(inner, allowed[name], counted, what)


def _as_written(bound: Any) -> Any:
    if isinstance(bound, Fraction):
        return str(bound)
    return list(bound) if isinstance(bound, tuple) else bound


def _read(what: str, raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        raise _refused(what, "JSON") from None


def _same(what: str, name: str, said: Any, counted: Any) -> None:
    if said != counted:
        raise _refused(what, f"the {name} that was counted")


def _refused(what: str, lacks: str, has: str = "something else") -> VerificationError:
    return VerificationError(f"{what} should hold {lacks}, and holds {has}", "nothing was published")
