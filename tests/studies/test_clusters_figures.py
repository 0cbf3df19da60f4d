"""What is told of clusters is measured as it says: the right table, no leak, means read, orderings judged."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command import run as kanopy
from effort import IS_DEEP

from kanopy.data import CellKind, CodedColumn, Domain, Partition, RecodedColumn
from kanopy.data import cell as cells
from kanopy.data.cell import Cell
from kanopy.errors import PolicyError, ResourceError, UnsatisfiableError
from kanopy.evaluation.halves import fold
from kanopy.utility import discernibility, square_error, total_information_loss
from kanopy_studies import Files, clusters, learning
from kanopy_studies.clusters import (
    CONTENDERS,
    KMEANS1,
    KMEANS2,
    KMEMBER,
    OKA,
    QUASI,
    RAW,
    SEEDS,
    Clusterer,
    Learned,
    LearningTask,
    Released,
    ReleaseTask,
    adult,
    choose,
    discernibility_of_clusters,
    learning_tasks,
    release_all,
    release_half_and_learn,
    release_tasks,
)
from kanopy_studies.clusters_plots import PLOTS, draw, draw_all
from kanopy_studies.clusters_record import CLAIMS, ClusterFacts, ClusterRun, claims_of, what_comes_out
from kanopy_studies.clusters_report import document
from kanopy_studies.datasets import loading
from kanopy_studies.learning import Reading
from kanopy_studies.settings import Sample

N_ROWS = 600

KMEMBER_ONLY = Clusterer(KMEMBER, "kmember")
MONDRIAN = Clusterer("mondrian", "mondrian", {"cut": "median"})


# The table and the contenders


@pytest.mark.usefixtures("likeness")
def test_the_table_is_adult_without_incomplete_rows_and_with_eight_columns() -> None:
    sample = adult()
    assert sample.n_rows == N_ROWS
    assert tuple(column.domain.name for column in sample.columns) == QUASI
    assert [column.domain.is_numeric for column in sample.columns] == [True] + [False] * 7
    assert sample.target.domain.name == "income"


def test_contenders_are_chosen_by_their_names() -> None:
    assert choose(None) == list(CONTENDERS)
    assert [one.label for one in choose([OKA, KMEMBER])] == [KMEMBER, OKA]
    with pytest.raises(PolicyError, match="kmember"):
        choose(["kmembre"])


def test_every_contender_is_there_with_options_that_its_method_takes() -> None:
    assert len({contender.label for contender in CONTENDERS}) == len(CONTENDERS)
    for contender in CONTENDERS:
        clusters.find_method(contender.method).settle(contender.options)


# What a release of the whole table loses


@pytest.mark.usefixtures("likeness")
def test_losses_are_those_of_the_release_and_the_seed_decides() -> None:
    sample, k = adult(), 5
    found = release_all(ReleaseTask(KMEMBER_ONLY, k, 2))
    recoding = KMEMBER_ONLY.release(sample, k, np.random.default_rng([2, k]), "range")
    table = sample.encoded()
    assert found.square_error == square_error(table, recoding)
    assert found.total_information_loss == total_information_loss(table, recoding)
    assert found.discernibility == discernibility(table, recoding, k)
    assert (found.label, found.k, found.seed, found.n_dropped) == (KMEMBER, k, 2, 0)
    assert found.n_groups == recoding.groups[1]
    assert found.cpu > 0
    other = release_all(ReleaseTask(KMEMBER_ONLY, k, 3))
    assert other.square_error != found.square_error


@pytest.mark.usefixtures("likeness")
def test_nothing_is_cut_into_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {}
    method = clusters.find_method(KMEMBER)

    def run(*arguments: object, **options: object) -> object:
        given.update(options)
        return method.run(*arguments, **options)

    monkeypatch.setattr(clusters, "find_method", lambda _: replace(method, run=run))
    KMEMBER_ONLY.release(adult(), 5, np.random.default_rng(0), "mean")
    assert given["block_size"] > 45_222
    assert given["publish"] == "mean"


@pytest.mark.usefixtures("likeness")
def test_where_every_row_is_dropped_nothing_is_released(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> object:
        raise UnsatisfiableError("nothing is left")

    method = clusters.find_method(KMEMBER)
    monkeypatch.setattr(clusters, "find_method", lambda _: replace(method, run=refuse))
    found = release_all(ReleaseTask(KMEMBER_ONLY, 5, 1))
    assert found.n_dropped == N_ROWS
    assert found.square_error == 8 * N_ROWS
    assert found.discernibility == found.discernibility_of_clusters == N_ROWS**2
    learned = release_half_and_learn(LearningTask(KMEMBER_ONLY, 5, 1, 0))
    assert (learned.accuracy, learned.accuracy_recoded) == (None, None)


def test_clusters_that_print_alike_are_told_apart_only_where_that_is_asked_for() -> None:
    column = CodedColumn(Domain("x", ("a", "b")), np.array([0, 0, 0, 0, 1, 1, 1], "u1"))
    table = Sample((column,), column).encoded()
    recoding = Partition(np.array([0, 0, 1, 1, 2, 2, -1], np.int32), 3).publish(table, "range")
    assert discernibility(table, recoding, 2) == 4**2 + 2**2 + 7
    assert discernibility_of_clusters(recoding) == 3 * 2**2 + 7


# Learning


def test_means_are_read_as_numbers_and_what_is_not_exact_as_missing() -> None:
    domain = Domain("x", ("10", "20", "30"), np.array([10.0, 20.0, 30.0]))
    mean = Cell(CellKind.MEAN, 0, 1, printed="14")
    same = Cell(CellKind.MEAN, 1, 1, printed="20")
    column = RecodedColumn(domain, (mean, same, cells.exact(2), cells.span(0, 1), cells.SUPPRESSED), _ids(5))
    reading = Reading.of(column)
    assert reading.domain.numbers is not None
    assert reading.domain.numbers.tolist() == [10, 14, 20, 30]
    assert reading.originals(np.arange(4)).codes.tolist() == [0, 2, 3, 4]
    assert reading.cells(_ids(5)).codes.tolist() == [1, 2, 3, 4, 4]


def test_sets_of_words_are_missing_and_words_stay() -> None:
    domain = Domain("x", ("a", "b", "c"))
    column = RecodedColumn(domain, (cells.members((0, 1)), cells.exact(2), cells.MISSING), _ids(3))
    reading = Reading.of(column)
    assert reading.domain is domain
    assert reading.originals(np.arange(4)).codes.tolist() == [0, 1, 2, 3]
    assert reading.cells(_ids(3)).codes.tolist() == [3, 2, 3]


def _ids(n_cells: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.arange(n_cells, dtype=np.int32)


@pytest.mark.usefixtures("likeness")
def test_a_release_that_changes_nothing_teaches_what_the_rows_teach() -> None:
    sample = adult()
    divided = fold(sample.target.codes, 1, 0)
    train, test = sample.rows(divided.train), sample.rows(divided.test)
    table = train.encoded()
    each_alone = Partition(np.arange(train.n_rows, dtype=np.int32), train.n_rows)
    plain, _ = learning.release_accuracies(train, test, each_alone.publish(table, "mean"))
    assert plain == learning.accuracy(learning.learn(train), test)
    assert plain > 0.6
    alike = Partition(np.zeros(train.n_rows, dtype=np.int32), 1).publish(table, "mean")
    majority = test.target.totals[train.target.totals.argmax()] / test.n_rows
    assert learning.release_accuracies(train, test, alike) == (majority, majority)


def test_the_tree_sees_published_cells_and_judges_original_and_recoded_rows() -> None:
    """Two groups of numbers, whose classes alternate: only the rows as they are would tell them."""
    domain = Domain("x", tuple("12345678"), np.arange(1.0, 9.0))
    column = CodedColumn(domain, np.repeat(np.arange(8), 10).astype("u1"))
    classes = np.repeat([0, 1, 0, 0, 0, 1, 1, 1], 10)
    sample = Sample((column,), CodedColumn(Domain("y", ("no", "yes")), classes.astype("u1")))
    recoding = Partition((column.codes > 3).astype(np.int32), 2).publish(sample.encoded(), "mean")
    # The means are printed as 2 and 6, and C4.5 cuts at the lower one: "up to 2: no, else yes".
    assert learning.release_accuracies(sample, sample, recoding) == (40 / 80, 60 / 80)
    assert learning.accuracy(learning.learn(sample), sample) == 1.0


@pytest.mark.usefixtures("likeness")
def test_what_is_released_does_not_depend_on_the_classes_of_the_test_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The test half's classes change: the tree stays, so the accuracy is that of the other classes."""
    sample = adult()
    divided = fold(sample.target.codes, 1, 0)
    before = release_half_and_learn(LearningTask(KMEMBER_ONLY, 5, 1, 0))
    turned = sample.target.codes.copy()
    turned[divided.test] = 1 - turned[divided.test]
    monkeypatch.setattr(
        clusters, "adult", lambda: replace(sample, target=CodedColumn(sample.target.domain, turned))
    )
    monkeypatch.setattr(clusters, "fold", lambda *_: divided)
    after = release_half_and_learn(LearningTask(KMEMBER_ONLY, 5, 1, 0))
    assert before.accuracy is not None
    assert after.accuracy == pytest.approx(1 - before.accuracy)


def test_every_fold_is_learned_from_as_it_is_and_released() -> None:
    todo = learning_tasks([KMEMBER_ONLY, MONDRIAN], [5, 10])
    assert sum(task.contender is None for task in todo) == 2 * len(SEEDS)
    places = {(task.contender and task.contender.label, task.k, task.seed, task.half) for task in todo}
    assert len(places) == len(todo) == 2 * len(SEEDS) * (1 + 2 * 2)
    assert len(release_tasks([KMEMBER_ONLY, MONDRIAN], [5, 10])) == len(SEEDS) * 2 * 2


# The document


def released(label: str, k: int, error: float, lost: float, dm: float, cpu: float = 1.0) -> list[Released]:
    """Two seeds, one a little above and one a little below."""
    return [
        Released(label, k, seed, error * f, lost * f, dm * f, dm * f, 0.1, 7, 0, cpu)
        for seed, f in ((1, 0.9), (2, 1.1))
    ]


def learned(label: str, k: int, *accuracies: float | None) -> list[Learned]:
    return [
        Learned(label, k, seed, half, accuracy, accuracy)
        for accuracy, (seed, half) in zip(accuracies, ((1, 0), (1, 1)), strict=True)
    ]


@pytest.fixture
def made() -> ClusterRun:
    """k-means 1 has the lowest square error at 5 only; DM is nearly equal at 10 only."""
    contenders = [one for one in CONTENDERS if one.label in (KMEANS1, KMEMBER, OKA)]
    return ClusterRun(
        "kanopy reproduce clustering-figures",
        {"kanopy": "0"},
        ClusterFacts(100, QUASI, 0.75),
        contenders,
        [5, 10],
        [
            *released(KMEANS1, 5, 10, 200, 1000, cpu=6),
            *released(KMEMBER, 5, 20, 100, 1051, cpu=2),
            *released(OKA, 5, 30, 300, 1000),
            *released(KMEANS1, 10, 21, 400, 1000),
            *released(KMEMBER, 10, 20, 200, 1049),
            *released(OKA, 10, 30, 300, 1000),
        ],
        [
            *learned(RAW, 1, 0.8, 0.9),
            *(one for label in (KMEANS1, KMEMBER) for k in (5, 10) for one in learned(label, k, 0.7, 0.8)),
            *learned(OKA, 5, 0.5, None),
            *learned(OKA, 10, 0.5, 0.5),
        ],
    )


def test_the_orderings_are_judged_for_every_k(made: ClusterRun) -> None:
    told = what_comes_out(made)
    assert {claim.text: [claim.holds(made, k) for k in made.ks] for claim in claims_of(made)} == {
        "square error: kmeans 1 below oka": [True, True],
        "square error: kmeans 1 below kmember": [True, False],
        "Total-IL: kmember below kmeans 1": [True, True],
        "Total-IL: kmember below oka": [True, True],
        "Total-IL: kmeans 1 below oka": [True, False],
        "discernibility of clusters: kmeans 1, kmember, oka nearly equal (within 5%)": [False, True],
        "discernibility of what is printed: kmeans 1, kmember, oka nearly equal (within 5%)": [False, True],
    }
    assert "3 of 7 come out for every k" in told
    assert "| square error: kmeans 1 below kmember | mostly | 10 | 0.500 | 1.050 |" in told
    assert KMEANS2 not in told
    assert len(CLAIMS) == 9


def text_of(run: ClusterRun, evaluated: str) -> str:
    return "\n\n".join(document(run, evaluated))


def test_means_ratios_and_gaps_are_printed(made: ClusterRun) -> None:
    assert made.loss(KMEMBER, 5, "square_error") == pytest.approx(20)
    assert made.spread_of("square_error") == pytest.approx(0.2)
    assert made.times_kmember(KMEANS1, 5) == 3
    assert made.accuracy(OKA, 5) is None
    text = text_of(made, "## Evaluated")
    assert "| oka | — | 50.00 ± 0.00 |" in text
    assert "| kmeans 1 | 3.00 | 1.00 |" in text
    assert "| kmember | 20 | 20 |" in text
    assert "Rows as they are: 85.00 ± 7.07; the most frequent class: 75.00." in text
    assert "Rows dropped" not in text
    dropped = [replace(one, n_dropped=3) for one in made.released]
    assert "## Rows dropped" in text_of(replace(made, released=dropped), "")
    assert all(f"]({plot.file_name})" in text for plot in PLOTS)


def test_without_kmember_there_is_no_time(made: ClusterRun) -> None:
    others = [one for one in made.contenders if one.label != KMEMBER]
    kept = [one for one in made.released if one.label != KMEMBER]
    alone = replace(made, contenders=others, released=kept)
    assert "## Time" not in text_of(alone, "")
    assert "clusters-time.svg" not in draw_all(alone)


def drawn(files: Files) -> dict[str, bytes]:
    return {name: content() if callable(content) else content for name, content in files.items()}


def test_figures_depend_on_the_numbers_alone(made: ClusterRun) -> None:
    pytest.importorskip("matplotlib")
    files = draw_all(made)
    assert set(files) == {plot.file_name for plot in PLOTS}
    figures = drawn({name: files[name] for name in list(files)[:: 1 if IS_DEEP else 3]})
    for plot in PLOTS if IS_DEEP else PLOTS[:1]:
        assert draw(made, plot) == figures[plot.file_name]
    for content in figures.values():
        assert len(content) < 60_000
        assert b"<text" in content
        assert b"<dc:date>" not in content
        assert all(label.encode() in content for label in made.labels)
    changed = replace(made, released=[replace(one, square_error=5.0) for one in made.released])
    assert draw(changed, PLOTS[0]) != figures[PLOTS[0].file_name]


def test_without_matplotlib_it_says_what_to_install(
    made: ClusterRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    files = draw_all(made)  # nothing is drawn yet
    with pytest.raises(ResourceError, match=r"kanopy\[reproduce\]"):
        drawn(files)


@pytest.mark.usefixtures("likeness")
def test_the_command_writes_document_numbers_and_figures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    given = ["clustering-figures", "--methods", "kmember,mondrian gain", "--ks", "20,5", "--jobs", "1"]
    done = kanopy("reproduce", *given, "-o", tmp_path / "made")
    assert (done.code, done.out) == (0, "")
    assert {path.name for path in (tmp_path / "made").iterdir()} == {
        "clustering-figures.md",
        "clustering-figures.json",
        "clustering-evaluation.json",
        *(plot.file_name for plot in PLOTS),
    }
    text = (tmp_path / "made" / "clustering-figures.md").read_text("utf-8")
    assert "`kanopy reproduce clustering-figures --methods 'kmember,mondrian gain' --ks 20,5`" in text
    assert str(tmp_path) not in text
    assert f"the {N_ROWS} complete rows" in text
    assert "|  | k = 5 | k = 20 |" in text
    evaluated = json.loads((tmp_path / "made" / "clustering-evaluation.json").read_text("utf-8"))
    assert evaluated["rows"] == N_ROWS
    best = next(score for score in evaluated["scores"] if (score["k"], score["learner"]) == (20, "nb"))
    assert f"{100 * best['accuracy']:.2f} / {100 * best['accuracy_recoded']:.2f}" in text
    recorded = json.loads((tmp_path / "made" / "clustering-figures.json").read_text("utf-8"))
    assert len(recorded["released"]) == 2 * 2 * len(SEEDS)
    assert len(recorded["learned"]) == 2 * len(SEEDS) * (1 + 2 * 2)
    assert all(len(line) == len(recorded["run"]["released"]) for line in recorded["released"])
    assert recorded["run"]["data"]["n_rows"] == N_ROWS


def test_without_the_data_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No folder, no cache, and an archive that does not answer."""

    def unreachable(*_arguments: object, **_options: object) -> object:
        raise ResourceError("the archive does not answer")

    monkeypatch.delenv(loading.DATA_FOLDER, raising=False)
    monkeypatch.setattr(loading, "cache_folder", lambda: tmp_path / "no cache")
    monkeypatch.setattr(loading, "original_rows", unreachable)
    done = kanopy("reproduce", "clustering-figures", "--jobs", "1")
    assert (done.code, done.out) == (ResourceError.exit_code, "")
    assert loading.DATA_FOLDER in done.err
