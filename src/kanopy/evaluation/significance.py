"""Is one method better than another? The tests of the kACTUS papers, as pure functions of accuracies.

Two methods on one table are compared by the combined 5x2cv F-test [1]_, or by Dietterich's t-test [2]_, from
which it descends. Many methods on many cases are compared by their ranks: Friedman's test in the form of Iman
and Davenport, then Bonferroni-Dunn against one of the methods [3]_.

Scores that differ by less than 1e-12 are the same: they differ by the rounding of the machine.

References
----------
.. [1] E. Alpaydin, Combined 5x2cv F Test for Comparing Supervised Classification Learning Algorithms,
   Neural Computation 11(8), 1999.
.. [2] T. G. Dietterich, Approximate Statistical Tests for Comparing Supervised Classification Learning
   Algorithms, Neural Computation 10(7), 1998.
.. [3] J. Demšar, Statistical Comparisons of Classifiers over Multiple Data Sets, JMLR 7, 2006.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kanopy.errors import PolicyError, near_name
from kanopy.evaluation.distributions import f_above, normal_quantile, t_beyond

Floats = NDArray[np.float64]

_DECIMALS = 12


@dataclass(frozen=True, slots=True)
class FoldTest:
    """Two methods, compared fold by fold.

    Parameters
    ----------
    statistic : float
        Infinite where the methods differ by the same amount in both folds of every repetition.
    p_value : float
    degrees : tuple of int
        Of freedom: two for F, one for t.
    mean_difference : float
        First minus second, over all folds.
    """

    statistic: float
    p_value: float
    degrees: tuple[int, ...]
    mean_difference: float

    def rejects(self, level: float = 0.05) -> bool:
        """Whether the methods differ, if one is ready to be wrong in this share of cases."""
        return self.p_value < _checked_level(level)


def combined_f_test(first: ArrayLike, second: ArrayLike) -> FoldTest:
    """Alpaydin's combined 5x2cv F-test; O(folds).

    Parameters
    ----------
    first, second : array-like of shape (n_repetitions, 2)
        Accuracy or error of either method in the two folds of every repetition, on the same folds. The paper
        has five repetitions; with r the statistic has 2r and r degrees of freedom by the same argument.

    Returns
    -------
    FoldTest
        Without any difference in any fold the statistic is 0 and the p-value 1. Where the differences are
        the same in both folds of every repetition, and not all zero, it is infinite and the p-value 0.

    Raises
    ------
    PolicyError
        Where the scores do not have this shape, or are not all there.
    """
    differences, variance = _differences(first, second)
    n_repetitions = len(differences)
    statistic = _ratio(float(np.sum(differences**2)), 2 * variance)
    p_value = f_above(statistic, 2 * n_repetitions, n_repetitions)
    return FoldTest(statistic, p_value, (2 * n_repetitions, n_repetitions), float(differences.mean()))


def dietterich_t_test(first: ArrayLike, second: ArrayLike) -> FoldTest:
    """Dietterich's 5x2cv t-test: the first difference of the ten, by the spread of all; two-sided. O(folds).

    Which fold comes first is chance, so that two runs may disagree: prefer ``combined_f_test``. The shape of
    the scores and the cases without spread are as there.
    """
    differences, variance = _differences(first, second)
    n_repetitions = len(differences)
    statistic = _ratio(float(differences[0, 0]), (variance / n_repetitions) ** 0.5)
    return FoldTest(
        statistic, t_beyond(statistic, n_repetitions), (n_repetitions,), float(differences.mean())
    )


def _differences(first: ArrayLike, second: ArrayLike) -> tuple[Floats, float]:
    """By fold, and the sum over repetitions of their estimated variances."""
    scores = [_checked_scores(given) for given in (first, second)]
    if scores[0].shape != scores[1].shape or scores[0].shape[1] != 2:
        raise PolicyError(
            f"two methods are compared on the two folds of every repetition, not on scores of the shapes "
            f"{scores[0].shape} and {scores[1].shape}",
            "give one row per repetition, with two scores",
        )
    differences = np.round(scores[0] - scores[1], _DECIMALS)
    # (a - m)**2 + (b - m)**2 with m = (a + b) / 2, in a form that is exactly 0 where a = b.
    return differences, float(np.sum((differences[:, 0] - differences[:, 1]) ** 2) / 2)


def _ratio(amount: float, spread: float) -> float:
    if spread:
        return amount / spread
    return float(np.copysign(np.inf, amount)) if amount else 0.0


def average_ranks(scores: ArrayLike) -> Floats:
    """The rank of every method in every case: 1 for the best, ties share their ranks. O(cases * methods²).

    Parameters
    ----------
    scores : array-like of shape (n_cases, n_methods)
        More is better.

    Returns
    -------
    array of shape (n_cases, n_methods)
    """
    checked = np.round(_checked_scores(scores), _DECIMALS)
    mine, others = checked[:, :, None], checked[:, None, :]
    n_better, n_alike = np.sum(others > mine, axis=2), np.sum(others == mine, axis=2)
    ranks: Floats = n_better + (n_alike + 1) / 2
    return ranks


@dataclass(frozen=True, slots=True)
class RankTest:
    """Many methods, compared by their ranks in many cases.

    Parameters
    ----------
    methods : tuple of str
    mean_ranks : tuple of float
        Of the methods; 1 would be the best in every case.
    n_cases : int
    chi_square : float
        Friedman's statistic.
    statistic : float
        Iman and Davenport's F; infinite where all cases rank the methods alike.
    p_value : float
        Of that F.
    degrees : tuple of int
        Of freedom of that F.
    """

    methods: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    n_cases: int
    chi_square: float
    statistic: float
    p_value: float
    degrees: tuple[int, int]

    def rejects(self, level: float = 0.05) -> bool:
        """Whether not all methods are alike, if one is ready to be wrong in this share of cases."""
        return self.p_value < _checked_level(level)

    def against(self, control: str, level: float = 0.05) -> ControlComparison:
        """Which methods differ from one of them, by Bonferroni and Dunn; O(methods).

        It says something only where ``rejects`` does.
        """
        if control not in self.methods:
            raise PolicyError(f"no method is called {control!r}", near_name(control, self.methods))
        n_methods = len(self.methods)
        quantile = normal_quantile(1 - _checked_level(level) / (2 * (n_methods - 1)))
        rank_of = dict(zip(self.methods, self.mean_ranks, strict=True))
        return ControlComparison(
            control,
            level,
            quantile * (n_methods * (n_methods + 1) / (6 * self.n_cases)) ** 0.5,
            tuple((name, rank - rank_of[control]) for name, rank in rank_of.items() if name != control),
        )


@dataclass(frozen=True, slots=True)
class ControlComparison:
    """Methods against one of them, by Bonferroni and Dunn.

    Parameters
    ----------
    control : str
    level : float
    critical_difference : float
        Mean ranks farther apart than this differ.
    differences : tuple of (str, float)
        Every other method, and its mean rank minus that of the control: positive where it is worse.
    """

    control: str
    level: float
    critical_difference: float
    differences: tuple[tuple[str, float], ...]

    @property
    def differing(self) -> tuple[str, ...]:
        """The methods that differ from the control."""
        return tuple(name for name, apart in self.differences if abs(apart) > self.critical_difference)


def friedman_test(scores: ArrayLike, methods: Sequence[str]) -> RankTest:
    """Friedman's test with the correction of Iman and Davenport; O(cases * methods²).

    Parameters
    ----------
    scores : array-like of shape (n_cases, n_methods)
        More is better. A case is a table, or a table with a learner and a k.
    methods : sequence of str
        Their names, all different.

    Raises
    ------
    PolicyError
        Where there are fewer than two methods or cases, or a score is not there.
    """
    ranks = average_ranks(scores)
    n_cases, n_methods = ranks.shape
    if n_cases < 2 or n_methods < 2:
        raise PolicyError(
            f"ranks of {n_methods} methods in {n_cases} cases say nothing",
            "compare two or more in two or more",
        )
    if len(methods) != n_methods or len(set(methods)) != n_methods:
        raise PolicyError(f"{n_methods} methods need as many different names", "name every column of scores")
    # Twice a rank is a whole number, so that "all cases agree" is found exactly.
    doubled = [round(2 * total) for total in ranks.sum(axis=0).tolist()]
    spread = 3 * sum(total**2 for total in doubled) - 3 * n_cases**2 * n_methods * (n_methods + 1) ** 2
    unit = n_cases * n_methods * (n_methods + 1)
    remaining = n_cases * (n_methods - 1) * unit - spread
    statistic = _ratio((n_cases - 1) * spread, remaining)
    degrees = (n_methods - 1, (n_methods - 1) * (n_cases - 1))
    return RankTest(
        tuple(methods),
        tuple(ranks.mean(axis=0).tolist()),
        n_cases,
        spread / unit,
        statistic,
        f_above(statistic, *degrees),
        degrees,
    )


def _checked_scores(scores: ArrayLike) -> Floats:
    checked = np.asarray(scores, dtype=np.float64)
    if checked.ndim != 2 or not checked.size:
        raise PolicyError(f"scores have rows and columns, not the shape {checked.shape}", "give a table")
    if not np.isfinite(checked).all():
        raise PolicyError("not every score is a number", "leave out the cases in which a method was refused")
    return checked


def _checked_level(level: float) -> float:
    if not 0 < level < 1:
        raise PolicyError(f"a level of {level:g} makes no sense", "for example 0.05")
    return level
