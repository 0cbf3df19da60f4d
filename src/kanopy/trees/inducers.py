"""Where a tree may come from: C4.5 with its pruning, ID3, a scikit-learn tree, or any function.

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
from copy import deepcopy
from typing import Any

import numpy as np

from kanopy.data import Domain, EncodedTable
from kanopy.data.arrays import Floats, Ints
from kanopy.errors import PolicyError
from kanopy.trees.class_counts import Counts, sums_between
from kanopy.trees.criterion import Criterion
from kanopy.trees.grow import grow
from kanopy.trees.tree import Tree, TreeBuilder

Inducer = Callable[[EncodedTable, int], Tree]

_COLLAPSE_SLACK = 1e-3
PRUNE_SLACK = 0.1


def c45(
    table: EncodedTable,
    *,
    min_rows: float = 2,
    confidence: float = 0.25,
    prune: bool = True,
    weights: Floats | None = None,
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
    n_rows = table.total_weight if weights is None else float(weights.sum())
    criterion = criterion_of_c45(min_rows, n_rows)
    tree = grow(table, criterion, weights=weights, share_missing=share_missing)
    return pruned_c45(tree, confidence) if prune else collapsed(tree)


def criterion_of_c45(min_rows: float, n_rows: float) -> Criterion:
    """How C4.5 chooses splits of a table of so many rows."""
    return Criterion(True, min_rows, n_rows)


def pruned_c45(tree: Tree, confidence: float = 0.25) -> Tree:
    """What C4.5 leaves of a tree that is grown to its end; O(nodes)."""
    return pruned_by_estimated_errors(collapsed(tree), confidence)


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


def collapsed(tree: Tree) -> Tree:
    """Without splits that make no fewer mistakes on the rows the tree was grown on; O(nodes)."""
    mistakes = _mistakes(tree.counts)
    below = np.where(tree.is_leaf, mistakes, 0.0)
    for nodes in reversed(tree.levels):
        inner = nodes[~tree.is_leaf[nodes]]
        below[inner] = _summed_over_children(tree, inner, below)
    return tree.pruned(~tree.is_leaf & (below >= mistakes - _COLLAPSE_SLACK))


def pruned_by_estimated_errors(tree: Tree, confidence: float) -> Tree:
    """C4.5's error-based pruning: a node whose estimate as a leaf is no worse becomes one; O(nodes)."""
    as_leaf = estimated_errors(tree.counts, confidence)
    estimate = as_leaf.copy()
    becomes_leaf = np.zeros(tree.n_nodes, dtype=bool)
    for nodes in reversed(tree.levels):
        inner = nodes[~tree.is_leaf[nodes]]
        below = _summed_over_children(tree, inner, estimate)
        keeps = below + PRUNE_SLACK < as_leaf[inner]
        estimate[inner] = np.where(keeps, below, as_leaf[inner])
        becomes_leaf[inner] = ~keeps
    return tree.pruned(becomes_leaf)


def estimated_errors(counts: Counts, confidence: float) -> Floats:
    """Mistakes of each line of class counts as a leaf: those seen, and those to expect."""
    mistakes = _mistakes(counts)
    return mistakes + added_errors(counts.sum(axis=1).astype(np.float64), mistakes, confidence)


def added_errors(n_rows: Floats, mistakes: Floats, confidence: float) -> Floats:
    """How many more mistakes than were seen to expect, at the upper confidence limit of the binomial.

    The limit is exact without mistakes, a normal approximation with a continuity correction from one on, and
    interpolated in between; nothing is added to nodes without rows.
    """
    n = np.maximum(n_rows, 1e-12)
    without = n * (1 - confidence ** (1 / n))
    one = _normal_limit(n, np.ones_like(n), confidence)
    few = without + np.minimum(mistakes, 1) * (one - without)
    added = np.where(mistakes < 1, few, _normal_limit(n, mistakes, confidence))
    return np.asarray(np.where(n_rows > 0, added, 0), dtype=np.float64)


def _normal_limit(n: Floats, mistakes: Floats, confidence: float) -> Floats:
    from statistics import NormalDist  # slow to load, and for pruning alone

    z = NormalDist().inv_cdf(1 - confidence)
    share = (mistakes + 0.5) / n
    spread = np.sqrt(np.maximum(share / n - share * share / n + z * z / (4 * n * n), 0))
    limit = (share + z * z / (2 * n) + z * spread) / (1 + z * z / n)
    added = np.where(mistakes + 0.5 >= n, np.maximum(n - mistakes, 0), limit * n - mistakes)
    return np.asarray(added, dtype=np.float64)


def _mistakes(counts: Counts) -> Floats:
    return np.asarray(counts.sum(axis=1) - counts.max(axis=1), dtype=np.float64)


def _summed_over_children(tree: Tree, nodes: Ints, amounts: Floats) -> Floats:
    ends = np.append(0, np.cumsum(tree.n_children[nodes]))
    return np.asarray(sums_between(amounts[tree.children(nodes)], ends))


INDUCERS: dict[str, Inducer] = {
    "c45": lambda table, min_rows: c45(table, min_rows=min_rows),
    "id3": lambda table, min_rows: id3(table, min_rows=min_rows),
}


def is_inducer(given: Any) -> bool:
    """Whether something that is no name can make trees."""
    return is_fitted_tree(given) or is_estimator(given) or (callable(given) and not isinstance(given, type))


def induce(inducer: Any, table: EncodedTable, min_rows: int) -> Tree:
    """The tree of a table: by a name, a scikit-learn tree (fitted here if it is not yet), or a function."""
    if is_fitted_tree(inducer):
        return tree_of_sklearn(inducer, table)
    if is_estimator(inducer):
        return tree_of_sklearn(_fitted_on(inducer, table), table)
    tree = (INDUCERS[inducer] if isinstance(inducer, str) else inducer)(table, min_rows)
    labels = [column.domain.labels for column in table.quasi]
    if not isinstance(tree, Tree) or [domain.labels for domain in tree.splits.domains] != labels:
        raise PolicyError("the inducer gave no tree over the quasi-identifiers", "see kanopy.trees.inducers")
    return tree


def is_fitted_tree(given: Any) -> bool:
    """Whether this is a fitted ``DecisionTreeClassifier`` (or anything that holds its tree like one)."""
    inner = getattr(given, "tree_", None)
    return all(hasattr(inner, name) for name in ("children_left", "children_right", "feature", "threshold"))


def is_estimator(given: Any) -> bool:
    """Whether this can be fitted as scikit-learn's estimators can."""
    return not isinstance(given, type) and hasattr(given, "fit") and hasattr(given, "get_params")


def _fitted_on(estimator: Any, table: EncodedTable) -> Any:
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
            of_threshold = {"threshold": n_left - 1, "missing_branch": missing_branch}
            left, right = builder.split(ours, column=column, **of_threshold)
        else:  # all values lie beyond, or a hierarchy orders them: a threshold on codes cannot say that
            branch_of_code = np.append(goes_right, missing_branch)
            left, right = builder.split(ours, column=column, branch_of_code=branch_of_code)
        waiting += [(children[0], left), (children[1], right)]
    return builder.tree()


def _points(domain: Domain) -> Floats:
    """Where each value lies for scikit-learn, which compares in single precision."""
    if domain.numbers is not None:
        with np.errstate(over="ignore"):  # beyond single precision lies beyond every threshold
            return domain.numbers.astype(np.float32).astype(np.float64)
    place = {label: place for place, label in enumerate(sorted(domain.labels))}
    return np.array([place[label] for label in domain.labels], dtype=np.float64)
