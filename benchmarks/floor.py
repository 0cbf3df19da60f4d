"""The floor: what reading, encoding, grouping and writing the table cost when nothing is anonymized.

Run as ``python -m benchmarks.floor SOURCE.csv COPY.csv QUASI,IDENTIFIERS [codes|texts [RELEASE]]``. The
process cannot import pandas, which pyarrow otherwise does where it groups. Imports are not counted, and the
copy is neither forced to the disk nor read back, so that no complete tool can be as fast.

``codes`` groups the encoded columns, which is the least. ``texts`` groups the texts, as promises were counted
when the older bars were set; grouping codes is then timed aside. Where a release is named, copying its bytes
once is timed aside: a tool cannot write them for less.
"""

from __future__ import annotations

import csv as lines
import shutil
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from benchmarks.measure import Stopwatch

if TYPE_CHECKING:
    import pyarrow as pa

CODES, TEXTS = "codes", "texts"
COPY = "copy the release"
_BLOCK = 1 << 20


class NoPandas(MetaPathFinder):
    """Makes ``import pandas`` fail, as where it is not installed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname == "pandas":
            raise ModuleNotFoundError("the floor does without pandas", name=fullname)
        return None


def floor(source: str, copy: str, watch: Stopwatch, quasi: Sequence[str], by: str = CODES) -> int:
    """Read a CSV as text, encode and group its quasi-identifiers, write it back. Returns the groups."""
    import pyarrow as pa
    import pyarrow.acero  # group_by would import it while it is timed
    from pyarrow import csv

    text = csv.ConvertOptions(column_types={name: pa.string() for name in _columns_of(source)})
    with watch.part("read"):
        table = csv.read_csv(source, convert_options=text)
    with watch.part("encode"):
        encoded = pa.table([table[name].dictionary_encode() for name in quasi], names=list(quasi))
    with watch.part("group"):
        n_groups = _n_groups(table if by == TEXTS else encoded, quasi)
    with watch.part("write"):
        csv.write_csv(table, copy)
    if by == TEXTS:
        with watch.aside("group codes"):
            _n_groups(encoded, quasi)
    return n_groups


def _n_groups(table: pa.Table, quasi: Sequence[str]) -> int:
    groups = table.group_by(list(quasi)).aggregate([([], "count_all")])
    return int(groups.num_rows)


def _columns_of(path: str) -> list[str]:
    with Path(path).open(newline="", encoding="utf-8") as file:
        return next(lines.reader(file))


def copy_bytes(source: str, copy: str) -> None:
    """Through the memory of this process, as a tool does that makes the bytes itself."""
    with Path(source).open("rb", buffering=0) as read, Path(copy).open("wb", buffering=0) as written:
        shutil.copyfileobj(read, written, _BLOCK)


def main(arguments: list[str]) -> None:
    sys.meta_path.insert(0, NoPandas())
    source, copy, quasi, *further = arguments
    by, release = (*further, "", "")[:2]
    watch = Stopwatch()
    n_groups = floor(source, copy, watch, quasi.split(","), by or CODES)
    if release and Path(release).exists():  # a release may have failed, the floor must not
        with watch.aside(COPY):
            copy_bytes(release, copy)
    pandas = "with pandas" if "pandas" in sys.modules else "without pandas"
    watch.report(groups=n_groups, pandas=pandas, imports="imports not counted")


if __name__ == "__main__":
    main(sys.argv[1:])
