"""What a release costs its reader: information losses of cells, groups and clusters. NumPy only."""

from kanopy.utility.cells import certainty_penalties, global_certainty_penalty, missing_cell_ratio
from kanopy.utility.losses import (
    LOSSES,
    Loss,
    SizeBin,
    average_group_size,
    classification_metric,
    discernibility,
    distances,
    group_size_histogram,
    measure_losses,
    square_error,
    total_information_loss,
)

__all__ = [
    "LOSSES", "Loss", "SizeBin", "average_group_size", "certainty_penalties", "classification_metric",
    "discernibility", "distances", "global_certainty_penalty", "group_size_histogram", "measure_losses",
    "missing_cell_ratio", "square_error", "total_information_loss",
]  # fmt: skip
