"""Equal rows are learned once, and a test row is put where the release would have put it."""

from __future__ import annotations

import numpy as np
import pytest

from kanopy.algorithms import find_method, silent
from kanopy.privacy import KAnonymity
from kanopy.trees import Tree, as_text, c45
from kanopy_studies import learning
from kanopy_studies.paper_options import paper_options
from kanopy_studies.settings import Sample
from kanopy_studies.settings import load_sample as load


@pytest.fixture
def games() -> Sample:
    return load("tic_tac_toe")


def drawn(tree: Tree) -> str:
    return as_text(tree, ["negative", "positive"])


def test_a_sample_has_all_values_whichever_rows_are_taken(games: Sample) -> None:
    assert games.n_rows == 958
    assert games.target.totals.tolist()[:2] == [332, 626]
    assert games.majority == pytest.approx(626 / 958)
    part = games.rows(np.arange(5))
    assert part.n_rows == 5
    assert all(column.domain.n_values == 3 for column in part.columns)
    assert part.encoded().n_rows == 5
    swapped = part.with_columns(reversed(part.columns))
    assert [column.domain.name for column in swapped.columns] == [
        column.domain.name for column in part.columns[::-1]
    ]


def test_equal_rows_learned_once_are_the_same_tree(games: Sample) -> None:
    repeated = games.rows(np.repeat(np.arange(0, 958, 3), 1 + np.arange(320) % 3))
    table, weights = learning.distinct_rows(repeated)
    assert table.n_rows == 320
    assert weights.sum() == repeated.n_rows
    plain = c45(repeated.encoded(), min_rows=learning.MIN_ROWS, share_missing=True)
    assert drawn(learning.learn(repeated)) == drawn(plain)
    once = games.rows(np.arange(0, 958, 3))
    assert drawn(learning.learn(once)) != drawn(plain)


def test_a_test_row_falls_into_the_most_specific_pattern_that_covers_it(games: Sample) -> None:
    is_train = np.random.default_rng(2).random(games.n_rows) < 0.5
    train, test = games.rows(np.flatnonzero(is_train)), games.rows(np.flatnonzero(~is_train))
    method = find_method("kactus")
    given = train.encoded(), KAnonymity(5), np.random.default_rng(0), silent
    recoding = method.run(*given, **paper_options("kactus"))
    patterns, number = learning.pattern_of_rows(test, train, recoding)
    # Every pattern as codes, -1 where nothing is shown.
    shown = np.stack(
        [
            np.array([-1 if text == "*" else column.domain.labels.index(text) for text in column.texts])[
                column.ids
            ]
            for column in patterns.columns
        ],
        axis=1,
    )
    rows = np.stack([column.codes for column in test.columns], axis=1).astype(np.int64)
    n_covered = 0
    for row, chosen in zip(rows, number, strict=True):
        covers = ((shown == row) | (shown == -1)).all(axis=1)
        if covers.any():
            n_covered += 1
            assert covers[chosen]
            assert (shown[chosen] != -1).sum() == (shown[covers] != -1).sum(axis=1).max()
    assert n_covered > 0.8 * test.n_rows
