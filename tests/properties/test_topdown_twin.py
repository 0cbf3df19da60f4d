"""TDD, TDS, TDR and bottom-up on small nasty tables, step by step against their naive twins."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_topdown import CLASSIFICATION, DISTORTION, GINI, Naive, Plain, naive_bottom_up, naive_top_down
from topdown_tables import encoded, tables

from kanopy.algorithms import bottomup as bottomup_file
from kanopy.algorithms.bottomup import bottomup
from kanopy.algorithms.refinements import Refinements
from kanopy.algorithms.tds import tdd, tdr, tds
from kanopy.algorithms.topdown import Step, TopDown
from kanopy.data import EncodedTable, GroupCounts, Recoding
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import AllOf, Template
from kanopy.privacy.implied import without_implied

EXAMPLES = n_tables(40)
STEPS = {"tdd": tdd, "tds": tds, "tdr": tdr}


# --- Comparing -------------------------------------------------------------------------------------------


@contextmanager
def noted_steps() -> Any:
    """The steps that a top-down method takes."""
    steps: list[tuple[int, int]] = []
    take = TopDown.take

    def noting(state: TopDown, step: Step) -> None:
        steps.append((step.column, step.candidate))
        take(state, step)

    with mock.patch.object(TopDown, "take", noting):
        yield steps


def kinds_for(method: str, plain: Plain, *, one_level: bool = False) -> list[str]:
    """How the method refines every column."""
    kinds = []
    for column in plain.columns:
        if column.numbers is not None:
            kinds.append("interval")
        elif column.taxonomy is not None and method != "tdd" and not one_level:
            kinds.append("tree")
        else:
            kinds.append("values" if method == "tds" or (method == "tdr" and one_level) else "disclosure")
    return kinds


def assert_same_cells(plain: Plain, made: Recoding, naive: Naive) -> None:
    assert made.is_kept.all()
    for quasi, recoded, expected in zip(plain.columns, made.columns, naive.cells, strict=True):
        covered = [frozenset(np.flatnonzero(c.covers(recoded.domain)).tolist()) for c in recoded.cells]
        shown = [covered[number] for number in recoded.ids.tolist()]
        assert shown == ([frozenset([code]) for code in quasi.codes] if expected is None else expected)


def assert_kept(plain: Plain, table: EncodedTable, made: Recoding) -> None:
    """By what is printed, each part on its own columns; counted by the definitions."""
    for part in plain.parts:
        texts = [[made.columns[c].texts[i] for i in made.columns[c].ids] for c in plain.columns_of(part)]
        lines = list(zip(*texts, strict=True))
        for line in set(lines):
            assert plain.holds(part, [row for row, other in enumerate(lines) if other == line])
    assert sum(made.columns[0].ids < 0) == 0
    assert GroupCounts.of(table, *made.groups).rows.sum() == plain.n_rows


def compare(
    method: str,
    plain: Plain,
    kinds: Sequence[str],
    *,
    needs_gain: bool = False,
    utility: str = CLASSIFICATION,
    **options: Any,
) -> None:
    table, promise = encoded(plain), AllOf(tuple(plain.parts))
    options["utility"] = gini_gain if utility == GINI else utility
    if not plain.is_satisfiable():
        with pytest.raises(UnsatisfiableError):
            STEPS[method](table, promise, np.random.default_rng(0), **options)
        return
    with noted_steps() as steps:
        made = STEPS[method](table, promise, np.random.default_rng(0), **options)
    naive = naive_top_down(plain, kinds, method, needs_gain=needs_gain, utility=utility)
    assert steps == naive.steps
    assert_same_cells(plain, made, naive)
    assert_kept(plain, table, made)
    # With persons, no template follows from another.
    following = [part for part in promise.parts if plain.persons is None or not isinstance(part, Template)]
    n_implied = len(without_implied(following)[1])
    assert made.facts == ({"implied_promises": n_implied} if n_implied else {})


def gini_gain(given: Refinements) -> Any:
    """A utility function as a user may write it."""

    def squares(counts: Any) -> Any:
        return (counts**2).sum(axis=1) / counts.sum(axis=1)

    return np.maximum(given.sums(squares(given.after)) - squares(given.before), 0)


# --- The twins -------------------------------------------------------------------------------------------


@settings(max_examples=EXAMPLES)
@given(plain=tables(), utility=st.sampled_from([CLASSIFICATION, DISTORTION, GINI]))
def test_tdd_step_by_step(plain: Plain, utility: str) -> None:
    compare("tdd", plain, kinds_for("tdd", plain), utility=utility)


@pytest.mark.parametrize("method", ["tds", "tdr"])
@settings(max_examples=EXAMPLES)
@given(
    plain=tables(),
    one_level=st.sampled_from([False, False, True]),
    needs_gain=st.booleans(),
    utility=st.sampled_from([CLASSIFICATION, CLASSIFICATION, DISTORTION, GINI]),
)
def test_tds_and_tdr_step_by_step(
    method: str, plain: Plain, one_level: bool, needs_gain: bool, utility: str
) -> None:
    kinds = kinds_for(method, plain, one_level=one_level)
    options = {"trees": "one-level" if one_level else "given", "require_positive_gain": needs_gain}
    compare(method, plain, kinds, needs_gain=needs_gain, utility=utility, **options)


@settings(max_examples=EXAMPLES // 4)
@given(plain=tables(), method=st.sampled_from(["tdd", "tds"]))
def test_a_template_of_several_values_is_worked_on_as_one_of_each(plain: Plain, method: str) -> None:
    parts = list(plain.parts)
    for place, part in enumerate(parts):
        if isinstance(part, Template):
            parts[place] = Template(part.given, "secret", ["x", "never", "y"], part.at_most)
    singles = [each for part in parts for each in getattr(part, "of_each_value", (part,))]
    table, rng = encoded(plain), np.random.default_rng(0)
    try:
        alone = STEPS[method](table, AllOf(tuple(singles)), rng)
    except UnsatisfiableError:
        with pytest.raises(UnsatisfiableError):
            STEPS[method](table, AllOf(tuple(parts)), rng)
        return
    together = STEPS[method](table, AllOf(tuple(parts)), rng)
    assert together.facts == alone.facts
    for one, other in zip(together.columns, alone.columns, strict=True):
        assert (one.cells, one.ids.tolist()) == (other.cells, other.ids.tolist())


@settings(max_examples=EXAMPLES)
@given(plain=tables(), trees=st.sampled_from(["drafted", "given"]))
def test_bottomup_step_by_step(plain: Plain, trees: str) -> None:
    table, promise = encoded(plain), AllOf(tuple(plain.parts))
    if not plain.is_satisfiable():
        with pytest.raises(UnsatisfiableError):
            bottomup(table, promise, np.random.default_rng(0), trees=trees)
        return
    chosen: list[tuple[int, set[int]]] = []
    choose = bottomup_file._best_generalization

    def noting(cuts: Any, views: Any) -> tuple[int, int]:
        column, node = choose(cuts, views)
        covered = cuts[column]._tree.cell(node).covers(table.quasi[column].domain)
        chosen.append((column, set(np.flatnonzero(covered).tolist())))
        return column, node

    with mock.patch.object(bottomup_file, "_best_generalization", noting):
        made = bottomup(table, promise, np.random.default_rng(0), trees=trees)
    naive = naive_bottom_up(plain, drafts=trees == "drafted")
    assert chosen == naive.steps
    assert_same_cells(plain, made, naive)
    assert_kept(plain, table, made)
    without = {column for column, _ in naive.steps if plain.columns[column].taxonomy is None}
    told = made.facts.get("drafted_columns" if trees == "drafted" else "suppressed_columns", 0)
    assert told == len(without)
