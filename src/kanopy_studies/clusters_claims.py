"""The orderings that the clustering paper tells of its figures, and whether they come out here.

The figures themselves are not at hand: the text gives no numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kanopy_studies.clusters import KMEANS1, KMEANS2, KMEANS3, KMEMBER, OKA
from kanopy_studies.clusters_record import Run
from kanopy_studies.markdown import table

NEARLY = 1.05
"""Losses whose ratio is no more are nearly equal; the paper does not say what it means."""

SE, IL = "square_error", "total_information_loss"
DM, DM_OF_CLUSTERS = "discernibility", "discernibility_of_clusters"


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that should hold for every k.

    Parameters
    ----------
    text : str
    labels : tuple of str
        The contenders that it is about.
    ratio : callable
        From a run and a k to a number.
    limit : float
        The claim holds where the ratio is below it, or equal where ``or_equal``.
    """

    text: str
    labels: tuple[str, ...]
    ratio: Callable[[Run, int], float]
    limit: float = 1.0
    or_equal: bool = False

    def holds(self, run: Run, k: int) -> bool:
        ratio = self.ratio(run, k)
        return ratio < self.limit or (self.or_equal and ratio == self.limit)


def _lower(measure: str, shown: str, less: str, more: str) -> Claim:
    def ratio(run: Run, k: int) -> float:
        return run.loss(less, k, measure) / run.loss(more, k, measure)

    return Claim(f"{shown}: {less} below {more}", (less, more), ratio)


def _nearly_equal(measure: str, shown: str, labels: tuple[str, ...]) -> Claim:
    def ratio(run: Run, k: int) -> float:
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


def claims_of(run: Run) -> list[Claim]:
    """Those whose contenders were all measured."""
    return [claim for claim in CLAIMS if set(claim.labels) <= set(run.labels)]


def what_comes_out(run: Run) -> str:
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


def _line(run: Run, claim: Claim) -> tuple[str, ...]:
    against = [str(k) for k in run.ks if not claim.holds(run, k)]
    ratios = [claim.ratio(run, k) for k in run.ks]
    verdict = "always" if not against else "never" if len(against) == len(run.ks) else "mostly"
    if verdict == "mostly" and 2 * len(against) > len(run.ks):
        verdict = "seldom"
    return (claim.text, verdict, ", ".join(against) or "—", f"{min(ratios):.3f}", f"{max(ratios):.3f}")
