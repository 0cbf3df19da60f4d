"""``draw``: plain tables from the cells of a release, the same for the same seed, and marked in every row."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from command import run

import kanopy
from kanopy.data.grammar import read_cell
from kanopy.errors import InputError, KanopyWarning, PolicyError
from kanopy.receiving import DRAWN


def unpacked_zstd(data: bytes) -> bytes:
    return pa.CompressedInputStream(pa.BufferReader(data), "zstd").read()


ROWS = "age,zip,job,cls\n" + "".join(
    f"{20 + i % 40},0{1000 + i % 5},{['NA', 'a b', '', 'ü'][i % 4]},{'YN'[i % 2]}\n" for i in range(400)
)
FLAGS = ("--quasi=age,zip,job", "--target=cls", "--k=7", "--categorical=zip")


@pytest.fixture(scope="module", params=["mondrian", "kactus", "tds"])
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    (folder / "data.csv").write_text(ROWS, "utf-8")
    flags = (*FLAGS, "--method", request.param)
    assert run("anonymize", folder / "data.csv", "-o", folder / "r.csv", *flags).code == 0
    return folder / "r.csv"


def test_every_value_is_one_that_its_cell_stands_for(release: Path) -> None:
    cells = kanopy.read_release(release, kind="pyarrow")
    drawn = kanopy.draw(release, kind="pyarrow", seed=3)
    assert drawn.column_names == ["age", "zip", "job", "cls", DRAWN]
    assert drawn["cls"].to_pylist() == cells["cls"].to_pylist()
    if "age_low" in cells.column_names:  # not where every age is suppressed
        ends = (cells[name].to_pylist() for name in ("age_low", "age_high"))
        for low, high, age in zip(*ends, drawn["age"].to_pylist(), strict=True):
            assert low is None or low <= float(age) <= high
    for name in ("zip", "job"):
        for cell, value in zip(cells[name].to_pylist(), drawn[name].to_pylist(), strict=True):
            read = read_cell(cell or "")
            assert read.is_suppressed or value in (*read.texts, *([None] if read.with_missing else []))


def test_the_same_seed_draws_the_same_bytes(release: Path, tmp_path: Path) -> None:
    made = {}
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        outcome = run("draw", release, "-o", tmp_path / f"{name}.csv", "--seed", str(seed))
        assert outcome.code == 0
        assert "made up" in outcome.err
        made[name] = (tmp_path / f"{name}.csv").read_bytes()
    assert made["a"] == made["b"] != made["c"]
    assert run("draw", release, "-o", tmp_path / "p.parquet").code == 0
    assert pq.read_table(tmp_path / "p.parquet").column_names[-1] == DRAWN
    assert all(line.endswith("drawn with seed 0") for line in made["a"].decode().splitlines()[1:])


def test_it_is_never_taken_for_a_release(release: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    for name in ("out.csv", "out.csv.kanopy.json", "out.codebook.csv", "out.codebook.md"):
        (tmp_path / name).write_text("old")
    assert run("draw", release, "-o", out).code == 2
    assert out.read_text() == "old"
    assert run("draw", release, "-o", out, "--force").code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    assert run("verify", out).code == 3
    with pytest.raises(InputError, match="drawn already"):
        kanopy.draw(out, verified=False)


def test_wrong_requests(release: Path, tmp_path: Path) -> None:
    assert run("draw", release, "-o", release, "--force").code == 2
    assert run("draw", release, "-o", tmp_path / "x.txt").code == 2
    assert run("draw", release, "-o", tmp_path / "x.csv", "--seed", "-1").code == 2
    assert run("draw", tmp_path / "nowhere.csv", "-o", tmp_path / "x.csv").code == 3
    with pytest.raises(PolicyError):
        kanopy.draw(release, kind="numpy")
    changed = tmp_path / "r.csv"
    changed.write_bytes(release.read_bytes() + b"1,2,3,4\n")
    (tmp_path / "r.csv.kanopy.json").write_bytes(release.with_name("r.csv.kanopy.json").read_bytes())
    told = run("draw", changed, "-o", tmp_path / "x.csv")
    assert (told.code, "--no-verified" in told.err) == (3, False)  # there is no such flag
    assert not (tmp_path / "x.csv").exists()


def test_what_is_not_shown_stays_a_value_of_its_own(tmp_path: Path) -> None:
    rows = "job,cls\n" + "a,Y\n" * 20 + "b,N\n" * 20 + "c,Y\nd,N\n" * 2
    (tmp_path / "data.csv").write_text(rows)
    flags = ("--quasi=job", "--target=cls", "--k=4", "--method=tdr")
    assert run("anonymize", tmp_path / "data.csv", "-o", tmp_path / "r.csv", *flags).code == 0
    certificate = json.loads((tmp_path / "r.csv.kanopy.json").read_text())
    cells = pyarrow.csv.read_csv(tmp_path / "r.csv")["job"].to_pylist()
    assert "*" in cells
    assert certificate["cells"]["job"]["suppressed"] == "not shown"
    drawn = kanopy.draw(tmp_path / "r.csv", kind="pyarrow")["job"].to_pylist()
    assert [value == "*" for value in drawn] == [cell == "*" for cell in cells]
    (tmp_path / "r.csv.kanopy.json").unlink()
    with pytest.warns(KanopyWarning, match="no certificate"):
        by_codebook = kanopy.draw(tmp_path / "r.csv", kind="pyarrow")["job"].to_pylist()
    assert by_codebook == drawn


@pytest.mark.parametrize(("suffix", "unpack"), [(".csv.gz", gzip.decompress), (".csv.zst", unpacked_zstd)])
def test_into_compressed_files(
    release: Path, tmp_path: Path, suffix: str, unpack: Callable[[bytes], bytes]
) -> None:
    for name in ("plain.csv", f"plain{suffix}"):
        assert run("draw", release, "-o", tmp_path / name).code == 0
    assert unpack((tmp_path / f"plain{suffix}").read_bytes()) == (tmp_path / "plain.csv").read_bytes()


def test_a_table_that_is_no_release_is_not_copied(release: Path, tmp_path: Path) -> None:
    outcome = run("draw", release.with_name("data.csv"), "-o", tmp_path / "plain.csv")
    assert outcome.code == 3
    assert "nothing says that it is a release" in outcome.err
    assert not (tmp_path / "plain.csv").exists()
    assert len(kanopy.draw(release.with_name("data.csv"), verified=False)) == 400
