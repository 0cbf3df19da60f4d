"""One fit of a tree: of scikit-learn's on codes, or of the one that reads cells, on codes or on a release.

Run as ``python -m benchmarks.learners_on_codes SOURCE.csv K standard|wide sklearn|plain|members|range``; wide
takes all columns but the target, standard the eight quasi-identifiers. Reading the cells of a release is part
of the fit; making it is not.
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
from kanopy.learners.reading import read_classified
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
    if what != "plain":
        X, y = anonymize(table, policy, method="mondrian", publish=what).frame, TARGET
    learner = GeneralizedTreeClassifier()
    with watch.aside("reading"):
        read_classified(learner, X, y)
    with watch.part("fit"):
        learner.fit(X, y)
    tree = learner.tree_
    watch.report(leaves=int((tree.is_leaf & (tree.counts.sum(axis=1) > 0)).sum()))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KanopyError as error:
        sys.exit(f"error: {error}")
