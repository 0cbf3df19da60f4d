"""Sketches and ranked draws again, over plain lists, slowly and literally."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from kanopy.data.grammar import write_member

Value = str | float | None


def cut(values: Sequence[float], n_chunks: int) -> list[list[float]]:
    """A sorted list in chunks of nearly equal size."""
    size = len(values)
    return [list(values[j * size // n_chunks : (j + 1) * size // n_chunks]) for j in range(n_chunks)]


def number_sketch(values: Sequence[float | None], k: int) -> str:
    """The cell of a group's whole numbers, None for missing, without persons."""
    present = sorted(value for value in values if value is not None)
    n_missing = len(values) - len(present)
    if not present:
        return ""
    if len(present) < 3:
        return "*"
    chunks = cut(present, max(1, min(k // 5, len(present) // 3)))
    # As Python prints a number without decimals: halves go to the even neighbour.
    means = [str(round(sum(map(Fraction, chunk)) / len(chunk))) for chunk in chunks]
    written = "~[" + ", ".join(means) + "]"
    return f"{{: {n_missing}, {written}: {len(present)}}}" if n_missing else written


def category_sketch(values: Sequence[str | None]) -> str:
    """The cell of a group's categories."""
    counts = Counter("" if value is None else write_member(value) for value in values)
    if len(counts) == 1:
        (only,) = values[:1]
        return "" if only is None else only
    return "{" + ", ".join(f"{text}: {counts[text]}" for text in sorted(counts)) + "}"


def joined_sketches(
    columns: Sequence[Sequence[Value]], group: Sequence[int], k: int
) -> list[tuple[str, ...]]:
    """The cells of each row; groups that print alike are one, and are sketched anew."""
    of_row = list(group)
    while True:
        printed = {}
        for number in set(of_row):
            rows = [row for row, each in enumerate(of_row) if each == number]
            printed[number] = tuple(_sketch([column[row] for row in rows], column, k) for column in columns)
        first: dict[tuple[str, ...], int] = {}
        for number, texts in sorted(printed.items()):
            first.setdefault(texts, number)
        if len(first) == len(printed):
            return [printed[number] for number in of_row]
        of_row = [first[printed[number]] for number in of_row]


def _sketch(values: list[Value], column: Sequence[Value], k: int) -> str:
    is_numeric = not any(isinstance(value, str) for value in column) and any(
        value is not None for value in column
    )
    return number_sketch(values, k) if is_numeric else category_sketch(values)  # type: ignore[arg-type]


def drawn_numbers(means: Sequence[float], n_numbers: int, groups: Sequence[Sequence[float]]) -> list[float]:
    """The numbers of a group, smallest first: on straight lines through the means, at the middle ranks; those
    of the outer chunks as exponentially distributed ones. ``groups`` are the means of all groups."""
    n_chunks = len(means)
    chunks = [range(j * n_numbers // n_chunks, (j + 1) * n_numbers // n_chunks) for j in range(n_chunks)]
    middle = [sum(ranks) / len(ranks) for ranks in chunks]
    drawn = []
    for rank in range(n_numbers):
        if n_chunks == 1:
            drawn.append(means[0])
        elif rank in chunks[0]:
            drawn.append(_outer(means[0], means[1], chunks[0][-1] - rank, len(chunks[0])))
        elif rank in chunks[-1]:
            drawn.append(_outer(means[-1], means[-2], rank - chunks[-1][0], len(chunks[-1])))
        else:
            left = max([j for j in range(n_chunks - 1) if middle[j] < rank], default=0)
            slope = (means[left + 1] - means[left]) / (middle[left + 1] - middle[left])
            drawn.append(means[left] + slope * (rank - middle[left]))
    least, largest = _ends([mean for each in groups for mean in each], [each for each in groups if each[1:]])
    return [min(max(value, least), largest) for value in drawn]


def _outer(mean: float, inner: float, depth: int, size: int) -> float:
    waits = [-math.log(1 - (i + 0.5) / size) if size < 25 else i + 0.5 for i in range(size)]
    edge = (mean + inner) / 2
    return edge + (mean - edge) * waits[depth] / (sum(waits) / size)


def _ends(means: Sequence[float], groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    least, largest = min(means), max(means)
    below = [each[1] - each[0] for each in groups if each[0] == least]
    above = [each[-1] - each[-2] for each in groups if each[-1] == largest]
    ends = least - min(below, default=0.0), largest + min(above, default=0.0)
    return (max(ends[0], 0.0) if least >= 0 else ends[0]), (min(ends[1], 0.0) if largest <= 0 else ends[1])


def drawn_categories(counts: Mapping[str, int], order: Sequence[str]) -> list[str]:
    """The categories of a group, in the published order; others after them, by text; missing, "", is last."""
    others = sorted(set(counts) - set(order), key=lambda text: (text == "", text))
    return [text for text in [*order, *others] for _ in range(counts.get(text, 0))]


def halved_line(points: Sequence[float], least: int) -> list[list[int]]:
    """Groups of rows by halving along a line: cut at the multiple of ``least`` nearest below half, as long as
    both parts have as many; rows of equal points in their own order."""
    waiting, groups = [list(range(len(points)))], list[list[int]]()
    while waiting:
        rows = waiting.pop()
        if len(rows) < 2 * least:
            groups.append(sorted(rows))
            continue
        rows = sorted(rows, key=lambda row: (points[row], row))
        middle = max(len(rows) // 2 // least, 1) * least
        waiting += [rows[:middle], rows[middle:]]
    return sorted(groups)
