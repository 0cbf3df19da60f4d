"""What refining a column is worth: by distortion, or by a function of the user's own.

Wang, Fung, Yu, "Handicapping attacker's confidence: an alternative to k-anonymization" (KAIS 2007), where the
section on the algorithm ends: the information gain may be replaced by another measure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kanopy.data.arrays import Floats, Ints
from kanopy.errors import PolicyError

_EXAMPLE = "return an array with a number of 0 or more for each candidate: one per line of .before"


@dataclass(frozen=True, slots=True, eq=False)
class Refinements:
    """Ways to refine one column. Each candidate divides one cell of the column into parts.

    A width is what a cell leaves open, from 0 (one value) to 1 (suppressed): for intervals the distance of
    their ends as a share of the column's range, for nodes of a hierarchy the share of the values below them.

    Parameters
    ----------
    column : str
    classes : tuple of str
        The classes of the target, and the empty text for missing; one empty text where there is no target.
    before : array of int, candidates x classes
        The rows, by class, that have the cell now.
    after : array of int, parts x classes
        The rows that would have each part; a part that stays suppressed, as the rest of a disclosed value,
        is a part like others.
    candidate : array of int
        The candidate of every part, ascending.
    width_before, width_after : arrays of float
        Of the cell of each candidate, and of each part.
    """

    column: str
    classes: tuple[str, ...]
    before: Ints
    after: Ints
    candidate: Ints
    width_before: Floats
    width_after: Floats

    def __post_init__(self) -> None:
        for name in ("before", "after", "candidate", "width_before", "width_after"):
            getattr(self, name).flags.writeable = False

    @property
    def n_candidates(self) -> int:
        """How many candidates there are."""
        return len(self.before)

    def sums(self, of_parts: Any) -> Floats:
        """Numbers of the parts, added up for each candidate; O(parts)."""
        summed = np.bincount(self.candidate, of_parts, minlength=self.n_candidates)
        return summed.astype(np.float64, copy=False)


Gain = Callable[[Refinements], Floats]
"""From the candidates of a column to what each is worth."""


def less_distortion(given: Refinements) -> Floats:
    """By how much the widths of all cells together shrink: a suppressed cell is one unit of distortion.

    A value that is disclosed by itself is worth the rows that have it, as in the paper. O(parts).
    """
    narrower = given.width_before[given.candidate] - given.width_after
    return np.round(given.sums(given.after.sum(axis=1) * narrower), 9)


def checked(function: Callable[[Refinements], Any]) -> Gain:
    """A user's function, whose results are checked; on the first candidates of a column it is asked twice.

    Raises
    ------
    PolicyError
        When it is called, and does not return a finite number of 0 or more for each candidate, or not the
        same for the same candidates.
    """
    known: set[str] = set()

    def gains(given: Refinements) -> Floats:
        found = _amounts(function(given), given.n_candidates)
        if given.column not in known:
            known.add(given.column)
            if not np.array_equal(found, _amounts(function(given), given.n_candidates)):
                hint = "the same table must give the same release: draw no random numbers, keep no state"
                raise PolicyError("the utility function gives the same candidates different numbers", hint)
        return found

    return gains


def _amounts(returned: Any, n_candidates: int) -> Floats:
    try:
        found = np.array(returned, dtype=np.float64)
    except (TypeError, ValueError):
        what = f"the utility function must return numbers; it returned {type(returned).__name__}"
        raise PolicyError(what, _EXAMPLE) from None
    if found.shape != (n_candidates,):
        what = f"the utility function must return {n_candidates} numbers, one per candidate"
        raise PolicyError(f"{what}; it returned an array of shape {found.shape}", _EXAMPLE)
    if not np.all(np.isfinite(found) & (found >= 0)):
        raise PolicyError("the utility function returned a number that is negative or not finite", _EXAMPLE)
    return found
