"""Progress with the time that is left, in terminals and notebooks."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

import kanopy
from kanopy import _time_left
from kanopy._time_left import TimeLeft, in_words
from kanopy.engines import watching

TABLE = pa.table({"age": ["1", "1", "2", "2"] * 30, "class": ["y", "n"] * 60})
POLICY = kanopy.Policy(quasi_identifiers=["age"], target="class", k=2)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in (_time_left, watching):
        monkeypatch.setattr(module, "time", made)
    return made


def test_left_is_what_the_beginning_foretells(clock: Clock) -> None:
    left = TimeLeft()
    said = []
    for seconds, share in ((0, 0.0), (0.5, 0.1), (10, 0.25), (20, 0.5), (39, 1.0)):
        clock.now = 100 + seconds
        said.append(left("mondrian", share))
    assert said == ["", "", "30 s left", "20 s left", ""]


def test_a_new_step_begins_anew(clock: Clock) -> None:
    left = TimeLeft()
    left("reading", None)
    left("mondrian", 0.5)
    clock.now += 10
    assert left("mondrian", 0.75) == "10 s left"
    assert left("recounting", None) == ""
    assert left("writing", 0.9) == ""


def test_words() -> None:
    assert [in_words(seconds) for seconds in (3.4, 89, 600, 9000)] == ["3 s", "89 s", "10 min", "2.5 h"]


class FakeLine:
    def __init__(self, shown: Any) -> None:
        self.lines = [shown]

    def update(self, shown: Any) -> None:
        self.lines.append(shown)


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[FakeLine]:
    """Outputs of a notebook that is none; every call of the clock takes a second."""
    made: list[FakeLine] = []

    def display(shown: Any, *, display_id: bool) -> FakeLine:
        assert display_id
        made.append(FakeLine(shown))
        return made[-1]

    shell = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=object()))
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(HTML=str, display=display))
    return made


def test_a_notebook_has_one_line_that_is_updated(lines: list[FakeLine], clock: Clock) -> None:
    with watching.NotebookProgress() as watch:
        for step in range(6):
            watch("<mondrian>", step / 10)
            clock.now += 2
    (line,) = lines
    assert "&lt;mondrian&gt; …" in line.lines[0]
    assert "50%, 10 s left" in line.lines[-2]
    assert "done after 12 s" in line.lines[-1]


def test_what_is_quick_shows_nothing(lines: list[FakeLine], clock: Clock) -> None:
    kanopy.anonymize(TABLE, POLICY)
    assert lines == []


def test_a_failure_ends_the_line(lines: list[FakeLine], clock: Clock) -> None:
    with watching.NotebookProgress() as watch:
        clock.now += 1
        watch("mondrian", 0.5)
        watch.__exit__(ValueError)
        watching._shown.append(watch)
    assert "stopped after 1 s" in lines[0].lines[-2]
    assert not watching._shown


@pytest.mark.usefixtures("few_folds")
def test_only_the_outermost_run_shows_one(lines: list[FakeLine], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_PATIENCE", -1.0)
    monkeypatch.setattr(watching, "_AT_MOST_EVERY", -1.0)
    kanopy.evaluate(TABLE, POLICY, methods=["mondrian"], learners=["nb"], jobs=1)
    assert len(lines) == 1
    assert "evaluating" in lines[0].lines[-2]


def test_whoever_watches_sees_it_alone(lines: list[FakeLine], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_PATIENCE", -1.0)
    seen: list[str] = []
    kanopy.anonymize(TABLE, POLICY, watch=lambda stage, _share: seen.append(stage))
    assert lines == []
    assert "reading" in seen


def test_no_notebook_without_ipython() -> None:
    assert not watching.in_notebook()
