"""``python -m benchmarks.same_bytes COMMIT``: whether releases are the same bytes as with a commit's code.

All methods release tables with missing values, persons, hierarchies and bounds (``release_cases.py``), from
CSV and from Parquet, with both codes. Releases, exit codes and what is left of the certificates without date
and version are compared; what differs is listed. Texts that a command prints may differ, and so may the
encoding of a Parquet file with the same schema, row groups and rows in the same order: they are only counted,
and listed with ``--verbose``. Exits with 1 where a release, a certificate or an exit code differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from pyarrow import parquet

from benchmarks.commits import INSTALLED, Code, checked_out
from benchmarks.measure import ROOT
from benchmarks.release_cases import SAID, write_cases

RELEASE, CERTIFICATE, EXIT_CODE, TEXT = "release", "certificate", "exit code", "text"
ENCODING = "Parquet encoding"
MAY_DIFFER = {TEXT, ENCODING}
CERTIFICATE_ENDING = ".kanopy.json"


def differences(one: Path, other: Path) -> Iterator[tuple[str, str]]:
    """What differs between two folders of releases, with the name of the file; O(bytes)."""
    for name in sorted({path.name for folder in (one, other) for path in folder.iterdir()}):
        first, second = one / name, other / name
        if name.endswith(CERTIFICATE_ENDING):
            if _certified(first) != _certified(second):
                yield CERTIFICATE, name
        elif name.endswith(SAID):
            yield from _said_differently(name, first, second)
        elif _content(first) != _content(second):
            is_same = name.endswith(".parquet") and _has_same_rows(first, second)
            yield ENCODING if is_same else RELEASE, name


def _has_same_rows(first: Path, second: Path) -> bool:
    if not (first.exists() and second.exists()):
        return False
    with parquet.ParquetFile(first) as one, parquet.ParquetFile(second) as other:
        sizes, other_sizes = (
            [opened.metadata.row_group(number).num_rows for number in range(opened.num_row_groups)]
            for opened in (one, other)
        )
        is_alike = one.schema.equals(other.schema) and one.metadata.metadata == other.metadata.metadata
        is_alike = is_alike and one.schema_arrow.equals(other.schema_arrow, check_metadata=True)
        return is_alike and sizes == other_sizes and one.read().equals(other.read())


def _said_differently(name: str, first: Path, second: Path) -> Iterator[tuple[str, str]]:
    one, other = ((_content(path) or b"").partition(b"\n") for path in (first, second))
    if one[0] != other[0]:
        yield EXIT_CODE, name
    elif one[2] != other[2]:
        yield TEXT, name


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _certified(path: Path) -> object:
    if not path.exists():
        return None
    found = json.loads(path.read_bytes())
    if path.name.endswith(f".parquet{CERTIFICATE_ENDING}"):  # the rows are compared, not their encoding
        found["release"] = {
            name: value for name, value in found["release"].items() if name not in ("sha256", "bytes")
        }
    return {name: value for name, value in found.items() if name not in ("date", "kanopy")}


def _release(code: Code, cases: Path, releases: Path, methods: str) -> None:
    releases.mkdir()
    program = code.start("from benchmarks.release_cases import main; main()")
    command = (sys.executable, "-c", program, str(cases), str(releases), methods)
    subprocess.run(command, check=True, cwd=ROOT)


def compare(commit: str, methods: str = "") -> tuple[int, list[tuple[str, str]]]:
    """How many releases came out with this code, and what differs from the other's."""
    with ExitStack() as opened:
        folder = Path(opened.enter_context(TemporaryDirectory(prefix="kanopy-bytes-")))
        then = opened.enter_context(checked_out(commit))
        write_cases(folder / "cases")
        for code, name in ((INSTALLED, "now"), (then, "then")):
            print(f"releasing with {code.name or 'this code'}", file=sys.stderr, flush=True)
            _release(code, folder / "cases", folder / name, methods)
        n_releases = sum(path.suffix in (".csv", ".parquet") for path in (folder / "now").iterdir())
        return n_releases, list(differences(folder / "now", folder / "then"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare with a commit and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same_bytes", description=__doc__)
    parser.add_argument("commit", metavar="COMMIT")
    parser.add_argument("--methods", default="", help="only these, separated by commas")
    parser.add_argument("--verbose", action="store_true", help="list texts and encodings that differ, too")
    given = parser.parse_args(arguments)
    try:
        n_releases, found = compare(given.commit, given.methods)
    except ValueError as error:
        parser.error(str(error))
    for what, name in found:
        if what not in MAY_DIFFER or given.verbose:
            print(f"{what} differs: {name.removesuffix(SAID)}")
    counts = Counter(what for what, _ in found)
    told = ", ".join(f"{counts[what]} {what}s" for what in (RELEASE, CERTIFICATE, EXIT_CODE, TEXT, ENCODING))
    print(f"{n_releases} releases compared with {given.commit}; differing: {told}")
    return 1 if set(counts) - MAY_DIFFER or not n_releases else 0


if __name__ == "__main__":
    sys.exit(main())
