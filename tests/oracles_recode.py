"""Recoding new rows again, from its definition: loops over rows and patterns, and exact fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from kanopy.data import Cell, CellKind, Domain, EncodedTable, Recoding

Row = tuple[str | None, ...]
Cells = tuple[Cell, ...]
Texts = tuple[str, ...]

DIGITS = 12


def naive_recode(table: EncodedTable, recoding: Recoding, new_rows: Sequence[Row]) -> list[Texts]:
    """The texts of the most specific pattern that covers each row, else of the nearest one."""
    domains = [column.domain for column in recoding.columns]
    has_missing = [column.domain.missing_code in column.codes.tolist() for column in table.quasi]
    patterns: dict[Cells, Texts] = {}
    n_rows: Counter[Texts] = Counter()
    for row in np.flatnonzero(recoding.is_kept).tolist():
        cells = tuple(column.cells[column.ids[row]] for column in recoding.columns)
        patterns[cells] = tuple(cell.text(domain) for cell, domain in zip(cells, domains, strict=True))
        n_rows[patterns[cells]] += 1

    def preference(cells: Cells) -> tuple[Fraction, int, Texts]:
        total = sum(map(width, cells, domains, has_missing), Fraction(0))
        return total, -n_rows[patterns[cells]], patterns[cells]

    def mismatch(cells: Cells, row: Row) -> Fraction:
        return sum(map(distance, cells, domains, row), Fraction(0))

    recoded = []
    for row in new_rows:
        covering = [cells for cells in patterns if all(map(covers, cells, domains, row))]
        if not covering:
            least = min(mismatch(cells, row) for cells in patterns)
            covering = [cells for cells in patterns if mismatch(cells, row) == least]
        recoded.append(patterns[min(covering, key=preference)])
    return recoded


def covers(cell: Cell, domain: Domain, text: str | None) -> bool:
    """Whether a cell may stand for a text that its column may never have held."""
    covered = cell.covers(domain).tolist()
    if text is None:
        return bool(covered[-1])
    if text in domain.labels:
        return bool(covered[domain.labels.index(text)])
    if cell.kind is CellKind.SUPPRESSED:
        return True
    if domain.numbers is None:
        return False
    number = Fraction(text)
    if cell.kind in (CellKind.RANGE, CellKind.MEAN, CellKind.NODE):
        return Fraction(domain.labels[cell.low]) <= number <= Fraction(domain.labels[cell.high])
    return any(
        is_covered and Fraction(label) == number
        for label, is_covered in zip(domain.labels, covered, strict=False)
    )


def width(cell: Cell, domain: Domain, has_missing: bool) -> Fraction:
    """The certainty penalty of a cell."""
    if cell.kind is CellKind.SUPPRESSED:
        return Fraction(1)
    covered = cell.covers(domain).tolist()
    if cell.kind is CellKind.MISSING or cell.kind is CellKind.EXACT:
        return Fraction(0)
    n_options = domain.n_values + has_missing
    if domain.numbers is None or domain.hierarchy is not None:
        share = Fraction(sum(covered), n_options) if sum(covered) > 1 else Fraction(0)
    else:
        share = _share(domain, Fraction(domain.labels[cell.high]) - Fraction(domain.labels[cell.low]))
        share += Fraction(cell.with_missing, n_options)
    return round(min(Fraction(1), share), DIGITS)


def distance(cell: Cell, domain: Domain, text: str | None) -> Fraction:
    """How far a cell is from covering a text."""
    if covers(cell, domain, text):
        return Fraction(0)
    is_far = text is None or domain.numbers is None or domain.hierarchy is not None
    if text is None or is_far or cell.kind is CellKind.MISSING:
        return Fraction(1)
    number = min(max(Fraction(text), Fraction(domain.labels[0])), Fraction(domain.labels[-1]))
    if cell.kind is CellKind.MEMBERS:
        nearest = min(abs(Fraction(domain.labels[code]) - number) for code in cell.members)
    else:
        low, high = Fraction(domain.labels[cell.low]), Fraction(domain.labels[cell.high])
        nearest = max(low - number, number - high, Fraction(0))
    return round(_share(domain, nearest), DIGITS)


def _share(domain: Domain, length: Fraction) -> Fraction:
    extent = Fraction(domain.labels[-1]) - Fraction(domain.labels[0])
    return length / extent if extent else Fraction(0)
