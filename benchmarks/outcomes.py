"""``python -m benchmarks.outcomes tests.xml``: which tests a run skipped and why, and which files take long.

``pytest --junitxml tests.xml`` writes the file.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

LONGEST_FILE = 8.0
"""Seconds that the tests of a file take at most, alone on a quiet machine."""

_MOST_PLACES = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one test.

    Parameters
    ----------
    file : str
        With slashes, without its ending.
    name : str
    seconds : float
        With what was prepared for it.
    kind : str
        ``passed``, ``skipped``, ``failure`` or ``error``.
    why : str
        The reason or the first line of the complaint.
    """

    file: str
    name: str
    seconds: float
    kind: str = "passed"
    why: str = ""

    @property
    def is_red(self) -> bool:
        """Whether the run failed by it."""
        return self.kind in ("failure", "error")


def read_outcomes(path: Path) -> list[Outcome]:
    """Every test of a run, in the order in which they ended; expected failures count as passed."""
    return [_outcome(case) for case in ElementTree.parse(path).iter("testcase")]


def _outcome(case: ElementTree.Element) -> Outcome:
    # A file that cannot even be read has its place in the name, and no class.
    file = case.get("classname", "").replace(".", "/") or case.get("name", "").replace(".", "/")
    name, seconds = case.get("name", ""), float(case.get("time", 0))
    for found in case:
        is_expected = found.get("type") == "pytest.xfail"
        if found.tag in ("failure", "error", "skipped") and not is_expected:
            return Outcome(file, name, seconds, found.tag, _why(found))
    return Outcome(file, name, seconds)


def _why(found: ElementTree.Element) -> str:
    message = found.get("message", "")
    if message.startswith("collection "):  # of a whole file: the reason stands in the text
        message = re.sub(r"^.*Skipped: |\W*$", "", found.text or message, flags=re.DOTALL)
    return message.partition("\n")[0]


def skip_table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """One line for each reason: how many tests, why, and where they stand."""
    skipped = [outcome for outcome in outcomes if outcome.kind == "skipped"]
    yield f"{len(skipped)} of {len(outcomes)} tests were skipped:"
    for why, n_tests in Counter(outcome.why for outcome in skipped).most_common():
        places = Counter(outcome.file for outcome in skipped if outcome.why == why)
        named = [f"{file} ({n})" for file, n in places.most_common(_MOST_PLACES)]
        if len(places) > _MOST_PLACES:
            named.append(f"{len(places) - _MOST_PLACES} more files")
        yield f"{n_tests:6}  {why}: {', '.join(named)}"


def slow_files(outcomes: Sequence[Outcome], at_least: float = LONGEST_FILE) -> dict[str, float]:
    """Seconds of the files that take so long, the longest first."""
    seconds: dict[str, float] = defaultdict(float)
    for outcome in outcomes:
        seconds[outcome.file] += outcome.seconds
    longest_first = sorted(seconds.items(), key=lambda item: -item[1])
    return {file: taken for file, taken in longest_first if taken >= at_least}


def main(arguments: Sequence[str]) -> int:
    """Print the tables."""
    outcomes = read_outcomes(Path(arguments[0]))
    print("\n".join(skip_table(outcomes)))
    for file, seconds in slow_files(outcomes).items():
        print(f"{seconds:6.1f} s  {file}: more than {LONGEST_FILE:g} s, beside another process of tests")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
