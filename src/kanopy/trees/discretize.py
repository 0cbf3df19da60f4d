"""Numbers into bins that tell the class apart: cuts of least entropy, while they are worth describing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CodedColumn, Domain
from kanopy.data.arrays import Amounts, Floats, Ints
from kanopy.data.keys import narrowest_unsigned
from kanopy.errors import InputError
from kanopy.trees.class_counts import Counts, SparseCounts, count_classes, entropies_beside, summed_entropy

ALL = "all"  # the only bin of a column without cuts
_TIE = 1e-10  # bits per row below which two entropies differ by rounding only
_DIGITS = 12  # significant digits of a cut in a label, where these keep the cuts apart


@dataclass(frozen=True)
class Discretizer:
    """Cut points of numeric columns, learned from one table and applicable to any other with these columns.

    The cuts are those of Fayyad and Irani, "Multi-interval discretization of continuous-valued attributes for
    classification learning" (IJCAI 1993), in the reading of Weka 3.6's supervised ``Discretize`` filter with
    its default options. A set of N rows with k classes and entropy E is cut in two where the mean entropy of
    the parts is least (ties: the lowest cut), if::

        gain > (log2(N - 1) + log2(3^k - 2) - (k E - k1 E1 - k2 E2)) / N

    and each part is cut in the same way. N - 1 counts rows, as in the paper, and not the places where the
    value changes: Weka counts these only with the "better encoding" option. A cut lies halfway between
    two numbers that occur next to each other.

    Rows where the column is missing are left out; a missing class is a class like any other.

    Parameters
    ----------
    names : tuple of str
        Of all columns that were seen, in order.
    cuts : tuple
        For every column its cut points, strictly ascending and possibly none; None where it is not numeric.
    """

    names: tuple[str, ...]
    cuts: tuple[tuple[float, ...] | None, ...]

    @classmethod
    def fit(
        cls,
        columns: Sequence[CodedColumn],
        target: CodedColumn,
        weights: NDArray[Any] | None = None,
        times: Ints | None = None,
    ) -> Discretizer:
        """Find the cuts that tell the class apart.

        ``times`` is how many equal rows each row stands for, where that is not one; not with weights.

        A row of weight 0 is as good as absent. As in Weka, entropies and N are of weights, but N - 1 counts
        rows: a row of weight 2 differs slightly from two rows. O(rows) for each numeric column, plus
        O(values * classes) for every level of its cuts, or a sort of the rows where there are many classes;
        memory is O(rows).
        """
        if weights is not None:
            weights = np.asarray(weights, dtype=np.float64)
            if weights.shape != target.codes.shape or not np.all(np.isfinite(weights) & (weights >= 0)):
                raise InputError("the weights of the rows cannot be used", "give each row one, 0 or more")
        return cls(
            tuple(column.domain.name for column in columns),
            tuple(
                _cuts(column, target, weights, times) if column.domain.is_numeric else None
                for column in columns
            ),
        )

    @cached_property
    def bins(self) -> tuple[Domain | None, ...]:
        """The bins of every numeric column as a domain in ascending order; None for the others."""
        return tuple(
            None if cuts is None else Domain(name, bin_labels(cuts))
            for name, cuts in zip(self.names, self.cuts, strict=True)
        )

    def apply(self, columns: Sequence[CodedColumn]) -> tuple[CodedColumn, ...]:
        """Replace numbers by the bins they fall into, and leave other columns as they are.

        Bin ``i`` holds the numbers in ``(cuts[i - 1], cuts[i]]``, whether or not they were seen by ``fit``;
        missing stays missing. The same domains every time, so that what is learned from one table's bins can
        be used on another's. O(rows * columns), plus O(values log cuts).
        """
        if tuple(column.domain.name for column in columns) != self.names:
            raise InputError(
                f"the {len(columns)} columns to discretize are not the {len(self.names)} fitted ones",
                "give the same columns in the same order",
            )
        return tuple(
            column if cuts is None or bins is None else _binned(column, cuts, bins)
            for column, cuts, bins in zip(columns, self.cuts, self.bins, strict=True)
        )


def bin_labels(cuts: Sequence[float]) -> tuple[str, ...]:
    """Such as ``<=27.5``, ``(27.5, 61]``, ``>61``; one more than cuts, all different, in ascending order."""
    if not cuts:
        return (ALL,)
    texts = [f"{cut:.{_DIGITS}g}" for cut in cuts]
    if len(set(texts)) < len(texts):
        texts = [repr(cut) for cut in cuts]
    inner = [f"({low}, {high}]" for low, high in pairwise(texts)]
    return (f"<={texts[0]}", *inner, f">{texts[-1]}")


def _binned(column: CodedColumn, cuts: tuple[float, ...], bins: Domain) -> CodedColumn:
    numbers = column.domain.numbers
    if numbers is None:
        if column.domain.n_values:
            raise InputError(
                f"column {column.domain.name!r} was numeric when its bins were made, and is not numeric here",
                "declare it numeric, or correct the values that are no numbers",
            )
        numbers = np.zeros(0)  # nothing but missing: there was no number to tell that it is numeric
    bin_of_code = np.append(np.searchsorted(cuts, numbers, side="left"), bins.missing_code)
    return CodedColumn(bins, bin_of_code.astype(narrowest_unsigned(bins.n_codes))[column.codes])


def _cuts(
    column: CodedColumn, target: CodedColumn, weights: Floats | None, times: Ints | None
) -> tuple[float, ...]:
    """The accepted cuts of one numeric column, ascending; counting is O(rows)."""
    domain, n_classes = column.domain, target.domain.n_codes
    assert domain.numbers is not None
    numbers, place = np.unique(domain.numbers, return_inverse=True)  # 1 and 1.0 are one number
    counts_here = column.codes != domain.missing_code
    if weights is not None:
        counts_here &= weights > 0
    keys = place[column.codes[counts_here]] * n_classes + target.codes[counts_here]
    n_times = None if times is None else times[counts_here]
    amounts = rows = count_classes(keys, n_times, len(numbers), n_classes)
    n_rows = rows.sum(axis=1)
    if weights is not None:
        amounts = count_classes(keys, weights[counts_here], len(numbers), n_classes)
    occurs = n_rows > 0
    numbers, amounts = numbers[occurs], amounts[occurs]
    if not isinstance(amounts, SparseCounts):  # which has no other classes anyway
        amounts = amounts[:, rows.any(axis=0)]
    last_below = _cut_places(amounts, n_rows[occurs])
    below, above = numbers[last_below], numbers[last_below + 1]
    # Halved before adding: the sum of two large floats may not fit into a float. Halfway between neighbouring
    # floats may be the upper one, which would then fall below the cut.
    halfway = below / 2 + above / 2
    return tuple(np.where(halfway < above, halfway, below).tolist())


def _cut_places(amounts: Counts, n_rows: Ints) -> Ints:
    """After which values to cut, ascending."""
    places: list[int] = []
    waiting = [(0, len(amounts))]  # and no recursion: cuts may lie within each other as deep as they are many
    while waiting:
        low, high = waiting.pop()
        inside = amounts[low:high]
        place = _least_entropy(inside)
        if place is not None:
            middle = low + place + 1
            below, above = inside[: place + 1].sum(axis=0), inside[place + 1 :].sum(axis=0)
            if _is_worth_its_description(below, above, int(n_rows[low:high].sum())):
                places.append(middle - 1)
                waiting += [(low, middle), (middle, high)]
    return np.array(sorted(places), dtype=np.int64)


def _least_entropy(amounts: Counts) -> int | None:
    """After which value to cut for the least entropy; None where no cut gains."""
    total = amounts.sum(axis=0)
    if len(amounts) < 2 or np.count_nonzero(total) < 2:
        return None
    one_node, ends = np.zeros(len(amounts), dtype=np.int64), np.array([0, len(amounts)])
    bits = entropies_beside(amounts, one_node, ends, np.arange(len(amounts) - 1))
    tie = _TIE * float(total.sum())
    if bits.min() >= summed_entropy(total) - tie:
        return None
    return int(np.argmax(bits <= bits.min() + tie))


def _is_worth_its_description(below: Amounts, above: Amounts, n_rows: int) -> bool:
    """The MDL rule, times N."""
    total = below + above
    gain = float(summed_entropy(total) - summed_entropy(below) - summed_entropy(above))
    n_classes = np.count_nonzero(total)
    # log2(3^k - 2), for any number of classes
    which_classes = n_classes * np.log2(3.0) + np.log2(1 - 2 * 3.0**-n_classes)
    saved = _class_entropies(total) - _class_entropies(below) - _class_entropies(above)
    return bool(gain > np.log2(n_rows - 1) + which_classes - saved)


def _class_entropies(amounts: Amounts) -> float:
    """k E: the entropy times the classes that occur."""
    return float(np.count_nonzero(amounts) * summed_entropy(amounts) / amounts.sum())
