"""Our C4.5 beside Weka's J48, on tables that everybody knows: the same trees? the same predictions?

Run it as a program, with KANOPY_DATA naming the folder of the tables: it prints a Markdown table.
"""

from __future__ import annotations

import csv
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from weka_program import Column, run_weka, write_arff

from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.trees import Discretizer, Tree, as_text, c45, predict
from kanopy_studies.raising import raised

J48 = "weka.classifiers.trees.J48"

COMPLETE = (
    "tic_tac_toe",
    "nursery",
    *(
        f"{name}, {kind}"
        for kind in ("binned", "numeric")
        for name in ("pima", "glass", "vehicle", "german", "crx")
    ),
)
MISSING = ("tic_tac_toe, blanked", "crx, all rows, binned", "crx, all rows, numeric")


def data_folder() -> Path | None:
    named = os.environ.get("KANOPY_DATA")
    return Path(named) if named and (Path(named) / "crx.csv").is_file() else None


def read_table(title: str) -> EncodedTable:
    """A table by its title here; columns, values and classes are given short names that need no quotes."""
    name, *remarks = title.split(", ")
    folder = data_folder()
    assert folder is not None, "KANOPY_DATA names no folder with the tables"
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    if name == "crx" and "all rows" not in remarks:
        rows = [row for row in rows if all(row)]
    if "blanked" in remarks:
        blank = np.random.default_rng(0).random((len(rows), len(rows[0]))) < 0.1
        blank[:, -1] = False
        rows = [
            ["" if gone else cell for cell, gone in zip(*pair, strict=True)]
            for pair in zip(rows, blank.tolist(), strict=True)
        ]
    *columns, classes = zip(*rows, strict=True)
    if name == "glass":  # J48 takes numbers for one that are less than 0.00001 apart
        columns[0] = tuple(f"{1000 * float(index):.6g}" for index in columns[0])
    quasi = tuple(_coded(f"c{number}", cells, "v") for number, cells in enumerate(columns))
    target = _coded("class", classes, "k")
    if "binned" in remarks:
        binned = Discretizer.fit(quasi, target).apply(quasi)
        quasi = tuple(
            _renamed(new) if new is not old else old for new, old in zip(binned, quasi, strict=True)
        )
    return EncodedTable(len(rows), quasi, target)


def _coded(name: str, cells: tuple[str, ...], letter: str) -> CodedColumn:
    """Numeric where all cells are numbers, but for the class."""
    known = sorted(set(cells) - {""})
    numbers = None
    if letter == "v":
        try:
            values = sorted({float(cell) for cell in known})
            numbers = np.array(values)
        except ValueError:
            pass
    if numbers is not None:
        code_of = {cell: values.index(float(cell)) for cell in known}
        labels = tuple(map(repr, values))
    else:
        code_of = {cell: code for code, cell in enumerate(known)}
        labels = tuple(f"{letter}{code}" for code in range(len(known)))
    codes = np.array([code_of.get(cell, len(labels)) for cell in cells], dtype=np.uint16)
    return CodedColumn(Domain(name, labels, numbers), codes)


def _renamed(column: CodedColumn) -> CodedColumn:
    labels = tuple(f"v{code}" for code in range(column.domain.n_values))
    return CodedColumn(Domain(column.domain.name, labels), column.codes)


def rows_at(table: EncodedTable, rows: np.ndarray) -> EncodedTable:
    assert table.target is not None
    quasi = tuple(CodedColumn(column.domain, column.codes[rows]) for column in table.quasi)
    return EncodedTable(len(rows), quasi, CodedColumn(table.target.domain, table.target.codes[rows]))


def halves(table: EncodedTable, n_times: int) -> Iterator[tuple[EncodedTable, EncodedTable]]:
    """The table in two, by chance but with equal shares of every class."""
    assert table.target is not None
    for seed in range(n_times):
        chance = np.random.default_rng(seed).random(table.n_rows)
        order = np.lexsort((chance, table.target.codes))
        yield rows_at(table, np.sort(order[::2])), rows_at(table, np.sort(order[1::2]))


def write_table(path: Path, table: EncodedTable) -> None:
    assert table.target is not None
    columns: list[Column] = []
    for column in (*table.quasi, table.target):
        labels = column.domain.labels
        values = [(*labels, None)[code] for code in column.codes.tolist()]
        columns.append((column.domain.name, "numeric" if column.domain.is_numeric else labels, values))
    write_arff(path, columns, "table")


Line = tuple[str, str, float, float, float]
"""Of a printed tree: indented test, class, threshold, rows, rows of other classes."""


def lines_of(text: str) -> list[Line]:
    """The nodes of a printed tree, with numbers as numbers."""
    found = []
    for line in text.splitlines():
        match = re.fullmatch(
            r"((?:\|   )*)(?:(\w+) (=|<=|>) (\S+?))?(?:: (\w+) \(([\d.]+)(?:/([\d.]+))?\))?", line.rstrip()
        )
        if match and match[0]:
            indent, column, sign, value, verdict, n_rows, n_others = match.groups()
            is_number = sign in ("<=", ">")
            test = f"{indent}{column} {sign} {'' if is_number else value}"
            threshold = float(value) if is_number else 0.0
            found.append((test, verdict or "", threshold, float(n_rows or 0), float(n_others or 0)))
    return found


def same_lines(ours: list[Line], theirs: list[Line]) -> bool:
    """Weka prints two decimals of rows and six of thresholds."""
    return (
        len(ours) == len(theirs)
        and all(our[:2] == their[:2] for our, their in zip(ours, theirs, strict=True))
        and np.allclose([line[2:] for line in ours], [line[2:] for line in theirs], rtol=1e-5, atol=0.0051)
    )


def weka_tree(folder: Path, train: EncodedTable, *options: str) -> list[Line]:
    write_table(folder / "train.arff", train)
    printed = run_weka(J48, "-t", folder / "train.arff", "-no-cv", "-M", "2", *options)
    tree = printed.split("------------------", 1)[1].split("Number of Leaves", 1)[0]
    return lines_of(tree)


def weka_predictions(folder: Path, train: EncodedTable, test: EncodedTable, *options: str) -> np.ndarray:
    write_table(folder / "train.arff", train)
    write_table(folder / "test.arff", test)
    printed = run_weka(
        J48, "-t", folder / "train.arff", "-T", folder / "test.arff", "-p", "0", "-M", "2", *options
    )
    found = re.findall(r"^\s*\d+\s+\d+:\S+\s+(\d+):", printed, flags=re.MULTILINE)
    assert len(found) == test.n_rows
    return np.array(found, dtype=np.int64) - 1


@dataclass
class Comparison:
    """Of one way to prune, over several halves of one table."""

    n_times: int = 0
    same_trees: int = 0
    same_predictions: float = 0.0
    our_accuracy: float = 0.0
    their_accuracy: float = 0.0

    def add(self, ours: np.ndarray, theirs: np.ndarray, truth: np.ndarray, *, same_tree: bool) -> None:
        self.n_times += 1
        self.same_trees += same_tree
        self.same_predictions += float((ours == theirs).mean())
        self.our_accuracy += float((ours == truth).mean())
        self.their_accuracy += float((theirs == truth).mean())

    def cells(self) -> list[str]:
        shares = (self.same_predictions, self.our_accuracy, self.their_accuracy)
        return [
            f"{self.same_trees} of {self.n_times}",
            *(f"{100 * share / self.n_times:.2f}" for share in shares),
        ]


PAIRS = {
    "neither raises": (False, ["-S"]),
    "both raise": (True, []),
    "only J48 raises": (False, []),
}
"""Whether we raise subtrees, and the options of J48."""


def compare(title: str, n_times: int, folder: Path, *, with_trees: bool = True) -> dict[str, Comparison]:
    """Learn from one half, predict the other; without trees, in half of the time, none counts as the same."""
    found = {pair: Comparison() for pair in PAIRS}
    for train, test in halves(read_table(title), n_times):
        assert test.target is not None
        theirs = {
            len(options): (
                weka_tree(folder, train, *options) if with_trees else None,
                weka_predictions(folder, train, test, *options),
            )
            for options in (["-S"], [])
        }
        for pair, (raises, options) in PAIRS.items():
            tree = grown(train, title, raises=raises)
            predictions = predict(tree, [column.codes for column in test.quasi], test.n_rows)
            their_lines, their_predictions = theirs[len(options)]
            our_lines = lines_of(as_text(tree, test.target.domain.labels))
            same = their_lines is not None and same_lines(our_lines, their_lines)
            found[pair].add(predictions, their_predictions, test.target.codes, same_tree=same)
    return found


def grown(table: EncodedTable, title: str, *, raises: bool) -> Tree:
    share_missing = title in MISSING
    tree = c45(table, min_rows=2, share_missing=share_missing, prune=not raises)
    return raised(tree, table, share_missing=share_missing) if raises else tree


def main(n_times: int = 10) -> None:
    print("| table | subtrees | same trees | same predictions, % | our accuracy, % | J48's accuracy, % |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for title in (*COMPLETE, *MISSING):
            for pair, comparison in compare(title, n_times, Path(folder)).items():
                print("|", " | ".join([title, pair, *comparison.cells()]), "|", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
