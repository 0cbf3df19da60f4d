"""Our numbers beside published ones: a line for each, a mark where they agree, and what it comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from kanopy_studies.markdown import signed, table

AGREES, DIFFERS = "✓", "≠"


@dataclass(frozen=True, slots=True)
class Line:
    """One number of ours, and the published one where there is one.

    Parameters
    ----------
    panel, series, place : str
        Where it belongs: the picture, the line in it, the place on that line; for tables, the first columns.
    ours : float
    published, tolerance : float, optional
        They agree where they differ by no more than the tolerance.
    shown, published_shown : str
        How the two are printed.
    more : tuple of str
        Further cells, before ours.
    """

    panel: str
    series: str
    place: str
    ours: float
    published: float | None
    tolerance: float
    shown: str
    published_shown: str = ""
    more: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        return self.published is not None and abs(self.ours - self.published) <= self.tolerance

    @property
    def cells(self) -> tuple[str, ...]:
        where = (self.panel, self.series, self.place, *self.more)
        if self.published is None:
            return (*where, self.shown, "", "", "")
        mark = AGREES if self.agrees else DIFFERS
        return (*where, self.shown, self.published_shown, signed(self.ours - self.published), mark)


def beside_table(names: Sequence[str], lines: Sequence[Line]) -> str:
    """A Markdown table; ``names`` are those of the columns before our number."""
    return table((*names, "ours", "published", "difference", "agrees"), [line.cells for line in lines])


def agreement(lines: Sequence[Line], unit: str) -> str:
    """How many agree, and how far off we are on average; by series where there are several."""
    parts = [_sum("", lines, unit)]
    series = list(dict.fromkeys(line.series for line in lines))
    if len(series) > 1:
        parts += [_sum(f"{name}: ", [line for line in lines if line.series == name], unit) for name in series]
    return "\n".join(f"- {part}" for part in parts if part)


def _sum(label: str, lines: Sequence[Line], unit: str) -> str:
    apart = [(line.ours - line.published, line.agrees) for line in lines if line.published is not None]
    if not apart:
        return ""
    n_agree = sum(agrees for _, agrees in apart)
    return (
        f"{label}{n_agree} of {len(apart)} agree; mean difference {signed(mean(off for off, _ in apart))}, "
        f"mean absolute difference {mean(abs(off) for off, _ in apart):.2f} {unit}"
    ).rstrip()
