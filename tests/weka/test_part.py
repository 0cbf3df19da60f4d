"""Our PART against Weka's: the same rules, line by line, and accuracies within a point.

``compare_part.py`` does this at length.
"""

from __future__ import annotations

import pytest
from compare_j48 import data_folder
from compare_part import compare
from weka_program import requires_weka

pytestmark = requires_weka

needs_tables = pytest.mark.skipif(data_folder() is None, reason="KANOPY_DATA names no folder with the tables")


@needs_tables
@pytest.mark.parametrize("title", ["pima, numeric", "crx, all rows, numeric"])
def test_same_rules(title: str) -> None:
    """Missing values included; predictions differ only for numbers between those that training knew."""
    found = compare(title, 1)
    assert found.same_rules == found.n_times == 2
    assert found.rules / found.n_times > 5
    assert found.same_predictions / found.n_times >= 0.98
    assert abs(found.our_accuracy - found.their_accuracy) / found.n_times <= 0.01
