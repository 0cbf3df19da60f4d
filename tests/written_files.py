"""What must hold of a written file, whatever the table, the method and its options."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from effort import IS_DEEP, each_value, quick
from nasty_tables import NASTY, NODES, PATHS, Column, Table
from oracles_file import (
    Original,
    Written,
    are_rounded_means,
    are_true_sketches,
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
from fuzz.second_opinion import GROUPS, broken, opinion
from kanopy.algorithms import Method
from kanopy.data import Hierarchy
from kanopy.errors import UnsatisfiableError


def combinations(method: Method) -> list[dict[str, Any]]:
    """Combinations of the options that have choices, in which every choice occurs."""
    choices = choices_of(method)
    return [dict(zip(choices, chosen, strict=True)) for chosen in each_value(*choices.values())]


def choices_of(method: Method) -> dict[str, tuple[Any, ...]]:
    return {
        name: option.choices or (True, False)
        for name, option in method.options.items()
        if option.choices or isinstance(option.default, bool)
    }


METHODS = {method.name: method for method in kanopy.methods()}
CASES = [
    pytest.param(name, options, id="-".join([name, *map(str, options.values())]))
    for name, method in METHODS.items()
    for options in combinations(method)
]


# --- What must hold --------------------------------------------------------------------------------------


def check(table: Table, method: str, options: dict[str, Any]) -> None:
    """Anonymize, write, read back, judge; and all of it once more, to the byte, which takes twice as long.

    In the usual run the bytes of two releases are compared by ``test_row_order.py`` alone.
    """
    table, options = fitting(table, method), quick(METHODS[method].options) | options
    frame, untouched = table.frame(), table.frame()
    try:
        release = kanopy.anonymize(frame, table.policy(), method=method, seed=7, allow_empty=True, **options)
    except UnsatisfiableError:
        is_unchecked = method == "muargus" and not options["all_columns"]
        assert is_unchecked or method == "loukides"  # no cluster of k rows may be alike enough
        return
    assert frame.equals(untouched), "the source was modified"
    assert release.audit.kept
    counts = release.record["rows"]
    assert release.manifest["rows"]["in"] == (None if counts["dropped"] else counts["in"])
    assert counts["in"] == table.n_rows == counts["out"] + counts["dropped"]
    may_drop = method == "muargus" or (method == "loukides" and not options.get("reassign"))
    if table.person is None and not may_drop:
        most = table.k if options.get("until") == "k" else 0
        assert counts["dropped"] <= (table.k - 1 if method in ("kactus", "kactus2") else most)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = write_both(release, folder, "first")
        written = read_csv(folder / "first.csv")
        assert len(written.lines) == counts["out"]
        judge(
            table,
            written,
            is_mean=prints_means(method, options),
            is_sketch=method == "sketch",
            is_true=not METHODS[method].is_synthetic,
            n_swapped=release.record["facts"].get("swapped_cells", 0),
        )
        assert not broken(second_opinion(table, folder / "first.csv"))
        names, values = parquet_values(folder / "first.parquet")
        assert names == written.names
        assert len(values) == len(written.lines)
        for texts, originals in zip(written.lines, values, strict=True):
            assert all(map(same_value, texts, originals))
        if IS_DEEP:
            again = kanopy.anonymize(
                table.frame(), table.policy(), method=method, seed=7, allow_empty=True, **options
            )
            assert write_both(again, folder, "again") == first


def second_opinion(table: Table, written: Path) -> list[tuple[str, str, str]]:
    """What the referee says, which has its own reader of tables, policies and certificates."""
    if any(column.type == "mixed" for column in table.columns.values()):
        return []  # no file holds texts beside numbers
    roles = {"quasi_identifiers": list(table.quasi), "target": "target", "missing": list(table.missing)}
    roles["keep"] = [name for name in table.others if name not in ("target", table.person)]
    privacy = {"k": table.k, "diversity": [{"column": "target", "l": table.diversity}]}
    policy = {**roles, "person": table.person or [], "privacy": privacy}
    policy["hierarchies"] = dict.fromkeys(table.hierarchies, GROUPS)
    arrow = {"text": pa.string(), "integer": pa.int64(), "decimal": pa.float64(), "flag": pa.bool_()}
    texts = {
        name: [text or "" for text in pa.array(c.values, arrow[c.type]).cast(pa.string()).to_pylist()]
        for name, c in table.columns.items()
    }
    return opinion(written, texts, policy, json.loads(Path(f"{written}.kanopy.json").read_text()))


def fitting(table: Table, method: str) -> Table:
    """The table as a method takes it: rows enough, and made-up rows have no columns besides quasi-identifiers
    and class."""
    if not METHODS[method].is_synthetic:
        return table.enough_for(method)
    others = {name: column for name, column in table.others.items() if name in ("target", table.person)}
    return replace(table, others=others)


def prints_means(method: str, options: dict[str, Any]) -> bool:
    settled = METHODS[method].settle(options)
    return settled.get("publish") == "mean" and settled.get("inducer") != "id3"


def write_both(release: kanopy.Release, folder: Path, stem: str) -> list[bytes]:
    return [release.write(folder / f"{stem}{suffix}").read_bytes() for suffix in (".csv", ".parquet")]


def judge(
    table: Table,
    written: Written,
    *,
    is_mean: bool,
    is_sketch: bool = False,
    is_true: bool = True,
    n_swapped: int = 0,
) -> None:
    """Everything that is promised about a file, from its text alone."""
    quasi = list(table.quasi)
    lines = written.project(quasi)
    assert written.names == [name for name in table.columns if name != table.person]
    assert is_sorted(written, quasi)
    if "row" not in table.others:
        assert smallest_group(lines, range(len(lines))) >= table.k
        assert smallest_group(lines, written.column("target")) >= table.diversity
        if len(lines) == table.n_rows and is_true:
            assert same_values(written.column("target"), table.originals("target"))
        return
    rows = [int(text) for text in written.column("row")]
    assert len(set(rows)) == len(rows)
    members, classes = table.members(rows), written.column("target")
    assert smallest_group(lines, members) >= table.k
    # What only rows without a person have is nobody's.
    theirs = [None if member is None else text for member, text in zip(members, classes, strict=True)]
    assert smallest_group(lines, theirs) >= table.diversity
    n_lies = 0
    for name in written.names:
        originals = [table.originals(name)[row] for row in rows]
        if name not in quasi:
            assert all(map(same_value, written.column(name), originals))
        elif is_sketch:
            decimals = decimals_of(table.originals(name)) if is_numeric(table.originals(name)) else 0
            assert are_true_sketches(lines, quasi.index(name), originals, Decimal(1).scaleb(-decimals))
        elif is_mean and is_numeric(table.originals(name)):
            decimals = decimals_of(table.originals(name))
            assert are_rounded_means(lines, quasi.index(name), originals, decimals)
        else:
            nodes = NODES if name in table.hierarchies else {}
            cells = zip(written.column(name), originals, strict=True)
            n_lies += sum(not is_truthful(cell, original, nodes) for cell, original in cells)
    assert n_lies <= n_swapped


def is_numeric(originals: Sequence[Original]) -> bool:
    """Whether a column is read as numbers: a text with a leading zero is a code."""
    texts = [cleaned(str(value)) for value in originals if value is not None]
    return bool(texts) and all(is_number(text) and not re.match(r"[+-]?0[0-9]", text) for text in texts)


def decimals_of(originals: Sequence[Original]) -> int:
    """Digits after the point; a float has none that it does not need."""
    numbers = [Decimal(str(value)) for value in originals if value is not None]
    if any(isinstance(value, float) for value in originals):
        numbers = [number.normalize() for number in numbers]
    return min(max(0, *(-int(number.as_tuple().exponent) for number in numbers)), 20)


EVERYTHING = Table(
    quasi={
        "number": Column("text", ["1", "1.0", "-2.50", "1e3", "10", None, "", "1", "+7", "0", "-0", "3"]),
        "word": Column("text", [*NASTY[:6], "[1, 2]", "{a, b}", "a,b", 'say "hi"', "a\nb", None]),
        "thing": Column("text", ["apple", "pear", "beet", "leek", "rock", None] * 2),
        "size": Column("integer", [2**62, -(2**62), 0, 1, 2, 3, 4, 5, None, 7, 8, 10**15 + 1]),
    },
    others={
        "target": Column("integer", [0, 1, 0, 1, 1, None, 0, 1, 0, 1, 1, 0]),
        "patient": Column("integer", [1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8]),
        "row": Column("integer", list(range(12))),
    },
    k=2,
    person="patient",
    hierarchies={"thing": Hierarchy.from_paths("thing", PATHS)},
)
