"""The losses by name."""

from __future__ import annotations

import subprocess
import sys

import pytest
from plain_tables import group_of_rows, table_of

from kanopy.data import EncodedTable, Partition, Recoding
from kanopy.utility import LOSSES, measure_losses

NAMES = [
    "missing_cell_ratio",
    "gcp",
    "discernibility",
    "average_group_size",
    "classification_metric",
    "total_information_loss",
    "square_error",
]


def release(target: list[str] | None) -> tuple[EncodedTable, Recoding]:
    table = table_of({"age": [1, 2, 3, 4]}, target=target)
    return table, Partition(group_of_rows(4, [1, 2], [3, 4]), 2).publish(table, "suppress")


def test_names_and_direction() -> None:
    assert [loss.name for loss in LOSSES] == NAMES
    assert {loss.direction for loss in LOSSES} == {"lower is better"}
    assert all(loss.meaning.endswith(".") and loss.meaning.count(". ") == 0 for loss in LOSSES)


def test_all_are_measured_as_plain_floats() -> None:
    losses = measure_losses(*release(["y", "n", "y", "y"]), 2)
    assert list(losses) == NAMES
    assert all(type(value) is float for value in losses.values())


def test_each_loss_measures_what_its_name_says() -> None:
    """Both groups print ``*``, so they are one, with the ages 1 to 4."""
    assert measure_losses(*release(["y", "n", "y", "y"]), 2) == pytest.approx(
        {
            "missing_cell_ratio": 1,
            "gcp": 1,
            "discernibility": 16,
            "average_group_size": 2,
            "classification_metric": 0.25,
            "total_information_loss": 4,
            "square_error": (1.5**2 + 0.5**2) * 2 / 9,
        }
    )


def test_without_a_class_its_metric_is_left_out() -> None:
    losses = measure_losses(*release(None), 2)
    assert list(losses) == [name for name in NAMES if name != "classification_metric"]


def test_no_k_counts_as_one() -> None:
    table, recoding = release(["y", "n", "y", "y"])
    assert measure_losses(table, recoding, None) == measure_losses(table, recoding, 1)
    assert measure_losses(table, recoding, None) != measure_losses(table, recoding, 5)


def test_measuring_needs_no_dataframe_library() -> None:
    code = "import sys, kanopy.utility; sys.exit(bool({'pyarrow', 'narwhals', 'pandas'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
