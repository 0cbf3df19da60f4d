"""Releases as folders of parts with a certificate in them, as the Spark engine writes them."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from command import SECRET

import kanopy
from kanopy.certificate import (
    FOLDER_CERTIFICATE,
    CertifiedPart,
    certificate_bytes,
    certificate_of,
    certified_folder,
)
from kanopy.policy import policy_digest

AGES = [str(20 + number % 8) for number in range(96)]
FRAME = pa.table(
    {
        "stay": pa.array([number % 12 or None for number in range(96)], pa.int64()),
        "age": AGES,
        "zip": [("01234", "01239", "Köln", None)[number % 4] for number in range(96)],
        "ill": [("flu", "cold", "gout", SECRET)[number * 7 % 5 % 4] for number in range(96)],
        "name": [f"n{number}" for number in range(96)],
    }
)
POLICY = kanopy.Policy(
    quasi_identifiers=["zip", "age"], sensitive=["ill"], keep=["stay"], identifiers=["name"], k=4
)
FLAGS = ("--quasi=zip,age", "--sensitive=ill", "--keep=stay", "--identifiers=name", "--k=4")


def part_bytes(rows: pa.Table, suffix: str) -> bytes:
    """A part as other programs write it."""
    if suffix == ".csv":
        out = io.StringIO()
        texts = [
            rows.column_names,
            *(["" if cell is None else cell for cell in row.values()] for row in rows.to_pylist()),
        ]
        csv.writer(out, lineterminator="\n").writerows(texts)
        return out.getvalue().encode()
    sink = io.BytesIO()
    noted = rows.replace_schema_metadata({"org.apache.spark.version": "3.5.1"})
    pq.write_table(noted, sink, compression="gzip", row_group_size=5)
    return sink.getvalue()


def write_parts(
    folder: Path,
    suffix: str = ".csv",
    n_parts: int = 3,
    *,
    table: pa.Table = FRAME,
    policy: kanopy.Policy = POLICY,
) -> Path:
    """Release a table into a new folder."""
    folder.mkdir()
    release = kanopy.anonymize(table, policy)
    frame, parts = release.frame, []
    size = -(-len(frame) // n_parts)
    for number in range(n_parts):
        rows = frame.slice(number * size, size)
        name, raw = f"part-{number:05}-ab12{suffix}", part_bytes(rows, suffix)
        (folder / name).write_bytes(raw)
        (folder / f".{name}.crc").write_bytes(b"crc")
        parts.append(CertifiedPart(name, hashlib.sha256(raw).hexdigest(), len(raw), len(rows)))
    (folder / "_SUCCESS").write_bytes(b"")
    written = certified_folder(folder.name, parts, frame.column_names)
    digest, date = policy_digest(policy), "2026-03-02T09:15:00Z"
    certificate = certificate_of(release.told(), policy, written, policy_sha256=digest, date=date)
    (folder / FOLDER_CERTIFICATE).write_bytes(certificate_bytes(certificate))
    return folder


def names_of(folder: Path) -> list[str]:
    """The parts that the certificate lists."""
    return [
        part["file"] for part in json.loads((folder / FOLDER_CERTIFICATE).read_text())["release"]["parts"]
    ]


def edit(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Edit the certificate."""
    certificate = json.loads((folder / FOLDER_CERTIFICATE).read_text())
    change(certificate)
    (folder / FOLDER_CERTIFICATE).write_text(json.dumps(certificate))


def rows_of(folder: Path, name: str) -> pa.Table:
    """The rows of a part."""
    raw = (folder / name).read_bytes()
    if name.endswith(".parquet"):
        return pq.read_table(io.BytesIO(raw))
    header, *rows = csv.reader(io.StringIO(raw.decode()))
    return pa.table(dict(zip(header, map(pa.array, zip(*rows, strict=True)), strict=True)))


def forge(folder: Path) -> None:
    """Rewrite digests, bytes and rows of the certificate, so that they fit what is in the folder now."""
    parts = []
    for path in sorted(path for path in folder.iterdir() if path.name[0] not in "._"):
        raw = path.read_bytes()
        parts.append(
            CertifiedPart(
                path.name, hashlib.sha256(raw).hexdigest(), len(raw), len(rows_of(folder, path.name))
            )
        )
    whole = certified_folder(folder.name, parts, ())

    def change(known: dict[str, Any]) -> None:
        known["release"] |= {"sha256": whole.sha256, "bytes": whole.n_bytes, "rows": whole.n_rows}
        known["release"]["parts"] = [
            {"file": part.name, "sha256": part.sha256, "bytes": part.n_bytes, "rows": part.n_rows}
            for part in parts
        ]

    edit(folder, change)


def swap_rows(folder: Path, name: str) -> None:
    """Swap the first row of a part with the last one that differs from it."""
    rows = rows_of(folder, name)
    order = list(range(len(rows)))
    order[0], order[-1] = order[-1], order[0]
    swapped = rows.take(order)
    assert not swapped.equals(rows), "these rows are equal"
    (folder / name).write_bytes(part_bytes(swapped, Path(name).suffix))
