"""Originals drawn for cells: a classifier that learns from drawn rows, and the drawn rows themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model._base import LinearClassifierMixin
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from threadpoolctl import threadpool_limits

from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.data.grammar import SUPPRESSED_TEXT, write_alone
from kanopy.data.normal_rows import normal_features
from kanopy.errors import KanopyError
from kanopy.frames.tables import from_arrow, kind_of
from kanopy.learners.cells import CellColumn, CellTable, Drawn, Rest, Weights, check_weights
from kanopy.learners.encoder import CategoryCodes, ColumnEncoding, EncodesCells, stacked
from kanopy.learners.manifests import ManifestSource
from kanopy.learners.reading import CodedClasses, Hierarchies, read_classified

_COPIES = 10
"""Draws that stand for a generalized row where the classifier was trained on codes without any."""


class Urn(NamedTuple):
    """What each cell of a column may stand for, one after the other."""

    upper: Floats  # the cell's number plus the shares up to and including this one, ascending
    codes: Ints  # ``n_values`` for missing
    last: Ints  # per cell

    @classmethod
    def of(cls, column: CellColumn, encoding: ColumnEncoding) -> Urn:
        """O(members). A cell of which nothing is known at all counts as missing."""
        column, members, missing = encoding.shares(column)
        owners = np.concatenate([column.cell_of_member, np.arange(column.n_cells)])
        codes = np.concatenate([column.members, np.full(column.n_cells, column.n_values)])
        things = np.concatenate([members, missing])
        things[len(members) :][np.bincount(owners, things, minlength=column.n_cells) <= 0] = 1.0
        order = np.argsort(owners, kind="stable")  # by cell, missing last
        order = order[things[order] > 0]
        things, owners, codes = things[order], owners[order], codes[order]
        ends = np.cumsum(np.bincount(owners, minlength=column.n_cells))
        total = np.cumsum(things)
        before = np.concatenate([[0.0], total])[np.concatenate([[0], ends[:-1]])]
        upper = owners + np.minimum(total - before[owners], 1.0)
        return cls(upper, codes, ends - 1)

    def draw(self, cells: NDArray[np.integer], chances: Floats) -> Ints:
        """For each cell and chance in [0, 1) one code; O(draws * log(members))."""
        place = np.searchsorted(self.upper, cells + chances, side="right")
        # Rounding may leave the last upper end of a cell a little below the next cell.
        return np.asarray(self.codes[np.minimum(place, self.last[cells])])


def spread_chances(n_draws: int, n_columns: int, rng: np.random.Generator) -> Floats:
    """Chances for draws (down) from columns (across): a Latin hypercube, so that few draws suffice."""
    parts = np.array([rng.permutation(n_draws) for _ in range(n_columns)]).T
    return (parts + rng.random((n_draws, n_columns))) / n_draws


class EncodedClassifier(EncodesCells, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Trains a classifier on cells that are turned into numbers.

    Cells become features as in ``GeneralizedEncoder``. Without draws the classifier is trained on what is
    expected of each cell and predicts from it, which suits linear models. With draws it is trained on several
    copies of each row in which every cell is an original drawn from what it may stand for, which suits
    learners that ask for thresholds, such as trees and forests; a generalized row is then predicted by
    averaging over as many drawn copies of it, a row of plain values as it is.

    Categories become codes, one feature per column, where the classifier takes such: where it has a parameter
    ``categorical_features``, as ``HistGradientBoostingClassifier`` has, that nobody has set. Without draws
    these are the columns in which the training table generalizes nothing, of no more categories than the
    classifier takes; a row that is generalized in one of them is predicted by averaging over ten draws.

    Parameters
    ----------
    classifier : classifier
        Of scikit-learn or like one; it is cloned.
    draws : int, default=0
        Copies of each row; 0 is none, but expectations.
    weights, hierarchies, manifest
        See ``GeneralizedEncoder``.
    sparse_output : bool, default=False
        Whether the classifier gets a sparse matrix.
    random_state : int, RandomState or None, default=None
        For the draws; the classifier has its own.

    Attributes
    ----------
    classifier_ : classifier
        Fitted; where there was one class, a ``DummyClassifier``.
    classes_ : array
    n_features_in_, feature_names_in_
        The latter where X has names.

    Notes
    -----
    A training table in which nothing is generalized is used once, not in equal copies. In prediction all rows
    share the same chances, spread evenly: what is predicted for a row does not depend on the other rows.
    Training and prediction use one thread, as in an evaluation: the same rows give the same model on any
    machine, and fits side by side do not slow each other down.
    """

    def __init__(
        self,
        classifier: Any,
        *,
        draws: int = 0,
        weights: Weights = "uniform",
        hierarchies: Hierarchies | None = None,
        manifest: ManifestSource | None = None,
        sparse_output: bool = False,
        random_state: Any = None,
    ) -> None:
        self.classifier = classifier
        self.draws = draws
        self.weights = weights
        self.hierarchies = hierarchies
        self.manifest = manifest
        self.sparse_output = sparse_output
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> EncodedClassifier:
        """Encode and train; costs O(rows * features * max(draws, 1)) and what the classifier costs.

        Parameters
        ----------
        X : Release, frame, path of a CSV or Parquet file, or array
        y : array, str or None
            The classes, or the name of their column in X; of a release the target by default.
        """
        check_weights(self.weights)
        if not isinstance(self.draws, int | np.integer) or self.draws < 0:
            raise ValueError(f"draws must be a whole number, 0 or more, not {self.draws!r}")
        table, classes = read_classified(self, X, y, hierarchies=self.hierarchies, manifest=self.manifest)
        self._learn_features(table)
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        rng, self._predict_seed = np.random.default_rng(seed), seed + 1
        encoded, labels = self._training_rows(table, classes.labels[classes.codes], rng)
        # With one class there is nothing to learn, and some classifiers refuse to, showing its name.
        chosen = DummyClassifier() if len(classes.labels) == 1 else clone(self.classifier)
        if self._is_coded.any() and len(classes.labels) > 1:
            chosen.set_params(categorical_features=self._is_coded)
        with threadpool_limits(limits=1):
            self.classifier_ = chosen.fit(encoded, labels)
        self.classes_ = self.classifier_.classes_
        return self

    def _training_rows(
        self, table: CellTable, labels: NDArray[Any], rng: np.random.Generator
    ) -> tuple[Any, NDArray[Any]]:
        """Features and classes: expected, drawn, or around what is expected of sketches."""
        if not self.draws:
            encoded = self._expected(table)
            return encoded, labels[: encoded.shape[0]]
        if table.drawn is not None and table.drawn.around and _is_linear(self.classifier):
            return self._normal(table, table.drawn, rng), labels
        n_copies = self.draws if table.is_open.any() else 1
        cells = [np.repeat(column.ids, n_copies) for column in table.columns]
        chances = rng.random((table.n_rows * n_copies, len(cells)))
        return self._drawn(self._urns(table), cells, chances), np.repeat(labels, n_copies)

    def _normal(self, table: CellTable, drawn: Drawn, rng: np.random.Generator) -> Floats:
        """Features around those of the groups, where columns are sketched; O(rows * features^2)."""
        group, parts = np.tile(drawn.group, drawn.n_copies), []
        for encoding, column in zip(self._encodings, table.columns, strict=True):
            features = stacked([(encoding.of_cells(column), column.ids)], sparse=False)
            around = drawn.around.get(column.name)
            parts.append(features if around is None else normal_features(features, around, group, rng))
        return np.hstack(parts)

    def _learn_features(self, table: CellTable) -> None:
        """As features; but categories as codes, where the classifier takes such and cells say one value."""
        super()._learn_features(table)
        self._is_coded = np.zeros(0, dtype=bool)
        if not _takes_categories(self.classifier):
            return
        most = self.classifier.get_params(deep=False).get("max_bins", np.inf)
        pairs = list(zip(self._encodings, table.columns, strict=True))
        self._encodings = [
            CategoryCodes.of(each)
            if each.numbers is None and (self.draws or (len(each.values) <= most and _is_plain(column)))
            else each
            for each, column in pairs
        ]
        # With draws, too many categories are numbers in the order of their texts.
        is_coded = [isinstance(each, CategoryCodes) and len(each.values) <= most for each in self._encodings]
        self._is_coded = np.repeat(is_coded, [len(each.feature_names) for each in self._encodings])

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row; among drawn copies the likeliest on average, or the most frequent one."""
        table = self._read(X)
        predicted: NDArray[Any] = np.empty(table.n_rows, dtype=self.classes_.dtype)
        by_vote = not hasattr(self.classifier_, "predict_proba")
        with threadpool_limits(limits=1):
            for rows, part, is_drawn in self._parts(table):
                if is_drawn:
                    predicted[rows] = self.classes_[self._average(part, by_vote=by_vote).argmax(axis=1)]
                else:
                    predicted[rows] = self.classifier_.predict(self._expected(part))
        return predicted

    @available_if(lambda self: hasattr(self.classifier, "predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """The probability of every class for each row."""
        table = self._read(X)
        shares: Floats = np.empty((table.n_rows, len(self.classes_)))
        with threadpool_limits(limits=1):
            for rows, part, is_drawn in self._parts(table):
                if is_drawn:
                    shares[rows] = self._average(part, by_vote=False)
                else:
                    shares[rows] = self.classifier_.predict_proba(self._expected(part))
        return shares

    def _parts(self, table: CellTable) -> Iterator[tuple[Bools, CellTable, bool]]:
        """The rows that are predicted as they are, and those that are predicted from drawn copies."""
        is_open = table.is_open
        if not self.draws:  # what is expected of a category has no code
            pairs = zip(self._encodings, table.columns, strict=True)
            coded = tuple(column for each, column in pairs if isinstance(each, CategoryCodes))
            is_open = CellTable(coded, table.n_rows).is_open
        for rows, is_drawn in ((~is_open, False), (is_open, True)):
            if rows.any():
                yield rows, table.take(rows), is_drawn

    def _urns(self, table: CellTable) -> list[Urn]:
        return [Urn.of(*pair) for pair in zip(table.columns, self._encodings, strict=True)]

    def _drawn(self, urns: list[Urn], cells: list[NDArray[np.int32]], chances: Floats) -> Any:
        """Rows with originals in the place of their cells; chances per row, or one for all, and column."""
        parts = [
            (encoding.of_values(), urn.draw(ids, chances[..., place]))
            for place, (encoding, urn, ids) in enumerate(zip(self._encodings, urns, cells, strict=True))
        ]
        # Copies are large, and half as large where no number is lost by it.
        fits = all(encoding.fits_single_precision for encoding in self._encodings)
        return stacked(parts, sparse=self.sparse_output, kind=np.float32 if fits else np.float64)

    def _average(self, table: CellTable, *, by_vote: bool) -> Floats:
        """Shares of the classes over drawn copies, one copy of all rows at a time."""
        rng = np.random.default_rng(self._predict_seed)
        urns, cells = self._urns(table), [column.ids for column in table.columns]
        shares = np.zeros((table.n_rows, len(self.classes_)))
        n_copies = self.draws or _COPIES
        for chances in spread_chances(n_copies, len(cells), rng):
            drawn = self._drawn(urns, cells, chances)
            if by_vote:
                votes = np.searchsorted(self.classes_, self.classifier_.predict(drawn))
                shares[np.arange(table.n_rows), votes] += 1
            else:
                shares += self.classifier_.predict_proba(drawn)
        return shares / n_copies


def _is_plain(column: CellColumn) -> bool:
    """Whether each of its rows says one value, or is missing."""
    return not (column.is_open | column.is_suppressed)[column.ids].any()


def _is_linear(classifier: Any) -> bool:
    """Whether it weighs features and adds them up, at the end of a pipeline or by itself."""
    last = classifier.steps[-1][1] if isinstance(classifier, Pipeline) else classifier
    return isinstance(last, LinearClassifierMixin)


def _takes_categories(classifier: Any) -> bool:
    """Whether it takes codes of categories, and nobody has said which of the features are some."""
    chosen = classifier.get_params(deep=False).get("categorical_features", ())
    return chosen is None or (isinstance(chosen, str) and chosen == "from_dtype")


class CellSampler(BaseEstimator):  # type: ignore[misc]
    """Several copies of each row, in which every cell is an original drawn from what it may stand for.

    For imbalanced-learn's pipelines, whose samplers work when the pipeline is fitted, not when it predicts.
    What comes out is a plain table: numbers, and texts that stand for themselves. A training table in which
    nothing is generalized comes out as it is. ``EncodedClassifier(draws=...)`` is the same with a classifier
    behind it, and also averages over draws in prediction. Sketched cells are drawn three times, as all
    learners do.

    Parameters
    ----------
    draws : int, default=3
        Copies of each row.
    weights, hierarchies, manifest
        See ``GeneralizedEncoder``.
    random_state : int, RandomState or None
    """

    def __init__(
        self,
        *,
        draws: int = 3,
        weights: Weights = "uniform",
        hierarchies: Hierarchies | None = None,
        manifest: ManifestSource | None = None,
        random_state: Any = None,
    ) -> None:
        self.draws = draws
        self.weights = weights
        self.hierarchies = hierarchies
        self.manifest = manifest
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
        drawn = {column.name: self._drawn(column, n_copies, rng) for column in table.columns}
        labels: NDArray[Any] = np.repeat(classes.labels[classes.codes], n_copies)
        try:
            kind = kind_of(X)
        except KanopyError:  # an array, a path, a release
            kind = "pyarrow"
        return from_arrow(pa.table(drawn), kind), labels

    def _checked(self, X: Any, y: Any) -> tuple[CellTable, CodedClasses]:
        check_weights(self.weights)
        if not isinstance(self.draws, int | np.integer) or self.draws < 1:
            raise ValueError(f"draws must be a whole number of at least 1, not {self.draws!r}")
        return read_classified(self, X, y, hierarchies=self.hierarchies, manifest=self.manifest)

    def _drawn(self, column: CellColumn, n_copies: int, rng: np.random.Generator) -> pa.Array:
        cells = np.repeat(column.ids, n_copies)
        codes = Urn.of(column, ColumnEncoding.fit(column, self.weights)).draw(cells, rng.random(len(cells)))
        if column.numbers is None or (column.scale is not None and not column.scale.has_means):
            texts = list(map(write_alone, column.values))
            if column.rest is not Rest.NONE:
                texts[-1] = SUPPRESSED_TEXT
            values = pa.array([*texts, None], pa.string())
        else:
            values = pa.array([*column.numbers.tolist(), None], pa.float64())
        return values.take(pa.array(codes))
