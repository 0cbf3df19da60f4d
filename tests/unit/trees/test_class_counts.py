"""Class counts without their zeros say the same as an array, and take memory of what occurs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_peak import peak_of

from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.trees import Tree, TreeBuilder, c45, class_counts, class_shares
from kanopy.trees.class_counts import SparseCounts, as_sparse, count_classes
from kanopy.trees.frontier import Frontier
from kanopy.trees.slots import Slots

lines = st.integers(1, 8).flatmap(
    lambda n_classes: st.lists(
        st.lists(st.integers(0, 5), min_size=n_classes, max_size=n_classes), min_size=1, max_size=12
    )
)


@given(lines, st.data())
def test_sparse_counts_answer_like_an_array(table: list[list[int]], data: Any) -> None:
    array = np.array(table)
    sparse = as_sparse(array)
    assert len(sparse) == len(array)
    for axis in (0, 1):
        assert sparse.sum(axis=axis).tolist() == array.sum(axis=axis).tolist()
    assert sparse.max(axis=1).tolist() == array.max(axis=1).tolist()
    assert sparse.argmax(axis=1).tolist() == array.argmax(axis=1).tolist()
    chosen = np.array(data.draw(st.lists(st.integers(0, len(array) - 1), max_size=5)), dtype=np.int64)
    assert sparse[int(len(array) - 1)].tolist() == array[-1].tolist()
    for part in (chosen, array.any(axis=1), slice(1, 3), slice(0, 0)):
        assert _dense(sparse[part]).tolist() == array[part].tolist()


@given(lines, st.data())
def test_sums_and_entropies_are_those_of_the_array(table: list[list[int]], data: Any) -> None:
    array = np.array(table)
    array[:, 0] += 1  # no line is empty, as no slot is
    sparse = as_sparse(array)
    cuts = data.draw(st.sets(st.integers(1, max(len(array) - 1, 1)), max_size=4))
    starts = np.array(sorted({0, *(cut for cut in cuts if cut < len(array))}))
    node = np.searchsorted(starts, np.arange(len(array)), side="right") - 1
    first = np.append(starts, len(array))
    boundaries = np.setdiff1d(np.arange(len(array)), first[1:] - 1)
    classes = array.argmax(axis=1)
    is_chosen = array[:, 0] > 2
    for function, arguments in (
        (class_counts.summed_entropy, ()),
        (class_counts.entropies_without, ()),
        (class_counts.entropies_beside, (node, first, boundaries)),
        (class_counts.of_class, (classes,)),
    ):
        np.testing.assert_allclose(function(sparse, *arguments), function(array, *arguments), atol=1e-9)
    for function, arguments in (
        (class_counts.sums_of_runs, (starts,)),
        (class_counts.sums_of_groups, (node[::-1].copy(), len(starts))),
        (class_counts.only_lines, (is_chosen,)),
        (class_counts.with_line, (0, array[-1].copy())),
    ):
        expected = function(array.copy(), *arguments)
        assert _dense(function(sparse, *arguments)).tolist() == expected.tolist()
    assert _dense(class_counts.joined([array, sparse])).tolist() == [*array.tolist(), *array.tolist()]


def test_few_classes_are_counted_in_an_array_and_many_are_not() -> None:
    keys = np.arange(1000)
    assert isinstance(count_classes(keys % 20, None, 10, 2), np.ndarray)
    counted = count_classes(keys * 1001, None, 1000, 1001)
    assert isinstance(counted, SparseCounts)
    assert _dense(counted).sum() == 1000


def test_inner_nodes_get_the_sums_of_their_leaves() -> None:
    sex, age = Domain("sex", ("f", "m")), Domain("age", ("1", "2"), np.array([1.0, 2.0]))
    builder = TreeBuilder((sex, age))
    female, male, _ = builder.split(0, column=0)
    builder.split(male, column=1, threshold=0)
    counts = np.arange(2 * builder.n_nodes).reshape(-1, 2)
    tree = builder.tree(counts)
    assert female == 1
    assert _dense(tree.summed_up(as_sparse(counts))).tolist() == tree.summed_up(counts).tolist()


def many_classes(n_rows: int) -> EncodedTable:
    """Three rows a class, and a number of many values."""
    draw = np.random.default_rng(0)
    number = Domain("x", tuple(map(str, range(n_rows // 4))), np.arange(n_rows // 4, dtype=np.float64))
    classes = Domain("class", tuple(f"c{code}" for code in range(n_rows // 3)))
    codes = draw.integers(0, n_rows // 4, n_rows).astype(np.uint16)
    return EncodedTable(
        n_rows,
        (CodedColumn(number, codes),),
        CodedColumn(classes, (np.arange(n_rows) % (n_rows // 3)).astype(np.uint16)),
    )


@pytest.mark.parametrize("work", [lambda table: Slots(Frontier.of_table(table), 0), c45])
def test_memory_follows_the_rows_and_not_values_times_classes(work: Any) -> None:
    """4,000 rows of 1,000 values and 1,333 classes: an array of both would have ten megabytes."""
    work(many_classes(40))  # loads what is loaded at the first time
    tables = [many_classes(n_rows) for n_rows in (4_000, 16_000)]
    peaks = [peak_of(lambda table=table: work(table)) for table in tables]
    assert peaks[0] < 2_000 * 4_000
    assert peaks[1] / peaks[0] < 6


def test_a_tree_of_many_classes_is_the_one_of_the_array(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in an array, and without its zeros."""
    table = many_classes(900)
    trees: list[Tree] = []
    for per_row in (10**6, 0):
        monkeypatch.setattr(class_counts, "ARRAY_PER_ROW", per_row)
        monkeypatch.setattr(class_counts, "_ARRAY_AT_LEAST", 0)
        trees.append(c45(table, min_rows=2, prune=False))
    array, sparse = trees
    assert isinstance(array.counts, np.ndarray)
    assert isinstance(sparse.counts, SparseCounts)
    assert array.n_nodes == sparse.n_nodes
    assert array.splits.threshold.tolist() == sparse.splits.threshold.tolist()
    assert _dense(sparse.counts).tolist() == array.counts.tolist()
    codes = [column.codes for column in table.quasi]
    shares = [class_shares(tree, codes, table.n_rows) for tree in trees]
    np.testing.assert_array_equal(*shares)


def _dense(counts: Any) -> Any:
    if not isinstance(counts, SparseCounts):
        return counts
    array = np.zeros(counts.shape, dtype=counts.amount.dtype)
    array[counts.line, counts.code] = counts.amount
    assert np.array_equal(np.lexsort((counts.code, counts.line)), np.arange(len(counts.line))), "in order"
    return array
