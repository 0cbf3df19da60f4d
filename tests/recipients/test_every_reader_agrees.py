"""What the readers of a codebook give is what kanopy gives: methods, forms, names and cells that are odd."""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from command import run
from effort import IS_DEEP, one_in
from received_release import JOBS, reader

import kanopy
from kanopy.codebook import codebook_paths
from kanopy.errors import KanopyWarning
from kanopy.frames.csv_text import spreadsheet_safe_word

WITHOUT_KANOPY = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

IN_PANDAS = """
import json
told = {}
for name in release.columns:
    told[name] = [None if value != value else value for value in release[name].tolist()]
    if book["cells"].get(name) == "texts":
        told[name + " members"] = [members(cell) for cell in release[name]]
json.dump(told, open("told.json", "w"))
"""

IN_R = r"""
text <- function(value) {
  for (sign in list(c("\\", "\\\\"), c('"', '\\"'), c("\n", "\\n"), c("\t", "\\t")))
    value <- gsub(sign[1], sign[2], value, fixed = TRUE)
  paste0('"', value, '"')
}
many <- function(values) paste0("[", paste(values, collapse = ", "), "]")
plain <- function(values) if (is.character(values)) text(values) else
  ifelse(is.na(values), "null", format(values, digits = 15, trim = TRUE))
told <- sapply(names(release), function(name) paste0(text(name), ": ", many(plain(release[[name]]))))
of_texts <- book$column[book$cells == "texts"]
named <- function(cell) many(if (length(members(cell))) text(members(cell)))
more <- sapply(of_texts, function(name)
  paste0(text(paste(name, "members")), ": ", many(sapply(release[[name]], named))))
out <- paste0("{", paste(c(told, if (length(of_texts)) more), collapse = ", "), "}")
con <- file("told.json", "wb")
writeBin(charToRaw(enc2utf8(out)), con)
close(con)
"""


def in_pandas(release: Path) -> dict[str, list[Any]]:
    code = reader(codebook_paths(release)[1], "python") + IN_PANDAS
    return told_by([sys.executable, "-I", "-c", code], release.parent)


def in_r(release: Path) -> dict[str, list[Any]]:
    script = release.parent / "read.R"
    script.write_text(reader(codebook_paths(release)[1], "r") + IN_R, "utf-8")
    return told_by(["Rscript", "--vanilla", script.name], release.parent)


def told_by(command: list[str], folder: Path) -> dict[str, list[Any]]:
    env = {**WITHOUT_KANOPY, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    told: dict[str, list[Any]] = json.loads((folder / "told.json").read_text("utf-8"))
    return told


def people(n_rows: int = 300) -> dict[str, list[str]]:
    rng = random.Random(7)

    def drawn(make: Callable[[], str]) -> list[str]:
        return [make() for _ in range(n_rows)]

    return {
        "age": drawn(lambda: str(rng.randrange(18, 90))),
        "zip": drawn(lambda: rng.choice(["01067", "01069", "00501", "10115"])),
        "job": drawn(lambda: rng.choice([*JOBS, "two\nlines", "tab\there", "TRUE", ""])),
        "bmi": drawn(lambda: rng.choice([f"{rng.uniform(-4, 40):.1f}", ""])),
        "born": drawn(lambda: f"{rng.randrange(1930, 2005)}-0{rng.randrange(1, 10)}-11"),
        "lab": drawn(lambda: rng.choice(["<5", "5", "6.5", ">90", "12"])),
        "note": drawn(lambda: rng.choice(["NA", 'a "q", t', "x;y", "'a", "-b", "two\nlines", ""])),
        "cost": drawn(lambda: f"{rng.randrange(-100, 9000) / 4:.2f}"),
        "sick": drawn(lambda: rng.choice(["yes", "no"])),
    }


class Case(NamedTuple):
    flags: tuple[str, ...] = (
        "--quasi=age,zip,job,bmi,born",
        "--target=sick",
        "--keep=lab,note,cost",
        "--k=4",
    )
    name: str = "release.csv"
    columns: dict[str, list[str]] = people()
    hierarchy: str = ""

    def release(self, folder: Path) -> Path:
        with (folder / "data.csv").open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([list(self.columns), *zip(*self.columns.values(), strict=True)])
        (folder / "groups.csv").write_text(self.hierarchy)
        (folder / "policy.toml").write_text('[hierarchies]\nage = "groups.csv"\n' if self.hierarchy else "")
        policy = ("--policy", folder / "policy.toml") if self.hierarchy else ()
        outcome = run("anonymize", folder / "data.csv", "-o", folder / self.name, *policy, *self.flags)
        assert outcome.code == 0, outcome.err
        return folder / self.name


def of_method(method: str) -> Case:
    return Case((*Case().flags, f"--method={method}"))


METHODS = ("kactus", "tds", "tdr", "kmeans", "mdav", "datafly") if IS_DEEP else ("kactus", "tds", "mdav")
AGES = [*(["20", "21", "22"] * 60), *(["40", "50", "60"] * 5)]
SICK = ["yes" if age < "22" else "no" for age in AGES]
ARMED = ["'=1", "''=1", "'-5", "-5", "'+x"]
CASES = {
    **{method: of_method(method) for method in METHODS},
    "censored": Case(("--quasi=age,lab", "--target=sick", "--keep=zip,job,bmi,born,note,cost", "--k=4")),
    "excel-de": Case((*Case().flags, "--excel-locale=de")),
    "disarmed": Case(
        (*Case().flags, "--spreadsheet-safe"),
        columns={**people(), "job": [random.Random(row).choice([*JOBS, *ARMED]) for row in range(300)]},
    ),
    "gz": Case(name="release.csv.gz"),
    "sign of a name": Case(name='rel 😀 ü "it\'s".csv'),
    "taken names": Case(
        ("--quasi=age,zip", "--target=sick", "--keep=age_low,age_low_", "--k=4"),
        columns={name: people()[name] for name in ("age", "zip", "sick")}
        | {"age_low": ["7"] * 300, "age_low_": ["x"] * 300},
    ),
    "missing alone": Case(("--quasi=q", "--k=4"), columns={"q": ["", "1", "2"] * 20}),
    "names of groups": Case(
        ("--quasi=age", "--target=sick", "--k=15", "--method=tds"),
        columns={"age": AGES, "sick": SICK},
        hierarchy="20;young;*\n21;young;*\n22;young;*\n40;old;*\n50;old;*\n60;old;*\n",
    ),
    "formulas in names": Case(
        ("--quasi==age", "--target=sick", "--k=4", "--spreadsheet-safe"),
        columns={"=age": people()["age"], "sick": people()["sick"]},
    ),
}


# Each case in one language, where both are there: what a codebook says is the same in both.
HAS_R = shutil.which("Rscript") is not None
READ = one_in(2 if HAS_R else 1, CASES, [in_pandas, in_r])


@pytest.fixture(scope="module")
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return CASES[request.param].release(tmp_path_factory.mktemp("agree"))


@pytest.mark.parametrize(("release", "read"), READ, indirect=["release"])
def test_the_same_rows_numbers_and_members(
    release: Path, read: Callable[[Path], dict[str, list[Any]]]
) -> None:
    if read is in_r and not HAS_R:
        pytest.skip("needs R (Debian: r-base-core)")
    told, frame = read(release), kanopy.read_release(release, kind="pyarrow").to_pydict()
    certificate = json.loads(release.with_name(release.name + ".kanopy.json").read_text("utf-8"))
    cells, form = certificate["cells"], certificate["release"].get("form", {})
    n_numbers = sum("numbers" in said["cells"] or said["cells"] == "means" for said in cells.values())
    n_texts = sum(said["cells"] == "texts" for said in cells.values())
    assert len(told) == len(cells) + 2 * n_numbers + n_texts
    as_written = spreadsheet_safe_word if "formulas_disarmed" in form else str
    for name, said in cells.items():
        assert len(told[as_written(name)]) == len(frame[name])
        if said["cells"] in ("numbers", "means"):
            for end in ("_low", "_high"):
                free = name + end
                while free in cells:
                    free += "_"
                assert told[as_written(free)] == frame[free]
        elif said["cells"] == "texts":
            meant = [[text or "" for text in one or ()] for one in frame[f"{name}_members"]]
            assert told[f"{as_written(name)} members"] == meant
        elif said["cells"] != "plain numbers" and "formulas_disarmed" not in form:
            assert told[name] == [text or "" for text in frame[name]]


def test_names_of_groups_are_among_numbers(tmp_path: Path) -> None:
    """The case above is the one that it is meant to be."""
    frame = kanopy.read_release(CASES["names of groups"].release(tmp_path))
    assert {"20", "21", "22", "old"} == set(frame["age"])
    assert frame["age_low"].isna().sum() == (frame["age"] == "old").sum() == 15


def test_disarmed_formulas_are_texts_again(tmp_path: Path) -> None:
    release = CASES["disarmed"].release(tmp_path)
    written = release.read_text("utf-8")
    assert "'-b" in written
    page = codebook_paths(release)[1].read_text("utf-8")
    assert "`'=1` is the text `=1`" in page
    frame = kanopy.read_release(release)
    assert "-b" in set(frame["note"])
    members = {one for cell in frame["job_members"] if cell for one in cell}
    assert "=1+1" in members
    assert members.issuperset(ARMED)
    assert run("draw", release, "-o", tmp_path / "plain.csv").code == 0
    assert "'-b" in (tmp_path / "plain.csv").read_text("utf-8")
    release.with_name("release.csv.kanopy.json").unlink()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KanopyWarning)
        assert "'-b" in set(kanopy.read_release(release)["note"]), "nothing says that it was added"
