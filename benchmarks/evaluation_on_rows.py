"""An evaluation, or the learners of scikit-learn alone: only what comes after reading the table is timed.

Run as ``python -m benchmarks.evaluation_on_rows SOURCE.csv alone|together|sklearn``.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from benchmarks.measure import Stopwatch
from benchmarks.workloads import policy_of
from kanopy.errors import KanopyError
from kanopy.evaluation import evaluate
from kanopy.evaluation.halves import HALVES, fold
from kanopy.frames.encode import encode
from kanopy.frames.source import read_source

METHODS = ("mondrian", "kactus", "tds")
KS = (5, 10, 50)
LEARNERS = ("c45", "nb", "logistic")
N_FITS = len(METHODS) * len(KS)
"""Of every learner in every fold."""


def main(arguments: list[str]) -> None:
    path, what = arguments
    policy = policy_of(path, KS[0])
    source = read_source(path)
    watch = Stopwatch()
    if what == "sklearn":
        _time_sklearn(source, policy, watch)
        return
    with watch.part("evaluation"):
        jobs = 1 if what == "alone" else None
        found = evaluate(source, policy, methods=METHODS, ks=KS, learners=LEARNERS, jobs=jobs)
    watch.report(**{f"{score.method} {score.k} {score.learner}": score.accuracy for score in found.scores})


def _time_sklearn(source: Any, policy: Any, watch: Stopwatch) -> None:
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import CategoricalNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    table = encode(source, policy).table
    columns = [*table.quasi, *(column for column in table.others() if column.domain.name != policy.target)]
    is_numeric = [column.domain.is_numeric for column in columns]
    codes = np.stack([column.codes for column in columns], axis=1).astype(np.float64)
    assert table.target is not None
    classes = table.target.codes.astype(np.int64)
    numeric = [place for place, numbers in enumerate(is_numeric) if numbers]
    others = [place for place, numbers in enumerate(is_numeric) if not numbers]
    encoder = make_column_transformer(
        (StandardScaler(), numeric), (OneHotEncoder(handle_unknown="ignore"), others)
    )
    sizes = [column.domain.n_codes for column in columns]
    models = (
        DecisionTreeClassifier(min_samples_leaf=2, random_state=0),
        CategoricalNB(min_categories=sizes),
        make_pipeline(encoder, LogisticRegression(max_iter=1000)),
    )
    right = [0.0] * len(models)
    with watch.part("learners"):
        for divided in (fold(classes, seed, half) for seed in range(1, 6) for half in HALVES):
            for place, model in enumerate(models):
                for _ in range(N_FITS):
                    told = model.fit(codes[divided.train], classes[divided.train]).predict(
                        codes[divided.test]
                    )
                right[place] += float(np.mean(told == classes[divided.test])) / 10
    watch.report(**{type(model).__name__: accuracy for model, accuracy in zip(models, right, strict=True)})


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KanopyError as error:
        sys.exit(f"error: {error}")
