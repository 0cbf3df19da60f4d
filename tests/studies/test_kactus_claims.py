"""What the papers on kACTUS claim is counted as they did: trees, recoded rows, cases, crossings, ranks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import kanopy
from kanopy.algorithms import find_method
from kanopy.errors import PolicyError, ResourceError
from kanopy.evaluation.significance import combined_f_test
from kanopy_studies import (
    Request,
    experiment,
    find_experiment,
    kactus,
    kactus2_claims,
    kactus_wins,
    published_kactus,
)
from kanopy_studies.datasets import load
from kanopy_studies.filled_logistic import FilledLogistic
from kanopy_studies.kactus import _shares, one_bin_columns
from kanopy_studies.kactus2_claims import Curves, holds, published_areas, rank_tests, wins
from kanopy_studies.kactus_run import measure
from kanopy_studies.paper_options import PAPER_OPTIONS, paper_contenders, paper_options
from kanopy_studies.published_claims import ABOVE, AREA_BEST, AREA_WINS, CROSSINGS, TABLE3, TABLE4, Above
from kanopy_studies.published_kactus import COMPARED, area_ks
from kanopy_studies.settings import IN_TREES, TREES, halves_of, with_leaking_bins

Put = Callable[..., None]


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree of two branches for every categorical column of the likeness."""
    halves = halves_of("adult", 2)
    folder = tmp_path / TREES
    folder.mkdir(parents=True)
    for column in halves.quasi:
        if column.domain.name in IN_TREES:
            lines = [f"{label};{place % 2};*" for place, label in enumerate(column.domain.labels)]
            (folder / f"{column.domain.name}.csv").write_text("\n".join(lines) + "\n", "utf-8")
    monkeypatch.setenv("KANOPY_DATA", str(tmp_path))


# Options


@pytest.mark.parametrize("method", PAPER_OPTIONS)
def test_every_option_is_written_out_so_that_no_default_moves_a_table(method: str) -> None:
    assert set(PAPER_OPTIONS[method]) == set(find_method(method).options)
    assert paper_options(method) == PAPER_OPTIONS[method]
    assert set(COMPARED) <= set(PAPER_OPTIONS)


def test_options_that_are_named_go_before_those_of_the_paper() -> None:
    policy = kanopy.Policy(quasi_identifiers=["a"], target="b", k=2)
    (found,) = paper_contenders(["tdr:trees=one-level"], policy)
    assert found.label == "tdr:trees=one-level"
    assert found.options == {**PAPER_OPTIONS["tdr"], "trees": "one-level"}


# Trees of values and recoded rows


@pytest.mark.usefixtures("likeness", "trees", "few_folds")
def test_only_some_methods_have_trees_and_only_some_are_judged_on_recoded_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[tuple[str, ...]] = []
    real = experiment.evaluate_halves

    def spying(halves: Any, design: Any, **options: Any) -> Any:
        given.append(tuple(halves.policy.hierarchies))
        return real(halves, design, **options)

    monkeypatch.setattr(experiment, "evaluate_halves", spying)
    request = Request(learners=["nb"])
    run = measure(request, "a command", ["tds", "kactus"], {"adult8": (5, 9)})
    in_eight = tuple(name for name in halves_of("adult8", 5).inputs.column_names if name in IN_TREES)
    of_eight = {"workclass", "occupation", "sex", "native-country"}
    assert set(in_eight) > of_eight
    assert [set(names) for names in given] == [set(), of_eight, set()]  # original, tds, kactus
    found = run.evaluations["adult8"]
    for method, recoded in (("tds", True), ("kactus", False)):
        judged = run.folds("adult8", method, 5, "nb")
        assert judged is not None
        assert np.array_equal(judged, found.folds(method, 5, "nb", recoded=recoded))  # type: ignore[arg-type]
        means = [run.accuracy("adult8", method, k, "nb") for k in (5, 9)]
        assert run.area("adult8", method, "nb") == pytest.approx(2 * sum(one.mean for one in means if one))


@pytest.mark.usefixtures("likeness")
def test_without_the_folder_of_trees_nothing_else_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KANOPY_DATA", raising=False)
    with pytest.raises(ResourceError, match=r"hierarchies/adult/tds/\S+\.csv is not there"):
        measure(Request(learners=["nb"]), "a command", ["kadet"], {"adult8": (5,)})


# Missing cells


def test_columns_with_one_bin_are_suppressed_by_all_and_do_not_count(put: Put) -> None:
    rng = np.random.default_rng(3)
    classes = rng.integers(0, 3, 160)
    names = (
        "refractive-index", "sodium", "magnesium", "aluminum", "silicon", "potassium", "calcium", "barium",
        "iron",
    )  # fmt: skip
    noise = (0.3, 0.6, *[50.0] * 7)
    columns = {
        name: [f"{value:.2f}" for value in classes + rng.normal(scale=scale, size=160)]
        for name, scale in zip(names, noise, strict=True)
    }
    put("glass", pa.table({**columns, "type": [str(number) for number in classes]}))
    bins = with_leaking_bins(halves_of("glass", 2))
    idle = [column.domain.name for column in bins.quasi if column.domain.n_values <= 1]
    assert one_bin_columns("glass") == len(idle) > 0
    for method in ("tds", "tdr", "kactus", "kactus2"):
        release = kanopy.anonymize(bins.source, bins.policy, method=method, seed=0, **paper_options(method))
        cells = [set(release.frame.column(name).to_pylist()) for name in release.frame.column_names[:-1]]
        assert all(cells[names.index(name)] == {"*"} for name in idle)
        n_missing = sum(release.frame.column(name).to_pylist().count("*") for name in names)
        n_rows = release.frame.num_rows
        of_telling = (n_missing - n_rows * len(idle)) / (n_rows * (10 - len(idle)))
        shares = _shares(n_missing / (9 * n_rows), "glass", len(idle))
        assert shares == pytest.approx((n_missing / (9 * n_rows), n_missing / (10 * n_rows), of_telling))


# Logistic regression with unknown cells filled


def test_unknown_cells_are_filled_with_the_mode_as_another_library_does_it() -> None:
    rng = np.random.default_rng(0)
    values = rng.choice(["a", "b", "c"], (300, 3))
    labels = np.where((values[:, 0] == "a") ^ (rng.random(300) < 0.2), "yes", "no")
    hidden = np.where(rng.random(values.shape) < 0.4, None, values)
    cells = pa.table({f"c{place}": pa.array(hidden[:, place].tolist()) for place in range(3)})
    new = pa.table({f"c{place}": values[:, place].tolist() for place in range(3)})
    fill = SimpleImputer(strategy="most_frequent", missing_values=None)
    twin = make_pipeline(fill, OneHotEncoder(), LogisticRegression(C=1 / 2e-8, max_iter=1000))
    told = twin.fit(hidden, labels).predict(values)
    assert set(told) == {"yes", "no"}
    assert np.array_equal(FilledLogistic().fit(cells, labels).predict(new), told)
    starred = pa.table({name: pa.array(["*" if one is None else one for one in cells[name].to_pylist()])
                        for name in cells.column_names})  # fmt: skip
    assert np.array_equal(FilledLogistic().fit(starred, labels).predict(new), told)


# Cases


@pytest.mark.usefixtures("likeness")
def test_wins_are_counted_as_the_folds_tell_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kactus_wins, "SETS", {"adult8": "8 of 14"})
    monkeypatch.setattr(kactus_wins, "CLAIM_KS", (5, 20))
    files = find_experiment("kactus-table5").run(Request(learners=["nb"], journal=tmp_path))
    text, numbers = files["kactus-table5.md"], files["kactus-table5.json"]
    assert isinstance(text, bytes)
    assert isinstance(numbers, bytes)
    recorded = json.loads(numbers)["data"]["adult8"]["folds"]
    folds = {(one["method"], one["k"], one["learner"]): np.array(one["accuracy"]) for one in recorded}
    marks, ahead = [], []
    for k in (5, 20):
        pair = folds["kactus", k, "nb"], folds["mondrian", k, "nb"]
        ahead.append(100 * float(pair[0].mean() - pair[1].mean()))
        differs = combined_f_test(*pair).rejects()
        marks.append(("+" if ahead[-1] > 0 else "−") if differs else "")
    better, worse = marks.count("+"), marks.count("−")
    document = text.decode()
    assert f"| mondrian | better | all | {better} of 2 | 58 of 72 | {better / 2:.2f} | 0.81 |" in document
    assert f"| mondrian | worse | 8 of 14 | {worse} of 2 |  | {worse / 2:.2f} |" in document
    assert f"| mondrian | ahead, points | all | 2 | 72 | {np.mean(ahead):+.2f} ".replace("-", "−") in document
    assert "The paper says: than all of them." in document
    some = find_experiment("kactus-table5").run(Request(["nb"], ks=[5, 20], journal=tmp_path))
    assert b" of 72 |" not in some["kactus-table5.md"]  # type: ignore[operator]
    with pytest.raises(PolicyError, match="kactus-table5 has no data set 'glass'"):
        find_experiment("kactus-table5").run(Request(data=["glass"]))


def test_the_published_counts_are_those_of_the_text() -> None:
    assert [(one.better, one.worse, one.n_cases, one.ahead) for one in TABLE3] == [
        (51, 1, 72, 3.5), (52, 2, 72, 3.3), (13, 0, 18, 1.9),
    ]  # fmt: skip
    assert [(one.better, one.worse, one.n_cases, one.ahead) for one in TABLE4] == [
        (62, 0, 72, 5.3), (59, 1, 72, 4.3), (None, 0, 18, 3.1),
    ]  # fmt: skip


# Crossings


def test_curves_cross_where_another_one_is_the_upper_one() -> None:
    curves = Curves.at(
        [5, 10, 20], {"a": [80.0, 70.0, 70.0], "b": [75.0, 75.0, 65.0], "c": [10.0, 10.0, 10.0]}
    )
    assert curves.crossings("a", "b") == [8, 16]  # they meet at 7.5 and at 15
    assert curves.crossings("a", "c") == []
    assert holds(curves, Above("x", "a", ("b", "c"), 5, 10)) == (0.5, "5 to 7, 16 to 20")
    assert holds(curves, Above("x", "c", ("a",), 5, 20)) == (0.0, "none")


def test_what_is_said_of_curves_is_said_of_ks_that_were_measured() -> None:
    for said in ABOVE:
        ks = area_ks(said.data)
        assert ks[0] <= said.first <= said.last <= ks[-1]
        assert {said.method, *said.others} <= set(COMPARED)
    for (data, first, second), crossings in CROSSINGS.items():
        assert all(area_ks(data)[0] < k < area_ks(data)[-1] for k in crossings)
        assert {first, second} <= set(COMPARED)


# Ranks


def test_the_published_areas_win_as_the_paper_counts_and_rank_as_computed_apart() -> None:
    paper = published_areas(("adult", "german9", "tic_tac_toe", "glass", "waveform40"))
    counted = {line.series: line.more[0] for line in wins("published", paper)}
    told = {f"kactus2 above {other}": f"{n} of {cases}" for other, (n, cases) in AREA_WINS.items()}
    assert counted == {**told, "kactus2 best": "{} of {}".format(*AREA_BEST)}
    (_, five), (_, four) = rank_tests("published", paper)
    assert five.mean_ranks == pytest.approx((4.2, 4.6, 3.2, 1.8, 1.2))
    assert five.statistic == pytest.approx(27.25)
    assert set(five.against("kactus2").differing) == {"tds", "tdr"}
    assert four.mean_ranks == pytest.approx((2.65, 3.65, 2.0, 1.7))
    assert four.statistic == pytest.approx(15.358, abs=1e-3)
    assert set(four.against("kactus2").differing) == {"tdr"}


@pytest.mark.usefixtures("few_folds")
def test_figures_and_ranks_are_made_of_the_same_evaluation(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("tic_tac_toe", load("tic_tac_toe").slice(560, 130))
    monkeypatch.setattr(published_kactus, "area_ks", lambda _data: (5, 30))
    for module in (kactus, kactus2_claims):
        monkeypatch.setattr(module, "COMPARED", ("kactus", "kactus2"))
    monkeypatch.setattr(kactus2_claims, "AREA_WINS", {"kactus": (13, 20)})
    request = Request(learners=["nb"], data=["tic_tac_toe"], journal=tmp_path)
    ranks = find_experiment("kactus2-ranks").run(request)
    assert len(list(tmp_path.iterdir())) == 3
    figures = find_experiment("kactus2-figures").run(request)
    assert len(list(tmp_path.iterdir())) == 3
    first, second = ranks["kactus2-ranks.json"], figures["kactus2-figures.json"]
    assert isinstance(first, bytes)
    assert isinstance(second, bytes)
    assert json.loads(first)["data"] == json.loads(second)["data"]
    text = figures["kactus2-figures.md"]
    assert isinstance(text, bytes)
    assert "| tic_tac_toe | kactus2 | kactus | " in text.decode()


def test_logistic_as_weka_fills_it_says_the_majority_of_a_table_that_says_nothing() -> None:
    empty = pa.table({"a": ["*"] * 5, "b": ["x"] * 5})
    model = FilledLogistic().fit(empty, np.array(["n", "y", "y", "n", "y"]))
    assert model.predict(pa.table({"a": ["1", "2"], "b": ["x", "z"]})).tolist() == ["y", "y"]
