"""Publishing the rows of a tree's nodes: a test need not pin the value, the rows of the group must."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest
from plain_tables import column_of, table_of
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

import kanopy
from kanopy.algorithms.tree_release import GroupedNodes, publish_groups
from kanopy.data import EncodedTable, Recoding
from kanopy.trees import Tree, TreeBuilder

COLORS = ["red"] * 30 + ["blue"] * 25 + ["green"] * 4 + ["violet"]
CLASSES = ["Y"] * 30 + ["N"] * 30
POLICY = kanopy.Policy(quasi_identifiers=["color"], target="class", k=5)


def colors(inducer: object, **options: object) -> Counter[str]:
    """What the release says about the colors, and how often."""
    frame = pa.table({"color": COLORS, "class": CLASSES})
    request = {"method": "kactus", "inducer": inducer, "allow_empty": True, "merge": "suppress", **options}
    release = kanopy.anonymize(frame, POLICY, **request)
    return Counter(release.frame["color"].to_pylist())


# --- Threat 1: tests that do not pin the value -----------------------------------------------------------


def grouping(branch_of_color: dict[str, int]) -> Callable[[EncodedTable, int], Tree]:
    """An inducer that puts colors into branches."""

    def grow(table: EncodedTable, _min_rows: int) -> Tree:
        domain = table.quasi[0].domain
        builder = TreeBuilder([domain])
        builder.split(0, column=0, branch_of_code=[*(branch_of_color[each] for each in domain.labels), 0])
        return builder.tree()

    return grow


NOT_RED = grouping({"red": 0, "blue": 1, "green": 1, "violet": 1})


def test_a_branch_of_several_values_does_not_tell_them() -> None:
    """The leaf ``color != red`` has 30 rows; keeping its colors would release a single violet."""
    assert colors(NOT_RED) == {"red": 30, "*": 30}


def test_a_branch_of_several_values_as_a_set() -> None:
    assert colors(NOT_RED, merge="members") == {"red": 30, "{blue, green, violet}": 30}


def test_a_branch_of_several_values_of_which_one_occurs() -> None:
    """What all rows of the group agree on is shown, whatever the test allows."""
    frame = pa.table({"color": ["red"] * 30 + ["blue"] * 30, "class": CLASSES})
    release = kanopy.anonymize(frame, POLICY, method="kactus", inducer=grouping({"red": 0, "blue": 1}))
    assert Counter(release.frame["color"].to_pylist()) == {"red": 30, "blue": 30}


@pytest.mark.parametrize(
    ("merge", "said"),
    [("suppress", {"*": 60}), ("members", {"{blue, green}": 29, "{red, violet}": 31})],
)
def test_a_scikit_learn_tree_on_ordinal_codes(merge: str, said: dict[str, int]) -> None:
    """A threshold between green and red puts two values on either side."""
    codes = OrdinalEncoder().fit_transform([[color] for color in COLORS])
    fitted = DecisionTreeClassifier(max_depth=1, random_state=0).fit(codes, CLASSES)
    assert fitted.tree_.threshold[0] == 1.5
    assert colors(fitted, merge=merge) == said


def test_a_scikit_learn_tree_that_pins_the_value() -> None:
    """Grown to its end it has a leaf for red alone; the violet row is lost, as fewer than k may be."""
    codes = OrdinalEncoder().fit_transform([[color] for color in COLORS])
    fitted = DecisionTreeClassifier(random_state=0).fit(codes, CLASSES)
    assert colors(fitted)["red"] >= 5
    assert colors(fitted)["violet"] == 0


def test_rows_that_a_sibling_gave_up() -> None:
    """Blue rows help out green and violet ones: together they have no color."""

    def by_color(table: EncodedTable, _min_rows: int) -> Tree:
        builder = TreeBuilder([column.domain for column in table.quasi])
        builder.split(0, column=0)
        return builder.tree()

    frame = pa.table({"color": COLORS[30:], "class": CLASSES[30:]})
    policy = kanopy.Policy(quasi_identifiers=["color"], target="class", k=8)
    release = kanopy.anonymize(frame, policy, method="kactus", inducer=by_color, merge="suppress")
    assert Counter(release.frame["color"].to_pylist()) == {"blue": 22, "*": 8}
    release = kanopy.anonymize(frame, policy, method="kactus", inducer=by_color, merge="members")
    said = Counter(release.frame["color"].to_pylist())
    assert said["blue"] == 22
    assert said["green"] == said["violet"] == 0


def test_missing_is_a_value_like_others() -> None:
    frame = pa.table({"color": ["red"] * 30 + [None] * 25 + ["blue"] * 5, "class": CLASSES})
    request = {"method": "kactus", "merge": "suppress"}
    together = kanopy.anonymize(frame, POLICY, inducer=grouping({"red": 1, "blue": 0}), **request)
    assert Counter(together.frame["color"].to_pylist()) == {"red": 30, "*": 30}
    apart = grouping({"red": 1, "blue": 1})
    told = kanopy.anonymize(frame, POLICY, inducer=apart, **request).frame["color"].to_pylist()
    assert Counter(told) == {None: 25, "*": 35}


# --- Styles ----------------------------------------------------------------------------------------------


def texts_of(recoding: Recoding) -> list[tuple[str, ...]]:
    return [
        tuple(column.texts[column.ids[row]] for column in recoding.columns)
        for row in range(len(recoding.is_kept))
    ]


@pytest.fixture
def table() -> EncodedTable:
    columns = {"age": [20, 22, 31, 40, 40, None], "sex": list("ffmmff"), "town": list("aabbab")}
    return table_of(columns, target=list("YYNNYN"))


@pytest.fixture
def tree(table: EncodedTable) -> Tree:
    """Age at most 22: leaf 1. Above: by sex, leaves 4 and 5. Missing: leaf 3."""
    builder = TreeBuilder([column.domain for column in table.quasi])
    _, old, _ = builder.split(0, column=0, threshold=1)
    builder.split(old, column=1)
    return builder.tree()


NODE = np.array([1, 1, 5, 5, 4, 3], dtype=np.int32)


@pytest.mark.parametrize(
    ("numbers", "ages"),
    [
        ("mean", ["21", "21", "36", "36", "40", ""]),
        ("range", ["[20, 22]"] * 2 + ["[31, 40]"] * 2 + ["40", ""]),
    ],
)
def test_numbers_have_their_own_style(table: EncodedTable, tree: Tree, numbers: str, ages: list[str]) -> None:
    groups = GroupedNodes.of_nodes(NODE, tree.n_nodes)
    recoding = publish_groups(table, tree, groups, numbers=numbers, merge="suppress")
    sexes = ["*", "*", "m", "m", "f", "*"]
    assert texts_of(recoding) == [(age, sex, "*") for age, sex in zip(ages, sexes, strict=True)]


def test_an_inner_node_shows_its_path_only(table: EncodedTable, tree: Tree) -> None:
    node = np.array([1, 1, 2, 2, 2, -1], dtype=np.int32)
    groups = GroupedNodes.of_nodes(node, tree.n_nodes)
    shown = publish_groups(table, tree, groups, numbers="range", merge="suppress")
    assert texts_of(shown)[2:5] == [("[31, 40]", "*", "*")] * 3
    assert shown.is_kept.tolist() == [True] * 5 + [False]


def test_an_inner_node_shows_what_divided_it_as_a_set() -> None:
    """But not what says nothing because it is everything."""
    columns = {"sex": list("ffmmxx"), "town": list("aabbab")}
    table = EncodedTable(
        6, tuple(column_of(name, values) for name, values in columns.items()), column_of("c", ["Y"] * 6)
    )
    builder = TreeBuilder([column.domain for column in table.quasi])
    builder.split(0, column=0)
    tree = builder.tree()
    root = GroupedNodes.of(np.array([0, 0, 0, 0, 1, 1], dtype=np.int32), np.array([0, 3]))
    shown = publish_groups(table, tree, root, numbers="range", merge="members")
    assert texts_of(shown) == [("{f, m}", "*")] * 4 + [("x", "*")] * 2
    hidden = publish_groups(table, tree, root, numbers="range", merge="suppress")
    assert texts_of(hidden) == [("*", "*")] * 4 + [("x", "*")] * 2
    whole = GroupedNodes.of(np.zeros(6, dtype=np.int32), np.array([0]))
    assert texts_of(publish_groups(table, tree, whole, numbers="range", merge="members")) == [("*", "*")] * 6


def test_several_groups_at_one_node_stay_apart(table: EncodedTable, tree: Tree) -> None:
    groups = GroupedNodes.of(np.array([0, 1, 2, 2, 2, 0], dtype=np.int32), np.array([0, 1, 2]))
    shown = publish_groups(table, tree, groups, numbers="range", merge="suppress")
    assert texts_of(shown) == [("*",) * 3, ("22", "*", "*"), *[("[31, 40]", "*", "*")] * 3, ("*",) * 3]


@pytest.mark.parametrize(
    ("group", "node", "numbers", "nodes"),
    [
        ([5, 2, 5], [0, 1, 2, 3, 4, 5], [1, 0, 1], [2, 5]),
        ([5, -1, 5], [0, 1, 2, 3, 4, 5], [0, -1, 0], [5]),
        ([0, 1, -1], [7, 7], [0, 1, -1], [7, 7]),
        ([-1, -1], [7], [-1, -1], []),
    ],
)
def test_groups_are_numbered_without_gaps(
    group: list[int], node: list[int], numbers: list[int], nodes: list[int]
) -> None:
    made = GroupedNodes.of(np.array(group, dtype=np.int32), np.array(node))
    assert made.group.tolist() == numbers
    assert made.node.tolist() == nodes
