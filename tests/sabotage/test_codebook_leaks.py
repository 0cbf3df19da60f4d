"""A codebook tells what the published cells say, and nothing that they hide."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest
from command import SECRET, run

import kanopy
from kanopy.codebook import codebook_paths
from kanopy.data.grammar import read_any_text
from kanopy.policy import Policy

FLAGS = ("--quasi=age,job", "--target=cls", "--k=5")


def table(path: Path, *, rare: str) -> Path:
    """Forty look-alikes, and a few with a rare job that only suppression protects."""
    rows = [(20 + i % 4, "clerk", "YN"[i % 2]) for i in range(40)]
    rows += [(50, rare, "Y"), (51, "nurse", "N"), (52, "cook", "Y"), (53, "baker", "N"), (54, "smith", "Y")]
    random.Random(1).shuffle(rows)
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([("age", "job", "cls"), *rows])
    return path


def books(release: Path) -> str:
    return "\n".join(path.read_text("utf-8-sig") for path in codebook_paths(release))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("method", ["kactus", "kadet", "tds", "tdd"])
def test_a_value_that_is_suppressed_everywhere_is_nowhere(method: str, suffix: str, tmp_path: Path) -> None:
    """Also where the domain of the column, or a hierarchy, knows it."""
    data, release = table(tmp_path / "data.csv", rare=SECRET), tmp_path / f"release{suffix}"
    (tmp_path / "job.csv").write_text(
        "".join(f"{job};{group};*\n" for job, group in [
            (SECRET, f"{SECRET}-group"), ("nurse", f"{SECRET}-group"), ("cook", "food"), ("baker", "food"),
            ("smith", "other"), ("clerk", "other"), (f"{SECRET}-unused", "other"),
        ])
    )  # fmt: skip
    (tmp_path / "p.toml").write_text(
        'quasi_identifiers = ["age", "job"]\ntarget = "cls"\n[privacy]\nk = 5\n'
        '[hierarchies]\njob = "job.csv"\n'
    )
    for policy in (FLAGS, ("--policy", tmp_path / "p.toml")):
        more = ("--method", method, "--allow-empty", "--force")
        outcome = run("anonymize", data, "-o", release, *policy, *more)
        assert outcome.code == 0, outcome.err
        published = kanopy.read_release(release, kind="pyarrow")
        shown = str(published.to_pydict())
        if SECRET not in shown:
            assert SECRET not in books(release)
            assert SECRET.encode() not in release.read_bytes() + b"".join(
                path.read_bytes() for path in tmp_path.glob("release*")
            )


def test_equal_releases_have_equal_codebooks(tmp_path: Path) -> None:
    """Two tables that differ in hidden values alone: whoever has both codebooks cannot tell them apart."""
    texts = []
    for number, rare in enumerate(("aaa", "zzz")):
        folder = tmp_path / str(number)
        folder.mkdir()
        data = table(folder / "data.csv", rare=rare)
        assert run("anonymize", data, "-o", folder / "r.csv", *FLAGS, "--method=kactus").code == 0
        texts.append(((folder / "r.csv").read_bytes(), books(folder / "r.csv")))
    assert texts[0][0] == texts[1][0], "the releases should be equal"
    assert texts[0] == texts[1]


@pytest.mark.parametrize("method", [each.name for each in kanopy.methods() if each.name != "samarati"])
def test_every_level_is_named_by_a_cell(method: str, tmp_path: Path) -> None:
    """For every method: a level is a text that some cell of the file names."""
    data, release = table(tmp_path / "data.csv", rare="rare"), tmp_path / "r.csv"
    outcome = run("anonymize", data, "-o", release, *FLAGS, "--method", method, "--allow-empty")
    if outcome.code != 0:
        pytest.skip("this method cannot keep the promise on this table")
    with release.open() as stream:
        rows = list(csv.DictReader(stream))
    with codebook_paths(release)[0].open() as stream:
        book = list(csv.DictReader(stream))
    for name in rows[0]:
        cells = [
            read_any_text(text) if name in ("age", "job") else None for text in {row[name] for row in rows}
        ]
        named = {row[name] for row in rows}
        for cell in cells:
            if cell is not None:
                named |= {*cell.texts, *(end for range_ in cell.ranges for end in range_)}
        levels = {line["text"] for line in book
                  if line["column"] == name and line["entry"] in ("level", "lowest", "highest")}  # fmt: skip
        assert levels <= named


def test_dropped_columns_are_not_mentioned(tmp_path: Path) -> None:
    import pyarrow as pa

    columns = {"age": [1, 2] * 20, f"{SECRET}_name": [str(i) for i in range(40)], "who": list(range(40))}
    policy = Policy(quasi_identifiers=["age"], identifiers=[f"{SECRET}_name"], person="who", k=5)
    written = kanopy.anonymize(pa.table(columns), policy).write(tmp_path / "r.csv")
    assert SECRET not in books(written)
    assert "who" not in books(written).split()
