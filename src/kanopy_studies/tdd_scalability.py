"""Top-Down Disclosure on more and more rows: variations of Adult, as in the paper's Figure 4."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import numpy as np

from kanopy.algorithms import find_method, silent
from kanopy.data import GroupCounts
from kanopy.privacy import AllOf, Template
from kanopy_studies.experiment import Request, command
from kanopy_studies.page import Line, Page, made_by, table, versions
from kanopy_studies.paper_options import paper_options
from kanopy_studies.pictures import draw_panels
from kanopy_studies.presplits import load_pre_split
from kanopy_studies.settings import Sample
from kanopy_studies.tdd import divided, properties
from kanopy_studies.variations import varied

SENSITIVE = "marital-status"
"""The attribute that C4.5 asks for first: the rarer half of its values must not be concluded."""
FACTORS = (5, 10, 15, 20, 22)
"""From 226,110 to 994,884 rows: the paper has 200,000 to a million."""
N_DRAWN = 3
N_SETS = 30
THRESHOLDS = (90, 100)
ONE, SEVERAL = "one", "several"
PUBLISHED = {(ONE, 90): 150.0, (ONE, 100): 296.0, (SEVERAL, 90): 276.0, (SEVERAL, 100): 412.0}
"""Seconds for a million rows on a Pentium IV of 3 GHz with 1 GB, without reading and writing files; for one
quasi-identifier at 100% with them: 42 of the 192 at 90%."""

TITLE = "Processor seconds of Top-Down Disclosure on variations of Adult"
_PROTOCOL = f"""\
Every row of Adult, both parts, and so many variations of it, in which {N_DRAWN} of the seven masking
attributes are drawn anew; how many the paper drew, it does not say. Sensitive are the rarer half of the
values of {SENSITIVE}. *One*: all seven other categorical attributes are one quasi-identifier. *Several*:
three to six quasi-identifiers of the same length, two to five, drawn {N_SETS} times; the mean is told, and
repeated ones count once. h is the confidence that must not be exceeded. Timed is the method on encoded
columns, without reading and writing files. The paper's machine was a Pentium IV of 3 GHz with 1 GB, so that
only growth can be compared. Of one quasi-identifier at 100% it tells the time with files only, here too."""


@dataclass(frozen=True, slots=True)
class Timed:
    """One h and one kind of templates on so many rows; seconds are a mean over the sets of templates."""

    factor: int
    n_rows: int
    kind: str
    h: int
    n_sets: int
    seconds: float

    @property
    def published(self) -> float | None:
        return PUBLISHED.get((self.kind, self.h)) if self.factor == FACTORS[-1] else None


class _Anything(Template):
    """A template at 100%, which forbids nothing: no policy may have it, the paper timed it."""

    __slots__ = ()

    def bounded(self, counts: GroupCounts) -> tuple[Any, Any, Fraction]:
        return (*super().bounded(counts)[:2], Fraction(1))

    @property
    def of_each_value(self) -> tuple[Template, ...]:
        return (self,)  # it has one, and the same bound would be no longer this one


def tdd_scalability(request: Request) -> Page:
    """TDD, Section 5.4: seconds for 200,000 to a million rows, one quasi-identifier and several."""
    # Several take the longest: the least and the largest table show how that grows.
    kinds = {ONE: FACTORS, SEVERAL: (FACTORS[0], FACTORS[-1])}
    places = [(factor, kind) for kind, factors in kinds.items() for factor in factors]
    cells = [(factor, kind, h) for factor, kind in places for h in THRESHOLDS]
    # One after the other, so that no run disturbs the time of another one.
    found = request.each(measure, cells, "tdd", jobs=1)
    made_by_command = command("tdd-scalability", request)
    parts = [
        f"# {TITLE} (TDD, Section 5.4)",
        f"{made_by(made_by_command, versions())} Seconds differ from machine to machine and run to run.",
        _PROTOCOL,
        f"![{TITLE}](tdd-scalability.svg)",
        _table(found),
    ]
    drawn = [
        Line(
            f"{one.kind} quasi-identifier(s)",
            f"h = {one.h}%",
            f"{one.n_rows / 1e6:.2f}M",
            one.seconds,
            None,
            0.0,
            "",
        )
        for one in found
    ]
    record = {
        "command": made_by_command,
        "versions": versions(),
        "results": [{**asdict(one), "published": one.published} for one in found],
    }
    picture = partial(draw_panels, TITLE, "rows", drawn)
    return Page(
        "tdd-scalability", parts, json.dumps(record, indent=1) + "\n", {"tdd-scalability.svg": picture}
    )


def _table(found: Sequence[Timed]) -> str:
    first = {(one.kind, one.h): one for one in reversed(found)}
    lines = [
        (
            *(one.kind, f"{one.h}%", f"{one.n_rows:,}", str(one.n_sets), f"{one.seconds:.2f}"),
            f"{one.seconds / first[one.kind, one.h].seconds:.1f}",
            f"{one.n_rows / first[one.kind, one.h].n_rows:.1f}",
            "" if one.published is None else f"{one.published:g}",
        )
        for one in found
    ]
    header = (
        "quasi-identifiers",
        "h",
        "rows",
        "sets of templates",
        "seconds",
        "times the first",
        "rows, times",
    )
    return table((*header, "published seconds"), lines)


def measure(cell: tuple[int, str, int]) -> Timed:
    """The mean time of the method over the sets of templates of one kind."""
    factor, kind, h = cell
    sample = varied_adult(factor)
    table_of, method = divided(sample, [SENSITIVE]), find_method("tdd")
    values = properties(table_of.confidential[SENSITIVE])
    sets = quasi_identifier_sets([column.domain.name for column in table_of.quasi], kind, N_SETS)
    seconds = []
    for given in sets:
        promise = templates(given, values, h)
        start = time.process_time()
        method.run(table_of, promise, np.random.default_rng(0), silent, **paper_options("tdd"))
        seconds.append(time.process_time() - start)
    return Timed(factor, sample.n_rows, kind, h, len(sets), float(np.mean(seconds)))


def templates(given: Sequence[Sequence[str]], values: Sequence[str], h: int) -> AllOf:
    """None of the values may be concluded from one of the quasi-identifiers with more than h percent."""
    kind, bound = (Template, Fraction(h, 100)) if h < 100 else (_Anything, Fraction(1, 2))
    return AllOf(tuple(kind(qid, SENSITIVE, value, bound) for qid in given for value in values))


@lru_cache(maxsize=1)
def varied_adult(factor: int) -> Sample:
    """Both parts of Adult, and variations of every row."""
    whole = load_pre_split("adult").whole
    quasi = [column.domain.name for column in whole.columns if column.domain.name != SENSITIVE]
    return varied(whole, quasi, len(quasi) - N_DRAWN, factor, np.random.default_rng(factor))


def quasi_identifier_sets(names: Sequence[str], kind: str, n_sets: int) -> list[list[list[str]]]:
    """Sets of quasi-identifiers: all attributes together, or some of the same length that are drawn."""
    if kind == ONE:
        return [[list(names)]]
    rng = np.random.default_rng(0)
    found = []
    for _ in range(n_sets):
        n_qids, length = int(rng.integers(3, 7)), int(rng.integers(2, 6))
        drawn = {tuple(sorted(rng.choice(len(names), length, replace=False).tolist())) for _ in range(n_qids)}
        found.append([[names[place] for place in qid] for qid in sorted(drawn)])
    return found
