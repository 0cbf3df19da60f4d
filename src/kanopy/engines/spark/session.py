"""Spark as it is used here: its DataFrame API alone, whether the session is classic or a Connect one.

Nothing of Spark is imported before a Spark frame is there, or a session is asked for.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from kanopy.errors import InputError, KanopyError, PolicyError, ResourceError

OLDEST = (4, 0)
_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # PRIVACY: what Spark logs of a failed task may quote cells (tests/spark/test_written_parts.py).
    "spark.log.level": "OFF",
}
_LOGGERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")
_INSTALL = 'pip install "kanopy[spark]", with Java 17 or later'


def is_spark_frame(table: Any) -> bool:
    """Whether this is a frame of Spark; O(1), and does not import it."""
    kind = type(table)
    return kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.sql.")


def functions_of(frame: Any) -> Any:
    """The functions for columns of a frame: Connect has its own."""
    import importlib

    is_remote = type(frame).__module__.startswith("pyspark.sql.connect")
    return importlib.import_module("pyspark.sql.connect.functions" if is_remote else "pyspark.sql.functions")


def check_version(session: Any) -> None:
    """Refuse a Spark that is too old."""
    found = re.match(r"(\d+)\.(\d+)", session.version)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        what = f"this is Spark {session.version}"
        raise PolicyError(what, f"Spark {OLDEST[0]}.{OLDEST[1]} or later is needed")


@contextlib.contextmanager
def started_session(master: str | None = None) -> Iterator[Any]:
    """A session for one command, ended with it; ``sc://`` as master means a Connect server.

    Where the process has a session, that is used, and left alone.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # Frames of pandas are not used here, whatever its version.
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise PolicyError("Spark is not installed", _INSTALL) from None
    with spark_errors("Spark could not start"):
        active = SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    is_remote = bool(master and master.startswith("sc://"))
    if not is_remote and shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise PolicyError("Spark needs Java, and there is none", "install Java 17 or later, or set JAVA_HOME")
    builder = SparkSession.builder
    if is_remote:
        builder = builder.remote(str(master))
    else:
        builder = builder if master is None else builder.master(master)
        for name, value in _SETTINGS.items():
            builder = builder.config(name, value)
    with spark_errors("Spark could not start"):
        session = builder.getOrCreate()
        check_version(session)
    try:
        yield session
    finally:
        with contextlib.suppress(Exception):
            session.stop()


@contextlib.contextmanager
def spark_errors(what: str, *, of_task: type[KanopyError] = ResourceError) -> Iterator[None]:
    """Errors of Spark as errors of kanopy; those that our own tasks raise become errors ``of_task``.

    PRIVACY: what Spark says may quote cells, so only the name of its condition is shown
    (tests/spark/test_written_parts.py).
    """
    fault: KanopyError | None = None
    try:
        with _unlogged():
            yield
    except (KanopyError, KeyboardInterrupt, MemoryError):
        raise
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("pyspark", "py4j", "grpc"):
            raise
        fault = _told(what, error, of_task)
    if fault is not None:
        raise fault from None


@contextlib.contextmanager
def _unlogged() -> Iterator[None]:
    """PRIVACY: pyspark itself prints what a failed query says, with the cell (tests/spark/test_audit.py)."""
    from pyspark.logger import PySparkLogger

    loggers = [PySparkLogger.getLogger(name) for name in _LOGGERS]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, was in zip(loggers, before, strict=True):
            logger.disabled = was


def _told(what: str, error: Exception, of_task: type[KanopyError]) -> KanopyError:
    condition = ""
    with contextlib.suppress(Exception):
        condition = str(error.getCondition() or "")  # type: ignore[attr-defined]
    known = condition if re.fullmatch(r"[A-Z0-9_.]+", condition) else ""
    named = known or type(error).__name__
    if known.startswith(("PATH_NOT_FOUND", "FAILED_READ_FILE", "UNABLE_TO_INFER_SCHEMA")):
        return InputError(f"{what}: {named}", "check the path, and whether the files are whole")
    is_ours = known.startswith("PYTHON_EXCEPTION") or named == "PythonException"  # so in Spark 4.0
    kind = of_task if is_ours else ResourceError
    return kind(f"{what}: {named}", "the logs of Spark say more; they may quote cells")
