"""Files of a table as a Spark frame, read as a local run reads them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path, PurePath
from typing import Any

from kanopy.engines.spark.session import functions_of, spark_errors
from kanopy.errors import InputError, KanopyError, PolicyError
from kanopy.frames.csv_bytes import text_codec
from kanopy.frames.detected_file import dialect_of, usual_format
from kanopy.frames.dialect import Dialect
from kanopy.frames.source import files_of, source_tables
from kanopy.policy import Policy
from kanopy.policy.reading import SourceFormat

CORRUPT = "kanopy: a line that is no row"
"""The column in which Spark notes lines that have too few or too many cells."""
_CSV = {".csv": ",", ".txt": ",", ".tsv": "\t", ".tab": "\t"}
_PARQUET = (".parquet", ".pq")
_CHARSETS = {
    "utf-8": "UTF-8", "utf-8-sig": "UTF-8", "ascii": "US-ASCII", "iso8859-1": "ISO-8859-1",
    "utf-16": "UTF-16", "utf-16-le": "UTF-16LE", "utf-16-be": "UTF-16BE", "utf-32": "UTF-32",
}  # fmt: skip


def is_url(path: Any) -> bool:
    """Whether a path is one of another file system, which Spark knows."""
    return isinstance(path, str) and "://" in path and not path.startswith("file://")


def frame_of_files(
    session: Any, path: Any, usual: SourceFormat, *, delimiter: str | None = None, encoding: str | None = None
) -> Any:
    """A Spark frame over a file, a folder or a list of them; on other file systems over Parquet alone.

    What is ``usual`` for CSV files holds where nothing else is given. O(files).
    """
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
        _check_alike(files, usual)
        with spark_errors("Spark could not read the table"):
            return session.read.parquet(*uris)
    if len(suffixes) > 1 or not suffixes <= set(_CSV):
        raise PolicyError("the files are of several formats", "give CSV files or Parquet files")
    return _csv_frame(session, files, uris, usual, delimiter, encoding)


def judged_frame(session: Any, path: Any, policy: Policy, **form: str | None) -> Any:
    """A frame over files to be audited: those of a release are written as usual, and others as the policy
    says; O(files)."""
    usual = SourceFormat() if _is_release(path, policy, form) else policy.source
    return frame_of_files(session, path, usual, **form)


def _is_release(path: Any, policy: Policy, form: Mapping[str, Any]) -> bool:
    """Whether the first file, read as releases are, has exactly the published columns."""
    if path == "-" or is_url(path):
        return False
    try:
        (piece,) = islice(source_tables((files_of(path) or [path])[0], **form), 1)
    except KanopyError:
        return False
    return policy.published == set(piece.column_names)


def detected_frame(
    session: Any, path: Any, *, delimiter: str | None, encoding: str | None
) -> tuple[Any, Dialect | None]:
    """A frame over files of which nobody has said how they are written; the first tells it for all."""
    form = {"delimiter": delimiter, "encoding": encoding}
    dialect = None if path == "-" or is_url(path) else dialect_of(path, **form)
    return frame_of_files(session, path, usual_format(dialect), **form), dialect


def _suffix(file: str) -> str:
    plain = PurePath(file)
    return PurePath(plain.stem if plain.suffix.lower() == ".gz" else plain.name).suffix.lower()


def _check_alike(files: Sequence[str], usual: SourceFormat, **form: str | None) -> list[str]:
    """The columns of the first file; all files must have the same ones, in the same order."""
    first: Any = None
    for file in files:
        (piece,) = islice(source_tables(file, usual, **form), 1)
        first = piece.schema if first is None else first
        if piece.column_names != first.names:
            what = f"{file}: has other columns than the first file, or another order of them"
            raise InputError(what, "all files need the same columns in the same order")
        if piece.schema.types != first.types:
            what = f"{file}: columns have other types than in the first file"
            raise InputError(what, "write all files alike")
    return list(first.names)


def _csv_frame(
    session: Any,
    files: Sequence[str],
    uris: Sequence[str],
    usual: SourceFormat,
    delimiter: Any,
    encoding: Any,
) -> Any:
    names = _check_alike(files, usual, delimiter=delimiter, encoding=encoding)
    quote, (charset, *letters) = usual.quote or '"', _charset(encoding or usual.encoding or "utf-8")
    given = {
        "header": "true",
        "sep": delimiter or usual.delimiter or _CSV[_suffix(files[0])],
        "encoding": charset,
        "quote": quote,
        "escape": quote,  # a quote is doubled, and a backslash is a character like any other
        "multiLine": "true",
        "mode": "PERMISSIVE",
        "columnNameOfCorruptRecord": CORRUPT,
        "ignoreLeadingWhiteSpace": "false",
        "ignoreTrailingWhiteSpace": "false",
    }
    quoted = [f"`{name.replace('`', '``')}`" for name in (*names, CORRUPT)]
    with spark_errors("Spark could not read the table"):
        columns = ", ".join(f"{name} STRING" for name in quoted)
        frame = session.read.options(**given).schema(columns).csv(list(uris))
        if not letters[0]:
            return frame
        functions = functions_of(frame)
        texts = [functions.translate(functions.col(name), *letters) for name in quoted[:-1]]
        named = [text.alias(name) for text, name in zip(texts, names, strict=True)]
        return frame.select(*named, functions.col(quoted[-1]))


def _charset(encoding: str) -> tuple[str, str, str]:
    """What Spark calls an encoding, and letters that it reads instead of others.

    Spark knows few. Files with one byte a letter are read as Latin 1, and letters are exchanged afterwards.
    """
    name = text_codec(encoding).name
    if name in _CHARSETS:
        return _CHARSETS[name], "", ""
    bytes_, letters = bytes(range(256)), bytes(range(256)).decode(name, "replace")
    if len(letters) != len(bytes_) or letters[:128].encode() != bytes_[:128]:
        hint = "write the files as UTF-8, or as Parquet"
        raise PolicyError(f"Spark reads no files in encoding {encoding!r}", hint)
    pairs = zip(bytes_.decode("latin-1"), letters, strict=True)
    changed = [(read, meant) for read, meant in pairs if meant not in (read, "\ufffd")]
    return "ISO-8859-1", "".join(read for read, _ in changed), "".join(meant for _, meant in changed)
