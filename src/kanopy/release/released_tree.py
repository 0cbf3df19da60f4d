"""The tree that is published beside a table, as whoever has the release can use it: it predicts new rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.data.arrays import Floats
from kanopy.frames.distinct import DistinctColumn
from kanopy.frames.new_rows import place_values, read_tested_columns
from kanopy.policy import Policy
from kanopy.trees import Tree, class_shares


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedTree:
    """A published tree and what it takes to read new rows."""

    model: Any
    """What the method published: it has the tree and its classes, and can write itself."""
    policy: Policy
    labels: pa.Array
    """The classes in the type of the source, by code; a missing class has none."""

    @classmethod
    def of(cls, model: Any, policy: Policy, target: DistinctColumn) -> ReleasedTree:
        """The tree of a run; ``target`` is the class as it came."""
        place = {text: number for number, text in enumerate(target.texts.to_pylist())}
        # A class that only a hierarchy knows has no row, and is never predicted.
        labels = pa.array([place.get(label) for label in model.classes[:-1]], pa.int64())
        return cls(model, policy, target.values.take(labels))

    @property
    def tree(self) -> Tree:
        """The tree as plain arrays."""
        tree: Tree = self.model.tree
        return tree

    def write(self, suffix: str) -> str:
        """The tree in the format of a file's suffix: text, Graphviz, Mermaid."""
        return str(self.model.write(suffix))

    def __str__(self) -> str:
        return str(self.model)

    def leaves(self) -> list[dict[str, int]]:
        """The rows of each class in the groups of the table; see ``TreeModel``."""
        leaves: list[dict[str, int]] = self.model.leaves()
        return leaves

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes in the order of ``predict_proba``, in the type of the source; a missing one is None."""
        n_classes = self.tree.counts.shape[1]
        if n_classes > len(self.labels):
            return np.array([*self.labels.to_pylist(), None], dtype=object)
        return np.asarray(self.labels.slice(0, n_classes).to_numpy(zero_copy_only=False))

    def predict_proba(
        self, rows: Any, *, delimiter: str | None = None, encoding: str | None = None
    ) -> Floats:
        """The share of each class among the rows of the leaf that a row comes to, for every row.

        Parameters
        ----------
        rows : frame or path
            Rows as they are before any recoding, with every column that the tree tests.
        delimiter, encoding : str
            Of a CSV file.

        Notes
        -----
        A value that the table did not have ends at the node that tests it; a number is compared. Where
        missing has no branch with rows of its own, the row takes all branches in proportion to their rows.
        O(rows * depth).
        """
        domains, splits = self.tree.splits.domains, self.tree.splits
        tested = np.unique(splits.column[splits.column >= 0]).tolist()
        names = [domains[column].name for column in tested]
        n_rows, found = read_tested_columns(rows, names, self.policy, delimiter=delimiter, encoding=encoding)
        codes: list[Any] = [np.empty(0, dtype=np.int64)] * len(domains)
        for column, name in zip(tested, names, strict=True):
            placed = place_values(found[name], domains[column])
            code = placed.first // 2  # -1 for a category that is new
            if domains[column].is_numeric:  # a new number is above the one below it; missing comes last
                code[:-1] = np.minimum((placed.first[:-1] + 1) // 2, domains[column].n_values - 1)
            codes[column] = code[placed.codes]
        return class_shares(self.tree, codes, n_rows)

    def predict(
        self, rows: Any, *, delimiter: str | None = None, encoding: str | None = None
    ) -> NDArray[Any]:
        """The most likely class of every row, ties to the class that comes first; see ``predict_proba``."""
        shares = self.predict_proba(rows, delimiter=delimiter, encoding=encoding)
        predicted: NDArray[Any] = self.classes_[np.round(shares, 12).argmax(axis=1)]
        return predicted
