"""Recipients follow the codebook alone: with plain pandas, R or a spreadsheet, and one with kanopy."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import PATIENCE, run
from effort import IS_DEEP
from received_release import plain, reader, released

import kanopy
from kanopy.codebook import codebook_paths

FORMS = [("release.csv", ()), ("release.csv", ("--excel-locale=de",)), ("release.parquet", ())]
IDS = ["csv", "excel-de", "parquet"]
WITHOUT_KANOPY = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
NEEDS_R = pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R (Debian: r-base-core)")
NEEDS_OFFICE = pytest.mark.skipif(shutil.which("soffice") is None, reason="needs LibreOffice Calc")


@pytest.fixture(scope="module", params=FORMS, ids=IDS)
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    name, flags = request.param
    return released(tmp_path_factory.mktemp("received"), name, *flags)


def expected(release: Path) -> dict[str, Any]:
    """What every reader should find, by kanopy's own code."""
    frame = kanopy.read_release(release)
    middle = (frame["age_low"] + frame["age_high"]) / 2
    return {
        "mean": middle.mean(),
        "share": {
            name: plain(value)
            for name, value in (frame["sick"] == "yes").groupby(frame["zip"]).mean().items()
        },
        "low": [plain(value) for value in frame["bmi_low"]],
        "high": [plain(value) for value in frame["bmi_high"]],
        "members": [
            None if one is None else ["" if each is None else each for each in one]
            for one in frame["job_members"]
        ],
        "cost": frame["cost"].astype(float).sum(),
        "notes": sorted(set(frame["note"])),
    }


IN_PANDAS = """
import json, sys
middle = (release["age_low"] + release["age_high"]) / 2
assert "kanopy" not in sys.modules
plain = lambda values: [None if value != value else value for value in values]
print(json.dumps({
    "mean": middle.mean(),
    "share": (release["sick"] == "yes").groupby(release["zip"]).mean().to_dict(),
    "low": plain(release["bmi_low"]), "high": plain(release["bmi_high"]),
    "members": [members(cell) if cell != "*" else None for cell in release["job"]],
    "cost": release["cost_low"].sum(), "notes": sorted(set(release["note"])), **learned
}))
"""
IN_SCIKIT_LEARN = """
from sklearn.tree import DecisionTreeClassifier
known = ((release["age_low"] + release["age_high"]) / 2).to_frame()
tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(known, release["sick"])
learned = {"accuracy": tree.score(known, release["sick"]), "majority": (release["sick"] == "yes").mean()}
"""


def test_plain_pandas(release: Path) -> None:
    learns = IS_DEEP or release.suffix == ".csv"  # what scikit-learn is given is the same in both
    learned = IN_SCIKIT_LEARN if learns else "\nlearned = {}\n"
    code = reader(codebook_paths(release)[1], "python") + learned + IN_PANDAS
    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        cwd=release.parent, env=WITHOUT_KANOPY, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    meant = expected(release)
    if learns:
        assert found.pop("accuracy") > max(found["majority"], 1 - found.pop("majority"))
    for name in ("mean", "cost"):
        assert found.pop(name) == pytest.approx(meant.pop(name))
    assert found == meant


IN_R = r"""
middle <- (release$age_low + release$age_high) / 2
model <- glm(release$sick == "yes" ~ middle, family = binomial)
text <- function(value) paste0('"', gsub('(["\\\\])', '\\\\\\1', value), '"')
many <- function(values) paste0("[", paste(values, collapse = ", "), "]")
numbers <- function(values) many(ifelse(is.na(values), "null", format(values, digits = 15, trim = TRUE)))
share <- tapply(release$sick == "yes", release$zip, mean)
out <- c(
  paste0('"mean": ', format(mean(middle, na.rm = TRUE), digits = 15)),
  paste0('"cost": ', format(sum(release$cost_low), digits = 15)),
  paste0('"share": {', paste(text(names(share)), share, sep = ": ", collapse = ", "), "}"),
  paste0('"low": ', numbers(release$bmi_low)), paste0('"high": ', numbers(release$bmi_high)),
  paste0('"members": ', many(sapply(release$job, function(cell)
    if (cell == "*") "null" else many(text(members(cell)))))),
  paste0('"notes": ', many(text(sort(unique(release$note), method = "radix")))),
  paste0('"slope": ', coef(model)[["middle"]]))
con <- file("out.json", "wb")
writeBin(charToRaw(enc2utf8(paste0("{", paste(out, collapse = ", "), "}"))), con)
close(con)
"""


@NEEDS_R
@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
def test_plain_r(release: Path, locale: str) -> None:
    if release.suffix == ".parquet":
        pytest.skip("R needs its package arrow for Parquet, which Debian does not have")
    marked = release.read_bytes().startswith(b"\xef\xbb\xbf")
    if locale == "C" and marked:
        pytest.skip("R in the locale C reads a file with byte order mark as ASCII")
    code = reader(codebook_paths(release)[1], "r") + IN_R
    (release.parent / "read.R").write_text(code, "utf-8")
    done = subprocess.run(
        ["Rscript", "--vanilla", "read.R"],
        cwd=release.parent, env={**WITHOUT_KANOPY, "LC_ALL": locale}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads((release.parent / "out.json").read_text("utf-8"))
    meant = expected(release)
    assert found.pop("slope") > 0
    for name in ("mean", "cost"):
        assert found.pop(name) == pytest.approx(meant.pop(name))
    assert found.pop("share") == pytest.approx(meant.pop("share"))
    assert found == meant


def sheet(folder: Path, release: Path, types: str) -> list[list[str]]:
    """What LibreOffice makes of a file that is imported with these types of columns, saved as CSV again."""
    first = release.read_text("utf-8-sig").partition("\n")[0]
    delimiter, language = (59, 1031) if ";" in first else (44, 1033)
    options = f"CSV:{delimiter},34,76,1,{types},{language},false,false,false,false,false,-1,true"
    command = ["soffice", f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless"]
    command += [f"--infilter={options}", "--convert-to", "csv:Text - txt - csv (StarCalc):9,34,76,1"]
    out = folder / "sheet"
    done = subprocess.run(
        [*command, "--outdir", out, release], capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    (made,) = out.glob("*.csv")
    return list(csv.reader(io.StringIO(made.read_text("utf-8")), delimiter="\t"))


@NEEDS_OFFICE
def test_a_spreadsheet(release: Path, tmp_path: Path) -> None:
    if release.suffix == ".parquet":
        assert "ask for the release as CSV" in codebook_paths(release)[1].read_text("utf-8")
        return
    frame = kanopy.read_release(release)
    # As the codebook says: columns of texts as Text (2), plain numbers as usual (1).
    listed = codebook_paths(release)[0].read_text("utf-8-sig")
    book = csv.DictReader(io.StringIO(listed), delimiter=";" if ";" in listed.partition("\n")[0] else ",")
    cells = {line["position"]: line["cells"] for line in book}
    types = "/".join(f"{place}/{1 if what == 'plain numbers' else 2}" for place, what in cells.items())
    # Somebody types two formulas below the table.
    n_rows = len(frame)
    mark, delimiter = ("\ufeff", ";") if release.read_bytes().startswith(b"\xef\xbb\xbf") else ("", ",")
    text = release.read_text("utf-8-sig")
    sums = f"=SUM(F2:F{n_rows + 1})"
    counts = f'=COUNTIF(G2:G{n_rows + 1}{";" if delimiter == ";" else ","}""yes"")'
    last = delimiter.join(["", "", "", "", "", sums, f'"{counts}"'])
    copy = tmp_path / "copy.csv"
    copy.write_text(mark + text + last + "\n", "utf-8", newline="")
    rows = sheet(tmp_path, copy, types.replace("7/2", "7/1"))
    header, table, last_row = rows[0], rows[1:-1], rows[-1]
    assert [row[header.index("zip")] for row in table] == list(frame["zip"])
    assert [row[header.index("note")] for row in table] == list(frame["note"])
    assert [row[header.index("job")] for row in table] == [
        cell if cell == cell else "" for cell in frame["job"].fillna("")
    ]
    assert float(last_row[5].replace(",", ".")) == pytest.approx(frame["cost"].sum())
    assert int(last_row[6]) == int((frame["sick"] == "yes").sum())


def test_with_kanopy(release: Path) -> None:
    frame = kanopy.read_release(release)
    assert {"01067", "00501"} & {one for cell in frame["zip_members"] if cell for one in cell}
    assert "NA" in set(frame["note"])
    assert frame["age_low"].dtype == float
    assert (frame["age_low"] <= frame["age_high"]).all()
    assert run("verify", release).code == 0
    shares = (frame["sick"] == "yes").groupby(frame["age_low"] > 50).mean()
    assert shares[True] > shares[False]
    assert re.search(r"\*\*Promised:\*\* \w", codebook_paths(release)[1].read_text("utf-8"))
