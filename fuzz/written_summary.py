"""What came of written files, a line for each method and kind of promise."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

FILES_PER_CASE = 2
"""CSV and Parquet."""


def n_files(outcomes: Mapping[str, int]) -> int:
    """How many files were written and recounted."""
    return FILES_PER_CASE * sum(n for outcome, n in outcomes.items() if outcome.endswith("|written"))


def lines(outcomes: Mapping[str, int]) -> list[str]:
    """The summary, with a line for everything at its end."""
    table: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for outcome, number in outcomes.items():
        method, _, rest = outcome.partition("|")
        kind, _, what = rest.partition("|")
        table[method, kind][what] += number
    everything: Counter[str] = Counter()
    for counts in table.values():
        everything += counts
    said = [_line(f"{method}, {kind}", table[method, kind]) for method, kind in sorted(table)]
    return [*said, _line("all", everything)]


def _line(what: str, counts: Counter[str]) -> str:
    refusals = ", ".join(f"{number:,} {word}" for word, number in sorted(counts.items()) if "refused" in word)
    failed = f", {counts['failed']:,} FAILED" if counts["failed"] else ""
    return f"  {what:34} {FILES_PER_CASE * counts['written']:>9,} files  {refusals}{failed}"
