"""kACTUS on counted rows: the same releases, whoever counts equal rows, and the same chances for all rows."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from effort import n_tables
from plain_tables import column_of

import kanopy
from kanopy.algorithms import kactus as module
from kanopy.algorithms.equal_rows import EqualRows
from kanopy.algorithms.kactus import anonymize_leaves
from kanopy.data import EncodedTable, Recoding, Split
from kanopy.engines import deciding, local
from kanopy.frames.tuples import CountedTable
from kanopy.privacy import AlphaBound, KAnonymity
from kanopy.trees import Tree, TreeBuilder, c45

N_ROWS = 1500


def frame() -> pa.Table:
    """Rows of which many are equal, some of them only after blanks are taken away."""
    rng = np.random.default_rng(11)
    job = rng.choice(list("abcdefgh"), N_ROWS, p=[0.3, 0.3, 0.2, 0.1, 0.06, 0.02, 0.01, 0.01])
    age, town = rng.integers(20, 28, N_ROWS), rng.choice(["u", "v", "w"], N_ROWS, p=[0.7, 0.27, 0.03])
    is_yes = (job < "c") ^ (age > 24) ^ (town == "u") ^ (rng.random(N_ROWS) < 0.15)
    blanks = np.where(rng.random(N_ROWS) < 0.1, " ", "")
    return pa.table(
        {
            "job": np.char.add(blanks, job).tolist(),
            "age": age.tolist(),
            "town": [None if value == "w" else value for value in town.tolist()],
            "cls": np.where(is_yes, "Y", "N").tolist(),
            "note": rng.choice(["p", "q", "10", "9"], N_ROWS).tolist(),
        }
    )


POLICY = kanopy.Policy(quasi_identifiers=["job", "age", "town"], target="cls", keep=["note"], k=20)
BOUND = kanopy.Policy(
    quasi_identifiers=["job", "age", "town"],
    target="cls",
    sensitive=["note"],
    k=20,
    privacy=AlphaBound("note", "0.45"),
)
CASES: dict[str, tuple[kanopy.Policy, dict[str, Any]]] = {
    "defaults": (POLICY, {}),
    "few rows": (POLICY, {"min_rows": 2}),
    "means": (POLICY, {"min_rows": 2, "preset": "paper"}),
    "bins": (POLICY, {"min_rows": 2, "publish": "bins"}),
    "id3": (POLICY, {"inducer": "id3", "min_rows": 1}),
    "zero": (POLICY, {"min_rows": 2, "literal_nui_zero": True}),
    "ge k": (POLICY, {"min_rows": 2, "literal_nui_ge_k": True}),
    "bound": (BOUND, {"min_rows": 2}),
    "function": (POLICY, {"inducer": lambda table, _: c45(table, min_rows=2)}),
}


def written(table: pa.Table, case: str, folder: Path) -> bytes:
    policy, options = CASES[case]
    release = kanopy.anonymize(table, policy, method="kactus", seed=5, **options)
    return release.write(folder / "release.csv", force=True).read_bytes()


# --- The same release, whoever counts --------------------------------------------------------------------

MADE_BEFORE = {
    "defaults": "4a9094a1a746a04f",
    "few rows": "ca0f54fc5876dc12",
    "means": "33a9add72cfd18f2",
    "bins": "4e0f02a54cf78fee",
    "id3": "c4ebcad354ff4ce6",
    "zero": "d56bb5d3329dcadd",
    "ge k": "d53b1ab3594a3d37",
    "bound": "af34b306b98591e8",
    "function": "ca0f54fc5876dc12",
}
"""The beginnings of the SHA-256 of releases made one row at a time, before equal rows were counted."""


@pytest.fixture
def weights(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The weights of the tables that the method gets, and how it divides rows."""
    seen: list[Any] = []
    in_parts = deciding._in_parts

    def look(given: Any, method: Any, recoding: Recoding) -> Any:
        seen.append((given.encoded.table.weight, recoding.split))
        return in_parts(given, method, recoding)

    monkeypatch.setattr(deciding, "_in_parts", look)
    return seen


@pytest.mark.parametrize("case", CASES)
def test_releases_of_tables_that_are_not_large_stay_what_they_were(
    case: str, tmp_path: Path, weights: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hashlib.sha256(written(frame(), case, tmp_path)).hexdigest()[:16] == MADE_BEFORE[case]
    monkeypatch.setattr(local, "counted_table", CountedTable)  # rows are taken one by one
    assert hashlib.sha256(written(frame(), case, tmp_path)).hexdigest()[:16] == MADE_BEFORE[case]
    assert [weight is None for weight, _ in weights] == [False, True]
    assert [split is None for _, split in weights] == [False, True]


@pytest.mark.parametrize("case", CASES)
def test_who_counts_and_in_which_order_leaves_no_trace(
    case: str, tmp_path: Path, weights: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted rows, rows one by one, and rows in another order: all are drawn by their number."""
    monkeypatch.setattr(module, "_DRAWN_ROW_BY_ROW", 0)
    shuffled = frame().take(np.random.default_rng(2).permutation(N_ROWS))
    found = [written(table, case, tmp_path) for table in (frame(), shuffled)]
    monkeypatch.setattr(local, "counted_table", CountedTable)
    found += [written(table, case, tmp_path) for table in (frame(), shuffled)]
    assert [weight is None for weight, _ in weights] == [False, False, True, True]
    assert [split is None for _, split in weights] == [False, False, True, True]
    assert len(set(found)) == 1
    if case != "ge k":
        assert hashlib.sha256(found[0]).hexdigest()[:16] != MADE_BEFORE[case]  # other rows, by the same rules


def test_persons_are_told_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Equal rows of different persons are never counted, and are drawn one by one, however many they are."""
    table = frame().append_column("who", pa.array([f"person {i % 700}" for i in range(N_ROWS)]))
    policy = kanopy.Policy(
        quasi_identifiers=["job", "age", "town"], target="cls", keep=["note"], person="who", k=8
    )
    found = []
    for limit in (1 << 20, 0):
        monkeypatch.setattr(module, "_DRAWN_ROW_BY_ROW", limit)
        release = kanopy.anonymize(table, policy, method="kactus", min_rows=2)
        found.append(release.write(tmp_path / "release.csv", force=True).read_bytes())
    assert found[0] == found[1]


# --- The same chances ------------------------------------------------------------------------------------


def family() -> tuple[EncodedTable, Tree]:
    """Three tuples in leaf a, two in b, one that is too small in c, and its tree."""
    rows = [("a", "x", 4), ("a", "y", 3), ("a", "z", 1), ("b", "x", 5), ("b", "y", 2), ("c", "x", 2)]
    leaf, secret, weight = zip(*rows, strict=True)
    quasi = (column_of("leaf", leaf),)
    table = EncodedTable(
        len(rows),
        quasi,
        column_of("class", ["Y"] * len(rows)),
        {"secret": column_of("secret", secret)},
        weight=np.array(weight),
    )
    builder = TreeBuilder([column.domain for column in quasi])
    builder.split(0, column=0)
    return table, builder.tree()


def moved(table: EncodedTable, tree: Tree, rng: np.random.Generator) -> tuple[int, ...]:
    """How many rows of each tuple are released at the root."""
    leaf = tree.route([column.codes for column in table.quasi], table.n_rows)
    node, split = anonymize_leaves(tree, leaf, table, KAnonymity(5), rng)
    origin, weight = (
        (np.arange(table.n_rows), table.weight) if split is None else (split.origin, split.weight)
    )
    up = node == 0
    n_up = np.bincount(origin[up], None if weight is None else weight[up], table.n_rows)
    return tuple(n_up.astype(int).tolist())


def test_rows_are_as_likely_to_be_moved_by_count_as_one_by_one() -> None:
    """Two samples of many draws of three rows; the statistic has a mean of 1 per degree of freedom."""
    table, tree = family()
    assert table.weight is not None
    expanded, row = table.expanded(), np.repeat(np.arange(table.n_rows), table.weight)
    found = [Counter[tuple[int, ...]](), Counter[tuple[int, ...]]()]
    n_draws = n_tables(700, 1500)
    for seed in range(n_draws):
        found[0][moved(table, tree, np.random.default_rng(seed))] += 1
        of_rows = moved(expanded, tree, np.random.default_rng(seed))
        found[1][tuple(np.bincount(row, of_rows, table.n_rows).astype(int).tolist())] += 1
    assert all(sum(outcome) == 5 and outcome[-1] == 2 for each in found for outcome in each)
    frequent = [outcome for outcome in found[0] | found[1] if found[0][outcome] + found[1][outcome] >= 10]
    counts = np.array([[each[outcome] for outcome in frequent] for each in found])
    assert counts.sum() > 1.9 * n_draws
    terms = (counts[0] - counts[1]) ** 2 / counts.sum(axis=0)
    assert len(frequent) > 12
    assert terms.sum() / len(frequent) < 1.5


# --- From one form to the other --------------------------------------------------------------------------


def test_equal_rows_are_found_by_all_that_is_published() -> None:
    """Rows that differ in a column that is passed through are two, and the order of rows does not matter."""
    values = [("a", 1, "p"), ("b", 1, "q"), ("a", 1, "p"), ("a", 1, "q"), ("b", 1, "q"), ("a", 2, "p")]
    for order in (range(6), [5, 3, 1, 0, 2, 4]):
        words, numbers, notes = zip(*(values[place] for place in order), strict=True)
        quasi = (column_of("word", words), column_of("number", numbers))
        note = column_of("note", notes)
        table = EncodedTable(6, quasi, others=lambda note=note: (note,))
        found = EqualRows.counted(table)
        assert found.table.weight is not None
        assert found.table.weight.tolist() == [2, 1, 1, 2]
        assert [column.codes.tolist() for column in found.table.quasi] == [[0, 0, 0, 1], [0, 0, 1, 0]]
        again = EqualRows.counted(found.table)
        assert again.table.weight is not None
        assert again.table.weight.tolist() == [2, 1, 1, 2]


def test_counts_are_exact_with_any_weights() -> None:
    """Equal tuples are one, and what is drawn of them is shared out to those that were given."""
    word = column_of("word", ["b", "a", "b", "a"])
    rows = EqualRows.counted(EncodedTable(4, (word,), weight=np.array([2, 7, 3, 1])))
    assert rows.table.weight is not None
    assert rows.table.weight.tolist() == [8, 5]
    split = Split(np.array([0, 0, 1, 1]), np.array([6, 2, 4, 1]))
    columns = tuple(kanopy.data.RecodedColumn.unchanged(column) for column in split.of(rows.table).quasi)
    parts = np.array([0, 1, 0, 2], dtype=np.int32)
    found = rows.of_given(Recoding(columns, np.ones(4, dtype=bool), parts), split)
    assert found.split is not None
    assert found.parts is not None
    told = zip(found.split.origin.tolist(), found.parts.tolist(), found.split.weight.tolist(), strict=True)
    assert list(told) == [(0, 0, 2), (1, 0, 6), (1, 1, 1), (2, 0, 2), (2, 2, 1), (3, 1, 1)]
    assert found.columns[0].ids.tolist() == word.codes[found.split.origin].tolist()
