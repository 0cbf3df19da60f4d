"""What the paper on Top-Down Disclosure published for C4.5, as numbers that can be compared with a run.

Facts, copied from Wang, Fung, Yu, "Handicapping Attacker's Confidence: An Alternative to k-Anonymization"
(KAIS 2007): Table 3, and the statements of its text about errors, which it shows as curves only.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

BE, SE, RE, RISE, SPARED = "BE", "SE", "RE", "SE − BE", "RE − SE"
"""Base, suppression and removal error, what suppression costs, and what it spares beside removal."""
TOP, RANDOM = KINDS = "Top", "Ran"
EACH, MEAN, VARIANCE = "each", "mean", "variance over h"

TOP_ATTRIBUTES = {
    "crx": ("A9", "A10", "A7", "A6"),
    "adult": ("marital-status", "relationship", "education", "sex"),
    "german": (
        "checking-account-status",
        "credit-history",
        "savings-account",
        "other-installment-plans",
        "purpose",
        "other-debtors",
    ),
}
"""In the order in which C4.5 asked for them."""

COUNTED_AT = (10, 30, 50, 70, 90)
"""The confidences of Table 3, in percent."""
INFERENCES = {
    "crx": (40, 27, 15, 8, 6),
    "adult": (1333, 786, 365, 324, 318),
    "german": (496, 337, 174, 162, 161),
}
"""Table 3: inferences above each confidence in the table as it is, most attributes sensitive."""
OTHER_READING = (
    ("marital-status", "relationship", "education"),
    ("workclass", "occupation", "sex", "native-country"),
)
"""Adult: sensitive and masking attributes with which Table 3 comes out; the paper names sex as sensitive."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity of a run."""

    measure: str
    kind: str = TOP
    """Sensitive attributes from the top, or drawn."""
    ns: tuple[int, ...] = ()
    """How many of them; every number gives a value."""
    h: int | None = None
    """In percent; None for the mean over all."""
    summed: str = EACH
    """Whether all these values count, their mean, or for each number the variance over h."""

    def __str__(self) -> str:
        if self.measure == BE:
            return BE
        first, last = f"{self.kind}{self.ns[0]}", f"{self.kind}{self.ns[-1]}"
        words = [self.measure, first if first == last else f"{first} to {last}"]
        words += [] if self.h is None else [f"h = {self.h}%"]
        words += [] if self.summed == EACH else [self.summed]
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Statement:
    """What the paper says about a quantity, in percent or points; infinite where it gives no bound."""

    data: str
    quantity: Quantity
    text: str
    low: float = -inf
    high: float = inf
    slack: float = 0.05
    """Half of the last digit that the paper prints."""

    @property
    def is_judged(self) -> bool:
        return self.low > -inf or self.high < inf


_FOUR, _SIX = (1, 2, 3, 4), (1, 2, 3, 4, 5, 6)

STATEMENTS = (
    Statement("crx", Quantity(BE), "15.4", 15.4, 15.4),
    Statement("crx", Quantity(SE, TOP, _FOUR), "15.4 to 16.5", 15.4, 16.5),
    Statement("crx", Quantity(RISE, TOP, _FOUR), "less than 1.1", high=1.1),
    Statement("crx", Quantity(SE, TOP, _FOUR, summed=VARIANCE), "less than 0.6", high=0.6),
    Statement("crx", Quantity(SPARED, TOP, (1,)), "10.1", 10.1, 10.1),
    Statement("crx", Quantity(SPARED, TOP, (4,)), "31.3", 31.3, 31.3),
    Statement("crx", Quantity(SE, TOP, (4,), 70), "15.4", 15.4, 15.4),
    Statement("crx", Quantity(SE, RANDOM, _FOUR), "15.4 to 16.5", 15.4, 16.5),
    Statement("adult", Quantity(BE), "17.6", 17.6, 17.6),
    Statement("adult", Quantity(RISE, TOP, _FOUR), "less than 0.8", high=0.8),
    Statement("adult", Quantity(SPARED, TOP, (4,)), "up to about 6", 6.0, 6.0, 0.5),
    Statement("adult", Quantity(SPARED, TOP, (1,)), "RE slightly below SE", high=0.0, slack=0.0),
    Statement("german", Quantity(BE), "28.8", 28.8, 28.8),
    Statement("german", Quantity(RE, TOP, _SIX), "about 36, flat", 36.0, 36.0, 0.5),
    Statement("german", Quantity(SPARED, TOP, _SIX, summed=MEAN), "about 4.3", 4.3, 4.3),
    Statement("german", Quantity(SPARED, TOP, (1,)), "SE near RE"),
    Statement("german", Quantity(SE, TOP, _SIX[1:]), "about 31", 31.0, 31.0, 0.5),
)
"""Means over h unless a statement says otherwise."""

SUPPRESSED_CRX = "some values of A4 and of A5, and all of A13"
"""CRX, Top4, h = 70%: what the paper says was suppressed."""
