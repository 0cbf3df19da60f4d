"""A finished run on Top-Down Disclosure: averaged over thresholds and draws, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import NamedTuple

from kanopy_studies import published_tdd as published
from kanopy_studies.page import json_lines
from kanopy_studies.presplits import PROTOCOLS, load_pre_split
from kanopy_studies.published_tdd import TOP
from kanopy_studies.tdd import SensitiveErrors, Task, draw, error, inferences, ranking

Key = tuple[str, tuple[str, ...]]
"""A data set and its sensitive attributes."""
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class TddFacts:
    """What is known of a data set without suppression; errors are shares of the test rows."""

    name: str
    n_train: int
    n_test: int
    n_attributes: int
    top: tuple[str, ...]
    """The attributes that C4.5 asks for first."""
    base: float
    """The error with all attributes as they are."""
    base_unraised: float
    """That of a C4.5 that raises no subtrees."""
    majority: float
    """The error of the most frequent class of the training part."""
    inferences: tuple[int, ...]
    """Those above the confidences of Table 3, with all top attributes sensitive."""
    n_values: Mapping[str, int]
    """How many values of each attribute occur."""
    inferences_otherwise: tuple[int, ...] = ()
    """The same in another reading of the paper; empty where there is none."""

    @classmethod
    def of(cls, name: str) -> TddFacts:
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
class TddRun:
    """Everything that one command measured."""

    command: str
    versions: Mapping[str, str]
    n_draws: int
    facts: Sequence[TddFacts]
    outcomes: Sequence[SensitiveErrors]
    drawn: Mapping[Key, int]
    """How often each set of sensitive attributes of a data set was drawn."""

    @cached_property
    def _found(self) -> dict[Key, SensitiveErrors]:
        return {(outcome.data, outcome.sensitive): outcome for outcome in self.outcomes}

    def fact(self, data: str) -> TddFacts | None:
        return next((facts for facts in self.facts if facts.name == data), None)

    def of_kind(self, data: str, kind: str, n_sensitive: int) -> list[SensitiveErrors]:
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
            (outcome.removal, outcome.suppressions(protocol)[place])
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
        return json_lines(heading, {"results": map(self._line, self.outcomes)})

    def _line(self, outcome: SensitiveErrors) -> list[object]:
        times = self.drawn.get((outcome.data, outcome.sensitive), 0)
        found = (outcome.inside, outcome.before)
        errors = [[None if one is None else one.error for one in some] for some in found]
        hidden = [[None if one is None else one.n_suppressed for one in some] for some in found]
        return [outcome.data, outcome.sensitive, times, outcome.removal, *errors, *hidden]


_LISTED = ("inside", "before", "values suppressed inside", "values suppressed before")


def settings(facts: Sequence[TddFacts], n_draws: int) -> tuple[list[Task], dict[Key, int]]:
    """What is to be measured, each set of attributes once, and how often each was drawn."""
    todo: dict[Key, Task] = {}
    drawn: dict[Key, int] = {}
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
