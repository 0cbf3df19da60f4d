"""The losses that are measured on every release, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kanopy.data import EncodedTable, Recoding
from kanopy.utility.cells import global_certainty_penalty, missing_cell_ratio
from kanopy.utility.groups import (
    average_group_size,
    classification_metric,
    discernibility,
    square_error,
    total_information_loss,
)

Measure = Callable[[EncodedTable, Recoding, int | None], float]


@dataclass(frozen=True, slots=True)
class Loss:
    """One way to say how much a release lost.

    Parameters
    ----------
    name : str
    meaning : str
        One plain sentence.
    measure : callable
        From the table, its recoding and k (None where the promise has no k) to a number.
    needs_target : bool
        Whether the loss is only defined on a table with a class.
    direction : str
        ``"lower is better"`` for every loss.
    """

    name: str
    meaning: str
    measure: Measure
    needs_target: bool = False
    direction: str = "lower is better"


LOSSES: tuple[Loss, ...] = (
    Loss(
        "missing_cell_ratio",
        "Share of the published quasi-identifier cells that are suppressed; dropped rows have no cells.",
        lambda table, recoding, k: missing_cell_ratio(recoding),
    ),
    Loss(
        "gcp",
        "Mean width of a quasi-identifier cell, from 0 (exact) to 1 (suppressed, or its row dropped).",
        lambda table, recoding, k: global_certainty_penalty(table, recoding),
    ),
    Loss(
        "discernibility",
        "For every row the number of rows it cannot be told from, added up; all rows for a dropped one.",
        discernibility,
    ),
    Loss(
        "average_group_size",
        "Published rows per group, as a multiple of k; 1 is the best that k-anonymity allows.",
        average_group_size,
    ),
    Loss(
        "classification_metric",
        "Share of rows that are dropped or whose class is not the most frequent one of their group.",
        classification_metric,
        needs_target=True,
    ),
    Loss(
        "total_information_loss",
        "For every row how far the original values of its group lie apart, added up over the columns.",
        lambda table, recoding, k: total_information_loss(table, recoding),
    ),
    Loss(
        "square_error",
        "Squared distances of the original values to the centre of their group, added up.",
        lambda table, recoding, k: square_error(table, recoding),
    ),
)


def measure_losses(table: EncodedTable, recoding: Recoding, k: int | None) -> dict[str, float]:
    """Every loss of a release by name; O(rows * columns), plus a sort where groups times values outgrow rows.

    A loss that needs a class is left out where the table has none. A row counts as often as it weighs.
    """
    if table.weight is not None:
        recoding = recoding.repeated(table.weight)
        table = table.expanded()
    return {
        loss.name: loss.measure(table, recoding, k)
        for loss in LOSSES
        if table.target is not None or not loss.needs_target
    }
