"""What gradient boosting learns from sketches of Adult: ``python -m benchmarks.sketched_adult``.

Releases are made of the rows that classifiers are trained on, with three seeds each; the accuracy is that on
the test rows as they are. It needs the data folder (``KANOPY_DATA``).
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

import kanopy
from benchmarks.adult import load_adult
from benchmarks.local_levels import LEARNER, N_TRAINING_ROWS
from benchmarks.workloads import QUASI, TARGET
from kanopy.learners import find_learner

KS = (100, 1000)
DIALS: tuple[dict[str, Any], ...] = ({}, {"spread": 0})
SEEDS = range(3)


def main() -> None:
    """Print the accuracy on the original rows, then of every k and dial."""
    adult = load_adult().select([*QUASI, TARGET])
    training, test = adult.slice(0, N_TRAINING_ROWS), adult.slice(N_TRAINING_ROWS)
    truth = np.array(test[TARGET].to_pylist())
    print(f"original: {_right(training.select(QUASI), test, truth, training[TARGET]):.2%}")
    for k, dials in product(KS, DIALS):
        policy = kanopy.Policy(quasi_identifiers=QUASI, target=TARGET, k=k)
        made = [kanopy.anonymize(training, policy, method="sketch", seed=seed, **dials) for seed in SEEDS]
        right = [_right(release, test, truth) for release in made]
        spreads = sorted({release.record["facts"]["spread"] for release in made})
        print(f"k = {k}, spread {spreads}: {', '.join(f'{each:.2%}' for each in right)}", flush=True)


def _right(source: Any, test: Any, truth: Any, *classes: Any) -> float:
    return float(np.mean(find_learner(LEARNER).make(0).fit(source, *classes).predict(test) == truth))


if __name__ == "__main__":
    main()
