"""Weka's classifiers through scikit-learn's face: what they learn, and what becomes of the Java machine."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from compare_j48 import data_folder, grown, halves, read_table
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks
from weka_program import Column, run_weka, write_arff

import kanopy
from kanopy.data import EncodedTable
from kanopy.data.grammar import clean_text
from kanopy.datasets import patients
from kanopy.errors import InputError, KanopyError, PolicyError, ResourceError
from kanopy.trees import predict
from kanopy_studies import datasets
from kanopy_weka import program as program_module
from kanopy_weka.classifier import SCHEMES, WekaClassifier
from kanopy_weka.program import WekaProgram, find_jar, find_java, program_for, stop_all


def what_lacks() -> str:
    try:
        find_java(), find_jar()
    except ResourceError as error:
        return str(error)
    return ""


requires_weka = pytest.mark.skipif(bool(what_lacks()), reason=what_lacks() or "Weka is there")
needs_tables = pytest.mark.skipif(data_folder() is None, reason="KANOPY_DATA names no folder with the tables")


def the_program() -> WekaProgram:
    return program_for(find_jar())


def is_alive(pid: int) -> bool:
    """Whether it runs; what has ended but was not waited for does not."""
    status = Path(f"/proc/{pid}/stat")
    if not status.exists():
        return False
    return status.read_text().rpartition(")")[2].split()[0] != "Z"


def ends(pid: int, seconds: float = 10.0) -> bool:
    until = time.monotonic() + seconds
    while is_alive(pid):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc to look at programs")


@pytest.fixture
def mixed() -> pa.Table:
    """Numbers, words and gaps, and a class that depends on them."""
    rng = np.random.default_rng(3)
    n_rows = 300
    age, town = rng.integers(18, 90, n_rows), rng.integers(0, 4, n_rows)
    height = rng.normal(170, 10, n_rows).round(1)
    score = (age > 50).astype(int) + (town == 2) + (height > 175)
    return pa.table(
        {
            "age": pa.array(age, mask=rng.random(n_rows) < 0.1),
            "town": pa.array([f"town {number}" for number in town], mask=rng.random(n_rows) < 0.1),
            "height": pa.array(height),
            "class": pa.array([("low", "middle", "high", "high")[value] for value in score]),
        }
    )


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
    answer = the_program().ask(request, seconds=60)
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


# --- the Java machine -----------------------------------------------------------------------------------


@requires_weka
def test_two_classifiers_share_one_machine(mixed: pa.Table) -> None:
    first = WekaClassifier().fit(mixed, "class")
    pid = the_program().pid
    second = WekaClassifier("NaiveBayes").fit(mixed, "class")
    first.predict(mixed)
    second.predict(mixed)
    assert pid is not None
    assert the_program().pid == pid
    assert WekaClassifier(jar=find_jar())._program() is the_program()


@requires_weka
def test_more_models_than_the_machine_remembers(mixed: pa.Table) -> None:
    learners = [WekaClassifier(options=("-M", str(number))).fit(mixed, "class") for number in range(1, 13)]
    expected = [clone(learner).fit(mixed, "class").predict_proba(mixed) for learner in learners]
    for _ in range(2):
        for learner, shares in zip(learners, expected, strict=True):
            assert (learner.predict_proba(mixed) == shares).all()
    assert len({shares.tobytes() for shares in expected}) > 3


@requires_weka
def test_threads_wait_for_each_other(mixed: pa.Table) -> None:
    expected = WekaClassifier().fit(mixed, "class").predict(mixed)
    found: list[bool] = []

    def work() -> None:
        for _ in range(3):
            found.append(bool((WekaClassifier().fit(mixed, "class").predict(mixed) == expected).all()))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 12


@requires_weka
def test_pickled_models_answer_elsewhere(mixed: pa.Table, tmp_path: Path) -> None:
    for scheme in ("J48", "IBk"):
        learner = WekaClassifier(scheme).fit(mixed, "class")
        expected = learner.predict_proba(mixed)
        copy = pickle.loads(pickle.dumps(learner))
        stop_all()  # and with it everything that Java knew
        assert (copy.predict_proba(mixed) == expected).all()
    (tmp_path / "learner.pickle").write_bytes(pickle.dumps((learner, mixed)))
    program = (
        "import pickle, sys; learner, table = pickle.loads(open(sys.argv[1], 'rb').read()); "
        "print(learner.predict_proba(table).sum(axis=0).tolist())"
    )
    printed = run_python(program, tmp_path / "learner.pickle").stdout
    assert printed.strip() == str(expected.sum(axis=0).tolist())


def run_python(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )


LEARN = """
import os, sys
from kanopy_weka.classifier import WekaClassifier
learner = WekaClassifier().fit([[1.0], [2.0]] * 5, [0, 1] * 5)
print(learner._program().pid, flush=True)
"""


@requires_weka
@needs_proc
def test_it_ends_with_the_program() -> None:
    done = run_python(LEARN)
    assert done.stderr == ""
    assert not is_alive(int(done.stdout))


@requires_weka
@needs_proc
@pytest.mark.parametrize("work", ["import time; time.sleep(60)", "SLOW"])
def test_it_ends_with_a_program_that_was_killed(work: str) -> None:
    """Idle or in the middle of an endless training."""
    if work == "SLOW":
        work = "WekaClassifier('MultilayerPerceptron', ('-N', '9999999')).fit([[1.0], [2.0]] * 5, [0, 1] * 5)"
    child = subprocess.Popen([sys.executable, "-c", LEARN + work], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    with child.stdout as printed:
        pid = int(printed.readline())
        assert is_alive(pid)
        time.sleep(0.5)
        child.kill()
        child.wait()
    assert ends(pid)


@requires_weka
@needs_proc
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_starts_its_own() -> None:
    program = LEARN + (
        "import threading\n"
        "held, done = threading.Event(), threading.Event()\n"
        "def hold():\n"
        "    with learner._program()._lock:\n"
        "        held.set()\n"
        "        done.wait()\n"
        "thread = threading.Thread(target=hold)\n"
        "thread.start()\n"
        "held.wait()\n"  # somebody asks at this moment: the child must not wait for an answer to that
        "child = os.fork()\n"
        "done.set()\n"
        "if not child:\n"
        "    again = WekaClassifier().fit([[1.0], [2.0]] * 5, [0, 1] * 5)\n"
        "    print(again._program().pid, flush=True)\n"
        "    assert learner.predict([[2.0]]) == [1]\n"
        "    sys.exit()\n"
        "os.waitpid(child, 0)\n"
        "assert learner.predict([[2.0]]) == [1]\n"
        "print(learner._program().pid)\n"
    )
    # From Python 3.12 on, a fork beside threads is warned of; ours sleep.
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    first, second, third = map(int, done.stdout.split())
    assert first == third != second
    assert ends(first)
    assert ends(second)


@requires_weka
@needs_proc
def test_it_is_started_again_when_somebody_ended_it(mixed: pa.Table) -> None:
    learner = WekaClassifier().fit(mixed, "class")
    expected = learner.predict(mixed)
    pid = the_program().pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + 10
    while the_program().pid == pid:  # its threads take a moment to end
        assert time.monotonic() < until
        time.sleep(0.02)
    assert (learner.predict(mixed) == expected).all()
    assert the_program().pid not in (None, pid)


SLOW = WekaClassifier("MultilayerPerceptron", ("-N", "9999999"))


@requires_weka
@needs_proc
def test_a_crash_in_the_middle(mixed: pa.Table) -> None:
    WekaClassifier().fit(mixed, "class")
    pid = the_program().pid
    assert pid is not None
    killer = threading.Timer(0.7, os.kill, (pid, signal.SIGKILL))
    killer.start()
    with pytest.raises(ResourceError, match="ended in the middle of its work, with code -9"):
        clone(SLOW).fit(mixed, "class")
    killer.join()
    assert WekaClassifier().fit(mixed, "class").predict(mixed).shape == (300,)


@requires_weka
@needs_proc
def test_timeout(mixed: pa.Table) -> None:
    WekaClassifier().fit(mixed, "class")
    pid = the_program().pid
    assert pid is not None
    began = time.monotonic()
    with pytest.raises(ResourceError, match=r"within 0\.5 seconds"):
        clone(SLOW).set_params(timeout=0.5).fit(mixed, "class")
    assert time.monotonic() - began < 5
    assert ends(pid)
    assert WekaClassifier().fit(mixed, "class").predict(mixed).shape == (300,)


@requires_weka
@needs_proc
def test_an_interrupt_does_not_mix_up_answers(mixed: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = WekaClassifier().fit(mixed, "class")
    expected = learner.predict(mixed)
    pid = the_program().pid
    assert pid is not None

    def interrupted(stream: object) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(program_module, "_read", interrupted)
        with pytest.raises(KeyboardInterrupt):
            WekaClassifier("NaiveBayes").fit(mixed, "class")
    assert ends(pid)
    assert (learner.predict(mixed) == expected).all()


@requires_weka
@needs_proc
def test_it_ends_when_nobody_asks(mixed: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_module, "IDLE_SECONDS", 0.3)
    learner = WekaClassifier().fit(mixed, "class")
    pid = the_program().pid
    assert pid is not None
    assert ends(pid)
    assert learner.predict(mixed).shape == (300,)


@requires_weka
def test_memory(mixed: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_all()
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xmx24m")
    n_rows = 40_000
    rng = np.random.default_rng(0)
    with pytest.raises(KanopyError, match=r"memory|ended in the middle") as told:
        WekaClassifier("IBk").fit(rng.random((n_rows, 20)), rng.integers(0, 2, n_rows))
    assert "-Xmx4g" in told.value.hint
    monkeypatch.delenv("JAVA_TOOL_OPTIONS")
    stop_all()
    assert WekaClassifier().fit(mixed, "class").predict(mixed).shape == (300,)


# --- the driver -----------------------------------------------------------------------------------------


def test_the_driver_runs_on_any_java_from_8_on() -> None:
    content = (program_module.DRIVER_FOLDER / "WekaDriver.class").read_bytes()
    assert content[:4] == b"\xca\xfe\xba\xbe"
    assert int.from_bytes(content[6:8], "big") == 52
    assert b"weka/" not in content  # nothing of Weka was there when it was compiled


@requires_weka
@pytest.mark.skipif(shutil.which("javac") is None, reason="there is no javac to build the driver with")
def test_the_driver_is_what_its_source_says(
    tmp_path: Path, mixed: pa.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = program_module.DRIVER_FOLDER
    # As its source tells.
    command = ["javac", "--release", "8", "-Xlint:-options", "-g:none", "-d", str(tmp_path)]
    subprocess.run([*command, str(folder / "WekaDriver.java")], check=True, timeout=60)
    assert [path.name for path in tmp_path.iterdir()] == ["WekaDriver.class"]
    version = subprocess.run(["javac", "-version"], capture_output=True, text=True, check=True).stdout
    if version.startswith("javac 17."):  # with which the one beside the source was built
        assert (tmp_path / "WekaDriver.class").read_bytes() == (folder / "WekaDriver.class").read_bytes()
    shipped = WekaClassifier().fit(mixed, "class")
    expected = shipped.predict_proba(mixed)
    stop_all()
    monkeypatch.setattr(program_module, "DRIVER_FOLDER", tmp_path)
    built = WekaClassifier().fit(mixed, "class")
    assert built.description_ == shipped.description_
    assert (built.predict_proba(mixed) == expected).all()
    with pytest.raises(PolicyError, match="-Z"):
        WekaClassifier(options=("-Z",)).fit(mixed, "class")
    stop_all()


# --- scikit-learn's contract ----------------------------------------------------------------------------


@requires_weka
@parametrize_with_checks([WekaClassifier()])
def test_estimator_contract(estimator: WekaClassifier, check: object) -> None:
    check(estimator)  # type: ignore[operator]
