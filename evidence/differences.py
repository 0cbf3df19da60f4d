"""Where the run and the papers differ, told by the numbers themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evidence import published
from evidence.kactus import BEFORE, INSIDE
from evidence.markdown import signed, spread, table
from evidence.published import Spread
from evidence.record import Run

POINTS = 2.0
"""Percentage points of accuracy beyond which a difference is listed."""

DEVIATIONS = 2.0
"""Published standard deviations beyond which a smaller one is listed as well."""

MISSING_MEASURES = {
    "missing": "of the quasi-identifiers",
    "missing_of_table": "of the table",
    "missing_of_used": "without single bins",
}
"""Shares of missing cells, and how they are headed."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One accuracy of ours, as published, and the published one; in percent."""

    data: str
    k: int
    ours: float
    paper: Spread

    @property
    def points(self) -> float:
        return self.ours - self.paper.mean

    @property
    def is_large(self) -> bool:
        return abs(self.points) > min(POINTS, DEVIATIONS * self.paper.deviation)


def differences(run: Run) -> Iterator[Difference]:
    """Every accuracy that was both published and measured."""
    for facts in run.facts:
        for k in run.ks(facts.name):
            paper = published.accuracy(run.method, facts.name, k)
            if paper is not None:
                ours = run.percent(facts.name, BEFORE, k, "accuracy").mean
                yield Difference(facts.name, k, ours, paper)


def cells_that_differ(run: Run) -> str:
    """The large differences, one by one."""
    compared = list(differences(run))
    large = [found for found in compared if found.is_large]
    introduction = (
        f"## Where we differ\n\nOf {len(compared)} published accuracies, {len(large)} are more than "
        f"{POINTS:g} points or {DEVIATIONS:g} published standard deviations away from ours (*before*)."
    )
    if not large:
        return introduction
    n_close = sum(abs(found.points) <= found.paper.deviation for found in large)
    introduction += f" {n_close} of these are within one published standard deviation."
    header = ("data set", "k", "before", "published", "difference", "published deviations")
    lines = [
        (
            found.data,
            f"{found.k:,}",
            f"{found.ours:.2f}",
            spread(found.paper),
            signed(found.points),
            f"{abs(found.points) / found.paper.deviation:.1f}",
        )
        for found in large
    ]
    return f"{introduction}\n\n{table(header, lines)}"


def differences_by_set(run: Run) -> str:
    """How far off the accuracies of a data set are, and to which side."""
    by_set: dict[str, list[Difference]] = {}
    for found in differences(run):
        by_set.setdefault(found.data, []).append(found)
    if not by_set:
        return ""
    header = ("data set", "k", "mean absolute difference", "mean difference", "listed above")
    lines = [
        (data, _ks(found), *_means([one.points for one in found]), str(sum(one.is_large for one in found)))
        for data, found in by_set.items()
    ]
    every = [one for found in by_set.values() for one in found]
    lines.append(("all", "", *_means([one.points for one in every]), str(sum(one.is_large for one in every))))
    return f"By data set:\n\n{table(header, lines)}"


def missing_by_reading(run: Run) -> str:
    """How far off the shares of missing cells are, for each share that the paper may have meant."""
    lines = []
    for facts in run.facts:
        papers = {k: published.missing_ratio(run.method, facts.name, k) for k in run.ks(facts.name)}
        offs = {
            measure: [
                abs(run.over_folds(facts.name, BEFORE, k, measure).mean - paper)
                for k, paper in papers.items()
                if paper is not None
            ]
            for measure in MISSING_MEASURES
        }
        if offs["missing"]:
            lines.append((facts.name, *(f"{sum(off) / len(off):.3f}" for off in offs.values())))
    if not lines:
        return ""
    return (
        "Shares of missing cells (*before*), mean absolute difference to the published ones. To take for "
        "every data set the share that fits best would be to choose after the fact.\n\n"
        + table(("data set", *MISSING_MEASURES.values()), lines)
    )


def near_majority(run: Run) -> str:
    """Accuracies that a constant answer would nearly have."""
    found = []
    for facts in run.facts:
        limit = 100 * facts.majority + POINTS
        near = [k for k in run.ks(facts.name) if run.percent(facts.name, INSIDE, k, "accuracy").mean < limit]
        if near:
            found.append(f"{facts.name} at k = {', '.join(f'{k:,}' for k in near)}")
    if not found:
        return ""
    return f"Less than {POINTS:g} points above the majority (*inside*): {'; '.join(found)}."


def _ks(found: list[Difference]) -> str:
    return ", ".join(str(one.k) for one in found)


def _means(points: list[float]) -> tuple[str, str]:
    absolute = sum(map(abs, points)) / len(points)
    return f"{absolute:.2f}", signed(sum(points) / len(points))
