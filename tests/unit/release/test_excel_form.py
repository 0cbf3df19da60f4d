"""CSV as Excel reads it with the regional settings of a country: written, read back, recounted, verified."""

from __future__ import annotations

import codecs
import csv
import json
from pathlib import Path

import pyarrow as pa
import pytest
from command import run
from effort import one_in

import kanopy
from kanopy.auditing import TextTable, judge
from kanopy.auditing.file_bytes import in_plain_form
from kanopy.errors import PolicyError
from kanopy.frames.csv_form import EXCEL_LOCALES, CsvForm, excel_form
from kanopy.privacy import AlphaBound, BetaLikeness, Closeness, DistinctDiversity, PrivacyModel

HEAD = "age,weight,job,cost,cls\n"
FLAGS = ("--quasi=age,weight,job", "--target=cls", "--keep=cost", "--k=4")


def table(n_times: int) -> str:
    """Lines that hardly repeat, or often: both ways of reading a file back."""
    jobs = ["x;y", '"a, b"', "=1+1", '"1,5"', "ü"]
    rows = [f"{20 + i % 4},{50 + i % 3}.5,{jobs[i % 5]},{i % 7}.25,{'YN'[i % 2]}\n" for i in range(60)]
    return HEAD + "".join(rows) * n_times


@pytest.mark.parametrize(
    ("locale", "safe", "n_times"),
    one_in(2, ["de", "de-CH", "en", "fr"], [(), ("--spreadsheet-safe",)], [1, 40]),
)
def test_it_is_another_form_of_the_same_release(
    locale: str, safe: tuple[str, ...], n_times: int, tmp_path: Path
) -> None:
    (tmp_path / "data.csv").write_text(table(n_times), "utf-8")
    plain, other = tmp_path / "plain.csv", tmp_path / "other.csv"
    for out, more in ((plain, ()), (other, (f"--excel-locale={locale}",))):
        outcome = run("anonymize", tmp_path / "data.csv", "-o", out, *FLAGS, *safe, *more)
        assert outcome.code == 0, outcome.err
    form, raw = EXCEL_LOCALES[locale], other.read_bytes()
    assert raw.startswith(codecs.BOM_UTF8)
    rows = list(csv.reader(raw.decode("utf-8-sig").splitlines(), delimiter=form.delimiter))
    meant = list(csv.reader(plain.read_text("utf-8").splitlines()))
    commas = [0, 1, 3] if form.decimal == "," else []
    undone = [
        [_with_point(cell) if place in commas else cell for place, cell in enumerate(row)] for row in rows
    ]
    assert undone == meant
    if commas:
        assert {row[3] for row in rows[1:]} <= {f"{i},25" for i in range(7)}
    found = kanopy.verify(other)
    assert found.kept
    assert run("verify", other).code == 0
    ours, theirs = kanopy.read_release(other), kanopy.read_release(plain)
    assert ours["cost"].equals(theirs["cost"])
    assert ours["weight_low"].equals(theirs["weight_low"])


def _with_point(cell: str) -> str:
    """By hand: a comma without a blank behind it is a decimal one."""
    return "".join("." if sign == "," and cell[i + 1 : i + 2] != " " else sign for i, sign in enumerate(cell))


def test_closeness_counts_numbers_with_commas_as_numbers(tmp_path: Path) -> None:
    """A promise about the order of numbers is recounted on numbers, also in the file with commas."""
    (tmp_path / "data.csv").write_text(table(4), "utf-8")
    (tmp_path / "p.toml").write_text(
        'quasi_identifiers = ["age"]\nsensitive = ["cost"]\nkeep = ["weight", "job"]\ntarget = "cls"\n'
        '[privacy]\nk = 4\n[[privacy.closeness]]\ncolumn = "cost"\nt = 0.5\n'
    )
    flags = ("--policy", tmp_path / "p.toml", "--excel-locale=de")
    outcome = run("anonymize", tmp_path / "data.csv", "-o", tmp_path / "r.csv", *flags)
    assert outcome.code == 0, outcome.err
    said = json.loads(run("verify", tmp_path / "r.csv", "--json").out)
    assert said["kept"]
    assert said["complete"]


ARMED = ["=a", "'=a", "'-1", "''=a", "5", "@x"]


@pytest.mark.parametrize(
    ("promise", "method"),
    [
        (DistinctDiversity("s", 6), "mondrian"),
        (BetaLikeness("s", "1/2", "enhanced"), "kmember"),
        (AlphaBound("s", "1/6", "=a"), "mondrian"),
        (Closeness("s", "1/100", "ordered"), "mondrian"),
    ],
    ids=lambda given: given if isinstance(given, str) else type(given).__name__,
)
@pytest.mark.parametrize("n_times", [1, 40])
def test_the_promise_is_kept_by_formulas_that_are_disarmed(
    promise: PrivacyModel, method: str, n_times: int, tmp_path: Path
) -> None:
    """Different texts stay different, in their order, and are found under the names that a promise has."""
    columns = {"q": [str(row % 2) for row in range(12 * n_times)], "s": [*ARMED, *ARMED[::-1]] * n_times}
    policy = kanopy.Policy(quasi_identifiers=["q"], sensitive=["s"], privacy=[promise])
    release = kanopy.anonymize(pa.table(columns), policy, method=method, allow_empty=True)
    path = release.write(tmp_path / "r.csv", spreadsheet_safe=True, certificate=True)
    written = {line[-1] for line in csv.reader(path.read_text("utf-8").splitlines()[1:])}
    assert written == {"'=a", "''=a", "'-1", "'''=a", "5", "'@x"}
    with (tmp_path / "source.csv").open("w") as stream:
        csv.writer(stream).writerows([list(columns), *zip(*columns.values(), strict=True)])
    found = kanopy.verify(path, source=tmp_path / "source.csv")
    assert found.kept
    assert not [check.message for check in found.checks if check.outcome == "fails"]
    assert set(kanopy.read_release(path)["s"]) == set(ARMED)


def test_a_negative_number_with_a_comma_is_no_formula(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("q,s\n" + "1,2.5\n1,-1.5\n" * 4)
    flags = ("--quasi=q", "--sensitive=s", "--k=4", "--spreadsheet-safe", "--excel-locale=de")
    outcome = run("anonymize", tmp_path / "data.csv", "-o", tmp_path / "r.csv", *flags)
    assert outcome.code == 0, outcome.err
    assert "'" not in (tmp_path / "r.codebook.csv").read_text("utf-8-sig")


@pytest.mark.parametrize("suffix", [".html", ".md", ".json"])
def test_a_value_that_looks_like_a_tag_hides_no_promise(suffix: str, tmp_path: Path) -> None:
    """Of ``<5`` and a later ``>``, nothing between is left out of what files beside the table say."""
    (tmp_path / "data.csv").write_text("q,s\n" + "1,<5\n1,>6\n" * 2)
    (tmp_path / "p.toml").write_text(
        'quasi_identifiers = ["q"]\nsensitive = ["s"]\n[privacy]\nk = 2\n'
        '[[privacy.alpha]]\ncolumn = "s"\nalpha = 0.7\nvalue = "<5"\n'
        '[[privacy.diversity]]\ncolumn = "s"\nkind = "distinct"\nl = 2\n'
        '[[privacy.closeness]]\ncolumn = "s"\nt = 1\n'
        '[[privacy.likeness]]\ncolumn = "s"\nbeta = 3\n'
        '[[privacy.disclosure]]\ncolumn = "s"\ndelta = 2\n'
    )
    flags = ("--policy", tmp_path / "p.toml", "--report", tmp_path / f"report{suffix}")
    outcome = run("anonymize", tmp_path / "data.csv", "-o", tmp_path / "r.csv", *flags)
    assert outcome.code == 0, outcome.err


def test_a_bounded_formula_is_found_where_it_is_disarmed(tmp_path: Path) -> None:
    """Three of eight are over a quarter, and no other bound notices it."""
    columns = {"q": ["1"] * 8, "s": ["=a", "=a", "=a", "b", "c", "d", "e", "'=a"]}
    policy = kanopy.Policy(quasi_identifiers=["q"], sensitive=["s"], privacy=[AlphaBound("s", "1/4", "=a")])
    words = pa.array(["'" + word if "=" in word else word for word in columns["s"]])
    disarmed = TextTable.of_arrow(pa.table({**columns, "s": words}))
    assert judge(in_plain_form(disarmed, CsvForm(is_disarmed=True)), policy).broken


def test_changed_files_fail(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(table(4), "utf-8")
    release = tmp_path / "r.csv"
    assert run("anonymize", tmp_path / "data.csv", "-o", release, *FLAGS, "--excel-locale=de").code == 0
    raw = release.read_bytes()
    release.write_bytes(raw.removeprefix(codecs.BOM_UTF8))
    found = {check.name: check for check in kanopy.verify(release).checks}
    assert "every cell is the same" in found["file"].message
    release.write_bytes(raw.replace(b"0,25", b"9,25", 1))
    found = {check.name: check for check in kanopy.verify(release).checks}
    assert "was changed" in found["file"].message


@pytest.mark.parametrize("form", [{"delimiter": "|"}, {"decimal": ";"}, {"decimal_commas": ["zip"]}])
def test_forms_that_no_certificate_may_have(form: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(table(1), "utf-8")
    release = tmp_path / "r.csv"
    assert run("anonymize", tmp_path / "data.csv", "-o", release, *FLAGS, "--excel-locale=de").code == 0
    path = tmp_path / "r.csv.kanopy.json"
    certificate = json.loads(path.read_text())
    certificate["release"]["form"] |= form
    path.write_text(json.dumps(certificate))
    assert run("verify", release).code == 3


def test_wrong_requests(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(table(1), "utf-8")
    for out, locale in (("r.csv", "xx"), ("r.csv", "klingon"), ("r.parquet", "de")):
        outcome = run(
            "anonymize", tmp_path / "data.csv", "-o", tmp_path / out, *FLAGS, f"--excel-locale={locale}"
        )
        assert outcome.code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]
    assert excel_form("DE_ch").decimal == "."
    with pytest.raises(PolicyError):
        excel_form("")
