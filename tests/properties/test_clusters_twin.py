"""k-member, one-pass k-means, Loukides-Shao and MDAV find the clusters of their naive twins, row for row."""

from __future__ import annotations

from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_clusters_pass import (
    Column,
    Dealt,
    Rows,
    clusters_of,
    in_order,
    naive_adjust,
    naive_kmember,
    naive_loukides,
    naive_mdav,
    naive_one_pass,
)
from oracles_topdown import leaves_of
from topdown_tables import TAXONOMIES

from kanopy.algorithms.clustering import oka
from kanopy.algorithms.clustering.features import UNIT
from kanopy.algorithms.clustering.kmember import kmember_groups
from kanopy.algorithms.clustering.loukides import loukides_groups
from kanopy.algorithms.clustering.mdav import mdav_groups
from kanopy.algorithms.clustering.oka import oka_groups, one_pass

EXAMPLES = n_tables(40)
NUMBERS = ((0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 20.0), (-5.0, 0.1, 0.2, 0.3, 1.0, 1.0), (0.0, 0.5, 1.0), (7.0,))
"""Among them equal numbers that have two codes, and a range of nothing."""
TINY, SMALL = st.integers(2, 3), st.integers(2, 5)


def column_of_chance(rng: np.random.Generator, n_rows: int, kind: str) -> Column:
    numbers = NUMBERS[rng.integers(len(NUMBERS))] if kind == "number" else None
    taxonomy = TAXONOMIES[rng.integers(len(TAXONOMIES))] if kind == "tree" else None
    n_values = int(rng.integers(1, 5))
    if numbers is not None or taxonomy is not None:
        n_values = len(numbers if numbers is not None else leaves_of(taxonomy))
    with_missing = rng.random() < 0.4
    shares = rng.dirichlet([rng.choice([0.3, 2.0])] * (n_values + with_missing))
    codes = rng.choice(n_values + with_missing, n_rows, p=shares).tolist()
    return Column(codes, n_values, numbers, taxonomy, UNIT * 3 // 2 if kind == "class" else UNIT)


@st.composite
def tables(draw: st.DrawFn, k: int) -> Rows:
    """The shape is drawn, the rows are of chance: drawn one by one, too many of them would be alike."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = draw(st.sampled_from([k, 2 * k - 1, 2 * k, 3 * k - 1, 3 * k, 7 * k, *range(4 * k, 5 * k)]))
    kinds = draw(st.lists(st.sampled_from(["number", "text", "tree", "class"]), min_size=1, max_size=3))
    return Rows([column_of_chance(rng, n_rows, kind) for kind in kinds])


@settings(max_examples=EXAMPLES)
@given(data=st.data(), k=SMALL, far_from=st.sampled_from(["seed", "last"]))
def test_kmember(data: st.DataObject, k: int, far_from: str) -> None:
    table = data.draw(tables(k))
    start = data.draw(st.integers(0, table.n_rows - 1))
    found = clusters_of(kmember_groups(table.points(), k, Dealt(start), far_from=far_from))
    assert found == in_order(naive_kmember(table, k, start, far_from))


@settings(max_examples=EXAMPLES)
@given(data=st.data(), k=SMALL, sort=st.booleans(), small=st.sampled_from([0, 256]))
def test_one_pass(data: st.DataObject, k: int, sort: bool, small: int) -> None:
    """With distances to all centroids in tables, and without."""
    table = data.draw(tables(k))
    seeds = data.draw(st.permutations(range(table.n_rows)))[: table.n_rows // k]
    with mock.patch.object(oka, "_SMALL", small):
        found = clusters_of(one_pass(table.points(), np.array(seeds), sort=sort))
    assert found == in_order(naive_one_pass(table, seeds, sort=sort))


@settings(max_examples=EXAMPLES)
@given(data=st.data(), k=SMALL, sort=st.booleans())
def test_oka(data: st.DataObject, k: int, sort: bool) -> None:
    table = data.draw(tables(k))
    seeds = data.draw(st.permutations(range(table.n_rows)))[: table.n_rows // k]
    found = clusters_of(oka_groups(table.points(), k, Dealt(*seeds), sort=sort))
    assert found == in_order(naive_adjust(table, naive_one_pass(table, seeds, sort=sort), k))


@pytest.mark.parametrize("reassign", [False, True])
@settings(max_examples=EXAMPLES)
@given(data=st.data(), k=TINY, delta=st.sampled_from(["1/20", "1/4", "1/3", "0.6", "1", "1.25", "2", "5"]))
def test_loukides(reassign: bool, data: st.DataObject, k: int, delta: str) -> None:
    table, bound = data.draw(tables(k)), Fraction(delta)
    order = data.draw(st.permutations(range(table.n_rows)))
    group = loukides_groups(table.points(), k, Dealt(order=order), delta=float(bound), reassign=reassign)
    assert clusters_of(group) == in_order(naive_loukides(table, k, order, bound, reassign=reassign))


@settings(max_examples=EXAMPLES)
@given(data=st.data(), k=SMALL)
def test_mdav(data: st.DataObject, k: int) -> None:
    table = data.draw(tables(k))
    assert clusters_of(mdav_groups(table.points(), k)) == in_order(naive_mdav(table, k))
