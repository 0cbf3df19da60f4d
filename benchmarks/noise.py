"""``python -m benchmarks.noise``: how much cuts by gain fit noise, and what a bound on chance costs.

Every data set is divided into halves; C4.5 learns from the release of one half and is tested on the other, on
rows as they are and recoded. Then classes are shuffled: the share of rows in groups of a single class is what
a way to cut makes up. The table of patients is released with shuffled classes only. Needs KANOPY_DATA, or the
network.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa

from kanopy import anonymize
from kanopy.data.arrays import Floats, Ints
from kanopy.data.keys import rank
from kanopy.datasets import patients
from kanopy.evaluation.halves import Halves
from kanopy.learners.registry import find_learner
from kanopy.policy import Policy
from kanopy.release import Release
from kanopy.trees.class_counts import Counts, as_array, summed_entropy
from kanopy_studies.settings import halves_of

SETS = (
    "adult", "crx", "german", "glass", "ionosphere", "nursery", "pima", "tic_tac_toe", "vehicle",
    "waveform40",
)  # fmt: skip
MANY_ROWS = 3000
"""From so many rows on, one repetition will do."""
PATIENTS, N_PATIENTS = "patients", 20_000
PATIENTS_QUASI = ("age", "sex", "zip", "admission_type", "smoker", "bmi")
KS = (5, 10, 50)
WAYS: dict[str, dict[str, Any]] = {
    "median": {"cut": "median"},
    "any gain": {"max_chance": 1},
    "chance 0.05": {"max_chance": 0.05},
    "chance 0.2": {"max_chance": 0.2},
    "mdl": {"max_chance": 0.05},
}
"""Options of ``mondrian``; ``mdl`` has the bound of Fayyad and Irani in the place of chance."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one way to cut makes of one data set, in percent; NaN where it is not measured."""

    data: str
    k: int
    way: str
    plain: float  # accuracy on rows as they are
    recoded: float
    lost: float  # detail of the quasi-identifiers that is gone
    certain: float  # rows in groups of one class, of shuffled classes

    def line(self) -> str:
        numbers = (self.plain, self.recoded, self.lost, self.certain)
        texts = " | ".join("" if np.isnan(number) else f"{number:.2f}" for number in numbers)
        return f"| {self.data} | {self.k} | {self.way} | {texts} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for every data set, k and way, and the means over the data sets."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.noise", description=__doc__)
    parser.add_argument("--sets", default=",".join((PATIENTS, *SETS)), help="data sets, with commas")
    parser.add_argument("--ks", default=",".join(map(str, KS)))
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--repetitions", type=int, default=5, help="of small data sets, two halves each (5)")
    parser.add_argument("--shuffles", type=int, default=5, help="of the classes (5)")
    parser.add_argument("--rows", type=int, default=12_000, help="of a data set at most, drawn (12000)")
    given = parser.parse_args(arguments)
    print("| data | k | way | plain | recoded | lost | certain, shuffled |\n|---|---|---|---|---|---|---|")
    found = []
    for data in given.sets.split(","):
        for k in map(int, given.ks.split(",")):
            for way in given.ways.split(","):
                found.append(measured(data, k, way, given))
                print(found[-1].line(), flush=True)
    for line in means(found):
        print(line)
    return 0


def measured(data: str, k: int, way: str, given: argparse.Namespace) -> Found:
    """Every half of every repetition, and every shuffle, of one data set."""
    nothing = float("nan")
    with cutting(way) as options:
        if data == PATIENTS:
            policy = Policy(PATIENTS_QUASI, target="readmitted", categorical=["zip"], k=k)
            table = patients(N_PATIENTS).select([*PATIENTS_QUASI, "readmitted"])
            certain = certainty(table, policy, options, given.shuffles)
            return Found(data, k, way, nothing, nothing, nothing, certain)
        halves = drawn(halves_of(data, 2), given.rows)
        repetitions = range(given.repetitions if halves.n_rows < MANY_ROWS else 1)
        folds = [(repetition, half) for repetition in repetitions for half in (0, 1)]
        scores = [accuracies(halves, k, options, *fold) for fold in folds]
        certain = certainty(halves.source, replace(halves.policy, k=k), options, given.shuffles)
    plain, recoded, lost = (100 * mean(each) for each in zip(*scores, strict=True))
    return Found(data, k, way, plain, recoded, lost, certain)


def accuracies(
    halves: Halves, k: int, options: Mapping[str, Any], repetition: int, half: int
) -> tuple[float, float, float]:
    """Of C4.5 on test rows as they are and recoded; and the share of detail lost."""
    train, test = halves.fold(0, repetition, half)
    release = anonymize(halves.source.take(train), replace(halves.policy, k=k), **options)
    target = str(halves.policy.target)
    tests = [halves.inputs.take(test), release.recode(halves.source.take(test)).drop_columns([target])]
    classes = classes_of(release.frame, target)
    tree = find_learner("c45").make(0).fit(release.frame.drop_columns([target]), classes)
    plain, recoded = (float(np.mean(tree.predict(rows) == halves.classes[test])) for rows in tests)
    return plain, recoded, release.record["losses"]["gcp"]


def certainty(source: pa.Table, policy: Policy, options: Mapping[str, Any], n_shuffles: int) -> float:
    """Percent of the rows in groups of one class, where classes are shuffled."""
    target = str(policy.target)
    place, classes = source.schema.get_field_index(target), classes_of(source, target)
    shares = []
    for seed in range(n_shuffles):
        shuffled = pa.array(np.random.default_rng(seed).permutation(np.sort(classes)))
        shares.append(share_certain(anonymize(source.set_column(place, target, shuffled), policy, **options)))
    return 100 * mean(shares)


def share_certain(release: Release) -> float:
    """The share of rows whose published cells go with one class."""
    frame, quasi = release.frame, release.policy.quasi_identifiers
    texts = [
        "\x1f".join(map(str, row)) for row in zip(*(frame[name].to_pylist() for name in quasi), strict=True)
    ]
    _, group = np.unique(texts, return_inverse=True)
    _, code = np.unique(classes_of(frame, str(release.policy.target)), return_inverse=True)
    pair, n_pairs = rank(group * (int(code.max()) + 1) + code, int((group.max() + 1) * (code.max() + 1)))
    group_of_pair = np.zeros(n_pairs, dtype=np.int64)
    group_of_pair[pair] = group
    return float(np.mean(np.bincount(group_of_pair)[group] == 1))


def classes_of(table: pa.Table, target: str) -> Any:
    return table.column(target).to_numpy(zero_copy_only=False).astype(str)


def drawn(halves: Halves, n_rows: int) -> Halves:
    """At most so many rows, each as likely as the others."""
    n_all = halves.source.num_rows
    if n_all <= n_rows:
        return halves
    rows = np.sort(np.random.default_rng(0).permutation(n_all)[:n_rows])
    return Halves.of(halves.source.take(rows), halves.policy)


@contextmanager
def cutting(way: str) -> Iterator[dict[str, Any]]:
    """The options of a way to cut; ``mdl`` replaces the bound while it lasts."""
    if way != "mdl":
        yield WAYS[way]
        return
    with mock.patch("kanopy.algorithms.cuts.log_chance", mdl):
        yield WAYS[way]


def mdl(by_class: Counts, node: Ints, n_nodes: int) -> Floats:
    """What a cut saves by Fayyad and Irani, as if it were a chance; the cost of naming it is added later."""
    n_classes = by_class.shape[1]
    side = np.arange(len(node)) - np.searchsorted(node, node)
    parts = np.zeros((n_nodes, int(side.max(initial=0)) + 1, n_classes), dtype=np.int64)
    parts[node, side] = as_array(by_class)
    bits = [summed_entropy(counts.reshape(-1, n_classes)) for counts in (parts.sum(axis=1), parts)]
    whole, of_parts = bits[0], bits[1].reshape(parts.shape[:2])
    n_present = [np.count_nonzero(counts, axis=-1) for counts in (parts.sum(axis=1), parts)]
    sizes = np.maximum(parts.sum(axis=2), 1)
    change = n_present[0] * whole / sizes.sum(axis=1) - (n_present[1] * of_parts / sizes).sum(axis=1)
    cost = np.log2(np.maximum(3.0 ** n_present[0] - 2, 1)) - change
    saved = (whole - of_parts.sum(axis=1) - cost) * np.log(2)
    return np.asarray(np.log(0.05) - saved)


def means(found: Sequence[Found]) -> Iterator[str]:
    """Over the data sets, for every k and way; and the largest excess of certainty over the median's."""
    yield "\n| k | way | plain | recoded | lost | certain, shuffled | at most more than the median |"
    yield "|---|---|---|---|---|---|---|"
    ways = dict.fromkeys(each.way for each in found)
    of_median = {(each.data, each.k): each.certain for each in found if each.way == "median"}
    for k in dict.fromkeys(each.k for each in found):
        for way in ways:
            some = [each for each in found if (each.k, each.way) == (k, way)]
            numbers = [
                float(np.nanmean([getattr(each, name) for each in some]))
                for name in ("plain", "recoded", "lost", "certain")
            ]
            numbers.append(max(each.certain - of_median.get((each.data, k), np.nan) for each in some))
            yield f"| {k} | {way} | {' | '.join(f'{number:.2f}' for number in numbers)} |"


if __name__ == "__main__":
    raise SystemExit(main())
