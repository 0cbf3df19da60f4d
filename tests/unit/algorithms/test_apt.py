"""APT: made-up rows keep the promise, tell true counts of two classes, and nothing about who is who."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest
from plain_tables import column_of, table_of

import kanopy
from kanopy.algorithms.apt import apt
from kanopy.data import EncodedTable, Recoding
from kanopy.errors import PolicyError, UnsatisfiableError
from kanopy.privacy import AlphaBound, DistinctDiversity, KAnonymity, PrivacyModel


def made(table: EncodedTable, promise: PrivacyModel, seed: int = 0, **options: object) -> Recoding:
    return apt(table, promise, np.random.default_rng(seed), **options)


def some_table(n_classes: int = 2, n_rows: int = 400) -> EncodedTable:
    rng = np.random.default_rng(2)
    ages, towns = rng.integers(18, 80, n_rows), rng.choice(list("abc"), n_rows)
    score = (ages > 40).astype(int) + (towns == "b") + (ages > 65) + (rng.random(n_rows) < 0.15)
    classes = [f"class {value % n_classes}" for value in score]
    return table_of({"age": ages.tolist(), "town": towns.tolist()}, target=classes)


def by_group(table: EncodedTable, recoding: Recoding) -> dict[int, tuple[list[int], list[int]]]:
    """For every group its true classes and the published ones."""
    groups, _ = recoding.groups
    found: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for row, group in enumerate(groups.tolist()):
        found[group][0].append(int(table.target.codes[row]))
        found[group][1].append(int(recoding.target[row]))
    return found


# --- Numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_a_number_is_drawn_once_for_each_leaf(seed: int) -> None:
    """A number for every row would make each of them unique."""
    table = some_table()
    ranges, drawn = (made(table, KAnonymity(10), seed, publish=how) for how in ("range", "draw"))
    assert ranges.groups[1] == drawn.groups[1] > 2
    said: dict[str, set[str]] = defaultdict(set)
    domain = table.quasi[0].domain
    for row in range(table.n_rows):
        before, after = ranges.columns[0], drawn.columns[0]
        said[before.texts[before.ids[row]]].add(after.texts[after.ids[row]])
        cell = before.cells[before.ids[row]]
        if before.texts[before.ids[row]] != "*":
            number = float(after.texts[after.ids[row]])
            assert domain.numbers[cell.low] <= number <= domain.numbers[cell.high]
    assert all(len(numbers) == 1 for numbers in said.values())
    assert sorted(Counter(drawn.groups[0].tolist()).values()) == sorted(
        Counter(ranges.groups[0].tolist()).values()
    )


def test_other_seeds_draw_other_numbers() -> None:
    table = some_table()
    texts = [made(table, KAnonymity(10), seed, publish="draw").columns[0].texts for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    plain = [made(table, KAnonymity(10), seed).columns[0].texts for seed in (1, 2)]
    assert plain[0] == plain[1]


# --- Classes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 10, 60])
def test_of_two_classes_the_counts_are_true(k: int) -> None:
    table = some_table(2)
    for true, published in by_group(table, made(table, KAnonymity(k))).values():
        assert Counter(true) == Counter(published)


@pytest.mark.parametrize("k", [2, 10, 60])
def test_of_three_classes_the_mistakes_are_spread_evenly(k: int) -> None:
    table = some_table(3)
    n_estimated = 0
    for true, published in by_group(table, made(table, KAnonymity(k))).values():
        majority, n_right = Counter(true).most_common(1)[0]
        told = Counter(published)
        assert told.total() == len(true)
        if list(Counter(true).values()).count(n_right) == 1:
            assert told[majority] == n_right
        others = [told[code] for code in range(3) if code != majority]
        assert max(others) - min(others) <= 1 or told[majority] != n_right
        n_estimated += told != Counter(true)
    assert n_estimated


def test_which_row_has_which_class_says_nothing() -> None:
    """Rows of one leaf get its classes in order, whoever they belong to."""
    table = some_table()
    recoding = made(table, KAnonymity(10))
    groups, n_groups = recoding.groups
    for group in range(n_groups):
        published = recoding.target[groups == group]
        assert (np.diff(published.astype(int)) >= 0).all()
    assert (recoding.target != table.target.codes).any()


def with_bounded_class(table: EncodedTable) -> EncodedTable:
    return EncodedTable(table.n_rows, table.quasi, table.target, {"class": table.target})


@pytest.mark.parametrize(
    "promise",
    [AlphaBound("class", "0.8"), AlphaBound("class", "0.7", "class 1"), DistinctDiversity("class", 3)],
)
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_made_up_classes_keep_a_promise_about_the_class(promise: PrivacyModel, n_classes: int) -> None:
    table = with_bounded_class(some_table(n_classes))
    asked = promise & KAnonymity(5)
    if n_classes == 2 and isinstance(promise, DistinctDiversity):
        with pytest.raises(UnsatisfiableError):
            made(table, asked)
        return
    recoding = made(table, asked)
    groups, n_groups = recoding.groups
    for codes in (table.target.codes, recoding.target):
        column = type(table.target)(table.target.domain, codes)
        judged = EncodedTable(table.n_rows, table.quasi, column, {"class": column})
        assert asked.holds(kanopy.data.GroupCounts.of(judged, groups, n_groups)).all()


def test_a_leaf_that_breaks_the_promise_is_pruned() -> None:
    table = table_of({"q": list("a" * 8 + "b" * 8)}, target=list("Y" * 8 + "N" * 8))
    assert made(table, KAnonymity(8)).groups[1] == 2
    assert made(table, KAnonymity(9)).groups[1] == 1
    assert made(with_bounded_class(table), KAnonymity(4) & AlphaBound("class", "0.9")).groups[1] == 1


def test_a_leaf_whose_made_up_classes_break_the_promise_is_pruned() -> None:
    """Leaf a is 8 Y and 4 N; made up, 2 of its 12 are P, which is nobody in truth."""
    classes = "Y" * 8 + "N" * 4 + "N" * 26 + "P" * 2
    table = with_bounded_class(table_of({"q": list("a" * 12 + "b" * 28)}, target=list(classes)))
    for bound, n_groups in (("0.17", 2), ("0.16", 1)):
        promise = KAnonymity(4) & AlphaBound("class", bound, "P")
        assert made(table, promise).groups[1] == n_groups


def test_a_promise_that_only_the_true_classes_keep_is_refused() -> None:
    """6 Y, 5 N, 1 P: made up, 6 of the 12 are spread as three and three. At most 2 of 12 may be P."""
    table = table_of({"q": list("ab" * 6)}, target=list("YYYYYYNNNNNP"))
    promise = KAnonymity(2) & AlphaBound("class", "2/12", "P")
    with pytest.raises(UnsatisfiableError, match="made-up classes"):
        made(with_bounded_class(table), promise)
    relaxed = KAnonymity(2) & AlphaBound("class", "3/12", "P")
    assert Counter(made(with_bounded_class(table), relaxed).target.tolist()) == {0: 3, 1: 3, 2: 6}


def test_missing_classes_are_made_up_as_well() -> None:
    table = table_of({"q": list("aaaabbbb")}, target=["Y", "Y", "Y", "Y", None, None, None, None])
    recoding = made(table, KAnonymity(3))
    told = by_group(table, recoding).values()
    assert sorted(sorted(published) for _, published in told) == [[0] * 4, [1] * 4]
    assert {text for leaf in recoding.model.leaves() for text, n in leaf.items() if n} == {"Y", ""}


# --- Through the door ------------------------------------------------------------------------------------

FRAME = pa.table({"q": list("aaaabbbb"), "t": list("YYYYNNNN"), "s": list("xyxyxyxy")})


@pytest.mark.parametrize("role", ["keep", "sensitive"])
def test_made_up_rows_have_no_other_columns(role: str) -> None:
    policy = kanopy.Policy(quasi_identifiers=["q"], target="t", k=2, **{role: ["s"]})
    with pytest.raises(PolicyError, match="makes up its rows and cannot publish") as caught:
        kanopy.anonymize(FRAME, policy, method="apt")
    assert caught.value.exit_code == 2
    assert kanopy.anonymize(FRAME, policy, method="kactus").audit.kept


def test_identifiers_and_persons_may_be_there() -> None:
    policy = kanopy.Policy(quasi_identifiers=["q"], target="t", k=2, identifiers=["s"])
    release = kanopy.anonymize(FRAME, policy, method="apt")
    assert release.frame.column_names == ["q", "t"]
    policy = kanopy.Policy(quasi_identifiers=["q"], target="t", k=2, person="s")
    assert kanopy.anonymize(FRAME, policy, method="apt").audit.groups == 2


def test_the_release_says_that_it_is_synthetic() -> None:
    policy = kanopy.Policy(quasi_identifiers=["q"], target="t", k=2, identifiers=["s"])
    manifest = kanopy.anonymize(FRAME, policy, method="apt").manifest
    assert manifest["truthful"] is False
    assert manifest["facts"] == {"synthetic": True}
    assert any("synthetic" in notice for notice in manifest["notices"])
    manifest = kanopy.anonymize(FRAME, policy, method="kadet").manifest
    assert manifest["truthful"] is True
    assert not any("synthetic" in notice for notice in manifest["notices"])


def test_columns_without_a_number_are_left_alone() -> None:
    table = EncodedTable(4, (column_of("q", list("aabb")),), column_of("class", list("YYNN")))
    column = made(table, KAnonymity(2), publish="draw").columns[0]
    assert [column.texts[cell] for cell in column.ids.tolist()] == list("aabb")
