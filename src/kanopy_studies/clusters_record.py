"""A finished run on clusters: summed up over seeds and folds, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from functools import cached_property

import numpy as np

from kanopy_studies.clusters import KMEMBER, RAW, Contender, Learned, Released
from kanopy_studies.published_kactus import Spread

SCHEMA = 1
_DIGITS = 6

ACCURACY, RECODED = "accuracy", "accuracy_recoded"


@dataclass(frozen=True, slots=True)
class Facts:
    """The table that was released."""

    n_rows: int
    quasi: tuple[str, ...]
    majority: float


@dataclass(frozen=True)
class Run:
    """Everything that one command measured.

    Parameters
    ----------
    command : str
        What was typed to get these numbers.
    versions : mapping
    facts : Facts
    contenders, skipped : sequence of Contender
        Those that were measured, and those that kanopy does not have.
    ks : sequence of int
    released : sequence of Released
    learned : sequence of Learned
    """

    command: str
    versions: Mapping[str, str]
    facts: Facts
    contenders: Sequence[Contender]
    skipped: Sequence[Contender]
    ks: Sequence[int]
    released: Sequence[Released]
    learned: Sequence[Learned]

    @property
    def labels(self) -> list[str]:
        return [contender.label for contender in self.contenders]

    @property
    def seeds(self) -> list[int]:
        return sorted({one.seed for one in self.released})

    @property
    def n_folds(self) -> int:
        return len({(one.seed, one.half) for one in self.learned})

    @cached_property
    def _released(self) -> dict[tuple[str, int], list[Released]]:
        places: dict[tuple[str, int], list[Released]] = {}
        for one in self.released:
            places.setdefault((one.label, one.k), []).append(one)
        return places

    @cached_property
    def _learned(self) -> dict[tuple[str, int], list[Learned]]:
        places: dict[tuple[str, int], list[Learned]] = {}
        for one in self.learned:
            places.setdefault((one.label, one.k), []).append(one)
        return places

    def loss(self, label: str, k: int, measure: str) -> float:
        """One of the losses of ``Released``, or its ``cpu``: the mean over the seeds."""
        return float(np.mean([getattr(one, measure) for one in self._released[label, k]]))

    def spread_of(self, measure: str) -> float:
        """The widest range over the seeds of one contender and k, as a share of the mean."""
        widths = []
        for found in self._released.values():
            values = [getattr(one, measure) for one in found]
            mean = float(np.mean(values))
            widths.append((max(values) - min(values)) / mean if mean else 0.0)
        return max(widths)

    def times_kmember(self, label: str, k: int) -> float | None:
        """Processor seconds of the method, as a multiple of those of k-member; None without k-member."""
        if (KMEMBER, k) not in self._released:
            return None
        return self.loss(label, k, "cpu") / self.loss(KMEMBER, k, "cpu")

    def accuracy(self, label: str, k: int, measure: str = ACCURACY) -> Spread | None:
        """In percent, over the folds; None where some fold had nothing released."""
        values = [getattr(one, measure) for one in self._learned[label, k]]
        if None in values:
            return None
        deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
        return Spread(100 * float(np.mean(values)), 100 * deviation)

    @property
    def raw(self) -> Spread:
        found = self.accuracy(RAW, 1)
        assert found is not None
        return found

    def to_json(self) -> str:
        """The raw results, one release in one line."""
        heading = {
            "schema": SCHEMA,
            "command": self.command,
            "versions": dict(self.versions),
            "data": asdict(self.facts),
            "methods": [asdict(contender) for contender in self.contenders],
            "skipped": [contender.label for contender in self.skipped],
            "released": [one.name for one in fields(Released)],
            "learned": [one.name for one in fields(Learned)],
        }
        parts = [f'"run": {json.dumps(heading)}']
        for name, results in (("released", self.released), ("learned", self.learned)):
            lines = ",\n".join(json.dumps(_rounded(astuple(one))) for one in results)
            parts.append(f'"{name}": [\n{lines}\n]')
        return "{" + ",\n".join(parts) + "}\n"


def _rounded(values: Sequence[object]) -> list[object]:
    return [round(value, _DIGITS) if isinstance(value, float) else value for value in values]
