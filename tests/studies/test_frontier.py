"""The study of losses and excess: everything that was measured is printed, and what was not is said."""

from __future__ import annotations

import json
from itertools import product
from statistics import mean
from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest
from effort import few_folds

from kanopy_studies import Request, frontier, settings
from kanopy_studies.datasets import describe
from kanopy_studies.frontier import DATA, LEARNERS, METHODS

N_ROWS = 72
METHOD_NAMES, KS = ("sketch", "sketch:spread=0", "mondrian"), (8,)
LEARNER_NAMES = ("nb", "part")  # one of each batch


@pytest.fixture(scope="module")
def made(hasty_sketch: None) -> tuple[str, dict[str, Any]]:
    """The page and the figures of a small table under the name of a known one."""
    pytest.importorskip("sklearn")
    known = describe("pima")
    rng = np.random.default_rng(4)
    classes = rng.integers(0, 2, N_ROWS)
    columns = {
        name: [f"{value:.1f}" for value in classes + rng.normal(scale=1 + place, size=N_ROWS)]
        for place, name in enumerate(known.columns)
        if name != known.target
    }
    whole = pa.table({**columns, known.target: [str(number) for number in classes]})
    with mock.patch.object(frontier, "load", return_value=whole), few_folds():
        page = frontier.frontier(Request(list(LEARNER_NAMES), ["pima"], list(KS), list(METHOD_NAMES)))
    return "\n\n".join(page.parts), json.loads(page.numbers)


def test_every_place_is_there_with_what_it_lost_and_told(made: tuple[str, dict[str, Any]]) -> None:
    text, numbers = made
    places = numbers["places"]
    assert [(place["method"], place["k"]) for place in places] == list(product(METHOD_NAMES, KS))
    for place in places:
        assert place["loss"].keys() == place["auc"].keys() == set(LEARNER_NAMES)
        for figure, low, high in (*place["loss"].values(), *place["auc"].values(), place["excess"]):
            assert low <= figure <= high
            assert f"{figure:.1f} ({low:.1f} to {high:.1f})" in text
    for method in METHOD_NAMES:
        some = [place for place in places if place["method"] == method]
        lost = mean(mean(loss[0] for loss in place["loss"].values()) for place in some)
        assert f"{lost:.2f} | {mean(place['excess'][0] for place in some):.2f} |" in text


def test_where_it_tells_more_is_not_hidden(made: tuple[str, dict[str, Any]]) -> None:
    text, numbers = made
    told = {(place["method"], place["k"]): place["excess"][0] for place in numbers["places"]}
    n_more = sum(told["sketch", k] > told["mondrian", k] for k in KS)
    assert f"In {n_more} of {len(KS)} places." in text


def test_what_was_not_measured_is_said(made: tuple[str, dict[str, Any]]) -> None:
    text, _ = made
    for absent in (*DATA[1:], *METHODS[3:], *set(LEARNERS) - set(LEARNER_NAMES)):
        assert absent in text.partition("**Not measured here:**")[2].partition("##")[0]
    assert "k = 5, 10, 15, 20, 30" in text
    assert settings.KS == (5, 10, 15, 20, 30)
