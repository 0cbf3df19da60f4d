"""The information losses again, from their definitions: rows, loops and exact fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from plain_tables import printed_groups

from kanopy.data import Cell, CellKind, CodedColumn, Domain, EncodedTable, Recoding


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
                has_missing = original.domain.missing_code in original.codes.tolist()
                total += _penalty(column.domain, column.cells[column.ids[row]], has_missing)
            else:
                total += 1
    return total / (table.n_rows * len(table.quasi))


def _penalty(domain: Domain, cell: Cell, has_missing: bool) -> Fraction:
    if cell.kind is CellKind.SUPPRESSED:
        return Fraction(1)
    covered = cell.covers(domain).tolist()
    if sum(covered) <= 1:
        return Fraction(0)
    n_options = domain.n_values + has_missing
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
