"""What a task other than classification is: figures of a release against the original, and yardsticks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.data import Hierarchy
from kanopy.data.grammar import SUPPRESSED_TEXT
from kanopy.evaluation.halves import Fold, fold

Figures = dict[str, float | None]
"""By the name of a measure; None where it says nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Original:
    """The table of an evaluation as a release of nothing hidden would publish it."""

    source: pa.Table  # for the anonymizer
    rows: pa.Table  # every published column, every value as an exact cell
    quasi_identifiers: Sequence[str]
    target: str | None
    persons: NDArray[np.int32] | None

    @property
    def features(self) -> pa.Table:
        """The published columns without the class."""
        return self.rows if self.target is None else self.rows.drop_columns([self.target])

    @property
    def suppressed(self) -> pa.Table:
        """The rows with nothing in the quasi-identifiers."""
        nothing = pa.array([SUPPRESSED_TEXT] * self.rows.num_rows, pa.string())
        columns = {name: self.rows.column(name) for name in self.rows.column_names}
        return pa.table(columns | dict.fromkeys(self.quasi_identifiers, nothing))

    def halves(self, seed: int) -> Fold:
        """The rows in two by chance, no person in both."""
        return fold(np.zeros(self.rows.num_rows, dtype=np.int64), seed, 0, persons=self.persons)


class Task(Protocol):
    """What is looked for in a table; its settings are its fields."""

    name: ClassVar[str]
    measures: ClassVar[tuple[str, ...]]
    main: ClassVar[str]  # the measure that decides whether a release is of use
    protocol: ClassVar[str]  # how it is measured, in a sentence
    least: ClassVar[Mapping[str, float]]  # of settings
    most: ClassVar[Mapping[str, float]]

    def compared(
        self, original: Original, published: pa.Table, hierarchies: Mapping[str, Hierarchy], seed: int
    ) -> Figures:
        """What is found in a release against what is found in the original."""

    def yardsticks(self, original: Original, seed: int) -> dict[str, Figures]:
        """The same figures between parts of the original: what no release could be blamed for."""
