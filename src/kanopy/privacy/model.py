"""What a promise is: a value that is checked on the counts of groups and says itself in a sentence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from kanopy.data import GroupCounts, Histogram
from kanopy.data.arrays import Bools
from kanopy.errors import PolicyError, near_name
from kanopy.privacy.exact import Integers, at_most, ratios

T = TypeVar("T")

LOOK_ALIKES = "Within every group of look-alikes, "


class PrivacyModel(ABC):
    """A promise about groups of rows that agree on the quasi-identifiers.

    Models are values: equal when their parameters are, hashable, unchangeable. ``a & b`` promises both.
    Missing is a value like others.

    Every model counts rows, or persons where these are known. A person who has several values in a group
    counts once for each. The share of a value (alpha, templates, disclosure, likeness) is the persons of the
    group who have it, of all persons of the group; shares of one person's several values may so add up to
    more than 1. What needs shares that add up to 1 (entropy and recursive diversity, closeness) looks at the
    distinct pairs of a person and a value. The whole table is counted alike.

    Rows without a person count for nobody: they are in no numerator and in no denominator, a value that only
    they have is the value of no one, and a group of them alone keeps no promise.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def monotone(self) -> bool:
        """Whether two groups that keep the promise always keep it when merged.

        Said of groups that have no person in common; see ``monotone_over_persons``.
        """

    @property
    def monotone_over_persons(self) -> bool:
        """The same where a person may have rows in both groups, and so counts once in the merged one.

        Merging then need not add up counts: of two persons in each of two groups, one of whom is the same,
        half may have a value in either, and two thirds in both together.
        """
        return False

    @property
    def kept_by_larger(self) -> bool:
        """Whether a group that keeps the promise keeps it whatever rows are added, also those of groups that
        break it: then rows that are suppressed at a coarse level are suppressed at every finer one."""
        return False

    @property
    def compares_with_table(self) -> bool:
        """Whether groups are compared with the whole table: then dropping rows changes what is promised."""
        return False

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The confidential columns whose values must be counted."""

    @property
    def parts(self) -> tuple[PrivacyModel, ...]:
        """The promises this one consists of."""
        return (self,)

    @property
    def grouped_by(self) -> tuple[str, ...] | None:
        """The quasi-identifiers whose combinations are meant, where it is not all of them; None: all.

        Rows that agree on these are a group of the promise, and the recount of a release looks at such
        groups. They are unions of groups over all quasi-identifiers: as every promise about some columns is
        monotone, it suffices, and is stricter than needed, that a method keeps it on those; unless persons
        have rows in several of them and it is not ``monotone_over_persons``, when only the recount knows.
        """
        return None

    def over(self, quasi_identifiers: Sequence[str]) -> tuple[PrivacyModel, ...]:
        """Promises that say the same of these quasi-identifiers, each about one set of them (``grouped_by``).

        It is itself one of these, unless it speaks about many sets at once.
        """
        del quasi_identifiers
        return (self,)

    @abstractmethod
    def holds(self, counts: GroupCounts) -> Bools:
        """Whether each group keeps the promise; what is said of a group without rows has no meaning."""

    @abstractmethod
    def level(self, counts: GroupCounts) -> float:
        """The strictest bound that every group keeps, that is, what the worst group reaches.

        Raises
        ------
        ValueError
            Where there are no groups.
        """

    @abstractmethod
    def sentence(self, unit: str = "rows") -> str:
        """The promise in one plain sentence; ``unit`` is what k counts, rows or persons."""

    def __and__(self, other: PrivacyModel) -> PrivacyModel:
        if not isinstance(other, PrivacyModel):
            return NotImplemented
        return all_of((self, other))


@dataclass(frozen=True, slots=True)
class AllOf(PrivacyModel):
    """Several promises at once, without repetition, in the order they were made."""

    models: tuple[PrivacyModel, ...]

    def __post_init__(self) -> None:
        flat = tuple(dict.fromkeys(part for model in self.models for part in model.parts))
        if not flat:
            raise PolicyError("a promise needs at least one part", "for example k = 10")
        fill(self, models=flat)

    @property
    def monotone(self) -> bool:
        return all(model.monotone for model in self.models)

    @property
    def monotone_over_persons(self) -> bool:
        return all(model.monotone_over_persons for model in self.models)

    @property
    def kept_by_larger(self) -> bool:
        return all(model.kept_by_larger for model in self.models)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(column for model in self.models for column in model.columns))

    @property
    def parts(self) -> tuple[PrivacyModel, ...]:
        return self.models

    def holds(self, counts: GroupCounts) -> Bools:
        kept = [model.holds(counts) for model in self.models]
        return np.asarray(np.logical_and.reduce(kept), dtype=bool)

    def level(self, counts: GroupCounts) -> float:
        """Not defined, a ValueError: several promises have several levels. Ask each of ``parts``."""
        raise ValueError("a conjunction has no level of its own; ask its parts")

    def sentence(self, unit: str = "rows") -> str:
        return " ".join(model.sentence(unit) for model in self.models)


def all_of(models: Iterable[PrivacyModel]) -> PrivacyModel:
    """All promises as one, which is the promise itself where there is only one; O(promises)."""
    together = AllOf(tuple(models))
    return together if len(together.models) > 1 else together.models[0]


@dataclass(frozen=True, slots=True, init=False)
class ColumnModel(PrivacyModel):
    """A promise about the values of one confidential column."""

    column: str

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    def histogram(self, counts: GroupCounts) -> Histogram:
        """The counts of the column."""
        return counted_column(self.column, counts.histograms)


@dataclass(frozen=True, slots=True, init=False)
class BoundedRatio(ColumnModel):
    """A promise that a ratio of counts is at most a bound in every group."""

    @abstractmethod
    def bounded(self, counts: GroupCounts) -> tuple[Integers, Integers, Fraction]:
        """Numerator and denominator of each group, and the bound."""

    def holds(self, counts: GroupCounts) -> Bools:
        # PRIVACY: no floats: 7 of 100 must keep 0.07 (tests/unit/privacy/test_confidence.py).
        return at_most(*self.bounded(counts)) & ~counts.are_nobodys

    def level(self, counts: GroupCounts) -> float:
        """The largest ratio of any group: the smallest bound that is kept."""
        numerator, denominator, _ = self.bounded(counts)
        return worst(np.where(counts.are_nobodys, np.inf, ratios(numerator, denominator)))


def counted_column(column: str, counted: Mapping[str, T]) -> T:
    """What was counted of a column, or a PolicyError."""
    if column not in counted:
        raise PolicyError(
            f"column {column!r} is promised something but was not counted",
            near_name(column, counted) or "declare it as sensitive or as the target",
        )
    return counted[column]


def counted_in(unit: str) -> str:
    """The end of a sentence about values, where not rows but persons are counted."""
    return "" if unit == "rows" else f", counted in {unit}"


def fill(model: PrivacyModel, **fields: object) -> None:
    """Set the fields of a frozen model while it is built."""
    for name, value in fields.items():
        object.__setattr__(model, name, value)


def checked_text(name: str, value: object) -> str:
    """A text that is not empty: the name of a column, or a value, which is compared as text."""
    if not isinstance(value, str) or not value:
        raise PolicyError(f"{name} must be a text that is not empty", f"for example {name} = 'diagnosis'")
    return value


def check_choice(name: str, value: object, choices: Collection[str], promise: str) -> None:
    """A PolicyError where the value is not one of the choices."""
    if value not in choices:
        hint = near_name(str(value), choices) or f"one of {', '.join(choices)}"
        raise PolicyError(f"{name} is not one that {promise} knows", hint)


def given_columns(given: object) -> tuple[str, ...]:
    """The names of the columns that an attacker may know."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise PolicyError("given must be a list of columns", "for example given = ['age', 'zip']")
    names = tuple(checked_text("given", name) for name in given)
    if not names or len(set(names)) < len(names):
        raise PolicyError(
            "given must name at least one column, and none twice", "for example given = ['age', 'zip']"
        )
    return names


def read_aloud(names: Sequence[str]) -> str:
    """Columns as a sentence names them: ``'age', 'sex' and 'zip'``."""
    *others, last = (repr(name) for name in names)
    return f"{', '.join(others)} and {last}" if others else last


def worst(reached: NDArray[np.number], *, more_is_better: bool = False) -> float:
    """What the worst group reaches."""
    if not len(reached):
        raise ValueError("there are no groups, so there is no level")
    return float(reached.min() if more_is_better else reached.max())
