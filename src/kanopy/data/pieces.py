"""Lists of amounts that add up to the same, laid side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kanopy.data.arrays import Codes, Ints


class Pieces(NamedTuple):
    """The pieces in which no list changes from one of its entries to the next.

    >>> pieces = Pieces.of([np.array([3, 1]), np.array([2, 2])])
    >>> pieces.amount.tolist(), pieces.entry_of(np.array([3, 1])).tolist()
    ([2, 1, 1], [0, 0, 1])
    """

    starts: Ints
    amount: Ints

    @classmethod
    def of(cls, amounts: Sequence[Codes]) -> Pieces:
        """Cut wherever an entry of any list ends; a sort of all ends."""
        stops = np.unique(np.concatenate([np.cumsum(each, dtype=np.int64) for each in amounts]))
        stops = stops[stops > 0]
        starts = np.append(0, stops[:-1])
        return cls(starts, stops - starts)

    def entry_of(self, amounts: Codes) -> Ints:
        """The entry of one of the lists that each piece is in; O(pieces * log(entries))."""
        return np.searchsorted(np.cumsum(amounts, dtype=np.int64), self.starts, side="right")
