"""Prosecutor, journalist and marketer risk as a report shows them: no figure gives a small count back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanopy.auditing.risks import HIGH_RISK_BELOW, Risks
from kanopy.auditing.text import Groups
from kanopy.reporting.tally import Count, Counting, Tally, percent


@dataclass(frozen=True, slots=True)
class ShownRisk:
    """A probability (None where only a bound may be told), and its words."""

    value: float | None
    words: str


@dataclass(frozen=True, slots=True)
class ShownRisks:
    """The risks of a release; see ``Risks`` for what they are."""

    highest: ShownRisk
    average: ShownRisk
    journalist: ShownRisk
    marketer: ShownRisk
    matches: Count | None  # expected re-identifications
    high_risk: Tally | None  # rows in groups of fewer than 5; None where that is not told


def shown_risks(exact: Risks, counting: Counting, groups: Groups) -> ShownRisks:
    """What may be told to anyone; O(rows).

    PRIVACY: the highest risk is 1 / smallest group and the average groups / rows, so that both tell a count:
    one below the floor is told as a bound. How many rows of a group are one person's follows neither from the
    published rows nor from the promise: where k counts persons, that is said
    (tests/unit/reporting/test_first_screen.py).
    """
    n_groups, floor = groups[1], counting.floor
    if counting.persons is not None:
        unknown = ShownRisk(None, "not known")
        return ShownRisks(unknown, unknown, unknown, unknown, None, None)
    sizes = np.bincount(groups[0], minlength=n_groups)
    highest = ShownRisk(None, f"above {percent(1 / floor)}")
    if Count.of(int(sizes.min(initial=counting.n_rows)), floor).number is not None:
        highest = ShownRisk(exact.prosecutor_highest, percent(exact.prosecutor_highest))
    matches = Count.of(n_groups, floor)
    average = ShownRisk(None, f"below {percent(min(floor / counting.n_rows, 1))}")
    if matches.number is not None:
        average = ShownRisk(exact.marketer, percent(exact.marketer))
    journalist = ShownRisk(highest.value, "not known" if highest.value is None else _at_most(highest.value))
    high_risk = counting.tally((sizes < HIGH_RISK_BELOW)[groups[0]])
    return ShownRisks(highest, average, journalist, average, matches, high_risk)


def _at_most(share: float) -> str:
    return f"at most {percent(share)}"
