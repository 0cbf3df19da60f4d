"""Bottom-up generalization where it could go wrong: what is left alone, missing values, persons, promises."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest
from plain_tables import column_of, table_of

import kanopy
from kanopy.algorithms import bottomup as bottomup_file
from kanopy.algorithms.bottomup import bottomup
from kanopy.algorithms.drafted_tree import DraftedTree, levels_for
from kanopy.data import EncodedTable, GroupCounts, Hierarchy, Recoding
from kanopy.errors import UnsatisfiableError
from kanopy.hierarchies import Ranges
from kanopy.privacy import AnonymityOf, Closeness, DistinctDiversity, KAnonymity, PrivacyModel, Template

PATHS = [("a", "ab"), ("b", "ab"), ("c", "cd"), ("d", "cd")]


def generalized(table: EncodedTable, promise: PrivacyModel) -> Recoding:
    return bottomup(table, promise, np.random.default_rng(0))


def printed(recoding: Recoding) -> list[tuple[str, ...]]:
    assert recoding.is_kept.all()
    columns = [[column.texts[cell] for cell in column.ids.tolist()] for column in recoding.columns]
    return list(zip(*columns, strict=True))


def with_tree(values: list[str | None], classes: str) -> EncodedTable:
    return table_of({"q": values}, target=list(classes), hierarchies={"q": Hierarchy.from_paths("q", PATHS)})


def test_what_keeps_its_promise_is_left_alone() -> None:
    table = with_tree([*"aabbccdd", None, None], "YNYNYNYNYN")
    assert printed(generalized(table, KAnonymity(2))) == [(value,) for value in [*"aabbccdd", "", ""]]
    numbers = table_of({"n": [1, 1, 2.5, 2.5, None, None]}, target=list("YNYNYN"))
    assert printed(generalized(numbers, KAnonymity(2))) == [
        (text,) for text in ["1"] * 2 + ["2.5"] * 2 + [""] * 2
    ]


def test_siblings_are_merged_where_they_must_be() -> None:
    assert Counter(printed(generalized(with_tree([*"abccdd"], "YYYNYN"), KAnonymity(2)))) == {
        ("ab",): 2,
        ("c",): 2,
        ("d",): 2,
    }


def test_missing_is_merged_at_the_root_only() -> None:
    table = with_tree([*"aabbccdd", None], "YNYNYNYNY")
    assert set(printed(generalized(table, KAnonymity(2)))) == {("*",)}


def test_a_tree_of_a_single_value() -> None:
    hierarchy = Hierarchy.from_paths("q", [("a", "only")])
    for values, expected in (
        (["a", "a", None, None], ["a", "a", "", ""]),
        (["a", "a", "a", None], ["*"] * 4),
    ):
        table = table_of({"q": values}, target=list("YNYN"), hierarchies={"q": hierarchy})
        assert printed(generalized(table, KAnonymity(2))) == [(text,) for text in expected]


def test_values_that_do_not_occur_do_not_hinder() -> None:
    """b and d do not occur: the nodes above are available, and so is the root."""
    table = with_tree([*"acc"], "YNN")
    assert printed(generalized(table, KAnonymity(2))) == [("*",)] * 3
    assert printed(generalized(with_tree([*"aacc"], "YYNN"), KAnonymity(2))) == [("a",)] * 2 + [("c",)] * 2


def test_the_least_information_per_row_gained() -> None:
    """Both merges make the smallest group 2; that of c and d loses nothing about the class."""
    table = table_of(
        {"p": [*"abccdd"], "q": [*"ccccab"]},
        target=list("YNYYYY"),
        hierarchies={name: Hierarchy.from_paths(name, PATHS) for name in "pq"},
    )
    assert chosen_columns(table, AnonymityOf(["p"], 2) & AnonymityOf(["q"], 2)) == [1, 0]


def chosen_columns(table: EncodedTable, promise: PrivacyModel) -> list[int]:
    """The columns that are generalized, step by step."""
    chosen = []
    choose = bottomup_file._best_generalization

    def noting(*arguments: object) -> tuple[int, int]:
        chosen.append(choose(*arguments))
        return chosen[-1]

    with mock.patch.object(bottomup_file, "_best_generalization", noting):
        generalized(table, promise)
    return [column for column, _ in chosen]


def test_a_requirement_that_is_kept_costs_nothing_more() -> None:
    """p keeps its k from the start, and generalizing it would even be free of loss; only q must."""
    table = table_of(
        {"p": [*"aabb"], "q": [*"abcc"]},
        target=list("YNYN"),
        hierarchies={name: Hierarchy.from_paths(name, PATHS) for name in "pq"},
    )
    recoding = generalized(table, AnonymityOf(["p"], 2) & AnonymityOf(["q"], 2))
    assert printed(recoding) == [("a", "ab"), ("a", "ab"), ("b", "c"), ("b", "c")]


def test_columns_that_nothing_is_promised_about_stay() -> None:
    table = table_of({"p": [*"abcd"], "q": [*"abcd"]}, target=list("YNYN"))
    groups = dict(zip("abcd", ["{a, c}", "{b, d}"] * 2, strict=True))
    assert printed(generalized(table, AnonymityOf(["q"], 2))) == [(value, groups[value]) for value in "abcd"]
    as_given = bottomup(table, AnonymityOf(["q"], 2), np.random.default_rng(0), trees="given")
    assert printed(as_given) == [(value, "*") for value in "abcd"]


# --- Columns without a hierarchy -------------------------------------------------------------------------


def test_numbers_become_ranges_and_other_values_sets() -> None:
    """Instead of nothing at all, as a column without a hierarchy can only be suppressed as a whole."""
    ages, jobs = [21, 22, 23, 24, 51, 52, 53, None], [*"abababab"]
    table = table_of({"age": ages, "job": jobs}, target=list("YYNNYYNN"))
    made = generalized(table, AnonymityOf(["age"], 2))
    ranges = ["[21, 22]", "[23, 24]", "[51, 52]", "{, 53}"]
    assert [age for age, _ in printed(made)] == [text for text in ranges for _ in range(2)]
    assert made.facts == {"drafted_columns": 1}
    as_given = bottomup(table, AnonymityOf(["age"], 2), np.random.default_rng(0), trees="given")
    assert {age for age, _ in printed(as_given)} == {"*"}
    assert as_given.facts == {"suppressed_columns": 1}
    assert generalized(table, AnonymityOf(["job"], 2)).facts == {}, "nothing had to be done"


@pytest.mark.parametrize("with_class", [True, False])
def test_values_are_grouped_by_the_class_if_there_is_one(with_class: bool) -> None:
    table = table_of({"q": [*"abcd"] * 2}, target=list("YNYN" * 2) if with_class else None)
    texts = {text for (text,) in printed(generalized(table, KAnonymity(3)))}
    assert texts == ({"{a, c}", "{b, d}"} if with_class else {"{a, b}", "{c, d}"})


@pytest.mark.parametrize(("n_columns", "n_groups"), [(1, 64), (8, 64), (9, 32), (40, 8), (499, 8)])
def test_many_columns_have_fewer_groups(n_columns: int, n_groups: int) -> None:
    column = column_of("n", list(range(1_000)))
    tree = DraftedTree.of(column, None, None, levels_for(n_columns))
    nodes, sizes = np.unique(tree.parent[tree.leaves[:-1]], return_counts=True)
    assert len(nodes) == n_groups
    assert sizes.max() - sizes.min() <= 1
    assert tree.cell(int(nodes[0])).text(column.domain) == f"[0, {sizes[0] - 1}]"


def test_weights_are_rows() -> None:
    table = table_of({"n": [1, 2, 3, 4]}, target=list("YNYN"))
    weighted = replace(table, weight=np.array([5, 1, 1, 1]))
    assert printed(generalized(weighted, KAnonymity(3))) == [("1",)] + [("[2, 4]",)] * 3
    assert printed(generalized(weighted.expanded(), KAnonymity(3))) == [("1",)] * 5 + [("[2, 4]",)] * 3


def test_what_was_drafted_is_told_everywhere(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pa.table({"age": rng.integers(0, 90, 60), "class": rng.choice(["Y", "N"], 60)})
    policy = kanopy.Policy(quasi_identifiers=["age"], target="class", k=5)
    for options, words in (
        ({}, "whose groups of values were drafted: 1"),
        ({"trees": "given"}, "as a whole: 1"),
    ):
        release = kanopy.anonymize(frame, policy, method="bottomup", allow_empty=True, **options)
        for told in (release.record["notices"], release.manifest["notices"]):
            assert any(words in notice for notice in told)
        assert words in kanopy.report(release, tmp_path / "report.md", force=True).read_text()
        assert (release.manifest["losses"]["missing_cell_ratio"] == 1) == bool(options)
    kept = kanopy.anonymize(frame, replace(policy, hierarchies={"age": Ranges([10, 30])}), method="bottomup")
    assert not any("hierarchy" in notice for notice in kept.manifest["notices"])


# --- Persons and promises --------------------------------------------------------------------------------


def test_persons_are_counted() -> None:
    quasi = (column_of("q", [*"aaabbb"], Hierarchy.from_paths("q", PATHS)),)
    for persons, expected in (([1, 2, 3, 4, 5, 6], {"a": 3, "b": 3}), ([1, 1, 3, 4, 5, 6], {"ab": 6})):
        who = np.array(persons, dtype=np.int32)
        table = EncodedTable(6, quasi, column_of("class", [*"YNYNYN"]), {}, who)
        found = Counter(text for (text,) in printed(generalized(table, KAnonymity(3))))
        # The root has no other child that occurs, so ab is as far as it must go.
        assert found == expected


def test_a_person_in_two_siblings_is_one_person() -> None:
    """Merging a and b of p gains nobody, as the same two persons are in both; q comes first."""
    hierarchies = [Hierarchy.from_paths(name, PATHS) for name in "pq"]
    quasi = (column_of("p", [*"aabbcccc"], hierarchies[0]), column_of("q", [*"aaccbbcc"], hierarchies[1]))
    classes = column_of("class", [*"YNYNYYYN"])
    promise = AnonymityOf(["p"], 3) & AnonymityOf(["q"], 3)
    for persons, first in (([1, 2, 1, 2, 3, 4, 5, 6], 1), ([1, 2, 7, 8, 3, 4, 5, 6], 0)):
        table = EncodedTable(8, quasi, classes, {}, np.array(persons, dtype=np.int32))
        assert chosen_columns(table, promise)[0] == first


@pytest.mark.parametrize(
    "promise",
    [
        KAnonymity(4) & DistinctDiversity("d", 3),
        KAnonymity(3) & Closeness("d", "0.3"),
        Template(["p", "q"], "d", "x", "0.45"),
        DistinctDiversity("d", 4),
        AnonymityOf(["p"], 9) & AnonymityOf(["q"], 30) & Template(["q"], "d", "x", "0.4"),
    ],
    ids=lambda promise: promise.parts[-1].__class__.__name__,
)
@pytest.mark.parametrize("with_persons", [False, True])
def test_every_promise_is_kept(promise: PrivacyModel, with_persons: bool) -> None:
    rng = np.random.default_rng(5)
    n_rows = 160
    hierarchy = Hierarchy.from_paths("p", [(f"{n}", f"pair {n // 2}", f"half {n // 4}") for n in range(8)])
    quasi = (
        column_of("p", [None if n == 7 else f"{n}" for n in rng.integers(0, 8, n_rows)], hierarchy),
        column_of("q", rng.choice([*"abcd"], n_rows).tolist(), Hierarchy.from_paths("q", PATHS)),
    )
    secret = {"d": column_of("d", rng.choice([*"xyzw"], n_rows).tolist())}
    persons = rng.integers(0, 900, n_rows).astype(np.int32) if with_persons else None
    classes = column_of("class", rng.choice([*"YN"], n_rows).tolist())
    table = EncodedTable(n_rows, quasi, classes, secret, persons)
    recoding = generalized(table, promise)
    for part in promise.parts:
        names = part.grouped_by or ("p", "q")
        known = tuple(column for column in recoding.columns if column.domain.name in names)
        assert part.holds(GroupCounts.of(table, *Recoding(known, recoding.is_kept).groups)).all()
    assert recoding.groups[1] > 1


def test_what_all_rows_together_break_is_refused() -> None:
    with pytest.raises(UnsatisfiableError):
        generalized(with_tree([*"abc"], "YNY"), KAnonymity(4))


def test_implied_promises_are_counted() -> None:
    table = with_tree([*"aabb"], "YNYN")
    assert generalized(table, KAnonymity(2) & AnonymityOf(["q"], 2)).facts == {"implied_promises": 1}
    assert generalized(table, KAnonymity(2)).facts == {}


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    table = with_tree([*"abcd"], "YNYN")
    bottomup(table, KAnonymity(4), np.random.default_rng(0), lambda *told_: bool(told.append(told_)))
    assert [done for done, _ in told] == list(range(1, len(told) + 1))
    assert all(done <= every for done, every in told)
