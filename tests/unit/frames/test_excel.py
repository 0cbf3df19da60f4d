"""Excel workbooks: the same texts as in CSV, whatever a spreadsheet keeps them as."""

from __future__ import annotations

import csv
import sys
import warnings
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from command import run

import kanopy
from kanopy.errors import InputError, KanopyWarning, PolicyError, ResourceError
from kanopy.frames.source import read_source
from kanopy.policy.reading import SourceFormat

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl (the extra excel) is not installed")

PEOPLE = [["age", "zip", "ill"]] + [[str(20 + n % 9), f"0{1000 + n % 3}", "yn"[n % 2]] for n in range(60)]


def book(path: Path, *sheets: tuple[str, list[list[Any]]]) -> Path:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets:
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return path


def columns(path: Path, **form: Any) -> dict[str, list[str]]:
    return read_source(path, SourceFormat(**form)).to_pydict()


def test_texts_numbers_dates_and_truths(tmp_path: Path) -> None:
    values = [
        "01067", " blank ", 1067, 12.0, 0.1 + 0.2, 1e21, 2.5e-7, -3, True, date(2024, 2, 29),
        datetime(2024, 2, 29, 13, 5), time(7, 30), timedelta(hours=30), "2024-02-29", "=", None,
    ]  # fmt: skip
    expected = [
        "01067", " blank ", "1067", "12", "0.3", "1000000000000000000000", "0.00000025", "-3", "TRUE",
        "2024-02-29", "2024-02-29 13:05:00", "07:30:00", "30:00:00", "2024-02-29", "=", "",
    ]  # fmt: skip
    path = book(tmp_path / "t.xlsx", ("a", [["x", "y"], *([value, "z"] for value in values)]))
    assert columns(path)["x"] == expected


def test_zeros_that_a_format_shows_are_kept(tmp_path: Path) -> None:
    made = openpyxl.Workbook()
    made.active.append(["zip", "n"])
    made.active.append([1067, 5])
    made.active["A2"].number_format = "00000"
    made.save(tmp_path / "t.xlsx")
    assert columns(tmp_path / "t.xlsx") == {"zip": ["01067"], "n": ["5"]}


@pytest.mark.usefixtures("few_folds")
def test_every_command_does_what_it_does_with_csv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    book(Path("t.xlsx"), ("people", PEOPLE))
    with Path("t.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows(PEOPLE)
    flags = ("--quasi", "age,zip", "--target", "ill", "--k", "3")
    for name in ("t.csv", "t.xlsx"):
        assert run("anonymize", name, "-o", f"{name}.release.csv", "--no-certificate", *flags).code == 0
    assert Path("t.csv.release.csv").read_bytes() == Path("t.xlsx.release.csv").read_bytes()
    for command in (("suggest",), ("profile", "--quasi", "age,zip", "--json"), ("audit", *flags, "--json")):
        name, *given = command
        of_csv, of_excel = (run(name, table, *given) for table in ("t.csv", "t.xlsx"))
        assert (of_csv.code, of_csv.out) == (of_excel.code, of_excel.out.replace("t.xlsx", "t.csv"))
    attack = ("attack", "t.csv.release.csv", *flags, "--json", "--source")
    assert run(*attack, "t.csv").out == run(*attack, "t.xlsx").out
    assert run("evaluate", "t.xlsx", *flags, "--learners", "nb", "--jobs", "1").code == 0


def test_the_sheet_is_named(tmp_path: Path) -> None:
    path = book(tmp_path / "t.xlsx", ("notes", [["read me"]]), ("Müller & co", PEOPLE))
    with pytest.raises(PolicyError, match="has several sheets: 'notes', 'Müller & co'") as caught:
        columns(path)
    assert caught.value.hint.for_shell == "say which one: --sheet notes"
    assert len(columns(path, sheet="Müller & co")["age"]) == 60
    with pytest.raises(PolicyError, match="has no sheet 'people'"):
        columns(path, sheet="people")
    outcome = run("suggest", path, "--sheet", "Müller & co")
    assert 'sheet = "Müller & co"' in outcome.out
    assert run("profile", path, "--sheet", "Müller & co", "--quasi", "age").code == 0
    policy = kanopy.Policy(
        quasi_identifiers=["age", "zip"], target="ill", k=3, source={"sheet": "Müller & co"}
    )
    assert kanopy.anonymize(path, policy).audit.kept


def test_only_workbooks_have_sheets(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(PolicyError, match="only Excel workbooks have sheets"):
        columns(tmp_path / "t.csv", sheet="a")
    path = book(tmp_path / "t.xlsx", ("a", PEOPLE))
    with pytest.raises(PolicyError, match="an Excel workbook has no delimiter"):
        read_source(path, delimiter=";")


def test_hidden_rows_and_columns_are_told(tmp_path: Path) -> None:
    made = openpyxl.load_workbook(book(tmp_path / "t.xlsx", ("a", PEOPLE)))
    made.active.row_dimensions[5].hidden = made.active.row_dimensions[7].hidden = True
    made.active.column_dimensions["B"].hidden = True
    made.save(tmp_path / "t.xlsx")
    with pytest.warns(KanopyWarning, match="sheet 'a' has 2 hidden rows and 1 hidden column, which are read"):
        assert len(columns(tmp_path / "t.xlsx")["age"]) == 60
    assert "warning" in run("profile", tmp_path / "t.xlsx", "--quasi", "age").err


def test_formulas_without_a_value_are_no_missing_values(tmp_path: Path) -> None:
    path = book(tmp_path / "t.xlsx", ("a", [["x", "y"], [1, "=A2+1"], [2, "=A3+1"]]))
    with pytest.raises(InputError, match="2 formulas on sheet 'a' have no value"):
        columns(path)


def test_blank_rows_and_what_lies_beside_the_table(tmp_path: Path) -> None:
    rows = [[], [], ["a", "b", None], ["1", "2"], [None, None], ["3", None], [], []]
    assert columns(book(tmp_path / "t.xlsx", ("s", rows))) == {"a": ["1", "3"], "b": ["2", ""]}
    path = book(tmp_path / "u.xlsx", ("s", [["a", "b"], ["1", "2"], ["3", "4", "a remark"]]))
    with pytest.raises(InputError, match="row 3 has a cell beyond the columns") as caught:
        columns(path)
    assert "remark" not in str(caught.value)
    assert columns(book(tmp_path / "v.xlsx", ("s", [["a"], ["1"], [None], ["2"], [None]]))) == {
        "a": ["1", "", "2"]
    }


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "the sheet is empty"),
        ([["a"]], "no data rows"),
        ([["a", "a"], [1, 2]], "more than once"),
        ([["a", None, "c"], [1, 2, 3]], "column"),
    ],
)
def test_what_is_no_table(tmp_path: Path, rows: list[list[Any]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        columns(book(tmp_path / "t.xlsx", ("s", rows)))


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = book(tmp_path / "t.xlsx", ("a", PEOPLE))
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(ResourceError, match="openpyxl, which is not installed") as caught:
        columns(path)
    assert "kanopy[excel]" in caught.value.hint


def test_nothing_else_is_warned_about(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        columns(book(tmp_path / "t.xlsx", ("a", PEOPLE)))
