"""``kanopy reproduce``: what there is, what is refused, marks beside published numbers, journals."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from command import run as kanopy
from effort import IS_DEEP

from kanopy.errors import PolicyError, ResourceError
from kanopy.evaluation.trial import FOLDS
from kanopy_studies import Request, experiments, find_experiment
from kanopy_studies.experiment import command
from kanopy_studies.page import AGREES, DIFFERS, Line, agreement, beside_table
from kanopy_studies.pictures import draw_panels

NAMES = (
    "kactus-table2", "kactus-table3", "kactus-table4", "kactus-table5", "kactus2-table1", "kactus2-table2",
    "kactus2-figures", "kactus2-ranks", "tdd-table3", "tdd-errors", "tdd-scalability", "frontier",
    "clustering-figures", "id3-figures", "kactus-scalability",
)  # fmt: skip
SMALL = ["kactus-table2", "--data", "tic_tac_toe", "--ks", "5", "--learners", "nb", "--jobs", "1"]


# What there is, and what is refused


def test_without_a_name_all_are_listed() -> None:
    done = kanopy("reproduce")
    assert (done.code, done.err) == (0, "")
    assert tuple(line.split()[0] for line in done.out.splitlines()) == NAMES
    assert tuple(experiments()) == NAMES
    assert all(len(line.split()) > 3 for line in done.out.splitlines())


def test_an_unknown_name_is_refused_with_a_near_one() -> None:
    done = kanopy("reproduce", "kactus-tabel2")
    assert (done.code, done.out) == (PolicyError.exit_code, "")
    assert "did you mean 'kactus-table2'?" in done.err
    with pytest.raises(PolicyError, match="known are kactus-table2, "):
        find_experiment("zzz")


def test_the_studies_are_imported_when_the_command_runs_and_not_before() -> None:
    code = (
        "import sys, kanopy.cli.reproduce\n"
        "from kanopy.cli.main import main\n"
        "try: main(['reproduce', '--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if name.startswith(('kanopy_studies', 'sklearn'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


GIVEN = {
    "learners": ["--learners", "nb"],
    "data": ["--data", "crx"],
    "ks": ["--ks", "5"],
    "methods": ["--methods", "kactus"],
    "as-published": ["--as-published"],
    "journal": ["--journal", "notes"],
}
TAKEN = {
    "kactus-table2": {"learners", "data", "ks", "as-published", "journal"},
    **dict.fromkeys(("kactus-table3", "kactus-table4", "kactus-table5"), set(GIVEN) - {"methods"}),
    "kactus2-table1": set(GIVEN),
    "kactus2-table2": set(GIVEN),
    **dict.fromkeys(("kactus2-figures", "kactus2-ranks"), set(GIVEN) - {"methods", "ks"}),
    "tdd-table3": {"data"},
    "tdd-errors": {"data"},
    "tdd-scalability": set[str](),
    "frontier": set(GIVEN) - {"as-published"},
    "clustering-figures": {"methods", "ks"},
    "id3-figures": {"ks"},
    "kactus-scalability": set[str](),
}


@pytest.mark.parametrize("name", NAMES)
def test_flags_that_would_be_ignored_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for flag in set(GIVEN) - TAKEN[name]:
        done = kanopy("reproduce", name, *GIVEN[flag])
        assert (done.code, done.out) == (PolicyError.exit_code, "")
        assert f"{name} takes no --{flag}" in done.err
    everything = Request(["nb"], ["crx"], [5], ["kactus"], as_published=True, journal=tmp_path)
    nothing = {"learners": None, "data": None, "ks": None, "methods": None, "as-published": False}
    unwanted = {key.replace("-", "_"): value for key, value in {**nothing, "journal": None}.items()}
    taken = {flag.replace("-", "_") for flag in TAKEN[name]}
    kept = replace(everything, **{key: value for key, value in unwanted.items() if key not in taken})
    find_experiment(name).check(kept)


@pytest.mark.parametrize("k", [1, 0, -5])
def test_a_k_that_promises_nothing_is_refused(k: int) -> None:
    with pytest.raises(PolicyError, match="at least 2"):
        find_experiment("id3-figures").check(Request(ks=[5, k]))


def test_ks_are_ascending_and_each_is_there_once() -> None:
    assert Request(ks=[30, 5, 5]).ks_or((1, 2)) == (5, 30)
    assert Request().ks_or((4, 8)) == (4, 8)


def test_the_command_that_is_told_can_be_typed(tmp_path: Path) -> None:
    request = Request(["nb"], ["crx", "glass"], [5, 10], ["kmeans 1"], as_published=True, jobs=7)
    assert command("x", replace(request, journal=tmp_path)) == (
        "kanopy reproduce x --data crx,glass --methods 'kmeans 1' --learners nb --ks 5,10 --as-published"
    )
    assert command("x", Request()) == "kanopy reproduce x"


# Ours beside published numbers

LINES = [
    Line("glass", "nb", "5", 60.0, 61.0, 1.0, "60.00", "61.00 ± 1.00", ("x",)),
    Line("glass", "nb", "10", 60.0, 62.5, 1.0, "60.00", "62.50 ± 1.00", ("",)),
    Line("glass", "c45", "5", 60.0, None, 0.0, "60.00", "", ("y",)),
]


def test_a_line_agrees_differs_or_has_nothing_to_agree_with() -> None:
    assert [line.agrees for line in LINES] == [True, False, False]
    assert replace(LINES[0], published=61.01).agrees is False
    assert replace(LINES[0], published=59.0).agrees is True
    assert beside_table(("data set", "learner", "k", "more"), LINES).splitlines() == [
        "| data set | learner | k | more | ours | published | difference | agrees |",
        "| :-- | --: | --: | --: | --: | --: | --: | --: |",
        f"| glass | nb | 5 | x | 60.00 | 61.00 ± 1.00 | −1.00 | {AGREES} |",
        f"| glass | nb | 10 |  | 60.00 | 62.50 ± 1.00 | −2.50 | {DIFFERS} |",
        "| glass | c45 | 5 | y | 60.00 |  |  |  |",
    ]


def test_agreement_counts_what_was_published_and_each_series() -> None:
    above = replace(LINES[2], published=59.5, tolerance=0.6)
    assert agreement([*LINES[:2], above], "points").splitlines() == [
        "- 2 of 3 agree; mean difference −1.00, mean absolute difference 1.33 points",
        "- nb: 1 of 2 agree; mean difference −1.75, mean absolute difference 1.75 points",
        "- c45: 1 of 1 agree; mean difference +0.50, mean absolute difference 0.50 points",
    ]
    assert agreement(LINES[:2], "").endswith("difference 1.75")
    assert agreement(LINES[2:], "points") == ""


# Pictures


def test_a_picture_depends_on_the_numbers_alone_and_names_every_line() -> None:
    """The second panel has a line that the first has not."""
    pytest.importorskip("matplotlib")
    lines = [*LINES[:2], replace(LINES[2], panel="crx"), replace(LINES[0], panel="crx", series="Top4")]
    drawn = draw_panels("A title", "k", lines)
    assert drawn == draw_panels("A title", "k", lines)
    assert b"<dc:date>" not in drawn
    series = (b">nb<", b">nb, published<", b">c45<", b">Top4<", b">Top4, published<")
    for text in (b"A title", b">glass<", b">crx<", *series):
        assert text in drawn
    assert b">c45, published<" not in drawn
    assert drawn.index(b">nb<") < drawn.index(b">nb, published<") < drawn.index(b">c45<")
    assert draw_panels("A title", "k", [replace(LINES[0], ours=61.0), *lines[1:]]) != drawn


def test_where_nothing_was_measured_there_is_an_empty_picture() -> None:
    pytest.importorskip("matplotlib")
    assert b"A title" in draw_panels("A title", "k", [])


@pytest.mark.usefixtures("few_folds")
def test_without_matplotlib_the_table_is_printed_and_a_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = kanopy("reproduce", *SMALL)
    assert done.code == 0
    assert "| tic_tac_toe | nb | 5 |" in done.out
    refused = kanopy("reproduce", *SMALL, "-o", tmp_path)
    assert (refused.code, refused.out) == (ResourceError.exit_code, "")
    assert 'pip install "kanopy[reproduce]"' in refused.err
    assert not list(tmp_path.iterdir())  # told before any work


# Going on after a kill, and several processes


@pytest.mark.usefixtures("few_folds")
def test_with_a_journal_a_second_run_does_no_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    n_done: list[int] = []
    module = import_module("kanopy.evaluation.evaluate")  # the package has a function of that name
    real = module.run_all

    def counting(trials: Any, *arguments: Any, **options: Any) -> Any:
        n_done.append(len(trials))
        return real(trials, *arguments, **options)

    monkeypatch.setattr(module, "run_all", counting)
    given = [*SMALL, "--journal", str(tmp_path / "notes")]
    first = kanopy("reproduce", *given)
    names = sorted(path.name for path in (tmp_path / "notes").iterdir())
    assert names == ["tic_tac_toe-kactus-nb-5.jsonl", "tic_tac_toe-original-nb-5.jsonl"]
    journal = tmp_path / "notes" / names[0]
    lines = journal.read_text("utf-8").splitlines()
    again = kanopy("reproduce", *given)
    assert (first.code, again.code) == (0, 0)
    assert n_done == [len(FOLDS), len(FOLDS), 0, 0]  # halves as they are, and released
    assert again.out == first.out
    assert str(tmp_path) not in first.out
    journal.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    assert kanopy("reproduce", *given).out == first.out
    assert n_done[4:] == [0, 1]


def test_processes_give_the_same_results_in_the_same_order() -> None:
    todo = [float(number) for number in range(40, 0, -1)]
    for jobs in (1, 2) if IS_DEEP else (1,):
        told: list[tuple[str, float | None]] = []
        request = Request(jobs=jobs, watch=lambda stage, share, told=told: told.append((stage, share)))
        assert request.each(sqrt, todo, "roots") == [sqrt(number) for number in todo]
        assert told == [("roots", number / 40) for number in range(1, 41)]


def test_results_are_in_the_order_of_the_cells_whichever_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def last_first(cells: list[float], work: Any, *_: Any, **__: Any) -> Iterator[tuple[int, float]]:
        yield from ((place, work(cell)) for place, cell in reversed(list(enumerate(cells))))

    monkeypatch.setattr("kanopy_studies.experiment.run_all", last_first)
    assert Request(jobs=2).each(sqrt, [4.0, 9.0, 1.0], "roots") == [2.0, 3.0, 1.0]
