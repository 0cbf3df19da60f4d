"""Folders of parts as tables: audit, suggest, attack and evaluate take them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import assert_clean, run
from part_folders import FLAGS, FRAME, POLICY, edit, names_of, write_parts

import kanopy
from kanopy.certificate import FOLDER_CERTIFICATE
from kanopy.errors import InputError, PolicyError
from kanopy.frames.detected_file import read_detected
from kanopy.frames.folder import is_part_name, listed_parts
from kanopy.frames.tables import read_table


@pytest.fixture(params=[".csv", ".parquet"])
def out(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_parts(tmp_path / "out", request.param)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The source as a folder of Parquet files."""
    folder = tmp_path / "data"
    folder.mkdir()
    for number in range(3):
        pq.write_table(FRAME.slice(32 * number, 32), folder / f"{number}.parquet")
    return folder


@pytest.mark.parametrize("is_certified", [True, False])
def test_a_folder_is_audited_as_one_table(is_certified: bool, out: Path) -> None:
    if not is_certified:
        (out / FOLDER_CERTIFICATE).unlink()
    expected = kanopy.anonymize(FRAME, POLICY).audit
    found = kanopy.audit(out, POLICY)
    assert (found.promises, found.risks, found.rows) == (expected.promises, expected.risks, 96)
    assert kanopy.audit(f"{out}/", POLICY) == found
    assert run("audit", out, *FLAGS).code == 0


def test_rows_of_all_files_are_counted_together(tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"{number}.csv").write_text("age,sex\n30,f\n")
    policy = kanopy.Policy(["age", "sex"], k=2)
    assert kanopy.audit(tmp_path, policy).k == 2
    assert not kanopy.audit(tmp_path / "0.csv", policy).kept
    (tmp_path / "2.csv").write_text("sex,age\nf,30\n")
    assert kanopy.audit(tmp_path, policy).k == 3
    (tmp_path / "3.csv").write_text("age,sex,zip\n30,f,1\n")
    with pytest.raises(InputError, match="has other columns than the first file"):
        kanopy.audit(tmp_path, policy)


def test_a_source_in_a_folder_is_read_as_the_policy_says(tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"{number}.csv").write_text("born;sex\n" + "07.03.1970;f\n" * 2)
    form = {"born": {"kind": "date", "formats": ["%d.%m.%Y"], "levels": ["year"]}}
    policy = kanopy.Policy(["born", "sex"], k=4, columns=form, source={"delimiter": ";"})
    assert kanopy.audit(tmp_path, policy).k == 4


@pytest.mark.parametrize("name", ["more.csv", "more.txt", "b=1"])
def test_only_what_the_certificate_lists_is_read(name: str, out: Path) -> None:
    """PRIVACY: a file too many would be counted with the others, and fill groups."""
    (out / name).write_text("stay,age,zip,ill\n1,20,1,flu\n")
    for call in (lambda: kanopy.audit(out, POLICY), lambda: read_table(out), lambda: kanopy.suggest(out)):
        with pytest.raises(InputError, match="its files are not those that") as told:
            call()
        assert "kanopy verify" in str(told.value)
    assert run("audit", out, *FLAGS).code == 3


def test_a_part_that_is_gone_or_cut_short(out: Path) -> None:
    path = out / names_of(out)[0]
    raw = path.read_bytes()
    path.write_bytes(raw[:-1])
    with pytest.raises(InputError, match="its files are not those"):
        listed_parts(out)
    path.unlink()
    with pytest.raises(InputError, match="its files are not those"):
        listed_parts(out)


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{}", b'{"release": {"parts": []}}', b"[" * 100_000, b'{"release": 5}']
)
def test_a_certificate_that_is_none(raw: bytes, out: Path) -> None:
    (out / FOLDER_CERTIFICATE).write_bytes(raw)
    with pytest.raises(InputError, match="is no certificate of a folder"):
        listed_parts(out)
    (out / FOLDER_CERTIFICATE).unlink()
    (out / FOLDER_CERTIFICATE).mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        listed_parts(out)


def test_a_part_that_is_listed_twice(out: Path) -> None:
    edit(out, lambda known: known["release"]["parts"].append(known["release"]["parts"][0]))
    with pytest.raises(InputError, match="is no certificate of a folder"):
        listed_parts(out)


def test_names_of_parts() -> None:
    assert all(map(is_part_name, ("a.csv", "part-00000-x.c000.snappy.parquet", "ä b.csv")))
    others = (
        ".csv",
        "_a.csv",
        "a/b.csv",
        "a\\b.csv",
        "..",
        "a.txt",
        "a.CSV",
        "a\t.csv",
        "",
        None,
        5,
        ["a.csv"],
    )
    assert not any(map(is_part_name, others))


# --- Suggest ---------------------------------------------------------------------------------------------


def test_a_folder_is_drafted_like_one_file(data: Path, tmp_path: Path) -> None:
    assert kanopy.suggest(data) == kanopy.suggest(FRAME)
    outcome = run("suggest", data, "-o", tmp_path / "policy.toml")
    assert outcome.code == 0
    assert f"kanopy anonymize {data.name} -o" in outcome.err
    assert (tmp_path / "policy.toml").read_text() == kanopy.suggest(data).to_toml()
    inside = data / "policy.toml"
    assert run("suggest", data, "-o", inside).code == 0
    assert run("suggest", data).out == inside.read_text()


def test_the_first_file_tells_how_all_are_written(tmp_path: Path) -> None:
    for number, town in enumerate(("Köln", "Bonn", "Ulm")):
        (tmp_path / f"{number}.csv").write_bytes(
            f"age;town\n3{number};'{town}'\n4{number};'x;y'\n".encode("cp1252")
        )
    table, dialect = read_detected(tmp_path)
    assert dialect is not None
    assert (dialect.delimiter, dialect.encoding, dialect.quote) == (";", "cp1252", "'")
    assert table["town"].to_pylist() == ["Köln", "x;y", "Bonn", "x;y", "Ulm", "x;y"]
    (tmp_path / "3.csv").write_bytes(b"age,town\n1,Ulm\n")
    with pytest.raises(InputError, match=r"3[.]csv"):
        read_detected(tmp_path)
    outcome = run("suggest", tmp_path, "-o", tmp_path / "policy.toml")
    assert outcome.code == 3
    assert not (tmp_path / "policy.toml").exists()


def test_a_draft_replaces_no_file_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("age,sex\n" + "30,f\n40,m\n" * 20)
    (tmp_path / "p.toml").hardlink_to(tmp_path / "in" / "a.csv")
    outcome = run("suggest", tmp_path / "in", "-o", tmp_path / "p.toml", "--force")
    assert outcome.code == 2
    assert "output and input are the same file" in outcome.err
    shutil.rmtree(tmp_path / "in")
    (tmp_path / "in").mkdir()
    assert run("suggest", tmp_path / "in").code == 2


# --- Attack and evaluate ---------------------------------------------------------------------------------


def test_a_folder_is_attacked_like_one_file(out: Path, data: Path) -> None:
    release = kanopy.anonymize(FRAME, POLICY)
    assert kanopy.attack(out, data, POLICY, out) == kanopy.attack(release, FRAME, POLICY, release)
    outcome = run("attack", out, "--source", data, "--with", out, *FLAGS, "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out)["rows"] == 96
    (out / "more.csv").write_text("x")
    outcome = run("attack", out, "--source", data, *FLAGS)
    assert outcome.code == 3
    assert_clean(outcome)


@pytest.mark.usefixtures("few_folds")
def test_a_folder_is_evaluated(tmp_path: Path) -> None:
    for number in range(2):
        rows = "".join(f"{20 + i % 9},{'fm'[i % 2]},{'YN'[i % 9 > 4]}\n" for i in range(60))
        (tmp_path / f"{number}.csv").write_text(f"age,sex,cls\n{rows}")
    flags = ("--quasi=age,sex", "--target=cls", "--k=4", "--learners=nb", "--jobs=1", "--json")
    outcome = run("evaluate", tmp_path, *flags)
    assert outcome.code == 0, outcome.err
    (tmp_path / "empty").mkdir()
    outcome = run("evaluate", tmp_path / "empty", *flags)
    assert outcome.code == 2
    assert_clean(outcome)


def test_a_list_of_texts_is_no_table() -> None:
    with pytest.raises(PolicyError, match="this is a list"):
        read_table(["flu", "cold"])


def test_a_folder_without_tables(tmp_path: Path) -> None:
    for arguments in (("audit", tmp_path, *FLAGS), ("attack", tmp_path, "--source", tmp_path, *FLAGS)):
        outcome = run(*arguments)
        assert outcome.code == 2
        assert "is a directory without tables" in outcome.err


def test_frames_are_still_audited() -> None:
    assert kanopy.audit(pa.table({"age": ["1"] * 3}), kanopy.Policy(["age"], k=3)).k == 3
