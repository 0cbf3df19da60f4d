"""The promise counted on a written file, by plain Python: nothing of kanopy is imported here.

CSV is read by the csv module and Parquet by pyarrow; what promises mean is written down once more, over lists
and fractions. Distributions are compared with those of the whole file.
"""

from __future__ import annotations

import csv
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.parquet

Line = tuple[str, ...]
Promise = Mapping[str, Any]
Shares = Mapping[str, Fraction]
Check = Callable[[Promise, Counter[str], Shares, Shares], bool]

_WAY_OF_PERSONS = {
    "entropy": "pairs",
    "recursive": "pairs",
    "closeness equal": "pairs",
    "closeness ordered": "pairs",
    "closeness hierarchical": "pairs",
}
"""Distributions are over different pairs of person and value; other promises are about shares of persons."""

PATHS = (
    *(("apple", "fruit", "food"), ("pear", "fruit", "food"), ("beet", "[root]", "food")),
    *(("leek", "[root]", "food"), ("rock", "rock", "rock")),
)
"""The hierarchy of values that hierarchical closeness goes by: leaf, parent, grandparent; then the root."""

_CLIMBS: tuple[tuple[frozenset[str], int], ...] = (
    *((frozenset([leaf]), 1) for leaf in ("apple", "pear", "beet", "leek")),
    (frozenset(["apple", "pear"]), 1),
    (frozenset(["beet", "leek"]), 1),
    (frozenset(["apple", "pear", "beet", "leek"]), 1),
    (frozenset(["rock"]), 3),
    (frozenset([""]), 3),
)
"""What is below each node, and how many levels it is from there to the parent; missing is below the root."""
_HEIGHT = 3
_NOISE = 1e-8
_INVISIBLE = "\u200b\u2060\ufeff"


@dataclass(frozen=True)
class Written:
    """A file as its reader sees it: names, and lines of texts; missing is the empty text."""

    names: list[str]
    lines: list[Line]

    @cached_property
    def columns(self) -> dict[str, list[str]]:
        return {name: [line[place] for line in self.lines] for place, name in enumerate(self.names)}

    def groups(self, names: Sequence[str]) -> list[list[int]]:
        """The rows that agree on these columns."""
        groups: defaultdict[Line, list[int]] = defaultdict(list)
        columns = [self.columns[name] for name in names]
        for row in range(len(self.lines)):
            groups[tuple(column[row] for column in columns)].append(row)
        return list(groups.values())


def read_csv(path: Path) -> Written:
    """Read CSV with the csv module, strictly."""
    with path.open(encoding="utf-8", newline="") as stream:
        names, *lines = csv.reader(stream, strict=True)
    if any(len(line) != len(names) for line in lines):
        raise ValueError("a row of another width than the header")
    return Written(names, [tuple(line) for line in lines])


def read_parquet(path: Path) -> Written:
    """Read Parquet with pyarrow."""
    table = pyarrow.parquet.read_table(path, use_threads=False)
    columns = [list(map(as_text, column.to_pylist())) for column in table.columns]
    return Written(table.column_names, list(zip(*columns, strict=True)))


def as_text(value: object) -> str:
    """A value as text, alike for both kinds of file."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def without_disarming(file: Written) -> Written:
    """The file as it was before formulas got a ``'``, of which texts that had some have one more."""
    return Written(file.names, [tuple(map(_as_formula, line)) for line in file.lines])


def _as_formula(text: str) -> str:
    rest = text.lstrip("'")
    is_number = re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", rest, re.ASCII)
    return (
        text[1:]
        if text != rest and rest.startswith(("=", "+", "-", "@", "\t", "\r")) and not is_number
        else text
    )


def cleaned(value: object) -> str:
    """A value of the source as it may be published: composed, and without blanks around it."""
    text, before = as_text(value), None
    while text != before:
        text, before = text.strip().strip(_INVISIBLE), text
    return unicodedata.normalize("NFC", text)


# --- The promises ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """A file, what was promised, and the person behind each line where that is known."""

    file: Written
    quasi: Sequence[str]
    k: int | None
    promise: Promise
    persons: Sequence[Hashable] | None = None

    def broken(self) -> list[str]:
        """What of the promise does not hold, in words without cells."""
        found = []
        if self.k is not None and self.smallest(self.quasi) < self.k:
            found.append(f"a group of {self.smallest(self.quasi)} members, k is {self.k}")
        kind = self.promise["kind"]
        if kind == "k sets":
            for given, k in self.promise["sets"]:
                if self.smallest(given) < k:
                    found.append(f"a group over some columns of {self.smallest(given)} members, k is {k}")
        elif kind != "k":
            names = self.promise.get("given", self.quasi)
            n_broken = sum(not self._holds(group) for group in self.file.groups(names))
            if n_broken:
                found.append(f"{n_broken} groups break {kind}")
        return found

    def smallest(self, names: Sequence[str]) -> int:
        """The members of the smallest group: persons where they are known, rows otherwise."""
        members: Sequence[Hashable] = self.persons or range(len(self.file.lines))
        return min(len({members[row] for row in group}) for group in self.file.groups(names))

    def _holds(self, group: Sequence[int]) -> bool:
        counts, total = self.counted(group)
        shares = {value: Fraction(count, total) for value, count in counts.items()}
        check: Check = _CHECKS[self.promise["kind"]]
        return check(self.promise, counts, shares, self._overall)

    @cached_property
    def _overall(self) -> dict[str, Fraction]:
        counts, total = self.counted(range(len(self.file.lines)))
        return {value: Fraction(count, total) for value, count in counts.items()}

    def counted(self, rows: Iterable[int]) -> tuple[Counter[str], int]:
        """How often each value occurs in some rows, and among how many."""
        values = self.file.columns[self.promise["column"]]
        if self.persons is None:
            counts = Counter(values[row] for row in rows)
            return counts, counts.total()
        pairs = {(self.persons[row], values[row]) for row in rows}
        counts = Counter(value for _, value in pairs)
        way = _WAY_OF_PERSONS.get(self.promise["kind"], "persons")
        return counts, len(pairs) if way == "pairs" else len({person for person, _ in pairs})


def _distinct(promise: Promise, counts: Counter[str], shares: Shares, overall: Shares) -> bool:
    return len(counts) >= int(promise["l"])


def _entropy(promise: Promise, counts: Counter[str], shares: Shares, overall: Shares) -> bool:
    entropy = -sum(float(share) * math.log(float(share)) for share in shares.values())
    return math.exp(entropy) >= float(Fraction(promise["l"])) * (1 - _NOISE)


def _recursive(promise: Promise, counts: Counter[str], shares: Shares, overall: Shares) -> bool:
    ranked = sorted(counts.values(), reverse=True)
    rare = sum(ranked[promise["l"] - 1 :])
    return len(ranked) >= int(promise["l"]) and ranked[0] < Fraction(promise["c"]) * rare


def _equal(promise: Promise, counts: Counter[str], shares: Shares, overall: Shares) -> bool:
    moved = sum((abs(shares.get(value, 0) - overall[value]) for value in overall), Fraction(0)) / 2
    return moved <= Fraction(promise["t"])


def _ordered(promise: Promise, counts: Counter[str], shares: Shares, overall: Shares) -> bool:
    crossed, moved = Fraction(0), Fraction(0)
    for value in in_order(overall):
        crossed += shares.get(value, 0) - overall[value]
        moved += abs(crossed)
    return moved <= Fraction(promise["t"]) * max(len(overall) - 1, 1)


def in_order(values: Iterable[str]) -> list[str]:
    """Numbers by size, texts by text, missing last."""
    present = [value for value in values if value]
    is_numeric = all(value.lstrip("-").isdecimal() for value in present)
    by_number: Callable[[str], Any] = int
    return sorted(present, key=by_number if is_numeric else str) + [""] * ("" in set(values))


def _hierarchical(promise: Promise, counts: Counter[str], shares: Shares, overall: Shares) -> bool:
    moved = Fraction(0)
    for below, climb in _CLIMBS:
        inside = sum((shares.get(value, Fraction(0)) for value in below), Fraction(0))
        outside = sum((overall.get(value, Fraction(0)) for value in below), Fraction(0))
        moved += climb * abs(inside - outside)
    return moved <= 2 * _HEIGHT * Fraction(promise["t"])


def _alpha(promise: Promise, counts: Counter[str], shares: Shares, overall: Shares) -> bool:
    value = promise["value"]
    share = max(shares.values()) if value is None else shares.get(value, Fraction(0))
    return share <= Fraction(promise["alpha"])


def _template(promise: Promise, counts: Counter[str], shares: Shares, overall: Shares) -> bool:
    return shares.get(promise["value"], Fraction(0)) <= Fraction(promise["at_most"])


def _delta(promise: Promise, counts: Counter[str], shares: Shares, overall: Shares) -> bool:
    """``2**-delta < p/q < 2**delta``, both sides raised to the denominator of delta."""
    if promise["strict_zero"] and set(overall) - set(shares):
        return False
    delta = Fraction(promise["delta"])
    factor = Fraction(2) ** delta.numerator
    ratios = [(share / overall[value]) ** delta.denominator for value, share in shares.items()]
    return all(1 / factor < ratio < factor for ratio in ratios)


def _beta(promise: Promise, counts: Counter[str], shares: Shares, overall: Shares) -> bool:
    gains = {value: share / overall[value] - 1 for value, share in shares.items()}
    if any(gain > Fraction(promise["beta"]) for gain in gains.values()):
        return False
    if promise["likeness"] == "basic":
        return True
    return all(
        gain <= 0 or gain <= -math.log(float(overall[value])) * (1 + _NOISE) for value, gain in gains.items()
    )


_CHECKS: dict[str, Check] = {
    "distinct": _distinct,
    "entropy": _entropy,
    "recursive": _recursive,
    "closeness equal": _equal,
    "closeness ordered": _ordered,
    "closeness hierarchical": _hierarchical,
    "alpha": _alpha,
    "template": _template,
    "delta": _delta,
    "beta": _beta,
}
