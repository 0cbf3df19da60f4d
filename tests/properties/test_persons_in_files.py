"""Every method with every kind of promise, where persons have several rows: the written file counted again.

And where no file can be written: told as such (4), never as a disagreement between method and recount (5).
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from effort import n_tables, one_in, quick
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st
from nasty_tables import times_for
from oracles import Tree
from oracles_file import read_csv
from oracles_persons import Row, promise_is_kept
from test_judge_alone import KINDS

import kanopy
from kanopy.data import Hierarchy
from kanopy.errors import UnsatisfiableError
from kanopy.policy import Policy
from kanopy.privacy import KAnonymity, PrivacyModel

METHODS = {method.name: method for method in kanopy.methods()}
PATHS = [("a", "ab"), ("b", "ab"), ("c", "cd"), ("d", "cd")]
TREE: Tree = (("a", "b"), ("c", "d"))
ORDER = ("a", "b", "c", "d", None)
LOOSE = {"t": 2, "alpha": 2, "at_most": 2, "beta": 3, "delta": 2, "c": 3}
"""Bounds are loosened so much: with those of the other tests hardly any table could be published."""


@dataclass(frozen=True)
class People:
    """Rows of persons: two quasi-identifiers, a class, something confidential."""

    ages: list[int]
    zips: list[str]
    persons: list[int | None]
    classes: list[str]
    ills: list[str | None]

    def repeated(self, times: int) -> People:
        """Every person with so many times the rows."""
        return People(*(values * times for values in vars(self).values()))

    def frame(self) -> pa.Table:
        return pa.table(
            {
                "age": self.ages,
                "zip": self.zips,
                "who": pa.array(self.persons, pa.int64()),
                "class": self.classes,
                "d": pa.array(self.ills, pa.string()),
                "row": list(range(len(self.ages))),
            }
        )


@st.composite
def some_people(draw: st.DrawFn) -> People:
    n_rows = draw(st.integers(6, 20))

    def column(values: Any) -> list[Any]:
        return draw(st.lists(st.sampled_from(values), min_size=n_rows, max_size=n_rows))

    known, blank = range(n_rows if draw(st.booleans()) else 6), draw(st.sampled_from([0, 0, 1, 6]))
    persons = column([*known, *[None] * blank])
    assume(set(persons) != {None})
    return People(column(range(20, 26)), column("uv"), persons, column("YN"), column(ORDER))


def loosened(promise: PrivacyModel) -> PrivacyModel:
    fields = {name: getattr(promise, name) for name in promise.__dataclass_fields__}
    for name, factor in LOOSE.items():
        if name in fields:
            top = Fraction(23, 24) if name in ("t", "alpha", "at_most") else Fraction(100)
            fields[name] = min(fields[name] * factor, top)
    return type(promise)(**fields)


def policy_of(promise: PrivacyModel, method: str) -> tuple[Policy, str]:
    """The policy, and the column that is bounded: methods that make rows up bound the class."""
    is_synthetic = METHODS[method].is_synthetic
    column = "class" if is_synthetic else "d"
    fields = {name: getattr(promise, name) for name in promise.__dataclass_fields__}
    if "column" in fields:
        fields["column"] = column
    if "size" in fields:
        fields["size"] = 1  # of two quasi-identifiers
    further = [type(promise)(**fields)] if not isinstance(promise, KAnonymity) else [promise]
    paths = [("Y", "any"), ("N", "any")] if is_synthetic else PATHS
    return Policy(
        quasi_identifiers=["age", "zip"],
        target="class",
        sensitive=[] if is_synthetic else ["d"],
        identifiers=["row", "d"] if is_synthetic else [],
        keep=[] if is_synthetic else ["row"],
        person="who",
        k=2,
        privacy=further,
        hierarchies={column: Hierarchy.from_paths(column, paths)},
    ).accepting_all(), column


@pytest.mark.parametrize(("method", "kind"), one_in(16, METHODS, KINDS))
@settings(max_examples=n_tables(2, 300))
@given(people=some_people(), data=st.data())
def test_the_written_file_keeps_it(method: str, kind: str, people: People, data: st.DataObject) -> None:
    people = people.repeated(times_for(method, len(people.ages)))
    promise = loosened(data.draw(KINDS[kind]))
    policy, column = policy_of(promise, method)
    try:
        release = kanopy.anonymize(
            people.frame(), policy, method=method, seed=3, allow_empty=True, **quick(METHODS[method].options)
        )
    except UnsatisfiableError:
        reject()  # another table: one at least must be published
    with tempfile.TemporaryDirectory() as folder:
        written = read_csv(release.write(Path(folder) / "out.csv"))
    if METHODS[method].is_synthetic:
        return  # whose row is whose is not to be seen in made-up rows; k of persons is tested elsewhere
    members = [people.persons[int(row)] for row in written.column("row")]
    values = [value or None for value in written.column(column)]
    for part in (each for whole in policy.promise.parts for each in whole.over(["age", "zip"])):
        lines = written.project(part.grouped_by or ["age", "zip"])
        rows: list[Row] = list(zip(lines, members, values, strict=True))
        groups: defaultdict[Any, list[Row]] = defaultdict(list)
        for row in rows:
            groups[row[0]].append(row)
        for group in groups.values():
            assert promise_is_kept(part, group, rows, tree=TREE, order=ORDER)
