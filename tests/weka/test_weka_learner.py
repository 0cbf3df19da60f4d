"""Weka's classifiers through scikit-learn's face: what they learn, and what they refuse."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from command import PATIENCE
from compare_j48 import data_folder, grown, halves, read_table
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks
from weka_process import requires_weka, the_program
from weka_program import Column, run_weka, write_arff

import kanopy
from kanopy.data import EncodedTable
from kanopy.data.grammar import clean_text
from kanopy.datasets import patients
from kanopy.errors import InputError, PolicyError, ResourceError
from kanopy.trees import predict
from kanopy_studies import datasets
from kanopy_weka.classifier import SCHEMES, WekaClassifier
from kanopy_weka.program import stop_all

needs_tables = pytest.mark.skipif(data_folder() is None, reason="KANOPY_DATA names no folder with the tables")


@pytest.fixture
def id3() -> WekaClassifier:
    """From Weka 3.7 on it is in a package of its own."""
    learner = WekaClassifier("Id3")
    try:
        learner.fit(pa.table({"a": ["x", "y"]}), [0, 1])
    except PolicyError as error:
        pytest.skip(str(error))
    return clone(learner)


# --- what is learned ------------------------------------------------------------------------------------


def columns_of(table: pa.Table) -> list[Column]:
    found: list[Column] = []
    for name in table.column_names:
        values = table[name].to_pylist()
        is_number = pa.types.is_integer(table[name].type) or pa.types.is_floating(table[name].type)
        found.append((name, "numeric" if is_number else sorted({v for v in values if v is not None}), values))
    return found


def by_hand(
    scheme: str, train: pa.Table, test: pa.Table, folder: Path, *options: str
) -> list[tuple[str, float]]:
    """What Weka's own command line predicts, and how sure it is."""
    write_arff(folder / "train.arff", columns_of(train), "table")
    write_arff(folder / "test.arff", columns_of(test), "table")
    files = ("-t", folder / "train.arff", "-T", folder / "test.arff")
    printed = run_weka(SCHEMES[scheme], *files, "-p", "0", *options)
    found = re.findall(r"^\s*\d+\s+\S+\s+\d+:(\S+)\s+(?:\+\s+)?([\d.]+)", printed, flags=re.MULTILINE)
    assert len(found) == test.num_rows
    return [(label, float(share)) for label, share in found]


@requires_weka
@pytest.mark.parametrize(
    ("scheme", "options"),
    [
        ("J48", ()),
        ("J48", ("-U", "-M", "1")),
        ("PART", ()),
        ("NaiveBayes", ()),
        ("Logistic", ()),
        ("IBk", ("-K", "3")),
        ("JRip", ()),
    ],
)
def test_as_by_hand(scheme: str, options: tuple[str, ...], mixed: pa.Table, tmp_path: Path) -> None:
    train, test = mixed.slice(0, 200), mixed.slice(200)
    expected = by_hand(scheme, train, test, tmp_path, *options)
    learner = WekaClassifier(scheme, options).fit(train, "class")
    shares = learner.predict_proba(test.drop_columns(["class"]))
    # Weka prints at most ten characters of a label, and three decimals.
    assert learner.predict(test).tolist() == [label for label, _ in expected]
    assert shares.max(axis=1).tolist() == pytest.approx([share for _, share in expected], abs=6e-4)
    assert len(set(learner.predict(test))) == 3


@requires_weka
def test_options_matter(mixed: pa.Table) -> None:
    leaves = {
        options: WekaClassifier("J48", options).fit(mixed, "class").description_.count(": ")
        for options in ((), ("-U", "-M", "1"), ("-M", "50"))
    }
    assert leaves["-M", "50"] < leaves[()] <= leaves["-U", "-M", "1"]


def frame_of(table: EncodedTable) -> pa.Table:
    assert table.target is not None
    columns = {}
    for column in (*table.quasi, table.target):
        if column.domain.numbers is not None:
            values = pa.array([*column.domain.numbers.tolist(), None])
        else:
            values = pa.array([*column.domain.labels, None])
        columns[column.domain.name] = values.take(pa.array(column.codes))
    return pa.table(columns)


@requires_weka
@pytest.mark.parametrize(("raises", "options"), [(False, ("-S",)), (True, ())])
@pytest.mark.parametrize(
    "title",
    [
        "made",
        *(pytest.param(title, marks=needs_tables) for title in ("nursery", "pima, numeric", "crx, numeric")),
    ],
)
def test_our_c45_predicts_the_same(title: str, raises: bool, options: tuple[str, ...]) -> None:
    """As docs/evidence/j48.md has it, here through the pipe."""
    table = made_table() if title == "made" else read_table(title)
    (train, test), *_ = halves(table, 1)
    ours = predict(grown(train, title, raises=raises), [column.codes for column in test.quasi], test.n_rows)
    learner = WekaClassifier("J48", options).fit(frame_of(train), "class")
    labels = np.array(table.target.domain.labels)
    same = learner.predict(frame_of(test)) == labels[ours]
    if title == "crx, numeric":  # a value that only one half has is a branch to us, unknown to Weka
        assert same.mean() >= 0.99
    else:
        assert same.all()


def made_table() -> EncodedTable:
    from kanopy.frames.encode import encode

    board = datasets.load("tic_tac_toe")
    *squares, target = board.column_names
    short = board.rename_columns([*(f"c{place}" for place in range(9)), "class"])
    policy = kanopy.Policy(quasi_identifiers=short.column_names[:-1], target="class", k=2)
    assert (len(squares), target) == (9, "class")
    return encode(short, policy).table


@requires_weka
def test_release_file_and_frame_are_one(tmp_path: Path) -> None:
    table = patients(600)
    policy = kanopy.Policy(
        quasi_identifiers=["age", "sex", "zip", "smoker"],
        target="readmitted",
        identifiers=["patient_id", "name"],
        keep=["diagnosis", "length_of_stay", "bmi", "admission_type"],
        k=5,
    )
    release = kanopy.anonymize(table, policy, method="mondrian")
    release.write(tmp_path / "release.csv")
    unpruned = WekaClassifier(options=("-U", "-M", "1"))
    learned = [
        clone(unpruned).fit(release).description_,
        clone(unpruned).fit(release.frame, "readmitted").description_,
        clone(unpruned).fit(tmp_path / "release.csv", "readmitted").description_,
    ]
    assert learned[0] == learned[1] == learned[2]
    assert "= [" in learned[0]  # ranges are labels
    raw = unpruned.fit(release).predict(table)
    assert set(raw) == {"no", "yes"}


@requires_weka
def test_unknown_suppressed_and_missing_are_alike(mixed: pa.Table) -> None:
    town = ["*" if place % 7 == 0 else town for place, town in enumerate(mixed["town"].to_pylist())]
    gaps = [None if word == "*" else word for word in town]
    starred, gapped = (
        WekaClassifier().fit(mixed.set_column(1, "town", pa.array(words)), "class") for words in (town, gaps)
    )
    assert starred.description_ == gapped.description_
    assert starred.columns_ == gapped.columns_
    shares = [
        gapped.predict_proba(mixed.slice(0, 50).set_column(1, "town", pa.array([word] * 50, pa.string())))
        for word in ("*", None, "", "a town that training never saw")
    ]
    assert all((found == shares[0]).all() for found in shares)
    known = gapped.predict_proba(mixed.slice(0, 50).set_column(1, "town", pa.array(["town 2"] * 50)))
    assert not (known == shares[0]).all()


@requires_weka
def test_numbers_written_as_text_are_numbers(mixed: pa.Table) -> None:
    as_text = mixed.set_column(0, "age", mixed["age"].cast(pa.string()))
    typed, written = (WekaClassifier().fit(table, "class") for table in (mixed, as_text))
    assert typed.description_ == written.description_
    assert "age <=" in typed.description_
    assert (typed.predict(as_text) == written.predict(mixed)).all()
    codes = mixed.set_column(0, "age", pa.array([f"{number:03d}" for number in range(300)]))
    assert WekaClassifier().fit(codes, "class").columns_[0].labels is not None
    # A word in a column of numbers is unknown.
    strange = as_text.set_column(0, "age", pa.array(["[20, 29]"] * 300))
    empty = as_text.set_column(0, "age", pa.nulls(300))
    assert (typed.predict_proba(strange) == typed.predict_proba(empty)).all()


@requires_weka
def test_columns_of_which_nothing_is_known(mixed: pa.Table) -> None:
    nothing = mixed.set_column(0, "age", pa.array(["*"] * 300)).set_column(2, "height", pa.nulls(300))
    for scheme in ("J48", "NaiveBayes", "Logistic"):
        learner = WekaClassifier(scheme).fit(nothing, "class")
        assert learner.predict_proba(nothing).shape == (300, 3)
        assert (learner.predict(mixed) == learner.predict(nothing)).all()


@requires_weka
def test_rows_that_are_left_unclassified_get_the_shares_of_the_table(id3: WekaClassifier) -> None:
    words = pa.table({"a": ["x", "x", "y", "y", "z", "z"], "b": ["1 ", "2", "x", "y", "x", "y"]})
    learner = id3.fit(words, np.array(["k", "l", "k", "k", "l", "l"]))
    found = learner.predict_proba(pa.table({"a": ["x", "y"], "b": ["x", "y"]}))
    assert found.tolist() == [[0.5, 0.5], [1, 0]]


@requires_weka
def test_one_class_needs_no_weka() -> None:
    stop_all()
    learner = WekaClassifier().fit([[1.0], [2.0]], ["only", "only"])
    assert learner.predict([[3.0]]).tolist() == ["only"]
    assert the_program().pid is None


# --- hostile texts --------------------------------------------------------------------------------------

HOSTILE = (
    *(
        "'",
        '"',
        "\\",
        "\\n",
        "\n",
        "\r\n",
        "\t",
        "%",
        "% a comment",
        "{",
        "}",
        "{a, b}",
        "[1, 2]",
        ",",
        "a,b",
    ),
    *(
        "?",
        "'?'",
        "@data",
        "@attribute x {a}",
        "é",
        "e\u0301e",
        "漢字",
        "\U0001f332",
        "\u2028",
        "\u202e",
        "\x01",
    ),
    *(
        "\\'",
        "\\\\",
        "'a' 'b'",
        "a b",
        "1",
        "-0",
        "nan",
        "\\u0041",
        "\\101",
        "\x7f",
        "\ufffd",
        "''",
        '"a"',
        "a\x00",
    ),
)


@requires_weka
def test_hostile_texts(id3: WekaClassifier) -> None:
    """As names, as values and as classes: every text leads to its own class, and to no other."""
    words = [word for word in HOSTILE if "\0" not in word and clean_text(word)]
    assert len({clean_text(word) for word in words}) == len(words) > 30
    table = pa.table({"": words * 2, "class": ["same"] * len(words) * 2}).rename_columns(
        ["'%{\n,é\"", "class"]
    )
    learner = id3.fit(table, np.array(words * 2))
    assert learner.predict(table).tolist() == words * 2
    assert (learner.predict_proba(table).max(axis=1) == 1).all()
    assert set(learner.classes_) == set(words)
    with pytest.raises(InputError, match="NUL"):
        clone(id3).fit(pa.table({"a": ["a\0", "b"]}), [0, 1])


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12)


def is_value(text: str) -> bool:
    return clean_text(text) not in ("", "*")


@requires_weka
@settings(max_examples=n_tables(12))
@given(st.lists(texts.filter(is_value), min_size=2, max_size=15, unique_by=clean_text))
def test_any_texts(words: list[str]) -> None:
    """Also those that are numbers: a word beside them makes them labels."""
    numbers = list(range(len(words)))
    learner = WekaClassifier("IBk").fit(pa.table({"a": [*words, "longer than any"]}), [*numbers, -1])
    assert learner.predict(pa.table({"a": words})).tolist() == numbers


@requires_weka
@settings(max_examples=n_tables(12))
@given(st.lists(texts, min_size=2, max_size=15, unique=True))
def test_any_classes(words: list[str]) -> None:
    classes = np.array(words, dtype=object)
    learner = WekaClassifier("IBk").fit(np.arange(len(words)).reshape(-1, 1), classes)
    assert learner.predict(np.arange(len(words)).reshape(-1, 1)).tolist() == words


# --- refusals -------------------------------------------------------------------------------------------


@requires_weka
def test_what_a_classifier_cannot_do_is_told_without_cells(id3: WekaClassifier) -> None:
    secret = pa.table({"a": ["s3cret", "t0psecret"] * 5, "n": [271828.5, 314159.25] * 5})
    with pytest.raises(InputError) as told:
        clone(id3).fit(secret, ["c1assified", "pub1ic"] * 5)
    assert "numeric attributes" in str(told.value)
    words = pa.table({"a": ["s3cret", None] * 5})
    with pytest.raises(InputError) as gaps:
        clone(id3).fit(words, ["c1assified", "pub1ic"] * 5)
    for error in (told.value, gaps.value):
        assert not re.search(r"s3cret|271828|314159|c1assified|pub1ic", str(error))


@requires_weka
def test_a_broken_table_shows_nothing() -> None:
    """It cannot come from us; but if it did, Weka's message would quote it."""
    import struct

    broken = b"@relation r\n@attribute a {x}\n@attribute c {y,z}\n@data\ns3cret,y\n"
    request = b"T" + b"".join(
        struct.pack(">i", len(part)) + part for part in (b"weka.classifiers.trees.J48",)
    )
    request += struct.pack(">i", 0) + struct.pack(">i", len(broken)) + broken
    answer = the_program().ask(request, seconds=PATIENCE)
    assert answer[0] == 1
    assert b"s3cret" not in answer
    assert b"IOException" in answer


@requires_weka
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"scheme": "J47"}, "did you mean 'J48'"),
        ({"scheme": "xyzzy"}, "full names"),
        ({"scheme": None}, "full names"),
        ({"scheme": "weka.classifiers.trees.J47"}, "has no weka.classifiers.trees.J47"),
        ({"scheme": "java.lang.String"}, "has no java.lang.String"),
        ({"options": ("-Z",)}, "-Z"),
        ({"options": "-M 5"}, "sequence of texts"),
        ({"options": (1,)}, "sequence of texts"),
        ({"timeout": 0}, "above 0"),
    ],
)
def test_wrong_settings(settings: dict[str, object], said: str, mixed: pa.Table) -> None:
    learner = WekaClassifier(**settings)  # type: ignore[arg-type]
    with pytest.raises(PolicyError) as told:
        learner.fit(mixed, "class")
    assert said in str(told.value)


def test_no_weka(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mixed: pa.Table) -> None:
    monkeypatch.setenv("WEKA_JAR", str(tmp_path / "none.jar"))
    with pytest.raises(ResourceError, match="that WEKA_JAR names"):
        WekaClassifier().fit(mixed, "class")
    with pytest.raises(ResourceError, match="that was given"):
        WekaClassifier(jar=tmp_path / "other.jar").fit(mixed, "class")
    monkeypatch.delenv("WEKA_JAR")
    monkeypatch.setattr("kanopy_weka.program.INSTALLED", ())
    with pytest.raises(ResourceError, match="not installed") as told:
        WekaClassifier().fit(mixed, "class")
    assert "apt install weka default-jre-headless" in told.value.hint
    assert "WEKA_JAR" in told.value.hint


def test_no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mixed: pa.Table) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    jar = tmp_path / "weka.jar"
    jar.touch()
    with pytest.raises(ResourceError, match="needs Java") as told:
        WekaClassifier(jar=jar).fit(mixed, "class")
    assert "default-jre-headless" in told.value.hint


@requires_weka
def test_a_jar_that_is_not_weka(tmp_path: Path, mixed: pa.Table) -> None:
    (tmp_path / "weka.jar").write_bytes(b"PK\x05\x06" + bytes(18))  # an empty zip file
    with pytest.raises(ResourceError, match="does not start") as told:
        WekaClassifier(jar=tmp_path / "weka.jar").fit(mixed, "class")
    assert "weka.jar Weka?" in told.value.hint


# --- scikit-learn's contract ----------------------------------------------------------------------------


@requires_weka
@parametrize_with_checks([WekaClassifier()])
def test_estimator_contract(estimator: WekaClassifier, check: object) -> None:
    check(estimator)  # type: ignore[operator]
