"""The three data sets of the paper on Top-Down Disclosure, divided as it divided them.

Only the categorical attributes are used, and only complete rows: CRX has 9 attributes and 465 + 188 rows,
Adult 8 and 30,162 + 15,060, German 13 and 666 + 334.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from evidence import datasets
from evidence.datasets import Sample
from kanopy.errors import InputError

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
        Where ``KANOPY_DATA`` names no folder with its files, or the split is that of another table.
    """
    sample = _categorical(datasets.load(name))
    split = PROTOCOLS[name].split
    if not split:
        n_train = datasets.complete(datasets.read_file(datasets.find(name).files[0])).num_rows
        return PreSplit(sample, np.arange(n_train), np.arange(n_train, sample.n_rows))
    told = datasets.read_file(split).to_pydict()
    if told["row"] != [str(number) for number in range(1, sample.n_rows + 1)]:
        raise InputError(f"{split} does not tell the part of every row", "take it from the same folder")
    part = np.array(told["part"])
    return PreSplit(sample, np.flatnonzero(part == "train"), np.flatnonzero(part == "test"))


def _categorical(sample: Sample) -> Sample:
    columns = tuple(column for column in sample.columns if not column.domain.is_numeric)
    return replace(sample, columns=columns, is_quasi=(True,) * len(columns))
