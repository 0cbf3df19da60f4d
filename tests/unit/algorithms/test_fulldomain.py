"""What the methods that choose levels have in common: limits, stopping, and what is told of a search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from plain_tables import column_of, table_of

import kanopy
from kanopy.algorithms import find_method
from kanopy.algorithms.fulldomain import explorer as explorers
from kanopy.algorithms.fulldomain import local as locals_
from kanopy.algorithms.fulldomain import search as searches
from kanopy.algorithms.fulldomain.losses import LOSSES
from kanopy.algorithms.fulldomain.recode import explorer_of, suppressed_limit
from kanopy.data import EncodedTable, Recoding
from kanopy.errors import PolicyError, UnsatisfiableError
from kanopy.privacy import Closeness, DeltaDisclosure, EntropyDiversity, KAnonymity

FAMILY = ["datafly", "samarati", "incognito", "optimal"]
SEARCHES = FAMILY[1:]


def table(n_rows: int = 60, seed: int = 0) -> EncodedTable:
    rng = np.random.default_rng(seed)
    columns = {name: rng.integers(0, 9, n_rows).tolist() for name in "abc"}
    return table_of(columns, target=[str(each) for each in rng.integers(0, 2, n_rows)])


def ran(
    name: str, given: EncodedTable, k: int = 3, progress: Any = lambda *_: False, **options: Any
) -> Recoding:
    method = find_method(name)
    recoding: Recoding = method.run(given, KAnonymity(k), None, progress, **method.settle(options))
    return recoding


def test_a_limit_below_one_is_a_share() -> None:
    assert [suppressed_limit(given, 100) for given in (0.0, 1.0, 7.0, 0.29, 0.999)] == [0, 1, 7, 29, 99]
    for neither in (1.5, 7.9):  # rows, or percent?
        with pytest.raises(PolicyError, match="max_suppressed"):
            suppressed_limit(neither, 100)


@pytest.mark.parametrize(("given", "rows"), [("5%", 10), ("0.5%", 1), ("100%", 200), ("0%", 0), ("5 %", 10)])
def test_a_limit_in_percent_is_a_share(given: str, rows: int) -> None:
    settled = find_method("optimal").settle({"max_suppressed": given})
    assert suppressed_limit(settled["max_suppressed"], 200) == rows


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("given", [-1, -0.1, "many", "-1%", "101%", "%", "5%%", "nan%", "", True, None])
def test_other_limits_are_refused(name: str, given: Any) -> None:
    with pytest.raises(PolicyError, match="max_suppressed"):
        find_method(name).settle({"max_suppressed": given})


@pytest.mark.parametrize("name", FAMILY)
def test_suppressed_rows_are_a_group_of_their_own_or_left_out(name: str) -> None:
    for limit in (0, 2, 10, 30):
        recoding = ran(name, table(), max_suppressed=limit)
        n_out = int(recoding.facts["suppressed_rows"])
        stars = [
            all(column.texts[column.ids[row]] == "*" for column in recoding.columns) for row in range(60)
        ]
        n_stars = int(np.sum(np.array(stars) & recoding.is_kept))
        n_dropped = int((~recoding.is_kept).sum())
        assert n_out <= limit
        assert n_dropped in (0, n_out)
        if n_dropped:
            assert n_dropped < 3, "three rows could be published"
        elif n_out:
            assert n_stars >= n_out


@pytest.mark.parametrize("name", ["samarati", "incognito"])
def test_too_many_combinations_of_levels_are_refused(name: str) -> None:
    wide = table_of({f"c{number}": ["x", "y"] * 5 for number in range(21)})
    with pytest.raises(PolicyError, match="2,097,152 combinations"):
        ran(name, wide)
    assert ran("datafly", wide).n_kept == 10


@pytest.mark.parametrize("local", [False, True])
def test_the_best_levels_of_many_columns_are_searched_in_parts(local: bool) -> None:
    rng = np.random.default_rng(0)
    many = table_of({f"c{number}": (rng.zipf(2, 80) % 5).tolist() for number in range(30)})
    found = ran("optimal", many, k=5, local=local)
    facts = found.facts
    assert np.bincount(found.groups[0]).min() >= 5
    assert facts["lattice_nodes"] > 10**12
    assert not facts["is_optimal"]
    assert facts["cut_short"]
    assert facts["nodes_checked"] + facts["nodes_pruned"] + facts["nodes_open"] == facts["lattice_nodes"]
    assert 0 < facts["loss"] - facts["at_most_above_optimum"] < facts["loss"] < 1
    if local:
        assert facts["local_loss"] < facts["loss"]


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("limit", [0, 5])
def test_parts_of_a_lattice_bound_the_best_of_all_of_it(
    loss: str, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(6):
        given = table(seed=seed)
        best = ran("optimal", given, loss=loss, max_suppressed=limit).facts["loss"]
        with monkeypatch.context() as patched:
            patched.setattr(explorers, "MOST_NODES", 1)
            patched.setattr(searches, "_PART_NODES", 30)
            facts = ran("optimal", given, loss=loss, max_suppressed=limit).facts
        assert facts["loss"] - facts.get("at_most_above_optimum", 0) <= best + 1e-9
        assert best - 1e-9 <= facts["loss"] < 1


def test_parts_tell_nothing_of_promises_that_coarser_groups_may_break(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain, secret = table(), column_of("d", [*"abcdef"] * 10)
    given = EncodedTable(60, plain.quasi, plain.target, {"d": secret})
    monkeypatch.setattr(explorers, "MOST_NODES", 1)
    monkeypatch.setattr(searches, "_PART_NODES", 30)
    facts = find_method("optimal").run(given, KAnonymity(3) & DeltaDisclosure("d", 5), None).facts
    assert facts["at_most_above_optimum"] == facts["loss"]
    assert not facts["is_optimal"]


def test_local_levels_of_a_large_table_are_those_of_some_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    given = table(2_000)
    every = ran("optimal", given, local=True).facts
    monkeypatch.setattr(locals_, "_WORK", 0)
    monkeypatch.setattr(locals_, "_FEWEST_VISITS", 10)
    some = ran("optimal", given, local=True).facts
    assert every["local_nodes"] > 12 >= some["local_nodes"]
    assert every["local_loss"] < some["local_loss"] < some["loss"]


@pytest.mark.parametrize("name", SEARCHES)
def test_nodes_that_nobody_looked_at_are_not_told_as_pruned(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explorers, "_MOST_WORK", 2_000_000)
    monkeypatch.setattr(explorers, "_WORK_PER_CELL", 0)
    facts = ran(name, table()).facts
    assert facts["nodes_open"] > 0
    assert facts["nodes_checked"] + facts["nodes_pruned"] + facts["nodes_open"] == facts["lattice_nodes"]


@pytest.mark.parametrize("name", FAMILY)
def test_what_the_whole_table_breaks_is_refused(name: str) -> None:
    with pytest.raises(UnsatisfiableError, match="even all rows together"):
        ran(name, table(), k=61)


@pytest.mark.parametrize("local", [False, True])
def test_a_stopped_search_keeps_the_promise_and_tells_a_bound(local: bool) -> None:
    best = ran("optimal", table()).facts["loss"]
    for n_steps in (0, 1, 5, 20):
        left = iter(range(n_steps))
        stopped = ran(
            "optimal", table(), progress=lambda *_, left=left: next(left, None) is None, local=local
        )
        sizes = np.bincount(stopped.groups[0])
        assert sizes.min() >= 3
        if not stopped.facts["is_optimal"]:
            assert stopped.facts["cut_short"]
            assert stopped.facts["loss"] - stopped.facts["at_most_above_optimum"] <= best + 1e-9
        assert stopped.facts["loss"] >= best - 1e-9


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_that_counts_too_much_takes_what_it_knows(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explorers, "_MOST_WORK", 2_000_000)
    monkeypatch.setattr(explorers, "_WORK_PER_CELL", 0)
    recoding = ran(name, table())
    assert recoding.facts["cut_short"]
    assert recoding.facts["nodes_checked"] < 40
    assert np.bincount(recoding.groups[0]).min() >= 3


def test_classification_needs_a_class() -> None:
    with pytest.raises(PolicyError, match="needs a class"):
        ran("optimal", table_of({"a": ["x", "y", "x"]}), k=2, loss="classification")


@pytest.mark.parametrize(
    ("promise", "limit", "is_monotone"),
    [
        (KAnonymity(3), 0, True),
        (KAnonymity(3), 5, True),
        (EntropyDiversity("d", 2), 0, True),
        (EntropyDiversity("d", 2), 5, False),
        (Closeness("d", "0.5"), 0, True),
        (DeltaDisclosure("d", 5), 0, False),
    ],
)
def test_nodes_are_tagged_where_the_promise_allows_it(promise: Any, limit: int, is_monotone: bool) -> None:
    secret = column_of("d", [*"abcdef"] * 10)
    plain = table()
    given = EncodedTable(60, plain.quasi, plain.target, {"d": secret} if promise.columns else {})
    assert explorer_of(given, promise, limit, "loss").promised.is_monotone == is_monotone


def test_counts_are_rolled_up_and_never_counted_from_rows() -> None:
    explorer = explorer_of(table(5_000), KAnonymity(3), 0, "loss")
    fine = explorer.check((1, 1, 1))
    assert explorer.frequencies((2, 1, 1)).n_entries <= fine.n_groups
    for node in ((1, 1, 1), (2, 1, 1), (0, 2, 3)):
        assert int(explorer.frequencies(node).weight.sum()) == 5_000


@pytest.mark.parametrize("name", FAMILY)
def test_what_a_search_tells_stays_in_the_record(name: str) -> None:
    policy = kanopy.Policy(quasi_identifiers=["age", "zip"], k=3)
    rng = np.random.default_rng(0)
    frame = {"age": rng.integers(20, 60, 200).tolist(), "zip": rng.integers(0, 9, 200).tolist()}
    import pyarrow as pa

    release = kanopy.anonymize(pa.table(frame), policy, method=name)
    assert set(release.record["facts"]["levels"]) == {"age", "zip"}
    assert not set(release.manifest["facts"]) & {"levels", "lattice", "minimal", "suppressed_rows", "loss"}


def test_groups_over_some_columns_are_counted_as_they_are_numbered() -> None:
    """Also where they are as many as the entries, in another order."""
    three = table_of({"a": [*"xxx", *"yyyyy"], "b": [*"qqq", *"ppppp"], "c": [*"uvuvuvuv"]})
    frequencies = explorer_of(three, KAnonymity(2), 0, "precision").frequencies((0, 0, 1))
    assert frequencies.are_groups
    groups, n_groups = frequencies.groups([1])
    assert n_groups == frequencies.n_entries == 2
    sizes = frequencies.counts(groups, n_groups).members
    assert dict(zip(groups.tolist(), frequencies.weight.tolist(), strict=True)) == dict(
        enumerate(sizes.tolist())
    )
    assert sizes.tolist() == [5, 3]
