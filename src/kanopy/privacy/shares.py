"""Bounds on the share of a confidential value: in a group alone, and compared with the whole table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from kanopy.data import GroupCounts, Histogram
from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.data.grammar import clean_text
from kanopy.data.intervals import decimal_text
from kanopy.errors import PolicyError
from kanopy.privacy import model
from kanopy.privacy.exact import Integers, Written, at_most, common_shares, exact_bound, ratios
from kanopy.privacy.model import LOOK_ALIKES, BoundedRatio, ColumnModel, checked_text, counted_in, fill, worst

_NOISE = 1e-12  # logarithms are floats; what their rounding leaves open counts as broken


@dataclass(frozen=True, slots=True, init=False)
class AlphaBound(BoundedRatio):
    """A value, or every value, makes up at most a share alpha of each group.

    ``AlphaBound(...) & KAnonymity(k)`` is the (alpha, k)-anonymity of Wong, Li, Fu, Wang (2006).

    Parameters
    ----------
    column : str
    alpha : number
        Strictly between 0 and 1.
    value : str or None
        The value to bound; None bounds every value, missing among them.
    """

    monotone = True  # the share in a union is at most the largest share in its parts

    alpha: Fraction
    value: str | None

    def __init__(self, column: str, alpha: Written, value: str | None = None) -> None:
        fill(
            self,
            column=checked_text("column", column),
            alpha=exact_bound("alpha", alpha, below=1),
            value=None if value is None else _as_written(value),
        )

    def bounded(self, counts: GroupCounts) -> tuple[Integers, Integers, Fraction]:
        """Members who have the value, or the most frequent one, all members, and alpha; O(entries)."""
        histogram = self.histogram(counts)
        n_with = histogram.largest if self.value is None else _with_value(histogram, self.value)
        return n_with, counts.members, self.alpha

    def sentence(self, unit: str = "rows") -> str:
        what = "each value" if self.value is None else f"the value {self.value!r}"
        does = "makes up" if unit == "rows" else "is found with"
        share = f"{does} at most {decimal_text(self.alpha)} of the {unit}"
        return f"{LOOK_ALIKES}{what} of column {self.column!r} {share}."


@dataclass(frozen=True, slots=True, init=False)
class Template(BoundedRatio):
    """Whoever knows the given columns is at most this sure that the confidential column has the value.

    Wang, Fung, Yu, *Handicapping attacker's confidence: an alternative to k-anonymization* (2006), section
    3.1. Several values are "only a notational abbreviation": each of them is bounded by itself, by the same
    bound, and nothing is said about all of them together.

    Methods may check it on groups over all quasi-identifiers. That suffices: a group over ``given`` alone is
    a union of those, and the share in a union is at most the largest share in its parts.

    Parameters
    ----------
    given : tuple of str
        The quasi-identifiers that are known beforehand.
    column : str
    value : str or list of str
        One value, or several. A value that never occurs is bounded by anything.
    at_most : number
        Strictly between 0 and 1.
    """

    monotone = True  # the share in a union is at most the largest share in its parts

    given: tuple[str, ...]
    value: str | tuple[str, ...]  # several in the given order
    at_most: Fraction

    def __init__(
        self, given: Iterable[str], column: str, value: str | Iterable[str], at_most: Written
    ) -> None:
        fill(
            self,
            given=model.given_columns(given),
            column=checked_text("column", column),
            value=_one_or_several(value),
            at_most=exact_bound("at_most", at_most, below=1),
        )
        if self.column in self.given:
            raise PolicyError(
                f"column {self.column!r} is both given and to be protected in one template",
                "leave it out of given",
            )

    @property
    def grouped_by(self) -> tuple[str, ...]:
        return self.given

    def bounded(self, counts: GroupCounts) -> tuple[Integers, Integers, Fraction]:
        """Members who have the value, of several the most frequent one, all members, and the largest
        confidence allowed; O(entries)."""
        histogram = self.histogram(counts)
        n_with = np.maximum.reduce([_with_value(histogram, value) for value in self.values])
        return n_with, counts.members, self.at_most

    @property
    def values(self) -> tuple[str, ...]:
        """The bounded values, one or several."""
        return (self.value,) if isinstance(self.value, str) else self.value

    @property
    def of_each_value(self) -> tuple[Template, ...]:
        """The same as templates of one value each."""
        return tuple(Template(self.given, self.column, value, self.at_most) for value in self.values)

    def sentence(self, unit: str = "rows") -> str:
        concluded = ", or that it is ".join(repr(value) for value in self.values)
        each = ", each" if len(self.values) > 1 else ""
        return (
            f"Whoever knows {model.read_aloud(self.given)} of someone can conclude that {self.column!r} is "
            f"{concluded}{each} with a confidence of at most {decimal_text(self.at_most)}{counted_in(unit)}."
        )


def _one_or_several(value: str | Iterable[str]) -> str | tuple[str, ...]:
    """The values of a template as cells are written; one value is no tuple, however it was given."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        return _as_written(value)
    if isinstance(value, Set | Mapping):  # the order of a set changes from run to run
        raise PolicyError("the values of a template are a list of texts", "for example value = ['a', 'b']")
    values = tuple(_as_written(each) for each in value)
    if not values or len(set(values)) < len(values):
        hint = "for example value = ['a', 'b']"
        raise PolicyError("a template must name at least one value, and none twice", hint)
    return values if len(values) > 1 else values[0]


def _as_written(value: str) -> str:
    """PRIVACY: a value is written as cells are when they are read, or the bound would hold for no row
    (tests/unit/policy/test_toml_file.py)."""
    return clean_text(checked_text("value", value))


def _with_value(histogram: Histogram, value: str) -> Ints:
    code = histogram.domain.code_of.get(value)
    return np.zeros(histogram.n_groups, dtype=np.int64) if code is None else histogram.of_value(code)


@dataclass(frozen=True, slots=True, init=False)
class DeltaDisclosure(ColumnModel):
    """The share of every value in a group is within a factor of 2**delta of its share in the table.

    ``|log2(p / q)| < delta``. Brickell, Shmatikov, *The cost of privacy* (2008).

    Parameters
    ----------
    column : str
    delta : number
        Above 0.
    strict_zero : bool
        Whether a value of the table that a group lacks breaks the promise, as the definition has it to the
        letter; otherwise only the values present in a group count.
    """

    compares_with_table = True

    delta: Fraction
    strict_zero: bool

    def __init__(self, column: str, delta: Written, *, strict_zero: bool = False) -> None:
        if not isinstance(strict_zero, bool):
            raise PolicyError(
                "strict_zero must be true or false", "leave it out to count present values only"
            )
        fill(self, column=checked_text("column", column), delta=exact_bound("delta", delta))
        fill(self, strict_zero=strict_zero)

    @property
    def monotone(self) -> bool:
        """Only with ``strict_zero``: a value that one group has and the other lacks is diluted by merging."""
        return self.strict_zero

    def holds(self, counts: GroupCounts) -> Bools:
        """Whether each group keeps the factor; O(entries)."""
        return self._strayed(counts) < float(self.delta) * (1 - _NOISE)

    def level(self, counts: GroupCounts) -> float:
        """The largest ``|log2(p / q)|`` of any group: every delta above it is kept."""
        return worst(self._strayed(counts))

    def sentence(self, unit: str = "rows") -> str:
        which = "each value" if self.strict_zero else "each value found there"
        about = f" (about {2.0 ** float(self.delta):.3g})" if self.delta <= 64 else ""
        return (
            f"{LOOK_ALIKES}the share of {which} in column {self.column!r} differs from its share "
            f"in the whole table by a factor of less than 2 to the power of {decimal_text(self.delta)}{about}"
            f"{counted_in(unit)}."
        )

    def _strayed(self, counts: GroupCounts) -> Floats:
        histogram = self.histogram(counts)
        inside, overall = common_shares(histogram, counts.members, histogram.n_table)
        # By way of the difference, so that shares that are nearly equal lose no digits.
        difference = ratios(abs(inside - overall), np.minimum(inside, overall))
        strayed = np.zeros(counts.n_groups)
        np.maximum.at(strayed, histogram.group, np.log1p(difference) / np.log(2))
        strayed[counts.are_nobodys] = np.inf
        if self.strict_zero:
            strayed[histogram.n_different < np.count_nonzero(histogram.totals)] = np.inf
        return strayed


@dataclass(frozen=True, slots=True, init=False)
class BetaLikeness(ColumnModel):
    """No value gains more than beta in a group: ``(p - q) / q <= beta`` wherever ``p > q``.

    Cao, Karras, *Publishing microdata with a robust privacy guarantee* (2012).

    Parameters
    ----------
    column : str
    beta : number
        Above 0.
    kind : {"basic", "enhanced"}
        ``enhanced`` bounds the gain of frequent values further, by ``min(beta, -ln q)``.
    """

    monotone = True  # the share in a union is at most the largest share in its parts
    compares_with_table = True

    beta: Fraction
    kind: str

    def __init__(self, column: str, beta: Written, kind: str = "basic") -> None:
        model.check_choice("kind", kind, ("basic", "enhanced"), "likeness")
        fill(self, column=checked_text("column", column), beta=exact_bound("beta", beta), kind=kind)

    def holds(self, counts: GroupCounts) -> Bools:
        """Whether no value gains too much in each group, exactly for ``basic``; O(entries)."""
        histogram = self.histogram(counts)
        inside, overall = common_shares(histogram, counts.members, histogram.n_table)
        is_kept = at_most(inside - overall, overall, self.beta)
        if self.kind == "enhanced":
            is_kept &= np.isfinite(self._gains(counts))
        holds = ~counts.are_nobodys
        holds[histogram.group[~is_kept]] = False
        return holds

    def level(self, counts: GroupCounts) -> float:
        """The largest gain in any group: the smallest beta that is kept; infinite where none is."""
        return np.inf if counts.are_nobodys.any() else worst(self._gains(counts))

    def sentence(self, unit: str = "rows") -> str:
        extra = ", and frequent values gain less still" if self.kind == "enhanced" else ""
        return (
            f"{LOOK_ALIKES}no value of column {self.column!r} is more than {decimal_text(1 + self.beta)} "
            f"times as frequent as in the whole table{extra}{counted_in(unit)}."
        )

    def _gains(self, counts: GroupCounts) -> Floats:
        """The gain of every entry; infinite where no beta allows it."""
        histogram = self.histogram(counts)
        inside, overall = common_shares(histogram, counts.members, histogram.n_table)
        gains = ratios(np.maximum(inside - overall, 0), overall)
        if self.kind == "enhanced":
            totals, n_table = np.maximum(histogram.totals, 1), max(histogram.n_table, 1)
            cap = -np.log1p((totals - n_table) / n_table)[histogram.value]
            gains[gains > cap * (1 - _NOISE)] = np.inf
        return gains
