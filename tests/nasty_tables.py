"""Tables with every nasty thing in them, for whatever must survive them; they can keep their promise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import assume
from hypothesis import strategies as st
from oracles_file import Original, cleaned

import kanopy
from kanopy.data import Hierarchy
from kanopy.privacy import DistinctDiversity

NASTY = (
    *("1", "1.0", "01", "True", "true", "1e0", "+1", "-1", "é", "e\u0301", "Å", "A\u030a", " padded ", "\\x"),
    *("[1, 2]", "{a, b}", "{}", "\\*", "a,b", "a, b", 'say "hi"', "'", "a\nb", "a\r\nb", "\r", "=1+1"),
    *("{", "]", ", ", "\\", "None", "NULL", "", " ", "\ufeffbom", "\u200b", "0", "-0", "a\tb", "\x01", "🙂"),
)
PATHS = (
    *(("apple", "fruit", "food"), ("pear", "fruit", "food"), ("beet", "[root]", "food")),
    *(("leek", "[root]", "food"), ("rock", "rock", "rock")),
)
_ENOUGH_ROWS = {"sketch": 90}
"""Rows that a method needs so that it has something to divide: no group of ``sketch`` has fewer than 30."""
NODES = {node: {path[0] for path in PATHS if node in path} for node in ("fruit", "[root]", "food")}
KINDS = ("pyarrow", "dictionary", "pandas", "polars")


def times_for(method: str, n_rows: int) -> int:
    """How often so many rows are repeated so that a method can divide them; once, but for ``sketch``."""
    return max(1, -(-_ENOUGH_ROWS.get(method, 0) // n_rows))


@dataclass(frozen=True)
class Column:
    """The values of a column as they come in; ``type`` is a word for theirs."""

    type: str
    values: list[Original]

    def originals(self, missing: tuple[str, ...]) -> list[Original]:
        """The values, with None for everything that means missing."""
        return [
            None if isinstance(value, str) and cleaned(value) in ("", *missing) else value
            for value in self.values
        ]


@dataclass(frozen=True)
class Table:
    """A table that keeps its promise as one group, and what is promised.

    A column ``row`` numbers the rows, where there is one; so the originals behind a published row are known.
    """

    quasi: dict[str, Column]
    others: dict[str, Column]
    k: int
    kind: str = "pyarrow"
    diversity: int = 1
    person: str | None = None
    missing: tuple[str, ...] = ()
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)

    @property
    def columns(self) -> dict[str, Column]:
        return {**self.others, **self.quasi}

    @property
    def n_rows(self) -> int:
        return len(self.others["target"].values)

    @property
    def n_members(self) -> int:
        """What k counts; rows without a person count for nobody."""
        return self.n_rows if self.person is None else len(set(self.others[self.person].values) - {None})

    def members(self, rows: Iterable[int]) -> list[Original]:
        """Who is behind these rows: the person, None where none is known, or the row itself."""
        return list(rows) if self.person is None else [self.others[self.person].values[row] for row in rows]

    def repeated(self, times: int) -> Table:
        """All rows so many times; a column ``row`` numbers them through, persons have so many rows more."""
        quasi, others = (
            {name: Column(column.type, column.values * times) for name, column in columns.items()}
            for columns in (self.quasi, self.others)
        )
        if "row" in others:
            others["row"] = Column("integer", list(range(self.n_rows * times)))
        return replace(self, quasi=quasi, others=others)

    def enough_for(self, method: str) -> Table:
        """The table, repeated until the method can divide it."""
        return self.repeated(times_for(method, self.n_rows))

    def originals(self, name: str) -> list[Original]:
        return self.columns[name].originals(self.missing)

    def policy(self) -> kanopy.Policy:
        return kanopy.Policy(
            quasi_identifiers=list(self.quasi),
            target="target",
            keep=[name for name in self.others if name not in ("target", self.person)],
            person=self.person,
            missing=self.missing,
            hierarchies=self.hierarchies,
            k=self.k,
            privacy=[DistinctDiversity("target", self.diversity)] if self.diversity > 1 else [],
        ).accepting_all()

    def frame(self) -> Any:
        """A fresh frame of the table's kind."""
        if self.kind == "pandas":
            types = {"mixed": object, "integer": "Int64", "decimal": "Float64", "flag": "boolean"}
            arrays = {name: pd.array(c.values, dtype=types.get(c.type)) for name, c in self.columns.items()}
            return pd.DataFrame(arrays)
        arrow = {"text": pa.string(), "integer": pa.int64(), "decimal": pa.float64(), "flag": pa.bool_()}
        table = pa.table({name: pa.array(c.values, arrow[c.type]) for name, c in self.columns.items()})
        if self.kind == "dictionary":
            return pa.table({name: table[name].dictionary_encode() for name in table.column_names})
        return pl.from_arrow(table) if self.kind == "polars" else table


some_values: dict[str, st.SearchStrategy[Original]] = {
    "text": st.one_of(
        st.sampled_from(NASTY),
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=3),
        st.text("\n\xa0\u200b\ufeffa*", max_size=4),
    ),
    "few texts": st.sampled_from(["a", "b", "A", ""]),
    "numbers as text": st.sampled_from(["1", "1.0", "-2.50", "1e3", "10", "+7", "-0", ""]),
    "codes": st.sampled_from(["007.5", "1", "01", "10"]),
    "integer": st.integers(-3, 3) | st.sampled_from([2**62, -(2**62), 10**15 + 1]),
    "decimal": st.sampled_from([0.1, 0.2, 0.30000000000000004, -1.5, 1e300, 2.5e-7, -0.0, 3.0]),
    "flag": st.booleans(),
    "tree": st.sampled_from([path[0] for path in PATHS]),
    "mixed": st.sampled_from([1, 1.0, True, "1", "True", 2.5]),
}


@st.composite
def some_columns(draw: st.DrawFn, n_rows: int, kinds: list[str], shapes: tuple[str, ...]) -> Column:
    kind, shape = draw(st.sampled_from(kinds)), draw(st.sampled_from(shapes))
    type_ = kind if kind in ("integer", "decimal", "flag", "mixed") else "text"
    values = some_values[kind]
    if shape == "all missing":
        return Column(type_, [None] * n_rows)
    if shape == "all equal" and kind != "mixed":
        return Column(type_, [draw(values)] * n_rows)
    if shape == "all unique" and kind in ("text", "integer"):
        return Column(type_, [row if type_ == "integer" else f"{row}." for row in range(n_rows)])
    values = values if draw(st.booleans()) else st.none() | values
    if shape == "all twice" and kind != "mixed":  # so that values stand alone in their group
        some = draw(st.lists(values, min_size=(n_rows + 1) // 2, max_size=(n_rows + 1) // 2))
        return Column(type_, (some + some)[:n_rows])
    drawn = draw(st.lists(values, min_size=n_rows, max_size=n_rows))
    if kind == "mixed":
        drawn[0] = "x"  # or Arrow would make numbers of them all
    return Column(type_, drawn)


def is_publishable(column: Column) -> bool:
    """Whether no value reads as suppressed or may mean missing; such tables are refused."""
    return not any(isinstance(value, str) and cleaned(value) in ("*", "?") for value in column.values)


@st.composite
def some_tables(draw: st.DrawFn) -> Table:
    kind = draw(st.sampled_from(KINDS))
    n_rows = draw(st.integers(2, 14))
    kinds = [name for name in some_values if name != "mixed" or kind == "pandas"]
    shapes = ("any", "any", "any", "all twice", "all equal", "all unique", "all missing")
    missing = draw(st.sampled_from([(), ("é", "NULL")]))
    quasi, hierarchies = {}, {}
    for name in ("q,1", 'q "2"', "é 3")[: draw(st.integers(1, 3))]:
        quasi[name] = draw(some_columns(n_rows, kinds, shapes).filter(is_publishable))
        if set(quasi[name].originals(missing)) <= {None, *(path[0] for path in PATHS)}:
            hierarchies |= draw(st.sampled_from([{}, {name: Hierarchy.from_paths(name, PATHS)}]))
    of_class = ["text", "few texts", "integer", "flag"]
    target = draw(some_columns(n_rows, of_class, ("any", "any", "all equal")))
    classes = {str(value) for value in target.originals(missing)}
    assume(classes != {"None"})
    others = {"target": target}
    person = draw(st.sampled_from([None, None, "person"]))
    if person is not None:
        numbers = st.integers(1, n_rows)
        numbers = draw(st.sampled_from([numbers, st.none() | numbers, st.none() | st.none() | numbers]))
        some_persons = st.lists(numbers, min_size=n_rows, max_size=n_rows)
        several = some_persons.filter(lambda persons: len(set(persons) - {None}) > 1)
        others[person] = Column("integer", draw(several))
    if person is not None or draw(st.booleans()):
        others["row"] = Column("integer", list(range(n_rows)))
    table = Table(quasi, others, 2, kind, 1, person, missing, hierarchies)
    n = table.n_members
    k = draw(st.sampled_from([2, max(2, n // 2), max(2, (n + 1) // 2), n]))
    rows = enumerate(table.members(range(n_rows)))
    classes = {str(target.originals(missing)[row]) for row, member in rows if member is not None}
    is_diverse = target.type == "flag" and classes >= {"True", "False"} and draw(st.booleans())
    return Table(quasi, others, k, kind, 2 if is_diverse else 1, person, missing, hierarchies)
