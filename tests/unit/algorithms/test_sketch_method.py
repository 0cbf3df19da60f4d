"""Sketch: pools, groups, spread, what is told, and what is refused."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from effort import in_turn
from memory_peak import peak_of
from plain_tables import column_of

import kanopy
from kanopy.algorithms.sketch import halving, sketch
from kanopy.algorithms.sketch.choosing import SPREADS
from kanopy.algorithms.sketch.halving import halved
from kanopy.algorithms.sketch.pools import Asked, pools_of
from kanopy.algorithms.sketch.space import spread_out
from kanopy.algorithms.sketch.telling import HeldBack, parts_of
from kanopy.data import CodedColumn, Domain, EncodedTable, Partition, Recoding
from kanopy.errors import PolicyError, ResourceError, UnsatisfiableError
from kanopy.privacy import AlphaBound, KAnonymity

pytest.importorskip("sklearn")


def made(n_rows: int = 200, seed: int = 0) -> EncodedTable:
    """A number and a category that tell the class, and noise."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, n_rows)
    number = (10 * label + rng.normal(0, 4, n_rows)).round().tolist()
    letter = [("a" if rng.random() < 0.2 + 0.6 * one else "b") for one in label.tolist()]
    noise = rng.integers(0, 9, n_rows).astype(float).tolist()
    order = sorted(range(n_rows), key=lambda row: (number[row], letter[row], noise[row], label[row]))
    columns = [[values[row] for row in order] for values in (number, letter, noise)]
    quasi = tuple(column_of(f"q{place}", values) for place, values in enumerate(columns))
    target = column_of("class", [f"c{label[row]}" for row in order])
    return EncodedTable(n_rows, quasi, target)


def noise(n_rows: int) -> EncodedTable:
    """Classes that nothing tells: whatever is guessed about them was told by the groups."""
    rng = np.random.default_rng(5)
    drawn = sorted(map(tuple, rng.integers(0, 4, (n_rows, 6)).tolist()))
    quasi = tuple(
        column_of(f"q{place}", list(map("abcd".__getitem__, each)))
        for place, each in enumerate(zip(*drawn, strict=True))
    )
    return EncodedTable(n_rows, quasi, column_of("class", [f"c{one}" for one in rng.integers(0, 2, n_rows)]))


def run(table: EncodedTable, k: int = 10, **options: Any) -> Recoding:
    return sketch(table, KAnonymity(k), np.random.default_rng(0), **options)


def test_groups_keep_k_and_are_of_one_class() -> None:
    table = made()
    recoding = run(table, spread=0.0)
    group, n_groups = recoding.groups
    assert np.bincount(group).min() >= 30  # numbers ask for more than k
    classes = table.target.codes  # type: ignore[union-attr]
    assert all(len(set(classes[group == number].tolist())) == 1 for number in range(n_groups))
    assert recoding.facts["pure"] is True


def test_rows_are_a_dial_and_never_fewer_than_the_promise_asks() -> None:
    sizes = [
        np.bincount(run(made(), k=k, spread=0.0, rows=rows).groups[0]).min()
        for k, rows in ((10, 50), (60, 30))
    ]
    assert sizes[0] >= 50
    assert sizes[1] >= 60


def lettered(n_rows: int, n_columns: int = 9) -> EncodedTable:
    """Letters that nothing goes with, and a class that three of them tell: most rows are unique."""
    drawn = sorted(map(tuple, np.random.default_rng(8).integers(0, 3, (n_rows, n_columns)).tolist()))
    columns = [[*map("abc".__getitem__, each)] for each in zip(*drawn, strict=True)]
    quasi = tuple(column_of(f"q{place}", each) for place, each in enumerate(columns))
    return EncodedTable(
        n_rows, quasi, column_of("class", [f"c{row[0] == row[1] == row[2]}" for row in drawn])
    )


@pytest.mark.parametrize(
    ("k", "options"),
    in_turn([2, 5, 40], [{}, {"spread": 0.0}, {"spread": 1.0}, {"pure": False, "spread": 0.5}, {"rows": 30}]),
)
def test_no_group_has_fewer_than_thirty_rows(k: int, options: dict[str, Any]) -> None:
    """Whatever the table, k and the dials are; a sketch of five rows is nearly their records."""
    for table in (lettered(150), made(150)):
        assert np.bincount(run(table, k=k, **options).groups[0]).min() >= max(k, 30)


def test_where_persons_are_counted_groups_have_thirty_rows_as_well() -> None:
    many, few = (np.arange(150, dtype=np.int32) // each for each in (1, 15))
    for persons, k in ((many, 2), (few, 3)):
        group, n_groups = run(replace(lettered(150), persons=persons), k=k, spread=1.0).groups
        assert np.bincount(group).min() >= 30
        assert min(len(set(persons[group == number].tolist())) for number in range(n_groups)) >= k


@pytest.mark.parametrize("rows", [1, 5, 29, "29"])
def test_smaller_groups_cannot_be_asked_for(rows: int | str) -> None:
    policy = kanopy.Policy(quasi_identifiers=["q"], k=2)
    with pytest.raises(PolicyError, match="30 or more, or 0") as refused:
        kanopy.anonymize(pa.table({"q": ["a", "b"] * 50}), policy, method="sketch", rows=rows)
    assert refused.value.exit_code == 2


@pytest.mark.parametrize(("n_rows", "is_enough"), [(29, False), (30, True), (37, True)])
def test_a_table_needs_thirty_rows(n_rows: int, is_enough: bool) -> None:
    """Of 37 rows fewer than 30 are left where some are held back: then nothing is measured."""
    if is_enough:
        recoding = run(lettered(n_rows), k=2)
        assert recoding.groups[1] == 1
        assert "nothing can be measured" in recoding.facts["spread_chosen"]
        return
    with pytest.raises(UnsatisfiableError, match="30 rows or more, and the table has 29") as refused:
        run(lettered(n_rows), k=2)
    assert refused.value.exit_code == 4


def test_hardly_any_likeliest_record_is_that_of_one_row() -> None:
    """The most frequent value of each column, in a group of five, is often somebody's whole record."""
    table = lettered(600)
    group, n_groups = run(table, k=5, spread=0.0).groups
    codes = np.column_stack([column.codes for column in (*table.quasi, table.target)])  # type: ignore[list-item]
    records, times = np.unique(codes, axis=0, return_counts=True)
    unique = set(map(tuple, records[times == 1].tolist()))
    likeliest = [
        tuple(int(np.bincount(column).argmax()) for column in codes[group == number].T)
        for number in range(n_groups)
    ]
    assert np.mean([record in unique for record in likeliest]) <= 0.1


def test_a_bound_on_the_class_mixes_classes() -> None:
    plain = made()
    target = plain.target
    assert target is not None
    table = EncodedTable(plain.n_rows, plain.quasi, target, {"class": target})
    promise = KAnonymity(10) & AlphaBound("class", 0.7)
    recoding = sketch(table, promise, np.random.default_rng(0), spread=0.0)
    group, n_groups = recoding.groups
    shares = [
        np.bincount(target.codes[group == number]).max() / (group == number).sum()
        for number in range(n_groups)
    ]
    assert max(shares) <= 0.7
    assert recoding.facts["pure"] is False


def test_small_classes_share_a_pool_and_borrow_the_nearest_rows() -> None:
    points = np.array([*range(70), 99.0])[:, None]
    classes = np.repeat([0, 1], [70, 1])
    table = EncodedTable(71, (column_of("q", ["a"] * 71),))
    pool, n_pools = pools_of(classes, points, Asked(table, KAnonymity(3)))
    assert n_pools == 2
    assert pool.tolist() == [0] * 41 + [1] * 30  # the rows nearest to the lonely one join it
    pool, n_pools = pools_of(classes, points, Asked(table, KAnonymity(36)))
    assert n_pools == 1  # none can be spared


def test_classes_that_cannot_be_spared_make_one_pool() -> None:
    table = EncodedTable(58, (column_of("q", ["a"] * 58),))
    asked = Asked(table, KAnonymity(3))
    assert pools_of(np.repeat([0, 1], 29), np.zeros((58, 1)), asked)[1] == 1


def test_a_near_miss_is_not_cut() -> None:
    """Six rows are two groups of three; five stay one."""
    line = np.arange(6.0)[:, None]

    def holds(rows: Any, part: Any, n_parts: int) -> Any:
        return np.bincount(part, minlength=n_parts) >= 3

    assert halved(line, np.zeros(6, dtype=int), 1, 3, holds)[0].tolist() == [0, 0, 0, 1, 1, 1]
    assert halved(line[:5], np.zeros(5, dtype=int), 1, 3, holds)[1] == 1


@pytest.mark.parametrize("n_rows_at_once", [1, 50])
def test_groups_do_not_depend_on_what_is_cut_at_once(
    n_rows_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    points, pool = rng.normal(size=(400, 3)), rng.integers(0, 2, 400)

    def holds(rows: Any, part: Any, n_parts: int) -> Any:
        return np.bincount(part, minlength=n_parts) >= 7

    group, n_groups = halved(points, pool, 2, 5, holds)
    monkeypatch.setattr(halving, "_ROWS_OF_A_BATCH", n_rows_at_once)
    in_batches, n_in_batches = halved(points, pool, 2, 5, holds)
    assert n_groups == n_in_batches > 20
    assert np.array_equal(group, in_batches)


def test_another_axis_is_tried_where_the_first_breaks_the_promise() -> None:
    points = np.array([[x, y] for x in (0.0, 10.0) for y in (0.0, 1.0)])

    def holds(rows: Any, part: Any, n_parts: int) -> Any:  # both ends of the long axis must be there
        return np.array([len({points[row][0] for row in rows[part == one]}) == 2 for one in range(n_parts)])

    group, n_groups = halved(points, np.zeros(4, dtype=int), 1, 2, holds)
    assert n_groups == 2
    assert group[0] == group[2] != group[1] == group[3]


def test_spread_goes_from_the_points_to_noise() -> None:
    points = np.random.default_rng(1).normal(size=(2000, 2))
    rng = np.random.default_rng(2)
    assert spread_out(points, 0.0, rng) is points
    kept = [
        np.corrcoef(points[:, 0], spread_out(points, share, rng)[:, 0])[0, 1] for share in (0.25, 0.75, 1.0)
    ]
    assert kept[0] > 0.9 > kept[1] > 0.2 > abs(kept[2])


def test_auto_tells_no_more_than_mondrian_or_says_so() -> None:
    facts = run(made(400), k=5).facts
    within = facts["excess"] <= max(facts["excess_of_mondrian"], 0.01)
    assert within == facts["spread_chosen"].endswith("tells at most as much as mondrian")


def test_where_nothing_tells_as_little_as_mondrian_it_is_of_what_tells_least() -> None:
    facts = run(noise(200), k=30, rows=30).facts
    assert facts["spread_chosen"].endswith("tells least")
    told = [round(excess, 2) for _, _, excess, _ in facts["frontier"]["sketch"]]
    assert facts["excess"] == min(told) > facts["excess_of_mondrian"]


def test_every_spread_and_every_size_stands_in_the_record() -> None:
    facts = run(made(400), k=5).facts
    tried = {(rows, spread) for rows, spread, _, _ in facts["frontier"]["sketch"]}
    chosen = (facts["group_rows"], facts["spread"])
    assert {(chosen[0], spread) for spread in SPREADS} <= tried
    assert {rows for rows, spread in tried if spread == chosen[1]} == {30, 60, 120, 240}
    (excess,) = (line[2] for line in facts["frontier"]["sketch"] if tuple(line[:2]) == chosen)
    assert facts["excess"] == round(excess, 2)
    assert facts["excess_of_mondrian"] == round(facts["frontier"]["mondrian"][0], 2)


def test_larger_groups_of_rows_that_are_alike_come_before_random_ones() -> None:
    """Of what teaches about as much the least spread is taken, and then the largest groups."""
    facts = run(noise(400), k=5).facts
    lines = {(rows, spread): told for rows, spread, *told in facts["frontier"]["sketch"]}
    bound = max(facts["excess_of_mondrian"], 0.01)
    within = {dials: right for dials, (excess, right) in lines.items() if round(excess, 2) <= bound}
    assert round(lines[30, 0.0][0], 2) > bound  # small groups tell too much, unless they are spread
    assert any(rows == 30 for rows, _ in within)
    good = [dials for dials, right in within.items() if right >= max(within.values()) - 0.01]
    chosen = (facts["group_rows"], facts["spread"])
    assert chosen == min(good, key=lambda dials: (dials[1], -dials[0]))
    assert chosen[0] > 30
    assert chosen[1] == 0


def test_groups_are_no_larger_than_they_need_to_be_where_the_promise_asks_for_many() -> None:
    facts = run(made(800), k=300).facts
    assert {rows for rows, *_ in facts["frontier"]["sketch"]} == {300}


def test_rows_that_are_asked_for_are_not_changed() -> None:
    facts = run(made(400), k=5, rows=40).facts
    assert {rows for rows, *_ in facts["frontier"]["sketch"]} == {40}
    assert facts["group_rows"] == 40


def test_random_groups_tell_less_than_groups_of_rows_that_are_alike() -> None:
    table = noise(2000)
    classes = table.target.codes.astype(np.int64)  # type: ignore[union-attr]
    is_first = parts_of(classes, None, 2, np.random.default_rng(0)) == 0
    ours, theirs = (table.of_rows(np.flatnonzero(some)) for some in (is_first, ~is_first))
    own, others = classes[is_first], classes[~is_first]
    told = {}
    for spread in (0.0, 1.0):
        found = sketch(ours, KAnonymity(5), np.random.default_rng(0), spread=spread, rows=30)
        group, n_groups = found.groups
        told[spread] = HeldBack(ours, own, theirs, others).by_sketch(Partition(group, n_groups), 30).excess
    assert told[1.0] < told[0.0]


def test_the_reading_names_orders_correlation_and_a_way() -> None:
    reading = run(made(), spread=0.0).reading
    assert reading is not None
    assert reading.orders[0] == ()
    assert sorted(reading.orders[1]) == [0, 1]
    assert reading.correlation.shape == (3, 3)
    assert reading.linear in ("draws", "normal")


def test_of_very_few_persons_no_correlation_is_told() -> None:
    for n_persons, is_told in ((10, False), (11, True)):
        table = replace(made(40), persons=np.arange(40, dtype=np.int32) % n_persons)
        assert (run(table, k=3, spread=0.0).reading is not None) == is_told


def test_a_spread_that_is_none_is_refused() -> None:
    for wrong in ("much", "1.5", "nan"):
        with pytest.raises(PolicyError, match="from 0 to 1"):
            run(made(), spread=wrong)
    assert run(made(), spread="0.5").facts["spread"] == 0.5


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(UnsatisfiableError):
        run(made(5), k=10)


def test_without_scikit_learn_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.utils.validation", None)
    with pytest.raises(ResourceError) as refused:
        run(made())
    assert "kanopy[sklearn]" in str(refused.value.hint)


def test_of_very_many_features_linear_models_learn_from_drawn_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Normal features of a large table would fill the memory of whoever reads it."""
    monkeypatch.setattr("kanopy.algorithms.sketch.reading._best_way", lambda *_: "normal")
    table = made()
    for most, way in ((table.n_rows * 4, "normal"), (table.n_rows * 4 - 1, "draws")):
        monkeypatch.setattr("kanopy.algorithms.sketch.reading._MOST_FEATURES", most)
        reading = run(table, spread=0.0).reading
        assert reading is not None
        assert reading.linear == way


def test_memory_is_that_of_a_sample_and_not_of_all_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 90,000 different numbers: with a distance of each from each cell, these took 2.4 GB."""
    monkeypatch.setattr("kanopy.algorithms.sketch.teachers._TREES", 4)
    labels = tuple(map(str, range(100_000, 190_000)))
    domain = Domain("q", labels, np.arange(100_000.0, 190_000.0))
    codes = np.arange(0, 90_000, 8, dtype=np.uint32)
    is_ill = np.random.default_rng(0).random(len(codes)) < 0.3 + 0.4 * (codes > 45_000)
    target = CodedColumn(Domain("class", ("no", "yes")), is_ill.astype(np.uint8))
    table = EncodedTable(len(codes), (CodedColumn(domain, codes),), target)
    found = list[Recoding]()
    assert peak_of(lambda: found.append(run(table, k=5))) < 150e6
    assert found[0].facts["frontier"]["mondrian"]


def test_many_columns_are_measured_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """In blocks of any size they tell the same."""
    table = made(300)
    assert table.target is not None
    classes = table.target.codes.astype(np.int64)
    is_first = parts_of(classes, None, 2, np.random.default_rng(0)) == 0
    ours, theirs = (table.of_rows(np.flatnonzero(some)) for some in (is_first, ~is_first))
    partition = Partition(np.arange(ours.n_rows, dtype=np.int32) % 4, 4)
    held_back = HeldBack(ours, classes[is_first], theirs, classes[~is_first])
    told = held_back.by_sketch(partition, 30)
    monkeypatch.setattr("kanopy.algorithms.sketch.telling._ROOM", 1)
    assert HeldBack(ours, classes[is_first], theirs, classes[~is_first]).by_sketch(partition, 30) == told


def test_few_values_stand_for_many_and_tell_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    classes = np.arange(600) % 2
    columns = [(rng.normal(size=600) + 0.3 * classes).round(4).tolist() for _ in range(8)]
    table = EncodedTable(600, tuple(column_of(f"q{place}", each) for place, each in enumerate(columns)))
    is_first = parts_of(classes, None, 2, rng) == 0
    ours, theirs = (table.of_rows(np.flatnonzero(some)) for some in (is_first, ~is_first))
    partition = Partition((classes[is_first] + 2 * (np.arange(300) % 4)).astype(np.int32), 8)
    told = []
    for most in (128, 600):
        monkeypatch.setattr("kanopy.algorithms.sketch.telling._MOST_VALUES", most)
        told.append(HeldBack(ours, classes[is_first], theirs, classes[~is_first]).by_sketch(partition, 30))
    assert told[0].members > told[0].strangers + 0.05
    assert told[0] == pytest.approx(told[1], abs=0.01)
