"""k-means and weighted C-means against their naive twins: the same clusters, row for row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_clusters_kmeans import group_from, kmeans, points_from, wfcmeans
from oracles_tree_methods import Quasi
from topdown_tables import KINDS, column_of_chance

from kanopy.algorithms.clustering import assign, code_counts, kinds
from kanopy.algorithms.clustering.kmeans import kmeans_groups
from kanopy.algorithms.clustering.wfcmeans import wfcmeans_groups


@st.composite
def requests(draw: st.DrawFn) -> tuple[list[Quasi], int, int]:
    """Columns, k, and a seed; often as many rows as k, or one less than two clusters need."""
    seed = draw(st.integers(0, 2**32))
    rng = np.random.default_rng(seed)
    k = draw(st.integers(1, 6))
    n_rows = draw(st.sampled_from([k, 2 * k - 1, 2 * k, k + int(rng.integers(0, 30)), 5 * k + 4]))
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))
    columns = [column_of_chance(rng, n_rows, kind) for kind in kinds]
    if draw(st.booleans()):  # the same rows again and again
        again = rng.integers(0, min(n_rows, 5), n_rows)
        columns = [
            Quasi([column.codes[row] for row in again], column.n_values, column.numbers, column.taxonomy)
            for column in columns
        ]
    return columns, k, seed


@pytest.mark.parametrize("variant", [1, 2, 3])
@given(requests())
def test_kmeans(variant: int, request: tuple[list[Quasi], int, int]) -> None:
    columns, k, seed = request
    found = kmeans_groups(points_from(columns), k, np.random.default_rng(seed), variant=variant, max_iter=12)
    expected = kmeans(columns, k, np.random.default_rng(seed), variant, max_iter=12)
    assert found.tolist() == group_from(expected)


@given(requests())
def test_wfcmeans(request: tuple[list[Quasi], int, int]) -> None:
    columns, k, seed = request
    found = wfcmeans_groups(points_from(columns), k, np.random.default_rng(seed), max_iter=12)
    expected = wfcmeans(columns, k, np.random.default_rng(seed), max_iter=12)
    assert found.tolist() == group_from(expected)


@pytest.mark.parametrize("chunk", [1, 7, 64])
@pytest.mark.parametrize("table", [0, 40], ids=["computed", "partly kept"])
@given(request=requests())
def test_pieces_do_not_matter(chunk: int, table: int, request: tuple[list[Quasi], int, int]) -> None:
    """Small chunks, and distances that are computed when asked for, change nothing."""
    columns, k, seed = request
    points = points_from(columns)
    variant = seed % 3 + 1
    whole = kmeans_groups(points, k, np.random.default_rng(seed), variant=variant, max_iter=5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assign, "_CHUNK", chunk)
        patch.setattr(assign, "_TABLE", table)
        pieces = kmeans_groups(points, k, np.random.default_rng(seed), variant=variant, max_iter=5)
    assert whole.tolist() == pieces.tolist()


@pytest.mark.parametrize("most", [-1, 1 << 22], ids=["nothing kept", "kept"])
@pytest.mark.parametrize("variant", [1, 3])
@given(request=requests())
def test_what_is_kept_from_round_to_round_does_not_matter(
    variant: int, most: int, request: tuple[list[Quasi], int, int]
) -> None:
    """Neither levels of kinds nor counts are kept, or there are no spare slots, so that slots often move."""
    columns, k, seed = request
    points = points_from(columns)
    expected = kmeans(columns, k, np.random.default_rng(seed), variant, max_iter=12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kinds, "_MOST_LEVELS", most)
        patch.setattr(kinds, "_SPARE", 0)
        patch.setattr(code_counts, "_MOST_CELLS", most)
        found = kmeans_groups(points, k, np.random.default_rng(seed), variant=variant, max_iter=12)
    assert found.tolist() == group_from(expected)
