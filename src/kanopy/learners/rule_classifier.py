"""A list of rules for raw and for published tables, each from a partial tree: PART."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from kanopy.data.arrays import Floats, Ints
from kanopy.errors import PolicyError
from kanopy.learners.manifests import ManifestSource
from kanopy.learners.partial_tree import PartialTree
from kanopy.learners.reading import Hierarchies, ReadsCells, read_rows, read_weighted
from kanopy.learners.tree_columns import (
    Members,
    TreeColumn,
    all_with_alike_as_one,
    distinct_rows,
    read_columns,
)
from kanopy.learners.tree_division import CellPredictor, Division, NewColumn, different_rows
from kanopy.learners.tree_level import CellLevel, CellRules
from kanopy.trees.criterion import Criterion
from kanopy.trees.drawing import as_rule
from kanopy.trees.tree import Tree

_LEAST_PART = 1e-9  # of a row; Weka has no such limit
_PARTS_PER_ROW = 8  # as in the tree learner
_LEAST_LEFT = 1e-6  # the share of a row that is as good as nothing


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """The way to one leaf, which is the rule's condition, and the classes of the rows it covers there."""

    tree: Tree  # the way, with the other subsets as leaves beside it
    leaf: int
    text: str

    @property
    def counts(self) -> Floats:
        """Rows of each class, those before it having taken theirs."""
        return np.asarray(self.tree.counts[self.leaf], dtype=np.float64)

    def __str__(self) -> str:
        return self.text


class GeneralizedRuleClassifier(ReadsCells, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """PART: rules that learn from values, ranges, sets, hierarchy nodes and suppressed cells alike.

    A partial C4.5 tree is expanded on the rows that are left, its leaf with the most rows becomes a rule, the
    rows it covers are taken away, and so on until none is left. E. Frank and I. H. Witten, "Generating
    Accurate Rule Sets Without Global Optimization" (ICML 1998), in the details of Weka's PART. Cells are read
    as ``GeneralizedTreeClassifier`` reads them: a row whose cell leaves several branches open goes on in
    parts, so a rule may cover a part of a row, and the rest is left to the rules after it.

    Parameters
    ----------
    prune : bool
        Whether to prune the partial trees by estimated errors.
    confidence : float
        Of these estimates; less prunes more.
    min_rows : float
        Rows that at least two branches of a split must have, and every rule but the last.
    members : {"frequency", "uniform"}
        How a shared cell counts for its values: as often as the node has each, or equally.
    hierarchies : mapping, optional
        Column to a Hierarchy or its file: its nodes then stand for the values below them.
    manifest : mapping or path, optional
        Of the release, or the JSON file that holds it: it says in which columns ``*`` is a value of its own.

    Attributes
    ----------
    classes_ : array
    rules_ : list of Rule
        In the order in which they are asked; the last covers everything. ``str`` of one is its text: the
        condition, the class, the rows it covers, and how many of them are of another class.
    n_features_in_, feature_names_in_

    Notes
    -----
    There are at most rows / ``min_rows`` rules. Each costs O(rows left * columns) for every level of its
    partial tree; prediction O(rows * conditions of all rules). Equal rows are counted once.

    Examples
    --------
    >>> rules = GeneralizedRuleClassifier(min_rows=1, prune=False)
    >>> _ = rules.fit([["[20, 29]"], ["25"], ["[40, 49]"], ["41"]], ["a", "a", "b", "b"])
    >>> print(rules.as_text(), end="")
    x0 <= 29: a (2)
    otherwise: b (2)
    >>> rules.predict([["23"], ["[45, 60]"]]).tolist()
    ['a', 'b']
    """

    def __init__(
        self,
        *,
        prune: bool = True,
        confidence: float = 0.25,
        min_rows: float = 2,
        members: Members = "frequency",
        hierarchies: Hierarchies | None = None,
        manifest: ManifestSource | None = None,
    ) -> None:
        self.prune = prune
        self.confidence = confidence
        self.min_rows = min_rows
        self.members = members
        self.hierarchies = hierarchies
        self.manifest = manifest

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> GeneralizedRuleClassifier:
        """Learn from a release, a published frame or file, a plain frame or an array.

        Parameters
        ----------
        X : Release, frame, path or array
        y : array, or str
            The classes, or the name of the column of X that holds them; not needed with a release that has
            a target.
        sample_weight : array of float, optional
            What each row counts for: 3 is the row three times, and 0 leaves it out.
        """
        self._check_settings()
        table, classes, weight = read_weighted(
            self, X, y, sample_weight, hierarchies=self.hierarchies, manifest=self.manifest
        )
        self.classes_ = classes.labels
        self._vocabulary = table.without_rows()
        read = read_columns(table, None, as_categories=False, weight=weight)
        columns, self._branches = all_with_alike_as_one(read)
        self._columns = tuple(column.at_rows(np.zeros(0, dtype=np.int64)) for column in columns)
        self.rules_ = self._learned(columns, classes.codes, weight)
        return self

    def _learned(self, columns: tuple[TreeColumn, ...], target: Ints, weight: Floats) -> list[Rule]:
        rows, weight = distinct_rows(columns, target, len(self.classes_), weight)
        columns, target = tuple(column.at_rows(rows) for column in columns), target[rows]
        n_rows = float(weight.sum())
        most_parts = int(_PARTS_PER_ROW * max(n_rows, len(target)))  # a row counts as often as it weighs
        criterion = Criterion(True, self.min_rows, n_rows)
        partial = PartialTree(criterion, self.min_rows, self.confidence if self.prune else None)
        divide = Division("fractional", self.members, _LEAST_PART, most_parts)
        cells = CellRules(self.members, "known_share", divide, self.min_rows, first_seen=False)
        labels, rules = [str(label) for label in self.classes_], list[Rule]()
        while len(target):
            root = CellLevel.of_rows(cells, columns, target, len(labels), weight)
            way = partial.best_way(root)
            tree, leaf = way.tree(root.in_classes[0])
            rules.append(Rule(tree, leaf, as_rule(tree, leaf, labels)))
            left = weight - np.bincount(way.leaf.row, way.leaf.weight, minlength=len(target))
            kept = np.flatnonzero(left > _LEAST_LEFT * weight) if way.steps else np.zeros(0, dtype=np.int64)
            columns = tuple(column.at_rows(kept) for column in columns)
            target, weight = target[kept], left[kept]
        return rules

    def predict_proba(self, X: Any) -> Floats:
        """The share of each class among the training rows of the rules that cover a row, for every row.

        A row goes to the first rule whose condition it meets. One that meets it in part, because its cells
        leave it open, takes that part of its shares from it, and the rest from the rules after it. A value
        that training did not name meets no condition on its column.
        """
        check_is_fitted(self)
        table = read_rows(self, X, self._vocabulary)
        read = zip(table.columns, self._columns, self._branches, strict=True)
        columns = [NewColumn.of(new, fitted, {}, branch) for new, fitted, branch in read]
        kind, example = different_rows(columns, table.n_rows)
        shares, left = np.zeros((len(example), len(self.classes_))), np.ones(len(example))
        for rule in self.rules_:
            waiting = np.flatnonzero(left > _LEAST_LEFT)
            if not len(waiting):
                break
            predictor = CellPredictor(rule.tree, columns, self.members)
            covered = left[waiting] * predictor.share_at(rule.leaf, example[waiting])
            shares[waiting] += covered[:, None] * (rule.counts / rule.counts.sum())
            left[waiting] -= covered
        return np.asarray((shares / shares.sum(axis=1, keepdims=True))[kind])

    def predict(self, X: Any) -> NDArray[Any]:
        """The most likely class of every row; ties go to the class that comes first."""
        likeliest = np.round(self.predict_proba(X), 12).argmax(axis=1)
        return np.asarray(self.classes_[likeliest])

    def as_text(self) -> str:
        """The rules as text, one line for each."""
        check_is_fitted(self)
        return "".join(f"{rule}\n" for rule in self.rules_)

    def _check_settings(self) -> None:
        if self.members not in ("frequency", "uniform"):
            raise PolicyError(f"members of {type(self).__name__} cannot be {self.members!r}", "use frequency")
        if not 0 < self.confidence <= 0.5:
            raise PolicyError("the confidence of pruning lies between 0 and 0.5", "0.25 is usual")
        if not self.min_rows > 0:
            raise PolicyError("min_rows of rules is above 0", "2 is usual")
