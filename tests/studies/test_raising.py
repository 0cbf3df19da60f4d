"""Branches that take the place of their parent; the rest is compared in unit/trees/test_c45."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from oracles_trees import (
    NaiveC45,
    assert_same,
    codes_of,
    plain,
    random_table,
    rows_of,
    table_of,
    tables,
)

from kanopy.data import EncodedTable
from kanopy.trees import TreeBuilder, c45
from kanopy.trees.grow import grow, shared_branches
from kanopy.trees.inducers import collapsed
from kanopy.trees.splits import Splits
from kanopy_studies.raising import raised


def grown_on_all_columns(table: EncodedTable) -> object:
    """One level per column, in their order."""
    depth = iter(range(len(table.quasi)))
    domains = [column.domain for column in table.quasi]

    def choose(frontier, *_: object) -> Splits:
        column = next(depth, -1)
        return Splits.of(domains, np.full(frontier.n_nodes, column), -1)

    return grow(table, choose)


def test_largest_branch_takes_the_place_of_a_useless_split() -> None:
    """x tells nothing but that two rows are odd; y tells the class, and does so for these rows as well."""
    table = table_of({"x": list("oo" + "p" * 18), "y": list("lr" * 10)}, list("ab" * 10))
    tree = grown_on_all_columns(table)
    assert tree.splits.column[0] == 0
    found = raised(tree, table, confidence=0.25)
    assert found.splits.column[0] == 1
    assert found.counts.tolist() == [[10, 10], [10, 0], [0, 10], [0, 0]]
    assert len(found.levels) == 2


def test_split_that_pays_stays() -> None:
    """Above the line y says a, below it b."""
    table = table_of({"x": list("o" * 20 + "p" * 20), "y": list("lr" * 20)}, list("ab" * 10 + "ba" * 10))
    tree = grown_on_all_columns(table)
    assert_same(plain(raised(tree, table, confidence=0.25)), plain(tree))


def test_split_that_does_not_becomes_a_leaf() -> None:
    table = table_of({"x": list("oopp" * 5), "y": list("lr" * 10)}, list("a" * 19 + "b"))
    assert raised(grown_on_all_columns(table), table, confidence=0.25).n_nodes == 1


def test_raised_through_several_levels() -> None:
    table = table_of(
        {"w": list("o" + "p" * 23), "x": list("po" + "p" * 22), "y": list("lr" * 12)}, list("ab" * 12)
    )
    found = raised(grown_on_all_columns(table), table, confidence=0.25)
    assert found.splits.column[0] == 2
    assert found.n_nodes == 4


def test_last_of_the_largest_branches() -> None:
    """Both branches of x hold ten rows: z, which is asked on the second, takes its place, and not y."""
    same = list("lr" * 10)
    table = table_of({"x": list("oooooppppp" * 2), "y": same, "z": same}, list("ab" * 10))
    builder = TreeBuilder([column.domain for column in table.quasi])
    first, second, _ = builder.split(0, column=0)
    builder.split(first, column=1)
    builder.split(second, column=2)
    counts = np.zeros((builder.n_nodes, 2))
    found = raised(builder.tree(counts), table, confidence=0.25)
    assert found.splits.column[0] == 2
    assert found.counts.tolist() == [[10, 10], [10, 0], [0, 10], [0, 0]]


@pytest.mark.parametrize(("n_a", "n_nodes"), [(2, 4), (3, 1)])
def test_a_tenth_of_an_error_is_not_worth_a_split(n_a: int, n_nodes: int) -> None:
    """The splits of test_pruning, which save 0.116 and 0.085 errors."""
    n_b = n_a + 1
    table = table_of({"x": list("lll") + ["r"] * (n_a + n_b)}, list("aaa") + ["a"] * n_a + ["b"] * n_b)
    assert raised(grown_on_all_columns(table), table, confidence=0.25).n_nodes == n_nodes


@pytest.mark.parametrize("seed", [385, 593, 595, 1134, 1264, 1266, 1821, 1915])
@pytest.mark.parametrize("share_missing", [False, True])
def test_what_was_raised_is_pruned_again(seed: int, share_missing: bool) -> None:
    """Tables, found among many, in which that makes a difference."""
    table = random_table(seed)
    domains = [column.domain for column in table.quasi]
    naive = NaiveC45(domains, int(table.target.codes.max()) + 1, share_missing=share_missing)
    theirs = naive.grow(rows_of(table))
    naive.collapse(theirs)
    naive.prune_and_raise(theirs, 0.25)
    unpruned = c45(table, share_missing=share_missing, prune=False)
    assert_same(plain(raised(unpruned, table, share_missing=share_missing)), theirs)


def test_rows_shared_where_nothing_is_known() -> None:
    """Two rows at a split by x, of which nobody knows x, and two at a split by y, of which one knows y."""
    table = table_of({"x": ["o", "p", None, None], "y": ["l", "r", None, "r"]}, list("abab"))
    splits = Splits.of([column.domain for column in table.quasi], [0, 1], -1)
    place, branch, weight = shared_branches(
        splits, np.array([0, 0, 1, 1]), codes_of(table), np.array([2, 3, 2, 3]), np.array([1, 2, 4, 8.0])
    )
    found = sorted(zip(place.tolist(), branch.tolist(), weight.tolist(), strict=True))
    assert found == [(0, 0, 0.5), (0, 1, 0.5), (1, 0, 1), (1, 1, 1), (2, 1, 4), (3, 1, 8)]


def test_rows_shared_at_a_split_that_knows_none_of_them() -> None:
    """Raised over rows that are all missing where it asks: they are shared evenly, and none is lost."""
    table = table_of({"x": list("oo" + "p" * 18), "y": [None] * 2 + list("lr" * 9)}, list("ab" * 10))
    tree = raised(c45(table, share_missing=True, prune=False), table, share_missing=True)
    leaves = tree.counts[tree.is_leaf]
    np.testing.assert_allclose(leaves.sum(axis=0), [10, 10])


def test_leaf_and_empty_table() -> None:
    for table in (table_of({"x": list("oopp")}, list("aaaa")), table_of({"x": []}, [])):
        assert raised(c45(table, prune=False), table).n_nodes == 1


@given(tables())
def test_counts_are_those_of_the_rows(table: EncodedTable) -> None:
    tree = raised(c45(table, prune=False), table, confidence=0.5)
    leaf = tree.route(codes_of(table), table.n_rows)
    counts = np.zeros_like(tree.counts)
    np.add.at(counts, (leaf, table.target.codes), 1)
    assert (counts[tree.is_leaf] == tree.counts[tree.is_leaf]).all()
    assert tree.n_nodes <= collapsed(c45(table, prune=False)).n_nodes
