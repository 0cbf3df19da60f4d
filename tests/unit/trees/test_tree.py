"""Trees as arrays, against a walk row by row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.data import Domain
from kanopy.trees import Tree, TreeBuilder
from kanopy.trees.splits import OWN_BRANCH, Splits

AGE = Domain("age", ("20", "30", "40"), np.array([20.0, 30.0, 40.0]))
SEX = Domain("sex", ("f", "m"))
EMPTY = Domain("empty", ())
DOMAINS = (AGE, SEX, EMPTY)


def routed(tree: Tree, *rows: tuple[int, ...]) -> list[int]:
    return tree.route(
        [np.array(codes, dtype=np.uint8) for codes in zip(*rows, strict=True)], len(rows)
    ).tolist()


# --- one split of each kind ------------------------------------------------------------------------------


def test_multiway_has_a_branch_per_code() -> None:
    builder = TreeBuilder(DOMAINS)
    assert builder.split(0, column=0) == range(1, 5)
    assert routed(builder.tree(), (0, 0, 0), (2, 0, 0), (3, 0, 0), (1, 0, 0)) == [1, 3, 4, 2]


def test_few_rows_and_many_rows_take_the_same_branches() -> None:
    """Branches are looked up by code, but not where there are more codes than rows."""
    numbers = Domain("n", tuple(map(str, range(200))), np.arange(200.0))
    builder = TreeBuilder((numbers, SEX))
    low, high, _ = builder.split(0, column=0, threshold=99)
    builder.split(low, column=1)
    builder.split(high, column=0, threshold=149)
    rows = [(0, 0), (99, 1), (100, 0), (149, 2), (150, 1), (200, 0)]
    few = routed(builder.tree(), *rows)
    assert few == [4, 5, 7, 7, 8, 3]
    assert routed(builder.tree(), *rows * 100) == few * 100


@pytest.mark.parametrize(
    ("missing_branch", "leaves"),
    [(None, [1, 1, 2, 3]), (0, [1, 1, 2, 1]), (1, [1, 1, 2, 2]), (2, [1, 1, 2, 3])],
)
def test_threshold(missing_branch: int | None, leaves: list[int]) -> None:
    builder = TreeBuilder(DOMAINS)
    children = builder.split(0, column=0, threshold=1, missing_branch=missing_branch)
    assert children == range(1, 1 + max(leaves))
    assert routed(builder.tree(), *((code, 0, 0) for code in range(4))) == leaves


def test_grouping() -> None:
    builder = TreeBuilder(DOMAINS)
    assert builder.split(0, column=0, branch_of_code=[1, 0, 1, 2]) == range(1, 4)
    assert routed(builder.tree(), *((code, 0, 0) for code in range(4))) == [2, 1, 2, 3]


def test_column_without_values_has_the_branch_of_missing() -> None:
    builder = TreeBuilder(DOMAINS)
    assert builder.split(0, column=2) == range(1, 2)
    assert routed(builder.tree(), (0, 0, 0)) == [1]


def test_splits_of_all_kinds_in_one_tree() -> None:
    builder = TreeBuilder(DOMAINS)
    female, male, unknown = builder.split(0, column=1)
    young, old = builder.split(male, column=0, threshold=0, missing_branch=1)
    middle, others = builder.split(female, column=0, branch_of_code=[1, 0, 1, 1])
    assert builder.n_nodes == 8
    tree = builder.tree()
    assert routed(tree, (0, 0, 0), (1, 0, 0), (3, 0, 0), (0, 1, 0), (2, 1, 0), (3, 1, 0), (0, 2, 0)) == [
        *(others, middle, others),
        *(young, old, old),
        unknown,
    ]
    assert [level.tolist() for level in tree.levels] == [[0], [1, 2, 3], [6, 7, 4, 5]]
    assert [node for node, _ in tree.walk()] == [0, female, middle, others, male, young, old, unknown]
    assert tree.is_tested[[0, female, young, unknown]].tolist() == [
        [False, False, False],
        [False, True, False],
        [True, True, False],
        [False, True, False],
    ]
    assert tree.splits.column_name(0) == "sex"
    assert tree.counts.shape == (8, 1)


def test_groupings_given_beforehand() -> None:
    builder = TreeBuilder(DOMAINS, groupings=[[0, 1, 0, 1]])
    splits = Splits.of(DOMAINS, [0], -1, grouping=0, groupings=(np.array([0, 1, 0, 1]),))
    assert builder.split_many(np.array([0]), splits).tolist() == [1]
    children = builder.split(1, column=1, branch_of_code=[1, 0, 0])
    tree = builder.tree()
    assert routed(tree, (1, 0, 0), (0, 0, 0), (2, 1, 0)) == [2, children[1], children[0]]


def test_root_alone() -> None:
    tree = TreeBuilder(DOMAINS).tree()
    assert (tree.n_nodes, len(tree.levels), tree.parent.tolist()) == (1, 1, [-1])
    assert routed(tree, (0, 0, 0), (1, 2, 0)) == [0, 0]
    assert list(tree.walk()) == [(0, 0)]
    assert not tree.is_tested.any()


def test_tree_over_no_columns() -> None:
    tree = TreeBuilder(()).tree()
    assert tree.n_children.tolist() == [0]
    assert tree.route([], 3).tolist() == [0, 0, 0]


def test_no_rows() -> None:
    builder = TreeBuilder(DOMAINS)
    builder.split(0, column=0)
    assert builder.tree().route([np.empty(0, dtype=np.uint8)] * 3, 0).tolist() == []


# --- any tree --------------------------------------------------------------------------------------------


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    builder = TreeBuilder(DOMAINS)
    leaves = [0]
    for _ in range(draw(st.integers(0, 8))):
        node = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        column = draw(st.integers(0, 2))
        domain = DOMAINS[column]
        kind = draw(st.sampled_from(["multiway", "threshold", "grouping"]))
        if kind == "threshold" and domain.n_values:
            missing_branch = draw(st.sampled_from([None, 0, 1]))
            threshold = draw(st.integers(0, domain.n_values - 1))
            leaves += builder.split(node, column=column, threshold=threshold, missing_branch=missing_branch)
        elif kind == "grouping":
            branches = st.lists(st.integers(0, 3), min_size=domain.n_codes, max_size=domain.n_codes)
            leaves += builder.split(node, column=column, branch_of_code=draw(branches))
        else:
            leaves += builder.split(node, column=column)
    counts = np.arange(2 * builder.n_nodes).reshape(-1, 2)
    return builder.tree(counts)


ALL_ROWS = [(age, sex, 0) for age in range(4) for sex in range(3)]


def child_of(tree: Tree, node: int, row: tuple[int, ...]) -> int:
    """Where one row goes, with nothing but scalars."""
    splits = tree.splits
    column, threshold = int(splits.column[node]), int(splits.threshold[node])
    code = row[column]
    if splits.grouping[node] >= 0:
        branch = int(splits.groupings[splits.grouping[node]][code])
    elif threshold < 0:
        branch = code
    elif code == DOMAINS[column].missing_code:
        branch = int(splits.missing_branch[node])
    else:
        branch = 0 if code <= threshold else 1
    return int(tree.first_child[node]) + branch


def leaf_of(tree: Tree, row: tuple[int, ...]) -> int:
    node = 0
    while tree.splits.column[node] >= 0:
        node = child_of(tree, node, row)
    return node


@given(trees())
def test_route_as_a_walk_row_by_row(tree: Tree) -> None:
    assert routed(tree, *ALL_ROWS) == [leaf_of(tree, row) for row in ALL_ROWS]


@given(trees())
def test_family_relations(tree: Tree) -> None:
    path = {0: [0]}
    for node, depth in tree.walk():
        assert depth == len(path[node]) - 1 == tree.depth[node]
        assert tree.parent[node] == (path[node][-2] if node else -1)
        tested = {int(tree.splits.column[above]) for above in path[node][:-1]}
        assert set(np.flatnonzero(tree.is_tested[node]).tolist()) == tested
        children = tree.children(np.array([node])).tolist()
        assert bool(children) != bool(tree.is_leaf[node])
        path.update({child: [*path[node], child] for child in children})
    assert sorted(path) == list(range(tree.n_nodes))
    assert sorted(np.concatenate(tree.levels).tolist()) == list(range(tree.n_nodes))
    everything = tree.children(np.arange(tree.n_nodes))
    assert sorted(everything.tolist()) == list(range(1, tree.n_nodes))


@given(trees(), st.data())
def test_pruned(tree: Tree, data: st.DataObject) -> None:
    cut = np.array(data.draw(st.lists(st.booleans(), min_size=tree.n_nodes, max_size=tree.n_nodes)))
    pruned = tree.pruned(cut)
    # A row now ends at the first cut node on its way; counts tell which node that was.
    expected = []
    for row in ALL_ROWS:
        node = 0
        while tree.splits.column[node] >= 0 and not cut[node]:
            node = child_of(tree, node, row)
        expected.append(tree.counts[node].tolist())
    assert pruned.counts[routed(pruned, *ALL_ROWS)].tolist() == expected
    inner = ~tree.is_leaf & ~cut
    kept = [node for node in range(tree.n_nodes) if all(inner[above] for above in _above(tree, node))]
    assert sorted(pruned.counts.tolist()) == tree.counts[kept].tolist()
    assert pruned.is_leaf.sum() == sum(not inner[node] for node in kept)


def _above(tree: Tree, node: int) -> list[int]:
    above = []
    while node:
        node = int(tree.parent[node])
        above.append(node)
    return above


# --- splits ----------------------------------------------------------------------------------------------


def test_splits_of_nodes_and_put() -> None:
    all_splits = Splits.of(DOMAINS, [0, 1, -1], [1, -1, -1])
    assert all_splits.n_branches.tolist() == [3, 3, 0]
    assert all_splits.missing_branch.tolist() == [OWN_BRANCH] * 3
    assert all_splits.of_nodes([1, 0]).column.tolist() == [1, 0]
    assert all_splits.without(np.array([True, False, False])).n_branches.tolist() == [0, 3, 0]
    empty = Splits.none(DOMAINS, 4)
    assert empty.is_none.all()
    empty.put(np.array([3, 1]), all_splits.of_nodes([0, 1]))
    assert empty.column.tolist() == [-1, 1, -1, 0]
    assert empty.threshold.tolist() == [-1, -1, -1, 1]


def test_codes_and_missing() -> None:
    splits = Splits.of(DOMAINS, [0, 1], [1, -1])
    columns = [np.array([0, 3, 2, 1]), np.array([2, 0, 1, 2]), np.zeros(4, dtype=int)]
    code, is_missing = splits.codes(np.array([0, 0, 1, 1]), columns, np.arange(4))
    assert code.tolist() == [0, 3, 1, 2]
    assert is_missing.tolist() == [False, True, False, True]
