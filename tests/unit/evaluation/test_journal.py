"""An evaluation that was killed goes on where it stopped, and nowhere else."""

from __future__ import annotations

import json
import shutil
import stat
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from effort import few_folds
from sklearn.tree import DecisionTreeClassifier

from kanopy.errors import InputError, PolicyError, ResourceError
from kanopy.evaluation import evaluate
from kanopy.evaluation.trial import FOLDS, Outcome
from kanopy.policy import Policy

REQUEST: dict[str, Any] = {"methods": ["mondrian"], "ks": [5], "learners": ["nb"], "jobs": 1}


@pytest.fixture(autouse=True, scope="module")
def _small() -> Iterator[None]:
    with few_folds():
        yield


@pytest.fixture(scope="module")
def written(people: pa.Table, policy: Policy, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of a whole evaluation, to look at."""
    path = tmp_path_factory.mktemp("journal") / "run.jsonl"
    evaluate(people, policy, journal=path, **REQUEST)
    return path


@pytest.fixture
def journal(written: Path, tmp_path: Path) -> Path:
    """The same, to do something to."""
    return Path(shutil.copy2(written, tmp_path / "run.jsonl"))


def test_a_killed_evaluation_goes_on(
    people: pa.Table, policy: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = evaluate(people, policy, **REQUEST)
    module = import_module("kanopy.evaluation.evaluate")  # the package has a function of that name
    real, n_runs, n_all = module.run, 0, 2 * len(FOLDS)  # as they are, and released

    def dying(*arguments: Any, **options: Any) -> Outcome:
        nonlocal n_runs
        n_runs += 1
        if n_runs == n_all // 2:
            raise KeyboardInterrupt
        return real(*arguments, **options)

    monkeypatch.setattr(module, "run", dying)
    journal = tmp_path / "run.jsonl"
    with pytest.raises(KeyboardInterrupt):
        evaluate(people, policy, journal=journal, **REQUEST)
    with journal.open("a") as stream:
        stream.write('{"key": [3, 1, "mond')  # cut off in the middle of a line
    n_runs = 100
    again = evaluate(people, policy, journal=journal, **REQUEST)
    assert n_runs == 100 + n_all - (n_all // 2 - 1)
    assert again.to_dict() == whole.to_dict()
    n_runs = 1000
    evaluate(people, policy, journal=journal, **REQUEST)
    assert n_runs == 1000


@pytest.mark.parametrize("changed", ["seed", "ks", "methods", "table", "policy"])
def test_a_journal_of_something_else_is_refused(
    people: pa.Table, policy: Policy, journal: Path, changed: str
) -> None:
    request = dict(REQUEST)
    if changed == "seed":
        request["seed"] = 1
    elif changed == "ks":
        request["ks"] = [6]
    elif changed == "methods":
        request["methods"] = ["mondrian:cut=median"]
    elif changed == "table":
        people = people.slice(1)
    else:
        policy = Policy(quasi_identifiers=["age"], keep=["city"], target="ill", identifiers=["serial"], k=5)
    before = journal.read_bytes()
    with pytest.raises(PolicyError, match="another"):
        evaluate(people, policy, journal=journal, **request)
    assert journal.read_bytes() == before


def test_a_journal_of_another_format_is_refused(
    people: pa.Table, policy: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its outcomes would lack figures, and the rest be taken for all there is."""
    journal = tmp_path / "run.jsonl"
    with monkeypatch.context() as earlier:
        earlier.setattr("kanopy.evaluation.journal._FORMAT", 1)
        evaluate(people, policy, journal=journal, **REQUEST)
    with pytest.raises(PolicyError, match="another"):
        evaluate(people, policy, journal=journal, **REQUEST)


@pytest.mark.parametrize("text", ["age,city\n1,2\n", '{"evaluation": 1}\nnonsense\n', "[]\n[]\n"])
def test_a_file_that_is_no_journal_is_left_alone(
    people: pa.Table, policy: Policy, tmp_path: Path, text: str
) -> None:
    journal = tmp_path / "mine.csv"
    journal.write_text(text)
    with pytest.raises((InputError, PolicyError)):
        evaluate(people, policy, journal=journal, **REQUEST)
    assert journal.read_text() == text


def test_a_journal_holds_no_cell(written: Path) -> None:
    text = written.read_text()
    for word in ("Ulm", "Kiel", "s17", '"yes"', '"no"'):
        assert word not in text
    assert len(text.splitlines()) == 1 + 2 * len(FOLDS)
    assert all(isinstance(json.loads(line), dict) for line in text.splitlines())


def test_a_journal_is_private(written: Path) -> None:
    """Its figures are exact, or it could not go on; so only its owner may read it."""
    assert "private and not for publication" in written.read_text().splitlines()[0]
    assert stat.S_IMODE(written.stat().st_mode) == 0o600


def test_a_journal_that_others_could_read_is_closed(people: pa.Table, policy: Policy, journal: Path) -> None:
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:-2]))
    journal.chmod(0o644)
    evaluate(people, policy, journal=journal, **REQUEST)
    assert stat.S_IMODE(journal.stat().st_mode) == 0o600


def test_a_journal_of_other_settings_under_the_same_name_is_refused(
    people: pa.Table, policy: Policy, tmp_path: Path
) -> None:
    journal = tmp_path / "run.jsonl"
    request = {**REQUEST, "journal": journal}
    evaluate(people, policy, **{**request, "learners": {"tree": DecisionTreeClassifier(max_depth=1)}})
    evaluate(people, policy, **{**request, "learners": {"tree": DecisionTreeClassifier(max_depth=1)}})
    with pytest.raises(PolicyError, match="another"):
        evaluate(people, policy, **{**request, "learners": {"tree": DecisionTreeClassifier(max_depth=9)}})


def test_a_journal_that_was_killed_in_its_first_line_begins_anew(
    people: pa.Table, policy: Policy, journal: Path
) -> None:
    whole = evaluate(people, policy, journal=journal, **REQUEST).to_dict()
    lines = journal.read_text().splitlines()
    journal.write_text(lines[0][:30])
    assert evaluate(people, policy, journal=journal, **REQUEST).to_dict() == whole
    assert sorted(journal.read_text().splitlines()) == sorted(lines)


@pytest.mark.parametrize(
    "line",
    [
        "[1]",
        '"text"',
        '{"key": [0, 0, "original", 0], "majority": "x", "accuracy": {}, "accuracy_recoded": {}}',
        '{"key": [0, 0, "original", 0], "majority": 0.5, "accuracy": 3, "accuracy_recoded": {}}',
        '{"key": [0, 0, "original", 0], "majority": 0.5, "accuracy": {"nb": 7}, "accuracy_recoded": {}}',
        '{"key": [0, 0, "original", 0], "majority": 0.5, "accuracy": {}, "accuracy_recoded": {}, '
        '"majority_figures": {"auc": -1}}',
        '{"key": [0, 0, "original", 0], "majority": 0.5, "accuracy": {}, "accuracy_recoded": {}, '
        '"guessed": {"ill": [0.5, 1.5]}}',
    ],
)
def test_a_line_that_is_no_outcome_is_refused(
    people: pa.Table, policy: Policy, journal: Path, line: str
) -> None:
    journal.write_text(journal.read_text().splitlines()[0] + "\n" + line + "\n")
    with pytest.raises(InputError, match="not the journal"):
        evaluate(people, policy, journal=journal, **REQUEST)


def test_a_place_where_no_journal_can_be(people: pa.Table, policy: Policy, tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "absent" / "run.jsonl"):
        with pytest.raises(ResourceError, match="journal"):
            evaluate(people, policy, journal=place, **REQUEST)
