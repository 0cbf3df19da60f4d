"""Published texts as cells over the values of the source."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kanopy.data import Cell, CellKind, Domain
from kanopy.data.cell import MISSING, SUPPRESSED, exact, members
from kanopy.data.grammar import SUPPRESSED_TEXT, Part, ReadCell, read_cell
from kanopy.data.value_sets import CellTexts, Run, runs_of_names
from kanopy.frames.numbers import is_declared_number


class CellReader:
    """Reads the published texts of one column.

    Parameters
    ----------
    domain : Domain
        Of the source: which values there are, and the hierarchy whose nodes a cell may name.
    """

    def __init__(self, domain: Domain) -> None:
        self._numbers = domain.numbers
        self._run_of_name = dict(runs_of_names(domain))
        self._node_of_name: dict[str, int] = {}
        if domain.hierarchy is not None:
            if SUPPRESSED_TEXT not in domain.code_of:  # the root, which is published as suppressed
                self._run_of_name.pop(SUPPRESSED_TEXT)
            self._node_of_name = {label: node for node, label in enumerate(domain.hierarchy.node_label)}

    def read(self, texts: Sequence[str]) -> list[Cell | None]:
        """The cell of each text, None where the source does not know a word of it; O(texts * members).

        A number that the source does not have, such as a mean, becomes a cell that covers no value but lies
        near some.
        """
        cells = [_read(text) for text in texts]
        run_of = {part: self._run(part) for part in CellTexts.of(cells).parts}
        return [self._cell(text, cell, run_of) for text, cell in zip(texts, cells, strict=True)]

    def _cell(self, text: str, said: ReadCell, run_of: dict[Part, Run | None]) -> Cell | None:
        if said.is_suppressed:
            return SUPPRESSED
        runs = [run for part in said.parts if (run := run_of[part]) is not None]
        if len(runs) < len(said.parts):
            whole = self._run(text)
            return None if whole is None else self._of_run(whole, text, with_missing=False)
        if not runs:
            return MISSING
        if len(runs) == 1:
            return self._of_run(runs[0], said.parts[0], with_missing=said.with_missing)
        codes = sorted({code for low, high in runs for code in range(low, high + 1)})
        if not codes:
            return self._of_run(runs[0], "", with_missing=said.with_missing)
        return members(tuple(codes), with_missing=said.with_missing)

    def _of_run(self, run: Run, part: Part, *, with_missing: bool) -> Cell:
        low, high = run
        if low == high:
            return exact(low, with_missing=with_missing)
        node = self._node_of_name.get(part, -1) if isinstance(part, str) else -1
        kind = CellKind.RANGE if node < 0 else CellKind.NODE
        return Cell(kind, low, high, with_missing=with_missing, node=node)

    def _run(self, part: Part) -> Run | None:
        """First and last code; the last lies below the first where a number falls between two values."""
        if isinstance(part, str) and part in self._run_of_name:
            return self._run_of_name[part]
        low, high = (part, part) if isinstance(part, str) else part
        if self._numbers is None or not (is_declared_number(low) and is_declared_number(high)):
            return None
        first = int(np.searchsorted(self._numbers, float(low), side="left"))
        return first, int(np.searchsorted(self._numbers, float(high), side="right")) - 1


def _read(text: str) -> ReadCell:
    try:
        return read_cell(text)
    except ValueError:  # other tools write other texts, which a hierarchy may know
        return ReadCell(texts=(text,))
