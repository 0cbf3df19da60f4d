"""kADET from counters and in tasks grows the tree of the whole table, and prints every row alike."""

from __future__ import annotations

import numpy as np
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
from kanopy.algorithms.division.kadet import kadet_divided
from kanopy.algorithms.kadet import KADET, kadet
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import PrivacyModel


@settings(max_examples=n_tables(15), deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n_classes=st.integers(1, 3),
    on_rows=st.sampled_from(ON_ROWS),
    on_column=st.none() | st.sampled_from(ON_COLUMN),
    criterion=st.sampled_from(["gain", "gain_ratio"]),
    share=st.sampled_from([1, 2, 3, 5, 10, 1000]),
)
def test_same_tree_and_words_as_the_whole_table(
    seed: int,
    n_classes: int,
    on_rows: PrivacyModel,
    on_column: PrivacyModel | None,
    criterion: str,
    share: int,
) -> None:
    promise = on_rows if on_column is None else on_rows & on_column
    rng = np.random.default_rng(seed)
    table = table_of_chance(rng, n_classes=n_classes, confidential=promise.columns)
    form, engine, options = (
        form_of(table),
        NumpyEngine(coded_rows(table)),
        KADET.settle({"criterion": criterion}),
    )
    try:
        whole = kadet(table, promise, None, **options)
    except UnsatisfiableError:
        assume(False)
    divided = kadet_divided(DividedTask(engine, form, promise, None, table.total_weight // share), **options)
    assert words_of_rows(divided, form) == words_of_recoding(whole)
    assert str(divided.model) == str(whole.model)
    assert sorted(divided.model.leaves(), key=str) == sorted(whole.model.leaves(), key=str)
    assert share > 1 or divided.n_levels == 0
