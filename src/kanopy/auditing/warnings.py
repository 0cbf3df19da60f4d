"""Findings about groups: what k does not cover, counted on the text of a table and compared with limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from kanopy.auditing.finding import Finding
from kanopy.auditing.named_values import NamedValues
from kanopy.auditing.text import Groups, TextColumn, TextTable, texts_in
from kanopy.data.arrays import Ints
from kanopy.data.keys import pack
from kanopy.policy import Policy, shown_name

_MANY_IN_SETS = Fraction(1, 10)  # of the rows, whose cell in a column lists more than k values
_MANY_UNIQUE = Fraction(1, 10)  # of the rows, told apart by columns that are published as they are

NOTHING_ADVICE = "try a smaller k, fewer quasi-identifiers or another method; kanopy evaluate compares them"


class Told(NamedTuple):
    """How many rows groups tell about in one column; the most frequent value is the best guess."""

    n_rows: int
    n_values: int
    n_certain: int  # whose group has a single value
    n_guessed: int  # whose group has their value more often than any other
    n_majority: int  # with the most frequent value of the table
    smallest: int  # rows of a group with one value, the fewest

    @property
    def shares(self) -> tuple[Fraction, Fraction, Fraction]:
        """Of rows that are certain, guessed from their group, guessed from the table."""
        certain, guessed, majority = self.n_certain, self.n_guessed, self.n_majority
        n_rows = self.n_rows
        return Fraction(certain, n_rows), Fraction(guessed, n_rows), Fraction(majority, n_rows)


def told_by_groups(table: TextTable, policy: Policy, groups: Groups) -> dict[str, Told]:
    """What the groups tell about the class and the sensitive columns; O(rows) a column, or a sort."""
    found = {}
    for name in (policy.target, *policy.sensitive):
        if name is not None and table.n_rows:
            held = texts_in(groups, table.columns[name])
            different = np.bincount(held.group, minlength=groups[1])
            most = np.zeros(groups[1], dtype=np.int64)
            np.maximum.at(most, held.group, held.count)
            n_certain = int(most[different == 1].sum())
            totals = held.totals[held.totals > 0]
            counted = (n_certain, int(most.sum()), int(totals.max()), int(held.count.min()))
            found[name] = Told(table.n_rows, len(totals), *counted)
    return found


def told_findings(told: Mapping[str, Told], policy: Policy) -> Iterator[Finding]:
    """Class and sensitive values that groups give away."""
    for name, counted in told.items():
        certain, guessed, majority = counted.shares
        is_certain = certain > policy.limits["certain"]
        is_guessable = guessed - majority > policy.limits["above_majority"]
        # Where all rows have one value, the groups tell nothing that the column does not.
        if counted.n_values == 1 or not (is_certain or is_guessable):
            continue
        column = shown_name(name)
        if is_certain:
            advice = f"add [[privacy.diversity]] with column = {column} and l = 2 to the policy, or raise k"
            message = f"column {column} is certain for {_percent(certain)} of the rows"
            message += ": all rows of their group have the same value"
            yield Finding("warning", message, name, f"certain:{name}", advice)
        else:
            is_bounded = name in policy.promise.columns
            advice = "it is bounded as the policy asks; a stricter bound, or a larger k, tells less"
            if not is_bounded:
                advice = f"limit it by [[privacy.alpha]] with column = {column} in the policy, or raise k"
            message = f"column {column} is guessed right for {_percent(guessed)} of the rows"
            message += " by the most frequent value of their group"
            message += f", and for {_percent(majority)} by that of the table"
            # Whoever bounds a column has decided how much may be told about it, and a class is to be learned.
            severity = "note" if is_bounded else "warning"
            yield Finding(severity, message, name, f"guessable:{name}", advice)


def nameless_finding(person: str, n_rows: int) -> Finding:
    """Rows whose person is not known: they are published, and add nobody to a group."""
    rows, have, count = (
        ("1 row", "has", "it counts") if n_rows == 1 else (f"{n_rows:,} rows", "have", "they count")
    )
    message = f"{rows} {have} no {shown_name(person)}: {count} for nobody"
    return Finding("warning", message, person, f"no person:{person}", "fill it in to make them count")


def _percent(share: Fraction) -> str:
    return f"{float(share):.1%}"


def learning_findings(told: Mapping[str, Told], policy: Policy) -> Iterator[Finding]:
    """A class that cannot be learned from the groups."""
    name = policy.target
    if name is None or name not in told:
        return
    _, guessed, majority = told[name].shares
    if told[name].n_values == 1:
        message = f"target {shown_name(name)} has a single class: nothing can be learned"
        yield Finding("warning", message, name, f"nothing:{name}", "choose another target, or none")
    elif guessed == majority:
        message = f"the most frequent class of {shown_name(name)} is the same in every group"
        message += ": the groups predict it no better than the majority"
        yield Finding("warning", message, name, f"nothing:{name}", NOTHING_ADVICE)


def set_findings(table: TextTable, named: Mapping[str, NamedValues], k: int | None) -> Iterator[Finding]:
    """Quasi-identifiers whose cells list more than k values: nearly every row has one of its own."""
    for name, values in named.items():
        if k is None:
            continue
        n_long = int(table.columns[name].counts[values.n_members > k].sum())
        share = Fraction(n_long, table.n_rows)
        if share > _MANY_IN_SETS:
            message = f"cells of {shown_name(name)} list more than k = {k} values in {_percent(share)}"
            message += " of the rows: they name values that few people have"
            advice = "give it a hierarchy or coarser values, or declare it as an identifier, which is dropped"
            yield Finding("warning", message, name, f"sets:{name}", advice)


def kept_findings(table: TextTable, policy: Policy, groups: Groups) -> Iterator[Finding]:
    """Columns that are published as they are and tell rows apart; a sort of one key per row."""
    kept = {name: table.columns[name] for name in policy.keep}
    if not kept:
        return
    n_values = {name: len(column.words) for name, column in kept.items()}
    yield from unique_findings(count_unique(groups, kept, table.weight), table.n_rows, n_values)


def unique_findings(n_unique: int, n_rows: int, n_values: Mapping[str, int]) -> Iterator[Finding]:
    """The finding where many rows are unique on the quasi-identifiers and the kept columns, of which the
    number of values is given."""
    share = Fraction(n_unique, n_rows)
    if share > _MANY_UNIQUE:
        most = max(n_values, key=lambda name: n_values[name])
        message = f"{_percent(share)} of the rows are unique on the quasi-identifiers and the kept columns"
        message += f"; of these {shown_name(most)} has the most values"
        advice = "declare it as a quasi-identifier if somebody may know it, or publish coarser values"
        yield Finding("warning", message, most, f"unique:{most}", advice)


def count_unique(groups: Groups, columns: Mapping[str, TextColumn], weight: Ints | None) -> int:
    """The rows that no other row of their group equals on these columns; a sort of one key per line."""
    of_line, n_groups = groups
    codes = [column.codes for column in columns.values()]
    sizes = [len(column.words) for column in columns.values()]
    keys = pack([of_line, *codes], [n_groups, *sizes], len(of_line))[0]
    # A key without a fellow is still that of several rows where its line stands for them.
    in_order = np.sort(keys if weight is None else np.concatenate([keys, keys[weight > 1]]))
    differs = np.ones(len(in_order) + 1, dtype=bool)
    differs[1:-1] = in_order[1:] != in_order[:-1]
    return int((differs[1:] & differs[:-1]).sum())
