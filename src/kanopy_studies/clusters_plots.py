"""The figures of the run on clusters, as SVG whose bytes depend on the numbers alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product

from kanopy_studies.clusters_record import ACCURACY, ClusterRun
from kanopy_studies.page import Files
from kanopy_studies.pictures import new_figure

SIZE = (7.2, 4.0)
MARKERS = "osD^v<>Px*h"
COLOURS = (
    "#0b3c5d", "#328cc1", "#7fb7d6", "#b5121b", "#e08214", "#7b3294", "#1b7837", "#8c510a",
    "#ef8a8f", "#555555", "#a0a0a0",
)  # fmt: skip
"""One of each for every contender; blue are the paper's own, grey is what is there for comparison."""


@dataclass(frozen=True, slots=True)
class Plot:
    """One measure against k, a line for every contender."""

    measure: str
    title: str
    file_name: str
    is_logarithmic: bool = True
    value: Callable[[ClusterRun, str, int], float | None] | None = None

    def value_of(self, run: ClusterRun, label: str, k: int) -> float | None:
        return run.loss(label, k, self.measure) if self.value is None else self.value(run, label, k)


def _mean_accuracy(run: ClusterRun, label: str, k: int) -> float | None:
    found = run.accuracy(label, k)
    return None if found is None else found.mean


PLOTS = (
    Plot("square_error", "Square error", "clusters-square-error.svg"),
    Plot("total_information_loss", "Total information loss", "clusters-information-loss.svg"),
    Plot("discernibility", "Discernibility of what is printed", "clusters-discernibility.svg"),
    Plot(ACCURACY, "Accuracy of C4.5, percent", "clusters-accuracy.svg", False, _mean_accuracy),
    Plot("cpu", "Time, multiple of k-member", "clusters-time.svg", True, ClusterRun.times_kmember),
)


def draw_all(run: ClusterRun) -> Files:
    """Every figure that has something to draw, by the name of its file."""
    places = list(product(run.labels, run.ks))
    return {
        plot.file_name: partial(draw, run, plot)
        for plot in PLOTS
        if any(plot.value_of(run, *place) is not None for place in places)
    }


def draw(run: ClusterRun, plot: Plot) -> bytes:
    """One figure."""
    drawn: list[bytes] = []
    with new_figure(*SIZE, drawn) as figure:
        axes = figure.add_subplot()
        for number, label in enumerate(run.labels):
            values = [plot.value_of(run, label, k) for k in run.ks]
            heights = [float("nan") if value is None else value for value in values]
            look = {"marker": MARKERS[number % len(MARKERS)], "color": COLOURS[number % len(COLOURS)]}
            axes.plot(run.ks, heights, label=label, linewidth=1.2, markersize=4, **look)
        if plot.measure == ACCURACY:
            axes.axhline(run.raw.mean, color="black", linewidth=0.8, linestyle="--", label="rows as they are")
            majority = 100 * run.facts.majority
            axes.axhline(majority, color="black", linewidth=0.8, linestyle=":", label="most frequent class")
        axes.set_xscale("log")
        axes.set_xticks(run.ks, labels=[str(k) for k in run.ks])
        axes.set_xticks([], minor=True)
        if plot.is_logarithmic:
            axes.set_yscale("log")
        axes.set_xlabel("k")
        axes.set_title(plot.title, fontsize=10, loc="left")
        axes.grid(visible=True, linewidth=0.3)
        figure.legend(loc="outside right upper", frameon=False, fontsize=8)
    return drawn[0]
