"""The report on an evaluation: accuracy against k, method against method, what could not be measured."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from report_tables import Comparison, FakeEvaluation, Score, evaluation

import kanopy
from kanopy.errors import PolicyError
from kanopy.reporting import EvaluationSummary, render
from kanopy.reporting.evaluation_summary import Measured


def test_accuracies_are_rounded() -> None:
    summary = EvaluationSummary.of(evaluation())
    assert summary.scores[0].accuracy == Measured(0.812, 0.8, 0.82)
    assert summary.references[0].original.value == 0.85
    text = render(evaluation(), ".json")
    for exact in ("0.81234567", "0.71234567", "0.51234567", "0.03456789", "0.11234567", "0.234567"):
        assert exact not in text


def test_refused_scores_have_no_figures() -> None:
    summary = EvaluationSummary.of(evaluation())
    assert summary.scores[-1].accuracy == Measured(None, None, None)
    assert "mondrian at k = 50: the promise cannot be kept" in render(evaluation(), ".md")
    assert "Not every release" not in render(evaluation(refused=None), ".md")


def test_one_picture_per_learner_and_reading_with_a_line_per_method() -> None:
    text = render(evaluation(), ".html")
    pictures = re.findall(r'<svg viewBox="0 0 760.*?</svg>', text)[2:]
    assert len(pictures) == 4
    for picture in pictures:
        assert picture.count('class="line s0"') == picture.count('class="line s1"') == 1
        assert picture.count('class="reference"') == 2
        assert "original 85.0%" in picture
        assert "majority 75.0%" in picture
        assert re.search(r"<title id=\"t\d+\">.+</title><desc id=\"d\d+\">.+</desc>", picture)
    # One method lacks one k under one learner, in both readings.
    assert [len(re.findall('class="marker', picture)) for picture in pictures] == [4, 4, 3, 3]
    assert [len(re.findall('class="whisker', picture)) for picture in pictures] == [4, 4, 3, 3]


def test_nothing_recoded_means_one_picture() -> None:
    found = evaluation()
    scores = [replace(score, accuracy_recoded=None) for score in found.scores]
    assert render(replace(found, scores=scores), ".html").count("<figcaption>Accuracy on ") == 2


def test_the_first_pictures_are_privacy_against_usefulness() -> None:
    found = evaluation()
    scores = [replace(score, better_than_guessing=score.method == "kactus") for score in found.scores]
    text = render(replace(found, scores=scores), ".html")
    first, second = re.findall(r'<svg viewBox="0 0 760.*?</svg>', text)[:2]
    assert "Privacy against usefulness, c45" in first
    assert "Privacy against usefulness, nb" in second
    for picture, n_spots in ((first, 4), (second, 3)):  # one was refused
        assert len(re.findall('class="marker', picture)) == n_spots
        assert picture.count('class="marker s0"') == 2
        assert picture.count('class="marker hollow s1"') == n_spots - 2
        assert picture.count("23% lost") == n_spots
        assert "more private" in picture
        assert "majority 75.0%" in picture
    assert "<span>" in text
    assert "kactus, 23% lost</span>" in text


def test_what_is_lost_stands_in_every_table() -> None:
    text = render(evaluation(), ".md")
    headers = [line for line, below in pairwise(text.splitlines()) if re.fullmatch(r"\|[|:-]+", below)]
    assert len(headers) == 2 + 1 + 2 * 2 + 1
    assert all("lost" in header for header in headers)


def test_spots_stay_inside_and_labels_apart() -> None:
    """Twelve points on one place, with the longest intervals there can be."""
    scores = [
        Score(f"m{number}", 5, "c45", excess=0.0, excess_low=-1.0, excess_high=1.0, low=0.0, high=1.0)
        for number in range(12)
    ]
    found = FakeEvaluation(scores, [], [score.method for score in scores], [5], ["c45"])
    picture = re.findall(r'<svg viewBox="0 0 760.*?</svg>', render(found, ".html"))[0]
    places = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" class="tick named s\d">k=5', picture)
    assert len(set(places)) == 12
    numbers = [float(number) for number in re.findall(r"[MV H](\d+(?:\.\d)?)\b", picture)]
    assert all(0 <= number <= 760 for number in numbers)


def test_conclusions_are_those_of_the_evaluation_and_json_has_no_infinity() -> None:
    found = evaluation()
    lines = [
        Comparison("c45", 5, "kactus", "mondrian", conclusion="both are no better than guessing"),
        Comparison("nb", 50, "kactus", "mondrian", 0.0, math.nan, math.nan, "tie: no difference shown"),
        Comparison("nb", 50, "kactus", "mondrian", 0.01, math.inf, 0.0),
    ]
    text = render(replace(found, comparisons=lines), ".md")
    rows = [line for line in text.splitlines() if "| kactus | mondrian |" in line]
    assert [line.split(" | ")[-1].strip(" |") for line in rows] == [line.conclusion for line in lines]
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
    assert all(0 <= height <= 412 for height in heights)


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
