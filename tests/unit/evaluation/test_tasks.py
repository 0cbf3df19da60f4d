"""Clusters and rules of releases: figures that are 1 where nothing is lost, and near 0 where all is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from threadpoolctl import threadpool_limits

import kanopy
from kanopy.cli.main import main
from kanopy.datasets import patients
from kanopy.errors import InputError, PolicyError
from kanopy.evaluation import tasks
from kanopy.evaluation.association import Associations
from kanopy.evaluation.clusters import Clusters
from kanopy.evaluation.measures import Original
from kanopy.evaluation.tasks import (
    SUPPRESSED,
    Repeated,
    TaskEvaluation,
    TaskScore,
    evaluate_task,
    find_task,
)
from kanopy.reporting import render

POLICY = kanopy.Policy(
    quasi_identifiers=["age", "sex", "smoker", "bmi"],
    target="readmitted",
    keep=["admission_type"],
    identifiers=["patient_id", "name", "zip", "diagnosis", "length_of_stay"],
    k=5,
)


@pytest.fixture(autouse=True, scope="module")
def _small() -> Iterator[None]:
    """Fewer repetitions, and one thread as in the runner: threads of k-means wait for each other."""
    with threadpool_limits(limits=1), patch.object(tasks, "N_REPETITIONS", 2):
        yield


def heaps(n_rows: int = 120) -> Original:
    """Three kinds of people, far from each other in number and in word."""
    rng = np.random.default_rng(0)
    kind = np.arange(n_rows) % 3
    age = (20 + 30 * kind + rng.integers(0, 4, n_rows)).astype(str)
    rows = pa.table(
        {"age": age, "job": np.array(["cook", "nurse", "smith"])[kind], "class": kind.astype(str)}
    )
    return Original(rows, rows, ["age", "job"], "class", None)


@pytest.fixture(scope="module")
def found() -> dict[str, TaskEvaluation]:
    table = patients(150, seed=3)
    request = {"methods": ["mondrian"], "ks": [5, 50], "jobs": 1}
    return {task: evaluate_task(table, POLICY, task, **request) for task in ("cluster", "rules")}


def test_clusters_of_the_same_table_are_the_same() -> None:
    original, task = heaps(), Clusters(3)
    assert task.compared(original, original.rows, {}, 0) == {"rand": 1.0}
    assert task.yardsticks(original, 0) == {
        "original, two seeds": {"rand": 1.0}, "original, two halves": {"rand": 1.0},
    }  # fmt: skip


def test_clusters_of_cells_that_say_enough() -> None:
    """Every range and set lies inside one heap: its clusters are those of the original."""
    original = heaps()
    place = np.arange(original.rows.num_rows) % 3
    ranges = np.array(["[20, 23]", "[50, 53]", "[80, 83]"])[place]
    published = pa.table({"age": ranges, "job": ["{cook, nurse, smith}"] * len(place), "class": place})
    assert Clusters(3).compared(original, published, {}, 0) == {"rand": 1.0}


@pytest.mark.parametrize("task", [Clusters(3), Associations()])
def test_what_says_nothing_finds_nothing(task: Clusters | Associations) -> None:
    original = heaps()
    told = task.compared(original, original.suppressed, {}, 0)
    assert told.get("rand", 0.0) == pytest.approx(0, abs=0.05)
    assert told.get("recall", 0.0) == 0
    assert task.compared(original, original.rows.slice(0, 0), {}, 0)[task.measures[0]] is None


def test_rules_of_the_same_table_are_the_same() -> None:
    original = heaps()
    told = Associations().compared(original, original.rows, {}, 0)
    assert told["found"]
    assert told["found"] > 6
    assert told | {"found": 0} == {"precision": 1, "recall": 1, "f1": 1, "support_error": 0, "found": 0}


def test_bins_are_those_of_the_original() -> None:
    """A range that lies in one bin is as good as the numbers in it."""
    ages = np.repeat(np.arange(10, 60), 4)
    rows = pa.table({"age": ages.astype(str), "old": np.where(ages < 30, "no", "yes")})
    ranges = [f"[{age // 10 * 10}, {age // 10 * 10 + 9}]" for age in ages.tolist()]
    original = Original(rows, rows, ["age"], None, None)
    told = Associations(bins=5).compared(original, rows.set_column(0, "age", [ranges]), {}, 0)
    assert (told["f1"], told["support_error"]) == (1, pytest.approx(0))


def test_missing_is_no_item() -> None:
    rows = pa.table({"x": ["a", None, "a", None], "y": ["b", "b", "b", "c"]})
    original = Original(rows, rows, ["x", "y"], None, None)
    told = Associations(support=0.5, confidence=1.0).compared(original, rows, {}, 0)
    assert told["found"] == 1  # a -> b alone: b is in three rows of which two have a


def test_methods_ks_and_yardsticks(found: dict[str, TaskEvaluation]) -> None:
    for task, evaluation in found.items():
        assert [(score.method, score.k) for score in evaluation.scores] == [("mondrian", 5), ("mondrian", 50)]
        labels = [score.method for score in evaluation.yardsticks]
        assert "original, two halves" in labels
        assert SUPPRESSED in labels
        measure = "rand" if task == "cluster" else "f1"
        fine, coarse = (score.measures[measure].mean for score in evaluation.scores)
        (nothing,) = (score for score in evaluation.yardsticks if score.method == SUPPRESSED)
        assert fine > coarse
        assert fine > nothing.measures[measure].mean
        assert 0 < evaluation.scores[0].gcp < evaluation.scores[1].gcp


def test_the_same_seed_gives_the_same_figures(found: dict[str, TaskEvaluation]) -> None:
    again = evaluate_task(patients(150, seed=3), POLICY, "rules", methods=["mondrian"], ks=[5, 50], jobs=1)
    assert again.to_dict() == found["rules"].to_dict()


def test_what_is_told_is_round_and_shows_no_value(found: dict[str, TaskEvaluation]) -> None:
    for evaluation in found.values():
        told = evaluation.told()
        for score in told["scores"]:
            figures = [value for one in score["measures"].values() if one for value in one.values()]
            assert all(round(value, 3) == value for value in figures)
            assert round(score["gcp"], 2) == score["gcp"]
        assert "emergency" not in json.dumps(told)


def test_a_release_that_says_nothing_is_never_praised() -> None:
    measured = {"rand": Repeated(0.2, 0.1, 0.3)}
    said = {"rand": Repeated(0.5, 0.4, 0.6)}
    scores = [TaskScore("empty", 5, measured), TaskScore("full", 5, said)]
    evaluation = TaskEvaluation("cluster", {}, scores, [TaskScore(SUPPRESSED, None, measured)], 100, "")
    assert evaluation.of_no_use == ["empty at k = 5"]
    assert "- empty at k = 5" in render(evaluation, ".md")
    assert json.loads(render(evaluation, ".json"))["found"]["of_no_use"] == ["empty at k = 5"]
    assert "full" in render(evaluation, ".html")


def test_no_class_is_needed() -> None:
    policy = kanopy.Policy(quasi_identifiers=["age", "sex"], identifiers=["patient_id", "name"], k=5)
    table = patients(60, seed=1).select(["age", "sex", "patient_id", "name"])
    evaluation = evaluate_task(table, policy, "cluster:clusters=2", jobs=1)
    assert evaluation.settings == {"clusters": 2}
    assert evaluation.scores[0].k == 5


@pytest.mark.parametrize(
    "text", ["clusters", "cluster:clusters=1", "cluster:clusters=2.5", "cluster:size=3", "rules:support=2",
             "rules:confidence=much", "rules:support"],
)  # fmt: skip
def test_tasks_that_do_not_exist(text: str) -> None:
    with pytest.raises(PolicyError):
        find_task(text)


def test_more_clusters_than_rows() -> None:
    with pytest.raises(InputError, match="clusters"):
        evaluate_task(patients(60), POLICY, "cluster:clusters=31", jobs=1)


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    path = tmp_path / "patients.csv"
    pyarrow.csv.write_csv(patients(60, seed=3).select(["age", "sex", "readmitted"]), path)
    return ["evaluate", str(path), "--quasi", "age,sex", "--target", "readmitted", "--k", "5", "--jobs", "1"]


def test_the_command_prints_a_table(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--task", "rules:support=0.2", "--ks", "5,20"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].split("  ")[0] == "method"
    assert "support error" in out[0]
    assert [line.split()[:2] for line in out[1:3]] == [["mondrian", "5"], ["mondrian", "20"]]
    assert out[3].startswith("original, two halves")
    assert "repetitions" in out[-1]


def test_the_command_writes_json_and_a_report(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.md"
    assert main([*command, "--task", "cluster:clusters=2", "--json", "--report", str(report)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["task"], told["settings"]) == ("cluster", {"clusters": 2})
    text = report.read_text()
    assert "| mondrian | 5 |" in text
    assert f"| {SUPPRESSED} |" in text


@pytest.mark.parametrize(
    ("given", "exit_code"),
    [
        (["--task", "nothing"], 2),
        (["--task", "rules", "--journal", "run.jsonl"], 2),
        (["--task", "rules", "--permute-classes"], 2),
        (["--task", "rules", "--ks", "61"], 4),
    ],
)
def test_exit_codes(command: list[str], given: list[str], exit_code: int) -> None:
    assert main([*command, *given]) == exit_code
