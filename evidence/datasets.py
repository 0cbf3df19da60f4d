"""The ten data sets of the kACTUS papers, read from the folder that ``KANOPY_DATA`` names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kanopy.data import CodedColumn, EncodedTable
from kanopy.errors import InputError, PolicyError
from kanopy.frames.encode import encode
from kanopy.frames.source import read_source
from kanopy.policy import Policy

Ints = NDArray[np.int64]

DATA_FOLDER = "KANOPY_DATA"
KS = (5, 10, 15, 20, 30)


@dataclass(frozen=True, slots=True)
class DataSet:
    """Where a table is, and how the papers used it.

    Parameters
    ----------
    name : str
    files : tuple of str
        Below each other; the class is the last column.
    numeric : tuple of str
        Columns of numbers that do not look like numbers.
    quasi : tuple of str
        The quasi-identifiers; empty for all columns but the class.
    ks : tuple of int
        Those of kACTUS, of kACTUS-2, and of the request.
    complete_rows : bool
        Whether rows with a missing value are left out.
    note : str
        What a reader who compares with the papers must know.
    """

    name: str
    files: tuple[str, ...]
    numeric: tuple[str, ...] = ()
    quasi: tuple[str, ...] = ()
    ks: tuple[int, ...] = KS
    complete_rows: bool = False
    note: str = ""


GERMAN_QUASI = (
    "credit-history",
    "savings-account",
    "duration-months",
    "checking-account-status",
    "credit-amount",
    "purpose",
    "property",
    "installment-rate",
    "other-debtors",
)

DATA_SETS = {
    chosen.name: chosen
    for chosen in (
        DataSet(
            "adult",
            ("adult_train.csv", "adult_test.csv"),
            ks=(*KS, 50, 100, 500, 1000),
            complete_rows=True,
            note="Both parts, complete rows. kACTUS counts 48,842 rows, kACTUS-2 these 45,222.",
        ),
        DataSet("german", ("german.csv",)),
        DataSet(
            "german9",
            ("german.csv",),
            quasi=GERMAN_QUASI,
            ks=(*KS, 40, 50, 80, 100),
            note="The nine quasi-identifiers of kACTUS-2; the learner also sees the other columns.",
        ),
        DataSet(
            "glass",
            ("glass.csv",),
            note="Without the Id, which gives the class away; kACTUS counts 10 inputs and 7 classes.",
        ),
        DataSet("ionosphere", ("ionosphere.csv",)),
        DataSet(
            "crx",
            ("crx.csv",),
            numeric=("A2", "A3", "A8", "A11", "A14", "A15"),
            note='"Japanese credit": kACTUS counts 125 rows, but its 15 columns and its accuracy are these.',
        ),
        DataSet("nursery", ("nursery.csv",)),
        DataSet("pima", ("pima.csv",)),
        DataSet("tic_tac_toe", ("tic_tac_toe.csv",)),
        DataSet("vehicle", ("vehicle.csv",), note="kACTUS counts 946 rows, of which 846 are public."),
        DataSet("waveform40", ("waveform40.csv",), ks=(*KS, 40, 50)),
    )
}


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Rows to learn from: inputs, of which some are quasi-identifiers, and a class."""

    columns: tuple[CodedColumn, ...]
    target: CodedColumn
    is_quasi: tuple[bool, ...]

    @property
    def n_rows(self) -> int:
        return len(self.target.codes)

    @property
    def n_numeric(self) -> int:
        return sum(column.domain.is_numeric for column in self.columns)

    @property
    def quasi(self) -> tuple[CodedColumn, ...]:
        return tuple(column for column, is_quasi in zip(self.columns, self.is_quasi, strict=True) if is_quasi)

    @property
    def majority(self) -> float:
        """The share of the most frequent class."""
        return float(self.target.totals.max() / self.n_rows)

    def rows(self, rows: Ints) -> Sample:
        """Some of the rows, with all values that any row has: as an ARFF header would list them."""
        return replace(
            self,
            columns=tuple(_taken(column, rows) for column in self.columns),
            target=_taken(self.target, rows),
        )

    def with_quasi(self, quasi: Sequence[CodedColumn]) -> Sample:
        """The same rows with other cells in the quasi-identifiers."""
        given = iter(quasi)
        columns = [
            next(given) if is_quasi else column
            for column, is_quasi in zip(self.columns, self.is_quasi, strict=True)
        ]
        return replace(self, columns=tuple(columns))

    def released_part(self) -> EncodedTable:
        """What a method gets: the quasi-identifiers and the class."""
        return EncodedTable(self.n_rows, self.quasi, self.target)


def _taken(column: CodedColumn, rows: Ints) -> CodedColumn:
    return CodedColumn(column.domain, column.codes[rows])


def find(name: str) -> DataSet:
    """The data set of that name."""
    if name not in DATA_SETS:
        raise PolicyError(f"no data set is called {name!r}", f"data sets: {', '.join(DATA_SETS)}")
    return DATA_SETS[name]


@lru_cache(maxsize=2)
def load(name: str) -> Sample:
    """Read a data set; O(rows * columns).

    Raises
    ------
    InputError
        Where ``KANOPY_DATA`` names no folder with its files.
    """
    chosen = find(name)
    table = pa.concat_tables([read_file(file) for file in chosen.files])
    if chosen.complete_rows:
        table = complete(table)
    *inputs, target = table.column_names
    policy = Policy(quasi_identifiers=inputs, target=target, numeric=chosen.numeric, k=2)
    encoded = encode(table, policy).table
    assert encoded.target is not None
    quasi = frozenset(chosen.quasi or inputs)
    return Sample(encoded.quasi, encoded.target, tuple(name in quasi for name in inputs))


def complete(table: Any) -> Any:
    """The rows without a missing value."""
    return table.filter(reduce(pc.and_, [pc.not_equal(column, "") for column in table.columns]))


def read_file(file: str) -> Any:
    """A file of the folder that ``KANOPY_DATA`` names, all cells as text."""
    folder = os.environ.get(DATA_FOLDER)
    if not folder or not (Path(folder) / file).is_file():
        raise InputError(f"{file} is not there", f"set {DATA_FOLDER} to the folder that holds it")
    return read_source(Path(folder) / file)
