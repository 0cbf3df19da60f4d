"""A folder of parts and its certificate: which parts are there, what they hold, and in which order.

Other programs read every file of a folder, in the order of the names. So a file too many, a part that stands
there twice and parts that were exchanged are as wrong as a part that is missing.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from kanopy.auditing import TextTable
from kanopy.auditing.parts import JoinedLines, are_rows_sorted, read_part
from kanopy.certificate.check import FAILS, HOLDS, NOT_CHECKED, Check, FoundRelease, agreement
from kanopy.certificate.contents import CertifiedFile, CertifiedPart, listing_digest
from kanopy.certificate.hashing import hashed
from kanopy.certificate.reading import Certificate
from kanopy.errors import InputError
from kanopy.frames.folder import changed, visible
from kanopy.policy import shown_name

_SHOWN = 5  # names of files in a message
_AS_CERTIFIED = "as certified"
_REMOVED, _CHANGED, _EXCHANGED = "removed", "changed", "exchanged with another part"
_ADDED, _DOUBLED, _LINK = "added", "a copy of a part", "a link or no file at all"
_KINDS = (_REMOVED, _CHANGED, _EXCHANGED, _DOUBLED, _ADDED, _LINK)

Found = dict[str, os.stat_result]
"""What is in a folder, by name."""


class FoundPart(NamedTuple):
    """A certified part that is there."""

    sha256: str
    n_bytes: int
    n_rows: int | None  # None where it holds no table
    has_columns: bool = False  # whether these are the certified ones, in their order


def look_at_folder(folder: Path, known: Certificate) -> FoundRelease:
    """Compare a folder with its certificate; O(bytes + rows * columns), one part in memory at a time.

    Raises
    ------
    InputError
        Where the folder changes meanwhile.
    """
    certified, before, joined = known.release, visible(folder), JoinedLines()
    parts = {part.name: _read(folder, part, joined, certified) for part in certified.parts
             if part.name in before and stat.S_ISREG(before[part.name].st_mode)}  # fmt: skip
    outcomes = tuple(_outcomes(folder, certified.parts, parts, before))
    if list(map(_identity, visible(folder).items())) != list(map(_identity, before.items())):
        raise changed(folder)
    is_whole = bool(parts) and all(part.has_columns for part in parts.values())
    table = joined.table(folder) if is_whole else None
    checks = [_parts_check(folder, certified, outcomes)]
    checks += _number_checks(certified, parts)
    checks.append(_order_check(table, known))
    found = [CertifiedPart(name, part.sha256, part.n_bytes, 0) for name, part in parts.items()]
    return FoundRelease(table, tuple(checks), listing_digest(found), outcomes)


def _identity(entry: tuple[str, os.stat_result]) -> tuple[object, ...]:
    """What differs where a file was written to, or another one has its name."""
    name, found = entry
    return (
        name,
        found.st_dev,
        found.st_ino,
        found.st_mode,
        found.st_size,
        found.st_mtime_ns,
        found.st_ctime_ns,
    )


def _read(folder: Path, part: CertifiedPart, joined: JoinedLines, certified: CertifiedFile) -> FoundPart:
    """Read a part, and add its lines to those before it where it has the certified columns."""
    path = folder / part.name
    sha256, n_bytes = hashed(path)
    try:
        table = read_part(path)
    except InputError:
        return FoundPart(sha256, n_bytes, None)
    has_columns = list(table.columns) == list(certified.columns)
    if has_columns:
        joined.add(table)
    return FoundPart(sha256, n_bytes, table.n_rows, has_columns)


def _outcomes(
    folder: Path, certified: Iterable[CertifiedPart], parts: dict[str, FoundPart], before: Found
) -> Iterator[Check]:
    """What became of every part, and what every other file is, by name."""
    listed = {part.name: part for part in certified}
    digests, sizes = ({getattr(part, what) for part in listed.values()} for what in ("sha256", "n_bytes"))
    for name in sorted({*listed, *before}):
        if name not in before:
            kind = _REMOVED
        elif not stat.S_ISREG(before[name].st_mode):
            kind = _LINK
        elif name in listed and parts[name].sha256 == listed[name].sha256:
            kind = _AS_CERTIFIED
        elif name in listed:
            kind = _EXCHANGED if parts[name].sha256 in digests else _CHANGED
        else:  # only a file that is as long as a part can be one
            is_copy = before[name].st_size in sizes and hashed(folder / name)[0] in digests
            kind = _DOUBLED if is_copy else _ADDED
        yield Check(name, HOLDS if kind == _AS_CERTIFIED else FAILS, kind)


def _parts_check(folder: Path, certified: CertifiedFile, outcomes: tuple[Check, ...]) -> Check:
    # PRIVACY: a part that is missing, stands there twice or was exchanged is another table for whoever reads
    # the folder (tests/sabotage/test_parts.py).
    wrong = []
    for kind in _KINDS:
        names = [shown_name(each.name) for each in outcomes if each.message == kind]
        more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
        wrong += [f"{kind}: {', '.join(names[:_SHOWN])}{more}"] if names else []
    if wrong:
        message = f"{'; '.join(wrong)}. Whoever reads the folder reads another table than the certified one"
        return Check("parts", FAILS, f"{message}: get it again from its publisher")
    name = folder.resolve().name
    renamed = "" if name == certified.name else f"; it was called {shown_name(certified.name)} then"
    n_parts = f"{len(certified.parts):,} certified parts" if len(certified.parts) > 1 else "certified part"
    return Check("parts", HOLDS, f"{name} holds the {n_parts}, byte for byte, and nothing else{renamed}")


def _number_checks(certified: CertifiedFile, parts: dict[str, FoundPart]) -> Iterator[Check]:
    """Bytes, rows and columns of the parts that are there."""
    yield agreement("bytes", sum(part.n_bytes for part in parts.values()), certified.n_bytes)
    unread = [shown_name(name) for name, part in parts.items() if part.n_rows is None]
    if unread or not parts:
        message = f"parts without a table that can be read: {', '.join(unread[:_SHOWN]) or 'all are missing'}"
        yield Check("table", FAILS, message)
        return
    n_rows = {name: part.n_rows or 0 for name, part in parts.items()}
    found = agreement("rows", sum(n_rows.values()), certified.n_rows)
    if found.outcome == HOLDS and any(n_rows.get(part.name) != part.n_rows for part in certified.parts):
        found = Check("rows", FAILS, f"{certified.n_rows:,}, but divided into other parts than certified")
    yield found
    # PRIVACY: a part without its header has cells in the place of names, so none is shown
    # (tests/unit/certificate/test_verify_folder.py).
    others = [shown_name(name) for name, part in parts.items() if not part.has_columns]
    if others:
        message = (
            f"parts with other columns than certified, or in another order: {', '.join(others[:_SHOWN])}"
        )
        yield Check("columns", FAILS, f"{message}. Does one lack its header line?")
    else:
        yield Check("columns", HOLDS, f"{len(certified.columns)}, with the certified names, in every part")


def _order_check(table: TextTable | None, known: Certificate) -> Check:
    if table is None:
        return Check("order", NOT_CHECKED, "the parts do not hold the certified columns")
    if are_rows_sorted(table, known.contents["quasi_identifiers"], known.release.columns):
        return Check("order", HOLDS, "rows are sorted by their texts, in every part and from part to part")
    message = (
        "rows are not sorted by their texts, as those of a release are: another order could tell who is who"
    )
    return Check("order", FAILS, message)
