"""A scikit-learn decision tree as one of ours; scikit-learn itself is not needed for that."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import Domain, EncodedTable
from kanopy.errors import PolicyError
from kanopy.trees.tree import Tree, TreeBuilder


def is_fitted_tree(given: Any) -> bool:
    """Whether this is a fitted ``DecisionTreeClassifier`` (or anything that holds its tree like one)."""
    inner = getattr(given, "tree_", None)
    return all(hasattr(inner, name) for name in ("children_left", "children_right", "feature", "threshold"))


def is_estimator(given: Any) -> bool:
    """Whether this can be fitted as scikit-learn's estimators can."""
    return not isinstance(given, type) and hasattr(given, "fit") and hasattr(given, "get_params")


def fitted_on(estimator: Any, table: EncodedTable) -> Any:
    """A copy of an estimator, fitted on the table in the way that ``tree_of_sklearn`` reads."""
    assert table.target is not None
    features = [np.append(_points(column.domain), np.nan)[column.codes] for column in table.quasi]
    fitted = deepcopy(estimator).fit(np.stack(features, axis=1), table.target.codes)
    if not is_fitted_tree(fitted):
        raise PolicyError("the inducer is no single decision tree", "use a DecisionTreeClassifier")
    return fitted


def tree_of_sklearn(fitted: Any, table: EncodedTable) -> Tree:
    """The tests of a fitted tree, over the codes of a table; O(nodes * values).

    The tree must have been fitted on one column per quasi-identifier, in the order of the policy: numeric
    columns as numbers, others as what ``OrdinalEncoder`` makes of their texts (the place among the sorted
    values), missing as NaN. A threshold on such a place puts several values into one branch: it does not pin
    the value, so methods publish it only where all rows of a group agree.
    """
    inner = fitted.tree_
    if inner.n_features != len(table.quasi):
        raise PolicyError(
            f"the tree has {inner.n_features} columns, there are {len(table.quasi)} quasi-identifiers",
            "fit it on the quasi-identifiers, in the order of the policy",
        )
    points = [_points(column.domain) for column in table.quasi]
    missing_left = getattr(inner, "missing_go_to_left", np.zeros(len(inner.feature), dtype=bool))
    builder = TreeBuilder([column.domain for column in table.quasi])
    waiting = [(0, 0)]
    while waiting:
        theirs, ours = waiting.pop()
        if inner.children_left[theirs] < 0:
            continue
        column = int(inner.feature[theirs])
        missing_branch = 0 if missing_left[theirs] else 1
        children = int(inner.children_left[theirs]), int(inner.children_right[theirs])
        goes_right = points[column] > inner.threshold[theirs]
        n_left = int((~goes_right).sum())
        if not len(goes_right):  # nothing but missing
            waiting.append((children[missing_branch], ours))
            continue
        if n_left and not goes_right[:n_left].any():
            left, right = builder.split(
                ours, column=column, threshold=n_left - 1, missing_branch=missing_branch
            )
        else:  # all values lie beyond, or a hierarchy orders them: a threshold on codes cannot say that
            branch_of_code = np.append(goes_right, missing_branch)
            left, right = builder.split(ours, column=column, branch_of_code=branch_of_code)
        waiting += [(children[0], left), (children[1], right)]
    return builder.tree()


def _points(domain: Domain) -> NDArray[np.float64]:
    """Where each value lies for scikit-learn, which compares in single precision."""
    if domain.numbers is not None:
        with np.errstate(over="ignore"):  # beyond single precision lies beyond every threshold
            return domain.numbers.astype(np.float32).astype(np.float64)
    place = {label: place for place, label in enumerate(sorted(domain.labels))}
    return np.array([place[label] for label in domain.labels], dtype=np.float64)
