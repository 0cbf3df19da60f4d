"""Rows drawn at random wherever they are: each gets a ticket that follows from its values and a seed alone.

The rows with the lowest tickets are drawn. Whoever holds some of the rows can tell which of these may be
among them, so a table need not be in one place, nor in any order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kanopy.data.arrays import Codes, Ints

Numbers = NDArray[np.uint64]

_AT_A_TIME = 1 << 20
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_LAST = 2**64 - 1


class DrawnTickets(NamedTuple):
    """Some tickets, and whose they are."""

    row: Ints
    ticket: Numbers


@dataclass(frozen=True, eq=False)
class Draw:
    """Who draws: of each stratum of a table, the rows up to a limit.

    Parameters
    ----------
    salt : int
        What makes these tickets others than those of another draw.
    limit : array of unsigned int
        Of each stratum, the highest ticket that is of interest.
    """

    salt: int
    limit: Numbers

    @classmethod
    def of_lowest(cls, salt: int, n: Ints, n_rows: Ints, slack: float = 8.0) -> Draw:
        """Limits below which are the lowest ``n`` tickets of so many rows: all but surely with this slack,
        in standard deviations; a stratum that draws none gets none."""
        share = (n + slack * np.sqrt(n) + slack * slack) / np.maximum(n_rows, 1)
        limit = np.full(len(n), _LAST, dtype=np.uint64)
        is_some = share < 1
        limit[is_some] = (share[is_some] * 2.0**64).astype(np.uint64)
        limit[n == 0] = 0
        return cls(salt, limit)

    def tickets(self, codes: Mapping[str, Codes], weight: Ints, stratum: Codes) -> DrawnTickets:
        """The tickets of interest of some rows, each of which has one for every row that it stands for.

        Equal rows have different tickets, and the same ones wherever they are counted together.
        O(rows * columns + total weight).
        """
        of_row = _mixed_codes(codes, len(weight), self.salt)
        limit, found = self.limit.take(stratum), list[DrawnTickets]()
        ends = np.cumsum(weight)
        batches = np.searchsorted(ends, np.arange(_AT_A_TIME, int(ends[-1]) if len(ends) else 0, _AT_A_TIME))
        for begin, end in zip([0, *batches], [*batches, len(weight)], strict=True):
            times = weight[begin:end]
            row = np.repeat(np.arange(begin, end), times)
            copy = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
            ticket = _mixed(of_row.take(row) + copy.astype(np.uint64) * _GOLDEN)
            is_low = np.flatnonzero(ticket <= limit.take(row))
            found.append(DrawnTickets(row.take(is_low), ticket.take(is_low)))
        return DrawnTickets(*map(np.concatenate, zip(*found, strict=True)))


def drawn_salt(rng: np.random.Generator) -> int:
    """A salt, drawn."""
    return int(rng.integers(2**63))


def _mixed_codes(codes: Mapping[str, Codes], n_rows: int, salt: int) -> Numbers:
    """A number for each row, which depends on its codes by their columns' names, in whatever order."""
    mixed = np.zeros(n_rows, dtype=np.uint64)
    for name, of_rows in codes.items():
        digest = hashlib.blake2b(name.encode(), digest_size=8, key=salt.to_bytes(8, "little")).digest()
        of_code = np.arange(int(of_rows.max(initial=0)) + 1, dtype=np.uint64) * _GOLDEN
        mixed += _mixed(of_code + np.uint64(int.from_bytes(digest, "little"))).take(of_rows)
    return mixed


def _mixed(numbers: Numbers) -> Numbers:
    """Each number as another, without any pattern: the finalizer of SplitMix64 (Steele, Lea, Flood)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * _FIRST
    numbers = (numbers ^ (numbers >> np.uint64(27))) * _SECOND
    return numbers ^ (numbers >> np.uint64(31))
