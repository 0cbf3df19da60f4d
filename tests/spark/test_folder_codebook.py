"""The codebook of a release that is a folder: in it, certified, and enough to read the parts."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from spark_tables import policy, table

import kanopy
from kanopy.engines.spark import release
from kanopy.errors import InputError, VerificationError

SHOW = '\nprint(len(release), round(((release["age_low"] + release["age_high"]) / 2).mean(), 6))'


@pytest.fixture(scope="module")
def made(spark: Any) -> Any:
    return kanopy.anonymize(spark.createDataFrame(table(600)), policy(k=5))


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_it_is_enough_to_read_the_parts(form: str, made: Any, tmp_path: Path) -> None:
    made.write(tmp_path / "out", parts=2, form=form)
    found = {check.name: check.outcome for check in kanopy.verify(tmp_path / "out").checks}
    assert found["codebook"] == "holds"
    frame = kanopy.read_release(tmp_path / "out")
    code = re.search(
        r"```python\n(.*?)\n```", (tmp_path / "out" / "_codebook.md").read_text("utf-8"), re.DOTALL
    )
    assert code is not None
    done = subprocess.run(
        [sys.executable, "-I", "-c", code[1] + SHOW],
        cwd=tmp_path / "out",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    middle = ((frame["age_low"] + frame["age_high"]) / 2).mean()
    assert done.stdout.split() == [str(len(frame)), str(round(middle, 6))]
    assert kanopy.draw(tmp_path / "out", kind="pyarrow").num_rows == len(frame)
    with (tmp_path / "out" / "_codebook.csv").open("ab") as stream:
        stream.write(b"\n")
    assert not kanopy.verify(tmp_path / "out").kept
    with pytest.raises(InputError, match="codebook"):
        kanopy.read_release(tmp_path / "out")


def test_without_one(made: Any, tmp_path: Path) -> None:
    made.write(tmp_path / "out", codebook=False)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "_kanopy.json",
        "part-00000.parquet",
    ]
    assert kanopy.verify(tmp_path / "out").kept


def test_a_codebook_that_says_more_is_not_published(
    made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = release.codebook_bytes

    def wrong(*given: Any) -> tuple[bytes, bytes]:
        book, page = sound(*given)
        return book + b"zip,2,quasi_identifiers,texts,level,hidden,value\n", page

    monkeypatch.setattr(release, "codebook_bytes", wrong)
    with pytest.raises(VerificationError, match="the codebook should hold"):
        made.write(tmp_path / "out")
    assert not list(tmp_path.iterdir())
