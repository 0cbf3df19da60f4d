"""The report on an evaluation: accuracy against k, method against method, what could not be measured."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from report_tables import Comparison, FakeEvaluation, Score, evaluation

import kanopy
from kanopy.errors import PolicyError
from kanopy.reporting import EvaluationSummary, render
from kanopy.reporting.evaluation_report import Accuracy


def test_accuracies_are_rounded() -> None:
    summary = EvaluationSummary.of(evaluation())
    assert summary.scores[0].accuracy == Accuracy(0.812, 0.8, 0.82)
    assert summary.references[0].original.value == 0.85
    assert "0.81234567" not in render(evaluation(), ".json")


def test_refused_scores_have_no_figures() -> None:
    summary = EvaluationSummary.of(evaluation())
    assert summary.scores[-1].accuracy == Accuracy(None, None, None)
    assert "mondrian at k = 50: the promise cannot be kept" in render(evaluation(), ".md")
    assert "Not every release" not in render(evaluation(refused=None), ".md")


def test_one_picture_per_learner_and_reading_with_a_line_per_method() -> None:
    text = render(evaluation(), ".html")
    pictures = re.findall(r'<svg viewBox="0 0 760.*?</svg>', text)
    assert len(pictures) == 4
    for picture in pictures:
        assert picture.count('class="line s0"') == picture.count('class="line s1"') == 1
        assert picture.count('class="reference"') == 2
        assert "original 85.0%" in picture
        assert "majority 75.0%" in picture
        assert re.search(r"<title id=\"t\d\">.+</title><desc id=\"d\d\">.+</desc>", picture)
    # One method lacks one k under one learner, in both readings.
    assert [len(re.findall('class="marker', picture)) for picture in pictures] == [4, 4, 3, 3]
    assert [len(re.findall('class="whisker', picture)) for picture in pictures] == [4, 4, 3, 3]


def test_nothing_recoded_means_one_picture() -> None:
    found = evaluation()
    scores = [replace(score, accuracy_recoded=None) for score in found.scores]
    assert render(replace(found, scores=scores), ".html").count('<svg viewBox="0 0 760') == 2


def test_the_better_method_is_named() -> None:
    found = evaluation()
    lines = [
        Comparison("c45", 5, "kactus", "mondrian", 0.01, 5.5, 0.03),
        Comparison("c45", 50, "kactus", "mondrian", -0.01, 5.5, 0.03),
        Comparison("nb", 5, "kactus", "mondrian", 0.01, 1.5, 0.05),
        Comparison("nb", 50, "kactus", "mondrian", 0.0, math.nan, math.nan),
        Comparison("nb", 50, "kactus", "mondrian", 0.01, math.inf, 0.0),
    ]
    text = render(replace(found, comparisons=lines), ".md")
    rows = [line for line in text.splitlines() if "| kactus | mondrian |" in line]
    assert [line.split(" | ")[-1].strip(" |") for line in rows] == [
        "kactus is better",
        "mondrian is better",
        "no difference shown",
        "no difference shown",
        "kactus is better",
    ]
    json.loads(render(replace(found, comparisons=lines), ".json"))


def test_promises_without_k() -> None:
    found = FakeEvaluation([Score("tdd", None, "c45")], [], ["tdd"], [None], ["c45"])
    for suffix in (".html", ".md", ".json"):
        assert "tdd" in render(found, suffix)


@pytest.mark.parametrize("accuracy", [0.0, 1.0, 0.5])
def test_extreme_accuracies_stay_inside_the_picture(accuracy: float) -> None:
    score = Score(
        "m", 5, "c45", accuracy=accuracy, low=accuracy, high=accuracy, majority=accuracy, original=accuracy,
        accuracy_recoded=None,
    )  # fmt: skip
    text = render(FakeEvaluation([score], [], ["m"], [5], ["c45"]), ".html")
    heights = [float(y) for y in re.findall(r'class="marker s0"/>|y1="([\d.-]+)"', text) if y]
    assert all(0 <= height <= 304 for height in heights)


def test_nothing_measured() -> None:
    found = FakeEvaluation([], [], [], [], ["c45"])
    assert "Nothing could be measured." in render(found, ".md")
    assert render(found, ".html")


def test_same_evaluation_same_bytes(tmp_path: Path) -> None:
    for suffix in ("html", "md", "json"):
        paths = [kanopy.report(evaluation(), tmp_path / f"{number}.{suffix}") for number in range(2)]
        assert paths[0].read_bytes() == paths[1].read_bytes()


def test_something_else() -> None:
    with pytest.raises(PolicyError, match="no report can be made of int"):
        render(3, ".html")
