"""What an experiment shows: tables with our numbers beside the published ones, and the numbers as JSON."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

import numpy as np

from kanopy._version import __version__

Files = dict[str, bytes | Callable[[], bytes]]
"""By file name; a picture is drawn when it is written, because only then its library is needed."""

AGREES, DIFFERS = "✓", "≠"
_DIGITS = 6
"""More than folds of a few thousand rows can tell."""


@dataclass(frozen=True, slots=True)
class Page:
    """A Markdown document of some parts, its numbers as JSON, and further files."""

    name: str
    parts: Sequence[str]
    numbers: str
    others: Files

    def files(self) -> Files:
        text = "\n\n".join(part for part in self.parts if part) + "\n"
        return {f"{self.name}.md": text.encode(), f"{self.name}.json": self.numbers.encode(), **self.others}


@dataclass(frozen=True, slots=True)
class Line:
    """One number of ours, and the published one where there is one.

    They agree where they differ by no more than the tolerance. Panel, series and place say where the number
    belongs: the picture, the line in it, the place on that line; in tables, the first columns.
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
    """Further cells, before our number."""

    @property
    def agrees(self) -> bool:
        return self.published is not None and abs(self.ours - self.published) <= self.tolerance

    @property
    def cells(self) -> tuple[str, ...]:
        where = (self.panel, self.series, self.place, *self.more)
        if self.published is None:
            return (*where, self.shown, "", "", "")
        return (*where, self.shown, self.published_shown, signed(self.ours - self.published), self.mark)

    @property
    def mark(self) -> str:
        return AGREES if self.agrees else DIFFERS


def beside_table(names: Sequence[str], lines: Sequence[Line]) -> str:
    """A table with published numbers; ``names`` are those of the columns before our number."""
    return table((*names, "ours", "published", "difference", "agrees"), [line.cells for line in lines])


def agreement(lines: Sequence[Line], unit: str) -> str:
    """How many numbers agree, and the mean difference; by series where there are several."""
    parts = [_agreement("", lines, unit)]
    series = list(dict.fromkeys(line.series for line in lines))
    if len(series) > 1:
        for name in series:
            parts.append(_agreement(f"{name}: ", [line for line in lines if line.series == name], unit))
    return "\n".join(f"- {part}" for part in parts if part)


def _agreement(label: str, lines: Sequence[Line], unit: str) -> str:
    apart = [(line.ours - line.published, line.agrees) for line in lines if line.published is not None]
    if not apart:
        return ""
    n_agree = sum(agrees for _, agrees in apart)
    return (
        f"{label}{n_agree} of {len(apart)} agree; mean difference {signed(mean(off for off, _ in apart))}, "
        f"mean absolute difference {mean(abs(off) for off, _ in apart):.2f} {unit}"
    ).rstrip()


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A Markdown table, the first column aligned to the left, the others to the right."""
    rule = [":--", *["--:"] * (len(header) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *lines])


def spread(value: tuple[float, float]) -> str:
    """A mean and its standard deviation."""
    return f"{value[0]:.2f} ± {value[1]:.2f}"


def signed(number: float) -> str:
    """A difference, with a minus sign as wide as the plus sign, and none before zero."""
    return f"{number:+z.2f}".replace("-", "−")


def versions() -> dict[str, str]:
    """Of everything that a number may depend on."""
    return {"kanopy": __version__, "python": platform.python_version(), "numpy": np.__version__}


def made_by(command: str, versions: Mapping[str, str]) -> str:
    """The sentences under the title of every document."""
    told = ", ".join(f"{name} {version}" for name, version in versions.items())
    return f"Made by `{command}`; do not edit. {told}."


def rounded(value: Any) -> Any:
    """The same value with all floats rounded."""
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(one) for one in value]
    return round(value, _DIGITS) if isinstance(value, float) else value


def json_lines(heading: Mapping[str, Any], results: Mapping[str, Iterable[Sequence[Any]]]) -> str:
    """JSON with every result on a line of its own."""
    parts = [f'"run": {json.dumps(heading)}']
    for name, lines in results.items():
        texts = ",\n".join(json.dumps(rounded(line)) for line in lines)
        parts.append(f'"{name}": [\n{texts}\n]')
    return "{" + ",\n".join(parts) + "}\n"
