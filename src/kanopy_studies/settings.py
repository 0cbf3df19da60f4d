"""The data sets as the papers used them: which rows, which quasi-identifiers, which k; and as codes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import Any

import numpy as np
import pyarrow.compute as pc

from kanopy.data import CodedColumn, EncodedTable
from kanopy.data.arrays import Ints
from kanopy.errors import PolicyError, near_name
from kanopy.evaluation.halves import Halves, binned
from kanopy.policy import Policy
from kanopy_studies.datasets import data_file, describe, load

KS = (5, 10, 15, 20, 30)
GERMAN9 = (
    "credit-history", "savings-account", "duration-months", "checking-account-status", "credit-amount",
    "purpose", "property", "installment-rate", "other-debtors",
)  # fmt: skip


ADULT11 = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "sex",
    "capital-gain", "hours-per-week", "native-country",
)  # fmt: skip
ADULT8 = (
    "age", "workclass", "fnlwgt", "occupation", "sex", "capital-gain", "hours-per-week", "native-country",
)  # fmt: skip
TREES = "hierarchies/adult/tds"
IN_TREES = (
    "workclass", "education", "marital-status", "occupation", "relationship", "race", "sex", "native-country",
)  # fmt: skip
"""Columns with a tree. Numbers are cut into bins beforehand, and the authors' program ignores their nodes."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A data set of ``kanopy_studies.datasets``, and how a paper used it."""

    name: str
    data: str
    quasi: tuple[str, ...] = ()
    """The quasi-identifiers; empty for all columns but the class."""
    complete_rows: bool = False
    """Whether rows with a missing value are left out."""
    note: str = ""
    """What a reader who compares with the papers must know."""
    trees: str = ""
    """The folder of hierarchies that TDS, TDR and kADET were given; empty where they had none."""


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting(
            "adult",
            "adult",
            complete_rows=True,
            note="Both parts, complete rows. kACTUS counts 48,842 rows, kACTUS-2 these 45,222.",
            trees=TREES,
        ),
        Setting(
            "adult11",
            "adult",
            quasi=ADULT11,
            complete_rows=True,
            note="Adult with eleven quasi-identifiers; the learner also sees the other columns.",
            trees=TREES,
        ),
        Setting(
            "adult8",
            "adult",
            quasi=ADULT8,
            complete_rows=True,
            note="Adult with eight quasi-identifiers; the learner also sees the other columns.",
            trees=TREES,
        ),
        Setting("german", "german"),
        Setting(
            "german9",
            "german",
            quasi=GERMAN9,
            note="The nine quasi-identifiers of kACTUS-2; the learner also sees the other columns.",
        ),
        Setting(
            "glass",
            "glass",
            note="Without the Id, which gives the class away; kACTUS counts 10 inputs and 7 classes.",
        ),
        Setting("ionosphere", "ionosphere"),
        Setting(
            "crx",
            "crx",
            note='"Japanese credit": kACTUS counts 125 rows, but its 15 columns and its accuracy are these.',
        ),
        Setting("nursery", "nursery"),
        Setting("pima", "pima"),
        Setting("tic_tac_toe", "tic_tac_toe"),
        Setting("vehicle", "vehicle", note="kACTUS counts 946 rows, of which 846 are public."),
        Setting("waveform40", "waveform40"),
    )
}


def find_setting(name: str) -> Setting:
    if name not in SETTINGS:
        hint = near_name(name, SETTINGS) or f"data sets: {', '.join(SETTINGS)}"
        raise PolicyError(f"no data set is called {name!r}", hint)
    return SETTINGS[name]


@lru_cache(maxsize=2)
def halves_of(name: str, k: int, *, with_trees: bool = False) -> Halves:
    """The rows of a setting, ready to be divided; with the trees of values that it has for some methods."""
    setting = find_setting(name)
    known = describe(setting.data)
    table = complete_rows(setting.data) if setting.complete_rows else load(setting.data)
    inputs = known.columns[:-1]
    quasi = setting.quasi or inputs
    policy = Policy(
        quasi_identifiers=quasi,
        keep=[column for column in inputs if column not in quasi],
        target=known.target,
        numeric=known.numeric,
        k=k,
        hierarchies=_trees(setting.trees, quasi) if with_trees else {},
    )
    return Halves.of(table, policy)


def _trees(folder: str, quasi: Iterable[str]) -> dict[str, str]:
    """The file with the tree of each column that has one; their licence forbids to ship them."""
    names = [name for name in quasi if folder and name in IN_TREES]
    return {name: str(data_file(f"{folder}/{name}.csv")) for name in names}


def with_leaking_bins(halves: Halves) -> Halves:
    """Numbers cut into bins by the classes of all rows, those of test rows too, as in the papers it seems."""
    return binned(halves, np.arange(halves.n_rows))


def complete_rows(data: str, part: str | None = None) -> Any:
    """The rows of a data set, or of a part of it, without a missing value."""
    table = load(data, part=part)
    return table.filter(reduce(pc.and_, [pc.not_equal(column, "") for column in table.columns]))


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Rows to learn from: inputs, all of them quasi-identifiers, and a class."""

    columns: tuple[CodedColumn, ...]
    target: CodedColumn

    @property
    def n_rows(self) -> int:
        return len(self.target.codes)

    @property
    def majority(self) -> float:
        """The share of the most frequent class."""
        return float(self.target.totals.max() / self.n_rows)

    def rows(self, rows: Ints) -> Sample:
        """Some of the rows; the domains keep all values."""
        columns = tuple(column.take(rows) for column in self.columns)
        return replace(self, columns=columns, target=self.target.take(rows))

    def with_columns(self, columns: Iterable[CodedColumn]) -> Sample:
        """The same rows with other inputs."""
        return replace(self, columns=tuple(columns))

    def encoded(self) -> EncodedTable:
        return EncodedTable(self.n_rows, self.columns, self.target)


@lru_cache(maxsize=2)
def load_sample(name: str) -> Sample:
    """A setting as codes; all its inputs must be quasi-identifiers."""
    halves = halves_of(name, 2)
    assert len(halves.quasi) == halves.inputs.num_columns
    return Sample(halves.quasi, halves.coded_target)
