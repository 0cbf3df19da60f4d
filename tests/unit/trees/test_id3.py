"""ID3: the most gain, one branch per value, to the end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_trees import NaiveC45, Node, assert_same, codes_of, plain, rows_of, table_of, weather

from kanopy.data import EncodedTable
from kanopy.errors import PolicyError
from kanopy.trees import as_text, id3, predict


def nominal_weather() -> EncodedTable:
    """With temperature and humidity in words, as in the paper of 1986."""
    table = weather()
    outlook, temperature, humidity, windy = (
        [column.domain.labels[code] for code in column.codes] for column in table.quasi
    )
    warmth = ["hot" if float(t) >= 80 else "mild" if float(t) > 69 else "cool" for t in temperature]
    wetness = ["high" if float(h) > 80 else "normal" for h in humidity]
    play = [("no", "yes")[code] for code in table.target.codes]
    return table_of({"outlook": outlook, "temperature": warmth, "humidity": wetness, "windy": windy}, play)


def test_saturday_mornings() -> None:
    text = as_text(id3(nominal_weather()), ("no", "yes"))
    assert [line for line in text.splitlines() if "missing" not in line] == [
        "outlook = overcast: yes (4)",
        "outlook = rainy",
        "|   windy = false: yes (3)",
        "|   windy = true: no (2)",
        "outlook = sunny",
        "|   humidity = high: no (3)",
        "|   humidity = normal: yes (2)",
    ]


def test_gain_and_not_its_ratio() -> None:
    """Twelve values gain everything; two values gain less, at a better ratio."""
    names = [f"n{number // 2:02}" for number in range(24)]
    sides = ["l"] * 11 + ["r"] + ["r"] * 11 + ["l"]
    tree = id3(table_of({"side": sides, "name": names}, ["a"] * 12 + ["b"] * 12))
    assert tree.splits.column[0] == 1


def test_ties_go_to_the_first_column() -> None:
    same = list("lr" * 6)
    tree = id3(table_of({"x": ["z"] * 12, "y": same, "z": same}, list("ab" * 6)))
    assert tree.splits.column[0] == 1


def test_missing_is_a_value() -> None:
    table = table_of({"x": ["l", "l", None, None]}, list("aabb"))
    tree = id3(table)
    assert tree.counts.tolist() == [[2, 2], [2, 0], [0, 2]]
    assert predict(tree, codes_of(table), 4).tolist() == [0, 0, 1, 1]


def test_min_rows() -> None:
    table = table_of({"x": list("llllr")}, list("aaaab"))
    assert id3(table).n_nodes == 4
    assert id3(table, min_rows=2).n_nodes == 1


def test_numbers_are_refused() -> None:
    with pytest.raises(PolicyError, match="1 columns are numeric") as raised:
        id3(table_of({"x": [77.0, 88.0], "y": list("lr")}, list("ab")))
    assert "77" not in str(raised.value)


@pytest.mark.parametrize("table", [table_of({"x": []}, []), table_of({}, ["a", "b"])])
def test_nothing_to_learn(table: EncodedTable) -> None:
    assert id3(table).n_nodes == 1


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 4))
def test_as_a_naive_twin(seed: int, n_rows: int, n_columns: int) -> None:
    rng = np.random.default_rng(seed)
    columns = {
        f"c{number}": [(None, "u", "v", "w")[code] for code in rng.integers(0, rng.integers(2, 5), n_rows)]
        for number in range(n_columns)
    }
    classes = [f"k{code}" for code in rng.integers(0, 3, n_rows)]
    table = table_of(columns, classes)
    naive = NaiveC45([column.domain for column in table.quasi], int(table.target.codes.max()) + 1)

    def grow(rows: list) -> Node:
        node = Node(naive.count(rows))
        most = 1e-9
        for column, domain in enumerate(naive.domains):
            parts = [[row for row in rows if row[0][column] == code] for code in range(domain.n_codes)]
            gain = naive._gain(parts, []) if rows else 0
            if gain > most:
                node.column, most = column, gain + 1e-9
                node_parts = parts
        if node.column is not None:
            node.children = list(map(grow, node_parts))
        return node

    assert_same(plain(id3(table)), grow(rows_of(table)))
