"""What is told of Top-Down Disclosure is measured as it says: parts, templates, no leak, fair comparisons."""

from __future__ import annotations

import csv
import json
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from command import run as kanopy

from kanopy.data import CodedColumn, Domain
from kanopy.errors import InputError, PolicyError, ResourceError
from kanopy.trees import c45
from kanopy_studies import Request, find_experiment, tdd_report
from kanopy_studies import published_tdd as published
from kanopy_studies.datasets.loading import DATA_FOLDER
from kanopy_studies.page import AGREES, DIFFERS
from kanopy_studies.presplits import PROTOCOLS, PreSplit, load_pre_split
from kanopy_studies.published_tdd import RANDOM, RE, RISE, SE, SPARED, TOP, VARIANCE, Quantity, Statement
from kanopy_studies.settings import Sample, load_sample
from kanopy_studies.tdd import (
    BEFORE,
    INSIDE,
    SensitiveErrors,
    Suppression,
    Task,
    disclosed,
    divided,
    draw,
    error,
    inferences,
    masked,
    properties,
    ranking,
    removal_error,
    run,
    suppression,
    templates,
)
from kanopy_studies.tdd_differences import Found, findings, values, where_we_differ
from kanopy_studies.tdd_record import TddFacts, TddRun, settings
from kanopy_studies.tdd_report import document, unsatisfiable

CRX = [f"A{number}" for number in range(1, 16)]
CATEGORICAL = ["A1", "A4", "A5", "A6", "A7", "A9", "A10", "A12", "A13"]
N_ROWS = 300

EXAMPLE = [
    *[("Cook", "US", "Current", "B")] * 4,
    *[("Artist", "France", "Current", "B")] * 3,
    ("Artist", "France", "Current", "G"),
    *[("Doctor", "US", "Never", "G")] * 4,
    *[("Doctor", "US", "Never", "B")] * 2,
    *[("Trader", "UK", "Discharged", "G")] * 4,
    ("Trader", "UK", "Never", "G"),
    ("Trader", "Canada", "Never", "G"),
    *[("Clerk", "Canada", "Never", "G")] * 3,
    ("Clerk", "Canada", "Discharged", "G"),
]
"""The worked example of the paper, without the column that its first template does not name."""


def coded(name: str, texts: list[str]) -> CodedColumn:
    labels = sorted(set(texts))
    return CodedColumn(Domain(name, tuple(labels)), np.array([labels.index(text) for text in texts], "u1"))


def sample_of(names: list[str], rows: list[tuple[str, ...]]) -> Sample:
    *inputs, target = (
        coded(name, list(cells)) for name, cells in zip(names, zip(*rows, strict=True), strict=True)
    )
    return Sample(tuple(inputs), target)


def texts(column: CodedColumn) -> list[str]:
    return [column.domain.labels[code] for code in column.codes]


def made_crx(seed: int = 0) -> list[list[str]]:
    """A table with the columns of CRX, in which A9 knows most about the class, then A7."""
    rng = np.random.default_rng(seed)
    is_good = rng.random(N_ROWS) < 0.45
    rows = []
    for number in range(N_ROWS):
        usual = {name: str(rng.integers(0, 50)) for name in CRX}
        for name, size in (("A1", 2), ("A4", 3), ("A5", 3), ("A6", 5), ("A12", 2), ("A13", 3)):
            usual[name] = "abcdefgh"[min(rng.geometric(0.5), size) - 1]
        usual["A9"] = "t" if is_good[number] ^ (rng.random() < 0.1) else "f"
        usual["A10"] = "t" if is_good[number] ^ (rng.random() < 0.3) else "f"
        usual["A7"] = "abc"[int(is_good[number]) + (rng.random() < 0.5)]
        usual["A13"] = "s" if usual["A7"] == "c" and rng.random() < 0.9 else usual["A13"]
        rows.append([*usual.values(), "+" if is_good[number] else "-"])
    rows[7][CRX.index("A1")] = ""
    return rows


def write(path: Path, header: list[str], rows: list[list[str]]) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


@pytest.fixture
def folder(put: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A made CRX and its split, in place of the real ones: the first two of three rows are for training."""
    columns = dict(zip([*CRX, "class"], map(list, zip(*made_crx(), strict=True)), strict=True))
    put("crx", pa.table(columns))
    parts = ["missing" if row == 7 else "test" if row % 3 == 2 else "train" for row in range(N_ROWS)]
    lines = [[str(row + 1), part, str(row + 1)] for row, part in enumerate(parts)]
    write(tmp_path / "splits" / "crx_mlc_split.csv", ["row", "part", "position"], lines)
    monkeypatch.setenv(DATA_FOLDER, str(tmp_path))
    return tmp_path


# The parts


def test_parts_are_those_of_the_split_and_only_categories_are_used(folder: Path) -> None:
    parts = load_pre_split("crx")
    assert parts.names == tuple(CATEGORICAL)
    assert len(parts.train_rows) == 199
    assert len(parts.test_rows) == 100
    assert 7 not in {*parts.train_rows.tolist(), *parts.test_rows.tolist()}
    assert parts.whole.n_rows == 299
    rows = made_crx()
    place = CRX.index("A9")
    assert texts(parts.test.columns[5]) == [rows[row][place] for row in range(2, N_ROWS, 3)]
    assert texts(parts.train.target) == [row[-1] for at, row in enumerate(rows) if at % 3 != 2 and at != 7]


def test_the_split_of_another_table_is_refused(folder: Path) -> None:
    write(folder / "splits" / "crx_mlc_split.csv", ["row", "part", "position"], [["1", "train", "1"]])
    with pytest.raises(InputError, match="part of every row"):
        load_pre_split("crx")
    write(folder / "splits" / "crx_mlc_split.csv", ["row"], [[str(row + 1)] for row in range(N_ROWS)])
    with pytest.raises(InputError, match="part of every row"):
        load_pre_split("crx")
    (folder / "splits" / "crx_mlc_split.csv").unlink()
    with pytest.raises(ResourceError, match="not there"):
        load_pre_split("crx")


@pytest.mark.usefixtures("likeness")
def test_the_parts_of_adult_are_its_files_without_incomplete_rows() -> None:
    parts = load_pre_split("adult")
    assert len(parts.names) == 8
    assert "age" not in parts.names
    # Of 400 and 202 rows, the very first and the very last are not complete.
    assert parts.train_rows.tolist() == list(range(399))
    assert parts.test_rows.tolist() == list(range(399, 600))
    whole = load_sample("adult")
    assert np.array_equal(parts.test.target.codes, whole.target.codes[399:])


# What is sensitive


def test_attributes_are_ranked_by_what_the_tree_asks_first(folder: Path) -> None:
    parts = load_pre_split("crx")
    assert ranking(parts.train, 2) == ("A9", "A7")
    assert len(ranking(parts.train, 4)) == 4
    # Attributes that pruning would not use are ranked too.
    rng = np.random.default_rng(5)
    noise = [(*rng.choice(list("abcdef"), 2).tolist(), rng.choice(["x", "y"])) for _ in range(60)]
    sample = sample_of(["p", "q", "class"], noise)
    assert c45(sample.encoded()).is_leaf[0]
    assert set(ranking(sample, 5)) == {"p", "q"}


def test_properties_are_the_rarer_half_of_the_values_that_occur() -> None:
    column = coded("p", [*"aaaa", *"bb", *"ccc", *"dd", *"eeeee"])
    assert properties(column) == ("b", "d")  # half of five, of equally rare ones the first
    never = replace(column, codes=column.codes[column.codes != 1])
    assert properties(never) == ("d", "c")
    assert properties(coded("p", ["a", "a", "b"])) == ("b",)
    assert properties(coded("p", ["a"])) == ()


def test_draws_are_repeatable_and_in_the_order_of_the_table() -> None:
    drawn = [draw(CATEGORICAL, 3, number) for number in range(30)]
    assert drawn == [draw(CATEGORICAL, 3, number) for number in range(30)]
    assert len(set(drawn)) > 15
    for names in drawn:
        assert len(set(names)) == 3
        assert list(names) == sorted(names, key=CATEGORICAL.index)
    assert set().union(*drawn) == set(CATEGORICAL)


# What is suppressed


def test_the_worked_example_of_the_paper() -> None:
    sample = sample_of(["Job", "Country", "Bankruptcy", "class"], EXAMPLE)
    table = divided(sample, ["Bankruptcy"])
    assert [part.sentence() for part in templates(table, 75).parts] == [
        "Whoever knows 'Job' and 'Country' of someone can conclude that 'Bankruptcy' is 'Discharged' with a "
        "confidence of at most 0.75."
    ]
    shown = disclosed(table, 75)
    assert shown is not None
    job, country = masked(sample, shown).columns[:2]
    assert Counter(texts(job)) == {"Cook": 4, "Artist": 4, "Doctor": 6, "*": 10}
    assert Counter(texts(country)) == {"US": 10, "France": 4, "*": 10}
    assert disclosed(table, 20) is None  # 5 of 24 cannot be hidden


def confidences(sample: Sample, sensitive: tuple[str, ...], guarded: Sample) -> list[float]:
    """By hand: of every combination of masking cells, the share of each property of the guarded rows."""
    columns = {column.domain.name: texts(column) for column in sample.columns}
    known = list(zip(*(cells for name, cells in columns.items() if name not in sensitive), strict=True))
    sizes = Counter(known)
    found = []
    for column in guarded.columns:
        for value in properties(column) if column.domain.name in sensitive else ():
            pairs = zip(known, columns[column.domain.name], strict=True)
            with_it = Counter(key for key, cell in pairs if cell == value)
            found += [n / sizes[key] for key, n in with_it.items()]
    return found


@pytest.mark.parametrize("h", [50, 70, 90])
def test_every_template_holds_on_the_rows_that_were_seen(folder: Path, h: int) -> None:
    parts, sensitive = load_pre_split("crx"), ("A9", "A7")
    for seen in (parts.train, parts.whole):
        shown = disclosed(divided(seen, sensitive), h)
        assert shown is not None
        assert set(shown) == set(CATEGORICAL) - set(sensitive)
        assert max(confidences(seen, sensitive, seen)) > h / 100
        assert max(confidences(masked(seen, shown), sensitive, seen)) <= h / 100
        assert any(is_shown.any() for is_shown in shown.values())


def test_a_suppressed_value_is_an_ordinary_one_and_unseen_values_are_suppressed() -> None:
    sample = sample_of(["p", "class"], [("a", "x"), ("b", "y"), ("c", "x")])
    column = masked(sample, {"p": np.array([True, False, False, False])}).columns[0]
    assert texts(column) == ["a", "*", "*"]
    assert column.codes.max() < column.domain.missing_code
    train = sample_of(["p", "q", "class"], [("a", "s", "x"), ("b", "t", "y"), ("b", "s", "x")] * 8)
    domain = Domain("p", ("a", "b", "new"))
    train = train.with_columns([CodedColumn(domain, train.columns[0].codes), train.columns[1]])
    shown = disclosed(divided(train, ["q"]), 90)
    assert shown is not None
    assert shown["p"].tolist() == [True, True, False, False]


def test_inside_test_rows_have_no_influence_and_before_they_have(folder: Path) -> None:
    """The leak: other test rows, and see whether what is disclosed changes."""
    parts = load_pre_split("crx")
    sensitive = ("A9", "A7")
    codes = {column.domain.name: column.codes.copy() for column in parts.sample.columns}
    for name in ("A7", "A13", "A1"):
        codes[name][parts.test_rows] = np.random.default_rng(1).permutation(codes[name][parts.test_rows])
    columns = tuple(CodedColumn(column.domain, codes[column.domain.name]) for column in parts.sample.columns)
    shuffled = PreSplit(parts.sample.with_columns(columns), parts.train_rows, parts.test_rows)
    hidden = {
        which: [
            found.n_suppressed
            for given in (parts, shuffled)
            for h in (50, 70, 90)
            if (found := suppression(given, getattr(given, which), sensitive, h)) is not None
        ]
        for which in ("train", "whole")
    }
    assert hidden["train"][:3] == hidden["train"][3:]
    assert hidden["whole"][:3] != hidden["whole"][3:]
    outcome = run(Task("crx", sensitive))
    assert [found and found.n_suppressed for found in outcome.inside] == hidden["train"][:3]
    assert [found and found.n_suppressed for found in outcome.before] == hidden["whole"][:3]


def test_errors_are_on_the_test_part_and_removal_removes(folder: Path) -> None:
    parts = load_pre_split("crx")
    base, removed = error(parts.train, parts.test), removal_error(parts, ("A9",))
    assert 0.01 < base < removed - 0.05 < 0.5
    only = parts.sample.with_columns([parts.sample.columns[5]])
    alone = PreSplit(only, parts.train_rows, parts.test_rows)
    of_test, classes = texts(alone.test.columns[0]), texts(alone.test.target)
    by_hand = np.mean([(cell == "t") != (label == "+") for cell, label in zip(of_test, classes, strict=True)])
    assert error(alone.train, alone.test) == pytest.approx(by_hand)
    everything = removal_error(alone, ("A9",))
    assert everything == pytest.approx(np.mean(np.array(classes) == "+"))  # the majority is -


def test_what_is_suppressed_is_not_learned_from() -> None:
    """Each value of p tells q for sure, so none is shown; then nothing tells the class."""
    half = [("a", "s", "x"), ("b", "s", "y"), ("c", "t", "x"), ("d", "t", "y")] * 2
    half += [("a", "s", "x"), ("c", "t", "x")]
    parts = PreSplit(sample_of(["p", "q", "class"], half * 2), np.arange(10), np.arange(10, 20))
    assert error(parts.train, parts.test) == 0
    for seen in (parts.train, parts.whole):
        assert suppression(parts, seen, ["q"], 60) == Suppression(pytest.approx(0.4), (4,))
        assert suppression(parts, seen, ["q"], 40) is None


# Table 3


def test_inferences_are_counted_as_by_hand(folder: Path) -> None:
    parts, sensitive = load_pre_split("crx"), ("A9", "A10", "A7")
    known = [name for name in CATEGORICAL if name not in sensitive]
    found = confidences(parts.whole, sensitive, parts.whole)
    for h in published.COUNTED_AT:
        by_hand = sum(confidence > h / 100 + 1e-12 for confidence in found)
        assert inferences(parts.whole, sensitive, known, h) == by_hand > 0
    half = sample_of(["p", "q", "class"], [("a", "s", "x"), ("a", "t", "x"), ("b", "t", "x")])
    assert inferences(half, ["q"], ["p"], 50) == 0  # exactly h is not above h
    assert inferences(half, ["q"], ["p"], 49) == 1
    fewer = inferences(parts.whole, sensitive, ["A1"], 10)
    assert fewer < inferences(parts.whole, sensitive, known, 10)


@pytest.mark.skipif(not os.environ.get("KANOPY_DATA"), reason="needs the data sets: set KANOPY_DATA")
@pytest.mark.parametrize("data", ["crx", "german", "adult"])
def test_the_published_attributes_and_counts_come_out(data: str) -> None:
    facts = TddFacts.of(data)
    assert facts.top == published.TOP_ATTRIBUTES[data]
    counted = facts.inferences_otherwise if data == "adult" else facts.inferences
    assert counted == published.INFERENCES[data]
    (base,) = (one.high for one in published.STATEMENTS if one.data == data and str(one.quantity) == "BE")
    assert 100 * facts.base == pytest.approx(base, abs=0.1)


# Means and comparisons


def made_run(**changed: SensitiveErrors) -> TddRun:
    """CRX: four settings from the top, and two sets of one attribute, one of them drawn twice."""
    top = ("A9", "A10", "A7", "A6")

    def found(*errors: float | None) -> tuple[Suppression | None, ...]:
        return tuple(None if one is None else Suppression(one, (1, 2, 0, 0, 3)) for one in errors)

    outcomes = {
        "top1": SensitiveErrors("crx", top[:1], 0.26, found(0.16, 0.16, 0.16), found(0.16, 0.16, 0.155)),
        "top2": SensitiveErrors("crx", top[:2], 0.42, found(None, 0.16, 0.155), found(None, None, 0.16)),
        "top3": SensitiveErrors("crx", top[:3], 0.44, found(0.16, 0.16, 0.16), found(0.16, 0.16, 0.16)),
        "top4": SensitiveErrors("crx", top, 0.47, found(0.16, 0.154, 0.16), found(0.16, 0.154, 0.16)),
        "drawn": SensitiveErrors("crx", ("A1",), 0.20, found(0.15, 0.15, None), found(0.15, 0.15, None)),
        **changed,
    }
    n_values = dict.fromkeys(CATEGORICAL, 3)
    facts = TddFacts("crx", 465, 188, 9, top, 0.154, 0.16, 0.45, (40, 27, 15, 8, 6), n_values)
    drawn = {("crx", top[:1]): 1, ("crx", ("A1",)): 2}
    return TddRun("kanopy reproduce tdd-errors", {"kanopy": "0"}, 3, [facts], list(outcomes.values()), drawn)


def test_means_are_over_what_can_be_satisfied_and_draws_count_as_often_as_drawn() -> None:
    made = made_run()
    assert made.errors("crx", TOP, 2, INSIDE) == pytest.approx((15.75, 42, 2, 3))
    assert made.errors("crx", TOP, 2, BEFORE) == pytest.approx((16, 42, 1, 3))
    assert made.errors("crx", TOP, 2, INSIDE, 50) is None
    assert made.errors("crx", TOP, 2, INSIDE, 70) == pytest.approx((16, 42, 1, 1))
    # Once A9, with three thresholds, and twice A1, with two that can be satisfied.
    assert made.errors("crx", RANDOM, 1, INSIDE) == pytest.approx(
        ((3 * 16 + 4 * 15) / 7, (3 * 26 + 4 * 20) / 7, 7, 9)
    )
    assert made.errors("crx", RANDOM, 2, INSIDE) is None
    assert made.of_kind("german", TOP, 1) == []


def test_quantities_are_read_off_the_run() -> None:
    made = made_run()
    assert values(made, "crx", Quantity(SE, TOP, (1, 2)), INSIDE) == pytest.approx([16, 15.75])
    assert values(made, "crx", Quantity(RE, TOP, (1, 2)), INSIDE) == pytest.approx([26, 42])
    assert values(made, "crx", Quantity(RISE, TOP, (1,)), INSIDE) == pytest.approx([0.6])
    assert values(made, "crx", Quantity(SPARED, TOP, (1, 4), summed="mean"), INSIDE) == pytest.approx(
        [(10 + 31.2) / 2]
    )
    assert values(made, "crx", Quantity(SE, TOP, (4,), 70), BEFORE) == pytest.approx([15.4])
    assert values(made, "crx", Quantity(SE, TOP, (2, 4), summed=VARIANCE), INSIDE) == pytest.approx(
        [0.125, 0.12]
    )
    assert values(made, "german", Quantity(published.BE), INSIDE) == []


@pytest.mark.parametrize(
    ("low", "high", "off"),
    [(15.4, 16.5, 0.0), (15.36, 16.54, 0.0), (15.3, 16.0, -0.1), (15.4, 16.7, 0.2), (15.0, 16.7, -0.4)],
)
def test_what_is_beyond_the_last_digit_is_off(low: float, high: float, off: float) -> None:
    statement = Statement("crx", Quantity(SE, TOP, (1, 4)), "15.4 to 16.5", 15.4, 16.5)
    assert Found(statement, INSIDE, low, high).off == pytest.approx(off)
    open_below = replace(statement, low=-inf)
    assert Found(open_below, INSIDE, -9.0, high).off == pytest.approx(0.2 if high > 16.55 else 0)


def test_what_differs_is_listed_and_nothing_else() -> None:
    text = where_we_differ(made_run())
    # Without draws of two and more attributes the mean of Ran1 alone is compared.
    assert "| inside | crx | RE − SE, Top4 | 31.3 | +31.20 | −0.10 | 0.2 |" in text
    assert "| inside | crx | RE − SE, Top1 | 10.1 | +10.00 | −0.10 | 0.2 |" in text
    assert "| SE, Top1 to Top4 |" not in text
    assert "in its order: crx." in text
    assert "come out exactly: crx." in text
    wrong = SensitiveErrors("crx", ("A9",), 0.26, (Suppression(0.2, ()),) * 3, (Suppression(0.16, ()),) * 3)
    text = where_we_differ(made_run(top1=wrong))
    assert "| inside | crx | SE, Top1 to Top4 | 15.4 to 16.5 | 15.75 to 20.00 | +3.50 | 6.6 |" in text
    assert "| as published | crx | SE, Top1 to Top4 |" not in text
    n_statements = sum(one.data == "crx" for one in published.STATEMENTS)
    assert f"Of {n_statements} published statements" in text


def test_statements_without_a_number_are_shown_and_not_judged() -> None:
    (vague,) = (one for one in published.STATEMENTS if not one.is_judged)
    assert vague.text == "SE near RE"
    assert Found(vague, INSIDE, -50.0, 50.0).off == 0
    assert len(list(findings(made_run()))) == sum(one.data == "crx" for one in published.STATEMENTS)


def test_published_spot_values() -> None:
    said = {(one.data, str(one.quantity)): one.text for one in published.STATEMENTS}
    assert said["crx", "RE − SE, Top4"] == "31.3"
    assert said["crx", "SE, Top4, h = 70%"] == "15.4"
    assert said["crx", "SE, Ran1 to Ran4"] == "15.4 to 16.5"
    assert said["german", "RE − SE, Top1 to Top6, mean"] == "about 4.3"
    assert published.INFERENCES["german"][2] == 174
    for data, protocol in PROTOCOLS.items():
        assert len(published.TOP_ATTRIBUTES[data]) == protocol.n_top
        assert all(one.low - one.slack <= one.high for one in published.STATEMENTS)


# The document


def test_the_document_has_all_numbers_in_their_places() -> None:
    text = "\n\n".join(document(made_run()))
    assert (
        "| Top2 | mean | 15.40 | 15.75 | 16.00 | 42.00 | +0.35 | +0.60 | +26.25 | +26.00 | 2 of 3 | 1 of 3 |"
        in text
    )
    assert "| Top2 | 50% | 15.40 |  |  |  |  |  |  |  | none | none |" in text
    assert "| Ran1 | mean | 15.40 | 15.43 |" in text
    assert "| Ran2 |" not in text
    assert "| crx, Top4 | published | 40 | 27 | 15 | 8 | 6 |" in text
    assert "| inside | 1 | 2 | 0 | 0 | 3 |" in text
    assert "doubtful" not in text  # that is about Adult
    for line in text.splitlines():
        assert "|" not in line or line.startswith("|")


def test_what_cannot_be_satisfied_is_counted() -> None:
    text = unsatisfiable(made_run())
    assert "| crx | TopN | 12 | 1 | 2 | Top2 at 50% |" in text
    assert "| crx | RanN | 9 | 2 | 2 |  |" in text


def test_settings_are_measured_once_and_counted_as_often_as_drawn(folder: Path) -> None:
    facts = [TddFacts.of("crx")]
    todo, drawn = settings(facts, 30)
    assert len({(task.data, task.sensitive) for task in todo}) == len(todo)
    assert sum(drawn.values()) == 4 * 30
    assert sum(times for (_, names), times in drawn.items() if len(names) == 1) == 30
    assert {(task.data, task.sensitive) for task in todo} == {
        *drawn,
        *(("crx", facts[0].top[:n]) for n in (1, 2, 3, 4)),
    }


# The two experiments


def test_errors_are_written_as_they_were_measured(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tdd_report, "N_DRAWS", 1)
    told: list[tuple[str, float | None]] = []
    files = find_experiment("tdd-errors").run(
        Request(data=["crx"], watch=lambda stage, share: told.append((stage, share)))
    )
    assert list(files) == ["tdd-errors.md", "tdd-errors.json", "tdd-errors.svg"]
    text = content(files["tdd-errors.md"]).decode()
    assert "`kanopy reproduce tdd-errors --data crx`" in text
    assert str(folder) not in text
    recorded = json.loads(content(files["tdd-errors.json"]))
    assert recorded["run"]["thresholds"] == {"crx": [50, 70, 90]}
    assert told == [("errors", number / len(told)) for number in range(1, len(recorded["results"]) + 1)]
    data, sensitive, times, removal, inside, before, hidden, _ = recorded["results"][0]
    outcome = run(Task("crx", tuple(sensitive)))
    assert (data, sensitive) == ("crx", ["A9"])
    assert times in (0, 1)
    assert removal == pytest.approx(outcome.removal, abs=1e-6)
    assert inside == [found and round(found.error, 6) for found in outcome.inside]
    assert before == [found and round(found.error, 6) for found in outcome.before]
    assert hidden == [found and list(found.n_suppressed) for found in outcome.inside]
    assert sum(line[2] for line in recorded["results"]) == 4
    assert f"| Top1 | mean | {100 * recorded['run']['data'][0]['base']:.2f} |" in text
    pytest.importorskip("matplotlib")
    picture = content(files["tdd-errors.svg"])
    for series in (b"base error", b"suppression error", b"the same, as published", b"removal error"):
        assert series in picture


def test_table_3_is_written_with_marks(folder: Path) -> None:
    files = find_experiment("tdd-table3").run(Request(data=["crx"]))
    text = content(files["tdd-table3.md"]).decode()
    assert not text.endswith("\n\n")
    counts = TddFacts.of("crx").inferences
    for h, ours, paper in zip(published.COUNTED_AT, counts, published.INFERENCES["crx"], strict=True):
        mark = AGREES if ours == paper else DIFFERS
        line = next(line for line in text.splitlines() if line.startswith(f"| crx | Top4 | {h} |"))
        assert line.startswith(f"| crx | Top4 | {h} | {ours} | {paper} | ")
        assert line.endswith(f" | {mark} |")
    assert json.loads(content(files["tdd-table3.json"]))["run"]["data"][0]["inferences"] == list(counts)


def test_the_command_prints_the_table_and_tells_what_it_lacks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = kanopy("reproduce", "tdd-table3", "--data", "crx")
    assert done.code == 0
    assert "Made by `kanopy reproduce tdd-table3 --data crx`" in done.out
    assert "-o DIR" in done.err
    (folder / "splits" / "crx_mlc_split.csv").unlink()
    load_pre_split.cache_clear()
    done = kanopy("reproduce", "tdd-table3", "--data", "crx")
    assert (done.code, done.out) == (ResourceError.exit_code, "")
    assert DATA_FOLDER in done.err
    assert "crx_mlc_split.csv" in done.err


def test_data_that_the_paper_did_not_use_are_refused() -> None:
    for name in ("tdd-table3", "tdd-errors"):
        with pytest.raises(PolicyError, match="no data set 'glass'"):
            find_experiment(name).run(Request(data=["crx", "glass"]))
    # Both ways to divide the rows are always told, so that there is nothing to choose.
    done = kanopy("reproduce", "tdd-errors", "--as-published")
    assert done.code == PolicyError.exit_code
    assert "takes no --as-published" in done.err


def content(made: object) -> bytes:
    """A file, drawn now where it is a picture."""
    found = made() if callable(made) else made
    assert isinstance(found, bytes)
    return found
