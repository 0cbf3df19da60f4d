"""The three data sets of the paper on Top-Down Disclosure, divided as it divided them.

Only the categorical attributes are used, and only complete rows: CRX has 9 attributes and 465 + 188 rows,
Adult 8 and 30,162 + 15,060, German 13 and 666 + 334.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from kanopy.data.arrays import Ints
from kanopy.errors import InputError, PolicyError, near_name
from kanopy.frames.source import read_source
from kanopy_studies.datasets import data_file
from kanopy_studies.settings import Sample, complete_rows, load_sample


@dataclass(frozen=True, slots=True)
class Protocol:
    """How the paper used a data set."""

    split: str
    """The file with the part of every row; empty where the parts are files of their own."""
    thresholds: tuple[int, ...]
    """The confidences h, in percent, over which errors are averaged."""
    n_top: int
    """How many attributes are sensitive at most."""


PROTOCOLS = {
    "crx": Protocol("splits/crx_mlc_split.csv", (50, 70, 90), 4),
    "adult": Protocol("", (10, 30, 50, 70, 90), 4),
    "german": Protocol("splits/german_mlc_split.csv", (30, 50, 70, 90), 6),
}


@dataclass(frozen=True, eq=False)
class PreSplit:
    """The categorical attributes and the class of all rows, and the rows of the two parts."""

    sample: Sample
    train_rows: Ints
    test_rows: Ints

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.domain.name for column in self.sample.columns)

    @cached_property
    def train(self) -> Sample:
        return self.sample.rows(self.train_rows)

    @cached_property
    def test(self) -> Sample:
        return self.sample.rows(self.test_rows)

    @cached_property
    def whole(self) -> Sample:
        """Both parts; rows that are in neither are left out."""
        return self.sample.rows(np.sort(np.concatenate([self.train_rows, self.test_rows])))


@lru_cache(maxsize=1)
def load_pre_split(name: str) -> PreSplit:
    """Read a data set and its parts."""
    whole = load_sample(name)
    sample = whole.with_columns(column for column in whole.columns if not column.domain.is_numeric)
    split = PROTOCOLS[name].split
    if not split:
        n_train = complete_rows(name, "train").num_rows
        return PreSplit(sample, np.arange(n_train), np.arange(n_train, sample.n_rows))
    told = _split_file(split).to_pydict()
    rows = [str(number) for number in range(1, sample.n_rows + 1)]
    if told.get("row") != rows or "part" not in told:
        raise InputError(f"{split} does not tell the part of every row", "take it from the same folder")
    part = np.array(told["part"])
    return PreSplit(sample, np.flatnonzero(part == "train"), np.flatnonzero(part == "test"))


def check_pre_splits(names: Sequence[str]) -> None:
    """Refuse data sets that the paper did not use."""
    for name in names:
        if name not in PROTOCOLS:
            hint = near_name(name, PROTOCOLS) or f"data sets: {', '.join(PROTOCOLS)}"
            raise PolicyError(f"the paper has no data set {name!r}", hint)


def _split_file(name: str) -> Any:
    """The file with the parts, from the folder that ``KANOPY_DATA`` names: no archive has it."""
    return read_source(data_file(name))
