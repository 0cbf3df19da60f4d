"""The table that a tree implies: every row says what the path to its leaf says."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from plain_tables import column_of, table_of

import kanopy
from kanopy.algorithms.tree_model import publish_paths
from kanopy.data import CodedColumn, Domain, EncodedTable, Hierarchy
from kanopy.trees import TreeBuilder


def texts_of(table: EncodedTable, builder: TreeBuilder) -> list[tuple[str, ...]]:
    tree = builder.tree()
    leaf = tree.route([column.codes for column in table.quasi], table.n_rows)
    recoding = publish_paths(table, tree, leaf)
    assert recoding.is_kept.all()
    return [
        tuple(column.texts[column.ids[row]] for column in recoding.columns) for row in range(table.n_rows)
    ]


def builder_of(table: EncodedTable) -> TreeBuilder:
    return TreeBuilder([column.domain for column in table.quasi])


def test_thresholds_leave_a_range() -> None:
    table = table_of({"n": [1, 2, 3, 4, 5, None], "q": list("aaabbb")})
    builder = builder_of(table)
    low, high, _ = builder.split(0, column=0, threshold=2)
    builder.split(low, column=0, threshold=0)
    builder.split(high, column=1)
    assert texts_of(table, builder) == [
        ("1", "*"),
        ("[2, 3]", "*"),
        ("[2, 3]", "*"),
        ("[4, 5]", "b"),
        ("[4, 5]", "b"),
        ("", "*"),
    ]


def test_the_range_is_that_of_the_path_and_not_of_the_rows() -> None:
    """Of the rows beyond 2, none of class b has 3; the path does not know."""
    table = table_of({"n": [1, 2, 3, 4, 5], "q": list("aaabb")})
    builder = builder_of(table)
    _, high, _ = builder.split(0, column=0, threshold=1)
    builder.split(high, column=1)
    assert texts_of(table, builder)[-1] == ("[3, 5]", "b")


def test_missing_below_missing_stays_missing() -> None:
    table = table_of({"n": [1, 2, None, None], "q": ["a", "a", None, "b"]})
    builder = builder_of(table)
    *_, missing = builder.split(0, column=0, threshold=0)
    builder.split(missing, column=1)
    assert texts_of(table, builder) == [("1", "*"), ("2", "*"), ("", ""), ("", "b")]


def test_a_leaf_says_nothing() -> None:
    table = table_of({"n": [1, None], "q": ["a", None]})
    assert texts_of(table, builder_of(table)) == [("*", "*")] * 2


FOOD = Hierarchy.from_paths(
    "food",
    [
        ("apple", "fruit", "plant"),
        ("pear", "fruit", "plant"),
        ("leek", "leek", "plant"),
        ("beef", "meat", "animal"),
        ("pork", "meat", "animal"),
    ],
)


def test_groups_of_a_hierarchy_are_its_nodes() -> None:
    foods = [*FOOD.leaves, None]
    table = table_of({"food": foods}, hierarchies={"food": FOOD})
    builder = builder_of(table)
    level = [FOOD.ancestors[1].tolist().index(node) for node in FOOD.ancestors[1]]
    branches = [sorted(set(level)).index(first) for first in level]
    builder.split(0, column=0, branch_of_code=[*branches, max(branches) + 1])
    said = dict(zip(foods, (text for (text,) in texts_of(table, builder)), strict=True))
    assert said == {
        "apple": "fruit",
        "pear": "fruit",
        "leek": "leek",
        "beef": "meat",
        "pork": "meat",
        None: "",
    }


def numbers_with_a_hierarchy() -> CodedColumn:
    """1 and 2 are low, 3 to 6 are mid, 7 to 10 are high."""
    paths = [(str(n), "low" if n < 3 else "mid" if n < 7 else "high") for n in range(1, 11)]
    hierarchy = Hierarchy.from_paths("n", paths, order=float)
    domain = Domain("n", hierarchy.leaves, np.arange(1.0, 11.0), hierarchy=hierarchy)
    return CodedColumn(domain, np.arange(10, dtype=np.uint8))


@pytest.mark.parametrize(
    ("threshold", "said"),
    [
        pytest.param(1, ["low", "[3, 10]"], id="the end of a node"),
        pytest.param(2, ["[1, 3]", "[4, 10]"], id="no end of a node"),
        pytest.param(5, ["[1, 6]", "high"], id="the end of two nodes"),
        pytest.param(0, ["1", "[2, 10]"], id="one value"),
    ],
)
def test_thresholds_do_not_care_for_a_hierarchy(threshold: int, said: list[str]) -> None:
    """The smallest node around 1 to 3 is everything, as around 4 to 10: two leaves would print alike."""
    column = numbers_with_a_hierarchy()
    table = EncodedTable(10, (column,), column_of("c", ["Y"] * 10))
    builder = builder_of(table)
    builder.split(0, column=0, threshold=threshold)
    assert list(dict.fromkeys(text for (text,) in texts_of(table, builder))) == said


@pytest.mark.parametrize("method", ["apt", "kadet"])
@pytest.mark.parametrize("least", [2, 3, 4, 5])
def test_numbers_with_a_hierarchy_are_released(method: str, least: int) -> None:
    numbers = list(range(1, 11)) * 10
    domain = numbers_with_a_hierarchy().domain
    policy = kanopy.Policy(quasi_identifiers=["n"], target="t", k=5, hierarchies={"n": domain.hierarchy})
    classes = ["y" if least <= number <= 6 else "n" for number in numbers]
    release = kanopy.anonymize(pa.table({"n": numbers, "t": classes}), policy, method=method)
    assert release.audit.groups == len(release.model.leaves()) > 1
