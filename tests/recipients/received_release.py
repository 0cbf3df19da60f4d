"""A release with everything that other programs get wrong, and what stands in its codebook."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

from command import run

CODE = {"python": r"```python\n(.*?)\n```", "r": r"```r\n(.*?)\n```"}
FLAGS = (
    "--quasi=age,zip,job,bmi",
    "--sensitive=note",
    "--target=sick",
    "--keep=cost",
    "--k=4",
    "--categorical=zip",
)
JOBS = ["NA", "Müller, Bäcker", 'so-called "boss"', "[sic]", "{x}", "a\\b", "N/A", "Straße", "=1+1", "-"]


def source(n_rows: int = 400) -> list[list[str]]:
    """Rows of people; leading zeros, NA, commas, quotes, umlauts, and missing values."""
    rng = random.Random(4)
    rows = []
    for _ in range(n_rows):
        age = rng.randrange(18, 90)
        rows.append([
            str(age), rng.choice(["01067", "01069", "00501", "10115"]), rng.choice([*JOBS, ""]),
            rng.choice([f"{rng.uniform(17, 40):.1f}", "" if age % 7 == 0 else "22.5"]),
            rng.choice(["NA", "grün", 'a "quoted", text', "x;y", "none"]),
            f"{rng.randrange(100, 9000) / 4:.2f}",
            "yes" if rng.random() < age / 100 else "no",
        ])  # fmt: skip
    return rows


def released(folder: Path, name: str, *more: str) -> Path:
    """Write the release through the command line."""
    import csv

    with (folder / "data.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([["age", "zip", "job", "bmi", "note", "cost", "sick"], *source()])
    outcome = run("anonymize", folder / "data.csv", "-o", folder / name, *FLAGS, *more)
    assert outcome.code == 0, outcome.err
    (folder / "data.csv").unlink()
    return folder / name


def reader(page: Path, language: str) -> str:
    """The code that a codebook shows."""
    found = re.findall(CODE[language], page.read_text("utf-8"), re.DOTALL)
    assert len(found) == 1
    code: str = found[0]
    assert code.count("\n") < 30, "at most 30 lines"
    return code


def plain(value: object) -> object:
    """A value as JSON has it; NaN is null."""
    return None if value != value else json.loads(json.dumps(value))
