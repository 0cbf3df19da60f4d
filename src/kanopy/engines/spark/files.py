"""Files of a table as a Spark frame, read as a local run reads them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path, PurePath
from typing import Any

from kanopy.engines.spark.session import spark_errors
from kanopy.errors import InputError, PolicyError
from kanopy.frames.source import files_of, source_tables
from kanopy.policy import Policy

CORRUPT = "kanopy: a line that is no row"
"""The column in which Spark notes lines that have too few or too many cells."""
_CSV = {".csv": ",", ".txt": ",", ".tsv": "\t", ".tab": "\t"}
_PARQUET = (".parquet", ".pq")


def is_url(path: Any) -> bool:
    """Whether a path is one of another file system, which Spark knows."""
    return isinstance(path, str) and "://" in path and not path.startswith("file://")


def frame_of_files(
    session: Any, path: Any, policy: Policy, *, delimiter: str | None = None, encoding: str | None = None
) -> Any:
    """A Spark frame over a file, a folder or a list of them; on other file systems over Parquet alone."""
    if is_url(path):
        if delimiter is not None or encoding is not None or PurePath(path).suffix.lower() in _CSV:
            hint = "convert it to Parquet, or read it yourself and give kanopy.anonymize the frame"
            raise PolicyError(f"{path}: of other file systems, only Parquet is read", hint)
        with spark_errors("Spark could not read the table"):
            return session.read.parquet(path)
    if isinstance(path, str) and path == "-":
        raise PolicyError("Spark does not read standard input", "give a file or a folder")
    files = files_of(path) or [os.fspath(path)]
    suffixes = {_suffix(file) for file in files}
    for file in files:
        if not Path(file).is_file():
            raise InputError(f"{file}: no such file", "check the path")
    uris = [Path(os.path.abspath(file)).as_uri() for file in files]  # noqa: PTH100 (links stay)
    if suffixes <= set(_PARQUET):
        _check_alike(files, policy)
        with spark_errors("Spark could not read the table"):
            return session.read.parquet(*uris)
    if len(suffixes) > 1 or not suffixes <= set(_CSV):
        raise PolicyError("the files are of several formats", "give CSV files or Parquet files")
    return _csv_frame(session, files, uris, policy, delimiter, encoding)


def _suffix(file: str) -> str:
    plain = PurePath(file)
    return PurePath(plain.stem if plain.suffix.lower() == ".gz" else plain.name).suffix.lower()


def _check_alike(files: Sequence[str], policy: Policy, **form: str | None) -> list[str]:
    """The columns of the first file; all files must have the same ones, in the same order."""
    first: Any = None
    for file in files:
        (piece,) = islice(source_tables(file, policy.source, **form), 1)
        first = piece.schema if first is None else first
        if piece.column_names != first.names:
            what = f"{file}: has other columns than the first file, or another order of them"
            raise InputError(what, "all files need the same columns in the same order")
        if piece.schema.types != first.types:
            what = f"{file}: columns have other types than in the first file"
            raise InputError(what, "write all files alike")
    return list(first.names)


def _csv_frame(
    session: Any, files: Sequence[str], uris: Sequence[str], policy: Policy, delimiter: Any, encoding: Any
) -> Any:
    names = _check_alike(files, policy, delimiter=delimiter, encoding=encoding)
    usual, quote = policy.source, policy.source.quote or '"'
    given = {
        "header": "true",
        "sep": delimiter or usual.delimiter or _CSV[_suffix(files[0])],
        "encoding": encoding or usual.encoding or "utf-8",
        "quote": quote,
        "escape": quote,  # a quote is doubled, and a backslash is a character like any other
        "multiLine": "true",
        "mode": "PERMISSIVE",
        "columnNameOfCorruptRecord": CORRUPT,
        "ignoreLeadingWhiteSpace": "false",
        "ignoreTrailingWhiteSpace": "false",
    }
    columns = ", ".join(f"`{name.replace('`', '``')}` STRING" for name in (*names, CORRUPT))
    with spark_errors("Spark could not read the table"):
        return session.read.options(**given).schema(columns).csv(list(uris))
