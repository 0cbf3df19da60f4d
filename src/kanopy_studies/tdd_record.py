"""A finished run on Top-Down Disclosure: summed up over thresholds and draws, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import NamedTuple

from kanopy_studies import published_tdd as published
from kanopy_studies.presplits import PROTOCOLS, load_pre_split
from kanopy_studies.published_tdd import TOP
from kanopy_studies.tdd import (
    BEFORE,
    INSIDE,
    Outcome,
    Suppression,
    Task,
    draw,
    error,
    inferences,
    ranking,
)

SCHEMA = 1
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Facts:
    """What a reader should know about a data set, and what needs no suppression.

    Parameters
    ----------
    name : str
    n_train, n_test, n_attributes : int
    top : tuple of str
        The attributes that C4.5 asks for first.
    base, base_unraised : float
        The error with all attributes as they are; and that of a C4.5 that raises no subtrees.
    majority : float
        The error of always telling the class that is most frequent in the training part.
    inferences : tuple of int
        Those above the confidences of Table 3, with all top attributes sensitive.
    n_values : mapping of str to int
        How many values of each attribute occur.
    inferences_otherwise : tuple of int
        The same in another reading of the paper; empty where there is none.
    """

    name: str
    n_train: int
    n_test: int
    n_attributes: int
    top: tuple[str, ...]
    base: float
    base_unraised: float
    majority: float
    inferences: tuple[int, ...]
    n_values: Mapping[str, int]
    inferences_otherwise: tuple[int, ...] = ()

    @classmethod
    def of(cls, name: str) -> Facts:
        parts = load_pre_split(name)
        top = ranking(parts.train, PROTOCOLS[name].n_top)
        masking = [other for other in parts.names if other not in top]
        readings = [(top, masking), *([published.OTHER_READING] if name == "adult" else [])]
        counts = [
            tuple(inferences(parts.whole, sensitive, given, h) for h in published.COUNTED_AT)
            for sensitive, given in readings
        ]
        most_frequent = int(parts.train.target.totals.argmax())
        majority = 1 - parts.test.target.totals[most_frequent] / parts.test.n_rows
        return cls(
            name,
            len(parts.train_rows),
            len(parts.test_rows),
            len(parts.names),
            top,
            error(parts.train, parts.test),
            error(parts.train, parts.test, raise_subtrees=False),
            float(majority),
            counts[0],
            {column.domain.name: int((column.totals > 0).sum()) for column in parts.whole.columns},
            *counts[1:],
        )


class Errors(NamedTuple):
    """Means over the settings of a kind that can be satisfied, in percent.

    The removal error is the mean over the same settings, so that it can be compared.
    """

    suppression: float
    removal: float
    n_satisfied: int
    n_settings: int


@dataclass(frozen=True)
class Run:
    """Everything that one command measured.

    Parameters
    ----------
    command : str
        What was typed to get these numbers.
    versions : mapping
    n_draws : int
    facts : sequence of Facts
    outcomes : sequence of Outcome
    drawn : mapping
        From a data set and its sensitive attributes to how often they were drawn.
    """

    command: str
    versions: Mapping[str, str]
    n_draws: int
    facts: Sequence[Facts]
    outcomes: Sequence[Outcome]
    drawn: Mapping[tuple[str, tuple[str, ...]], int]

    @cached_property
    def _found(self) -> dict[tuple[str, tuple[str, ...]], Outcome]:
        return {(outcome.data, outcome.sensitive): outcome for outcome in self.outcomes}

    def fact(self, data: str) -> Facts | None:
        return next((facts for facts in self.facts if facts.name == data), None)

    def of_kind(self, data: str, kind: str, n_sensitive: int) -> list[Outcome]:
        """One outcome, that of the top attributes, or one for every draw; sets may be drawn again."""
        facts = self.fact(data)
        if facts is None or n_sensitive > len(facts.top):
            return []
        if kind == TOP:
            return [self._found[data, facts.top[:n_sensitive]]]
        drawn = [
            (key, times) for key, times in self.drawn.items() if key[0] == data and len(key[1]) == n_sensitive
        ]
        return [self._found[key] for key, times in drawn for _ in range(times)]

    def errors(
        self, data: str, kind: str, n_sensitive: int, protocol: str, h: int | None = None
    ) -> Errors | None:
        """The means at one threshold, or over all; None where no setting can be satisfied."""
        thresholds = PROTOCOLS[data].thresholds
        wanted = [place for place, other in enumerate(thresholds) if h is None or other == h]
        every = [
            (outcome.removal, suppressions(outcome, protocol)[place])
            for outcome in self.of_kind(data, kind, n_sensitive)
            for place in wanted
        ]
        pairs = [(removal, found.error) for removal, found in every if found is not None]
        if not pairs:
            return None
        removal, suppressed = (100 * sum(values) / len(pairs) for values in zip(*pairs, strict=True))
        return Errors(suppressed, removal, len(pairs), len(every))

    def to_json(self) -> str:
        """The raw results, one set of sensitive attributes in one line."""
        heading = {
            "schema": SCHEMA,
            "command": self.command,
            "method": "tdd",
            "versions": dict(self.versions),
            "draws": self.n_draws,
            "thresholds": {facts.name: PROTOCOLS[facts.name].thresholds for facts in self.facts},
            "data": [asdict(facts) for facts in self.facts],
            "results": ["data", "sensitive", "times drawn", "removal", *_LISTED],
        }
        lines = [json.dumps(self._line(outcome)) for outcome in self.outcomes]
        return f'{{"run": {json.dumps(heading)},\n"results": [\n' + ",\n".join(lines) + "\n]}\n"

    def _line(self, outcome: Outcome) -> list[object]:
        times = self.drawn.get((outcome.data, outcome.sensitive), 0)
        found = [suppressions(outcome, protocol) for protocol in (INSIDE, BEFORE)]
        errors = [[None if one is None else round(one.error, _DIGITS) for one in some] for some in found]
        hidden = [[None if one is None else one.n_suppressed for one in some] for some in found]
        return [outcome.data, outcome.sensitive, times, round(outcome.removal, _DIGITS), *errors, *hidden]


_LISTED = ("inside", "before", "values suppressed inside", "values suppressed before")


def suppressions(outcome: Outcome, protocol: str) -> tuple[Suppression | None, ...]:
    """By threshold."""
    return outcome.inside if protocol == INSIDE else outcome.before


def settings(
    facts: Sequence[Facts], n_draws: int
) -> tuple[list[Task], dict[tuple[str, tuple[str, ...]], int]]:
    """What is to be measured, each set of attributes once, and how often each was drawn."""
    todo: dict[tuple[str, tuple[str, ...]], Task] = {}
    drawn: dict[tuple[str, tuple[str, ...]], int] = {}
    for one in facts:
        names = load_pre_split(one.name).names
        for n_sensitive in range(1, len(one.top) + 1):
            of_top = (one.name, one.top[:n_sensitive])
            todo.setdefault(of_top, Task(*of_top))
            for number in range(n_draws):
                key = (one.name, draw(names, n_sensitive, number))
                todo.setdefault(key, Task(*key))
                drawn[key] = drawn.get(key, 0) + 1
    return list(todo.values()), drawn
