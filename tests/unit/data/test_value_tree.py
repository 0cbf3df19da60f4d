"""The tree over the values of a column: its levels, its nodes, what they print."""

from __future__ import annotations

import numpy as np
import pytest

from kanopy.data import Domain, Hierarchy, ValueTree

PATHS = (
    ("a", "ab", "abc", "*"),
    ("b", "ab", "abc", "*"),
    ("c", "c", "abc", "*"),
    ("d", "de", "de", "*"),
    ("e", "de", "de", "*"),
)


def tree(paths: tuple[tuple[str, ...], ...] = PATHS, *, one_level: bool = False) -> ValueTree:
    hierarchy = Hierarchy.from_paths("q", paths)
    return ValueTree.of(Domain("q", hierarchy.leaves, hierarchy=hierarchy), one_level=one_level)


def texts(made: ValueTree, level: int) -> list[str]:
    """What every code, missing last, prints on a level."""
    nodes = made.generalize(np.arange(made.domain.n_codes), level)
    return [made.cell(node).text(made.domain) for node in nodes.tolist()]


def test_every_level_generalizes_the_one_below() -> None:
    made = tree()
    assert made.n_levels == 4
    assert texts(made, 0) == ["a", "b", "c", "d", "e", ""]
    assert texts(made, 1) == ["ab", "ab", "c", "de", "de", ""]
    assert texts(made, 2) == ["abc", "abc", "abc", "de", "de", ""]
    assert texts(made, 3) == ["*"] * 6


def test_groups_of_a_level_are_runs_of_codes() -> None:
    made = tree()
    assert made.groups(1).tolist() == [0, 0, 1, 2, 2, 3]
    assert made.groups(3).tolist() == [0] * 6


@pytest.mark.parametrize("root", [(), ("*",), ("*", "*")])
def test_levels_that_say_the_same_are_one(root: tuple[str, ...]) -> None:
    made = tree((("a", "a", "ab", "ab", *root), ("b", "b", "ab", "ab", *root), ("c", "c", "c", "c", *root)))
    assert made.n_levels == 3
    assert texts(made, 1) == ["ab", "ab", "c", ""]


def test_without_a_hierarchy_all_values_are_below_the_root() -> None:
    plain = ValueTree.of(Domain("q", ("x", "y")))
    for made in (plain, tree(one_level=True), tree((("x", "*"),))):
        assert made.n_levels == 2
        assert texts(made, 0) == [*made.domain.labels, ""]
        assert set(texts(made, 1)) == {"*"}
        assert made.parent.tolist() == [-1] + [0] * made.domain.n_codes
        assert made.height.tolist() == [1] + [0] * made.domain.n_codes


def test_children_lead_to_the_codes() -> None:
    made = tree()
    found = made.children(0, np.arange(6))
    assert [made.cell(node).text(made.domain) for node in found.tolist()] == ["abc"] * 3 + ["de"] * 2 + [""]
    assert made.children(int(found[0]), np.arange(3)).tolist() == made.levels[1][:3].tolist()


def test_a_node_and_a_code_have_a_smallest_common_node() -> None:
    made = tree()
    start = made.levels[0][[0, 0, 0, 0, 5, 5]]
    found = made.joined(start, np.array([0, 1, 2, 3, 0, 5]))
    assert [made.cell(node).text(made.domain) for node in found.tolist()] == ["a", "ab", "abc", "*", "*", ""]
