"""Comparisons of methods: the numbers of the papers and of tables of distributions, each with a near miss."""

from __future__ import annotations

import numpy as np
import pytest
from command import run_python

from kanopy.errors import KanopyError
from kanopy.evaluation.significance import (
    area_under_curve,
    average_ranks,
    combined_f_test,
    fold_interval,
    friedman_test,
    mean_accuracy,
)

DIFFERENCES = np.array([[0.02, 0.04], [0.03, 0.01], [0.05, 0.02], [0.01, 0.03], [0.02, 0.02]])
NOTHING = np.zeros((5, 2))
SECOND = np.full((5, 2), 0.7)

METHODS = ("TDS", "TDR", "kADET", "kACTUS", "kACTUS-2")
AREAS = {  # kACTUS-2, Table 1; kADET is there for C4.5 only
    ("Adult", "C4.5"): (76414.025, 75472.2, 80843.275, 81830.7, 82663.22),
    ("Adult", "PART"): (76401.425, 75472.225, None, 81849.25, 82338.2),
    ("Adult", "NB"): (75295.975, 73071.75, None, 82383.8, 82755.32),
    ("Adult", "Logistic"): (76377.775, 76477.2, None, 80761.575, 81623.65),
    ("German", "C4.5"): (6583.175, 6621.625, 6596.7, 6645.725, 6646.4),
    ("German", "PART"): (6456.275, 6292.65, None, 6438.1, 6505.225),
    ("German", "NB"): (6585.775, 6173.25, None, 6640.52, 6625.95),
    ("German", "Logistic"): (6635.25, 6525.025, None, 6635.35, 6626.425),
    ("TTT", "C4.5"): (1731.175, 1658.75, 1771.3, 1789.725, 1802.35),
    ("TTT", "PART"): (1727.925, 1628.5, None, 1795.325, 1791.15),
    ("TTT", "NB"): (1751.525, 1716.075, None, 1623.675, 1566.675),
    ("TTT", "Logistic"): (1738.275, 1693.15, None, 1481.8, 1389.725),
    ("Glass", "C4.5"): (1292.3, 964.475, 1350.35, 1383.2, 1372.225),
    ("Glass", "PART"): (1292.3, 964.475, None, 1400.675, 1390.225),
    ("Glass", "NB"): (1202.8, 1289.625, None, 1387.525, 1463.15),
    ("Glass", "Logistic"): (1284.65, 965.9, None, 1188.9, 1242.9),
    ("Waveform", "C4.5"): (2860.2, 1837.65, 3113.85, 3185.825, 3252.475),
    ("Waveform", "PART"): (2857.85, 2175.825, None, 3208.5, 3231.75),
    ("Waveform", "NB"): (2827.9, 2064.7, None, 2961.075, 3054.7),
    ("Waveform", "Logistic"): (2859.825, 1035.925, None, 2038, 2208.4),
}
C45_ROWS = [areas for (_, learner), areas in AREAS.items() if learner == "C4.5"]
WITHOUT_KADET = ("TDS", "TDR", "kACTUS", "kACTUS-2")
ALL_ROWS = [[area for area in areas if area is not None] for areas in AREAS.values()]
ALL_ROWS = [row if len(row) == 4 else [*row[:2], *row[3:]] for row in ALL_ROWS]

KS = (5, 10, 15, 20, 30)
KACTUS = {  # kACTUS, Table 2
    ("TTT", "C4.5"): (72.89, 73.16, 70.49, 71.70, 70.30),
    ("TTT", "PART"): (74.58, 72.24, 71.49, 71.83, 70.30),
    ("TTT", "NB"): (62.63, 61.94, 64.35, 65.16, 69.39),
    ("TTT", "Logistic"): (48.25, 52.94, 63.01, 60.15, 66.06),
    ("Glass", "C4.5"): (61.89, 59.47, 58.11, 55.13, 45.42),
    ("Glass", "PART"): (62.31, 60.33, 58.52, 55.62, 46.70),
    ("Glass", "NB"): (62.49, 60.35, 56.57, 55.46, 46.15),
    ("Glass", "Logistic"): (30.86, 46.75, 49.25, 54.50, 44.60),
}


# --- two methods ----------------------------------------------------------------------------------------


def test_combined_f() -> None:
    found = combined_f_test(DIFFERENCES, NOTHING)
    assert found.statistic == pytest.approx(11 / 3, abs=1e-12)
    assert found.p_value == pytest.approx(0.082165, abs=5e-7)
    assert found.degrees == (10, 5)
    assert found.mean_difference == pytest.approx(0.025)
    assert not found.rejects()
    assert found.rejects(0.1)


def test_only_differences_count_and_not_their_sign() -> None:
    there = combined_f_test(SECOND + DIFFERENCES, SECOND)
    back = combined_f_test(SECOND, SECOND + DIFFERENCES)
    assert there.statistic == pytest.approx(11 / 3, abs=1e-9)
    assert back.statistic == pytest.approx(there.statistic)
    assert back.mean_difference == pytest.approx(-there.mean_difference)


def test_combined_f_near_misses() -> None:
    """What a wrong reading of the formula would give."""
    in_one_row = DIFFERENCES.reshape(2, 5).T  # all first folds, then all second ones: other pairs
    assert combined_f_test(in_one_row, NOTHING).statistic != pytest.approx(11 / 3, abs=0.1)
    assert combined_f_test(DIFFERENCES[:4], NOTHING[:4]).degrees == (8, 4)
    assert combined_f_test(DIFFERENCES * 7, NOTHING).statistic == pytest.approx(11 / 3)


def test_critical_value_of_f() -> None:
    # The same spreads around differences that are a little larger, on either side of the critical value.
    around = [combined_f_test(DIFFERENCES + more, NOTHING) for more in (0.0040, 0.0043)]
    assert around[0].statistic < 4.7351 < around[1].statistic
    assert [found.rejects() for found in around] == [False, True]


def test_no_spread() -> None:
    same = combined_f_test(SECOND, SECOND)
    assert (same.statistic, same.p_value, same.rejects()) == (0.0, 1.0, False)
    # A tenth more in every fold, though not to the machine.
    first = np.array([[0.3, 0.2], [0.2, 0.3], [0.4, 0.4], [0.3, 0.8], [0.3, 0.3]])
    second = np.array([[0.2, 0.1], [0.1, 0.2], [0.3, 0.3], [0.2, 0.7], [0.2, 0.2]])
    assert 0.3 - 0.2 != 0.2 - 0.1
    apart = combined_f_test(first, second)
    assert (apart.statistic, apart.p_value, apart.rejects()) == (np.inf, 0.0, True)
    first[0, 0] += 1e-6
    assert np.isfinite(combined_f_test(first, second).statistic)


def test_one_pair_of_folds_that_differ() -> None:
    """The first repetition only, alike in both folds: no spread anywhere, but a difference."""
    differences = NOTHING.copy()
    differences[3] = 0.01
    assert combined_f_test(differences, NOTHING).statistic == np.inf


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (np.zeros(10), np.zeros(10)),
        (np.zeros((5, 2)), np.zeros((4, 2))),
        (np.zeros((2, 5)), np.zeros((2, 5))),
        (np.zeros((0, 2)), np.zeros((0, 2))),
        (np.full((5, 2), np.nan), np.zeros((5, 2))),
        (np.full((5, 2), np.inf), np.zeros((5, 2))),
    ],
)
def test_scores_of_another_shape(first: np.ndarray, second: np.ndarray) -> None:
    with pytest.raises(KanopyError):
        combined_f_test(first, second)


# --- many methods ---------------------------------------------------------------------------------------


def test_ranks_with_ties() -> None:
    ranks = average_ranks([[0.9, 0.8, 0.9, 0.7], [0.5, 0.5, 0.5, 0.5], [0.1, 0.2, 0.3, 0.4]])
    assert ranks.tolist() == [[1.5, 3, 1.5, 4], [2.5] * 4, [4, 3, 2, 1]]
    # Ties to the machine's precision, and not beyond.
    assert average_ranks([[0.1 + 0.2, 0.3]]).tolist() == [[1.5, 1.5]]
    assert average_ranks([[0.3 + 1e-9, 0.3]]).tolist() == [[1, 2]]


def test_friedman_c45_rows() -> None:
    found = friedman_test(C45_ROWS, METHODS)
    assert found.mean_ranks == pytest.approx((4.2, 4.6, 3.2, 1.8, 1.2))
    assert found.chi_square == pytest.approx(17.44)
    assert found.statistic == pytest.approx(27.25)
    assert found.degrees == (4, 16)
    assert found.p_value == pytest.approx(5.7e-7, rel=0.01)
    assert found.rejects()
    dunn = found.against("kACTUS-2")
    assert dunn.critical_difference == pytest.approx(2.4977, abs=5e-5)
    assert dunn.differing == ("TDS", "TDR")
    assert dict(dunn.differences) == pytest.approx({"TDS": 3.0, "TDR": 3.4, "kADET": 2.0, "kACTUS": 0.6})


def test_friedman_all_rows() -> None:
    found = friedman_test(ALL_ROWS, WITHOUT_KADET)
    assert found.n_cases == 20
    assert found.mean_ranks == pytest.approx((2.65, 3.65, 2.00, 1.70))
    assert found.chi_square == pytest.approx(26.82)
    assert found.statistic == pytest.approx(15.358, abs=5e-4)
    dunn = found.against("kACTUS-2")
    assert dunn.critical_difference == pytest.approx(0.9773, abs=5e-5)
    assert dict(dunn.differences) == pytest.approx({"TDS": 0.95, "TDR": 1.95, "kACTUS": 0.30})
    assert dunn.differing == ("TDR",)  # TDS, 0.95 away, is a near miss
    assert found.against("kACTUS-2", level=0.10).differing == ("TDS", "TDR")
    # Differences count on both sides: from the worst, the best are far.
    assert found.against("TDR").differing == ("TDS", "kACTUS", "kACTUS-2")


def test_fewer_methods_or_less_is_better_are_other_tests() -> None:
    negated = friedman_test(-np.array(C45_ROWS, dtype=float), METHODS)
    assert negated.mean_ranks == pytest.approx(tuple(6 - rank for rank in (4.2, 4.6, 3.2, 1.8, 1.2)))
    assert friedman_test([row[1:] for row in C45_ROWS], METHODS[1:]).chi_square != pytest.approx(17.44)


@pytest.mark.parametrize(
    ("level", "published"),
    [
        (0.05, (1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.734, 2.773)),
        (0.10, (1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539)),
    ],
)
def test_quantiles_of_bonferroni_and_dunn(level: float, published: tuple[float, ...]) -> None:
    for n_methods, quantile in enumerate(published, start=2):
        names = [str(number) for number in range(n_methods)]
        n_cases = 30
        found = friedman_test(np.random.default_rng(0).random((n_cases, n_methods)), names).against(
            "0", level
        )
        unit = (n_methods * (n_methods + 1) / (6 * n_cases)) ** 0.5
        assert found.critical_difference / unit == pytest.approx(quantile, abs=6e-4)


def test_cases_that_agree_wholly_or_not_at_all() -> None:
    agreeing = friedman_test([[3, 2, 1]] * 7, "abc")
    assert (agreeing.chi_square, agreeing.statistic, agreeing.p_value) == (14.0, np.inf, 0.0)
    alike = friedman_test([[1, 1, 1]] * 7, "abc")
    assert (alike.chi_square, alike.statistic, alike.p_value) == (0.0, 0.0, 1.0)
    nearly = friedman_test([[3, 2, 1]] * 6 + [[2, 3, 1]], "abc")
    assert np.isfinite(nearly.statistic)


def test_friedman_by_scipy() -> None:
    """An independent implementation; without ties, for which it corrects and the papers do not."""
    from scipy.stats import f, friedmanchisquare

    scores = np.random.default_rng(1).random((12, 5)) + np.arange(5) / 10
    found = friedman_test(scores, "abcde")
    assert found.chi_square == pytest.approx(friedmanchisquare(*scores.T).statistic)
    assert found.p_value == pytest.approx(f.sf(found.statistic, 4, 44))


@pytest.mark.parametrize(
    ("scores", "names"),
    [
        ([[1, 2, 3]], "abc"),
        ([[1], [2]], "a"),
        ([[1, 2], [2, 1]], "abc"),
        ([[1, 2], [2, 1]], "aa"),
        ([[1, None], [2, 1]], "ab"),
        ([1, 2], "ab"),
    ],
)
def test_friedman_refuses(scores: list[object], names: str) -> None:
    with pytest.raises(KanopyError):
        friedman_test(scores, names)  # type: ignore[arg-type]


def test_unknown_control_and_level() -> None:
    found = friedman_test(C45_ROWS, METHODS)
    with pytest.raises(KanopyError, match="did you mean 'kACTUS-2'"):
        found.against("kACTUS2")
    with pytest.raises(KanopyError):
        found.against("TDS", level=5)
    with pytest.raises(KanopyError):
        found.rejects(0)


# --- curves ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", KACTUS)
def test_area_is_the_published_one(case: tuple[str, str]) -> None:
    accuracies, published = KACTUS[case], AREAS[case][3]
    assert area_under_curve(KS, accuracies) == pytest.approx(published, abs=1e-9)
    assert area_under_curve(KS[::-1], accuracies[::-1]) == pytest.approx(published, abs=1e-9)
    assert mean_accuracy(KS, accuracies) == pytest.approx(published / 25)
    # Near misses: the plain mean, and with k = 1.
    assert np.mean(accuracies) * 25 != pytest.approx(published, abs=1)
    assert area_under_curve((1, *KS), (81.2, *accuracies)) > published + 100


@pytest.mark.parametrize(
    ("ks", "accuracies"),
    [([5], [1]), ([5, 5], [1, 1]), ([5, 10], [1]), ([5, 10], [1, None]), ([[5, 10]], [[1, 1]]), ([], [])],
)
def test_curves_that_are_none(ks: list[object], accuracies: list[object]) -> None:
    for of_curve in (area_under_curve, mean_accuracy):
        with pytest.raises(KanopyError):
            of_curve(ks, accuracies)  # type: ignore[arg-type]


# --- intervals ------------------------------------------------------------------------------------------


def test_fold_interval_by_hand() -> None:
    scores = [0.80, 0.82, 0.78, 0.81, 0.79, 0.80, 0.83, 0.77, 0.80, 0.80]
    found = fold_interval(scores)
    deviation = np.std(scores, ddof=1)
    assert (found.mean, found.deviation) == pytest.approx((0.8, deviation))
    assert found.half_width == pytest.approx(2.262157 * deviation * 1.1**0.5, rel=1e-6)
    assert found.low == pytest.approx(found.mean - found.half_width)
    assert found.high == pytest.approx(found.mean + found.half_width)
    naive = fold_interval(scores, test_share=0)
    assert found.half_width / naive.half_width == pytest.approx(11**0.5)
    assert fold_interval(scores, test_share=0.1).half_width == pytest.approx(
        naive.half_width * (1 + 10 / 9) ** 0.5
    )
    assert fold_interval(np.reshape(scores, (5, 2))) == found


def test_intervals_are_cut_off() -> None:
    found = fold_interval([0.9, 1.0] * 5)
    assert found.high == 1.0
    assert found.mean + found.half_width > 1.0


def folds_of_a_learner(rng: np.random.Generator, n_rows: int) -> tuple[np.ndarray, float]:
    """Ten accuracies of a nearest-mean learner on a drawn table, by 5x2 cross-validation."""
    classes = rng.integers(0, 2, n_rows)
    rows = rng.normal(size=(n_rows, 3)) + 0.5 * classes[:, None]
    scores = []
    for _ in range(5):
        order = rng.permutation(n_rows)
        for train, test in ((order[::2], order[1::2]), (order[1::2], order[::2])):
            means = np.stack([rows[train][classes[train] == kind].mean(axis=0) for kind in (0, 1)])
            distances = ((rows[test][:, None] - means) ** 2).sum(axis=2)
            scores.append(np.mean(distances.argmin(axis=1) == classes[test]))
    return np.array(scores), float(np.mean(scores))


def test_the_interval_holds_what_it_promises_and_the_naive_one_does_not() -> None:
    rng = np.random.default_rng(4)
    tables = [folds_of_a_learner(rng, 200) for _ in range(400)]
    truth = np.mean([mean for _, mean in tables])  # cross-validation is unbiased for halves

    def coverage(test_share: float) -> float:
        found = [fold_interval(scores, test_share=test_share) for scores, _ in tables]
        return float(np.mean([interval.low <= truth <= interval.high for interval in found]))

    assert coverage(0.5) == pytest.approx(0.97, abs=0.01)
    assert coverage(0.0) == pytest.approx(0.53, abs=0.01)


@pytest.mark.parametrize(
    ("scores", "settings"),
    [
        ([0.5], {}),
        ([], {}),
        ([85.0, 86.0], {}),
        ([0.5, np.nan], {}),
        ([0.5, 0.6], {"level": 95}),
        ([0.5, 0.6], {"test_share": 1}),
    ],
)
def test_intervals_refuse(scores: list[float], settings: dict[str, float]) -> None:
    with pytest.raises(KanopyError):
        fold_interval(scores, **settings)


ROOM_ALONE = """
import pathlib, sys, types
import kanopy
room = types.ModuleType("kanopy.evaluation")  # without what the room itself loads
room.__path__ = [str(pathlib.Path(kanopy.__file__).parent / "evaluation")]
sys.modules["kanopy.evaluation"] = room
from kanopy.evaluation import significance
print([name for name in ("scipy", "sklearn") if name in sys.modules])
significance.fold_interval([0.5, 0.6])
print("scipy" in sys.modules)
"""


def test_scipy_is_loaded_when_it_is_needed() -> None:
    done = run_python(ROOM_ALONE, check=True)
    assert done.stdout.split("\n") == ["[]", "True", ""]
