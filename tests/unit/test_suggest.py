"""Drafting a policy: a role and a reason for every column, in a file that can be read back."""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from command import PATIENCE, run, spawn

import kanopy
from kanopy.drafting import ColumnSuggestion, Suggestion, suggest
from kanopy.errors import InputError, PolicyError
from kanopy.policy import Policy
from kanopy.policy.toml_file import read_policy

N = 60
TYPICAL: dict[str, list[Any]] = {
    "full name": [
        f"{('Ann', 'Eva', 'Tom')[i % 3]} Smith-{chr(65 + i // 26)}{chr(97 + i % 26)}" for i in range(N)
    ],
    "patientId": [f"p{i % 40}" for i in range(N)],
    "contact": [f"ann{i % 50}@example.org" for i in range(N)],
    "remark": [f"came in on day {i % 30} of May" for i in range(N)],
    "record": [f"r{i}" for i in range(N)],
    "age": [20 + i % 30 for i in range(N)],
    "zip": [1000 + i % 6 for i in range(N)],
    "sex": ["f", "m", "?"] * (N // 3),
    "birth": [f"1980-01-{i % 25 + 1:02}" for i in range(N)],
    "weight": [50 + i / 7 for i in range(N)],
    "diagnosis": [f"d{i % 5}" for i in range(N)],
    "readmitted": ["yes", "no"] * (N // 2),
    "region": ["north", "south", "west"] * (N // 3),
}


def draft(columns: dict[str, Any], **options: Any) -> Suggestion:
    return suggest(pa.table(columns), **options)


def column(made: Suggestion, name: str) -> ColumnSuggestion:
    return next(column for column in made.columns if column.name == name)


def read_back(made: Suggestion) -> Policy:
    return read_policy(made.to_toml().encode())


@pytest.mark.parametrize(
    ("name", "role", "reason"),
    [
        ("full name", "identifiers", "frequent names of people"),
        ("patientId", "person", "several rows per person"),
        ("contact", "identifiers", "e-mail addresses"),
        ("remark", "identifiers", "free text"),
        ("record", "identifiers", "nearly every row has a number of its own"),
        ("age", "quasi_identifiers", "30 different numbers"),
        ("zip", "quasi_identifiers", "6 different numbers"),
        ("sex", "quasi_identifiers", "3 different texts"),
        ("birth", "quasi_identifiers", "25 different dates in one format"),
        ("weight", "quasi_identifiers", "60 different numbers"),
        ("diagnosis", "sensitive", "the name hints at something confidential"),
        ("readmitted", "target", "2 classes; published as it is"),
        ("region", "quasi_identifiers", "3 different texts"),
    ],
)
def test_roles_and_reasons(name: str, role: str, reason: str) -> None:
    made = column(draft(TYPICAL), name)
    assert made.role == role
    assert reason in made.reason
    assert made.certainty in ("sure", "likely", "doubtful")
    assert (name == "zip") == made.is_code


def test_the_draft_is_a_policy_that_covers_every_column() -> None:
    made = draft(TYPICAL)
    policy = read_back(made)
    assert policy.roles == {column.name: column.role for column in made.columns}
    policy.check_columns(list(TYPICAL))
    assert (policy.k, policy.missing, policy.categorical) == (3, ("?",), ("zip",))


@pytest.mark.parametrize(
    ("values", "diversity"),
    [
        ([f"d{i % 9}" for i in range(N)], 3),
        ([f"d{i % 3}" for i in range(N)], 2),
        (["flu"] * 55 + ["cold", "measles", "mumps", "gout", "rash"], 0),  # most rows would become one group
    ],
)
def test_bounds(values: list[str], diversity: int) -> None:
    made = draft({**TYPICAL, "diagnosis": values})
    text = made.to_toml()
    assert column(made, "diagnosis").diversity == diversity
    assert made.policy.promise.columns == (("diagnosis",) if diversity else ())
    if not diversity:
        start = text.index("# [[privacy.diversity]]")
        uncommented = text[:start] + text[start:].replace("\n# ", "\n").removeprefix("# ")
        assert read_policy(uncommented.encode()).promise.columns == ("diagnosis", "readmitted")


@pytest.mark.parametrize(
    "name",
    ['a"b', "a\\b", "a'b", "a\tb", "a#b", "]", "a,b", "x = 1", "\u202eabc", "\u009b31m", "Zo\u00eb",
     "北京", "a\x7fb", "\x1b[31m", "\U000e0041x", "a\u2028b"],
)  # fmt: skip
@pytest.mark.parametrize("role", ["quasi_identifiers", "target", "sensitive", "identifiers", "person"])
def test_nasty_names_are_quoted(name: str, role: str) -> None:
    suggestion = Suggestion(
        (ColumnSuggestion(name, role, "why\nnot", "likely", is_code=role == "quasi_identifiers"),
         ColumnSuggestion("q", "quasi_identifiers", "why")), ("?",), {'"': 3}, 2, 9,
    )  # fmt: skip
    text = suggestion.to_toml()
    assert read_policy(text.encode()).roles == {name: role, "q": "quasi_identifiers"}
    assert all(line.isprintable() for line in text.split("\n")), "a name must not drive the terminal"


def test_question_marks_mean_missing_and_others_may() -> None:
    made = draft({"q": ["?", " ? ", "NA", "a", "-9", "-9"], "t": ["y", "n", "unknown", "y", "n", "y"]})
    assert made.missing == ("?",)
    assert made.maybe_missing == {"NA": 1, "-9": 2, "unknown": 1}
    text = made.to_toml()
    assert 'missing = ["?"]  #' in text
    assert '# "-9" occurs 2 times: if it means missing, add it to missing' in text
    assert draft({"q": ["a", "b"] * 3, "t": ["y", "n"] * 3}).missing == ()


@pytest.mark.parametrize(
    ("columns", "target"),
    [
        ({"a": ["1", "2"] * 5, "outcome": ["y", "n"] * 5, "b": ["1", "2"] * 5}, "outcome"),
        ({"a": ["1", "2"] * 5, "b": ["1", "2"] * 5}, "b"),  # the last one, as such tables have it
        ({"outcome": ["y"] * 10, "b": [f"v{i}" for i in range(10)]}, None),  # one value; all different
        ({"outcome": [f"v{i % 21}" for i in range(42)], "b": ["x"] * 42}, None),
    ],
)
def test_likely_target(columns: dict[str, Any], target: str | None) -> None:
    found = [column.name for column in draft(columns).columns if column.role == "target"]
    assert found == ([] if target is None else [target])


def test_a_target_that_is_given() -> None:
    assert column(draft(TYPICAL, target="region"), "region").role == "target"
    assert column(draft(TYPICAL, target="region"), "readmitted").role == "quasi_identifiers"
    with pytest.raises(PolicyError, match="no column 'regoin'") as caught:
        draft(TYPICAL, target="regoin")
    assert caught.value.hint == "did you mean 'region'?"


def test_one_person_column_only() -> None:
    ids = [f"p{i % 40}" for i in range(N)]
    made = draft({"patient_id": ids, "customer_id": ids, "age": list(range(N))})
    assert [column.role for column in made.columns] == ["person", "identifiers", "identifiers"]


@pytest.mark.parametrize(("n_rows", "k"), [(3, 2), (60, 3), (200, 10), (5000, 10)])
def test_k_grows_with_the_table(n_rows: int, k: int) -> None:
    assert draft({"q": ["a", "b", "c"][: n_rows % 3 or 3] * (n_rows // (n_rows % 3 or 3))}).k == k


def test_no_rows() -> None:
    with pytest.raises(InputError, match="no rows"):
        draft({"q": pa.array([], pa.string())})


def test_no_cell_in_the_draft() -> None:
    secret = {name: [f"SECRET-{value}" for value in values] for name, values in TYPICAL.items()}
    made = draft(secret)
    assert "SECRET" not in made.to_toml() + json.dumps(made.to_dict())


# --- how the file is written -----------------------------------------------------------------------------


def german(n_rows: int = 200) -> str:
    """A hospital's export: semicolons, two formats of dates, times, decimal commas, censored values."""
    lines = ["Nr;Geburtsdatum;PLZ;Aufnahme;ICD;CRP;Kosten;Geschlecht;Wiederaufnahme"]
    for i in range(n_rows):
        year, month, day = 1930 + i * 7 % 80, i % 12 + 1, i * 5 % 28 + 1
        born = f"{day:02}.{month:02}.{year}" if i % 3 else f"{year}-{month:02}-{day:02}"
        came = f"{i * 3 % 28 + 1:02}.{i * 7 % 12 + 1:02}.{2021 + i % 2} {i % 24:02}:{i * 7 % 60:02}"
        icd = ("E11.9", "E11.2", "E10.1", "I10.00", "I50.1", "J18.9", "K35.8", "C50.9")[i % 8]
        crp = "<5" if i % 4 == 0 else "k.A." if i % 29 == 0 else f"{i % 90 + 5},{i % 10}"
        money = f"{i % 9 + 1}.{i * 37 % 1000:03},{i % 100:02}"
        town = ("01067", "01069", "04103", "04105", "80331", "80333")[i % 6]
        sex, back = ("m", "w", "")[i % 3], ("ja", "nein")[i % 2]
        lines.append(f"P{10000 + i};{born};{town};{came};{icd};{crp};{money};{sex};{back}")
    return "\r\n".join(lines)


@pytest.fixture
def export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    text = german().replace("Aufnahme;ICD", "Aufnahme;Größe")
    path = tmp_path / "ex port's.csv"
    path.write_bytes(text.replace("Größe", "Größe_ICD").encode("cp1252"))
    return path


def test_what_differs_from_the_usual_is_written(export: Path) -> None:
    made = suggest(export)
    assert made.source == {"delimiter": ";", "encoding": "cp1252"}
    settings = {each.name: each.settings for each in made.columns if each.settings}
    assert settings == {
        "Geburtsdatum": {
            "kind": "date",
            "formats": ["%d.%m.%Y", "%Y-%m-%d"],
            "levels": ["year", "decade"],
        },
        "Aufnahme": {"kind": "time", "formats": ["%d.%m.%Y %H:%M"], "levels": ["month", "year"]},
        "CRP": {"kind": "number", "decimal": ",", "censored": True},
        "Kosten": {"kind": "number", "decimal": ",", "thousands": "."},
    }
    assert made.missing == ("k.A.",)
    rules = {each.name: each.rule for each in made.hierarchies if each.is_advised}
    assert "CRP" not in {each.name for each in made.hierarchies}, "no rule groups values such as <5"
    assert rules == {"PLZ": {"prefix": [2, 1]}, "Größe_ICD": {"icd10": ["category", "block", "chapter"]}}
    assert draft(TYPICAL).source == {}, "a frame has no delimiter"


def test_every_line_says_why(export: Path) -> None:
    text = suggest(export).to_toml()
    silent = [line for line in text.splitlines() if "=" in line and "#" not in line]
    assert silent == []
    assert "(sure)" in text


def test_what_is_doubtful_is_coarse_and_marked() -> None:
    made = draft({"day": [f"{i % 12 + 1:02}/{i % 11 + 1:02}/2020" for i in range(N)], "q": ["a", "b"] * 30})
    found = column(made, "day")
    assert (found.certainty, found.settings["levels"]) == ("doubtful", ["year"])
    text = made.to_toml()
    assert '"day",  # check: ' in text
    assert "# check: is the day first" in text


@pytest.mark.parametrize(
    ("name", "first_year", "last_year", "levels"),
    [
        ("visit", 2019, 2021, ["month", "year", "decade"]),
        ("visit", 2021, 2022, ["month", "year"]),  # a decade that holds all is no level
        ("visit", 2021, 2021, ["month"]),
        ("born", 2001, 2011, ["year", "decade"]),
        ("x", 1950, 1995, ["year", "decade"]),  # may be births, whatever it is called
    ],
)
def test_levels(name: str, first_year: int, last_year: int, levels: list[str]) -> None:
    years = range(first_year, last_year + 1)
    dates = [f"{year}-{month:02}-{day:02}" for year in years for month in (1, 6, 9) for day in (3, 14, 28)]
    made = draft({name: dates * 3, "q": (["a", "b"] * len(dates) * 2)[: 3 * len(dates)]})
    assert column(made, name).settings["levels"] == levels


@pytest.mark.parametrize(
    "mark", ["-", "NA", "n/a", "k.A.", "unbekannt", "inconnu", "desconocido", ".", "onbekend"]
)
def test_marks_among_numbers(mark: str) -> None:
    made = draft({"n": [*(str(i % 40) for i in range(N - 1)), mark], "t": ["y", "n", mark] * 20})
    assert made.missing == (mark,)
    assert made.missing_elsewhere == {mark: ("t",)}
    assert f'# check: "{mark}" also means missing in "t" then' in made.to_toml()


@pytest.mark.parametrize("mark", ["?", "*"])
def test_marks_that_would_be_refused_are_declared(mark: str) -> None:
    table = {"q": [mark, "a", "b"] * 20, "t": ["y", "n"] * 30}
    made = draft(table)
    assert made.missing == (mark,)
    assert kanopy.anonymize(pa.table(table), made.policy).audit.kept


def test_values_that_are_not_written_as_the_others() -> None:
    """The unedited draft must run: a column that cannot be read whole is dropped, and marked."""
    dates = [f"{i % 28 + 1:02}.{i % 12 + 1:02}.20{i % 20:02}" for i in range(400)]
    dates[77] = "31.02.2001"
    table = {"day": dates, "q": ["a", "b"] * 200, "t": ["y", "n"] * 200}
    made = draft(table)
    found = column(made, "day")
    assert (found.role, found.certainty, found.settings) == ("identifiers", "doubtful", {})
    assert "1 cells (1 different) are no dates" in found.reason
    assert "31.02" not in made.to_toml()
    assert kanopy.anonymize(pa.table(table), made.policy).audit.kept


def test_months_that_all_differ_are_no_keys() -> None:
    table = {"day": [f"{i % 28 + 1:02}.{i % 12 + 1:02}.{1990 + i}" for i in range(30)], "t": ["y", "n"] * 15}
    assert kanopy.anonymize(pa.table(table), draft(table).policy).audit.kept


@pytest.mark.parametrize(
    ("n_blank", "role", "said"),
    [
        (1, "person", "1 row lacks it and counts for nobody"),
        (5, "person", "5 rows lack it and count for nobody"),
        (N + 1, "identifiers", "most rows lack it"),
    ],
)
def test_a_person_column_with_blanks(n_blank: int, role: str, said: str) -> None:
    """Marks that mean missing, and empty cells: one of them did away with the person before."""
    keys = [*(f"K{i % 20:05}" for i in range(2 * N - n_blank)), *["k.A.", *[""] * N][:n_blank]]
    table = {"patient_id": keys, "age": [*(str(i % 30) for i in range(2 * N - 1)), "k.A."]}
    made = draft({**table, "t": ["y", "n"] * N})
    assert made.missing == ("k.A.",)
    assert (column(made, "patient_id").role, said in column(made, "patient_id").reason) == (role, True)


def test_numbers_with_a_unit() -> None:
    table = {"price": [f"{i % 40},50 €" for i in range(N)], "q": ["a", "b"] * 30, "t": ["y", "n"] * 30}
    made = draft(table)
    assert column(made, "price").settings == {"kind": "number", "decimal": ",", "unit": "€"}
    assert kanopy.anonymize(pa.table(table), made.policy).audit.kept


@pytest.mark.parametrize(("number", "is_told"), [(-9, True), (999, True), (99, False), (39, False)])
def test_numbers_that_may_mean_missing(number: int, is_told: bool) -> None:
    made = draft({"n": [*(i % 40 for i in range(N - 1)), number], "q": ["a", "b"] * 30})
    assert made.maybe_missing == ({str(number): 1} if is_told else {})
    assert made.missing == ()


# --- the command -----------------------------------------------------------------------------------------


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,ill\n" + "20,f\n30,m\n" * 5, "utf-8")
    as_toml, as_json = run("suggest", path), run("suggest", path, "--json")
    assert read_policy(as_toml.out.encode()).roles == {"age": "quasi_identifiers", "ill": "target"}
    told = json.loads(as_json.out)
    assert [each["role"] for each in told["columns"]] == ["quasi_identifiers", "target"]
    assert {"certainty", "kind", "settings", "reason"} < set(told["columns"][0])
    assert {"source", "missing", "maybe_missing", "hierarchies", "k", "doubts"} < set(told)
    assert "kanopy anonymize" in as_toml.err
    assert run("suggest", path, "--target", "age").out != as_toml.out


SMALL = "age;ill\n" + "20;f\n30;m\n" * 15


def test_into_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.csv").write_text(SMALL)
    made = run("suggest", "small.csv", "-o", "policy.toml")
    assert (made.code, made.out) == (0, "")
    assert Path("policy.toml").read_text("utf-8") == suggest("small.csv").to_toml()
    assert stat.S_IMODE(Path("policy.toml").stat().st_mode) == 0o666 & ~_umask()
    again = run("suggest", "small.csv", "-o", "policy.toml")
    assert (again.code, "exists" in again.err) == (2, True)
    assert run("suggest", "small.csv", "-o", "policy.toml", "--force").code == 0
    Path("link.toml").symlink_to("policy.toml")
    assert run("suggest", "small.csv", "-o", "link.toml", "--force").code == 2
    assert run("suggest", "small.csv", "--force").code == 2


def test_no_policy_replaces_the_table(tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text(SMALL)
    assert run("suggest", table, "-o", table, "--force").code == 2
    assert table.read_text() == SMALL


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_where_it_fails_there_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("odd.csv").write_text("a b\n1,2;3\n4;5,6,7\n8\n")
    assert run("suggest", "odd.csv", "-o", "policy.toml").code == 3
    assert [path.name for path in tmp_path.iterdir()] == ["odd.csv"]
    with Path("redirected.toml").open("wb") as out:
        done = subprocess.run(
            [sys.executable, "-c", "from kanopy.cli.start import run; run()", "suggest", "odd.csv"],
            stdout=out, stderr=subprocess.PIPE, timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert (done.returncode, Path("redirected.toml").read_bytes()) == (3, b"")
    assert b"-o policy.toml leaves no empty file behind" in done.stderr


def test_the_next_command_runs_as_printed(export: Path) -> None:
    Path("release.csv").write_text("older")
    made = run("suggest", export.name, "-o", "my policy.toml")
    command = shlex.split(made.err.partition("then: ")[2])
    assert command == [
        *("kanopy", "anonymize", "ex port's.csv", "-o", "release_2.csv", "--policy", "my policy.toml")
    ]
    released = run(*command[1:])
    assert released.code == 0, released.err
    header, *rows = Path("release_2.csv").read_text("utf-8").splitlines()
    assert header == "Geburtsdatum,PLZ,Aufnahme,Größe_ICD,CRP,Kosten,Geschlecht,Wiederaufnahme"
    assert len(rows) == 200
    assert not any(re.search(r"P1\d{4}|\d\d:\d\d|\d{4}-\d\d-\d\d", row) for row in rows)


def test_what_is_printed_has_names_of_files_and_no_folders(tmp_path: Path) -> None:
    folder = tmp_path / "Ward 7 of Dr Schmidt"
    folder.mkdir()
    (folder / "data.csv").write_text(SMALL)
    flags = ("suggest", folder / "data.csv")
    for made in (
        run(*flags), run(*flags, "--json"), run(*flags, "-o", folder / "policy.toml"),
        run(*flags, "-o", folder / "other.toml", "--hierarchies", folder / "drafts"),
    ):  # fmt: skip
        assert "Schmidt" not in made.out + made.err
        assert "then in their folder: kanopy anonymize data.csv -o" in made.err
    profiled = run("profile", folder / "data.csv", "--delimiter=;", "--quasi=age")
    assert "kanopy suggest data.csv" in profiled.out
    assert "Schmidt" not in profiled.out + profiled.err
    wrong = run("audit", folder / "data.csv")
    assert "kanopy suggest data.csv -o policy.toml" in wrong.err
    for name in ("policy.toml", "other.toml"):
        assert "Schmidt" not in (folder / name).read_text()


def test_standard_input() -> None:
    made = spawn("suggest", "-", stdin=SMALL.encode())
    assert made.code == 0
    assert 'delimiter = ";"' in made.out
    assert "pipe the table in again, then: kanopy anonymize - -o release.csv --policy policy.toml" in made.err


def test_in_python(export: Path) -> None:
    made = kanopy.suggest(export)
    assert isinstance(made.policy, kanopy.Policy)
    assert made.policy.roles == {each.name: each.role for each in made.columns}
    released = kanopy.anonymize(export, made.policy)
    assert released.audit.kept


def test_nothing_left_to_generalize() -> None:
    made = draft({"id": [f"k{i:04}" for i in range(N)], "key": [f"x{i:04}" for i in range(N)]})
    assert "quasi_identifiers = []  # check" in made.to_toml()
    with pytest.raises(PolicyError, match="no quasi-identifiers"):
        _ = made.policy
