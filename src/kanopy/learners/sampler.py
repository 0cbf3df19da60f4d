"""Rows with originals in the place of cells: for pipelines whose steps may change the number of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from kanopy.data.grammar import write_alone
from kanopy.errors import KanopyError
from kanopy.frames.tables import from_arrow, kind_of
from kanopy.learners.cells import CellColumn, CellTable
from kanopy.learners.encoding import ColumnEncoding, Urn
from kanopy.learners.reading import CodedClasses, Hierarchies, read_classified
from kanopy.learners.shares import check_weights


class CellSampler(BaseEstimator):  # type: ignore[misc]
    """Several copies of each row, in which every cell is an original drawn from what it may stand for.

    For imbalanced-learn's pipelines, whose samplers work when the pipeline is fitted, not when it predicts.
    What comes out is a plain table: numbers, and texts that stand for themselves. A training table in which
    nothing is generalized comes out as it is. ``EncodedClassifier(draws=...)`` is the same with a classifier
    behind it, and also averages over draws in prediction.

    Parameters
    ----------
    draws : int, default=3
        Copies of each row.
    weights : {"uniform", "frequency"}
        Whether the members of a cell are equally likely, or as likely as the column names each exactly.
    hierarchies : mapping, optional
        Column to a Hierarchy or its file: its nodes then stand for the values below them.
    random_state : int, RandomState or None
    """

    def __init__(
        self,
        *,
        draws: int = 3,
        weights: str = "uniform",
        hierarchies: Hierarchies | None = None,
        random_state: Any = None,
    ) -> None:
        self.draws = draws
        self.weights = weights
        self.hierarchies = hierarchies
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> CellSampler:
        """Check the input; nothing is learned."""
        self._checked(X, y)
        return self

    def fit_resample(self, X: Any, y: Any = None) -> tuple[Any, NDArray[Any]]:
        """The drawn rows and their classes; O(rows * draws * columns * log(members)).

        Returns
        -------
        rows, classes
            The copies of a row follow one another. A frame of the kind that came in, else an Arrow table.
        """
        table, classes = self._checked(X, y)
        n_copies = self.draws if table.is_open.any() else 1
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31 - 1))
        drawn = {column.name: self._drawn(column, n_copies, table, rng) for column in table.columns}
        labels: NDArray[Any] = np.repeat(classes.labels[classes.codes], n_copies)
        return from_arrow(pa.table(drawn), _kind(X)), labels

    def _checked(self, X: Any, y: Any) -> tuple[CellTable, CodedClasses]:
        check_weights(self.weights)
        if not isinstance(self.draws, int | np.integer) or self.draws < 1:
            raise ValueError(f"draws must be a whole number of at least 1, not {self.draws!r}")
        return read_classified(self, X, y, hierarchies=self.hierarchies)

    def _drawn(
        self, column: CellColumn, n_copies: int, table: CellTable, rng: np.random.Generator
    ) -> pa.Array:
        urn = Urn.of(column, ColumnEncoding.fit(column, self.weights))
        codes = urn.draw(np.repeat(column.ids, n_copies), rng.random(table.n_rows * n_copies))
        if column.numbers is None:
            values = pa.array([*map(write_alone, column.values), None], pa.string())
        else:
            values = pa.array([*column.numbers.tolist(), None], pa.float64())
        return values.take(pa.array(codes))


def _kind(X: Any) -> str:
    try:
        return kind_of(X)
    except KanopyError:  # an array, a path, a release
        return "pyarrow"
