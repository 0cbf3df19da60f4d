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
        positions = np.ones(self.n_codes)
        if self.numbers is not None and self.n_values:
            # Halved before subtracting: the span of two large floats may not fit into a float.
            half = self.numbers / 2
            span = half[-1] - half[0]
            positions[:-1] = (half - half[0]) / span if span > 0 else 0.0
        elif self.n_values:
            positions[:-1] = np.arange(self.n_values) / max(self.n_values - 1, 1)
        return positions
