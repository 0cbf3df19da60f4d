"""Tables as they come: messy exports, hostile names, one row, and files that cannot be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import SECRET
from web_client import Client
from web_steps import brought, files, place_of, released

from benchmarks.hospital_files import german_export


def test_a_messy_export_is_read_and_its_doubtful_columns_come_first(client: Client) -> None:
    export = german_export(600)
    lines = [";".join(export.columns)]
    lines += [";".join(f'"{cell}"' for cell in row) for row in zip(*export.columns.values(), strict=True)]
    client.get("/?new=1")
    work = client.table(client.upload("Übersicht 2023.csv", "\n".join(lines).encode("latin-1")))
    table = client.get(f"{work}/table").seen()
    assert "600 rows, 12 columns" in table
    assert "Übersicht 2023.csv" in table
    assert "semicolon" in table
    columns = client.get(f"{work}/columns")
    order = re.findall(r'<li class="column (\w+)', columns.text)
    assert order == sorted(order, key=["doubtful", "likely", "sure"].index)
    page = released(client, work)
    assert "the promise is kept" in page.seen()
    table = files(client, work)["release.csv"].decode()
    header = table.partition("\n")[0].split(",")
    assert not set(header) & set(export.secret) - {"Aufnahmezeitpunkt"}
    for name in ("PatientenNr", "Name", "Bemerkung"):
        assert not [cell for cell in export.columns[name] if len(cell) > 6 and cell in table]


def test_hostile_names_and_cells_are_shown_and_not_interpreted(client: Client) -> None:
    evil = "<script>alert(1)</script>"
    rows = "".join(f"{20 + n % 30},{evil if n % 2 else '=cmd()'},{'yn'[n % 3 == 0]}\n" for n in range(200))
    client.get("/?new=1")
    answer = client.upload("..%2f..\\<img src=x>‮.csv", f'age,"{evil}",ill\n{rows}'.encode())
    work = client.table(answer)
    for step in ("table", "columns", "promise", "compare", "release"):
        text = client.get(f"{work}/{step}").text
        assert evil not in text
        assert "<img" not in text
        assert "\u202e" not in text
    place = place_of(client, work, "&lt;script&gt;alert(1)&lt;/script&gt;")
    client.post(f"{work}/columns", {f"role-{place}": "sensitive"})
    page = released(client, work)
    assert "the promise is kept" in page.seen()
    assert evil not in page.text


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "empty"),
        ("ragged.csv", f"a,b\n{SECRET},2\n{SECRET},2,3\n".encode() * 3, ""),
        ("table.pickle", b"x", "pickle is never read"),
        ("table.xlsx", b"PK\x03\x04" + SECRET.encode(), ""),
    ],
)
def test_tables_that_cannot_be_read_are_refused_in_plain_words(
    client: Client, name: str, content: bytes, said: str
) -> None:
    answer = brought(client, name, content)
    assert "verdict bad" in answer.text
    assert said in answer.seen()
    assert SECRET not in answer.text
    assert "should not have happened" not in answer.seen()


def test_a_table_under_the_root_is_read_where_it_lies(client: Client, people: Path) -> None:
    page = client.get("/?new=1")
    assert re.findall(r'<option value="([^"]+)">', page.text) == ["deeper/people.csv"]
    work = client.table(client.upload("", b"", path="deeper/people.csv"))
    assert "300 rows, 3 columns" in client.get(f"{work}/table").seen()
    people.write_text(people.read_text("utf-8") + "99,m,y\n", "utf-8")
    page = released(client, work)
    assert (
        "has changed since it was read"
        in client.post(f"{work}/compare", {"method": "mondrian", "ks": "5"}).seen()
    )
    for path in ("../secret.csv", "link.csv", "/etc/passwd", "deeper/../../secret.csv", "x\0.csv", "deeper"):
        refused = client.upload("", b"", path=path)
        assert refused.status == 400
        assert "no such table lies under" in refused.seen()


def test_one_row_is_not_several(client: Client) -> None:
    start = client.get("/?new=1")
    assert "1 hour" in start.seen()
    work = client.table(client.upload("one.csv", b"age\n41\n"))
    page = client.get(f"{work}/table")
    assert "1 row, 1 column, " in page.seen()
    assert "1 hour" not in page.seen()
    page = client.get(f"{work}/columns").seen()
    assert "· 1 value " in page
    assert "k is 2, and the table has 1 row" in client.get(f"{work}/promise").seen()


def test_a_preview_is_kept_by_no_cache_and_told_to_no_log(client: Client, demo: str) -> None:
    page = client.get(f"{demo}/table")
    assert page.headers["cache-control"] == "no-store"
    assert "Nadia" in page.text or "P00" in page.text
