"""Where a tree may come from: C4.5, ID3, a scikit-learn tree, fitted or not, or any function.

An inducer is a function ``(table, min_rows) -> Tree``. This one makes stumps:

>>> from kanopy.trees import TreeBuilder
>>> def stump(table, min_rows):
...     builder = TreeBuilder([column.domain for column in table.quasi])
...     builder.split(0, column=0)  # one branch per value; threshold=... for numbers
...     return builder.tree()

``kanopy.anonymize(frame, policy, method="kactus", inducer=stump)`` then prunes it until it keeps the promise.
Columns are numbered as in the policy's quasi-identifiers; codes and their labels are in ``column.domain``.
``min_rows`` is advice: whatever the tree, what is published from it is checked group by group.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import EncodedTable
from kanopy.errors import PolicyError
from kanopy.trees.criterion import Criterion
from kanopy.trees.grow import grow
from kanopy.trees.pruning import collapsed, pruned_by_estimated_errors
from kanopy.trees.sklearn_tree import fitted_on, is_estimator, is_fitted_tree, tree_of_sklearn
from kanopy.trees.tree import Tree

Inducer = Callable[[EncodedTable, int], Tree]


def c45(
    table: EncodedTable,
    *,
    min_rows: float = 2,
    confidence: float = 0.25,
    prune: bool = True,
    weights: NDArray[np.float64] | None = None,
    share_missing: bool = False,
) -> Tree:
    """Learn the class of a table from its quasi-identifiers: gain ratio, error-based pruning.

    Quinlan, "C4.5: Programs for Machine Learning" (1993), in the details of Weka's J48.

    Parameters
    ----------
    table : EncodedTable
    min_rows : float
        Rows that at least two branches of a split must have; both sides of a threshold.
    confidence : float
        Of the error estimates that pruning compares; less prunes more.
    prune : bool
        Whether to prune by these estimates. Splits that change no predicted class are undone in any case.
    weights : array of float, optional
        What each row counts for; a row of weight 0 is as good as absent.
    share_missing : bool
        Whether rows with a missing value are shared among the branches, as in J48, in proportion to their
        rows; otherwise missing has a branch of its own.

    Notes
    -----
    O(rows * columns) per level, and a sort for very many values or classes; memory is O(rows * columns).
    """
    criterion = Criterion(True, min_rows, table.total_weight)
    tree = collapsed(grow(table, criterion, weights=weights, share_missing=share_missing))
    return pruned_by_estimated_errors(tree, confidence) if prune else tree


def id3(table: EncodedTable, *, min_rows: float = 1) -> Tree:
    """Learn the class of a table from its quasi-identifiers, all of them categories: most gain, no pruning.

    Quinlan, "Induction of Decision Trees" (Machine Learning, 1986).

    Parameters
    ----------
    table : EncodedTable
    min_rows : float
        Rows that at least two branches of a split must have; ID3 itself has 1.

    Notes
    -----
    O(rows * columns) per level; there are at most as many levels as columns. Numeric columns are refused.
    """
    n_numeric = sum(column.domain.is_numeric for column in table.quasi)
    if n_numeric:
        raise PolicyError(f"ID3 takes categories, but {n_numeric} columns are numeric", "use bins, or c45")
    return grow(table, Criterion(False, min_rows, table.total_weight))


INDUCERS: dict[str, Inducer] = {
    "c45": lambda table, min_rows: c45(table, min_rows=min_rows),
    "id3": lambda table, min_rows: id3(table, min_rows=min_rows),
}


def is_inducer(given: Any) -> bool:
    """Whether something that is no name can make trees."""
    return is_fitted_tree(given) or is_estimator(given) or (callable(given) and not isinstance(given, type))


def induce(inducer: Any, table: EncodedTable, min_rows: int) -> Tree:
    """The tree of a table, by the name of an inducer, a scikit-learn tree (fitted here if it is not yet), or
    a function; refused where it is not over the columns of the table.
    """
    if is_fitted_tree(inducer):
        return tree_of_sklearn(inducer, table)
    if is_estimator(inducer):
        return tree_of_sklearn(fitted_on(inducer, table), table)
    tree = (INDUCERS[inducer] if isinstance(inducer, str) else inducer)(table, min_rows)
    labels = [column.domain.labels for column in table.quasi]
    if not isinstance(tree, Tree) or [domain.labels for domain in tree.splits.domains] != labels:
        raise PolicyError("the inducer gave no tree over the quasi-identifiers", "see kanopy.trees.inducers")
    return tree
