"""T1, T2: top-down methods of Fung, Wang and Yu; U1: bottom-up of Wang, Yu, Chakraborty; with near misses."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from plain_tables import table_of

import kanopy
from kanopy.algorithms import bottomup as bottomup_file
from kanopy.algorithms.bottomup import bottomup
from kanopy.algorithms.cut_columns import CutColumn, DisclosureColumn, IntervalColumn, TaxonomyColumn
from kanopy.algorithms.tds import _anonymity_loss, _gain_per_loss, _gain_per_loss_plus_one, tdr, tds
from kanopy.algorithms.topdown import Score, Step, TopDown
from kanopy.data import CodedColumn, EncodedTable, Hierarchy, Recoding
from kanopy.frames.encode import encode
from kanopy.frames.source import read_source
from kanopy.privacy import AllOf, AnonymityOf, KAnonymity, PrivacyModel

ROWS = (
    ("9th", "M", 30, 0, 3),
    ("10th", "M", 32, 0, 4),
    ("11th", "M", 35, 2, 3),
    ("12th", "F", 37, 3, 1),
    ("Bachelors", "F", 42, 4, 2),
    ("Bachelors", "F", 44, 4, 0),
    ("Masters", "M", 44, 4, 0),
    ("Masters", "F", 44, 3, 0),
    ("Doctorate", "F", 44, 1, 0),
)
"""Education, sex, hours; how many of class Y and of class N."""
PATHS = (
    ("9th", "Junior", "Secondary", "ANY"),
    ("10th", "Junior", "Secondary", "ANY"),
    ("11th", "Senior", "Secondary", "ANY"),
    ("12th", "Senior", "Secondary", "ANY"),
    ("Bachelors", "Bachelors", "University", "ANY"),
    ("Masters", "Grad", "University", "ANY"),
    ("Doctorate", "Grad", "University", "ANY"),
)
NAMES = ("education", "sex", "hours")
TDS, TDR = _gain_per_loss, _gain_per_loss_plus_one
FOUR_AND_ELEVEN = AllOf((AnonymityOf(["education", "sex"], 4), AnonymityOf(["sex", "hours"], 11)))


def example(names: Sequence[str] = NAMES) -> EncodedTable:
    lines = [line for line in ROWS for _ in range(line[3] + line[4])]
    classes = [label for line in ROWS for label in "Y" * line[3] + "N" * line[4]]
    in_order = [path[0] for path in PATHS]
    return table_of(
        {name: [line[NAMES.index(name)] for line in lines] for name in names},
        target=classes,
        hierarchies={"education": Hierarchy.from_paths("education", PATHS, in_order.index)},
    )


def cut_by(table: EncodedTable, without_hierarchy: type[CutColumn]) -> Callable[[CodedColumn], CutColumn]:
    def cut_of(column: CodedColumn) -> CutColumn:
        if column.domain.is_numeric:
            return IntervalColumn(column, table.target)
        kind = TaxonomyColumn if column.domain.hierarchy is not None else without_hierarchy
        return kind(column, table.target)

    return cut_of


def started(table: EncodedTable, promise: PrivacyModel) -> TopDown:
    return TopDown.of(table, promise, cut_by(table, TaxonomyColumn))


def refined(state: TopDown, step: Step) -> str:
    """What a step refines, by what is printed now."""
    cut = state.cuts[step.column]
    code = np.flatnonzero(cut.candidate == step.candidate)[0]
    return f"{cut.domain.name} {cut.cells[cut.element[code]].text(cut.domain)}"


def split_points(column: CutColumn) -> list[str]:
    """The upper values of all cuts that could be made."""
    found = []
    for candidate in np.unique(column.candidate[column.candidate >= 0]).tolist():
        codes = np.flatnonzero(column.candidate == candidate)
        upper = codes[column.part[codes] == column.part[codes].max()]
        found.append(column.domain.labels[upper[0]])
    return found


def winners(state: TopDown, score: Score) -> list[tuple[str, float, list[int]]]:
    """All steps with their scores, and the smallest groups after each."""
    found = []
    while (step := state.best_step(score, needs_gain=False)) is not None:
        what = refined(state, step)
        state.take(step)
        found.append((what, round(step.score, 4), [view.smallest for view in state.views]))
    return found


def printed(table: EncodedTable, recoding: Recoding) -> dict[tuple[str, ...], str]:
    """The classes of every group, such as 2Y 3N."""
    found: dict[tuple[str, ...], Counter[str]] = {}
    for row in range(table.n_rows):
        line = tuple(column.texts[column.ids[row]] for column in recoding.columns)
        found.setdefault(line, Counter())[table.target.domain.labels[table.target.codes[row]]] += 1
    return {line: f"{counts['Y']}Y {counts['N']}N" for line, counts in found.items()}


# --- T1 --------------------------------------------------------------------------------------------------

RESULT = {
    ("Junior", "*", "[30, 35]"): "0Y 7N",
    ("11th", "*", "[30, 35]"): "2Y 3N",
    ("12th", "*", "[37, 44]"): "3Y 1N",
    ("Bachelors", "*", "[37, 44]"): "8Y 2N",
    ("Grad", "*", "[37, 44]"): "8Y 0N",
}


@pytest.mark.parametrize(
    ("name", "gain", "loss", "of_tds", "of_tdr"),
    [
        ("education", 0.2716, 18, 0.0151, 0.0143),
        ("sex", 0.1664, 18, 0.0092, 0.0088),
        ("hours", 0.3584, 22, 0.0163, 0.0156),
    ],
)
def test_the_table_of_the_first_step(
    name: str, gain: float, loss: float, of_tds: float, of_tdr: float
) -> None:
    state = started(example(), FOUR_AND_ELEVEN)
    place = NAMES.index(name)
    cut = state.cuts[place]
    assert cut.n_open == 1
    assert cut.gain[0] == pytest.approx(gain, abs=5e-5)
    assert _anonymity_loss(state, place, cut)[0] == loss
    assert TDS(state, place, cut)[0] == pytest.approx(of_tds, abs=5e-5)
    assert TDR(state, place, cut)[0] == pytest.approx(of_tdr, abs=5e-5)
    if name == "hours":
        assert split_points(cut) == ["37"]


@pytest.mark.parametrize(
    ("score", "scores"),
    [
        pytest.param(TDS, [0.0163, None, 0.0376, 0.1022, 0.0304], id="tds"),
        pytest.param(TDR, [0.0156, None, 0.0339, 0.1022, 0.0228], id="tdr"),
    ],
)
def test_the_winners_in_their_order(score: Score, scores: list[float | None]) -> None:
    state = started(example(), FOUR_AND_ELEVEN)
    found = winners(state, score)
    assert [what for what, _, _ in found] == [
        "hours *",
        "education *",
        "education Secondary",
        "education University",
        "education Senior",
    ]
    assert [told for (_, told, _), known in zip(found, scores, strict=True) if known] == [
        s for s in scores if s
    ]
    assert found[-1][2] == [4, 12]
    assert printed(state.table, state.recoding()) == RESULT


def test_what_is_never_valid() -> None:
    state = started(example(), FOUR_AND_ELEVEN)
    sex_in_both = [view.outlook[1] for view in state.views]
    assert all(outlook.holds[0] for outlook in sex_in_both)
    state.take(state.best_step(TDS, needs_gain=False))
    assert (sex_in_both[1].holds[0], sex_in_both[1].smallest[0]) == (False, 4)  # women of 4 and 18 rows
    upper = int(state.cuts[2].candidate[state.table.quasi[2].domain.code_of["44"]])
    assert split_points(state.cuts[2])[-1] == "44"
    assert (state.views[1].outlook[2].holds[upper], state.views[1].outlook[2].smallest[upper]) == (False, 10)


@pytest.mark.parametrize("method", [tds, tdr])
def test_t1_by_the_method(method: Callable[..., Recoding]) -> None:
    table = example()
    assert printed(table, method(table, FOUR_AND_ELEVEN, np.random.default_rng(0))) == RESULT


@pytest.mark.parametrize(
    ("of_education", "of_hours", "differs_in"),
    [(5, 11, 0), (4, 13, 2), (4, 10, 2), (4, 4, 1)],
    ids=["12th are four", "below 37 are twelve", "44 are allowed", "sex is allowed"],
)
def test_t1_just_missed(of_education: int, of_hours: int, differs_in: int) -> None:
    table = example()
    promise = AllOf(
        (AnonymityOf(["education", "sex"], of_education), AnonymityOf(["sex", "hours"], of_hours))
    )
    found = printed(table, tds(table, promise, np.random.default_rng(0)))
    assert {line[differs_in] for line in found} != {line[differs_in] for line in RESULT}


def test_an_average_over_the_sets_of_the_column_only() -> None:
    """Hours lose 22 rows in the one set that they are in; half of that, if the other counted too."""
    state = started(example(), FOUR_AND_ELEVEN)
    assert _anonymity_loss(state, 2, state.cuts[2])[0] == 22
    everything = started(example(), AllOf((AnonymityOf(["education", "sex"], 4), AnonymityOf(NAMES, 3))))
    assert _anonymity_loss(everything, 2, everything.cuts[2])[0] == 22
    assert _anonymity_loss(everything, 0, everything.cuts[0])[0] == 18


# --- U1 --------------------------------------------------------------------------------------------------


def test_u1() -> None:
    table = example(NAMES[:2])
    labels = table.quasi[0].domain.hierarchy.node_label
    chosen: list[tuple[int, str]] = []
    choose = bottomup_file._best_generalization

    def noting(*arguments: object) -> tuple[int, int]:
        column, node = choose(*arguments)
        chosen.append((column, labels[node]))
        return column, node

    with mock.patch.object(bottomup_file, "_best_generalization", noting):
        recoding = bottomup(table, KAnonymity(4), np.random.default_rng(0))
    assert chosen == [(0, "Grad"), (0, "Junior")]
    assert printed(table, recoding) == {
        ("Bachelors", "F"): "8Y 2N",
        ("Junior", "M"): "0Y 7N",
        ("11th", "M"): "2Y 3N",
        ("12th", "F"): "3Y 1N",
        ("Grad", "M"): "4Y 0N",
        ("Grad", "F"): "4Y 0N",
    }


@pytest.mark.parametrize(
    ("k", "smallest", "education"),
    [
        (2, 3, {"9th", "10th", "11th", "12th", "Bachelors", "Grad"}),
        (3, 3, {"9th", "10th", "11th", "12th", "Bachelors", "Grad"}),
        (4, 4, {"Junior", "11th", "12th", "Bachelors", "Grad"}),
    ],
)
def test_u1_with_another_k(k: int, smallest: int, education: set[str]) -> None:
    table = example(NAMES[:2])
    recoding = bottomup(table, KAnonymity(k), np.random.default_rng(0))
    assert np.bincount(recoding.groups[0]).min() == smallest
    assert {line[0] for line in printed(table, recoding)} == education


def test_u1_just_missed() -> None:
    table = example(NAMES[:2])
    recoding = bottomup(table, KAnonymity(5), np.random.default_rng(0))
    assert np.bincount(recoding.groups[0]).min() >= 5
    assert "12th" not in {line[0] for line in printed(table, recoding) if line[1] == "F"}


# --- T2 --------------------------------------------------------------------------------------------------

TOP_5 = ["age", "education-num", "marital-status", "relationship", "capital-gain"]
SIZES = [173, 273, 616, 899, 4875, 5366, 14174, 18846]


def complete_rows(*files: str) -> pa.Table:
    folder = os.environ.get("KANOPY_DATA")
    if not folder:
        pytest.skip(f"KANOPY_DATA is not set to a folder with {files[0]}")
    table = pa.concat_tables(read_source(Path(folder) / file) for file in files)
    is_complete = np.ones(table.num_rows, dtype=bool)
    for column in table.columns:
        is_missing = pc.is_in(column.cast(pa.string()), value_set=pa.array(["", "?", None], pa.string()))
        is_complete &= ~is_missing.to_numpy(zero_copy_only=False)
    return table.filter(pa.array(is_complete))


def coded(table: pa.Table, quasi: list[str], numeric: Sequence[str] = ()) -> EncodedTable:
    target = table.column_names[-1]
    policy = kanopy.Policy(quasi_identifiers=quasi, target=target, k=2, numeric=list(numeric))
    return encode(table.select([*quasi, target]), policy).table


@pytest.fixture(scope="module")
def adult() -> EncodedTable:
    table = coded(complete_rows("adult_train.csv", "adult_test.csv"), TOP_5)
    assert table.n_rows == 45_222
    return table


def test_the_refinements_of_adult(adult: EncodedTable) -> None:
    state = TopDown.of(adult, KAnonymity(80), cut_by(adult, DisclosureColumn))
    found = []
    while (step := state.best_step(TDR, needs_gain=True)) is not None:
        cut = state.cuts[step.column]
        told = (
            cut.domain.labels[step.candidate] if isinstance(cut, DisclosureColumn) else split_points(cut)[0]
        )
        gain = float(cut.gain[step.candidate])
        state.take(step)
        found.append((cut.domain.name, told, round(gain, 4), state.views[0].smallest))
    assert found == [
        ("marital-status", "Married-civ-spouse", 0.1535, 21055),
        ("education-num", "13", 0.0690, 5148),
        ("capital-gain", "7262", 0.0862, 173),
    ]


def as_programmed(table: EncodedTable, k: int) -> Recoding:
    """As the authors' program does it, whose output these figures are."""
    return tdr(table, KAnonymity(k), np.random.default_rng(0), require_positive_gain=True)


@pytest.mark.parametrize("k", [80, 173])
def test_the_groups_of_adult(adult: EncodedTable, k: int) -> None:
    recoding = as_programmed(adult, k)
    assert sorted(np.bincount(recoding.groups[0]).tolist()) == SIZES
    shown = {
        column.domain.name: sorted({column.texts[cell] for cell in column.ids}) for column in recoding.columns
    }
    assert shown["marital-status"] == ["*", "Married-civ-spouse"]
    assert shown["education-num"] == ["[1, 12]", "[13, 16]"]
    assert shown["age"] == shown["relationship"] == ["*"]


def test_one_more_and_adult_is_divided_otherwise(adult: EncodedTable) -> None:
    sizes = np.bincount(as_programmed(adult, 174).groups[0])
    assert sizes.min() >= 174
    assert sorted(sizes.tolist()) != SIZES


@pytest.mark.parametrize("k", [40, 60])
def test_a_smaller_k_on_adult(adult: EncodedTable, k: int) -> None:
    recoding = as_programmed(adult, k)
    sizes = np.bincount(recoding.groups[0])
    assert (len(sizes), sizes.min()) == (16, 63)
    years = recoding.columns[1]
    assert {years.texts[cell] for cell in years.ids} == {"[1, 12]", "13", "14", "[15, 16]"}


def cut_points(column: CodedColumn, target: CodedColumn) -> tuple[list[str], list[str]]:
    """Where numbers are cut first, and where the halves would be."""
    cut = IntervalColumn(column, target)
    first = split_points(cut)
    cut.refine(0)
    return first, split_points(cut)


@pytest.mark.parametrize(
    ("name", "first", "then"),
    [
        ("age", "28", None),
        ("education-num", "13", ["9", "15"]),
        ("capital-gain", "7262", ["5178", "7443"]),
    ],
)
def test_the_cuts_of_adult(adult: EncodedTable, name: str, first: str, then: list[str] | None) -> None:
    found = cut_points(adult.quasi[TOP_5.index(name)], adult.target)
    assert found[0] == [first]
    assert then is None or found[1] == then


@pytest.mark.parametrize(
    ("file", "name", "first", "then"),
    [
        ("german.csv", "duration-months", 16, [9, 45]),
        ("german.csv", "credit-amount", 3914, None),
        ("crx.csv", "A11", 3, None),
        ("crx.csv", "A8", 1.21, None),
        ("crx.csv", "A15", 500, None),
        ("crx.csv", "A14", 100, None),
    ],
)
def test_the_cuts_of_german_and_crx(file: str, name: str, first: float, then: list[float] | None) -> None:
    table = coded(complete_rows(file), [name], [name])
    found = [list(map(float, points)) for points in cut_points(table.quasi[0], table.target)]
    assert found[0] == [first]
    assert then is None or found[1] == then


def test_a_cut_moves_with_the_classes(adult: EncodedTable) -> None:
    """Near miss: where half of the classes are others, so are the cuts."""
    codes = adult.target.codes.copy()
    codes[::2] = codes[::2][::-1]
    others = CodedColumn(adult.target.domain, codes)
    assert cut_points(adult.quasi[4], others) != cut_points(adult.quasi[4], adult.target)
