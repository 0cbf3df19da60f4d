"""A finished run: what was measured on what, by whom, summed up over the folds, and as JSON."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

import kanopy
from evidence.datasets import find, load
from evidence.folds import HALVES, SEEDS
from evidence.kactus import PROTOCOLS, Result
from evidence.published import Spread

SCHEMA = 1
_DIGITS = 6
_PLACE = ("data", "protocol", "seed", "half", "k")
MEASURES = tuple(name for name in Result.__dataclass_fields__ if name not in _PLACE)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a reader should know about a data set."""

    name: str
    n_rows: int
    n_columns: int
    n_quasi: int
    n_numeric: int
    n_classes: int
    majority: float
    note: str

    @classmethod
    def of(cls, name: str) -> Facts:
        sample = load(name)
        return cls(
            name,
            sample.n_rows,
            len(sample.columns),
            len(sample.quasi),
            sample.n_numeric,
            sample.target.domain.n_values,
            sample.majority,
            find(name).note,
        )


@dataclass(frozen=True)
class Run:
    """Everything that one command measured.

    Parameters
    ----------
    command : str
        What was typed to get these numbers.
    method : str
    options : mapping
        Of the method, with their defaults.
    versions : mapping
    facts : sequence of Facts
    results : sequence of Result
    """

    command: str
    method: str
    options: Mapping[str, Any]
    versions: Mapping[str, str]
    facts: Sequence[Facts]
    results: Sequence[Result]

    @cached_property
    def _by_place(self) -> dict[tuple[str, str, int], list[Result]]:
        places: dict[tuple[str, str, int], list[Result]] = {}
        for result in self.results:
            places.setdefault((result.data, result.protocol, result.k), []).append(result)
        return places

    def ks(self, data: str) -> list[int]:
        """The k that were measured, ascending; 1 is the table as it is."""
        return sorted({k for name, _, k in self._by_place if name == data})

    def over_folds(self, data: str, protocol: str, k: int, measure: str) -> Spread:
        """One of the ``MEASURES``, summed up over the folds."""
        values = [getattr(result, measure) for result in self._by_place[data, protocol, k]]
        return Spread(float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0)

    def percent(self, data: str, protocol: str, k: int, measure: str) -> Spread:
        mean, deviation = self.over_folds(data, protocol, k, measure)
        return Spread(100 * mean, 100 * deviation)

    def to_json(self) -> str:
        """The raw results, the ten folds of each measure in one line."""
        heading = {
            "schema": SCHEMA,
            "command": self.command,
            "method": self.method,
            "options": dict(self.options),
            "versions": dict(self.versions),
            "folds": [[seed, half] for seed in SEEDS for half in HALVES],
            "measures": MEASURES,
            "data": [asdict(facts) for facts in self.facts],
        }
        lines = [
            f"{json.dumps([data, protocol, k])[:-1]}, {json.dumps([self._values(at, m) for m in MEASURES])}]"
            for (data, protocol, k), at in sorted(self._by_place.items(), key=self._order)
        ]
        return f'{{"run": {json.dumps(heading)},\n"results": [\n' + ",\n".join(lines) + "\n]}\n"

    def _order(self, item: tuple[tuple[str, str, int], Any]) -> tuple[int, int, int]:
        data, protocol, k = item[0]
        return [facts.name for facts in self.facts].index(data), PROTOCOLS.index(protocol), k

    @staticmethod
    def _values(results: Sequence[Result], measure: str) -> list[float]:
        return [round(getattr(result, measure), _DIGITS) for result in results]


def versions() -> dict[str, str]:
    """Of everything that a number may depend on."""
    return {
        "kanopy": kanopy.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
