"""A release: what can be done with it, and what it does not tell."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import kanopy
from kanopy.errors import PolicyError, VerificationError
from kanopy.policy import Policy
from kanopy.privacy import DistinctDiversity
from kanopy.release import written_table as gate

N = 12
COLUMNS: dict[str, list[Any]] = {
    "name": [f"NAME-{i}" for i in range(N)],
    "age": [20 + i // 2 for i in range(N)],
    "town": [f"TOWN-{i % 3}" if i % 6 else None for i in range(N)],
    "ill": [f"ILL-{i % 4}" for i in range(N)],
    "hours": [1.5 * (i % 3) for i in range(N)],
    "income": ["HIGH" if i % 2 else "LOW" for i in range(N)],
}
POLICY = Policy(
    quasi_identifiers=["age", "town"],
    target="income",
    sensitive=["ill"],
    identifiers=["name"],
    keep=["hours"],
    k=3,
    privacy=DistinctDiversity("ill", 2),
)
PUBLISHED = ["age", "town", "ill", "hours", "income"]


def made(frame: Any = None) -> kanopy.Release:
    return kanopy.anonymize(pa.table(COLUMNS) if frame is None else frame, POLICY)


def rows_of(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


def as_texts(table: pa.Table) -> list[list[str]]:
    texts = [column.cast(pa.string()).fill_null("").to_pylist() for column in table.columns]
    return [list(row) for row in zip(*texts, strict=True)]


def test_csv_is_the_frame(tmp_path: Path) -> None:
    release = made()
    assert release.write(tmp_path / "r.csv") == tmp_path / "r.csv"
    header, *rows = rows_of(tmp_path / "r.csv")
    assert header == PUBLISHED
    assert rows == as_texts(release.frame)
    assert len(rows) == N
    assert kanopy.audit(tmp_path / "r.csv", POLICY).kept


def test_parquet_is_the_frame(tmp_path: Path) -> None:
    release = made()
    release.write(str(tmp_path / "r.PARQUET"))
    table = pa.parquet.read_table(pa.OSFile(str(tmp_path / "r.PARQUET")))
    assert table == release.frame
    assert table.schema.field("hours").type == pa.float64(), "what passes keeps its type"
    assert table.schema.field("age").type == pa.string()
    assert table.schema.metadata is None


def test_force(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(b"old")
    with pytest.raises(PolicyError, match="exists"):
        made().write(path)
    assert path.read_bytes() == b"old"
    made().write(path, force=True)
    assert rows_of(path)[0] == PUBLISHED


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (pd.DataFrame(COLUMNS), pd.DataFrame),
        (pd.DataFrame(COLUMNS).convert_dtypes(), pd.DataFrame),
        (pd.DataFrame(COLUMNS).convert_dtypes(dtype_backend="pyarrow"), pd.DataFrame),
        (pl.DataFrame(COLUMNS), pl.DataFrame),
        (pa.table(COLUMNS), pa.Table),
    ],
)
def test_the_kind_that_comes_in_goes_out(frame: Any, kind: type, tmp_path: Path) -> None:
    release = made(frame)
    assert type(release.frame) is kind
    assert release.frame is release.frame
    release.write(tmp_path / "r.csv")
    made().write(tmp_path / "expected.csv")
    assert (tmp_path / "r.csv").read_bytes() == (tmp_path / "expected.csv").read_bytes()
    names = release.frame.column_names if kind is pa.Table else list(release.frame.columns)
    assert names == PUBLISHED
    again = kanopy.audit(release.frame, POLICY)
    assert (again.kept, again.k, again.groups) == (True, release.audit.k, release.audit.groups)


def test_a_path_gives_arrow(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("q,t\n1,y\n1,n\n", "utf-8")
    policy = Policy(quasi_identifiers=["q"], target="t", k=2)
    assert isinstance(kanopy.anonymize(tmp_path / "t.csv", policy).frame, pa.Table)


def test_manifest_adds_up_and_shows_no_cell() -> None:
    release = made()
    manifest = release.manifest
    assert set(manifest) == {
        "kanopy", "versions", "method", "options", "promise", "not_promised", "roles", "rows", "groups",
        "losses", "truthful", "facts", "notices", "suppressed",
    }  # fmt: skip
    assert manifest["rows"] == {"in": N, "out": N, "dropped": 0}
    assert manifest["groups"]["count"] == release.audit.groups
    assert sum(n_rows for _, _, _, n_rows in manifest["groups"]["sizes"]) == N
    assert manifest["promise"] == [part.sentence("rows") for part in POLICY.promise.parts]
    assert manifest["roles"] == POLICY.roles
    told = json.dumps([manifest, release.audit.to_dict()], allow_nan=False)
    for name in ("name", "town", "ill", "income"):
        assert not any(value in told for value in COLUMNS[name] if value), name


def test_the_same_call_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        for suffix in (".csv", ".parquet"):
            made().write(tmp_path / (name + suffix))
    for suffix in (".csv", ".parquet"):
        assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


FORMULAS = {"q": ["-5"] * 4, "t": ["=1+1", "@x", "=1+1", "ok"], "h": ["-x", "\u2212x", "+1", "'"]}
FORMULA_POLICY = Policy(quasi_identifiers=["q"], target="t", keep=["h"], k=2)


def test_formulas_are_counted() -> None:
    assert kanopy.anonymize(pa.table(FORMULAS), FORMULA_POLICY).n_formulas == 3
    harmless = {"q": ["-5"] * 2, "t": ["+1", "-1e3"], "h": ["a=b", ""]}
    assert kanopy.anonymize(pa.table(harmless), FORMULA_POLICY).n_formulas == 0


def test_spreadsheet_safe(tmp_path: Path) -> None:
    release = kanopy.anonymize(pa.table(FORMULAS), FORMULA_POLICY)
    release.write(tmp_path / "plain.csv")
    release.write(tmp_path / "safe.csv", spreadsheet_safe=True)
    release.write(tmp_path / "safe.parquet", spreadsheet_safe=True)
    plain, safe = rows_of(tmp_path / "plain.csv"), rows_of(tmp_path / "safe.csv")
    assert sorted(row[1] for row in plain[1:]) == ["=1+1", "=1+1", "@x", "ok"]
    assert sorted(row[1] for row in safe[1:]) == ["'=1+1", "'=1+1", "'@x", "ok"]
    assert sorted(row[2] for row in safe[1:]) == ["'", "'-x", "+1", "\u2212x"]
    assert {row[0] for row in safe[1:]} == {"-5"}
    assert pa.parquet.read_table(pa.OSFile(str(tmp_path / "safe.parquet"))) == release.frame


HEADERS = ['=HYPERLINK("http://example.org";"open")', "+cmd", "@x", "'=y", "-z", "-5"]
SAFE_HEADERS = [f"'{name}" for name in HEADERS[:-1]] + ["-5"]


def formula_headers() -> kanopy.Release:
    first, *others, last = HEADERS
    values = {name: ["a", "b"] * 20 for name in HEADERS}
    return kanopy.anonymize(pa.table(values), Policy(quasi_identifiers=[first, *others], target=last, k=2))


def test_formulas_in_names_of_columns_are_counted() -> None:
    assert formula_headers().n_formulas == 4
    plain = {"q": ["a"] * 4, "t": ["b"] * 4}
    assert kanopy.anonymize(pa.table(plain), Policy(quasi_identifiers=["q"], target="t", k=2)).n_formulas == 0


@pytest.mark.parametrize("style", [{}, {"excel_locale": "de"}])
def test_names_of_columns_are_disarmed_verified_and_read_back(tmp_path: Path, style: dict[str, Any]) -> None:
    path, release = tmp_path / "safe.csv", formula_headers()
    release.write(path, spreadsheet_safe=True, certificate=True, codebook=True, **style)
    delimiter = ";" if style else ","
    with path.open(encoding="utf-8-sig", newline="") as file:
        assert next(csv.reader(file, delimiter=delimiter)) == SAFE_HEADERS
    with path.with_name("safe.codebook.csv").open(encoding="utf-8-sig", newline="") as file:
        assert {row[0] for row in csv.reader(file, delimiter=delimiter)} == {"column", *SAFE_HEADERS}
    assert kanopy.verify(path, policy=release.policy).kept
    assert set(kanopy.read_release(path).columns) >= set(HEADERS)
    assert kanopy.audit(path, release.policy, delimiter=delimiter).kept
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    wrong = next(check for check in kanopy.verify(path).checks if check.name == "file")
    assert "every cell is the same" in wrong.message
    release.write(path.with_name("plain.csv"))
    assert rows_of(path.with_name("plain.csv"))[0] == HEADERS


def test_texts_that_are_disarmed_stay_different(tmp_path: Path) -> None:
    columns = {"q": [1, 1] * 20, "t": ["=1", "'=1"] * 20}
    release = kanopy.anonymize(pa.table(columns), Policy(quasi_identifiers=["q"], target="t", k=2))
    release.write(tmp_path / "safe.csv", spreadsheet_safe=True)
    assert rows_of(tmp_path / "safe.csv")[1:] == [["1", "''=1"]] * 20 + [["1", "'=1"]] * 20


def test_a_file_that_is_not_what_was_meant_is_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def one_row_less(stream: Any, columns: Any, n_lines: int, *, weight: Any, **shape: Any) -> None:
        write_csv(stream, columns, n_lines - 1, weight=weight, **shape)

    write_csv = gate.write_csv
    monkeypatch.setattr(gate, "write_csv", one_row_less)
    with pytest.raises(VerificationError, match="has 11 rows, it should have 12") as caught:
        made().write(tmp_path / "r.csv")
    assert caught.value.exit_code == 5
    assert list(tmp_path.iterdir()) == []


def test_persons_are_counted_in_the_file(tmp_path: Path) -> None:
    columns = {"p": [i // 3 for i in range(12)], "q": [i // 3 for i in range(12)]}
    release = kanopy.anonymize(pa.table(columns), Policy(quasi_identifiers=["q"], person="p", k=2))
    assert (release.audit.unit, release.audit.k, release.audit.groups) == ("persons", 2, 2)
    assert release.manifest["groups"]["counted"] == "persons"
    release.write(tmp_path / "r.csv")
    assert rows_of(tmp_path / "r.csv")[0] == ["q"]
