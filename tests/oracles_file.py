"""The written file judged again: the csv module, pyarrow's Parquet reader, and nothing of kanopy."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow.parquet

Original = str | int | float | bool | None
Line = tuple[str, ...]

_INVISIBLE = "\u200b\u2060\ufeff"


@dataclass(frozen=True)
class Written:
    """A file as its reader sees it: names, and lines of texts; missing is the empty text."""

    names: list[str]
    lines: list[Line]

    def column(self, name: str) -> list[str]:
        place = self.names.index(name)
        return [line[place] for line in self.lines]

    def project(self, names: Sequence[str]) -> list[Line]:
        places = [self.names.index(name) for name in names]
        return [tuple(line[place] for place in places) for line in self.lines]


def read_csv(path: Path) -> Written:
    with path.open(encoding="utf-8", newline="") as stream:
        names, *lines = csv.reader(stream, strict=True)
    assert all(len(line) == len(names) for line in lines)
    return Written(names, [tuple(line) for line in lines])


def parquet_values(path: Path) -> tuple[list[str], list[tuple[Original, ...]]]:
    table = pyarrow.parquet.read_table(path)
    columns = [column.to_pylist() for column in table.columns]
    return table.column_names, list(zip(*columns, strict=True))


def same_value(text: str, original: Original) -> bool:
    """Whether a published text is an original, blanks around it and the form of its Unicode aside."""
    if original is None or isinstance(original, str):
        return text == cleaned(original)
    if isinstance(original, bool):
        return text in (str(original), str(original).lower())
    return text == str(original) or (is_number(text) and Decimal(text) == Decimal(str(original)))


def cleaned(original: str | None) -> str:
    """A text as it may be published: composed, without blanks around it; missing is the empty text."""
    text, before = original or "", None
    while text != before:
        text, before = text.strip().strip(_INVISIBLE), text
    return unicodedata.normalize("NFC", text)


def is_number(text: str) -> bool:
    """Whether a text is a number as it is usually written."""
    return re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?", text) is not None


# --- Cells: the grammar read once more -------------------------------------------------------------------


def is_truthful(cell: str, original: Original, nodes: Mapping[str, set[str]]) -> bool:
    """Whether a published cell may stand for an original; ``nodes``: the leaves under each hierarchy node."""
    if cell == "*":
        return True
    if not cell.startswith("{"):
        return _may_be(cell, _alone(cell), original, nodes)
    return any(_may_be(member, _in_set(member), original, nodes) for member in _members(cell))


def are_true_sketches(
    lines: Sequence[Sequence[str]], place: int, originals: Sequence[Original], step: Decimal
) -> bool:
    """Whether the cells of a column are sketches of their groups: counts of values, or the means of chunks
    of three or more numbers, to within half a step; a cell that is no sketch must be true as usual."""
    groups: dict[tuple[str, ...], list[Original]] = {}
    for line, original in zip(lines, originals, strict=True):
        groups.setdefault(tuple(line), []).append(original)
    return all(_is_true_sketch(line[place], values, step) for line, values in groups.items())


def _is_true_sketch(cell: str, values: Sequence[Original], step: Decimal) -> bool:
    said = [member.rsplit(": ", 1) for member in _divided(cell)] if cell.startswith("{") else []
    if said and all(len(member) == 2 for member in said):
        assert said == sorted(said), "a sketch that is not sorted"
        counts = {_in_set(text) if text[:2] != "~[" else text: int(count) for text, count in said}
        means = next((text for text in counts if text[:2] == "~["), "")
        if not means:
            texts = Counter("" if value is None else cleaned(str(value)) for value in values)
            return sorted(texts.values()) == sorted(counts.values()) and sum(counts.values()) == len(values)
        present = [value for value in values if value is not None]
        return counts[means] == len(present) and _are_chunk_means(means, present, step)
    if cell[:2] == "~[":
        return None not in values and _are_chunk_means(cell, values, step)
    return all(is_truthful(cell, value, {}) for value in values)


def _are_chunk_means(cell: str, values: Sequence[Original], step: Decimal) -> bool:
    means = [Fraction(mean) for mean in cell[2:-1].split(", ")]
    numbers = sorted(Fraction(str(value)) for value in values)
    ends = [place * len(numbers) // len(means) for place in range(len(means) + 1)]
    chunks = [numbers[first:end] for first, end in pairwise(ends)]
    return all(
        len(chunk) >= 3
        and abs(mean - sum(chunk) / len(chunk))
        <= Fraction(step) * Fraction(501, 1000) + sum(map(abs, chunk)) / 10**12
        for mean, chunk in zip(means, chunks, strict=True)
    )


def _may_be(written: str, text: str, original: Original, nodes: Mapping[str, set[str]]) -> bool:
    if written.startswith("["):
        assert written.endswith("]")
        low, high = written[1:-1].split(", ")
        return is_number(str(original)) and Decimal(low) <= Decimal(str(original)) <= Decimal(high)
    return same_value(text, original) or original in nodes.get(text, ())


def _alone(cell: str) -> str:
    return cell[1:] if cell.startswith("\\") else cell


def _in_set(member: str) -> str:
    if member.startswith("["):
        return ""
    text, letters = "", iter(member)
    for letter in letters:
        assert letter not in "[]{},", "an unescaped letter of the grammar"
        text += next(letters) if letter == "\\" else letter
    return text


def _members(cell: str) -> list[str]:
    """The members of a set as they are written."""
    members = _divided(cell)
    assert len(members) > 1, "a set of one"
    assert members == sorted(members), "a set that is not sorted"
    return members


def _divided(cell: str) -> list[str]:
    """What stands between braces, divided at commas that are neither escaped nor in a range."""
    assert cell.endswith("}")
    members, start, place, is_in_range = [], 1, 1, False
    while place < len(cell) - 1:
        letter = cell[place]
        is_in_range = letter == "[" or (is_in_range and letter != "]")
        if letter == "," and not is_in_range:
            assert cell[place + 1] == " "
            members.append(cell[start:place])
            start = place = place + 2
        else:
            place += 2 if letter == "\\" else 1
    assert place == len(cell) - 1, "the closing brace is escaped"
    members.append(cell[start:-1])
    return members


# --- The promise -----------------------------------------------------------------------------------------


def smallest_group(lines: Sequence[Line], members: Sequence[object]) -> int:
    """How many different members the smallest group of equal lines has; None is nobody."""
    groups: defaultdict[Line, set[object]] = defaultdict(set)
    for line, member in zip(lines, members, strict=True):
        groups[line] |= set() if member is None else {member}
    return min(map(len, groups.values()))


def are_rounded_means(
    lines: Sequence[Line], place: int, originals: Sequence[Original], decimals: int
) -> bool:
    """Whether every group's text in one column is the mean of its originals, rounded.

    Groups that print alike count as one: the mean of their means rounds to the same text. A suppressed text
    says nothing.
    """
    groups: defaultdict[Line, list[Fraction]] = defaultdict(list)
    for line, original in zip(lines, originals, strict=True):
        if line[place] == "*":
            continue
        if is_number(str(original)):
            groups[line].append(Fraction(str(original)))
        elif line[place] == "":
            groups[line] += []
    for line, numbers in groups.items():
        if not numbers:
            if line[place] != "":
                return False
            continue
        printed, mean = Fraction(line[place]), sum(numbers) / len(numbers)
        noise = max(map(abs, numbers)) / 10**12
        if abs(printed - mean) > Fraction(1, 2 * 10**decimals) + noise:
            return False
        if len(line[place].partition(".")[2]) != decimals:
            return False
    return True


def is_sorted(written: Written, quasi: Sequence[str]) -> bool:
    """By the cells of the quasi-identifiers, then by the other columns, where missing is last."""
    others = [name for name in written.names if name not in quasi]
    keys = [
        (cells, tuple((text == "", text) for text in passing))
        for cells, passing in zip(written.project(quasi), written.project(others), strict=True)
    ]
    return keys == sorted(keys)


def same_values(texts: Sequence[str], originals: Sequence[Original]) -> bool:
    """Whether texts are originals, in any order."""
    return Counter(texts) == Counter(map(_as_text(texts), originals))


def _as_text(texts: Sequence[str]) -> Callable[[Original], Any]:
    """An original as one of the texts that it is the same value as."""
    different = sorted(set(texts))
    return lambda original: next((text for text in different if same_value(text, original)), original)
