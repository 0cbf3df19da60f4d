"""The tables on kACTUS are measured as they say: the papers' numbers, no leak, and every number printed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from command import run as kanopy

from kanopy.errors import PolicyError
from kanopy.evaluation.halves import Halves, binned
from kanopy.evaluation.trial import Design
from kanopy_studies import Request, experiment
from kanopy_studies import published_kactus as published
from kanopy_studies.datasets import describe
from kanopy_studies.kactus import AREA_DATA, TABLE2_DATA
from kanopy_studies.kactus_run import INDUCER_OF, measure
from kanopy_studies.kactus_wins import SETS
from kanopy_studies.settings import KS, SETTINGS, find_setting, halves_of, with_leaking_bins

GLASS = (
    "refractive-index", "sodium", "magnesium", "aluminum", "silicon", "potassium", "calcium", "barium",
    "iron",
)  # fmt: skip
INDUCERS = ("c45", "part", "nb", "logistic")
PAIR = ["--data", "tic_tac_toe", "--methods", "kactus,kactus2", "--learners", "nb", "--jobs", "1"]

Put = Callable[..., None]
Cells = dict[tuple[str, ...], list[str]]


def numbers(n_rows: int = 160, seed: int = 0) -> pa.Table:
    """The columns of Glass: some know a little about one of three classes, the others nothing."""
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, 3, n_rows)
    noise = (0.8, 1.5, 2.0, *[50.0] * 6)
    columns = {
        name: [f"{value:.2f}" for value in classes + rng.normal(scale=scale, size=n_rows)]
        for name, scale in zip(GLASS, noise, strict=True)
    }
    return pa.table({**columns, "type": [str(number) for number in classes]})


def cells(text: str, n_places: int = 3) -> Cells:
    """The lines of the table with our numbers, by their first cells."""
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if "|" in line]
    return {tuple(line[:n_places]): line[n_places:] for line in lines[2:]}


def made(folder: Path, *arguments: str) -> tuple[str, dict[str, Any]]:
    """What a command writes: the Markdown, and the JSON as values."""
    pytest.importorskip("matplotlib")
    done = kanopy("reproduce", *arguments, "-o", folder)
    assert (done.code, done.out) == (0, ""), done.err
    (document,) = folder.glob("*.md")
    return document.read_text("utf-8"), json.loads(document.with_suffix(".json").read_text("utf-8"))


# What was published


def test_published_tables_have_their_shapes() -> None:
    assert len(TABLE2_DATA) == len(set(TABLE2_DATA)) == 10
    for name in TABLE2_DATA:
        for inducer in INDUCERS:
            values = [published.accuracy(name, inducer, k) for k in published.ACCURACY_KS]
            assert all(value is not None and 25 < value.mean < 100 for value in values)
            assert published.accuracy(name, inducer, 50) is None
    assert {name: len(published.area_ks(name)) for name in SETTINGS if published.area_ks(name)} == {
        "adult": 6, "german9": 9, "glass": 5, "tic_tac_toe": 5, "waveform40": 7,
    }  # fmt: skip
    for name in AREA_DATA:
        ks = published.area_ks(name)
        assert list(ks) == sorted(ks)
        width = ks[-1] - ks[0]
        for method in published.COMPARED:
            known = [published.area(name, inducer, method) for inducer in INDUCERS]
            assert [area is not None for area in known] == [True, *[method != "kadet"] * 3]
            assert all(area is None or 20 < area / width < 90 for area in known)
            shares = [published.missing_ratio(name, k, method) for k in ks]
            assert all((share is None) == (method == "kadet") for share in shares)
            assert all(share is None or 0.3 < share < 0.95 for share in shares)
    assert set(INDUCER_OF.values()) == set(INDUCERS)
    assert set(SETTINGS) == {*TABLE2_DATA, *AREA_DATA, *SETS}


def test_published_spot_values() -> None:
    assert published.accuracy("glass", "c45", 30) == (45.42, 5.62)
    assert published.accuracy("adult", "logistic", 5) == (78.31, 18.25)
    assert published.accuracy("nursery", "part", 1) == (98.10, 0.28)
    assert published.accuracy("german9", "c45", 5) is None
    assert published.missing_ratio("adult", 1000, "kactus") == 0.83
    assert published.missing_ratio("adult", 1000, "kactus2") == 0.76
    assert published.missing_ratio("tic_tac_toe", 30, "tdr") == 0.78
    assert published.missing_ratio("pima", 5, "kactus") is None
    assert published.area("waveform40", "c45", "kactus2") == 3252.475
    assert published.area("adult", "nb", "tdr") == 73071.75
    assert published.area("nursery", "c45", "kactus") is None


@pytest.mark.parametrize("data", ["glass", "tic_tac_toe"])
@pytest.mark.parametrize("inducer", INDUCERS)
def test_the_published_areas_lie_under_the_published_accuracies(data: str, inducer: str) -> None:
    """The two papers agree: a slip of the pen in either table would show here."""
    ks = published.area_ks(data)
    accuracies = [published.accuracy(data, inducer, k) for k in ks]
    under = np.trapezoid([value.mean for value in accuracies if value is not None], ks)
    assert under == pytest.approx(published.area(data, inducer, "kactus"), abs=0.06)


# The data sets as the papers used them


def test_a_setting_is_the_whole_table_or_the_columns_of_a_paper(put: Put) -> None:
    halves = halves_of("tic_tac_toe", 5)
    assert (halves.n_rows, len(halves.quasi), halves.inputs.num_columns) == (958, 9, 9)
    assert halves.policy.target == "class"
    names = list(describe("german").columns)
    put("german", pa.table({name: ["1", "2", "1", "2", "2"] for name in names}))
    nine = halves_of("german9", 5)
    assert (len(nine.quasi), nine.inputs.num_columns) == (9, 20)
    assert len(nine.policy.keep) == 11
    assert len(halves_of("german", 5).quasi) == 20
    with pytest.raises(PolicyError, match="glas"):
        find_setting("glas")


@pytest.mark.usefixtures("likeness")
def test_adult_has_complete_rows_only() -> None:
    assert halves_of("adult", 5).n_rows == 600


def test_numbers_that_are_written_like_codes_are_numbers(put: Put) -> None:
    crx = describe("crx")
    usual = {name: ["1" if name in crx.numeric else "a"] * 4 for name in crx.columns}
    put("crx", pa.table({**usual, "A14": ["00202", "0043", "", "0043"], "class": ["+", "-", "+", "-"]}))
    columns = {column.domain.name: column for column in halves_of("crx", 2).quasi}
    assert tuple(name for name, column in columns.items() if column.domain.is_numeric) == crx.numeric
    numbers_of_it = columns["A14"].domain.numbers
    assert numbers_of_it is not None
    assert numbers_of_it.tolist() == [43.0, 202.0]
    assert columns["A14"].codes.tolist() == [1, 0, 2, 0]  # missing is a code, not a row that is left out


# Bins and leaks


def permuted(table: pa.Table, rows: np.ndarray[Any, Any]) -> pa.Table:
    """The classes of some rows, dealt out anew among them."""
    classes = np.array(table["type"].to_pylist())
    classes[rows] = np.random.default_rng(1).permutation(classes[rows])
    return table.set_column(len(GLASS), "type", pa.array(classes))


def bins(halves: Halves) -> list[tuple[str, ...]]:
    return [column.domain.labels for column in halves.quasi]


def test_bins_of_the_training_half_know_no_test_class_and_leaking_ones_do(put: Put) -> None:
    """Deal out the classes of the test rows anew, and see whether the bins change."""
    table = numbers(seed=7)
    put("glass", table)
    halves = halves_of("glass", 5)
    divided = halves.fold(0, 0, 0)
    put("glass", permuted(table, divided.test))
    halves_of.cache_clear()
    other = halves_of("glass", 5)
    assert not np.array_equal(halves.classes, other.classes)
    assert bins(binned(halves, divided.train)) == bins(binned(other, divided.train))
    assert bins(with_leaking_bins(halves)) != bins(with_leaking_bins(other))


def test_leaking_bins_have_seen_all_rows_wherever_they_are(put: Put) -> None:
    table = numbers(seed=7)
    put("glass", table)
    first = bins(with_leaking_bins(halves_of("glass", 5)))
    put("glass", table.take(pa.array(np.arange(table.num_rows)[::-1].copy())))
    halves_of.cache_clear()
    assert bins(with_leaking_bins(halves_of("glass", 5))) == first
    assert any(len(labels) > 1 for labels in first)


@pytest.mark.usefixtures("few_folds")
@pytest.mark.parametrize("as_published", [False, True])
def test_numbers_are_binned_before_the_division_only_where_that_is_wanted(
    put: Put, as_published: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("glass", numbers())
    given: dict[str, Any] = {}
    real = experiment.evaluate_halves

    def spying(halves: Halves, design: Design, **options: Any) -> Any:
        is_numeric = [column.domain.is_numeric for column in halves.quasi]
        given.update(discretize=design.discretize, is_numeric=is_numeric)
        return real(halves, design, **options)

    monkeypatch.setattr(experiment, "evaluate_halves", spying)
    request = Request(learners=["nb"], as_published=as_published)
    found = measure(request, "a command", ["kactus"], {"glass": (5,)})
    assert given["discretize"] is not as_published
    assert given["is_numeric"] == [not as_published] * 9
    assert found.as_published is as_published


def test_the_leaking_protocol_is_labelled_and_gives_other_numbers(put: Put, tmp_path: Path) -> None:
    put("glass", numbers())
    given = ["kactus-table2", "--data", "glass", "--ks", "5", "--learners", "c45", "--jobs", "1"]
    honest, _ = made(tmp_path / "honest", *given)
    leaking, recorded = made(tmp_path / "leaking", *given, "--as-published")
    assert recorded["as_published"] is True
    assert {path.name for path in (tmp_path / "leaking").iterdir()} == {
        f"kactus-table2-as-published.{ending}" for ending in ("md", "json", "svg")
    }
    assert "which leaks" in leaking
    assert "--as-published`; do not edit" in leaking
    assert "Without leaks" in honest
    assert "which leaks" not in honest
    for k in ("1", "5"):
        assert cells(honest)["glass", "c45", k] != cells(leaking)["glass", "c45", k]
    # The note that a reader of this data set needs is there, and no other.
    assert SETTINGS["glass"].note in honest
    assert SETTINGS["vehicle"].note not in honest


def test_without_numbers_there_is_nothing_to_leak(tmp_path: Path) -> None:
    given = ["kactus-table2", "--data", "tic_tac_toe", "--ks", "5", "--learners", "nb", "--jobs", "1"]
    honest, first = made(tmp_path / "honest", *given)
    leaking, second = made(tmp_path / "leaking", *given, "--as-published")
    assert cells(honest) == cells(leaking)
    assert first["data"]["tic_tac_toe"]["folds"] == second["data"]["tic_tac_toe"]["folds"]
    assert (first["as_published"], second["as_published"]) == (False, True)


# The tables


def test_kactus_table_2_prints_what_the_json_holds(tmp_path: Path) -> None:
    given = ["kactus-table2", "--data", "tic_tac_toe", "--ks", "5", "--learners", "nb"]
    text, recorded = made(tmp_path / "made", *given, "--jobs", "1")
    assert {path.name for path in (tmp_path / "made").iterdir()} == {
        f"kactus-table2.{ending}" for ending in ("md", "json", "svg")
    }
    command = "kanopy reproduce kactus-table2 --data tic_tac_toe --learners nb --ks 5"
    assert recorded["command"] == command
    assert f"`{command}`" in text
    assert str(tmp_path) not in text
    found = recorded["data"]["tic_tac_toe"]
    (score,) = found["scores"]
    original, released = found["folds"]
    assert (original["method"], original["k"], original["learner"]) == ("original", None, "nb")
    assert (released["method"], released["k"], released["learner"]) == ("kactus", 5, "nb")
    assert np.mean(released["accuracy"]) == pytest.approx(score["accuracy"])
    assert np.mean(released["accuracy_recoded"]) == pytest.approx(score["accuracy_recoded"])
    assert np.mean(original["accuracy"]) == pytest.approx(score["original"])
    assert set(cells(text)) == {("tic_tac_toe", "nb", "1"), ("tic_tac_toe", "nb", "5")}
    for k, folds, recoded in (
        (1, original, ""),
        (5, released, f"{100 * score['accuracy_recoded']:.2f}"),
    ):
        percent = 100 * np.array(folds["accuracy"])
        assert percent.shape == (5, 2)
        paper = published.accuracy("tic_tac_toe", "nb", k)
        assert paper is not None
        off = percent.mean() - paper.mean
        assert cells(text)["tic_tac_toe", "nb", str(k)] == [
            recoded,
            f"{percent.mean():.2f} ± {percent.std(ddof=1):.2f}",
            f"{paper.mean:.2f} ± {paper.deviation:.2f}",
            f"{off:+.2f}".replace("-", "−"),
            "✓" if abs(off) <= paper.deviation else "≠",
        ]
    n_agree = sum(line[-1] == "✓" for line in cells(text).values())
    assert f"- {n_agree} of 2 agree;" in text


def test_kactus_2_table_1_prints_areas_and_what_they_stand_for(tmp_path: Path) -> None:
    """With the ks of the paper, its areas are beside ours; with others nothing is."""
    text, recorded = made(tmp_path / "paper", "kactus2-table1", *PAIR)
    ks = published.area_ks("tic_tac_toe")
    found = recorded["data"]["tic_tac_toe"]
    assert {one["k"] for one in found["folds"]} == {None, *ks}
    assert [line[2] for line in cells(text)] == ["kactus", "kactus2"]
    for area in found["areas"]:
        mine = cells(text)["tic_tac_toe", "nb", area["method"]]
        paper = published.area("tic_tac_toe", "nb", area["method"])
        assert paper is not None
        width = ks[-1] - ks[0]
        means = [100 * one["accuracy"] for one in found["scores"] if one["method"] == area["method"]]
        assert area["area"] == pytest.approx(np.trapezoid(means, ks))
        mine_of = [one for one in found["scores"] if one["method"] == area["method"]]
        recoded = [100 * one["accuracy_recoded"] for one in mine_of]
        assert mine[:6] == [
            f"{area['area']:,.1f}",
            f"{paper:,.1f}",
            f"{area['area'] / width:.2f}",
            f"{np.trapezoid(recoded, ks) / width:.2f}",
            f"{area['area'] / width:.2f}",
            f"{paper / width:.2f}",
        ]
        assert mine[7] == ("✓" if abs(area["area"] - paper) <= width else "≠")
    text, recorded = made(tmp_path / "others", "kactus2-table1", *PAIR, "--ks", "30,5")
    assert {one["k"] for one in recorded["data"]["tic_tac_toe"]["folds"]} == {None, 5, 30}
    for area in recorded["data"]["tic_tac_toe"]["areas"]:
        mine = cells(text)["tic_tac_toe", "nb", area["method"]]
        assert mine[:2] == [f"{area['area']:,.1f}", ""]
        assert mine[4:] == [f"{area['area'] / 25:.2f}", "", "", ""]
    assert "agree;" not in text


@pytest.mark.usefixtures("few_folds")
def test_kactus_2_table_2_compares_shares_of_all_cells(tmp_path: Path) -> None:
    text, recorded = made(tmp_path, "kactus2-table2", *PAIR, "--ks", "5,7")
    scores = recorded["data"]["tic_tac_toe"]["scores"]
    assert len(scores) == len(cells(text)) == 4
    for score in scores:
        line = cells(text)["tic_tac_toe", score["method"], str(score["k"])]
        of_quasi, of_all, telling, ours, paper, off, mark = line
        assert of_quasi == f"{score['suppressed']:.3f}"
        share = 0.9 * score["suppressed"]  # nine of ten columns are quasi-identifiers
        assert ours == of_all == telling == f"{share:.3f}"  # no column has a single value
        told = published.missing_ratio("tic_tac_toe", score["k"], score["method"])
        assert (told is None) == (score["k"] == 7)
        if told is None:
            assert [paper, off, mark] == ["", "", ""]
        else:
            assert paper == f"{told:.2f}"
            assert mark == ("✓" if abs(share - told) <= 0.03 else "≠")
    assert not re.search(r" $", text, re.MULTILINE)


@pytest.mark.usefixtures("few_folds")
def test_a_table_that_cannot_be_released_leaves_a_gap(tmp_path: Path) -> None:
    """Half of 958 rows are fewer than 600: what was measured without a release stays."""
    given = ["--data", "tic_tac_toe", "--learners", "nb", "--jobs", "1", "--ks", "600"]
    text, recorded = made(tmp_path / "first", "kactus-table2", *given)
    assert set(cells(text)) == {("tic_tac_toe", "nb", "1")}
    assert recorded["data"]["tic_tac_toe"]["folds"][1]["accuracy"] is None
    text, _ = made(tmp_path / "second", "kactus2-table2", *given, "--methods", "kactus")
    assert cells(text) == {}
    assert (tmp_path / "second" / "kactus2-table2.svg").stat().st_size > 0


# What is refused, before any work


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["kactus-table2", "--data", "tic_tac_toe,glas"], "no data set is called 'glas'"),
        (["kactus-table2", "--learners", "id3"], "no learner like 'id3'"),
        (["kactus-table2", "--learners", "nb,nb"], "named twice"),
        (["kactus-table2", "--learners", "nothing"], "nothing"),
        (["kactus-table2", "--data", "tic_tac_toe", "--ks", "5,1"], "at least 2"),
        (["kactus2-table1", "--data", "tic_tac_toe", "--ks", "5,5"], "single k"),
        (["kactus2-table2", "--data", "tic_tac_toe", "--methods", "kactu"], "kactu"),
    ],
)
def test_a_wrong_request_does_no_work(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_arguments: Any, **_options: Any) -> Any:
        raise AssertionError("nothing should be measured")

    monkeypatch.setattr(experiment, "evaluate_halves", work)
    done = kanopy("reproduce", *arguments, "--jobs", "1")
    assert (done.code, done.out) == (PolicyError.exit_code, "")
    assert said in done.err


def test_the_usual_ks_are_those_of_the_first_paper() -> None:
    assert (1, *KS) == published.ACCURACY_KS
