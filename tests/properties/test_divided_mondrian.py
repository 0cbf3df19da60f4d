"""Mondrian from counters and in tasks prints every row as mondrian on the whole table does."""

from __future__ import annotations

import re
from typing import Any
from unittest import mock

import numpy as np
import pytest
from effort import n_tables
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy_engine import (
    ON_COLUMN,
    ON_ROWS,
    NumpyEngine,
    coded_rows,
    form_of,
    table_of_chance,
    words_of_recoding,
    words_of_rows,
)

from kanopy.algorithms.division.counting import DividedTask
from kanopy.algorithms.division.mondrian import mondrian_divided
from kanopy.algorithms.mondrian import MONDRIAN, _gain_levels, mondrian
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import PrivacyModel

some_options = st.fixed_dictionaries(
    {
        "cut": st.sampled_from(["gain", "gain", "median"]),
        "try_lower_cut": st.booleans(),
        "width": st.sampled_from(["range", "distinct"]),
        "max_chance": st.sampled_from([0, 0.05, 0.3, 0.9, 1]),
        "publish": st.sampled_from(MONDRIAN.options["publish"].choices),
        "widen": st.booleans(),
    }
)


@settings(max_examples=n_tables(15), deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n_classes=st.integers(0, 3),
    on_rows=st.sampled_from(ON_ROWS),
    on_column=st.none() | st.sampled_from(ON_COLUMN),
    options=some_options,
    share=st.sampled_from([1, 2, 3, 5, 10, 1000]),
    gain_levels=st.none() | st.integers(1, 5),
)
def test_same_words_as_the_whole_table(
    seed: int,
    n_classes: int,
    on_rows: PrivacyModel,
    on_column: PrivacyModel | None,
    options: dict[str, Any],
    share: int,
    gain_levels: int | None,
) -> None:
    """Also where the levels that are cut for gain end at the top or inside a task."""
    promise = on_rows if on_column is None else on_rows & on_column
    assume(n_classes or "class" not in promise.columns)
    rng = np.random.default_rng(seed)
    table = table_of_chance(rng, n_classes=n_classes, confidential=promise.columns)
    form, engine = form_of(table), NumpyEngine(coded_rows(table))
    settled, limit = MONDRIAN.settle(options), table.total_weight // share
    ways = (lambda _: gain_levels) if gain_levels else _gain_levels
    with mock.patch("kanopy.algorithms.mondrian._gain_levels", ways):
        try:
            whole = mondrian(table, promise, None, **settled)
        except UnsatisfiableError as refused:
            with pytest.raises(UnsatisfiableError, match=re.escape(refused.message)):
                mondrian_divided(DividedTask(engine, form, promise, None, limit), **settled)
            return
        divided = mondrian_divided(DividedTask(engine, form, promise, None, limit), **settled)
    assert words_of_rows(divided, form) == words_of_recoding(whole)
    assert divided.n_nodes <= 1 or divided.n_levels > 0
    assert share > 1 or divided.n_levels == 0
