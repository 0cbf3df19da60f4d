"""Every loss equals its definition, worked out with exact fractions on small nasty tables."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles_losses import oracle_losses
from plain_tables import published, table_of

from kanopy.data import STYLES, EncodedTable, Hierarchy, Partition
from kanopy.utility import LOSSES, group_size_histogram, measure_losses

TREE = Hierarchy.from_paths(
    "place",
    [("a", "ab", "abc"), ("b", "ab", "abc"), ("c", "c", "abc"), ("d", "de", "de"), ("e", "de", "de")],
)
NUMBERS = st.sampled_from([None, 0.0, 1.0, 2.5, -3.0, 1e15, 1e308, -1e308, 1.7e308])
WORDS = st.sampled_from([None, "x", "y", "*", "{x, y}", "[1, 2]", "1", "é"])
PLACES = st.sampled_from([None, "a", "b", "c", "d", "e"])
CLASSES = st.sampled_from([None, "yes", "no"])


@st.composite
def tables(draw: st.DrawFn) -> EncodedTable:
    n_rows = draw(st.integers(1, 12))

    def column(values: st.SearchStrategy[object]) -> list[object]:
        return draw(st.lists(values, min_size=n_rows, max_size=n_rows))

    columns = {"number": column(NUMBERS), "word": column(WORDS), "place": column(PLACES)}
    target = draw(st.one_of(st.none(), st.just(column(CLASSES))))
    return table_of(columns, target=target, hierarchies={"place": TREE})


@st.composite
def partitions(draw: st.DrawFn, n_rows: int) -> Partition:
    """Any grouping, perhaps with dropped rows, perhaps with all rows dropped."""
    labels = draw(st.lists(st.integers(-1, 4), min_size=n_rows, max_size=n_rows))
    used = sorted({label for label in labels if label >= 0})
    place = {label: number for number, label in enumerate(used)} | {-1: -1}
    return Partition(np.array([place[label] for label in labels], dtype=np.int32), len(used))


@given(
    tables().flatmap(lambda table: st.tuples(st.just(table), partitions(table.n_rows))),
    st.sampled_from(sorted(STYLES)),
    st.one_of(st.none(), st.integers(1, 5)),
    st.booleans(),
)
@example(
    (table_of({"number": [1, 2], "word": ["x", "y"]}), Partition(np.array([-1, -1], dtype=np.int32), 0)),
    "range",
    2,
    False,
)
@example(
    (
        table_of({"number": [1e308, -1e308, None], "word": ["x", None, "y"]}),
        Partition(np.array([0, 0, 0], dtype=np.int32), 1),
    ),
    "mean",
    None,
    True,
)
def test_losses_equal_their_definitions(
    grouped: tuple[EncodedTable, Partition], style: str, k: int | None, widen: bool
) -> None:
    table, partition = grouped
    recoding = published(table, partition, style, widen=widen)
    measured, expected = measure_losses(table, recoding, k), oracle_losses(table, recoding, k)
    assert measured.keys() == expected.keys()
    for name, value in expected.items():
        assert measured[name] == pytest.approx(float(value), rel=1e-9, abs=1e-9), name


@given(tables().flatmap(lambda table: st.tuples(st.just(table), partitions(table.n_rows))))
def test_shares_lie_between_zero_and_one(grouped: tuple[EncodedTable, Partition]) -> None:
    table, partition = grouped
    losses = measure_losses(table, published(table, partition, "range"), 2)
    shares = {"missing_cell_ratio", "gcp", "classification_metric"} & losses.keys()
    assert all(0 <= losses[name] <= 1 for name in shares)
    most = table.n_rows * len(table.quasi)
    assert 0 <= losses["square_error"] <= most + 1e-9
    assert 0 <= losses["total_information_loss"] <= most + 1e-9


@given(tables())
def test_a_table_published_as_it_is_loses_nothing(table: EncodedTable) -> None:
    each_row_alone = Partition(np.arange(table.n_rows, dtype=np.int32), table.n_rows)
    losses = measure_losses(table, each_row_alone.publish(table, "range"), None)
    zero = ["missing_cell_ratio", "gcp", "total_information_loss", "square_error"]
    assert [losses[name] for name in zero] == [0, 0, 0, 0]


@given(tables())
def test_dropping_everything_is_the_worst(table: EncodedTable) -> None:
    nothing = published(table, Partition(np.full(table.n_rows, -1, dtype=np.int32), 0), "range")
    one_group = Partition(np.zeros(table.n_rows, dtype=np.int32), 1).publish(table, "suppress")
    dropped, suppressed = measure_losses(table, nothing, 1), measure_losses(table, one_group, 1)
    assert all(dropped[loss.name] >= suppressed[loss.name] for loss in LOSSES if loss.name in dropped)


@given(tables().flatmap(lambda table: st.tuples(st.just(table), partitions(table.n_rows))))
def test_size_bins_add_up(grouped: tuple[EncodedTable, Partition]) -> None:
    table, partition = grouped
    recoding = published(table, partition, "members")
    bins = group_size_histogram(recoding)
    assert sum(size_bin.n_groups for size_bin in bins) == (recoding.groups[1] if recoding.n_kept else 0)
    assert sum(size_bin.n_rows for size_bin in bins) == recoding.n_kept
    assert all(first.high + 1 == second.low for first, second in pairwise(bins))
