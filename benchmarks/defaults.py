"""What learners make of each method's releases, option by option: the measurement behind the defaults.

Half of every data set of the papers is released. Learners are trained on the release and asked about the
other half as it is; then the halves change places. Prints a Markdown table: the accuracy in per cent,
averaged over data sets and halves::

    KANOPY_DATA=folder python -m benchmarks.defaults --ks 10,50 --learners c45,nb
    KANOPY_DATA=folder python -m benchmarks.defaults --methods kactus,apt --ks 10
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

import kanopy
from benchmarks.digests import data_sets
from kanopy.learners.registry import find_learner

ORIGINAL = "original"
PUBLISHED = ("publish=range", "publish=members", "publish=mean")
READINGS: dict[str, tuple[str, ...]] = {
    "mondrian": (*PUBLISHED, "preset=paper"),
    "kactus": tuple(
        f"publish={numbers} merge={merge}"
        for numbers in ("mean", "range", "bins")
        for merge in ("suppress", "members")
    ),
    "kactus2": tuple(
        f"publish={numbers} merge={merge} swapping_threshold={share}"
        for numbers in ("bins", "range")
        for merge in ("suppress", "members")
        for share in ("0.5", "0")
    ),
    "kadet": ("criterion=gain", "criterion=gain_ratio"),
    "apt": tuple(
        f"publish={numbers} small_branches={small}"
        for numbers in ("range", "draw")
        for small in ("merge", "prune")
    ),
    "tdd": ("utility=classification", "utility=distortion"),
    "tds": ("require_positive_gain=false", "require_positive_gain=true"),
    "tdr": ("require_positive_gain=false", "require_positive_gain=true"),
    "bottomup": ("trees=drafted", "trees=given"),
    "kmeans": tuple(f"variant={variant} publish=range" for variant in "123") + PUBLISHED[1:],
    "kmember": (*PUBLISHED, "class_weight=1"),
    "oka": PUBLISHED,
    "loukides": (*PUBLISHED, "reassign=true"),
    "wfcmeans": PUBLISHED,
    "mdav": (*PUBLISHED, "class_weight=1"),
}
"""The options that change what a release says, written out: the table does not depend on the defaults."""


class Reading(NamedTuple):
    """A method with some of its options."""

    method: str
    options: str

    def settings(self) -> dict[str, Any]:
        return dict(part.split("=") for part in self.options.split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--methods", default=",".join(READINGS), help="names, separated by commas")
    parser.add_argument("--ks", default="10", help="whole numbers, separated by commas")
    parser.add_argument("--learners", default="c45,nb", help="names, separated by commas")
    parser.add_argument("--rows", type=int, default=2000, help="of a data set, drawn at random (2000)")
    given = parser.parse_args()
    readings = [Reading(name, text) for name in given.methods.split(",") for text in READINGS[name]]
    learners = given.learners.split(",")
    ks = [int(k) for k in given.ks.split(",")]
    found: dict[tuple[Reading, int, str], list[float]] = defaultdict(list)
    for title, whole, policy in data_sets(most=10**9):
        table = whole.take(np.random.default_rng(0).permutation(whole.num_rows)[: given.rows])
        for key, score in measured(table, policy, readings, ks, learners):
            found[key].append(score)
        print(f"{title}: {table.num_rows} rows", flush=True)
    print("\n".join(shown(found, [Reading(ORIGINAL, ""), *readings], ks, learners)))


def measured(
    table: pa.Table,
    policy: kanopy.Policy,
    readings: Sequence[Reading],
    ks: Sequence[int],
    learners: Sequence[str],
) -> Iterator[tuple[tuple[Reading, int, str], float]]:
    """The accuracy of every learner on every release, for both halves."""
    halves = table.take(np.arange(0, table.num_rows, 2)), table.take(np.arange(1, table.num_rows, 2))
    for train, test in (halves, halves[::-1]):
        for learner in learners:
            score = accuracy(learner, train, {}, test, policy)
            yield from (((Reading(ORIGINAL, ""), k, learner), score) for k in ks)
        for reading in readings:
            for k in ks:
                asked = kanopy.Policy(quasi_identifiers=policy.quasi_identifiers, target=policy.target, k=k)
                try:
                    release = kanopy.anonymize(train, asked, method=reading.method, **reading.settings())
                    published, trees = release.frame, release.hierarchies
                except kanopy.KanopyError:  # nothing is published but how frequent the classes are
                    nothing = ["*"] * train.num_rows
                    published = pa.table(dict.fromkeys(policy.quasi_identifiers, nothing))
                    published = published.append_column(policy.target, train.column(policy.target))
                    trees = {}
                for learner in learners:
                    yield (reading, k, learner), accuracy(learner, published, trees, test, policy)


def accuracy(learner: str, train: pa.Table, trees: Any, test: pa.Table, policy: kanopy.Policy) -> float:
    """The share of test rows, as they are, whose class a learner finds."""
    from kanopy.learners.reading import SharedRows

    classes = train.column(policy.target).to_numpy(zero_copy_only=False).astype(str)
    truth = test.column(policy.target).to_numpy(zero_copy_only=False).astype(str)
    model = find_learner(learner).make(0)
    model.fit(SharedRows(train.drop_columns([policy.target]), trees), classes)
    return float(np.mean(model.predict(test.drop_columns([policy.target])) == truth))


def shown(
    found: dict[tuple[Reading, int, str], list[float]],
    readings: Sequence[Reading],
    ks: Sequence[int],
    learners: Sequence[str],
) -> Iterator[str]:
    """A line for every reading, with a column for every k and learner."""
    places = [(k, learner) for k in ks for learner in learners]
    yield "| method | options | " + " | ".join(f"{learner}, k = {k}" for k, learner in places) + " |"
    yield "|---" * (len(places) + 2) + "|"
    for reading in readings:
        means = [100 * float(np.mean(found[reading, *place])) for place in places]
        numbers = " | ".join(f"{mean:.1f}" for mean in means)
        yield f"| `{reading.method}` | {reading.options.replace(' ', ', ')} | {numbers} |"


if __name__ == "__main__":
    main()
