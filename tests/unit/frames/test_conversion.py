"""Tables as they come, in the one form in which they are published."""

from datetime import UTC, date, datetime
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from kanopy import Policy
from kanopy.errors import InputError, KanopyError, PolicyError
from kanopy.frames.conversion import converted
from kanopy.frames.encode import encode
from kanopy.frames.tables import read_own

SECRET = "5ecret"


def read(values: list[Any], form: dict[str, Any], **fields: Any) -> list[Any]:
    policy = Policy(quasi_identifiers=["x"], k=2, columns={"x": form} if form else {}, **fields)
    return converted(pa.table({"x": values}), policy)["x"].to_pylist()


def derive(
    line: dict[str, Any], columns: dict[str, dict[str, Any]] | None = None, **values: list[Any]
) -> list[Any]:
    policy = Policy(
        quasi_identifiers=["new"], identifiers=list(values), k=2, derived={"new": line}, columns=columns or {}
    )
    return converted(pa.table(values), policy)["new"].to_pylist()


def test_several_formats_in_one_column() -> None:
    form = {"kind": "date", "formats": ["%d.%m.%Y", "%Y-%m-%d"]}
    assert read(["31.12.1959", "1960-01-01", "", None], form) == ["1959-12-31", "1960-01-01", None, None]


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("second", "2020-03-15 14:05:09"),
        ("minute", "2020-03-15 14:05"),
        ("hour", "2020-03-15 14h"),
        ("day", "2020-03-15"),
        ("month", "2020-03"),
        ("quarter", "2020-Q1"),
        ("year", "2020"),
        ("decade", "2020s"),
    ],
)
def test_values_are_cut_down_to_the_first_level(level: str, expected: str) -> None:
    form = {"kind": "time", "levels": [level]}
    for value in ("2020-03-15T14:05:09", "2020-03-15 14:05:09", datetime(2020, 3, 15, 14, 5, 9)):
        assert read([value], form) == [expected]
    # What was converted once stays as it is.
    assert read([expected], form) == [expected]


def test_typed_dates_need_no_format() -> None:
    form = {"kind": "date", "formats": ["%d.%m.%Y"], "levels": ["month"]}
    assert read([date(2020, 3, 15), None], form) == ["2020-03", None]
    assert read([15032020], {**form, "formats": ["%d%m%Y"]}) == ["2020-03"]  # a number is not typed as a date
    policy = Policy(quasi_identifiers=["x"], k=2, columns={"x": form})
    frame = pd.DataFrame({"x": pd.to_datetime(["2020-03-15", None])})
    assert read_own(frame, policy)[1]["x"].to_pylist() == ["2020-03", None]


def test_time_zones() -> None:
    texts = ["2020-06-30T23:30:00+00:00", "2020-01-31T23:30:00Z", "2020-01-31T23:30:00"]
    berlin = {"kind": "time", "zone": "Europe/Berlin", "levels": ["minute"]}
    assert read(texts, berlin) == ["2020-07-01 01:30", "2020-02-01 00:30", "2020-01-31 23:30"]
    aware = [datetime(2020, 6, 30, 23, 30, tzinfo=UTC)]
    assert read(aware, berlin) == ["2020-07-01 01:30"]
    for values in (texts, aware):
        with pytest.raises(InputError, match=r"column 'x': [12] cells .* have a time zone") as error:
            read(values, {"kind": "time", "levels": ["month"]})
        assert "zone" in error.value.hint


def test_missing_marks_come_before_conversion() -> None:
    assert read(["?", "2020", " ? "], {"kind": "date", "levels": ["year"]}, missing=["?"]) == [
        None,
        "2020",
        None,
    ]
    assert read(["-", "1,5"], {"kind": "number", "decimal": ","}, missing=["-"]) == [None, "1.5"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.234.567,80", "1234567.80"),
        ("-1,5", "-1.5"),
        ("+7", "7"),
        (",5", "0.5"),
        ("1,5e3", "1.5e3"),
        ("<5", "<5"),
        ("< 5,5", "<5.5"),
        ("≤ 5", "<=5"),
        ("≥1.000", ">=1000"),
        (">90", ">90"),
    ],
)
def test_numbers_as_they_are_written(text: str, expected: str) -> None:
    form = {"kind": "number", "decimal": ",", "thousands": ".", "censored": True}
    assert read([text], form) == [expected]


@pytest.mark.parametrize(
    ("unit", "text", "expected"), [("€", "5,00 €", "5.00"), ("€", "€ 1.200", "1200"), ("kg", "7", "7")]
)
def test_units_are_left_out(unit: str, text: str, expected: str) -> None:
    form = {"kind": "number", "decimal": ",", "thousands": ".", "unit": unit}
    assert read([text], form) == [expected]


@pytest.mark.parametrize("mark", ["'", " "])
def test_thousands_with_marks_that_look_alike(mark: str) -> None:
    others = {"'": "\u2019", " ": "\u202f"}
    form = {"kind": "number", "thousands": mark}
    assert read([f"12{mark}345.5", f"12{others[mark]}345.5", "12345"], form) == [
        "12345.5",
        "12345.5",
        "12345",
    ]


def test_the_marks_of_the_file() -> None:
    source = {"decimal": ",", "thousands": "."}
    assert read(["1,5", "2", "1.000"], {}, source=source) == ["1.5", "2", "1000"]
    assert read(["1,5", "a"], {}, source=source) == ["1,5", "a"]  # a category
    assert read(["01,5", "2"], {}, source=source) == ["01,5", "2"]  # a code
    assert read(["1,5", "2"], {}, source=source, categorical=["x"]) == ["1,5", "2"]
    assert read([1.5, 2.0], {"kind": "number"}, source=source) == [1.5, 2.0]


@pytest.mark.parametrize(
    ("values", "form", "n_cells"),
    [
        (["2020-01-01", SECRET, SECRET], {"kind": "date"}, 2),
        (["2020-02-30"], {"kind": "date"}, 1),
        (["2020"], {"kind": "date"}, 1),  # a year is no day
        (["01.02.2020", "2020-01-01"], {"kind": "date", "formats": ["%d.%m.%Y"]}, 1),
        ([5], {"kind": "date"}, 1),
        (["1,5", "<5"], {"kind": "number", "decimal": ","}, 1),
        (["1.5"], {"kind": "number", "decimal": ","}, 1),
        (["12.34,5"], {"kind": "number", "decimal": ",", "thousands": "."}, 1),
        (["<", "<a", "1e999", "<-", "."], {"kind": "number", "censored": True}, 5),
    ],
)
def test_what_cannot_be_read_is_counted_and_not_shown(
    values: list[Any], form: dict[str, Any], n_cells: int
) -> None:
    with pytest.raises(InputError) as error:
        read(values, form)
    assert f"column 'x': {n_cells} cells" in error.value.message
    assert error.value.hint
    assert SECRET not in str(error.value)


def test_ages_and_other_differences() -> None:
    born = ["1980-01-02", "1980-01-01", "2023-12-31", None]
    assert derive({"from": "b", "as": "years", "at": "2024-01-01"}, b=born) == [43, 44, 0, None]
    assert derive({"from": "b", "as": "months", "at": date(2024, 1, 1)}, b=born) == [527, 528, 0, None]
    assert derive({"from": "b", "as": "days", "at": date(2024, 1, 1)}, b=born)[2:] == [1, None]
    stay = {"from": "b", "as": "days", "at": "e"}
    ends = ["1980-01-05", "1980-01-01", None, "2020-01-01"]
    assert derive(stay, b=born, e=ends) == [3, 0, None, None]
    hours = {"from": "b", "as": "hours", "at": "e"}
    assert derive(hours, b=["2020-01-01 10:00"], e=["2020-01-02 09:59"]) == [23]


def test_parts_of_a_date() -> None:
    moments = ["2020-05-17 14:05", ""]  # a Sunday
    for part, value in {"year": 2020, "quarter": 2, "month": 5, "weekday": 7, "hour": 14}.items():
        assert derive({"from": "b", "as": part}, b=moments) == [value, None]


def test_derived_columns_see_the_whole_date() -> None:
    columns = {"b": {"kind": "date", "formats": ["%d.%m.%Y"], "levels": ["decade"]}}
    assert derive({"from": "b", "as": "years", "at": "2024-01-01"}, columns, b=["02.01.1980"]) == [43]


def test_dates_after_at_are_counted() -> None:
    with pytest.raises(InputError, match="in 2 rows 'b' is later than at"):
        derive({"from": "b", "as": "years", "at": "2020-01-01"}, b=["2021-01-01", "2020-01-02", "2020-01-01"])


def test_derived_columns_and_the_columns_of_the_table() -> None:
    line = {"from": "birth", "as": "month"}
    policy = Policy(quasi_identifiers=["new"], identifiers=["birth"], k=2, derived={"new": line})
    with pytest.raises(PolicyError, match="which the table has already"):
        converted(pa.table({"birth": ["2020-01-01"], "new": ["1"]}), policy)
    with pytest.raises(PolicyError, match="'birth', which the table does not have") as error:
        converted(pa.table({"brith": ["2020-01-01"]}), policy)
    assert "did you mean 'brith'?" in error.value.hint
    # Rows that come after a release may have the column already.
    assert converted(pa.table({"new": ["1"]}), policy, is_new=True)["new"].to_pylist() == ["1"]


def test_a_table_that_was_not_converted_is_refused() -> None:
    form = {"x": {"kind": "date", "formats": ["%d.%m.%Y"]}}
    policy = Policy(quasi_identifiers=["x"], k=2, columns=form)
    with pytest.raises(InputError, match=r"column 'x': 1 values are not what \[columns.x\] says"):
        encode(pa.table({"x": ["01.02.2020", "2020-02-01"]}), policy)


def test_without_sections_the_table_is_the_same() -> None:
    table = pa.table({"x": ["1,5", "<5"]})
    assert converted(table, Policy(quasi_identifiers=["x"], k=2)) is table


def test_a_file_in_the_dialect_of_the_policy(tmp_path: Any) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes("größe;'a;b'\n'1,5';ä\n".encode("cp1252"))
    policy = Policy(
        quasi_identifiers=["größe", "a;b"],
        k=2,
        source={"delimiter": ";", "encoding": "cp1252", "decimal": ",", "quote": "'"},
    )
    _, table = read_own(path, policy)
    assert table.to_pydict() == {"größe": ["1.5"], "a;b": ["ä"]}
    # What is given in the call precedes the policy.
    path.write_text("größe|a;b\n1,5|ä\n")
    assert read_own(path, policy, delimiter="|", encoding="utf-8")[1].num_rows == 1
    with pytest.raises(KanopyError):
        read_own(path, policy)
