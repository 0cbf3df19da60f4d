"""Published texts as cells over the values of the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from kanopy.data import Cell, CellKind, Domain
from kanopy.data.cell import MISSING, SUPPRESSED, exact, members
from kanopy.data.grammar import ReadCell, read_cell
from kanopy.frames.numbers import is_declared_number

Run = tuple[int, int]
"""First and last code; the last lies below the first where a number falls between two values."""


class CellReader:
    """Reads the published texts of one column.

    Parameters
    ----------
    domain : Domain
        Of the source: which values there are, and the hierarchy whose nodes a cell may name.
    """

    def __init__(self, domain: Domain) -> None:
        self._domain = domain

    def read(self, texts: Sequence[str]) -> list[Cell | None]:
        """The cell of each text, None where the source does not know a word of it; O(texts * members).

        A number that the source does not have, such as a mean, becomes a cell that covers no value but lies
        near some.
        """
        return [self._cell(text) for text in texts]

    def _cell(self, text: str) -> Cell | None:
        try:
            said = read_cell(text)
        except ValueError:  # other tools write other texts, which a hierarchy may know
            said = ReadCell(texts=(text,))
        if said.is_suppressed:
            return SUPPRESSED
        runs = [*map(self._run_of_text, said.texts), *(self._run_of_range(*ends) for ends in said.ranges)]
        known = [run for run in runs if run is not None]
        if len(known) < len(runs):
            whole = self._run_of_text(text)
            return None if whole is None else self._of_run(whole, text, with_missing=False)
        if not known:
            return MISSING
        if len(known) == 1:
            name = said.texts[0] if said.texts else ""
            return self._of_run(known[0], name, with_missing=said.with_missing)
        codes = sorted({code for low, high in known for code in range(low, high + 1)})
        if not codes:
            return self._of_run(known[0], "", with_missing=said.with_missing)
        return members(tuple(codes), with_missing=said.with_missing)

    def _of_run(self, run: Run, name: str, *, with_missing: bool) -> Cell:
        low, high = run
        if low == high:
            return exact(low, with_missing=with_missing)
        node = self._nodes.get(name, -1)
        kind = CellKind.RANGE if node < 0 else CellKind.NODE
        return Cell(kind, low, high, with_missing=with_missing, node=node)

    def _run_of_text(self, text: str) -> Run | None:
        code = self._domain.code_of.get(text)
        if code is not None:
            return code, code
        node = self._nodes.get(text)
        if node is not None:
            hierarchy = self._domain.hierarchy
            assert hierarchy is not None
            return int(hierarchy.node_low[node]), int(hierarchy.node_high[node])
        return self._run_of_range(text, text)

    def _run_of_range(self, low: str, high: str) -> Run | None:
        numbers = self._domain.numbers
        if numbers is None or not (is_declared_number(low) and is_declared_number(high)):
            return None
        first = int(np.searchsorted(numbers, float(low), side="left"))
        return first, int(np.searchsorted(numbers, float(high), side="right")) - 1

    @cached_property
    def _nodes(self) -> Mapping[str, int]:
        """The nodes with more than one value, by name; the root is published as suppressed."""
        hierarchy = self._domain.hierarchy
        if hierarchy is None:
            return {}
        is_inner = hierarchy.node_low < hierarchy.node_high
        return {hierarchy.node_label[node]: node for node in np.flatnonzero(is_inner).tolist() if node}
