"""What is published beside sketched cells, so that plain rows can be drawn from them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data.arrays import Codes, Floats
from kanopy.data.grammar import MISSING_TEXT
from kanopy.data.mixed_classes import MixedClasses
from kanopy.data.table import Domain, EncodedTable

if TYPE_CHECKING:
    from kanopy.data.partition import Partition

DRAWS, NORMAL = "draws", "normal"
WAYS = (DRAWS, NORMAL)
"""What linear models learn from: drawn rows, or normal numbers around what cells let expect."""
DECIMALS = 2
"""Digits after the point of a published correlation."""
SHRUNK = 0.02
"""How much of a published correlation is the identity."""
_NOISE = 1e-9

Orders = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """How to read a table of sketched cells.

    Parameters
    ----------
    orders : tuple of tuple of int
        Of each quasi-identifier, in policy order, the codes of its categories, from one end to the other;
        missing among them where it occurs. Codes that are left out come last, in their own order. Empty for
        numbers and dates, whose order is their own and whose missing values come last.
    correlation : array of float
        Of the quasi-identifiers, in policy order: one matrix for the whole table, with ones on its diagonal,
        rounded to two decimals.
    linear : {"draws", "normal"}
        What linear models learn best from.
    classes : MixedClasses or None
        How the class goes together with the quasi-identifiers, where groups have several.
    """

    orders: Orders
    correlation: Floats
    linear: str = DRAWS
    classes: MixedClasses | None = None

    def __post_init__(self) -> None:
        n_columns = len(self.orders)
        assert self.correlation.shape == (n_columns, n_columns), (
            "one line and one column per quasi-identifier"
        )
        assert self.linear in WAYS, "no such way to read cells for linear models"

    @staticmethod
    def rounded(correlation: Floats) -> Floats:
        """A correlation matrix as it is published: two decimals, symmetric, ones on the diagonal."""
        # PRIVACY: more digits would tell more about rows (tests/sabotage/test_sketch_gate.py).
        finite = np.nan_to_num((correlation + correlation.T) / 2)
        matrix = np.asarray(np.round(np.clip(finite, -1, 1), DECIMALS) + 0.0, dtype=np.float64)
        np.fill_diagonal(matrix, 1.0)
        return matrix


@dataclass(frozen=True, slots=True, eq=False)
class PublishedReading:
    """The same as it is published, in texts.

    Parameters
    ----------
    names : tuple of str
        The quasi-identifiers, in the order of the correlation.
    orders : mapping of str to tuple of str
        The categories of a column that its cells show, in their order; the empty text is missing.
    correlation : array of float
    linear : {"draws", "normal"}
    classes : MixedClasses or None
    """

    names: tuple[str, ...]
    orders: Mapping[str, tuple[str, ...]]
    correlation: Floats
    linear: str = DRAWS
    classes: MixedClasses | None = None

    @classmethod
    def of(
        cls, reading: Reading, domains: Sequence[Domain], shown: Mapping[str, Collection[str]]
    ) -> PublishedReading:
        """What of a reading may be told: ``shown`` are the values that the cells of each column name.

        PRIVACY: a value that is suppressed everywhere is not listed (tests/sabotage/test_sketch_gate.py).
        """
        orders = {}
        for domain, order in zip(domains, reading.orders, strict=True):
            labels = (*domain.labels, MISSING_TEXT)
            listed = tuple(labels[code] for code in order if labels[code] in shown[domain.name])
            if listed:
                orders[domain.name] = listed
        names = tuple(domain.name for domain in domains)
        return cls(names, orders, reading.correlation, reading.linear, reading.classes)

    def pull(self, classes: Sequence[Any] | NDArray[Any] | None, group: Codes) -> Floats | float:
        """How far the classes of rows move their normal numbers, as ``MixedClasses`` says; 0: not at all."""
        return 0.0 if self.classes is None or classes is None else self.classes.pull(classes, group)


def pooled_correlation(
    partition: Partition, table: EncodedTable, orders: Orders, further: Sequence[Floats] = ()
) -> Floats:
    """How the quasi-identifiers go together inside groups, over all of them at once; O(rows * columns^2).

    Each value lies where it lies in its column, each category at its place in the order, less the average of
    its group. Their correlation is shrunk by 2% to the identity, and rounded. ``further`` columns come last,
    each as the places of all rows.
    """
    kept = np.flatnonzero(partition.is_kept)
    group, weight = partition.group[kept], table.weight_of(kept)
    times = np.ones(len(kept)) if weight is None else weight.astype(np.float64)
    n_rows = np.bincount(group, times, minlength=partition.n_groups)
    lines = zip(table.quasi, orders, strict=True)
    of_quasi = (value_places(column.domain, order)[column.codes[kept]] for column, order in lines)
    residuals = list[Floats]()
    for values in chain(of_quasi, (each[kept] for each in further)):
        means = np.bincount(group, values * times, minlength=partition.n_groups) / np.maximum(n_rows, 1)
        residuals.append(values - means[group])
    # Not as one large matrix: filling new memory would take longer than all the rest.
    weighed = residuals if weight is None else [each * times for each in residuals]
    covariance = np.array([[one @ other for other in residuals] for one in weighed])
    spread = np.sqrt(np.diag(covariance))
    spread[spread <= _NOISE * np.sqrt(max(times.sum(), 1.0))] = np.inf  # alike in every group
    return Reading.rounded((1 - SHRUNK) * covariance / np.outer(spread, spread))


def value_places(domain: Domain, order: Sequence[int]) -> Floats:
    """Where each code lies: numbers on their scale, categories in an order; missing is last unless said."""
    if domain.is_numeric:
        return domain.positions
    named = np.array(order, dtype=np.int64)
    others = np.setdiff1d(np.arange(domain.n_codes), named)
    places = np.empty(domain.n_codes)
    places[np.concatenate([named, others])] = np.arange(domain.n_codes)
    return places
