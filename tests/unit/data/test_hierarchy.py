"""Hierarchies: every node is a run of codes, equal nodes are one, and what cannot be printed is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.data import Hierarchy
from kanopy.errors import PolicyError

CITIES = [
    ("Oslo", "Norway", "Europe", "*"),
    ("Lima", "Peru", "America", "*"),
    ("Bergen", "Norway", "Europe", "*"),
    ("Cusco", "Peru", "America", "*"),
    ("Rome", "Italy", "Europe", "*"),
]


def node_named(hierarchy: Hierarchy, label: str) -> int:
    return hierarchy.node_label.index(label)


def common(hierarchy: Hierarchy, *leaves: str) -> str:
    codes = [hierarchy.leaves.index(leaf) for leaf in leaves]
    number = hierarchy.common_node(np.array([min(codes)]), np.array([max(codes)]))[0]
    return hierarchy.node_label[number]


def test_leaves_lie_together_under_their_node() -> None:
    hierarchy = Hierarchy.from_paths("city", CITIES)
    assert hierarchy.leaves == ("Bergen", "Oslo", "Rome", "Cusco", "Lima")
    assert (hierarchy.node_label[0], hierarchy.node_parent[0], hierarchy.height) == ("*", -1, 3)
    europe = node_named(hierarchy, "Europe")
    assert (hierarchy.node_low[europe], hierarchy.node_high[europe]) == (0, 2)
    assert hierarchy.node_height[europe] == 2
    # A parent with a single child is that child: Italy is Rome, America is Peru.
    assert {"Italy", "America"}.isdisjoint(hierarchy.node_label)
    assert hierarchy.n_nodes == 1 + 5 + 3


def test_common_node() -> None:
    hierarchy = Hierarchy.from_paths("city", CITIES)
    assert common(hierarchy, "Oslo") == "Oslo"
    assert common(hierarchy, "Oslo", "Bergen") == "Norway"
    assert common(hierarchy, "Rome", "Bergen") == "Europe"
    assert common(hierarchy, "Oslo", "Lima") == "*"
    assert common(hierarchy, "Cusco", "Lima") == "Peru"


def test_child_index() -> None:
    hierarchy = Hierarchy.from_paths("city", CITIES)
    root = hierarchy.child_index(np.zeros(5, dtype=np.int32), np.arange(5))
    assert root.tolist() == [0, 0, 0, 1, 1]
    europe = np.full(3, node_named(hierarchy, "Europe"))
    children = hierarchy.child_index(europe, np.arange(3)).tolist()
    assert children[0] == children[1] != children[2]
    peru = np.full(2, node_named(hierarchy, "Peru"))
    assert sorted(hierarchy.child_index(peru, np.array([3, 4])).tolist()) == [0, 1]


def test_the_order_of_the_lines_does_not_matter() -> None:
    one, other = (Hierarchy.from_paths("city", lines) for lines in (CITIES, CITIES[::-1] + CITIES[:2]))
    assert one.leaves == other.leaves
    assert one.node_label == other.node_label
    assert one.ancestors.tolist() == other.ancestors.tolist()


def test_numbers_in_their_own_order() -> None:
    paths = [("10", "old"), ("9", "young"), ("2", "young")]
    assert Hierarchy.from_paths("age", paths, order=int).leaves == ("2", "9", "10")
    assert Hierarchy.from_paths("age", paths).leaves == ("10", "2", "9")


@pytest.mark.parametrize("paths", [[("a", "*")], [("a",)], [("a", "b", "c")]])
def test_a_single_value(paths: list[tuple[str, ...]]) -> None:
    hierarchy = Hierarchy.from_paths("c", paths)
    assert (hierarchy.leaves, hierarchy.n_nodes, hierarchy.height) == (("a",), 1, 0)


def test_a_star_on_top_is_not_needed() -> None:
    assert Hierarchy.from_paths("c", [("a",), ("b",)]).node_label == ("*", "a", "b")


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        pytest.param([], "is empty", id="no lines"),
        pytest.param([()], "is empty", id="an empty line"),
        pytest.param([("a", "*"), ("b", "x", "*")], "1 lines differ in length", id="lines of two lengths"),
        pytest.param([("a", "*"), ()], "1 lines differ in length", id="an empty line among others"),
        pytest.param([("a", "", "*"), ("b", "x", "*")], "1 lines have an empty label", id="no name"),
        pytest.param([("a", "x"), ("a", "y")], "1 values are listed with two paths", id="a value twice"),
        pytest.param(
            [("a", "x", "y"), ("b", "x", "z")], "on level 1, 1 lines give a value a second parent", id="torn"
        ),
        pytest.param([("a", "x"), ("b", "x"), ("x", "z")], "1 groups share their name", id="group and value"),
        pytest.param(
            [("a", "x", "x"), ("b", "x", "x"), ("c", "y", "x"), ("d", "y", "x"), ("e", "z", "z")],
            "1 groups share their name",
            id="two groups",
        ),
        pytest.param([("a", "*", "y"), ("b", "*", "y"), ("c", "z", "y")], "2 lines put", id="a second *"),
        pytest.param([("*", "x"), ("b", "x")], "1 lines put a group above itself, or *", id="a value *"),
        pytest.param([("a", "b"), ("b", "c")], "1 groups share", id="a group of one, and another value"),
        pytest.param([("a", "G", "H"), ("b", "H", "K"), ("c", "H", "K")], "1 groups share", id="two levels"),
        pytest.param([("a", "b"), ("b", "a")], "2 groups share", id="a cycle of groups of one value"),
        pytest.param([("a", "G", "a"), ("b", "H", "K")], "1 lines put a group above", id="above itself"),
        pytest.param([("a", "X", "Y", "X"), ("b", "X", "Y", "X")], "2 lines put", id="a cycle of groups"),
        pytest.param([("a", "*", "x"), ("b", "y", "x")], "1 lines put a group above", id="* below a group"),
        pytest.param([("a", "*", "*"), ("b", "y", "*"), ("c", "y", "*")], "1 groups share", id="* for one"),
    ],
)
def test_refused(paths: list[tuple[str, ...]], message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        Hierarchy.from_paths("secret", paths)
    assert message in caught.value.message
    assert "'secret'" in caught.value.message
    assert caught.value.hint


def test_empty_lines_are_refused_whatever_the_order() -> None:
    with pytest.raises(PolicyError):
        Hierarchy.from_paths("c", [("1", "*"), ()], order=int)


def test_messages_show_no_values() -> None:
    with pytest.raises(PolicyError) as caught:
        Hierarchy.from_paths("c", [("Schmidt", "x"), ("Schmidt", "y")])
    assert "Schmidt" not in str(caught.value)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=12))
def test_nodes_are_runs_of_codes(parents: list[tuple[int, int]]) -> None:
    """Whatever the tree: nodes hold exactly the leaves that name them, children divide their parent."""
    paths = [(f"leaf {leaf}", f"{top}.{mid}", f"{top}") for leaf, (top, mid) in enumerate(parents)]
    hierarchy = Hierarchy.from_paths("c", paths)
    for node in range(hierarchy.n_nodes):
        low, high = int(hierarchy.node_low[node]), int(hierarchy.node_high[node])
        label = hierarchy.node_label[node]
        below = {path[0] for path in paths if label in (*path, "*")}
        assert set(hierarchy.leaves[low : high + 1]) == below
        children = [child for child in range(hierarchy.n_nodes) if hierarchy.node_parent[child] == node]
        covered = sum(int(hierarchy.node_high[child] - hierarchy.node_low[child]) + 1 for child in children)
        assert covered == (high - low + 1 if children else 0)
        assert bool(children) == (high > low)
        heights = [int(hierarchy.node_height[child]) for child in children]
        assert hierarchy.node_height[node] == max((height + 1 for height in heights), default=0)
        if children:
            codes = np.arange(low, high + 1)
            numbers = hierarchy.child_index(np.full(len(codes), node), codes).tolist()
            assert set(numbers) == set(range(len(children)))
