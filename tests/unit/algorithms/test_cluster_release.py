"""What all clustering methods share: blocks, other promises than k, and which columns steer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kanopy
from kanopy.algorithms.clustering.features import FlatFeature, NumericFeature, feature_of
from kanopy.algorithms.clustering.release import CLUSTER_OPTIONS, blocks_of, release_clusters
from kanopy.algorithms.method import silent
from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts
from kanopy.errors import PolicyError, UnsatisfiableError
from kanopy.privacy import DistinctDiversity, KAnonymity

DEFAULTS = {name: option.default for name, option in CLUSTER_OPTIONS.items()}


def flat(name: str, codes: Any) -> CodedColumn:
    codes = np.asarray(codes, dtype=np.uint8)
    return CodedColumn(Domain(name, tuple(f"{name}{code}" for code in range(int(codes.max()) + 1))), codes)


def numeric(name: str, codes: Any) -> CodedColumn:
    codes = np.asarray(codes, dtype=np.uint16)
    numbers = np.arange(int(codes.max()) + 1, dtype=np.float64)
    return CodedColumn(Domain(name, tuple(str(int(number)) for number in numbers), numbers), codes)


@pytest.mark.parametrize("reassign", [False, True])
def test_rows_of_a_block_without_clusters_join_those_of_another(reassign: bool) -> None:
    """Half of the rows are alike, the others all different: in their block no cluster reaches k."""
    kind, other = ["a"] * 40 + ["b"] * 40, [*["same"] * 40, *[f"v{row}" for row in range(40)]]
    rows = pd.DataFrame({"kind": kind, "first": other, "second": other, "y": ["p", "q"] * 40})
    policy = kanopy.Policy(quasi_identifiers=["kind", "first", "second"], target="y", k=4)
    release = kanopy.anonymize(
        rows, policy, method="loukides", reassign=reassign, block_size=40, delta=1.0, allow_empty=True
    )
    assert len(release.frame) == (80 if reassign else 40)


class TestBlocks:
    @given(
        st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=120),
        st.integers(1, 6),
        st.integers(0, 20),
    )
    def test_every_row_in_one_block_of_the_right_size(
        self, rows: list[tuple[int, int]], k: int, more: int
    ) -> None:
        columns = [flat("a", [a for a, _ in rows]), numeric("b", [b for _, b in rows])]
        block_size = 2 * k + more
        features = [feature_of(column) for column in columns]
        blocks = blocks_of(features, [column.codes for column in columns], block_size, k)
        assert sorted(np.concatenate(blocks).tolist()) == list(range(len(rows)))
        assert all(len(block) <= block_size for block in blocks)
        assert len(blocks) == 1 or all(len(block) >= k for block in blocks)

    def test_values_that_are_wholly_apart_are_parted_first(self) -> None:
        place = np.arange(100)
        columns = [numeric("age", place), flat("sex", place % 2), flat("job", place % 10)]
        features = [NumericFeature(columns[0]), FlatFeature(columns[1]), FlatFeature(columns[2])]
        blocks = blocks_of(features, [column.codes for column in columns], 60, 2)
        assert [sorted(set((block % 2).tolist())) for block in blocks] in ([[0], [1]], [[1], [0]])

    def test_a_point_that_is_larger_than_a_block_is_cut_all_the_same(self) -> None:
        column = flat("a", [0] * 50)
        blocks = blocks_of([feature_of(column)], [column.codes], 20, 5)
        assert sum(map(len, blocks)) == 50
        assert max(map(len, blocks)) <= 20


def in_a_row(n_rows: int) -> EncodedTable:
    """Numbers 0, 1, 2, ...; the diagnosis changes every four rows."""
    diagnosis = flat("diagnosis", np.arange(n_rows) // 4 % 3)
    return EncodedTable(n_rows, (numeric("age", np.arange(n_rows)),), confidential={"diagnosis": diagnosis})


def by_fours(points: Any, k: int) -> Any:
    group = np.empty(len(points.rows), dtype=np.int32)
    group[points.rows] = np.arange(len(points.rows)) // 4
    return group


class TestPromises:
    def test_clusters_that_break_the_promise_are_merged_with_the_nearest(self) -> None:
        table = in_a_row(24)
        promise = KAnonymity(4) & DistinctDiversity("diagnosis", 2)
        recoding = release_clusters(table, promise, by_fours, silent, **DEFAULTS)
        group, n_groups = recoding.groups
        assert promise.holds(GroupCounts.of(table, group, n_groups)).all()
        assert n_groups > 1
        for number in range(n_groups):  # neighbours were merged, so clusters are still runs of numbers
            rows = np.flatnonzero(group == number)
            assert rows.tolist() == list(range(rows[0], rows[-1] + 1))

    def test_without_need_nothing_is_merged(self) -> None:
        recoding = release_clusters(in_a_row(24), KAnonymity(4), by_fours, silent, **DEFAULTS)
        assert recoding.groups[1] == 6

    def test_all_dropped_is_refused(self) -> None:
        def drop_all(points: Any, k: int) -> Any:
            return np.full(len(points.rows), -1, dtype=np.int32)

        with pytest.raises(UnsatisfiableError):
            release_clusters(in_a_row(24), KAnonymity(4), drop_all, silent, **DEFAULTS)

    def test_too_many_columns_for_exact_distances(self) -> None:
        column = flat("a", [0, 1, 0, 1])
        with pytest.raises(PolicyError):
            release_clusters(EncodedTable(4, (column,) * 1001), KAnonymity(2), by_fours, silent, **DEFAULTS)


def people(n_rows: int = 600) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "age": rng.integers(20, 70, n_rows),
            "job": rng.choice(["cook", "nurse", "clerk"], n_rows),
            "height": rng.integers(150, 200, n_rows),
            "class": rng.choice(["yes", "no"], n_rows),
        }
    )


def policy(**more: Any) -> kanopy.Policy:
    roles = {"quasi_identifiers": ["age", "job"], "target": "class", "keep": ["height"], "k": 5}
    return kanopy.Policy(**(roles | more))


@pytest.mark.parametrize("method", ["kmeans", "kmember", "oka", "loukides", "wfcmeans", "mdav"])
class TestOptions:
    def release(self, method: str, **options: Any) -> kanopy.Release:
        more = {"reassign": True} if method == "loukides" else {}
        return kanopy.anonymize(people(), policy(), method=method, **more, **options)

    def test_class_weight_brings_classes_together(self, method: str) -> None:
        plain, pulled = self.release(method), self.release(method, class_weight=8.0)
        assert (
            pulled.record["losses"]["classification_metric"]
            < (plain.record["losses"]["classification_metric"])
        )

    def test_published_columns_can_steer(self, method: str) -> None:
        """With the height among the features, rows of one group are of nearly the same height."""

        def spread(release: kanopy.Release) -> float:
            groups = release.frame.groupby(["age", "job"])["height"]
            return float((groups.max() - groups.min()).mean())

        assert spread(self.release(method, features="published")) < spread(self.release(method))

    def test_blocks_keep_the_promise(self, method: str) -> None:
        release = self.release(method, block_size=50)
        assert release.audit.kept
        assert release.audit.k >= 5

    def test_persons_and_diversity(self, method: str) -> None:
        table = people().assign(person=np.arange(600) // 2)
        more = {"person": "person", "privacy": [DistinctDiversity("class", 2)]}
        options = {"reassign": True} if method == "loukides" else {}
        assert kanopy.anonymize(table, policy(**more), method=method, **options).audit.kept
