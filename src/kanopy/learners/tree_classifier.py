"""One decision tree for raw and for published tables: a cell is a set of values, one value a set of one."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, check_random_state

from kanopy.data.arrays import Floats, Ints
from kanopy.errors import PolicyError, near_name
from kanopy.learners.manifests import ManifestSource
from kanopy.learners.original_counts import told_statistics
from kanopy.learners.reading import Hierarchies, ReadsCells, read_rows, read_weighted
from kanopy.learners.tree_columns import (
    Distributions,
    Members,
    OwnSets,
    Partition,
    TreeColumn,
    Unknown,
    all_with_alike_as_one,
    distinct_rows,
    encoded,
    mapped,
    read_columns,
    with_own_values,
)
from kanopy.learners.tree_division import CellPredictor, Division, NewColumn
from kanopy.learners.tree_level import CellLevel, CellRules
from kanopy.trees import Tree, as_text, c45, class_shares
from kanopy.trees.criterion import Criterion
from kanopy.trees.grow import grow_from
from kanopy.trees.inducers import collapsed, pruned_by_estimated_errors

Score = Literal["gain_ratio", "gain"]
Entropy = Literal["fractional", "own_value", "premapped"]
Numeric = Literal["thresholds", "categories"]
Ties = Literal["class_order", "first_seen"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "criterion": get_args(Score),
    "entropy": get_args(Entropy),
    "partition": get_args(Partition),
    "members": get_args(Members),
    "unknown": get_args(Unknown),
    "numeric": get_args(Numeric),
    "ties": get_args(Ties),
}

_LEAST_PART = 1e-3
_PARTS_PER_ROW = 8


class GeneralizedTreeClassifier(ReadsCells, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree that learns from values, ranges, sets, hierarchy nodes and suppressed cells alike.

    As it comes it is C4.5, and on a table of exact, missing and suppressed cells precisely
    ``kanopy.trees.c45`` with rows of missing values shared among the branches. A generalized cell is treated
    as C4.5 treats a missing one, restricted to the values the cell may stand for. ``id3`` gives the learner
    of Shao and Beckford, "Learning Decision Trees from Anonymized Data".

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}
        What makes a split the best. With ``gain`` a node is split as long as it has several classes.
    entropy : {"fractional", "own_value", "premapped"}
        How a generalized cell counts when a split is chosen: shared among its values; as one more value with
        a branch of its own (a numeric column that has such cells is then one of categories); or as one of its
        values, found once before learning in the way that ``partition`` says.
    partition : {"fractional", "random", "highest_frequency", "original_distribution"}
        How a row with a generalized cell goes on after the split: in parts; as one value, each as likely; as
        the one that is most frequent in the table; or drawn by ``distributions``.
    members : {"frequency", "uniform"}
        How a shared cell counts for its values: as often as the node has each, or equally.
    unknown : {"known_share", "members"}
        Missing and suppressed cells: the gain is measured on the other rows and multiplied by their share
        (C4.5); or they count as cells that stand for every value that the others of the node name.
    numeric : {"thresholds", "categories"}
        How columns of numbers are split.
    prune : bool
        Whether to prune by estimated errors. C4.5 (``gain_ratio``) undoes splits that change no prediction in
        any case.
    confidence : float
        Of these estimates; less prunes more.
    min_rows : float
        Rows that at least two branches of a split must have; both sides of a threshold.
    ties : {"class_order", "first_seen"}
        Which of two equally frequent classes a leaf predicts.
    distributions : mapping, optional
        Column to value to count, or the ``value_statistics`` of a manifest, where someone published how
        frequent the original values are. For ``original_distribution`` a release's own are the default. For
        columns that are not named the table itself is counted, every cell shared equally among its values.
    hierarchies : mapping, optional
        Column to a Hierarchy or its file: its nodes then stand for the values below them.
    manifest : mapping or path, optional
        Of the release, or the JSON file that holds it: it says in which columns ``*`` is a value of its own.
    random_state : int, RandomState or None
        Of what is drawn.

    Attributes
    ----------
    classes_ : array
    tree_ : kanopy.trees.Tree
    n_features_in_, feature_names_in_

    Notes
    -----
    Per level of the tree O(rows * columns) for counting, plus O(cells in nodes * values of a cell), of
    numbers O(cells in nodes * runs of a cell), so that a range costs as much as a number. Equal rows are
    counted once, unless they are drawn apart. With ``fractional`` values that no cell of the training table
    tells apart are one value, and a row goes on in several parts. None weighs less than a thousandth of a
    row, unless it is the heaviest, and there are never more than eight times as many as rows: the lightest
    are left to the heavier parts of the same row, so that weights still add up.

    Examples
    --------
    >>> tree = GeneralizedTreeClassifier(min_rows=1, prune=False)
    >>> _ = tree.fit([["[20, 29]"], ["25"], ["[40, 49]"], ["41"]], ["a", "a", "b", "b"])
    >>> tree.predict([["23"], ["[45, 60]"]]).tolist()
    ['a', 'b']
    """

    def __init__(
        self,
        *,
        criterion: Score = "gain_ratio",
        entropy: Entropy = "fractional",
        partition: Partition = "fractional",
        members: Members = "frequency",
        unknown: Unknown = "known_share",
        numeric: Numeric = "thresholds",
        prune: bool = True,
        confidence: float = 0.25,
        min_rows: float = 2,
        ties: Ties = "class_order",
        distributions: Distributions | None = None,
        hierarchies: Hierarchies | None = None,
        manifest: ManifestSource | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.entropy = entropy
        self.partition = partition
        self.members = members
        self.unknown = unknown
        self.numeric = numeric
        self.prune = prune
        self.confidence = confidence
        self.min_rows = min_rows
        self.ties = ties
        self.distributions = distributions
        self.hierarchies = hierarchies
        self.manifest = manifest
        self.random_state = random_state

    @classmethod
    def id3(cls, **overrides: Any) -> GeneralizedTreeClassifier:
        """The modified ID3 of Shao and Beckford; anything may be said otherwise.

        Gain of cells shared equally among their values, rows mapped at random, one branch per value, every
        column at most once on a way, no pruning.
        """
        settings: dict[str, Any] = {
            "criterion": "gain",
            "partition": "random",
            "members": "uniform",
            "unknown": "members",
            "numeric": "categories",
            "prune": False,
            "min_rows": 0,
            "ties": "first_seen",
        }
        return cls(**(settings | overrides))

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> GeneralizedTreeClassifier:
        """Learn from a release, a published frame or file, a plain frame or an array.

        Parameters
        ----------
        X : Release, frame, path or array
        y : array, or str
            The classes, or the name of the column of X that holds them; not needed with a release that has
            a target.
        sample_weight : array of float, optional
            What each row counts for, 0 or more. A weight of 3 is the row three times, and 0 leaves it out;
            but where rows are drawn (``partition``), a row is drawn once, whatever it weighs.
        """
        self._check_settings()
        table, classes, weight = read_weighted(
            self, X, y, sample_weight, hierarchies=self.hierarchies, manifest=self.manifest
        )
        self.classes_ = classes.labels
        self._vocabulary = table.without_rows()
        as_categories = self.numeric == "categories"
        given = self.distributions
        if given is None and self.partition == "original_distribution":
            given = told_statistics(X)
        columns = read_columns(table, given, as_categories=as_categories, weight=weight)
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        rng = np.random.default_rng(seed)
        self._own_sets: list[OwnSets] = [{} for _ in columns]
        if self.entropy == "own_value":
            extended = [with_own_values(column, self.unknown, weight) for column in columns]
            columns, self._own_sets = tuple(column for column, _ in extended), [own for _, own in extended]
        elif self.entropy == "premapped":
            columns = tuple(mapped(column, self.partition, self.members, rng) for column in columns)
        self._branches = [np.arange(column.domain.n_values) for column in columns]
        if self.entropy == self.partition == "fractional":
            columns, self._branches = all_with_alike_as_one(columns)
        self._columns = tuple(column.at_rows(np.zeros(0, dtype=np.int64)) for column in columns)
        self.tree_ = self._grown(columns, classes.codes, weight, rng)
        return self

    def _grown(
        self, columns: tuple[TreeColumn, ...], target: Ints, weight: Floats, rng: np.random.Generator
    ) -> Tree:
        n_classes, n_rows = len(self.classes_), float(weight.sum())
        if self._is_c45 and all(column.is_plain for column in columns):
            table = encoded(columns, target, [str(label) for label in self.classes_])
            chosen = {"min_rows": self.min_rows, "confidence": self.confidence}
            return c45(table, **chosen, prune=self.prune, weights=weight, share_missing=True)
        if self.partition in ("fractional", "highest_frequency"):  # not drawn: equal rows stay together
            rows, weight = distinct_rows(columns, target, n_classes, weight)
            columns, target = tuple(column.at_rows(rows) for column in columns), target[rows]
        most_parts = int(_PARTS_PER_ROW * max(n_rows, len(target)))  # a row counts as often as it weighs
        divide = Division(self.partition, self.members, _LEAST_PART, most_parts, rng)
        rules = CellRules(self.members, self.unknown, divide, self.min_rows, self.ties == "first_seen")
        # By gain, nodes are split even where nothing is gained.
        by_ratio = self.criterion == "gain_ratio"
        criterion = Criterion(by_ratio, self.min_rows, n_rows, above=0.0 if by_ratio else -1.0)
        tree = grow_from(CellLevel.of_rows(rules, columns, target, n_classes, weight), criterion)
        if by_ratio or self.prune:
            tree = collapsed(tree)
        return pruned_by_estimated_errors(tree, self.confidence) if self.prune else tree

    @property
    def _is_c45(self) -> bool:
        chosen = (self.criterion, self.partition, self.members, self.unknown, self.ties)
        return chosen == ("gain_ratio", "fractional", "frequency", "known_share", "class_order")

    def predict_proba(self, X: Any) -> Floats:
        """The share of each class among the training rows like it, for every row.

        A generalized row is shared among the branches its cells leave open, and gets the average. O(rows *
        depth), for rows that say little at most the number of leaves.
        """
        check_is_fitted(self)
        table = read_rows(self, X, self._vocabulary)
        columns = [
            NewColumn.of(*of_column)
            for of_column in zip(table.columns, self._columns, self._own_sets, self._branches, strict=True)
        ]
        if all(column.is_plain for column in columns) and not any(self._own_sets):
            codes = [column.codes() for column in columns]
            shares = class_shares(self.tree_, codes, table.n_rows)
        else:
            shares = CellPredictor(self.tree_, columns, self.members).class_shares(table.n_rows)
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> NDArray[Any]:
        """The most likely class of every row; ties go to the class that comes first, or as ``ties`` says."""
        check_is_fitted(self)
        predicted: NDArray[Any] = self.classes_[np.round(self.predict_proba(X), 12).argmax(axis=1)]
        return predicted

    def as_text(self) -> str:
        """The tree as text, one line per node."""
        check_is_fitted(self)
        return as_text(self.tree_, [str(label) for label in self.classes_], only_taken=True)

    def _check_settings(self) -> None:
        for name, allowed in _CHOICES.items():
            chosen = getattr(self, name)
            if chosen not in allowed:
                near = near_name(chosen, allowed) if isinstance(chosen, str) else None
                hint = near or f"one of {', '.join(allowed)}"
                raise PolicyError(f"{name} of {type(self).__name__} cannot be {chosen!r}", hint)
        if not 0 < self.confidence <= 0.5:
            raise PolicyError("the confidence of pruning lies between 0 and 0.5", "0.25 is usual")
        if not self.min_rows >= 0:
            raise PolicyError("min_rows is 0 or more", "2 is usual")
