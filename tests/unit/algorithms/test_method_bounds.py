"""What methods do where a table would cost too much: ask less, stop early, or refuse; the promise stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from memory_peak import peak_of
from plain_tables import printed_groups, table_of

from kanopy.algorithms import cuts, find_method, topdown
from kanopy.algorithms.clustering import assign
from kanopy.algorithms.clustering.assign import Packs
from kanopy.algorithms.clustering.features import Points, feature_of
from kanopy.data import CodedColumn, Domain, EncodedTable, GroupCounts, Recoding
from kanopy.errors import PolicyError
from kanopy.privacy import Closeness, DistinctDiversity, KAnonymity, PrivacyModel
from kanopy.trees import grow as growing


def run(name: str, table: EncodedTable, promise: PrivacyModel) -> Recoding:
    method = find_method(name)
    return method.run(table, promise, np.random.default_rng(0), lambda *_: False, **method.settle({}))


def column(name: str, codes: Any, n_values: int, *, numeric: bool = False) -> CodedColumn:
    width = len(str(n_values))
    labels = tuple(f"{code:0{width}d}" for code in range(n_values))
    numbers = np.arange(n_values, dtype=np.float64) if numeric else None
    return CodedColumn(Domain(name, labels, numbers), np.asarray(codes).astype(np.uint32))


def texts(n_rows: int, n_columns: int = 1) -> EncodedTable:
    """Texts that never repeat, and a class."""
    draw = np.random.default_rng(0)
    quasi = [column(f"t{number}", draw.permutation(n_rows), n_rows) for number in range(n_columns)]
    return EncodedTable(n_rows, tuple(quasi), column("class", np.arange(n_rows) % 2, 2))


def with_secret(n_rows: int, seed: int) -> EncodedTable:
    """Two numbers, a class, and a sensitive number of many values."""
    draw = np.random.default_rng(seed)
    quasi = [column(name, draw.integers(0, 40, n_rows), 40, numeric=True) for name in "xy"]
    secret = column("secret", draw.integers(0, n_rows // 2, n_rows), n_rows // 2, numeric=True)
    target = column("class", draw.integers(0, 2, n_rows), 2)
    return EncodedTable(n_rows, tuple(quasi), target, {"secret": secret})


@pytest.mark.parametrize("name", ["mondrian", "kadet"])
@pytest.mark.parametrize(
    "promise", [DistinctDiversity("secret", 4), KAnonymity(3) & Closeness("secret", 0.3, distance="ordered")]
)
@pytest.mark.parametrize("seed", range(4))
def test_boundaries_asked_one_by_one_give_the_cuts_of_all_at_once(
    name: str, promise: PrivacyModel, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = with_secret(120, seed)
    at_once = printed_groups(run(name, table, promise))
    monkeypatch.setattr(cuts, "_COUNTERS_AT_ONCE", -1)
    monkeypatch.setattr(cuts, "COUNTERS_PER_ROW", -1)
    assert printed_groups(run(name, table, promise)) == at_once
    assert len(at_once) > 1


def test_a_limit_of_visits_still_keeps_the_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    promise = DistinctDiversity("secret", 4)
    table = with_secret(120, 0)
    monkeypatch.setattr(cuts, "_COUNTERS_AT_ONCE", -1)
    monkeypatch.setattr(cuts, "COUNTERS_PER_ROW", -1)
    monkeypatch.setattr(cuts, "_VISITS", 0)
    group, n_groups = run("mondrian", table, promise).groups
    assert promise.holds(GroupCounts.of(table, group, n_groups)).all()


def test_memory_of_cuts_follows_the_rows_and_not_boundaries_times_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every boundary between 4,000 numbers beside 4,000 sensitive values: 128 megabytes in an array."""
    monkeypatch.setattr(cuts, "_COUNTERS_AT_ONCE", 10_000)
    peaks = []
    for n_rows in (100, 1_000, 4_000):  # the first loads what is loaded once
        draw = np.random.default_rng(0)
        numbers = column("x", draw.permutation(n_rows), n_rows, numeric=True)
        secret = column("secret", draw.permutation(n_rows), n_rows, numeric=True)
        table = EncodedTable(
            n_rows, (numbers,), column("class", np.arange(n_rows) % 2, 2), {"secret": secret}
        )
        peaks.append(peak("mondrian", table, DistinctDiversity("secret", 4)))
    assert peaks[2] / peaks[1] < 6


@pytest.mark.parametrize("name", ["kmember", "mdav", "tdd"])
def test_memory_follows_the_rows_where_texts_never_repeat(name: str) -> None:
    peaks = [peak(name, texts(n_rows), KAnonymity(5)) for n_rows in (100, 1_000, 4_000)]
    assert peaks[2] / peaks[1] < 6


def test_memory_of_disclosure_follows_the_rows_and_not_the_steps() -> None:
    """Half as many steps as rows, each of which divides the rows that are left."""

    def table(n_rows: int) -> EncodedTable:
        return EncodedTable(n_rows, (column("t", np.arange(n_rows) // 4, n_rows // 4),), None)

    peaks = [
        peak("tdr", table(n_rows), KAnonymity(2), require_positive_gain=False)
        for n_rows in (100, 1_000, 4_000)
    ]
    assert peaks[2] / peaks[1] < 6


def peak(name: str, table: EncodedTable, promise: PrivacyModel, **options: Any) -> int:
    method = find_method(name)
    settled = method.settle(options)
    rng = np.random.default_rng(0)
    return peak_of(lambda: method.run(table, promise, rng, lambda *_: False, **settled))


def test_a_tree_that_peels_off_rows_stops_growing(monkeypatch: pytest.MonkeyPatch) -> None:
    n_rows = 400
    table = EncodedTable(
        n_rows,
        (column("x", np.arange(n_rows), n_rows, numeric=True),),
        column("class", np.arange(n_rows) % 2, 2),
    )
    whole = run("kadet", table, KAnonymity(5))
    monkeypatch.setattr(growing, "MOST_PASSES", 3)
    monkeypatch.setattr(growing, "_CELLS_AT_LEAST", 0)
    short = run("kadet", table, KAnonymity(5))
    assert short.model.tree.depth.max() <= 4 < whole.model.tree.depth.max()
    assert np.bincount(short.groups[0]).min() >= 5


def test_top_down_methods_stop_where_steps_are_spent_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of({"n": list(range(60))}, target=[["a", "b"][number // 7 % 2] for number in range(60)])
    assert "cut_short" not in run("tds", table, KAnonymity(3)).facts
    monkeypatch.setattr(topdown, "_MOST", 0)
    short = run("tds", table, KAnonymity(3))
    assert short.facts["cut_short"] is True
    assert short.groups[1] >= 2, "the first step was taken"


def test_effort_grows_with_the_square_of_large_tables() -> None:
    small, large = (topdown.Effort.of(texts(n_rows), [None]).left for n_rows in (1_000, 2_000))
    assert small == large == topdown._MOST
    cut = topdown.Effort(10, 2, 25)
    cut.spend(4)
    assert not cut.is_spent
    cut.spend(4)
    assert cut.is_spent


def packs_of(table: EncodedTable) -> Packs:
    features = tuple(feature_of(found) for found in table.quasi)
    return Packs(Points.of(features, [found.codes for found in table.quasi]))


def test_rounds_are_as_many_as_asked_unless_they_take_long() -> None:
    packs = packs_of(texts(200))
    few = {"share": 1.0, "at_most": 100, "passes": 1}
    assert assign.most_rounds(packs, 200, 20, **few) == 100
    assert assign.most_rounds(packs, 100_000, 50_000, **few) == 2
    assert assign.most_rounds(packs, 400_000, 200_000, **few) == 1, "never fewer"
    assert assign.most_rounds(packs, 20_000_000, 10_000, **few) == 100, "large tables may take long"


def test_bottomup_refuses_very_many_columns() -> None:
    table = texts(4)
    wide = EncodedTable(4, table.quasi * 501, table.target)
    with pytest.raises(PolicyError, match="501 quasi-identifiers are too many") as caught:
        run("bottomup", wide, KAnonymity(2))
    assert caught.value.exit_code == 2
    assert "mondrian" in caught.value.hint
