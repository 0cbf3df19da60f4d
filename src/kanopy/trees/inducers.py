"""Where a tree may come from: our own inducers, a scikit-learn tree, fitted or not, or anybody's function.

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

from kanopy.data import EncodedTable
from kanopy.errors import PolicyError
from kanopy.trees.c45 import c45
from kanopy.trees.id3 import id3
from kanopy.trees.sklearn_tree import fitted_on, is_estimator, is_fitted_tree, tree_of_sklearn
from kanopy.trees.tree import Tree

Inducer = Callable[[EncodedTable, int], Tree]

INDUCERS: dict[str, Inducer] = {
    "c45": lambda table, min_rows: c45(table, min_rows=min_rows),
    "id3": lambda table, min_rows: id3(table, min_rows=min_rows),
}


def is_inducer(given: Any) -> bool:
    """Whether something that is no name can make trees."""
    return is_fitted_tree(given) or is_estimator(given) or (callable(given) and not isinstance(given, type))


def induce(inducer: Any, table: EncodedTable, min_rows: int) -> Tree:
    """The tree of a table.

    Parameters
    ----------
    inducer : str, scikit-learn tree, or callable
        A scikit-learn tree that is not fitted yet is fitted on the table.
    table : EncodedTable
    min_rows : int

    Raises
    ------
    PolicyError
        Where the tree is not over the columns of the table.
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
