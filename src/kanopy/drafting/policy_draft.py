"""Draft of a policy from a table: a role for every column, with the reason."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.auditing.text import Profile, TextTable, profile_column
from kanopy.errors import InputError, PolicyError, near_name
from kanopy.frames.tables import read_table

_MISSING_TOKENS = (
    "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "-", ".", "-9", "-99", "unknown",
)  # fmt: skip
_HINTS = {
    "identifiers": "name surname firstname lastname forename email mail phone telephone mobile fax ssn "
    "passport address street iban account url ip username login licence license plate mrn",
    "person": "id pid uid identifier patient person customer user subject member client participant",
    "sensitive": "diagnosis diagnoses disease illness icd hiv condition treatment medication drug therapy "
    "salary wage debt religion politics party sexual orientation crime conviction cause",
    "target": "class target label outcome y income readmitted readmission churn default approved survived "
    "response status risk",
    "codes": "zip zipcode postcode postal plz code icd",
}
_MEANING = {
    "quasi_identifiers": "what an attacker may know; generalized",
    "target": "the class; published",
    "sensitive": "published; see [privacy]",
    "identifiers": "dropped",
    "person": "k counts persons; dropped",
}


@dataclass(frozen=True, slots=True)
class ColumnSuggestion:
    """The suggested role of a column, and the reason."""

    name: str
    role: str
    reason: str
    n_values: int
    n_missing: int
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class HierarchySuggestion:
    """The file with the drafted hierarchy of a column, and how its values are grouped."""

    name: str
    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A drafted policy.

    ``missing`` are texts of the table that nearly always mean missing, ``maybe_missing`` those that may, and
    how often they occur. ``hierarchies`` are the drafts that have been written.
    """

    columns: tuple[ColumnSuggestion, ...]
    missing: tuple[str, ...]
    maybe_missing: dict[str, int]
    k: int
    n_rows: int
    hierarchies: tuple[HierarchySuggestion, ...] = ()

    @property
    def target(self) -> str | None:
        """The column to be predicted, if there is one."""
        return next((column.name for column in self.columns if column.role == "target"), None)

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain values."""
        return asdict(self)

    def to_toml(self) -> str:
        """The draft as a policy file with a reason beside every column."""
        lines = [
            f"# Drafted by kanopy from a table of {self.n_rows:,} rows and {len(self.columns)} columns.",
            "# Every choice is a guess from names and counts: read it, change it, then use it.",
            "",
        ]
        for role in _MEANING:
            lines += self._role_lines(role)
        if self.missing:
            lines.append(f"missing = [{', '.join(map(_quoted, self.missing))}]")
        for token, n_times in self.maybe_missing.items():
            advice = "if it means missing, add it to missing = [...]"
            lines.append(f"# {_quoted(token)} occurs {n_times:,} times: {advice}")
        codes = [_quoted(column.name) for column in self.columns if column.is_code]
        if codes:
            lines.append(f"categorical = [{', '.join(codes)}]  # codes, not quantities")
        lines += ["", "[privacy]", f"k = {self.k}"]
        for column in self.columns:
            if column.role == "sensitive":
                n_values = min(3, max(column.n_values, 2))
                comment = f"# uncomment: at least {n_values} values in every group"
                lines += ["", f"# [[privacy.diversity]]  {comment}"]
                lines += [f"# column = {_quoted(column.name)}", f"# l = {n_values}"]
        if self.hierarchies:
            lines += ["", "[hierarchies]  # drafts; edit the files, or remove a line to do without"]
        for draft in self.hierarchies:
            lines.append(f"{_quoted(draft.name)} = {_quoted(draft.file)}  # {draft.reason}")
        return "\n".join(lines) + "\n"

    def _role_lines(self, role: str) -> Iterator[str]:
        chosen = [column for column in self.columns if column.role == role]
        if role in ("target", "person"):
            for column in chosen:
                yield f"{role} = {_quoted(column.name)}  # {column.reason}"
        elif chosen:
            yield f"{role} = [  # {_MEANING[role]}"
            width = max(len(_quoted(column.name)) for column in chosen)
            for column in chosen:
                yield f"    {_quoted(column.name) + ',':<{width + 1}}  # {column.reason}"
            yield "]"


def suggest(
    table: Any, *, target: str | None = None, delimiter: str | None = None, encoding: str = "utf-8"
) -> Suggestion:
    """Draft a policy; O(rows * columns).

    Parameters
    ----------
    table : frame or path
        A pandas, polars or pyarrow table, or the path of a CSV or Parquet file.
    target : str, optional
        The class, if the caller knows it.
    delimiter, encoding : str
        Of a CSV file.
    """
    _, source = read_table(table, delimiter=delimiter, encoding=encoding)
    texts = TextTable.of_arrow(source)
    if not texts.n_rows:
        raise InputError("the table has no rows")
    names = list(texts.columns)
    if target is not None and target not in names:
        raise PolicyError(f"the table has no column {target!r}", near_name(target, names))
    profiles = {name: profile_column(name, texts) for name in names}
    target = target or _likely_target(profiles)
    columns: list[ColumnSuggestion] = []
    for name, profile in profiles.items():
        role, reason = _role(name, profile)
        if name == target:
            role, reason = "target", f"{profile.n_values} classes; published as it is"
        if role == "person" and any(column.role == "person" for column in columns):
            role = "identifiers"
        is_code = role == "quasi_identifiers" and _hints_at(name, "codes")
        columns.append(ColumnSuggestion(name, role, reason, profile.n_values, profile.n_missing, is_code))
    maybe = _missing_tokens(texts)
    sure = () if maybe.pop("?", None) is None else ("?",)
    return Suggestion(tuple(columns), sure, maybe, min(10, max(2, texts.n_rows // 20)), texts.n_rows)


def _role(name: str, profile: Profile) -> tuple[str, str]:
    values = f"{profile.n_values:,} values"
    if profile.looks_like in ("email", "free text"):
        return "identifiers", f"looks like {profile.looks_like}"
    has_many = profile.n_values > 20
    is_person = has_many and _hints_at(name, "person")
    if has_many and _hints_at(name, "identifiers") and not profile.is_numeric:
        return "identifiers", f"{values}; the name hints at an identifier"
    if is_person and 0.02 < profile.distinct_share < 1 and not profile.n_missing:
        return "person", f"{values} in {profile.n_rows:,} rows: several rows per person"
    if is_person:
        count = "unique in every row" if profile.distinct_share == 1 else values
        return "identifiers", f"{count}; the name hints at an identifier"
    if profile.looks_like == "identifier":
        return "identifiers", f"nearly unique: {values} in {profile.n_rows:,} rows"
    if _hints_at(name, "sensitive"):
        return "sensitive", f"{values}; the name hints at something confidential"
    if profile.looks_like == "date":
        return "quasi_identifiers", f"a date with {values}; consider publishing only the year"
    rare = f", {profile.n_rare:,} of them rare" if profile.n_rare else ""
    kind = "numbers" if profile.is_numeric else "values"
    return "quasi_identifiers", f"{profile.n_values:,} {kind}{rare}"


def _likely_target(profiles: dict[str, Profile]) -> str | None:
    """A column with few values and such a name; else the last one, as usual in machine learning tables."""
    few = [name for name, one in profiles.items() if 2 <= one.n_values <= min(20, one.n_rows - 1)]
    hinted = [name for name in few if _hints_at(name, "target")]
    last = list(profiles)[-1]
    is_likely = last in few and not profiles[last].looks_like
    return hinted[-1] if hinted else last if is_likely else None


def _hints_at(name: str, role: str) -> bool:
    words = re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
    return bool(set(words) & set(_HINTS[role].split()))


def _missing_tokens(table: TextTable) -> dict[str, int]:
    counts: dict[str, int] = {}
    for column in table.columns.values():
        place = pc.index_in(pc.utf8_trim_whitespace(column.words), value_set=pa.array(_MISSING_TOKENS))
        found = place.fill_null(-1).to_numpy(zero_copy_only=False)
        sizes = np.bincount(column.codes, minlength=len(column.words))
        for number in np.unique(found[found >= 0]).tolist():
            token = _MISSING_TOKENS[number]
            counts[token] = counts.get(token, 0) + int(sizes[found == number].sum())
    return counts


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's escapes, and more for characters that a terminal interprets or hides."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(letter if letter.isprintable() else f"\\U{ord(letter):08X}" for letter in quoted)
