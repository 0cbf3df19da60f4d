"""A cluster of several processes behind a Connect server; where one is killed: the same release, or none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import PATIENCE
from effort import IS_DEEP
from spark_tables import policy

import kanopy
from kanopy.certificate import read_certificate

SCRIPT = Path(__file__).with_name("on_a_cluster.py")
ROOT = Path(__file__).parents[2]
CLUSTER = "local-cluster[2,1,1024]"
"""Each of its executors is a Java machine of its own."""


def run_on_cluster(file: Path, folder: Path, master: str, *victims: str) -> subprocess.CompletedProcess[str]:
    """Make a release in a process of its own, which starts the cluster."""
    paths = [str(ROOT / "src"), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, "-W", "ignore", str(SCRIPT), str(file), str(folder), master, *victims]
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=PATIENCE, check=False)


def sorted_rows(folder: Path) -> list[str]:
    """The rows of the parts in the order of their names."""
    lines = []
    for part in sorted(folder.glob("part-*.csv")):
        lines += part.read_text("utf-8").splitlines()[1:]
    return lines


@pytest.fixture(scope="session")
def expected(file: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    path = tmp_path_factory.mktemp("local") / "local.csv"
    kanopy.anonymize(file, policy(keep=["ward"])).write(path)
    return path.read_text("utf-8").splitlines()[1:]


@pytest.mark.skipif(not IS_DEEP, reason="a minute of Spark: KANOPY_DEEP=1 runs it")
def test_nobody_is_killed(file: Path, tmp_path: Path, expected: list[str]) -> None:
    done = run_on_cluster(file, tmp_path / "out", CLUSTER)
    assert done.returncode == 0, done.stderr[-2000:]
    assert sorted_rows(tmp_path / "out") == expected


def test_a_worker_and_the_driver_are_killed(
    connect: str, spark: Any, file: Path, tmp_path: Path, expected: list[str]
) -> None:
    """The session of the tests has one executor, which is not killed."""
    check_killed(connect, ["worker"], file, tmp_path, expected)


@pytest.mark.skipif(not IS_DEEP, reason="a minute of Spark: KANOPY_DEEP=1 runs it")
def test_a_worker_an_executor_and_the_driver_are_killed(
    file: Path, tmp_path: Path, expected: list[str]
) -> None:
    check_killed(CLUSTER, ["worker", "executor"], file, tmp_path, expected)


def check_killed(master: str, victims: list[str], file: Path, tmp_path: Path, expected: list[str]) -> None:
    done = run_on_cluster(file, tmp_path / "out", master, *victims, "driver")
    assert done.stdout, done.stderr[-2000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told == {"killed": victims, "is_remote": True}
    assert sorted_rows(tmp_path / "out") == expected
    assert kanopy.verify(tmp_path / "out").kept
    assert len(read_certificate(tmp_path / "out" / "_kanopy.json").release.parts) == 3
    # Then the driver was killed while it wrote another one.
    assert done.returncode == -9
    assert sorted(each.suffix for each in tmp_path.iterdir()) == ["", ".kanopy-tmp"]
    assert [each.name for each in tmp_path.iterdir() if not each.suffix] == ["out"]
