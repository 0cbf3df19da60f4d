"""A tree of an encoded table, and what kACTUS makes of it, beside scikit-learn's tree on the same codes.

Run as ``python -m benchmarks.tree_on_codes SOURCE.csv K kactus|sklearn``; all columns but the target are
quasi-identifiers.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.measure import Stopwatch
from benchmarks.workloads import wide_policy_of
from kanopy.algorithms import find_method, silent
from kanopy.data import EncodedTable
from kanopy.errors import KanopyError
from kanopy.frames.encode import encode
from kanopy.frames.source import read_source
from kanopy.privacy import KAnonymity
from kanopy.trees import c45


def main(arguments: list[str]) -> None:
    source, k, what = arguments
    table = encode(read_source(source), wide_policy_of(source, int(k))).table
    watch = Stopwatch()
    if what == "sklearn":
        _time_sklearn(table, int(k), watch)
    else:
        _time_kactus(table, int(k), watch)


def _time_sklearn(table: EncodedTable, k: int, watch: Stopwatch) -> None:
    from sklearn.tree import DecisionTreeClassifier

    # In the form scikit-learn would convert anything else to, which is not timed.
    features = np.stack([column.codes for column in table.quasi], axis=1).astype(np.float32)
    assert table.target is not None
    classes = table.target.codes.astype(np.int64)
    with watch.part("tree"):
        fitted = DecisionTreeClassifier(min_samples_leaf=k, random_state=0).fit(features, classes)
    watch.report(leaves=int(fitted.get_n_leaves()))


def _time_kactus(table: EncodedTable, k: int, watch: Stopwatch) -> None:
    method = find_method("kactus")
    with watch.part("tree"):
        tree = c45(table, min_rows=k)
    options = method.settle({"inducer": lambda table, min_rows: tree})
    with watch.part("anonymization"):
        recoding = method.run(table, KAnonymity(k), np.random.default_rng(0), silent, **options)
    watch.report(leaves=int(tree.is_leaf.sum()), groups=recoding.groups[1], kept=recoding.n_kept)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KanopyError as error:
        sys.exit(f"error: {error}")
