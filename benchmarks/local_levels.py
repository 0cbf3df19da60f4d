"""Adult at the best levels of its own for every row: what is lost, and what gradient boosting learns from it.

Run as ``python -m benchmarks.local_levels POLICY K``. The release is made of the rows that classifiers are
trained on. The accuracy is that on the test rows as they are, the mean over several random seeds of the
learner. Only the release is timed.
"""

from __future__ import annotations

import sys

import numpy as np

import kanopy
from benchmarks.adult import load_adult
from benchmarks.measure import Stopwatch
from benchmarks.workloads import QUASI, TARGET
from kanopy.learners import find_learner

LEARNER = "sklearn:HistGradientBoostingClassifier"
GCP, ACCURACY = "gcp", "accuracy"
N_TRAINING_ROWS, N_SEEDS = 30_162, 5


def main(policy_file: str, k: str) -> None:
    """Time the release, fit the learner on it, and print both."""
    adult = load_adult().select([*QUASI, TARGET])
    training, test = adult.slice(0, N_TRAINING_ROWS), adult.slice(N_TRAINING_ROWS)
    policy = kanopy.Policy.load(policy_file, k=int(k))
    watch = Stopwatch()
    with watch.part("release"):
        release = kanopy.anonymize(training, policy, method="optimal", local=True)
    truth = np.array(test[TARGET].to_pylist())
    right = [
        float(np.mean(find_learner(LEARNER).make(seed).fit(release).predict(test) == truth))
        for seed in range(N_SEEDS)
    ]
    watch.report(**{GCP: release.record["losses"]["gcp"], ACCURACY: float(np.mean(right))})


if __name__ == "__main__":
    main(*sys.argv[1:])
