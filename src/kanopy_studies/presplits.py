"""The three data sets of the paper on Top-Down Disclosure, divided as it divided them.

Only the categorical attributes are used, and only complete rows: CRX has 9 attributes and 465 + 188 rows,
Adult 8 and 30,162 + 15,060, German 13 and 666 + 334.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.errors import InputError, PolicyError, ResourceError, near_name
from kanopy.frames.source import read_source
from kanopy_studies import samples
from kanopy_studies.datasets import load as load_data_set
from kanopy_studies.datasets.loading import DATA_FOLDER
from kanopy_studies.samples import Sample
from kanopy_studies.settings import complete

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Protocol:
    """How the paper used a data set.

    Parameters
    ----------
    split : str
        The file that tells which row is in which part; empty where the parts are files of their own.
    thresholds : tuple of int
        The confidences h, in percent, over which errors are averaged.
    n_top : int
        How many attributes are sensitive at most.
    """

    split: str
    thresholds: tuple[int, ...]
    n_top: int


PROTOCOLS = {
    "crx": Protocol("splits/crx_mlc_split.csv", (50, 70, 90), 4),
    "adult": Protocol("", (10, 30, 50, 70, 90), 4),
    "german": Protocol("splits/german_mlc_split.csv", (30, 50, 70, 90), 6),
}


@dataclass(frozen=True, eq=False)
class PreSplit:
    """A table and the rows of its two parts.

    Parameters
    ----------
    sample : Sample
        The categorical attributes and the class of all rows.
    train_rows, test_rows : arrays of int
    """

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
    """Read a data set and its parts; O(rows * columns).

    Raises
    ------
    InputError
        Where the split is that of another table.
    ResourceError
        Where a file is nowhere to be had.
    """
    sample = _categorical(samples.load(name))
    split = PROTOCOLS[name].split
    if not split:
        n_train = complete(load_data_set(name, part="train")).num_rows
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


def _categorical(sample: Sample) -> Sample:
    return sample.with_columns(column for column in sample.columns if not column.domain.is_numeric)


def _split_file(name: str) -> Any:
    """The file that tells the parts, from the folder that ``KANOPY_DATA`` names: no archive has it."""
    folder = os.environ.get(DATA_FOLDER)
    if not folder or not (Path(folder) / name).is_file():
        raise ResourceError(f"{name} is not there", f"set {DATA_FOLDER} to the folder that holds it")
    return read_source(Path(folder) / name)
