"""The picture of a frontier: what learners lose against what groups tell, one line per method over its k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kanopy_studies.pictures import COLOURS, MARKERS, new_figure

Curve = Sequence[tuple[int, float, float]]
"""Of each k: the k, the excess and the loss, both in points."""


def draw_frontier(name: str, curves: Mapping[str, Curve]) -> bytes:
    """One panel; better is towards the lower left."""
    drawn: list[bytes] = []
    with new_figure(5.2, 3.4, drawn) as figure:
        axes = figure.subplots()
        for number, (method, curve) in enumerate(curves.items()):
            again = number // len(COLOURS)  # further methods have a broken line, and other marks
            look = {
                "color": COLOURS[number % len(COLOURS)],
                "marker": MARKERS[(number + again) % len(MARKERS)],
                "linestyle": ("-", "--", ":")[again % 3],
            }
            across, up = [excess for _, excess, _ in curve], [loss for _, _, loss in curve]
            axes.plot(across, up, label=method, linewidth=0.9, markersize=3.5, **look)
            for k, excess, loss in (curve[0], curve[-1]):
                axes.annotate(
                    f"k = {k}", (excess, loss), fontsize=6, xytext=(3, 3), textcoords="offset points"
                )
        axes.set_xlabel("excess, points")
        axes.set_ylabel("mean loss of accuracy, points")
        axes.legend(frameon=False)
        axes.set_title(name, fontsize=10, loc="left")
    return drawn[0]
