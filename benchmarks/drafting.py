"""``python -m benchmarks.drafting``: how the drafted roles agree with those of an expert.

Every set of ``benchmarks/column_sets`` is written as a CSV file and drafted as a user would do it. Nothing
tells the draft which column is the class, how the file is written or which language it is in.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import kanopy
from benchmarks.column_sets import ROLES, SETS, UNPUBLISHED, Column, Columns, ColumnSet, Dialect
from kanopy import drafting

AGREEMENT_BAR = 0.9
"""At least this share of the roles is one that an expert accepts."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The drafted role of a column beside what the expert says."""

    set_name: str
    language: str
    column: str
    label: Column
    role: str
    reason: str
    is_coarse: bool
    """The policy has calendar levels for the column."""

    @property
    def agrees(self) -> bool:
        return self.role in self.label.roles

    @property
    def is_published(self) -> bool:
        return self.role in ROLES and self.role not in UNPUBLISHED

    @property
    def leaks(self) -> bool:
        """An identifier, a key or free text is drafted as published."""
        return self.label.is_secret and self.is_published

    @property
    def tells_time(self) -> bool:
        """A time of day is drafted as published."""
        return self.label.has_time and self.is_published and not self.is_coarse

    def __str__(self) -> str:
        wanted = " or ".join(self.label.roles)
        return f"{self.set_name} / {self.column}: {self.role}, expert: {wanted} ({self.reason})"


@dataclass(frozen=True, slots=True)
class Result:
    """What was drafted for the sets that could be drafted, and what went wrong with the others."""

    verdicts: list[Verdict] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)
    misread: dict[str, str] = field(default_factory=dict)
    """Sets whose drafted ``[source]`` does not describe the file."""

    def agreement(self, verdicts: Iterable[Verdict] | None = None) -> float:
        """The share of roles that an expert accepts; a column without a draft is one that is wrong."""
        told = [verdict.agrees for verdict in (self.verdicts if verdicts is None else verdicts)]
        return sum(told) / len(told) if told else 0.0

    @property
    def leaks(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.leaks]

    @property
    def times(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.tells_time]

    @property
    def passes(self) -> bool:
        """Whether every bar is met."""
        is_safe = not self.leaks and not self.times and not self.faults
        return is_safe and self.agreement() >= AGREEMENT_BAR


def measure(sets: Sequence[ColumnSet], folder: Path, *, seed: int = 0, times: float = 1) -> Result:
    """Draft every set; O(cells)."""
    result = Result()
    for column_set in sets:
        labels = column_set.columns(seed=seed, times=times)
        policy, reasons = {}, {}
        try:
            suggestion = suggest(column_set.write(folder, labels))
            policy = tomllib.loads(suggestion.to_toml())
            reasons = {column.name: column.reason for column in suggestion.columns}
            if reasons.keys() != labels.keys():
                result.faults[column_set.name] = f"read as {len(reasons)} columns instead of {len(labels)}"
        except kanopy.KanopyError as error:
            result.faults[column_set.name] = str(error)
        if wrong := wrong_source(column_set.dialect, labels, policy):
            result.misread[column_set.name] = wrong
        roles = roles_of(policy)
        for name, label in labels.items():
            is_coarse = bool(policy.get("columns", {}).get(name, {}).get("levels"))
            told = (label, roles.get(name, "none"), reasons.get(name, "no draft"), is_coarse)
            result.verdicts.append(Verdict(column_set.name, column_set.language, name, *told))
    return result


def suggest(path: Path) -> Any:
    """The draft by its public name."""
    return getattr(kanopy, "suggest", drafting.suggest)(path)


def roles_of(policy: dict[str, Any]) -> dict[str, str]:
    """The role of each column that the text of a policy names."""
    named = {role: policy.get(role, []) for role in ROLES}
    return {
        column: role
        for role, columns in named.items()
        for column in ([columns] if isinstance(columns, str) else columns)
    }


def wrong_source(dialect: Dialect, labels: Columns, policy: dict[str, Any]) -> str:
    """What the draft says about the way the file is written that is not so."""
    source, columns = policy.get("source", {}), policy.get("columns", {})
    cells = [*labels, *(word for column in labels.values() for word in column.words)]
    decimals = {source.get("decimal", "."), *(column.get("decimal", ".") for column in columns.values())}
    has_commas = dialect.decimal == "," and any(map(_has_commas, labels.values()))
    delimiter, encoding = source.get("delimiter", ","), source.get("encoding", "utf-8")
    wrong = []
    if delimiter != dialect.delimiter:
        wrong.append(f"delimiter {delimiter!r}, not {dialect.delimiter!r}")
    if (encoding == "cp1252") != (dialect.encoding == "cp1252") and not all(map(str.isascii, cells)):
        wrong.append(f"encoding {encoding}, not {dialect.encoding}")
    if source.get("quote", '"') != dialect.quote:
        wrong.append(f"quote {source.get('quote')!r}, not {dialect.quote!r}")
    if has_commas and "," not in decimals:
        wrong.append("decimal commas not seen")
    return ", ".join(wrong)


def _has_commas(column: Column) -> bool:
    """Whether nearly all cells are numbers with a decimal comma."""
    cells = [word for word in column.words if word]
    return sum(bool(re.fullmatch(r"\d+,\d+", cell)) for cell in cells) > 0.9 * len(cells)


def print_result(result: Result, *, is_verbose: bool) -> None:
    """Print the figures, then what does not agree, with the reasons of the draft."""
    n_sets = len({verdict.set_name for verdict in result.verdicts})
    verdicts = result.verdicts
    n_secret = sum(verdict.label.is_secret for verdict in verdicts)
    n_times = sum(verdict.label.has_time for verdict in verdicts)
    best = sum(verdict.role == verdict.label.roles[0] for verdict in verdicts) / max(len(verdicts), 1)
    print(f"{n_sets} column sets, {len(verdicts)} columns; {len(result.faults)} sets without a draft")
    print(f"identifiers, keys and free text drafted as published: {len(result.leaks)} of {n_secret} (bar: 0)")
    print(f"times of day drafted as published: {len(result.times)} of {n_times} (bar: 0)")
    print(f"roles that an expert accepts: {result.agreement():.1%} (bar: {AGREEMENT_BAR:.0%})")
    print(f"roles that are the expert's first choice: {best:.1%}")
    print(f"  for comparison, every column a quasi-identifier: {_all_quasi(verdicts):.1%} accepted")
    by_language: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_language[verdict.language].append(verdict)
    unseen = {column_set.name for column_set in SETS if column_set.is_unseen}
    by_language["unseen"] = [verdict for verdict in verdicts if verdict.set_name in unseen]
    for language, told in sorted(by_language.items(), key=lambda group: (group[0] == "unseen", group[0])):
        n_leaks = sum(verdict.leaks for verdict in told)
        share = result.agreement(told)
        print(f"  {language:6} {len(told):4} columns, {share:6.1%} accepted, {n_leaks} published")
    _print_list("published", result.leaks)
    _print_list("time of day published", result.times)
    _print_list("without a draft", [f"{name}: {why}" for name, why in result.faults.items()])
    _print_list("read otherwise than written", [f"{name}: {why}" for name, why in result.misread.items()])
    others = [verdict for verdict in verdicts if not verdict.agrees and not verdict.leaks]
    _print_list("other roles", [verdict for verdict in others if verdict.set_name not in result.faults])
    if is_verbose:
        _print_list("as an expert accepts", [verdict for verdict in verdicts if verdict.agrees])


def _all_quasi(verdicts: Sequence[Verdict]) -> float:
    """What a draft would reach that does not look at the table."""
    return sum("quasi_identifiers" in verdict.label.roles for verdict in verdicts) / max(len(verdicts), 1)


def _print_list(title: str, found: Sequence[object]) -> None:
    if found:
        print(f"\n{title} ({len(found)})")
        for each in found:
            print(f"  {each}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the draft and return the exit code: 1 where a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drafting", description=__doc__)
    parser.add_argument("--verbose", action="store_true", help="print the columns that agree, too")
    parser.add_argument("--set", metavar="TEXT", default="", help="only sets whose name contains this text")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="write the files here and leave them")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="other values of the same kinds (0)")
    parser.add_argument("--times", metavar="N", type=float, default=1, help="so many times the rows (1)")
    given = parser.parse_args(arguments)
    sets = [column_set for column_set in SETS if given.set in column_set.name]
    with tempfile.TemporaryDirectory(prefix="kanopy-drafting-") as made:
        folder = given.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        result = measure(sets, folder, seed=given.seed, times=given.times)
    print_result(result, is_verbose=given.verbose)
    return 0 if result.passes else 1


if __name__ == "__main__":
    sys.exit(main())
