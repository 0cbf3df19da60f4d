"""A worked example of k-Optimize: one column, eight rows, two classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles_koptimize import cost_of, least_cost

from kanopy.algorithms import find_method, silent
from kanopy.data import CodedColumn, Domain, EncodedTable, Recoding
from kanopy.privacy import KAnonymity

VALUES, CLASSES = [1, 1, 2, 3, 3, 4, 4, 5], "YYYNNNYN"
ROWS = [(value, "YN".index(letter)) for value, letter in zip(VALUES, CLASSES, strict=True)]


def run(k: int, loss: str, **options: Any) -> Recoding:
    numbers = np.arange(1.0, 6.0)
    column = CodedColumn(Domain("v", ("1", "2", "3", "4", "5"), numbers), np.array(VALUES, np.uint8) - 1)
    target = CodedColumn(Domain("c", ("N", "Y")), np.array(["NY".index(c) for c in CLASSES], np.uint8))
    table, method = EncodedTable(8, (column,), target), find_method("koptimize")
    return method.run(table, KAnonymity(k), None, silent, **method.settle({"loss": loss, **options}))


@pytest.mark.parametrize(
    ("k", "loss", "optimum"),
    [
        (2, "discernibility", 22),
        (2, "classification", 1),
        (3, "discernibility", 33),
        (3, "classification", 1),
    ],
)
def test_the_optimum_is_found_and_proven(k: int, loss: str, optimum: int) -> None:
    assert least_cost(ROWS, k, loss, 8) == optimum
    facts = run(k, loss, max_suppressed=1).facts
    assert (facts["loss"], facts["loss_at_least"], facts["proven_optimal"]) == (optimum, optimum, True)


def test_the_intervals_of_k_2() -> None:
    recoding = run(2, "discernibility")
    texts = [recoding.columns[0].texts[cell] for cell in recoding.columns[0].ids]
    assert texts in (
        ["[1, 2]", "[1, 2]", "[1, 2]", "3", "3", "[4, 5]", "[4, 5]", "[4, 5]"],
        ["1", "1", "[2, 3]", "[2, 3]", "[2, 3]", "[4, 5]", "[4, 5]", "[4, 5]"],
    )


def test_one_row_less_may_be_suppressed_is_a_near_miss() -> None:
    """k = 3: the split at 5 suppresses one row, and without that 34 is the best."""
    assert cost_of(ROWS, ((0, 3), (0, 5)), 3, "discernibility") == (33, 1)
    assert run(3, "discernibility", max_suppressed=0).facts["loss"] == 34
    recoding = run(3, "discernibility", max_suppressed=1)
    assert recoding.is_kept.tolist() == [True] * 7 + [False], "a single row is no group of *"
