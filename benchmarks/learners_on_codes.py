"""One fit of a tree: of scikit-learn's on codes, or of the one that reads cells, on codes or on a release.

Run as ``python -m benchmarks.learners_on_codes SOURCE.csv K standard|wide WHAT``, where WHAT is sklearn,
plain, members, range, boosted, drawn, coded or undrawn; wide takes all columns but the target, standard the
eight quasi-identifiers. The last four are fits of gradient boosting: on three copies of the codes, on three
draws from a release, on the codes once, with categories told, and on the rows without draws. Reading cells or
rows is part of the fit; making a release is not.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from benchmarks.measure import Stopwatch
from benchmarks.workloads import QUASI, TARGET, WIDE, wide_policy_of
from kanopy.engines.local import anonymize
from kanopy.errors import KanopyError
from kanopy.frames.encode import encode
from kanopy.frames.source import read_source
from kanopy.learners.draws import EncodedClassifier
from kanopy.learners.reading import read_classified
from kanopy.learners.registry import DRAWS
from kanopy.learners.tree_classifier import GeneralizedTreeClassifier
from kanopy.policy import Policy


def main(arguments: list[str]) -> None:
    source, k, kind, what = arguments
    quasi = wide_policy_of(source, int(k)).quasi_identifiers if kind == WIDE else QUASI
    policy = Policy(quasi_identifiers=quasi, target=TARGET, k=int(k))
    table = read_source(source).select([*quasi, TARGET])
    encoded = encode(table, policy).table
    assert encoded.target is not None
    X: Any = np.stack([column.codes for column in encoded.quasi], axis=1).astype(np.float32)
    y: Any = encoded.target.codes.astype(np.int64)
    watch = Stopwatch()
    if what == "sklearn":
        from sklearn.tree import DecisionTreeClassifier

        with watch.part("fit"):
            fitted = DecisionTreeClassifier(random_state=0).fit(X, y)
        watch.report(leaves=int(fitted.get_n_leaves()))
        return
    if what in ("coded", "undrawn"):
        is_category = [not column.domain.is_numeric for column in encoded.quasi]
        fit_plain(X, y, is_category, table if what == "undrawn" else None, watch)
        return
    if what in ("boosted", "drawn"):
        fit_boosting(X, y, None if what == "boosted" else anonymize(table, policy, method="mondrian"), watch)
        return
    if what != "plain":
        X, y = anonymize(table, policy, method="mondrian", publish=what).frame, TARGET
    learner = GeneralizedTreeClassifier()
    with watch.aside("reading"):
        read_classified(learner, X, y)
    with watch.part("fit"):
        learner.fit(X, y)
    tree = learner.tree_
    watch.report(leaves=int((tree.is_leaf & (tree.counts.sum(axis=1) > 0)).sum()))


def fit_plain(X: Any, y: Any, is_category: list[bool], rows: Any, watch: Stopwatch) -> None:
    """Fit gradient boosting on codes, told which are categories, or on the rows if there are some."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    boosting: Any = HistGradientBoostingClassifier(random_state=0, categorical_features=is_category)
    if rows is not None:
        boosting = EncodedClassifier(HistGradientBoostingClassifier(random_state=0), random_state=0)
        X, y = rows, TARGET
    with watch.part("fit"), threadpool_limits(limits=1):
        boosting.fit(X, y)
    watch.report(features=int(getattr(boosting, "classifier_", boosting).n_features_in_))


def fit_boosting(X: Any, y: Any, release: Any, watch: Stopwatch) -> None:
    """Fit gradient boosting on copies of the codes, or on draws from a release if there is one."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    boosting: Any = HistGradientBoostingClassifier(random_state=0)
    if release is not None:
        X, y, boosting = release, None, EncodedClassifier(boosting, draws=DRAWS, random_state=0)
    else:
        X, y = np.repeat(X, DRAWS, axis=0), np.repeat(y, DRAWS)
    with watch.part("fit"):
        boosting.fit(X, y)
    watch.report(features=int(getattr(boosting, "classifier_", boosting).n_features_in_))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KanopyError as error:
        sys.exit(f"error: {error}")
