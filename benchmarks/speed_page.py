"""``python -m benchmarks.speed_page``: writes docs/speed.md from the recorded figures.

Reads ``benchmarks/results/latest.json`` and ``peers.json``, or the files that are named. A section that
several files have is taken from the last of them; one that none has is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from benchmarks.measure import ROOT

PAGE = ROOT / "docs" / "speed.md"
RESULTS = ROOT / "benchmarks" / "results"
WIDTH = 118

TITLES = {
    "nine": (
        "Releases",
        "Whole processes, from CSV to a verified release: start-up, reading, the method, writing, reading "
        "back and judging. The table has eight quasi-identifiers and the class. Hardly a tuple stands twice.",
    ),
    "small": ("Start", "A whole release of 1,000 rows beside a process that only imports two libraries."),
    "large": ("Many rows", "The same release with very many rows."),
    "realistic": (
        "Rows that repeat",
        "Rows drawn from a model of Adult (Chow and Liu), in which tuples repeat as among real people.",
    ),
    "huge": ("Very many rows that repeat", "The same with as many rows as one machine should manage."),
    "spark": (
        "Spark",
        "Whole processes with Spark on two cores: the driver, the JVM and the Python workers together. The "
        "floor is Spark itself, which copies the table, reads the copy and groups it by all columns. The "
        "peak is that of the driver, a Python process; the JVM has the executors in it.",
    ),
    "peers": (
        "Other libraries",
        "Whole processes on 30,162 rows of Adult, eight quasi-identifiers, k = 10, in the same run. Only "
        "kanopy checks what it has written.",
    ),
    "profile": ("Profiles", "A table as it is, measured beside its audit, by rows and by persons."),
    "release": ("Columns that are kept", "All fifteen columns of Adult; those that are kept hardly repeat."),
    "codes": ("Methods", "Methods alone, on encoded tables, beside the floor that groups texts."),
    "trees": ("Trees", "Fourteen quasi-identifiers, beside scikit-learn's decision tree on the same codes."),
    "topdown": ("Top-down methods", "On encoded tables, with few and many values, and as tables grow."),
    "fulldomain": (
        "Levels of generalization",
        "Whole processes: the best levels of eight columns, from CSV to a verified release. Local levels of "
        "Adult are timed without reading and writing; gradient boosting learns from the release, and is "
        "asked about test rows as they are.",
    ),
    "clusters": ("Clustering", "On encoded tables, beside one pass over the distances of all pairs of rows."),
    "learners": ("Learners", "One fit of the tree that reads cells beside scikit-learn's tree on codes."),
    "evaluation": ("Evaluation", "Cross-validation beside scikit-learn's learners, fitted as often."),
    "audit": ("Audit", "An audit of a release beside reading and grouping the table it was made from."),
    "growth": ("Growth", "The release with columns that are kept, with more and more rows."),
    "imports": ("Imports", "Fresh interpreters."),
}
"""Sections in the order of the page, with a title and what they time."""

LIMITS = (
    "[What a table may cost](methods.md#what-a-table-may-cost) says what is refused or cut short because it "
    "would take too long."
)


def page(records: Sequence[Mapping[str, Any]]) -> str:
    """The whole page."""
    found = {section["name"]: (section, record) for record in records for section in record["sections"]}
    parts = ["# Speed and memory\n", _introduction(records[-1] if records else {})]
    for name, (title, text) in TITLES.items():
        if name in found:
            parts += [f"## {title}\n", _wrapped(text), *_tables(*found[name])]
    return "\n".join([*parts, "## Limits\n", _wrapped(LIMITS)])


def _introduction(record: Mapping[str, Any]) -> str:
    on = record.get("machine", {})
    return _wrapped(
        "This page is written by `python -m benchmarks.speed_page` from the figures that "
        "`python -m benchmarks` and `python -m benchmarks.peers` recorded; "
        "[benchmarks/README.md](../benchmarks/README.md) says how they are measured. "
        f"Machine: {on.get('processors', '?')} processors, Python {on.get('python', '?')}, "
        f"pyarrow {on.get('pyarrow', '?')}; rows of UCI Adult ({record.get('data', '?')}). "
        "Seconds are processor seconds, the least of several timings. The floor is what pyarrow needs to "
        "read the table, encode and group it, and write it back."
    )


def _tables(section: Mapping[str, Any], record: Mapping[str, Any]) -> Iterator[str]:
    versions = record["settings"].get("versions", {})
    baseline = section["baseline"]
    beside = f"times {baseline}" if baseline else "ratio"
    yield f"| task | rows | seconds | by the clock | {beside} | peak MB |\n|---|---|---|---|---|---|"
    for timed in section["measurements"]:
        name = f"{timed['name']} {versions.get(timed['name'], '')}".strip()
        rows = f"{timed['rows']:,}" if timed["rows"] else ""
        if timed["fault"]:
            yield f"| {name} | {rows} | {_short(timed['fault'])} | | | |"
            continue
        times = "" if timed["ratio"] is None else f"{timed['ratio']:.2f}"
        seconds = f"{timed['cpu_s']:.2f} | {timed['wall_s']:.2f}"
        yield f"| {name} | {rows} | {seconds} | {times} | {timed['peak_bytes'] / 1e6:,.0f} |"
    if section["bars"]:
        yield "\n| bar | figure | at most | |\n|---|---|---|---|"
    for bar in section["bars"]:
        figure = "" if bar["figure"] is None else f"{bar['figure']:.2f} {bar['unit']}"
        limit = "finishes" if bar["bar"] is None else f"{bar['bar']:.2f}"
        yield f"| {bar['name']} | {figure} | {limit} | {'' if bar['passed'] else 'missed'} |"
    load = max(record["machine"]["load"][0], record["machine"]["load_after"][0])
    if load > 1.5:
        yield "\n" + _wrapped(
            f"Other programs were running (load {load:.1f}): ratios hold, the clock less so."
        )
    else:
        yield ""


def _short(fault: str) -> str:
    words = fault.replace("|", "/")
    return words if len(words) <= 50 else words[:47] + "..."


def _wrapped(text: str) -> str:
    return fill(text, WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed_page", description=__doc__)
    usual = [RESULTS / "latest.json", RESULTS / "peers.json"]
    parser.add_argument("records", metavar="JSON", nargs="*", type=Path, help="recorded figures")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, default=PAGE, help="docs/speed.md")
    given = parser.parse_args(arguments)
    paths = given.records or [path for path in usual if path.exists()]
    if not paths:
        parser.error("no recorded figures; run python -m benchmarks first")
    records = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    given.output.write_text(page(records), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
