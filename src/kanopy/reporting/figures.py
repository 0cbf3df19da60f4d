"""Pictures in figures: the tables that say what bars and stacks show."""

from __future__ import annotations

from kanopy.reporting.blocks import Bars, Stacks, Table
from kanopy.reporting.tally import Tally

_NOT_TOLD = "not told"


def of_bars(block: Bars) -> Table:
    """Rows and share of every bar."""
    rows = tuple((label, tally.words, share(tally)) for label, tally in block.bars)
    return Table(block.title, (*block.header, "share"), rows, frozenset({1, 2}))


def of_stacks(block: Stacks) -> Table:
    """The share of every kind in every column."""
    untold = (_NOT_TOLD,) * len(block.kinds)
    rows = tuple(
        (name, *(untold if tallies is None else map(share, tallies))) for name, tallies in block.stacks
    )
    numeric = frozenset(range(1, len(block.kinds) + 1))
    return Table(block.title, ("column", *block.kinds), rows, numeric)


def share(tally: Tally) -> str:
    return _NOT_TOLD if tally.share is None else tally.percent
