"""Every method, every option, every nasty table: the written file keeps the promise and tells no lies."""

from __future__ import annotations

import itertools
import re
import tempfile
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracles_file import (
    Original,
    Written,
    are_rounded_means,
    cleaned,
    is_number,
    is_sorted,
    is_truthful,
    parquet_values,
    read_csv,
    same_value,
    same_values,
    smallest_group,
)

import kanopy
from kanopy.data import Hierarchy
from kanopy.methods import Method
from kanopy.privacy import DistinctDiversity

NASTY = (
    *("1", "1.0", "01", "True", "true", "1e0", "+1", "-1", "é", "e\u0301", "Å", "A\u030a", " padded ", "\\x"),
    *("[1, 2]", "{a, b}", "{}", "\\*", "a,b", "a, b", 'say "hi"', "'", "a\nb", "a\r\nb", "\r", "=1+1"),
    *("{", "]", ", ", "\\", "None", "NULL", "", " ", "\ufeffbom", "\u200b", "0", "-0", "a\tb", "\x00", "🙂"),
)
TREE = {"fruit": {"apple", "pear"}, "[root]": {"beet", "carrot"}, "food": {"apple", "pear", "beet", "carrot"}}
PATHS = [(leaf, kind, "food") for kind in ("fruit", "[root]") for leaf in sorted(TREE[kind])] + [
    ("rock",) * 3
]
STYLE_OPTION = "publish"


@dataclass(frozen=True)
class Column:
    """The values of a column as they come in; ``kind`` is their type."""

    kind: str
    values: list[Original]

    def originals(self, missing: tuple[str, ...]) -> list[Original]:
        """The values with everything that means missing as None."""
        return [
            None if isinstance(value, str) and cleaned(value) in ("", *missing) else value
            for value in self.values
        ]


@dataclass(frozen=True)
class Table:
    """A table that keeps its promise as one group, and what is to be done with it."""

    quasi: dict[str, Column]
    others: dict[str, Column]
    k: int
    kind: str
    person: str | None = None
    missing: tuple[str, ...] = ()
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)

    @property
    def columns(self) -> dict[str, Column]:
        return {**self.others, **self.quasi}

    @property
    def n_rows(self) -> int:
        return len(self.others["target"].values)

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
        )

    def frame(self) -> Any:
        if self.kind == "pandas":
            types = {"mixed": object, "integer": "Int64", "decimal": "Float64", "flag": "boolean"}
            arrays = {name: pd.array(c.values, dtype=types.get(c.kind)) for name, c in self.columns.items()}
            return pd.DataFrame(arrays)
        arrow = {"text": pa.string(), "integer": pa.int64(), "decimal": pa.float64(), "flag": pa.bool_()}
        table = pa.table({name: pa.array(c.values, arrow[c.kind]) for name, c in self.columns.items()})
        if self.kind == "dictionary":
            return pa.table({name: table[name].dictionary_encode() for name in table.column_names})
        return pl.from_arrow(table) if self.kind == "polars" else table


# --- Nasty tables ----------------------------------------------------------------------------------------

some_text = st.sampled_from(NASTY) | st.text(max_size=3) | st.text("\n\xa0\u200b\ufeffa*", max_size=4)
some_values = {
    "text": some_text,
    "few texts": st.sampled_from(["a", "b", "A", ""]),
    "numbers as text": st.sampled_from(["1", "1.0", "-2.50", "1e3", "007.5", "10", ""]),
    "integer": st.integers(-3, 3) | st.sampled_from([2**62, -(2**62), 10**15 + 1]),
    "decimal": st.sampled_from([0.1, 0.2, 0.30000000000000004, -1.5, 1e300, 2.5e-7, -0.0]),
    "flag": st.booleans(),
    "tree": st.sampled_from([path[0] for path in PATHS]),
    "mixed": st.sampled_from([1, 1.0, True, "1", "True", 2.5]),
}
SHAPES = ("any", "any", "any", "all equal", "all unique", "all missing")


@st.composite
def some_columns(draw: st.DrawFn, n_rows: int, kinds: list[str], shapes: tuple[str, ...] = SHAPES) -> Column:
    kind, shape = draw(st.sampled_from(kinds)), draw(st.sampled_from(shapes))
    type_ = kind if kind in ("integer", "decimal", "flag", "mixed") else "text"
    values = some_values[kind]
    if shape == "all missing":
        return Column(type_, [None] * n_rows)
    if shape == "all equal":
        return Column(type_, [draw(values)] * n_rows)
    if shape == "all unique" and type_ in ("text", "integer") and kind != "tree":
        numbers = range(n_rows)
        return Column(type_, [number if type_ == "integer" else f"{number}." for number in numbers])
    values = values if draw(st.booleans()) else st.none() | values
    drawn = draw(st.lists(values, min_size=n_rows, max_size=n_rows))
    if kind == "mixed":
        drawn[0] = "x"  # or Arrow would make numbers of them all
    return Column(type_, drawn)


def is_reserved(column: Column) -> bool:
    return any(isinstance(value, str) and cleaned(value) in ("*", "?") for value in column.values)


@st.composite
def some_tables(draw: st.DrawFn) -> Table:
    kind = draw(st.sampled_from(["pyarrow", "dictionary", "pandas", "polars"]))
    n_rows = draw(st.integers(2, 14))
    kinds = [kind_ for kind_ in some_values if kind_ != "mixed" or kind == "pandas"]
    missing = draw(st.sampled_from([(), ("é", "NULL")]))
    quasi, hierarchies = {}, {}
    for place in range(draw(st.integers(1, 3))):
        name = ("q,1", 'q "2"', "é 3")[place]
        quasi[name] = draw(some_columns(n_rows, kinds).filter(lambda column: not is_reserved(column)))
        if draw(st.booleans()) and set(quasi[name].originals(missing)) <= {path[0] for path in PATHS}:
            hierarchies[name] = Hierarchy.from_paths(name, PATHS)
    target = draw(some_columns(n_rows, ["text", "few texts", "integer", "flag"], ("any", "any", "all equal")))
    assume(any(value is not None for value in target.originals(missing)))
    others = {"target": target}
    person = draw(st.sampled_from([None, None, "person"]))
    if person is not None:
        numbers = st.integers(2, n_rows)
        others[person] = Column("integer", draw(st.lists(numbers, min_size=n_rows, max_size=n_rows)))
    if person is not None or draw(st.booleans()):
        others["row"] = Column("integer", list(range(n_rows)))
    n_members = n_rows if person is None else len(set(others[person].values))
    assume(n_members >= 2)
    k = draw(st.sampled_from([2, max(2, n_members // 2), max(2, (n_members + 1) // 2), n_members]))
    return Table(quasi, others, k, kind, person, missing, hierarchies)


def combinations(method: Method) -> list[dict[str, Any]]:
    """Every combination of the options that have choices."""
    choices = {
        name: option.choices or (True, False)
        for name, option in method.options.items()
        if option.choices or isinstance(option.default, bool)
    }
    return [dict(zip(choices, chosen, strict=True)) for chosen in itertools.product(*choices.values())]


METHODS = {method.name: method for method in kanopy.methods()}
CASES = [(name, options) for name, method in METHODS.items() for options in combinations(method)]


# --- What must hold --------------------------------------------------------------------------------------


def judge(table: Table, written: Written, *, is_mean: bool, n_dropped: int) -> None:
    """Everything that is promised about a file, from its text."""
    names = [name for name in table.columns if name != table.person]
    assert written.names == names
    assert len(written.lines) == table.n_rows - n_dropped
    rows = list(range(len(written.lines)))
    if "row" in table.others:
        rows = [int(text) for text in written.column("row")]
        assert len(set(rows)) == len(rows)
        for name in names:
            if name not in table.quasi:
                originals = table.originals(name)
                assert all(map(same_value, written.column(name), (originals[row] for row in rows)))
    elif not n_dropped:
        assert same_values(written.column("target"), table.originals("target"))
    lines = written.project(list(table.quasi))
    members = rows if table.person is None else [table.originals(table.person)[row] for row in rows]
    assert smallest_group(lines, members) >= table.k
    assert is_sorted(written, list(table.quasi))
    if "row" in table.others:
        for place, name in enumerate(table.quasi):
            originals = [table.originals(name)[row] for row in rows]
            if is_mean and is_numeric(table.quasi[name], table.missing):
                assert are_rounded_means(lines, place, originals, decimals_of(table.originals(name)))
                continue
            nodes = TREE if name in table.hierarchies else {}
            cells = [line[place] for line in lines]
            assert all(
                is_truthful(cell, original, nodes) for cell, original in zip(cells, originals, strict=True)
            )


def is_numeric(column: Column, missing: tuple[str, ...]) -> bool:
    """Whether the column is read as numbers: a text with a leading zero is a code."""
    texts = [cleaned(str(value)) for value in column.originals(missing) if value is not None]
    return bool(texts) and all(is_number(text) and not re.match(r"[+-]?0[0-9]", text) for text in texts)


def decimals_of(originals: list[Original]) -> int:
    """Digits after the point; a float has none that it does not need."""
    numbers = [Decimal(str(value)) for value in originals if value is not None]
    if any(isinstance(value, float) for value in originals):
        numbers = [number.normalize() for number in numbers]
    return min(max(0, *(-int(number.as_tuple().exponent) for number in numbers)), 20)


def write_both(release: kanopy.Release, folder: Path, stem: str) -> tuple[bytes, bytes]:
    return tuple(release.write(folder / f"{stem}{suffix}").read_bytes() for suffix in (".csv", ".parquet"))


def check(table: Table, method: str, options: dict[str, Any]) -> None:
    frame, untouched = table.frame(), table.frame()
    release = kanopy.anonymize(frame, table.policy(), method=method, seed=7, **options)
    assert frame.equals(untouched), "the source was modified"
    assert release.audit.kept
    counts = release.manifest["rows"]
    assert counts["in"] == table.n_rows == counts["out"] + counts["dropped"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = write_both(release, folder, "first")
        written = read_csv(folder / "first.csv")
        judge(table, written, is_mean=options.get(STYLE_OPTION) == "mean", n_dropped=counts["dropped"])
        names, values = parquet_values(folder / "first.parquet")
        assert names == written.names
        assert all(itertools.starmap(same_line, zip(written.lines, values, strict=True)))
        again = kanopy.anonymize(table.frame(), table.policy(), method=method, seed=7, **options)
        assert write_both(again, folder, "again") == first


def same_line(texts: tuple[str, ...], values: tuple[Original, ...]) -> bool:
    return all(map(same_value, texts, values))


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=max(300, settings.default.max_examples))
@given(table=some_tables(), data=st.data())
def test_the_written_file(method: str, table: Table, data: st.DataObject) -> None:
    options = data.draw(st.sampled_from([chosen for name, chosen in CASES if name == method]))
    check(table, method, options)


# --- Every combination of options, on one table that has everything --------------------------------------

EVERYTHING = Table(
    quasi={
        "number": Column("text", ["1", "1.0", "-2.50", "1e3", "10", None, "", "1", "+7", "0", "-0", "3"]),
        "word": Column("text", list(NASTY[:6]) + ["[1, 2]", "{a, b}", "a,b", 'say "hi"', "a\nb", None]),
        "thing": Column("text", ["apple", "pear", "beet", "leek", "rock", None] * 2),
        "size": Column("integer", [2**62, -(2**62), 0, 1, 2, 3, 4, 5, None, 7, 8, 10**15 + 1]),
    },
    others={
        "target": Column("integer", [0, 1, 0, 1, 1, None, 0, 1, 0, 1, 1, 0]),
        "patient": Column("integer", [1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8]),
        "row": Column("integer", list(range(12))),
    },
    k=2,
    kind="pyarrow",
    person="patient",
    hierarchies={"thing": Hierarchy.from_paths("thing", PATHS)},
)


@pytest.mark.parametrize(
    ("method", "options"), CASES, ids=[f"{n}-{'-'.join(map(str, o.values()))}" for n, o in CASES]
)
@pytest.mark.parametrize("kind", ["pyarrow", "pandas", "polars"])
def test_every_option(method: str, options: dict[str, Any], kind: str) -> None:
    check(replace(EVERYTHING, kind=kind), method, options)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 7, 8])
def test_every_k(method: str, k: int) -> None:
    check(replace(EVERYTHING, k=k), method, {})


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["pyarrow", "pandas", "polars"])
def test_frames_keep_their_kind_and_the_types_of_other_columns(method: str, kind: str) -> None:
    table = replace(EVERYTHING, kind=kind)
    source = table.frame()
    published = kanopy.anonymize(source, table.policy(), method=method).frame
    assert type(published) is type(source)
    columns = {
        name: published[name].to_list() if kind == "polars" else list(published[name]) for name in ("row",)
    }
    assert columns


# --- What cannot be kept is refused ----------------------------------------------------------------------


def table_of(n_rows: int = 4, **columns: list[Original]) -> pa.Table:
    return pa.table({"q": ["a", "b", "c", "d"][:n_rows], "t": ["x", "y", "x", "y"][:n_rows], **columns})


ROLES: dict[str, Any] = {"quasi_identifiers": ["q"], "target": "t", "k": 2}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("frame", "roles", "exit_code"),
    [
        pytest.param(table_of(), {"k": 5}, 4, id="k above the rows"),
        pytest.param(table_of(1), {}, 4, id="a single row"),
        pytest.param(table_of(p=[1, 1, 1, 1]), {"person": "p"}, 4, id="k above the persons"),
        pytest.param(table_of(p=[1, 1, 2, None]), {"person": "p"}, 3, id="a row without a person"),
        pytest.param(table_of(0), {}, 3, id="no rows"),
        pytest.param(table_of(t=[None] * 4), {}, 3, id="no class"),
        pytest.param(table_of(q=["a", "b", "*", "d"]), {}, 3, id="a value that reads as suppressed"),
        pytest.param(table_of(q=["a", "b", "?", "d"]), {}, 3, id="a value that may mean missing"),
        pytest.param(table_of(q=["1", "2", "nan", "3"]), {}, 3, id="a number that is none"),
        pytest.param(table_of(z=[1, 2, 3, 4]), {}, 2, id="an undeclared column"),
        pytest.param(table_of(), {"keep": ["z"]}, 2, id="a column that is not there"),
        pytest.param(
            table_of(), {"privacy": [DistinctDiversity("t", 3)]}, 4, id="more values than there are"
        ),
        pytest.param(
            table_of(), {"hierarchies": {"q": Hierarchy.from_paths("q", PATHS)}}, 2, id="values no leaf names"
        ),
    ],
)
def test_refused(method: str, frame: pa.Table, roles: dict[str, Any], exit_code: int) -> None:
    with pytest.raises(kanopy.KanopyError) as caught:
        kanopy.anonymize(frame, kanopy.Policy(**ROLES | roles), method=method)
    assert caught.value.exit_code == exit_code


@pytest.mark.parametrize("method", METHODS)
@given(table=some_tables(), more=st.integers(1, 3))
def test_more_than_there_are_is_refused(method: str, table: Table, more: int) -> None:
    n_members = table.n_rows if table.person is None else len(set(table.others[table.person].values))
    with pytest.raises(kanopy.KanopyError) as caught:
        kanopy.anonymize(table.frame(), replace(table, k=n_members + more).policy(), method=method)
    assert caught.value.exit_code == 4
