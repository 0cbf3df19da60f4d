"""What the papers on kACTUS claim of tables and figures that are not in their text.

Facts, copied from the papers; see ``published_kactus`` for their titles. Of Tables 3, 4 and 5 of the first,
the text has the counts and the mean differences; of Figures 1 to 5 of the second, where the curves cross.
"""

from __future__ import annotations

from dataclasses import dataclass

CLAIM_KS = (5, 20, 50, 100, 500, 1000)
"""Of Tables 3 to 5: Adult, three sets of quasi-identifiers, four learners."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A method that kACTUS is compared with, case by case: set of quasi-identifiers, learner and k."""

    method: str
    n_cases: int
    better: int | None
    """In how many cases kACTUS is significantly better; None where the text does not say."""
    worse: int | None
    ahead: float
    """By how many points of accuracy kACTUS is better on average."""


TABLE3 = (
    Opponent("tds", 72, 51, 1, 3.5),
    Opponent("tdr", 72, 52, 2, 3.3),
    Opponent("kadet", 18, 13, 0, 1.9),
)
TABLE4 = (
    Opponent("tds", 72, 62, 0, 5.3),
    Opponent("tdr", 72, 59, 1, 4.3),
    Opponent("kadet", 18, None, 0, 3.1),
)
TABLE5 = (Opponent("mondrian", 72, 58, 0, 7.84),)


@dataclass(frozen=True, slots=True)
class Above:
    """A curve of accuracy with C4.5 that lies above others from one k to another."""

    data: str
    method: str
    others: tuple[str, ...]
    first: int
    last: int


ABOVE = (
    Above("adult", "kactus", ("tds", "tdr", "kadet"), 5, 5),
    Above("adult", "kactus2", ("tds", "tdr", "kadet"), 5, 5),
    Above("adult", "kactus", ("kadet",), 5, 700),
    Above("adult", "kadet", ("kactus",), 700, 1000),
    Above("adult", "kactus", ("tds",), 5, 900),
    Above("adult", "tds", ("kactus",), 900, 1000),
    Above("german9", "kactus2", ("tds", "tdr", "kadet", "kactus"), 5, 5),
    Above("german9", "kactus", ("kactus2",), 45, 78),
    Above("german9", "kactus2", ("tds", "tdr", "kactus"), 100, 100),
    Above("tic_tac_toe", "kactus2", ("tds", "tdr", "kadet", "kactus"), 5, 25),
    Above("tic_tac_toe", "kactus", ("kactus2",), 25, 30),
    Above("tic_tac_toe", "kactus2", ("tds", "tdr", "kadet"), 25, 30),
    Above("glass", "kadet", ("tds", "tdr", "kactus", "kactus2"), 5, 15),
    Above("glass", "kactus", ("tds", "tdr", "kadet", "kactus2"), 15, 25),
    Above("glass", "kactus2", ("kactus",), 25, 30),
    Above("waveform40", "kactus2", ("kactus",), 5, 50),
    Above("waveform40", "kactus", ("tds", "tdr", "kadet"), 5, 50),
)
MEETING = (("adult", "kactus2", "tds", 1000), ("german9", "kactus2", "kadet", 100))
"""Curves that converge: data set, two methods, k."""

CROSSINGS = {
    ("adult", "kactus", "kadet"): (700,),
    ("adult", "kactus", "tds"): (900,),
    ("german9", "kactus", "kactus2"): (45, 78),
    ("tic_tac_toe", "kactus2", "kactus"): (25,),
    ("glass", "kadet", "kactus"): (15,),
    ("glass", "kactus2", "kactus"): (25,),
    ("waveform40", "kactus2", "kactus"): (),
}
"""The k at which two curves cross, as far as the text says."""

AREA_WINS = {"tds": (15, 20), "tdr": (18, 20), "kadet": (5, 5), "kactus": (13, 20)}
"""In how many rows of kACTUS-2's Table 1 its area is the larger one."""
AREA_BEST = (11, 20)
ERROR_REDUCTION = 0.5
"""Of kACTUS-2 against kACTUS, in points, on average."""
