"""Several code columns as one integer key per row: the workhorse of grouping and sorting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

Codes = NDArray[np.integer[Any]]
Int64s = NDArray[np.int64]

_ROOM = 2**62


def pack(columns: Sequence[Codes], n_codes: Sequence[int], n_rows: int) -> tuple[Int64s, int]:
    """One int64 per row that orders and separates rows as the columns do, the first column leading.

    Where the product of the code counts would leave int64, the key so far is replaced by its rank,
    so any number of columns fits. O(rows * columns), plus a sort for every such replacement.

    Returns
    -------
    keys, n_keys
        Every key lies in ``range(n_keys)``.
    """
    keys = np.zeros(n_rows, dtype=np.int64)
    n_keys = 1
    for codes, size in zip(columns, n_codes, strict=True):
        if n_keys > _ROOM // max(size, 1):
            present, keys = np.unique(keys, return_inverse=True)
            n_keys = max(len(present), 1)
        keys = keys * np.int64(size)
        keys += codes
        n_keys *= max(size, 1)
    return keys, n_keys


def rank(keys: Int64s, n_keys: int) -> tuple[NDArray[np.int32], int]:
    """Replace keys by their dense rank 0, 1, 2, … in key order.

    O(rows + n_keys) where the keys are few compared with the rows, O(rows log rows) otherwise.
    """
    if n_keys <= 4 * len(keys) + 1024:
        is_present = np.zeros(n_keys, dtype=bool)
        is_present[keys] = True
        ranks = np.cumsum(is_present, dtype=np.int32) - 1
        return ranks[keys].astype(np.int32, copy=False), int(is_present.sum())
    present, inverse = np.unique(keys, return_inverse=True)
    return inverse.astype(np.int32, copy=False), len(present)


def group_rows(
    columns: Sequence[Codes], n_codes: Sequence[int], n_rows: int
) -> tuple[NDArray[np.int32], int]:
    """Number the groups of equal rows, in the order of their codes."""
    return rank(*pack(columns, n_codes, n_rows))


def narrowest_unsigned(n_codes: int) -> np.dtype[Any]:
    """The smallest unsigned type that holds the codes ``0 .. n_codes - 1``."""
    return np.min_scalar_type(max(n_codes - 1, 0))
