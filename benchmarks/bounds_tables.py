"""Tables of about one megabyte that are hard on memory or time, each with the policy it is released under."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

N_BYTES = 1_000_000
"""About what every table takes as CSV."""


@dataclass(frozen=True, slots=True)
class HardTable:
    """A table as columns of texts, and what a policy says about it.

    Parameters
    ----------
    columns : dict of str to list of str
    k : int
    target, person : str or None
    sensitive : tuple of str
    privacy : str
        Further sections of the policy file.
    hierarchies : dict of str to list of str
        The lines of a hierarchy file, by column.
    """

    columns: Mapping[str, Sequence[str]]
    k: int = 10
    target: str | None = "class"
    sensitive: tuple[str, ...] = ()
    person: str | None = None
    privacy: str = ""
    hierarchies: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def quasi(self) -> list[str]:
        others = {self.target, self.person, *self.sensitive}
        return [name for name in self.columns if name not in others]

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Write ``table.csv`` and ``policy.toml``; returns their paths."""
        folder.mkdir(parents=True, exist_ok=True)
        table, policy = folder / "table.csv", folder / "policy.toml"
        lines = (",".join(row) for row in zip(*self.columns.values(), strict=True))
        table.write_text("\n".join([",".join(self.columns), *lines]) + "\n", encoding="utf-8")
        policy.write_text(self._policy(folder), encoding="utf-8")
        return table, policy

    def _policy(self, folder: Path) -> str:
        listed = ",".join(f'"{name}"' for name in self.quasi)
        lines = [f"quasi_identifiers=[{listed}]"]
        lines += [f'target = "{self.target}"'] if self.target else []
        lines += [f'person = "{self.person}"'] if self.person else []
        lines += ["sensitive = [{}]".format(",".join(f'"{name}"' for name in self.sensitive))]
        lines += ["[privacy]", f"k = {self.k}", self.privacy]
        for column, hierarchy in self.hierarchies.items():
            (folder / f"{column}.csv").write_text("\n".join(hierarchy) + "\n", encoding="utf-8")
        if self.hierarchies:
            lines += ["[hierarchies]", *(f'{column} = "{column}.csv"' for column in self.hierarchies)]
        return "\n".join(lines) + "\n"


def _ints(draw: np.random.Generator, n_rows: int, below: int) -> list[str]:
    return [str(value) for value in draw.integers(0, below, n_rows).tolist()]


def _texts(numbers: Sequence[str], prefix: str = "v") -> list[str]:
    return [prefix + number for number in numbers]


def _unique_texts(n_rows: int, prefix: str = "t") -> list[str]:
    """All different, in no order that helps."""
    return [f"{prefix}{(number * 7919) % 1_000_003:06d}" for number in range(n_rows)]


def _labels(n_rows: int) -> list[str]:
    return ["yes" if number % 2 else "no" for number in range(n_rows)]


def many_classes(draw: np.random.Generator) -> HardTable:
    """20,000 classes on 45,000 rows."""
    n = 45_000
    classes = _texts(_ints(draw, n, 20_000), "c")
    return HardTable({"age": _ints(draw, n, 90), "zip": _ints(draw, n, 9000), "class": classes})


def hundred_classes(draw: np.random.Generator) -> HardTable:
    """2,000 classes of some 40 rows each: no mistake, only many."""
    n = 80_000
    return HardTable({"a": _ints(draw, n, 1000), "b": _ints(draw, n, 90), "class": _ints(draw, n, 2000)})


def identifier_as_target(draw: np.random.Generator) -> HardTable:
    """The class is a number that is different in every row."""
    n = 50_000
    return HardTable({"age": _ints(draw, n, 90), "zip": _ints(draw, n, 9000), "class": _unique_texts(n, "")})


def unique_texts(draw: np.random.Generator) -> HardTable:
    """Four columns of texts that never repeat."""
    n = 27_000
    columns = {f"t{number}": _unique_texts(n, "abcd"[number]) for number in range(4)}
    del draw
    return HardTable({**columns, "class": _labels(n)})


def one_unique_text(draw: np.random.Generator) -> HardTable:
    """One column of texts that never repeat."""
    n = 90_000
    del draw
    return HardTable({"t": _unique_texts(n), "class": _labels(n)})


def alternating(draw: np.random.Generator) -> HardTable:
    """One number and a class that changes with every step of it."""
    n = 120_000
    del draw
    return HardTable({"x": [str(number) for number in range(n)], "class": ["ab"[i % 2] for i in range(n)]})


def one_column(draw: np.random.Generator) -> HardTable:
    """One number of few values on many rows, without a class."""
    return HardTable({"x": _ints(draw, 250_000, 1000)}, target=None)


def unique_numbers(draw: np.random.Generator) -> HardTable:
    """Three numbers that never repeat."""
    n = 45_000
    numbers = {name: [str(value) for value in draw.permutation(n).tolist()] for name in "xyz"}
    return HardTable({**numbers, "class": _labels(n)})


def wide(n_columns: int, n_values: int) -> Callable[[np.random.Generator], HardTable]:
    """As many rows as a megabyte takes."""

    def made(draw: np.random.Generator) -> HardTable:
        cell = 2 if n_values <= 10 else 4
        name_bytes = len(str(n_columns)) + 2
        n = max(4, (N_BYTES - n_columns * name_bytes) // (cell * n_columns))
        columns = {f"c{number}": _texts(_ints(draw, n, n_values), "") for number in range(n_columns)}
        columns = {name: _texts(cells, "v") for name, cells in columns.items()} if n_values > 10 else columns
        return HardTable({**columns, "class": _labels(n)}, k=2)

    return made


def long_cell(draw: np.random.Generator) -> HardTable:
    """One cell of 900 kB."""
    n = 1000
    texts = _texts(_ints(draw, n, 50))
    texts[17] = "w" * 900_000
    return HardTable({"t": texts, "x": _ints(draw, n, 90), "class": _labels(n)})


def long_cells(draw: np.random.Generator) -> HardTable:
    """100 cells of 9 kB each, all different."""
    n = 1000
    texts = _texts(_ints(draw, n, 50))
    texts[:100] = [f"{number}" + "w" * 9000 for number in range(100)]
    return HardTable({"t": texts, "x": _ints(draw, n, 90), "class": _labels(n)})


def all_equal(draw: np.random.Generator) -> HardTable:
    """Every row the same."""
    n = 100_000
    del draw
    return HardTable({"a": ["1"] * n, "b": ["x"] * n, "c": ["y"] * n, "class": ["no"] * n})


def mostly_missing(draw: np.random.Generator) -> HardTable:
    """Twenty columns of which one cell in twenty is filled."""
    n = 35_000
    columns = {}
    for number in range(20):
        is_filled = draw.random(n) < 0.05
        cells = _ints(draw, n, 1000)
        columns[f"c{number}"] = [
            text if filled else "" for text, filled in zip(cells, is_filled, strict=True)
        ]
    return HardTable({**columns, "class": _labels(n)})


def correlated(draw: np.random.Generator) -> HardTable:
    """Ten columns that follow each other, and the class with them, step by step."""
    n = 22_000
    base = np.sort(draw.integers(0, 10_000, n))
    columns = {
        f"c{number}": [str(value) for value in (base // (number + 1)).tolist()] for number in range(10)
    }
    return HardTable({**columns, "class": [f"k{value % 7}" for value in (base // 3).tolist()]}, k=2)


def binary(draw: np.random.Generator) -> HardTable:
    """Fifty columns of two values each."""
    n = 9_500
    columns = {f"b{number}": _ints(draw, n, 2) for number in range(50)}
    return HardTable({**columns, "class": _labels(n)}, k=2)


def _with_secret(draw: np.random.Generator, privacy: str, k: int = 10) -> HardTable:
    n = 45_000
    secret = [str(value) for value in draw.permutation(n).tolist()]
    columns = {"age": _ints(draw, n, 90), "zip": _ints(draw, n, 9000), "secret": secret}
    return HardTable({**columns, "class": _labels(n)}, k=k, sensitive=("secret",), privacy=privacy)


def ordered_closeness(draw: np.random.Generator) -> HardTable:
    """A sensitive number that never repeats, with ordered closeness."""
    promise = '[[privacy.closeness]]\ncolumn = "secret"\nt = 0.3\ndistance = "ordered"'
    return _with_secret(draw, promise)


def equal_closeness(draw: np.random.Generator) -> HardTable:
    """A sensitive number that never repeats, with closeness of equal distances."""
    promise = '[[privacy.closeness]]\ncolumn = "secret"\nt = 0.99\ndistance = "equal"'
    return _with_secret(draw, promise)


def diverse(draw: np.random.Generator) -> HardTable:
    """A sensitive number that never repeats, with l-diversity."""
    return _with_secret(draw, '[[privacy.diversity]]\ncolumn = "secret"\nl = 5')


def entropy_diverse(draw: np.random.Generator) -> HardTable:
    """A sensitive number that never repeats, with entropy l-diversity."""
    return _with_secret(draw, '[[privacy.diversity]]\ncolumn = "secret"\nkind = "entropy"\nl = 5')


def persons(draw: np.random.Generator) -> HardTable:
    """Some two rows a person."""
    n = 50_000
    columns = {"person": _ints(draw, n, 25_000), "age": _ints(draw, n, 90), "zip": _ints(draw, n, 9000)}
    return HardTable({**columns, "class": _labels(n)}, person="person")


def _plain(draw: np.random.Generator, n: int, **others: object) -> HardTable:
    columns = {"age": _ints(draw, n, 90), "zip": _ints(draw, n, 9000), "job": _texts(_ints(draw, n, 300))}
    return HardTable({**columns, "class": _labels(n)}, **others)  # type: ignore[arg-type]


def smallest_k(draw: np.random.Generator) -> HardTable:
    """k = 2."""
    return _plain(draw, 60_000, k=2)


def largest_k(draw: np.random.Generator) -> HardTable:
    """k is half of the rows."""
    return _plain(draw, 60_000, k=30_000)


def several_sets(draw: np.random.Generator) -> HardTable:
    """Several sets of quasi-identifiers, each with its k, and a template."""
    promise = "\n".join(
        [
            '[[privacy.anonymity]]\ngiven = ["age", "zip"]\nk = 20',
            '[[privacy.anonymity]]\ngiven = ["zip", "job"]\nk = 15',
            '[[privacy.anonymity]]\ngiven = ["job"]\nk = 40',
        ]
    )
    return _plain(draw, 60_000, k=5, privacy=promise)


def large_hierarchy(draw: np.random.Generator) -> HardTable:
    """Two hierarchies of 10,000 leaves."""
    n = 60_000
    codes = {name: draw.integers(0, 10_000, n).tolist() for name in ("place", "job")}
    columns = {name: [f"{name[0]}{code:04d}" for code in found] for name, found in codes.items()}
    lines = {
        name: [
            ";".join([f"{name[0]}{code:04d}", *(f"{name[0]}{code // 10**up}x{up}" for up in (1, 2, 3)), "*"])
            for code in range(10_000)
        ]
        for name in columns
    }
    return HardTable({**columns, "class": _labels(n)}, hierarchies=lines)


def repeated_texts(draw: np.random.Generator) -> HardTable:
    """6,000 texts of some twenty rows each: many values that can be disclosed one by one."""
    n = 130_000
    del draw
    texts = _texts([str(number % 6000) for number in range(n)])
    return HardTable({"t": texts, "class": ["ab"[number // 6000 % 2] for number in range(n)]}, k=5)


def same_columns(draw: np.random.Generator) -> HardTable:
    """2,000 columns that all say the same."""
    n = 240
    cells = _ints(draw, n, 3)
    return HardTable({**{f"c{number}": cells for number in range(2000)}, "class": _labels(n)}, k=5)


def staircase(draw: np.random.Generator) -> HardTable:
    """A class for every forty numbers: a tree may peel them off one by one."""
    n = 80_000
    del draw
    return HardTable({"x": [str(i) for i in range(n)], "class": [f"c{i // 40}" for i in range(n)]})


def text_pairs(draw: np.random.Generator) -> HardTable:
    """Two columns of thousands of texts, and two numbers."""
    n = 40_000
    columns = {"a": _texts(_ints(draw, n, 20_000)), "b": _texts(_ints(draw, n, 5000))}
    return HardTable(
        {**columns, "x": _ints(draw, n, 1000), "y": _ints(draw, n, 90), "class": _labels(n)}, k=5
    )


TABLES: dict[str, Callable[[np.random.Generator], HardTable]] = {
    "many-classes": many_classes,
    "2000-classes": hundred_classes,
    "id-target": identifier_as_target,
    "unique-texts": unique_texts,
    "one-unique-text": one_unique_text,
    "alternating": alternating,
    "one-column": one_column,
    "unique-numbers": unique_numbers,
    "200-columns": wide(200, 1000),
    "200-small": wide(200, 4),
    "2000-columns": wide(2000, 10),
    "10000-columns": wide(9_999, 10),
    "100000-columns": wide(100_000, 10),
    "long-cell": long_cell,
    "long-cells": long_cells,
    "all-equal": all_equal,
    "missing": mostly_missing,
    "correlated": correlated,
    "binary": binary,
    "closeness-ordered": ordered_closeness,
    "closeness-equal": equal_closeness,
    "diversity": diverse,
    "entropy": entropy_diverse,
    "persons": persons,
    "k-2": smallest_k,
    "k-half": largest_k,
    "several-sets": several_sets,
    "hierarchies": large_hierarchy,
    "text-pairs": text_pairs,
    "repeated-texts": repeated_texts,
    "same-columns": same_columns,
    "staircase": staircase,
}
