"""Releases on file systems without a rename of folders: copied, hashed again, and certified last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from spark_tables import BESIDE, policy, table

import kanopy
from kanopy.errors import PolicyError, VerificationError
from kanopy.release import remote_folder


@pytest.fixture(scope="module")
def made(spark: Any) -> Any:
    return kanopy.anonymize(spark.createDataFrame(table(600)), policy(k=5))


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_the_same_parts_as_in_a_folder(made: Any, tmp_path: Path) -> None:
    made.write(f"file://{tmp_path}/out", parts=2)
    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == [*BESIDE, "part-00000.parquet", "part-00001.parquet"]
    assert kanopy.verify(tmp_path / "out").kept
    with pytest.raises(PolicyError, match="exists"):
        made.write(f"file://{tmp_path}/out")
    made.write(f"file://{tmp_path}/out", parts=1, force=True)
    assert names(tmp_path / "out") == [*BESIDE, "part-00000.parquet"]


def test_a_copy_that_is_not_what_was_checked_is_no_release(
    made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = remote_folder.RemoteFolder.put

    def changed_on_its_way(self: Any) -> None:
        (staged,) = tmp_path.glob(".out.*")
        part = staged / "part-00000.parquet"
        part.write_bytes(part.read_bytes()[:-4] + b"evil")
        put(self)

    monkeypatch.setattr(remote_folder.RemoteFolder, "put", changed_on_its_way)
    with pytest.raises(VerificationError):
        made.write(f"file://{tmp_path}/out")
    assert not (tmp_path / "out" / "_kanopy.json").exists()
    assert not list(tmp_path.glob("out/part-*"))


def test_a_file_system_that_the_driver_does_not_know(made: Any) -> None:
    with pytest.raises(PolicyError, match="cannot open nowhere"):
        made.write("nowhere://host/out")


def test_another_folder_is_never_replaced(made: Any, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "photo.jpg").write_bytes(b"")
    with pytest.raises(PolicyError, match="no release"):
        made.write(f"file://{tmp_path}/out", force=True)
