"""The top-down engine: what it remembers from step to step, where it may stop, and any promise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest
from effort import n_tables
from hypothesis import assume, given, settings
from oracles_topdown import Cut, Plain, naive_top_down
from plain_tables import column_of, table_of
from topdown_tables import encoded, tables

import kanopy
from kanopy.algorithms import topdown as topdown_file
from kanopy.algorithms.cut_columns import CutColumn, DisclosureColumn, IntervalColumn, TaxonomyColumn
from kanopy.algorithms.tds import _gain_per_loss_plus_one, _gain_per_privacy_loss, tdd, tdr, tds
from kanopy.algorithms.topdown import Step, TopDown
from kanopy.data import EncodedTable, GroupCounts, Hierarchy, Recoding
from kanopy.errors import PolicyError
from kanopy.privacy import (
    AllOf,
    AlphaBound,
    AnonymityOf,
    BetaLikeness,
    Closeness,
    DistinctDiversity,
    EntropyDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveDiversity,
    Template,
)

FEW = settings(max_examples=n_tables(30))


def state_of(table: EncodedTable, promise: PrivacyModel) -> TopDown:
    def cut_of(column: Any) -> CutColumn:
        if column.domain.is_numeric:
            return IntervalColumn(column, table.target)
        kind = DisclosureColumn if column.domain.hierarchy is None else TaxonomyColumn
        return kind(column, table.target)

    return TopDown.of(table, promise, cut_of)


def kinds_of(plain: Plain) -> list[str]:
    return [
        "interval" if column.numbers is not None else "tree" if column.taxonomy is not None else "disclosure"
        for column in plain.columns
    ]


def printed(recoding: Recoding, place: int = 0) -> list[str]:
    column = recoding.columns[place]
    return [column.texts[cell] for cell in column.ids.tolist()]


# --- What is remembered ----------------------------------------------------------------------------------


@FEW
@given(plain=tables())
def test_what_is_remembered_is_what_counting_anew_would_say(plain: Plain) -> None:
    """After every step: the groups, the smallest, the confidences, and what every candidate would do."""
    assume(plain.is_satisfiable())
    state = state_of(encoded(plain), AllOf(tuple(plain.parts)))
    cuts = [Cut.top(quasi, kind) for quasi, kind in zip(plain.columns, kinds_of(plain), strict=True)]
    while True:
        assert_counted_anew(plain, state, cuts)
        step = state.best_step(_gain_per_loss_plus_one, needs_gain=False)
        if step is None:
            break
        state.take(step)
        every = cuts[step.column].candidates(plain.classes)
        cuts[step.column] = cuts[step.column].refined(
            next(candidate for candidate in every if candidate.number == step.candidate)
        )


def assert_counted_anew(plain: Plain, state: TopDown, cuts: list[Cut]) -> None:
    for view in state.views:
        columns, parts = view.requirement.columns, view.requirement.promise.parts
        groups = plain.groups(columns, [cut.element_of for cut in cuts])
        assert sorted(groups) == sorted(
            np.flatnonzero(view.group == number).tolist() for number in np.unique(view.group)
        )
        assert view.smallest == min(map(plain.n_members, groups))
        templates = [part for part in parts if isinstance(part, Template)]
        assert view.confidence.tolist() == [
            float(max(plain.confidence(part, rows) for rows in groups)) for part in templates
        ]
        for place in columns:
            assert_rows_of_elements(plain, state, cuts[place], place)
            outlook = view.outlook[place]
            candidates = cuts[place].candidates(plain.classes)
            open_ = np.unique(state.cuts[place].candidate)
            assert [each.number for each in candidates] == open_[open_ >= 0].tolist()
            for candidate in candidates:
                after = [*cuts[:place], cuts[place].refined(candidate), *cuts[place + 1 :]]
                divided = plain.groups(columns, [cut.element_of for cut in after])
                number = candidate.number
                assert outlook.holds[number] == all(plain.holds(p, rows) for p in parts for rows in divided)
                smallest = min(map(plain.n_members, divided))
                assert min(view.smallest, outlook.smallest[number]) == smallest
                for line, part in enumerate(templates):
                    # Of persons, it may be lower in the parts of a group than it was in the group.
                    told = max(plain.confidence(part, rows) for rows in [*divided, *groups])
                    assert max(view.confidence[line], outlook.confidence[line, number]) == float(told)


def assert_rows_of_elements(plain: Plain, state: TopDown, cut: Cut, place: int) -> None:
    codes = plain.columns[place].codes
    expected: dict[int, list[int]] = {}
    for row, code in enumerate(codes):
        expected.setdefault(cut.element_of(code), []).append(row)
    found = {element: sorted(rows.tolist()) for element, rows in state._rows[place].items()}
    assert found == expected


def test_a_step_looks_at_the_rows_of_its_element_only() -> None:
    table = table_of({"n": [1, 2, 3, 4] * 10, "q": list("abcde") * 8}, target=list("YNNYYYNN") * 5)
    state = state_of(table, KAnonymity(2))
    counted = topdown_file.divided_counts
    for _ in range(4):
        step = state.best_step(_gain_per_loss_plus_one, needs_gain=False)
        element = step.candidate if step.column == 0 else 0
        affected = set(state._rows[step.column][element].tolist())
        seen: set[int] = set()

        def noting(table: EncodedTable, rows: np.ndarray, *rest: Any, seen: set = seen, **how: Any) -> Any:
            seen |= set(rows.tolist())
            return counted(table, rows, *rest, **how)

        with mock.patch.object(topdown_file, "divided_counts", noting):
            state.take(step)
        assert seen <= affected
    assert any(len(rows) < table.n_rows for rows in state._rows[0].values())


# --- Which step ------------------------------------------------------------------------------------------


def test_what_tells_nothing_is_no_gain() -> None:
    """1 of 3 in both parts: the logarithms leave 2e-16 bits, which are not there."""
    table = table_of({"q": list("aaabbbbbb")}, target=list("YNNYYNNNN"))
    as_defined, as_programmed = ({"require_positive_gain": needs_gain} for needs_gain in (False, True))
    assert set(printed(tdr(table, KAnonymity(2), None, **as_programmed))) == {"*"}
    assert set(printed(tdr(table, KAnonymity(2), None, **as_defined))) == {"a", "b"}
    other = table_of({"q": list("aaabbbbbb")}, target=list("YNNYYYNNN"))
    assert set(printed(tdr(other, KAnonymity(2), None, **as_programmed))) == {"a", "*"}
    assert set(printed(tdr(other, KAnonymity(2), None, **as_defined))) == {"a", "b"}


def test_valid_and_beneficial_is_what_tdr_asks_for_by_itself() -> None:
    """What tells nothing about the class is shown all the same; but not where a single class is left."""
    table = table_of({"q": list("aaabbbbbb")}, target=list("YNNYYNNNN"))
    assert set(printed(tdr(table, KAnonymity(2), None))) == {"a", "b"}
    one_class = table_of({"q": list("aabbcc")}, target=list("YYNNNN"))
    assert set(printed(tdr(one_class, KAnonymity(2), None))) == {"a", "*"}


@pytest.mark.parametrize("better", [0, 1])
def test_scores_are_compared_where_they_are_tiny(better: int) -> None:
    """Where 10,000 rows are lost for little, scores are some 1e-11; the larger one wins all the same."""
    n = 10_000

    def with_share(n_yes: int) -> list[str]:
        return ["Y"] * n_yes + ["N"] * (n - n_yes)

    shares = [5_004, 5_004]
    shares[better] += 2
    parts = [(share, n - share) for share in shares]
    quasi, classes = {"p": [], "q": []}, []
    for (name, other), (high, low) in zip([("p", "q"), ("q", "p")], parts, strict=True):
        quasi[name] += ["a"] * n + ["b"] * n
        quasi[other] += ["a", "b"] * n
        classes += with_share(high) + with_share(low)
    state = state_of(table_of(quasi, target=classes), KAnonymity(2))
    step = state.best_step(_gain_per_loss_plus_one, needs_gain=False)
    assert 0 < step.score < 1e-10
    assert step.column == better


def test_ties_go_to_the_first_column_and_value() -> None:
    columns = {"p": list("aabbcc"), "q": list("aabbcc")}
    state = state_of(table_of(columns, target=list("YYYYNN")), KAnonymity(2))
    step = state.best_step(_gain_per_loss_plus_one, needs_gain=False)
    assert (step.column, step.candidate) == (0, 2)
    mirrored = state_of(table_of({"q": list("aabbcc")}, target=list("YYZZNN")), KAnonymity(2))
    assert mirrored.best_step(_gain_per_loss_plus_one, needs_gain=False).candidate == 0


# --- Any promise -----------------------------------------------------------------------------------------

PROMISES = [
    KAnonymity(5) & DistinctDiversity("d", 3),
    KAnonymity(2) & EntropyDiversity("d", "2.2"),
    KAnonymity(3) & RecursiveDiversity("d", 2, 2),
    KAnonymity(4) & Closeness("d", "0.25"),
    KAnonymity(2) & BetaLikeness("d", 1),
    AlphaBound("d", "0.6"),
    AnonymityOf(["n"], 20) & Closeness("d", "0.3"),
]


@pytest.mark.parametrize("with_persons", [False, True])
@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.parts[-1].__class__.__name__)
@pytest.mark.parametrize("method", [tdd, tds, tdr])
def test_every_promise_is_kept(
    method: Callable[..., Recoding], promise: PrivacyModel, with_persons: bool
) -> None:
    table = people(with_persons=with_persons)
    recoding = method(table, promise, None)
    names = [column.domain.name for column in table.quasi]
    for part in promise.parts:
        known = tuple(recoding.columns[names.index(name)] for name in part.grouped_by or names)
        assert part.holds(GroupCounts.of(table, *Recoding(known, recoding.is_kept).groups)).all()
    assert recoding.groups[1] > 1


def people(n_rows: int = 400, *, with_persons: bool = False) -> EncodedTable:
    rng = np.random.default_rng(3)
    numbers = rng.integers(0, 9, n_rows)
    texts = rng.choice(list("abcd"), n_rows, p=[0.4, 0.3, 0.2, 0.1])
    leaves = rng.integers(0, 6, n_rows)
    tree = Hierarchy.from_paths("h", [(f"v{n}", f"pair {n // 2}", "any") for n in range(6)])
    quasi = (
        column_of("n", [None if number == 8 else int(number) for number in numbers]),
        column_of("q", texts.tolist()),
        column_of("h", [None if leaf == 5 else f"v{leaf}" for leaf in leaves], tree),
    )
    classes = np.where((numbers > 3) ^ (texts == "a") ^ (rng.random(n_rows) < 0.1), "Y", "N")
    secret = column_of("d", rng.choice(list("wxyz"), n_rows).tolist())
    persons = rng.integers(0, 1500, n_rows).astype(np.int32) if with_persons else None
    return EncodedTable(n_rows, quasi, column_of("class", classes.tolist()), {"d": secret}, persons)


@pytest.mark.parametrize("method", [tdd, tds, tdr])
def test_columns_that_nothing_is_promised_about_stay(method: Callable[..., Recoding]) -> None:
    table = people()
    promise = AnonymityOf(["q"], 50) & Template(["h"], "d", "w", "0.4")
    recoding = method(table, promise, None)
    codes = table.quasi[0].codes
    labels = (*table.quasi[0].domain.labels, "")
    assert printed(recoding, 0) == [labels[code] for code in codes.tolist()]
    assert set(printed(recoding, 1)) < {"a", "b", "c", "d", "*"}
    touched = method(table, promise & AnonymityOf(["n"], 50), None)
    assert printed(touched, 0) != printed(recoding, 0)


def test_disclosure_needs_a_class_or_counts_cells() -> None:
    table = table_of({"q": list("aaabbc")})
    with pytest.raises(PolicyError):
        tdd(table, KAnonymity(2), None)
    assert printed(tdd(table, KAnonymity(3), None, utility="distortion")) == [*"aaa", *"***"]
    assert printed(tdd(table, KAnonymity(2), None, utility="distortion")) == [*"aaa", *"***"]


# --- Stopping --------------------------------------------------------------------------------------------


@FEW
@given(plain=tables())
def test_stopped_after_any_step(plain: Plain) -> None:
    """What is there keeps the promise, is what the steps so far make, and says that it was cut short."""
    assume(plain.is_satisfiable())
    table, promise = encoded(plain), AllOf(tuple(plain.parts))
    every: list[Step] = []
    whole = state_of(table, promise)
    while (step := whole.best_step(_gain_per_privacy_loss, needs_gain=False)) is not None:
        whole.take(step)
        every.append(step)
    for n_steps in range(1, len(every) + 1):
        state = state_of(table, promise)
        recoding = state.run(
            _gain_per_privacy_loss, lambda *_, state=state, n=n_steps: len(state.steps) == n, needs_gain=False
        )
        assert [(s.column, s.candidate) for s in state.steps] == [
            (s.column, s.candidate) for s in every[:n_steps]
        ]
        # After the last step there is nothing that was cut.
        assert ("cut_short" in recoding.facts) == (n_steps < len(every))
        expected = naive_top_down(plain, kinds_of(plain), "tdd", n_steps=n_steps)
        for column, cells in zip(recoding.columns, expected.cells, strict=True):
            covered = [frozenset(np.flatnonzero(c.covers(column.domain)).tolist()) for c in column.cells]
            assert cells is None or [covered[cell] for cell in column.ids.tolist()] == cells
        assert_kept(plain, recoding)


def assert_kept(plain: Plain, recoding: Recoding) -> None:
    for part in plain.parts:
        lines = list(zip(*(printed(recoding, place) for place in plain.columns_of(part)), strict=True))
        for line in set(lines):
            assert plain.holds(part, [row for row, other in enumerate(lines) if other == line])


@pytest.mark.parametrize("method", ["tdd", "tds", "tdr"])
def test_cut_short_is_told(method: str) -> None:
    frame = pa.table({"q": list("aabbccdd"), "r": list("aabbccdd"), "t": list("YYNNYYNN")})
    policy = kanopy.Policy(quasi_identifiers=["q", "r"], target="t", k=2)
    whole = kanopy.anonymize(frame, policy, method=method)
    short = kanopy.anonymize(frame, policy, method=method, stop=lambda: True)
    assert "cut_short" not in whole.manifest["facts"]
    assert short.manifest["facts"]["cut_short"] is True
    told = [notice for notice in short.manifest["notices"] if "cut short" in notice]
    assert len(told) == 1
    assert not any("cut short" in notice for notice in whole.manifest["notices"])
    assert short.audit.kept
    assert short.record["losses"]["gcp"] > whole.record["losses"]["gcp"]


def test_progress_goes_up_to_all() -> None:
    seen: list[tuple[int, int]] = []
    tdd(people(), KAnonymity(3), None, lambda *told: bool(seen.append(told)))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert all(0 < done <= every for done, every in seen)
