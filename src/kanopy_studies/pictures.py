"""Pictures of a reproduction, as SVG whose bytes depend on the numbers alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from kanopy.errors import ResourceError
from kanopy_studies.page import Line

COLOURS = ("#0b3c5d", "#b5121b", "#1b7837", "#e08214", "#7b3294")
MARKERS = "osD^v"
_COLUMNS = 3
_SETTINGS = {
    "backend": "svg",
    "svg.hashsalt": "kanopy",
    "svg.fonttype": "none",
    "font.size": 8,
    "path.simplify": False,
}


@contextmanager
def new_figure(width: float, height: float, drawn: list[bytes]) -> Iterator[Any]:
    """A figure to draw on; afterwards it is put into ``drawn``, without a date."""
    matplotlib, figure_class = drawing_library()
    with matplotlib.rc_context(_SETTINGS):
        figure = figure_class(figsize=(width, height), layout="constrained")
        yield figure
        stream = BytesIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    drawn.append(stream.getvalue())


def draw_panels(title: str, axis: str, lines: Sequence[Line]) -> bytes:
    """One small panel for each data set: ours as lines, published numbers as hollow marks."""
    names = list(dict.fromkeys(line.panel for line in lines))
    series = list(dict.fromkeys(line.series for line in lines))
    n_columns = max(1, min(_COLUMNS, len(names)))  # an empty picture where nothing could be measured
    n_rows = max(1, -(-len(names) // n_columns))
    drawn: list[bytes] = []
    with new_figure(2.6 * n_columns + 1.4, 2.1 * n_rows + 0.6, drawn) as figure:
        grid = figure.subplots(n_rows, n_columns, squeeze=False)
        for axes in grid.flat[len(names) :]:
            axes.set_axis_off()
        for axes, name in zip(grid.flat, names, strict=False):
            _draw(axes, name, axis, [line for line in lines if line.panel == name], series)
        shown: dict[str, Any] = {}  # not every panel has every line
        for axes in grid.flat:
            for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
                shown.setdefault(label, handle)
        figure.legend(list(shown.values()), list(shown), loc="outside right upper", frameon=False)
        figure.suptitle(title, fontsize=10, x=0.01, ha="left")
    return drawn[0]


def _draw(axes: Any, name: str, axis: str, lines: Sequence[Line], series: Sequence[str]) -> None:
    places = list(dict.fromkeys(line.place for line in lines))
    for number, one in enumerate(series):
        mine = [line for line in lines if line.series == one]
        look = {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)]}
        across = [places.index(line.place) for line in mine]
        axes.plot(across, [line.ours for line in mine], label=one, linewidth=1.1, markersize=3.5, **look)
        paper = [(place, line.published) for place, line in zip(across, mine, strict=True)]
        known = [(place, value) for place, value in paper if value is not None]
        if known:
            hollow = {"markerfacecolor": "none", "linestyle": ":", "linewidth": 0.8, "markersize": 5.5}
            axes.plot(*zip(*known, strict=True), label=f"{one}, published", **look, **hollow)
    axes.set_xticks(range(len(places)), labels=places)
    axes.set_xlabel(axis)
    axes.set_title(name, fontsize=8, loc="left")
    axes.grid(visible=True, linewidth=0.3)


def drawing_library() -> tuple[Any, Any]:
    """matplotlib and its figure, where it is installed."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise ResourceError("the pictures need matplotlib", 'pip install "kanopy[reproduce]"') from None
    return matplotlib, Figure
