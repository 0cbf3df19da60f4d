"""ID3: the split with the most gain, one branch per value, until nothing is gained.

Quinlan, "Induction of Decision Trees" (Machine Learning, 1986).
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from kanopy.data import EncodedTable
from kanopy.errors import PolicyError
from kanopy.trees.c45 import best_split
from kanopy.trees.frontier import Frontier
from kanopy.trees.grow import grow
from kanopy.trees.slots import Slots
from kanopy.trees.splits import Splits
from kanopy.trees.tree import Tree

_NO_GAIN = 1e-9


def id3(table: EncodedTable, *, min_rows: float = 1) -> Tree:
    """Learn the class of a table from its quasi-identifiers, all of them categories.

    Parameters
    ----------
    table : EncodedTable
    min_rows : float
        Rows that at least two branches of a split must have; ID3 itself asks for 1.

    Raises
    ------
    PolicyError
        Where a column is numeric.

    Notes
    -----
    O(rows * columns) per level; there are at most as many levels as columns.
    """
    n_numeric = sum(column.domain.is_numeric for column in table.quasi)
    if n_numeric:
        raise PolicyError(f"ID3 takes categories, but {n_numeric} columns are numeric", "use bins, or c45")
    return grow(table, partial(_choose_by_gain, min_rows=min_rows))


def _choose_by_gain(frontier: Frontier, is_tested: NDArray[np.bool_], *, min_rows: float) -> Splits:
    del is_tested  # what was tested above gains nothing
    chosen = np.full(frontier.n_nodes, -1)
    best = np.full(frontier.n_nodes, _NO_GAIN)
    for column in range(len(frontier.quasi)):
        split = best_split(Slots(frontier, column), frontier, column, min_rows=min_rows, share_missing=False)
        wins = split.is_valid & (split.gain > best)
        chosen[wins], best[wins] = column, split.gain[wins] + _NO_GAIN
    return Splits.of([column.domain for column in frontier.table.quasi], chosen, -1)
