"""What went wrong is said in the words of the page: names of files and controls, no paths, no Python."""

from __future__ import annotations

import io

import pytest
from openpyxl import Workbook
from web_client import Client

from kanopy.errors import Hint, InputError
from kanopy.web.wording import in_words_of_the_page


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        (Hint("give {delimiter}; see there", delimiter=...), "give “Between fields”; see there"),
        (Hint("try {delimiter}", delimiter="\t"), "try “Between fields”: tab"),
        (Hint("try {delimiter}", delimiter=";"), "try “Between fields”: semicolon"),
        (Hint("say which one: {sheet}", sheet="Daten 1"), "say which one: “Sheet of a workbook”: Daten 1"),
        (Hint("use {encoding}", encoding="utf-16"), "use “Encoding”: utf-16"),
        (Hint("{allow_empty} does it", allow_empty=True), "--allow-empty on the command line does it"),
        ("remove the line", "remove the line"),
    ],
)
def test_hints_name_the_controls_of_the_page(hint: str, said: str) -> None:
    assert in_words_of_the_page(InputError("x", hint), "/tmp/x.csv") == ("x", said)


def test_a_file_is_called_by_its_name_alone() -> None:
    error = InputError("/tmp/private/source/a.csv: file is empty", "look into /tmp/private/source/a.csv")
    assert in_words_of_the_page(error, "/tmp/private/source/a.csv") == (
        "a.csv: file is empty",
        "look into a.csv",
    )


def two_sheets() -> bytes:
    book, file = Workbook(), io.BytesIO()
    for sheet in (book.active, book.create_sheet("Daten")):
        sheet.append(["age", "sex"])
        sheet.append([1, "f"])
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "empty.csv: file is empty"),
        ("two.xlsx", two_sheets(), "say which one: “Sheet of a workbook”: Sheet"),
        ("x.db", b"SQLite format 3", "x.db: databases are not read save the table as CSV: sqlite3 -header"),
        ("x.foo", b"x", "the ending of the file does not say how it is written"),
    ],
)
def test_a_table_that_cannot_be_read_is_told_as_the_page_speaks(
    client: Client, name: str, content: bytes, said: str
) -> None:
    client.get("/?new=1")
    answer = client.upload(name, content)
    if answer.status == 200:
        answer = client.waited(f"{client.work(answer)}/table")
    assert said in answer.seen()
    assert "kanopy-serve" not in answer.text
    assert "/source/" not in answer.text
