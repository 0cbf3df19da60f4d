"""The folder of a release: what is tampered with is refused, and what fails leaves nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import SECRET
from spark_tables import BESIDE, policy, table

import kanopy
from kanopy.engines.spark import files
from kanopy.engines.spark import release as spark_release
from kanopy.errors import InputError, PolicyError, ResourceError, VerificationError


@pytest.fixture(scope="module")
def made(spark: Any) -> Any:
    return kanopy.anonymize(spark.createDataFrame(table(600)), policy(k=5))


def remove(parts: list[Path]) -> None:
    parts[1].unlink()


def double(parts: list[Path]) -> None:
    shutil.copy(parts[1], parts[1].with_name("part-00001-again.snappy.parquet"))


def change(parts: list[Path]) -> None:
    rows = pq.read_table(parts[1])
    cells = pa.array(["*", *rows["age"].to_pylist()[1:]], rows["age"].type)
    pq.write_table(rows.set_column(rows.schema.get_field_index("age"), "age", cells), parts[1])


def reorder(parts: list[Path]) -> None:
    aside = parts[0].with_name("aside")
    parts[0].rename(aside)
    parts[1].rename(parts[0])
    aside.rename(parts[1])


def swap_rows(parts: list[Path]) -> None:
    rows = pq.read_table(parts[1])
    pq.write_table(pa.concat_tables([rows.slice(1), rows.slice(0, 1)]), parts[1])


def damage(parts: list[Path]) -> None:
    parts[1].write_bytes(parts[1].read_bytes()[:-9])


@pytest.mark.parametrize("tamper", [remove, double, change, reorder, swap_rows, damage])
def test_parts_that_are_not_the_release_are_refused(
    made: Any, tmp_path: Path, tamper: Callable[[list[Path]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    write = spark_release.write_parts

    def written_and_tampered_with(frame: Any, target: str, suffix: str) -> None:
        write(frame, target, suffix)
        tamper(sorted(Path(urlparse(target).path).glob("part-*")))

    monkeypatch.setattr(spark_release, "write_parts", written_and_tampered_with)
    with pytest.raises(VerificationError) as error:
        made.write(tmp_path / "out", parts=3)
    assert error.value.exit_code == 5
    assert not list(tmp_path.iterdir())


def test_a_part_that_is_changed_after_it_was_read_is_refused(
    made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = spark_release.check_recount

    def recounted_then_changed(*given: Any) -> None:
        check(*given)
        (staging,) = tmp_path.glob(".out*")
        part = staging / "part-00000.parquet"
        part.write_bytes(part.read_bytes() + b"more")

    monkeypatch.setattr(spark_release, "check_recount", recounted_then_changed)
    with pytest.raises(VerificationError):
        made.write(tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_only_a_release_is_replaced_and_only_by_force(made: Any, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "photo.jpg").write_bytes(b"")
    for force in (False, True):
        with pytest.raises(PolicyError, match="no release"):
            made.write(other, force=force)
    made.write(tmp_path / "out", parts=2)
    with pytest.raises(PolicyError, match="exists"):
        made.write(tmp_path / "out")
    made.write(tmp_path / "out", parts=1, force=True)
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == [
        *BESIDE,
        "part-00000.parquet",
    ]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["other", "out"]
    assert kanopy.verify(tmp_path / "out").kept


def test_a_folder_that_a_killed_run_left_is_removed(made: Any, tmp_path: Path) -> None:
    left = tmp_path / ".out.0123456789abcdef.kanopy-tmp"
    (left / "parts").mkdir(parents=True)
    made.write(tmp_path / "out", parts=1)
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_a_folder_without_certificate_is_no_release(made: Any, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="no release"):
        made.write(tmp_path / "out", certificate=False)


def test_what_the_driver_cannot_take_is_said_with_the_reason_before_the_work(spark: Any) -> None:
    frame = spark.createDataFrame(table(200))
    with pytest.raises(ResourceError, match="decides about all of them together"):
        kanopy.anonymize(frame, policy(k=5), method="tds", tuple_limit=20)
    with pytest.raises(ResourceError, match="k counts persons"):
        kanopy.anonymize(frame, policy(k=5, person="person"), tuple_limit=20)
    with pytest.raises(ResourceError, match="one by one"):
        kanopy.anonymize(frame, policy(k=5), method="mdav", tuple_limit=20)


def test_a_table_that_cannot_be_read_is_refused_without_a_cell(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = kanopy.Policy(quasi_identifiers=["a"], target="b", k=2)
    with pytest.raises(InputError, match="array"):
        kanopy.anonymize(spark.sql("select array(1) a, 'x' b"), rules)
    with pytest.raises(PolicyError, match="does not have"):
        kanopy.anonymize(spark.sql("select 1 a"), rules)
    with pytest.raises(InputError, match="no rows"):
        kanopy.anonymize(spark.sql("select 1 a, 'x' b where 1 = 0"), rules)
    ragged = tmp_path / "ragged.csv"
    ragged.write_text(f"a,b\n1,x\n2,y,{SECRET}\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 3"):  # the beginning of every file is read here
        files.frame_of_files(spark, ragged, rules.source)
    monkeypatch.setattr(files, "_check_alike", lambda *_, **__: ["a", "b"])
    with pytest.raises(InputError, match="1 lines") as error:
        kanopy.anonymize(files.frame_of_files(spark, ragged, rules.source), rules)
    assert SECRET not in str(error.value)


def test_a_failing_task_is_told_without_a_cell(spark: Any, tmp_path: Path) -> None:
    rules = kanopy.Policy(quasi_identifiers=["a"], target="b", k=2)
    frame = spark.sql(f"select cast(v as int) a, 'x' b from values ('1'), ('{SECRET}') t(v)")
    with pytest.raises(ResourceError) as error:
        kanopy.anonymize(frame, rules)
    assert SECRET not in str(error.value)
    assert error.value.__context__ is None or error.value.__suppress_context__
