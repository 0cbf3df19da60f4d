"""A published cell: which original values it may stand for, and how it is printed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kanopy.data import grammar

if TYPE_CHECKING:
    from kanopy.data.table import Domain


class CellKind(Enum):
    """How a cell says what it may stand for."""

    EXACT = "exact"
    MISSING = "missing"
    RANGE = "range"
    MEMBERS = "members"
    NODE = "node"
    MEAN = "mean"
    SKETCH = "sketch"
    SUPPRESSED = "suppressed"


@dataclass(frozen=True, slots=True)
class Cell:
    """What one published cell says.

    Parameters
    ----------
    kind : CellKind
    low, high : int
        First and last value code it may stand for; for MEMBERS the outermost members.
    members : tuple of int
        For MEMBERS, and for a SKETCH of categories, the value codes.
    with_missing : bool
        Whether the original may also have been missing.
    node : int
        For NODE, the node of the column's hierarchy.
    printed : str
        For MEAN, the number that is printed.
    means : tuple of str
        For a SKETCH of numbers, the means of its chunks as they are printed, ascending.
    counts : tuple of int
        For SKETCH, how many rows of the group have each member, or any number; then those that are missing,
        where some are.
    """

    kind: CellKind
    low: int = -1
    high: int = -1
    members: tuple[int, ...] = ()
    with_missing: bool = False
    node: int = -1
    printed: str = ""
    means: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()

    def covers(self, domain: Domain) -> NDArray[np.bool_]:
        """For every code of the domain (missing last): may this cell stand for it? O(codes)."""
        covered = np.zeros(domain.n_codes, dtype=bool)
        for low, high in zip(*self.runs(domain.n_values), strict=True):
            covered[low : high + 1] = True
        covered[-1] |= self.with_missing
        return covered

    def runs(self, n_values: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The first codes, and the last, of the values that it may stand for, missing aside."""
        if self.members:
            return self.members, self.members
        if self.kind is CellKind.SUPPRESSED:
            return (0,), (n_values - 1,)
        return ((), ()) if self.kind is CellKind.MISSING else ((self.low,), (self.high,))

    def text(self, domain: Domain) -> str:
        """The cell as it is published."""
        if self.kind is CellKind.SUPPRESSED:
            return grammar.SUPPRESSED_TEXT
        if self.kind is CellKind.MISSING:
            return grammar.MISSING_TEXT
        if self.kind is CellKind.MEAN:
            return self.printed
        if self.kind is CellKind.SKETCH:
            return self._sketched(domain)
        if self.kind is CellKind.RANGE:
            written = grammar.write_range(domain.labels[self.low], domain.labels[self.high])
            return grammar.write_set([grammar.MISSING_TEXT, written]) if self.with_missing else written
        texts = self._names(domain)
        if len(texts) == 1 and not self.with_missing:
            return grammar.write_alone(texts[0])
        missing = [grammar.MISSING_TEXT] if self.with_missing else []
        return grammar.write_set(missing + [grammar.write_member(text) for text in texts])

    def _sketched(self, domain: Domain) -> str:
        if self.means and not self.with_missing:
            return grammar.write_means(self.means)
        names = [grammar.write_member(domain.labels[code]) for code in self.members]
        names += [grammar.write_means(self.means)] if self.means else []
        names += [grammar.MISSING_TEXT] if self.with_missing else []
        return grammar.write_counts(zip(names, self.counts, strict=True))

    def _names(self, domain: Domain) -> list[str]:
        if self.kind is CellKind.NODE:
            assert domain.hierarchy is not None
            return [domain.hierarchy.node_label[self.node]]
        codes = self.members if self.kind is CellKind.MEMBERS else (self.low,)
        return [domain.labels[code] for code in codes]


SUPPRESSED = Cell(CellKind.SUPPRESSED, with_missing=True)
MISSING = Cell(CellKind.MISSING, with_missing=True)


def exact(code: int, *, with_missing: bool = False) -> Cell:
    """One value; or one value or missing."""
    return members((code,), with_missing=True) if with_missing else Cell(CellKind.EXACT, code, code)


def span(low: int, high: int, *, with_missing: bool = False) -> Cell:
    """Every value from ``low`` to ``high`` in the order of the domain."""
    if low == high:
        return exact(low, with_missing=with_missing)
    return Cell(CellKind.RANGE, low, high, with_missing=with_missing)


def members(codes: tuple[int, ...], *, with_missing: bool = False) -> Cell:
    """One of several values, in code order."""
    if len(codes) == 1 and not with_missing:
        return exact(codes[0])
    return Cell(CellKind.MEMBERS, codes[0], codes[-1], codes, with_missing)


def node(domain: Domain, number: int, *, with_missing: bool = False) -> Cell:
    """A node of the column's hierarchy; the root is the suppressed cell."""
    assert domain.hierarchy is not None
    low, high = int(domain.hierarchy.node_low[number]), int(domain.hierarchy.node_high[number])
    if low == high:
        return exact(low, with_missing=with_missing)
    if number == 0:
        return SUPPRESSED
    return Cell(CellKind.NODE, low, high, with_missing=with_missing, node=number)
