"""What every method has: a name, a paper, options with defaults, a function from a table to a recoding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, Literal

from kanopy._numbers import typed_number, typed_whole_number
from kanopy.data import EncodedTable, Recoding
from kanopy.errors import PolicyError, near_name

if TYPE_CHECKING:
    from kanopy.algorithms.division.groups import DividedRelease

Progress = Callable[[int, int], bool]
"""Called with what is settled and what there is, in rows or steps; says whether to stop here, which methods
that are ``is_anytime`` do."""


def silent(_settled: int, _all: int) -> bool:
    """The progress of a run that reports none."""
    return False


def always(_options: Mapping[str, Any]) -> bool:
    """Whatever the options."""
    return True


def never(_options: Mapping[str, Any]) -> bool:
    """With no options at all."""
    return False


PRESET = "preset"
"""The option that every method takes: a name for several options at once."""

Run = Callable[..., Recoding]
"""A pure function ``(table, promise, rng, progress, **options)``; only ``rng`` is random."""

Divide = Callable[..., "DividedRelease"]
"""A function of a ``DividedTask`` and options; see ``algorithms.division``."""


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of a method: its default tells its type."""

    default: bool | int | float | str
    meaning: str
    choices: tuple[str, ...] = ()
    accepts: Callable[[Any], bool] | None = None  # whether something that is no text will do, in Python
    at_least: float = -inf
    at_most: float = inf
    takes_percent: bool = False  # whether a share may be told as a text such as "5%"

    def accept(self, where: str, value: Any) -> Any:
        """The value as the option's type, or a PolicyError; texts from a command line are converted."""
        is_text = isinstance(value, str)
        if self.accepts is not None and not is_text and self.accepts(value):
            return value
        if self.takes_percent and is_text and value.endswith("%"):
            return self._percent(where, value)
        if self.choices:
            if is_text and value in self.choices:
                return value
            known = ", ".join(self.choices)
            raise PolicyError(f"{where} takes one of {known}", near_name(str(value), self.choices))
        if isinstance(self.default, bool):
            if is_text and value.lower() in ("true", "false"):
                return value.lower() == "true"
            if isinstance(value, bool):
                return value
            raise PolicyError(f"{where} takes true or false")
        with suppress(TypeError, ValueError, OverflowError):
            converted = self._converted(value)
            is_finite = isinstance(converted, str) or isfinite(converted)
            if is_finite and not isinstance(value, bool) and (is_text or converted == value):
                return self._within(where, converted)
        raise PolicyError(f"{where} takes a value such as {self.default}{self._or_percent}")

    @property
    def _or_percent(self) -> str:
        return " or '5%'" if self.takes_percent else ""

    def _percent(self, where: str, value: str) -> str:
        """A share of 0% to 100%, as it was given but for spaces."""
        written = value[:-1].strip()
        with suppress(ValueError):
            if 0 <= typed_number(written) <= 100:
                return f"{written}%"
        raise PolicyError(f"{where} takes 0% to 100%")

    def _converted(self, value: Any) -> Any:
        if isinstance(value, str) and not isinstance(self.default, str):
            return typed_whole_number(value) if isinstance(self.default, int) else typed_number(value)
        return type(self.default)(value)

    def to_dict(self) -> dict[str, Any]:
        """The option as plain values, for JSON."""
        limits = {"at_least": self.at_least, "at_most": self.at_most}
        return {
            "default": self.default,
            "meaning": self.meaning,
            "choices": list(self.choices),
            **{name: limit for name, limit in limits.items() if isfinite(limit)},
        }

    def _within(self, where: str, value: Any) -> Any:
        if not isinstance(value, str) and not self.at_least <= value <= self.at_most:
            limits = [f"at least {self.at_least:g}"] if self.at_least > -inf else []
            limits += [f"at most {self.at_most:g}"] if self.at_most < inf else []
            raise PolicyError(f"{where} must be {' and '.join(limits)}")
        return value


WIDEN = Option(
    False,
    "whether ends of ranges are coded outward, to round numbers and whole periods that no group has chosen",
)
"""The option of methods that publish ranges: exact ends tell who knows the method more than they show."""


@dataclass(frozen=True, slots=True)
class Method:
    """One way to anonymize a table.

    Parameters
    ----------
    name : str
        One word, the same in Python, on the command line and in the documents.
    title : str
        What it does, in one line.
    paper : str
    run : Run
    options : mapping of str to Option
    needs_target : bool
        Whether it is guided by a class and has nothing to go by without one.
    is_synthetic : bool
        Whether its rows are made up, and can only have quasi-identifiers and the class.
    publishes_tree : bool
        Whether there is a decision tree beside the table.
    is_anytime : bool
        Whether it can be stopped at any moment, and still keep the promise.
    draws : bool
        Whether it draws random numbers; one that does not gets no ``rng``, but None.
    drops : {"no rows", "fewer than k", "any rows"}
        The most that it may leave out; "fewer than k" counts what k counts, rows or persons.
    takes_weights : callable
        From the options to whether a row of the table may stand for several (``EncodedTable.weight``): equal
        rows are always recoded alike, or else the recoding says how they are divided (``Recoding.split``).
    presets : mapping of str to mapping
        Names for several options at once, chosen by the option ``preset``. ``paper`` is what the paper
        describes; without an entry the defaults are.
    is_global : bool
        Whether a value has the same cell in all rows, so that each column is recoded by itself, and ``*``
        stands for the values (or missing) that no other cell of its column stands for.
    climbs_trees : bool
        Whether it generalizes every value along a tree: then the calendar levels of a policy make one.
    checks_only : str
        What it checks of a promise, where that is not all of it, as a sentence without its full stop. Its
        release may then break the promise: it is refused with this sentence, and not as an error of kanopy.
    divide : Divide or None
        The same as ``run`` on a table that no process holds, whose rows an engine counts and hands to tasks;
        a PolicyError, before anything is counted twice, where the options or the table do not allow it.
    """

    name: str
    title: str
    paper: str
    run: Run
    options: Mapping[str, Option] = field(default_factory=dict)
    needs_target: bool = False
    is_synthetic: bool = False
    publishes_tree: bool = False
    is_anytime: bool = False
    draws: bool = True
    drops: Literal["no rows", "fewer than k", "any rows"] = "no rows"
    takes_weights: Callable[[Mapping[str, Any]], bool] = never
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    is_global: bool = False
    climbs_trees: bool = False
    checks_only: str = ""
    divide: Divide | None = None

    @property
    def preset(self) -> Option:
        """The option ``preset``: its choices are the presets."""
        choices = tuple(dict.fromkeys(("default", "paper", *self.presets)))
        return Option("default", "several options at once; options that are given precede it", choices)

    def accepted(self, table: EncodedTable, options: Mapping[str, Any]) -> EncodedTable:
        """The table as ``run`` takes it with these options: expanded where it does not take weights."""
        return table if self.takes_weights(options) else table.expanded()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a registered method by its name: the function of some is made by another, and has none."""
        from kanopy.algorithms import find_method

        with suppress(PolicyError):
            if find_method(self.name) is self:
                return find_method, (self.name,)
        return Method, tuple(getattr(self, each.name) for each in fields(self))

    def settle(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values, the given ones checked; unknown ones are refused.

        The option ``preset`` stands for options of its own, which those that are given precede.
        """
        given = dict(given)
        settled = {name: option.default for name, option in self.options.items()}
        if PRESET in given and PRESET not in self.options:
            chosen = self.preset.accept(f"option {PRESET!r} of method {self.name!r}", given.pop(PRESET))
            given = {**self.presets.get(chosen, {}), **given}
        for name, value in given.items():
            if name not in self.options:
                hint = near_name(name, self.options) or f"options: {', '.join(self.options) or 'none'}"
                raise PolicyError(f"method {self.name!r} has no option {name!r}", hint)
            settled[name] = self.options[name].accept(f"option {name!r} of method {self.name!r}", value)
        return settled
