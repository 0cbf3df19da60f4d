"""Dividing where it could go wrong: what tasks assume of each other, nodes without cuts, what is refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy_engine import ROW, NumpyEngine, coded_rows, form_of, labelled, words_of_recoding, words_of_rows

from kanopy.algorithms import methods
from kanopy.algorithms.division.counting import CodedRows, DividedTask, TableForm, count_rows
from kanopy.algorithms.division.groups import DividedRelease
from kanopy.algorithms.division.mondrian import mondrian_divided
from kanopy.algorithms.division.routing import DividedCodes, Routing
from kanopy.algorithms.kadet import KADET
from kanopy.algorithms.mondrian import MONDRIAN, mondrian
from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.errors import PolicyError
from kanopy.privacy import DistinctDiversity, KAnonymity, PrivacyModel


def numbers(name: str, values: np.ndarray) -> CodedColumn:
    n_values = int(values.max()) + 1
    return CodedColumn(
        Domain(name, tuple(map(str, range(n_values))), np.arange(n_values, dtype=np.float64)),
        values.astype(np.uint8),
    )


def divided(
    table: EncodedTable, promise: PrivacyModel, limit: int, **options: Any
) -> tuple[DividedRelease, NumpyEngine]:
    engine = NumpyEngine(coded_rows(table))
    assert MONDRIAN.divide is not None
    release = MONDRIAN.divide(
        DividedTask(engine, form_of(table), promise, None, limit), **MONDRIAN.settle(options)
    )
    return release, engine


def table_where_one_side_tells_late() -> EncodedTable:
    """The class depends on the first column; on the second one only in the upper half, three cuts below. In
    the lower half the third column is the widest, and is cut at its median unless the second one tells."""
    rng = np.random.default_rng(4)
    first, second, third = rng.integers(0, 16, 4000), rng.integers(0, 4, 4000), rng.integers(0, 9, 4000)
    by_second = np.where(second < 2, 0.9, 0.1)
    share = np.where(first < 8, 0.05, np.where(first % 4 < 2, 0.5, by_second))
    target = labelled("class", "xy", rng.random(4000) < share)
    return EncodedTable(4000, (numbers("a", first), numbers("b", second), numbers("c", third)), target)


def test_who_assumed_wrongly_is_asked_again() -> None:
    table, promise = table_where_one_side_tells_late(), KAnonymity(20)
    release, engine = divided(table, promise, limit=2500)
    assert release.n_rounds == len(engine.asked) >= 2
    whole = mondrian(table, promise, None)
    assert words_of_rows(release, form_of(table)) == words_of_recoding(whole)


def test_without_the_second_round_the_release_would_be_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    table, promise = table_where_one_side_tells_late(), KAnonymity(20)
    monkeypatch.setattr("kanopy.algorithms.division.mondrian._agrees", lambda *_: True)
    release, _ = divided(table, promise, limit=2500)
    assert release.n_rounds == 1
    assert words_of_rows(release, form_of(table)) != words_of_recoding(mondrian(table, promise, None))


def test_lines_times_counts_are_the_table() -> None:
    table, promise = table_where_one_side_tells_late(), KAnonymity(20)
    form, engine = form_of(table), NumpyEngine(coded_rows(table))
    form = TableForm(form.quasi, form.target, form.confidential, ("class",))
    release = mondrian_divided(DividedTask(engine, form, promise, None, 1000), **MONDRIAN.settle({}))
    lines = release.groups.lines
    found: Counter[tuple[Any, ...]] = Counter()
    for group, code, weight in zip(
        *map(np.ndarray.tolist, (lines.node, lines.codes[0], lines.weight)), strict=True
    ):
        found[*(column.texts[column.ids[group]] for column in release.columns), code] += weight
    assert table.target is not None
    words = words_of_recoding(mondrian(table, promise, None))
    assert found == Counter(
        (*row, code) for row, code in zip(words, table.target.codes.tolist(), strict=True)
    )
    assert len(lines.node) <= 2 * release.groups.n_groups


def test_a_node_that_cannot_be_cut_never_goes_to_a_task() -> None:
    table = EncodedTable(500, (numbers("a", np.zeros(500, dtype=np.int64)),))
    release, engine = divided(table, KAnonymity(2), limit=10)
    assert (release.groups.n_groups, release.n_nodes, engine.asked) == (1, 0, [])


def test_fewer_than_twice_k_rows_are_one_group_at_once() -> None:
    table = EncodedTable(5, (numbers("a", np.arange(5)),))
    release, engine = divided(table, KAnonymity(3), limit=100)
    assert (release.groups.n_groups, engine.asked) == (1, [])
    assert release.columns[0].texts == ["[0, 4]"]


def test_relaxed_cuts_are_not_divided() -> None:
    table = EncodedTable(5, (numbers("a", np.arange(5)),))
    with pytest.raises(PolicyError, match="equal rows"):
        divided(table, KAnonymity(2), limit=1, strict=False)


@pytest.mark.parametrize(("n_classes", "n_secrets"), [(17, 3), (2, 65)])
def test_what_depends_on_rows_that_are_counted_together_is_not_divided(
    n_classes: int, n_secrets: int
) -> None:
    rng = np.random.default_rng(0)
    labels = [chr(number) for number in range(200, 300)]
    target = labelled("class", labels, rng.permutation(400) % n_classes)
    secret = labelled("s", labels, rng.permutation(400) % n_secrets)
    table = EncodedTable(400, (numbers("a", rng.integers(0, 9, 400)),), target, {"s": secret})
    promise = KAnonymity(5) & DistinctDiversity("s", 2)
    with pytest.raises(PolicyError, match="cannot divide"):
        divided(table, promise, limit=100)
    release, _ = divided(
        table, promise, limit=100, cut="median"
    )  # where classes and boundaries do not matter
    whole = mondrian(table, promise, None, cut="median")
    assert words_of_rows(release, form_of(table)) == words_of_recoding(whole)


def test_only_what_looks_at_each_node_alone_divides() -> None:
    assert [method.name for method in methods() if method.divide is not None] == [
        "mondrian",
        "kactus",
        "kadet",
    ]


def test_private_tests_of_kadet_are_not_divided() -> None:
    table = table_where_one_side_tells_late()
    assert KADET.divide is not None
    with pytest.raises(PolicyError, match="private tests"):
        KADET.divide(
            DividedTask(NumpyEngine(coded_rows(table)), form_of(table), KAnonymity(2), None, 100),
            **KADET.settle({"private": True}),
        )


def test_rows_follow_their_codes_to_the_node_that_is_asked_about() -> None:
    root = Routing.root(("a", "b"))
    leads = DividedCodes(np.array([0, 0, 0]), np.array([0, 1, 3]), np.array([0, 1, 1]))
    once = root.divided(np.array([0]), np.array([1]), np.array([4]), leads)
    again = DividedCodes(np.array([0, 0]), np.array([0, 1]), np.array([1, 0]))
    twice = once.divided(np.array([2]), np.array([0]), np.array([2]), again)
    codes = [np.array([0, 0, 1, 1]), np.array([0, 1, 1, 3])]
    assert root.route(codes).tolist() == [0, 0, 0, 0]
    assert twice.route(codes).tolist() == [-1, -1, -1, -1]
    assert twice.numbered(np.array([1, 3, 4])).route(codes).tolist() == [0, 2, 1, 1]
    assert twice.numbered(np.array([4])).route(codes).tolist() == [-1, 0, -1, -1]
    assert twice.route([column[:0] for column in codes]).tolist() == []


def test_counting_adds_up_weights_and_leaves_out_what_is_not_asked_about() -> None:
    rows = CodedRows({"a": np.array([0, 1, 1, 0]), ROW: np.arange(4)}, np.array([5, 2, 3, 7]))
    (of_a, of_none) = count_rows(rows, Routing.root(("a",)), [("a",), ()])
    assert (of_a.node.tolist(), of_a.codes[0].tolist(), of_a.weight.tolist()) == ([0, 0], [0, 1], [12, 5])
    assert (of_none.node.tolist(), of_none.codes, of_none.weight.tolist()) == ([0], (), [17])
    nothing = Routing.root(("a",)).numbered(np.empty(0, dtype=np.int64))
    assert [len(each.node) for each in count_rows(rows, nothing, [("a",), ()])] == [0, 0]
