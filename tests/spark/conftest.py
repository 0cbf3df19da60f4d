"""One Spark session for all tests of a process; without Spark or Java they are skipped, and say why."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from effort import IS_DEEP
from spark_tables import table

HERE = Path(__file__).parent
FAST = {
    # A JVM that lives for seconds: one compiler, one thread that collects, nothing to look at.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto",
    "spark.driver.memory": "1g",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.sql.shuffle.partitions": "1",
    "spark.default.parallelism": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",  # to compile a query takes longer than to run it here
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


LATER = (
    "test_a_release[optimistic]",
    "test_audit.py::test_the_command",
    "test_large_columns",
    "test_the_custodians_own_table",
    "test_methods[",
    "test_tuples_counted_as_texts_and_as_numbers[",
    "test_releases_are_read_as_usual_whatever",
    "test_value_statistics_are_recounted",
    "test_bounds_and_hierarchies[mondrian]",
    "test_it_is_enough_to_read_the_parts[",
    "test_kept_columns_with_many_values_stay_on_the_cluster",
    "test_it_is_written_as_parquet_alone",
    "refused[exchange]",
    "are_refused[swap_rows]",
    "test_values_of_every_type",
    "test_a_row_that_is_counted_twice[numbers]",
    "test_the_same_parts_as_in_a_folder",
    "test_how_rows_are_divided",
    "test_dates_and_derived",
    "test_divided.py::test_the_same_release[",
    "test_a_value_that_was_not_there_before",
    "are_refused[damage]",
    "refused[turn]",
    "test_a_frame[rows-texts]",
    "test_a_frame[persons-numbers]",
    "test_a_part_that_is_changed_after",
    "test_small_tables_are_drafted",
)
"""Tests that are left to longer runs (``make deep``), so that those with Spark take a minute."""


def why_not() -> str:
    """Why Spark does not run here; empty where it does."""
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return 'Spark is not installed: pip install "kanopy[spark]"'
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "there is no Java"
    return ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    reason = why_not()
    for item in items:
        if HERE in item.path.parents:
            # pyspark itself says so of the newest pandas, which is used by nothing here.
            item.add_marker(pytest.mark.filterwarnings("ignore:.*does not yet fully support pandas"))
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))
            later = not IS_DEEP and any(name in item.nodeid for name in LATER)
            if reason or later:
                item.add_marker(pytest.mark.skip(reason=reason or "a minute of Spark: KANOPY_DEEP=1 runs it"))


@pytest.fixture(scope="session")
def connect() -> str:
    """Where programs reach the session below by Spark Connect."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return f"sc://127.0.0.1:{free.getsockname()[1]}"


@pytest.fixture(scope="session")
def spark(connect: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session on two cores, in which tasks are retried."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local[2,4]")
    places = {
        "spark.local.dir": str(tmp_path_factory.mktemp("spark")),
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": connect.rpartition(":")[2],
    }
    for name, value in (FAST | places).items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("same") / "patients.parquet"
    pq.write_table(table(), path, row_group_size=500)
    return path
