"""A finished run on clusters: averaged over seeds and folds, as JSON, and beside the orderings of the paper.

The text of the paper gives no numbers; its figures are not at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from functools import cached_property
from typing import TypeVar

import numpy as np

from kanopy_studies.clusters import KMEANS1, KMEANS2, KMEANS3, KMEMBER, OKA, RAW, Clusterer, Learned, Released
from kanopy_studies.page import json_lines, table
from kanopy_studies.published_kactus import Spread

SCHEMA = 1
Result = TypeVar("Result", Released, Learned)

ACCURACY, RECODED = "accuracy", "accuracy_recoded"
NEARLY = 1.05
"""Losses up to this ratio are nearly equal; the paper gives no number."""

SE, IL = "square_error", "total_information_loss"
DM, DM_OF_CLUSTERS = "discernibility", "discernibility_of_clusters"


@dataclass(frozen=True, slots=True)
class ClusterFacts:
    """The table that was released."""

    n_rows: int
    quasi: tuple[str, ...]
    majority: float


@dataclass(frozen=True)
class ClusterRun:
    """Everything that one command measured."""

    command: str
    versions: Mapping[str, str]
    facts: ClusterFacts
    contenders: Sequence[Clusterer]
    ks: Sequence[int]
    released: Sequence[Released]
    learned: Sequence[Learned]

    @property
    def labels(self) -> list[str]:
        return [contender.label for contender in self.contenders]

    @property
    def seeds(self) -> list[int]:
        return sorted({one.seed for one in self.released})

    @property
    def n_folds(self) -> int:
        return len({(one.seed, one.half) for one in self.learned})

    @cached_property
    def _released(self) -> dict[tuple[str, int], list[Released]]:
        return _by_place(self.released)

    @cached_property
    def _learned(self) -> dict[tuple[str, int], list[Learned]]:
        return _by_place(self.learned)

    def loss(self, label: str, k: int, measure: str) -> float:
        """One of the losses of ``Released``, or its ``cpu``: the mean over the seeds."""
        return float(np.mean([getattr(one, measure) for one in self._released[label, k]]))

    def spread_of(self, measure: str) -> float:
        """The widest range over the seeds of one contender and k, as a share of the mean."""
        widths = []
        for found in self._released.values():
            values = [getattr(one, measure) for one in found]
            mean = float(np.mean(values))
            widths.append((max(values) - min(values)) / mean if mean else 0.0)
        return max(widths)

    def times_kmember(self, label: str, k: int) -> float | None:
        """Processor seconds of the method, as a multiple of those of k-member; None without k-member."""
        if (KMEMBER, k) not in self._released:
            return None
        return self.loss(label, k, "cpu") / self.loss(KMEMBER, k, "cpu")

    def accuracy(self, label: str, k: int, measure: str = ACCURACY) -> Spread | None:
        """In percent, over the folds; None where some fold had nothing released."""
        values = [getattr(one, measure) for one in self._learned[label, k]]
        if None in values:
            return None
        deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
        return Spread(100 * float(np.mean(values)), 100 * deviation)

    @property
    def raw(self) -> Spread:
        found = self.accuracy(RAW, 1)
        assert found is not None
        return found

    def to_json(self) -> str:
        """The raw results, one release in one line."""
        heading = {
            "schema": SCHEMA,
            "command": self.command,
            "versions": dict(self.versions),
            "data": asdict(self.facts),
            "methods": [asdict(contender) for contender in self.contenders],
            "skipped": [],
            "released": [one.name for one in fields(Released)],
            "learned": [one.name for one in fields(Learned)],
        }
        results = {"released": map(astuple, self.released), "learned": map(astuple, self.learned)}
        return json_lines(heading, results)


def _by_place(results: Sequence[Result]) -> dict[tuple[str, int], list[Result]]:
    places: dict[tuple[str, int], list[Result]] = {}
    for one in results:
        places.setdefault((one.label, one.k), []).append(one)
    return places


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the paper: for every k the ratio is below the limit, or equal where ``or_equal``."""

    text: str
    labels: tuple[str, ...]
    ratio: Callable[[ClusterRun, int], float]
    limit: float = 1.0
    or_equal: bool = False

    def holds(self, run: ClusterRun, k: int) -> bool:
        ratio = self.ratio(run, k)
        return ratio < self.limit or (self.or_equal and ratio == self.limit)


def _lower(measure: str, shown: str, less: str, more: str) -> Claim:
    def ratio(run: ClusterRun, k: int) -> float:
        return run.loss(less, k, measure) / run.loss(more, k, measure)

    return Claim(f"{shown}: {less} below {more}", (less, more), ratio)


def _nearly_equal(measure: str, shown: str, labels: tuple[str, ...]) -> Claim:
    def ratio(run: ClusterRun, k: int) -> float:
        found = [run.loss(label, k, measure) for label in labels]
        return max(found) / min(found)

    text = f"{shown}: {', '.join(labels)} nearly equal (within {NEARLY - 1:.0%})"
    return Claim(text, labels, ratio, NEARLY, or_equal=True)


CLAIMS = (
    *(_lower(SE, "square error", KMEANS1, other) for other in (KMEANS2, KMEANS3, OKA, KMEMBER)),
    _lower(IL, "Total-IL", KMEMBER, KMEANS1),
    _lower(IL, "Total-IL", KMEMBER, OKA),
    _lower(IL, "Total-IL", KMEANS1, OKA),
    _nearly_equal(DM_OF_CLUSTERS, "discernibility of clusters", (KMEANS1, KMEMBER, OKA)),
    _nearly_equal(DM, "discernibility of what is printed", (KMEANS1, KMEMBER, OKA)),
)


def claims_of(run: ClusterRun) -> list[Claim]:
    """Those whose contenders were all measured."""
    return [claim for claim in CLAIMS if set(claim.labels) <= set(run.labels)]


def what_comes_out(run: ClusterRun) -> str:
    """A line for every claim: for which k it holds, and the ratio behind it."""
    claims = claims_of(run)
    if not claims:
        return ""
    lines = [_line(run, claim) for claim in claims]
    n_whole = sum(all(claim.holds(run, k) for k in run.ks) for claim in claims)
    header = ("the paper says", "holds", "not at k =", "ratio, least", "greatest")
    return (
        f"## The orderings of the paper\n\n{n_whole} of {len(claims)} come out for every k measured. "
        "The ratio is that of the first loss to the second; where losses are to be nearly equal, of the "
        f"greatest to the least.\n\n{table(header, lines)}"
    )


def _line(run: ClusterRun, claim: Claim) -> tuple[str, ...]:
    against = [str(k) for k in run.ks if not claim.holds(run, k)]
    ratios = [claim.ratio(run, k) for k in run.ks]
    verdict = "always" if not against else "never" if len(against) == len(run.ks) else "mostly"
    if verdict == "mostly" and 2 * len(against) > len(run.ks):
        verdict = "seldom"
    return (claim.text, verdict, ", ".join(against) or "—", f"{min(ratios):.3f}", f"{max(ratios):.3f}")
