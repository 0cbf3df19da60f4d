"""What a column may contain: its values as text, in one fixed order, and a code for missing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from kanopy.data.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class Domain:
    """The ordered values of one column.

    Code ``i`` stands for ``labels[i]``; missing has the code after the last label, whether or not it
    occurs. Numeric columns are in the order of their numbers, columns with a hierarchy in the depth-first
    order of its leaves (so that a node is a run of codes), all others in the order of their text.

    Parameters
    ----------
    name : str
    labels : tuple of str
        The values as text, exactly as they may be printed.
    numbers : array of float or None
        The number each label stands for; None where the column is categorical.
    decimals : int
        Digits after the point in the most precise label; means are printed with as many.
    hierarchy : Hierarchy or None
    """

    name: str
    labels: tuple[str, ...]
    numbers: NDArray[np.float64] | None = None
    decimals: int = 0
    hierarchy: Hierarchy | None = None

    @property
    def n_values(self) -> int:
        return len(self.labels)

    @property
    def missing_code(self) -> int:
        return len(self.labels)

    @property
    def n_codes(self) -> int:
        """Values plus the code for missing."""
        return len(self.labels) + 1

    @property
    def is_numeric(self) -> bool:
        return self.numbers is not None

    @cached_property
    def code_of(self) -> dict[str, int]:
        return {label: code for code, label in enumerate(self.labels)}

    @cached_property
    def positions(self) -> NDArray[np.float64]:
        """Where each code lies on the unit interval; missing lies at its upper end.

        Numbers keep their distances, categories are spaced evenly in their order.
        """
        points, span = self._line
        return (points - points[0]) / span if self.n_values else np.ones(1)

    def widths(self, low: NDArray[np.int64], high: NDArray[np.int64]) -> NDArray[np.float64]:
        """How far the codes ``low`` and ``high`` lie apart, as a share of the column; O(len(low)).

        Not the difference of their positions, which would be off in its last digits: what is equally wide
        must come out equal, also in different columns.
        """
        points, span = self._line
        return np.round((points[high] - points[low]) / span, 12)

    @cached_property
    def _line(self) -> tuple[NDArray[np.float64], float]:
        """Where each code lies before anything is scaled, missing at the upper end; and the whole length."""
        points = np.arange(self.n_codes, dtype=np.float64)
        if self.numbers is not None:
            # Halved before subtracting: the span of two large floats may not fit into a float.
            points[:-1] = self.numbers / 2
        span = float(points[-2] - points[0]) if self.n_values else 0.0
        if span <= 0:  # one number, or none: only missing lies elsewhere
            return np.append(np.zeros(self.n_values), 1.0), 1.0
        points[-1] = points[-2]
        return points, span
