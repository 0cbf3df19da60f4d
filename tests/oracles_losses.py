"""The information losses again, from their definitions: rows, loops and exact fractions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from kanopy.data import (
    Cell,
    CellKind,
    CodedColumn,
    Domain,
    EncodedTable,
    Hierarchy,
    Partition,
    RecodedColumn,
    Recoding,
)

Value = str | float | None


def column_of(name: str, values: Sequence[Value], hierarchy: Hierarchy | None = None) -> CodedColumn:
    """Encode values; numbers make a numeric column, None is missing."""
    present = {value for value in values if value is not None}
    if hierarchy is not None:
        ordered: list[Value] = list(hierarchy.leaves)
    else:
        ordered = sorted(present)
    is_numeric = hierarchy is None and bool(present) and not any(isinstance(value, str) for value in present)
    numbers = np.array(ordered, dtype=np.float64) if is_numeric else None
    domain = Domain(name, tuple(str(value) for value in ordered), numbers, hierarchy=hierarchy)
    place: dict[Value, int] = {value: code for code, value in enumerate(ordered)}
    place[None] = domain.missing_code
    return CodedColumn(domain, np.array([place[value] for value in values], dtype=np.uint16))


def table_of(
    columns: dict[str, Sequence[Value]],
    *,
    target: Sequence[Value] | None = None,
    hierarchies: dict[str, Hierarchy] | None = None,
) -> EncodedTable:
    """A table of quasi-identifiers, and perhaps a class."""
    known = hierarchies or {}
    quasi = tuple(column_of(name, values, known.get(name)) for name, values in columns.items())
    n_rows = len(quasi[0].codes)
    return EncodedTable(n_rows, quasi, None if target is None else column_of("class", target))


def group_of_rows(n_rows: int, *clusters: Sequence[int]) -> np.ndarray:
    """The group of every row from clusters of row numbers that begin at 1; rows in none are dropped."""
    group = np.full(n_rows, -1, dtype=np.int32)
    for number, cluster in enumerate(clusters):
        group[[row - 1 for row in cluster]] = number
    return group


def published(table: EncodedTable, partition: Partition, style: str) -> Recoding:
    """A partition in print, also where it drops every row."""
    if partition.n_groups:
        return partition.publish(table, style)
    ids = np.zeros(table.n_rows, dtype=np.int32)
    cells = (Cell(CellKind.SUPPRESSED, with_missing=True),)
    columns = tuple(RecodedColumn(column.domain, cells, ids) for column in table.quasi)
    return Recoding(columns, np.zeros(table.n_rows, dtype=bool))


def printed_groups(recoding: Recoding) -> list[list[int]]:
    found = defaultdict(list)
    for row in np.flatnonzero(recoding.is_kept).tolist():
        found[tuple(column.texts[column.ids[row]] for column in recoding.columns)].append(row)
    return list(found.values())


def oracle_losses(table: EncodedTable, recoding: Recoding, k: int | None) -> dict[str, Fraction]:
    groups = printed_groups(recoding)
    n_dropped = table.n_rows - sum(len(group) for group in groups)
    n_columns = len(table.quasi)
    threshold = k if k is not None else 1
    losses = {
        "missing_cell_ratio": _suppressed_share(table, recoding),
        "gcp": _penalty_share(table, recoding),
        "discernibility": Fraction(
            sum(len(group) * (len(group) if len(group) >= threshold else table.n_rows) for group in groups)
            + n_dropped * table.n_rows
        ),
        "average_group_size": Fraction(table.n_rows - n_dropped, len(groups) * threshold)
        if groups
        else Fraction(table.n_rows, threshold),
        "total_information_loss": n_dropped * n_columns
        + sum((_group_loss(table, group) for group in groups), Fraction(0)),
        "square_error": n_dropped * n_columns
        + sum((_group_error(column, group) for column in table.quasi for group in groups), Fraction(0)),
    }
    if table.target is not None:
        n_right = sum(
            max(Counter(table.target.codes[row] for row in group).values())
            for group in groups
            if len(group) >= threshold
        )
        losses["classification_metric"] = Fraction(table.n_rows - n_right, table.n_rows)
    return losses


def _suppressed_share(table: EncodedTable, recoding: Recoding) -> Fraction:
    printed = [
        column.texts[column.ids[row]]
        for row in range(table.n_rows)
        if recoding.is_kept[row]
        for column in recoding.columns
    ]
    return Fraction(printed.count("*"), len(printed)) if printed else Fraction(1)


def _penalty_share(table: EncodedTable, recoding: Recoding) -> Fraction:
    total = Fraction(0)
    for original, column in zip(table.quasi, recoding.columns, strict=True):
        for row in range(table.n_rows):
            if recoding.is_kept[row]:
                total += _penalty(original, column.cells[column.ids[row]])
            else:
                total += 1
    return total / (table.n_rows * len(table.quasi))


def _penalty(original: CodedColumn, cell: Cell) -> Fraction:
    domain = original.domain
    if cell.kind is CellKind.SUPPRESSED:
        return Fraction(1)
    covered = cell.covers(domain).tolist()
    if sum(covered) <= 1:
        return Fraction(0)
    n_options = domain.n_values + (domain.missing_code in original.codes.tolist())
    if domain.numbers is None:
        return min(Fraction(1), Fraction(sum(covered), n_options))
    numbers = [
        Fraction(number) for number, is_in in zip(domain.numbers.tolist(), covered, strict=False) if is_in
    ]
    extent = Fraction(domain.numbers.max()) - Fraction(domain.numbers.min())
    width = (max(numbers) - min(numbers)) / extent if extent else Fraction(0)
    return min(Fraction(1), width + Fraction(covered[-1], n_options))


def _distance(domain: Domain, left: int, right: int) -> Fraction:
    if left == right:
        return Fraction(0)
    if domain.missing_code in (left, right):
        return Fraction(1)
    if domain.hierarchy is not None:
        tree = domain.hierarchy
        low, high = min(left, right), max(left, right)
        covering = [
            node
            for node in range(tree.n_nodes)
            if tree.node_low[node] <= low and high <= tree.node_high[node]
        ]
        smallest = min(covering, key=lambda node: tree.node_high[node] - tree.node_low[node])
        return Fraction(int(tree.node_height[smallest]), int(tree.node_height[0]))
    if domain.numbers is not None:
        extent = Fraction(domain.numbers.max()) - Fraction(domain.numbers.min())
        return abs(Fraction(domain.numbers[left]) - Fraction(domain.numbers[right])) / extent
    return Fraction(1)


def _group_loss(table: EncodedTable, group: list[int]) -> Fraction:
    """Rows times the largest distance between any two of them, added up over the columns."""
    widest = Fraction(0)
    for column in table.quasi:
        codes = sorted({int(column.codes[row]) for row in group})
        widest += max(_distance(column.domain, left, right) for left in codes for right in codes)
    return len(group) * widest


def _group_error(column: CodedColumn, group: list[int]) -> Fraction:
    domain, codes = column.domain, [int(column.codes[row]) for row in group]
    if domain.numbers is None:
        counts = Counter(codes)
        centre = min(counts, key=lambda code: (-counts[code], code))
        return sum((_distance(domain, code, centre) ** 2 for code in codes), Fraction(0))
    numbers = [Fraction(domain.numbers[code]) for code in codes if code != domain.missing_code]
    if not numbers:
        return Fraction(0)
    extent = Fraction(domain.numbers.max()) - Fraction(domain.numbers.min())
    mean = sum(numbers, Fraction(0)) / len(numbers)
    squares = sum(
        (((number - mean) / extent) ** 2 if extent else Fraction(0) for number in numbers), Fraction(0)
    )
    return squares + len(codes) - len(numbers)
