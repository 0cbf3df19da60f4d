"""kACTUS from counters and in tasks grows the tree of the whole table, and hands up the same rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from effort import n_tables
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy_engine import ON_COLUMN, ON_ROWS, NumpyEngine, coded_rows, form_of, labelled, table_of_chance

from kanopy.algorithms import kactus as module
from kanopy.algorithms.division.counting import DividedTask
from kanopy.algorithms.division.groups import DividedRelease
from kanopy.algorithms.division.kactus import kactus_divided
from kanopy.algorithms.kactus import KACTUS, kactus
from kanopy.data import EncodedTable, Recoding
from kanopy.errors import PolicyError, UnsatisfiableError
from kanopy.privacy import KAnonymity, PrivacyModel


@pytest.fixture(autouse=True, scope="module")
def drawn_by_count() -> Iterator[None]:
    """Small tables are drawn as large ones are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_DRAWN_ROW_BY_ROW", 0)
        yield


def with_note(table: EncodedTable, seed: int) -> EncodedTable:
    """The table with a column that is published as it is: rows differ that are equal to the tree."""
    note = labelled("note", "pqr", np.random.default_rng(seed).integers(0, 4, table.n_rows))
    return replace(table, others=lambda: (note,))


def engine_of(table: EncodedTable) -> NumpyEngine:
    codes = {column.domain.name: column.codes for column in table.published()}
    return NumpyEngine(coded_rows(table)._replace(codes=codes))


def lines_of_divided(release: DividedRelease) -> dict[tuple[object, ...], int]:
    """How often each row is published: its cells and its other codes, None in place of cells if it is not."""
    lines = release.groups.lines
    texts = [[column.texts[place] for place in column.ids] for column in release.columns]
    found: dict[tuple[object, ...], int] = {}
    for place, group in enumerate(lines.node.tolist()):
        words = None if group == release.dropped else tuple(column[group] for column in texts)
        key = (words, *(int(codes[place]) for codes in lines.codes))
        found[key] = found.get(key, 0) + int(lines.weight[place])
    return found


def lines_of_whole(
    table: EncodedTable, recoding: Recoding, names: tuple[str, ...]
) -> dict[tuple[object, ...], int]:
    parts = table if recoding.split is None else recoding.split.of(table)
    weight = np.ones(parts.n_rows, dtype=int) if parts.weight is None else parts.weight
    columns = {column.domain.name: column.codes for column in parts.published()}
    found: dict[tuple[object, ...], int] = {}
    for row in range(parts.n_rows):
        cells = tuple(column.texts[column.ids[row]] for column in recoding.columns)
        key = (
            cells if recoding.is_kept[row] else None,
            *(int(columns[name][row]) for name in names),
        )
        found[key] = found.get(key, 0) + int(weight[row])
    return found


@settings(max_examples=n_tables(20), deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n_classes=st.integers(1, 3),
    on_rows=st.sampled_from(ON_ROWS),
    on_column=st.none() | st.sampled_from(ON_COLUMN),
    options=st.sampled_from([{}, {"widen": True}, {"min_rows": 2}, {"min_rows": 2, "preset": "paper"}]),
    share=st.sampled_from([1, 2, 3, 5, 10, 1000]),
)
def test_same_rows_at_the_same_nodes(
    seed: int,
    n_classes: int,
    on_rows: PrivacyModel,
    on_column: PrivacyModel | None,
    options: dict[str, object],
    share: int,
) -> None:
    promise = on_rows if on_column is None else on_rows & on_column
    table = table_of_chance(np.random.default_rng(seed), n_classes=n_classes, confidential=promise.columns)
    table, settled = with_note(table, seed), KACTUS.settle(options)
    passing = tuple(dict.fromkeys(["class", *promise.columns, "note"]))
    form, engine = replace(form_of(table), passing=passing), engine_of(table)
    try:
        whole = kactus(table, promise, np.random.default_rng(seed), **settled)
    except UnsatisfiableError:
        assume(False)
    divided = kactus_divided(
        DividedTask(engine, form, promise, np.random.default_rng(seed), table.total_weight // share),
        **settled,
    )
    assert lines_of_divided(divided) == lines_of_whole(table, whole, passing)
    assert share > 1 or divided.n_levels == 0


def test_rows_are_drawn() -> None:
    """The tables above are such that many rows are handed up, some are dropped, and some stay at the top."""
    n_drawn = n_dropped = n_large = 0
    for seed in range(60):
        table = with_note(table_of_chance(np.random.default_rng(seed), n_classes=2, confidential=()), seed)
        form = replace(form_of(table), passing=("class", "note"))
        engine, settled = engine_of(table), KACTUS.settle({"min_rows": 2})
        release = kactus_divided(
            DividedTask(engine, form, KAnonymity(4), np.random.default_rng(0), table.total_weight // 5),
            **settled,
        )
        n_drawn += engine.n_drawn
        n_dropped += release.dropped is not None
        n_large += release.n_levels > 1
    assert n_drawn > 500
    assert n_dropped > 1
    assert n_large > 20


@pytest.mark.parametrize(
    "options",
    [{"inducer": "id3"}, {"publish": "bins"}, {"literal_nui_zero": True}, {"literal_nui_ge_k": True}],
)
def test_what_is_not_divided_says_so_before_anything_is_counted(options: dict[str, object]) -> None:
    table = table_of_chance(np.random.default_rng(1), n_classes=2, confidential=())
    engine = NumpyEngine(coded_rows(table))
    with pytest.raises(PolicyError, match="kactus cannot divide"):
        kactus_divided(
            DividedTask(engine, form_of(table), KAnonymity(2), np.random.default_rng(0), 5),
            **KACTUS.settle(options),
        )
    assert engine.largest_counters == 0
