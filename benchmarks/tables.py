"""The printed table and the recorded one."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

import kanopy
from benchmarks.bars import Bar, Section, kilobytes_per_row
from benchmarks.measure import Measurement

SCHEMA = 1
_HEADER = ("", "rows", "wall s", "CPU s", "ratio", "by clock", "peak MB", "kB/row", "spread", "")


def machine() -> dict[str, Any]:
    """What the figures were measured on; the load tells whether anybody else was working there."""
    return {
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "load": list(os.getloadavg()),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "pyarrow": pa.__version__,
        "kanopy": kanopy.__version__,
    }


def record(
    sections: Sequence[Section], before: dict[str, Any], settings: dict[str, Any], origin: str
) -> dict[str, Any]:
    """The run as plain values, for JSON."""
    failed = [bar.name for section in sections for bar in section.bars if not bar.passed]
    return {
        "schema": SCHEMA,
        "machine": {**before, "load_after": list(os.getloadavg())},
        "data": origin,
        "settings": settings,
        "sections": [section.to_dict() for section in sections],
        "failed": failed,
    }


def print_section(section: Section) -> None:
    """The timings of one section as soon as they are there."""
    against = f", ratio to: {section.baseline}" if section.baseline else ""
    print(f"\n{section.name}{against}")
    print_columns([_HEADER, *(_timing(section, found) for found in section.measurements)])
    sys.stdout.flush()


def print_bars(sections: Sequence[Section]) -> None:
    """Every bar with its figure and verdict."""
    print("\nbars")
    judged = [_verdict(bar) for section in sections for bar in section.bars]
    print_columns([("", "figure", "by clock", "bar", "", ""), *judged])


def print_columns(lines: Sequence[tuple[str, ...]]) -> None:
    """Texts to the left in the first and last column, to the right in the others."""
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    for first, *middle, last in lines:
        numbers = [text.rjust(width) for text, width in zip(middle, widths[1:-1], strict=True)]
        print("  ".join(["", first.ljust(widths[0]), *numbers, last]).rstrip())


def _timing(section: Section, found: Measurement) -> tuple[str, ...]:
    rows = f"{found.task.n_rows:,}" if found.task.n_rows else ""
    if found.fault:
        return (found.task.name, rows, *[""] * 7, found.fault)
    spread = f"{(max(found.walls) - min(found.walls)) / found.wall:.0%} of {len(found.walls)}"
    return (
        found.task.name,
        rows,
        f"{found.wall:.3f}",
        f"{found.cpu:.3f}",
        _number(section.ratio(found)),
        _number(section.wall_ratio(found)),
        f"{found.peak_bytes / 1e6:,.0f}",
        _number(kilobytes_per_row(found)),
        spread if len(found.walls) > 1 else "once",
        _details(found),
    )


def _details(found: Measurement) -> str:
    parts = [f"{part} {seconds:.2f}" for part, seconds in found.parts.items()] if len(found.parts) > 1 else []
    counts = [f"{value:,} {fact}" for fact, value in found.facts.items() if isinstance(value, int)]
    words = [value for value in found.facts.values() if isinstance(value, str)]
    process = [f"whole process {found.process_cpu:.2f}"] if found.task.reports else []
    return ", ".join([*parts, *counts, *words, *process])


def _verdict(bar: Bar) -> tuple[str, ...]:
    limit = "finishes" if bar.bar is None else _number(bar.bar)
    verdict = "pass" if bar.passed else "FAIL"
    return (bar.name, _number(bar.figure), _number(bar.wall_figure), limit, verdict, bar.unit)


def _number(figure: float | None) -> str:
    return "" if figure is None else f"{figure:.2f}"
