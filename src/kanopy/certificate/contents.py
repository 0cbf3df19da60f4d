"""What a certificate says, as plain data and as the text of a file.

PRIVACY: a certificate follows from the bytes of the release, from what the custodian decided and from what
the manifest tells; the source, its digest, the seed and counts of persons are not in it
(tests/sabotage/test_certificate_leaks.py).
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from kanopy.certificate.limits import MOST_BOUNDS, MOST_DIGITS, MOST_FINDINGS
from kanopy.errors import Hint, PolicyError
from kanopy.frames.csv_form import PLAIN_FORM, CsvForm
from kanopy.frames.folder import FOLDER_CERTIFICATE
from kanopy.policy import Policy
from kanopy.privacy import PrivacyModel, plain_promise
from kanopy.privacy.anonymity import Anonymity

CERTIFICATE_SUFFIXES = (".json",)
FORMAT = 1
"""The version of the form of certificates."""

FROM_FILE = "from the file"
IN_ROWS = "in rows from the file; persons were counted when the file was written"
BY_PERSONS = "not from the file; persons were counted when it was written"
WITH_POLICY = "from the file, with the policy: it says how far apart values are"
RECOUNTS = (FROM_FILE, IN_ROWS, BY_PERSONS, WITH_POLICY)
"""How a promise can be counted again by somebody who has the file and its certificate."""

ABOUT = (
    "This certificate belongs to the released table that is named below. kanopy wrote both, and counted "
    "the promise on the bytes of the table. Check them with: kanopy verify FILE. This is not a signature: "
    "whoever changes the table can change the certificate too. So compare the SHA-256 of the certificate "
    "with the one that the publisher tells you in another way."
)
SEED = "withheld: with the seed, hidden values could be found out"


class CertifiedPart(NamedTuple):
    """One file of a release that is a folder, as it was checked."""

    name: str
    sha256: str
    n_bytes: int
    n_rows: int


class CertifiedFile(NamedTuple):
    """The file of a release, as it was checked, or a folder of ``parts``: see ``certified_folder``."""

    name: str
    sha256: str
    n_bytes: int
    n_rows: int
    columns: Sequence[str]
    parts: tuple[CertifiedPart, ...] = ()
    form: CsvForm = PLAIN_FORM


class CertifiedBeside(NamedTuple):
    """A file of the codebook, as it was written."""

    name: str
    sha256: str
    n_bytes: int


def certified_folder(name: str, parts: Iterable[CertifiedPart], columns: Sequence[str]) -> CertifiedFile:
    """A release that is a folder of parts, none of which is empty; O(parts)."""
    every = tuple(sorted(parts))
    n_bytes, n_rows = sum(part.n_bytes for part in every), sum(part.n_rows for part in every)
    return CertifiedFile(name, listing_digest(every), n_bytes, n_rows, columns, every)


def listing_digest(parts: Iterable[CertifiedPart]) -> str:
    """The SHA-256 of what ``sha256sum`` prints for the parts, in the order of their names; O(parts)."""
    listing = "".join(f"{part.sha256}  {part.name}\n" for part in sorted(parts))
    return hashlib.sha256(listing.encode()).hexdigest()


def certificate_path(release: str | os.PathLike[str]) -> Path:
    """Where the certificate of a release is: beside a file, ``release.csv.kanopy.json``, and in a folder that
    exists, ``release/_kanopy.json``."""
    path = Path(release)
    return path / FOLDER_CERTIFICATE if path.is_dir() else path.with_name(f"{path.name}.kanopy.json")


def certificate_of(
    told: Mapping[str, Any],
    policy: Policy,
    written: CertifiedFile,
    *,
    policy_sha256: str,
    date: str,
    cells: Mapping[str, Mapping[str, str]] | None = None,
    codebook: Sequence[CertifiedBeside] = (),
) -> dict[str, Any]:
    """The contents of a certificate; ``told`` is what ``Release.told`` says, ``date`` when it was written,
    ``cells`` what each column holds, ``codebook`` the files of the codebook."""
    manifest, audit = told["manifest"], told["audit"]
    parts = policy.promise.parts
    return {
        "about": ABOUT,
        "format": FORMAT,
        "kanopy": manifest["kanopy"],
        "date": date,
        "release": _written(written),
        "codebook": [{"file": each.name, "sha256": each.sha256, "bytes": each.n_bytes} for each in codebook],
        "cells": {name: dict(said) for name, said in (cells or {}).items()},
        "policy": {"sha256": policy_sha256},
        "promise": {
            "sentences": manifest["promise"],
            "not_promised": manifest["not_promised"],
            "counted": audit["unit"],
            "bounds": [
                {**plain_promise(part), "recount": recount_of(part, audit["unit"], policy)} for part in parts
            ],
            "ordered_as": _ordered_as(parts, policy),
        },
        "quasi_identifiers": list(policy.quasi_identifiers),
        "roles": manifest["roles"],
        "columns": manifest.get("columns", {}),
        "verdict": _verdict(audit, policy),
        "method": {"name": manifest["method"], "options": manifest["options"], "seed": SEED},
        "truthful": manifest["truthful"],
        "notices": manifest["notices"],
    }


def _written(written: CertifiedFile) -> dict[str, Any]:
    whole = {**_file(written), "columns": list(written.columns)}
    if written.form != PLAIN_FORM:
        form = written.form
        whole["form"] = {
            "delimiter": form.delimiter,
            "byte_order_mark": form.has_mark,
            "decimal": form.decimal,
            "decimal_commas": list(form.comma_columns),
        } | ({"formulas_disarmed": True} if form.is_disarmed else {})
    return {**whole, "parts": [_file(part) for part in written.parts]} if written.parts else whole


def _file(file: CertifiedFile | CertifiedPart) -> dict[str, Any]:
    return {"file": file.name, "sha256": file.sha256, "bytes": file.n_bytes, "rows": file.n_rows}


def _verdict(audit: Mapping[str, Any], policy: Policy) -> dict[str, Any]:
    findings = [
        # None of those that are told is private.
        {name: said for name, said in finding.items() if name != "is_private"}
        for finding in audit["findings"]
    ]
    return {
        "colour": audit["colour"],
        "accepted": list(policy.accept),
        "findings": findings[:MOST_FINDINGS],  # the worst come first
        "more_findings": max(0, len(findings) - MOST_FINDINGS),
    }


def check_bounds(n_bounds: int) -> None:
    """A PolicyError where a promise has more parts than a certificate may hold."""
    if n_bounds > MOST_BOUNDS:
        what = f"the policy makes {n_bounds:,} promises, and a certificate holds at most {MOST_BOUNDS:,}"
        raise PolicyError(
            what, Hint("promise less, or write no certificate: {certificate}", certificate=False)
        )


def certificate_text(certificate: Mapping[str, Any]) -> str:
    """A certificate as JSON: ASCII, one entry per line, in a fixed order."""
    return json.dumps(_readable(certificate), indent=2, allow_nan=False) + "\n"


def recount_of(part: PrivacyModel, unit: str, policy: Policy) -> str:
    """How a promise can be counted again without the source; one of ``RECOUNTS``."""
    if unit == "persons":
        from kanopy.privacy import DistinctDiversity

        # Who has a value is asked of persons: the same shares of rows would say something else. How many
        # values there are does not depend on that, and a group has at least as many rows as persons.
        by_rows = IN_ROWS if isinstance(part, Anonymity) else BY_PERSONS
        return FROM_FILE if isinstance(part, DistinctDiversity) else by_rows
    return WITH_POLICY if _needs_policy(part, policy) else FROM_FILE


def distance_of(part: PrivacyModel) -> str:
    """How a promise of closeness compares values; empty for others, which have no distance."""
    return str(getattr(part, "distance", ""))


def _needs_policy(part: PrivacyModel, policy: Policy) -> bool:
    """Whether the order or the hierarchy of a column is needed, and no look at its values tells it."""
    is_decided = any(column in policy.hierarchies or column in policy.columns for column in part.columns)
    return distance_of(part) == "hierarchical" or (distance_of(part) == "ordered" and is_decided)


def _ordered_as(parts: Iterable[PrivacyModel], policy: Policy) -> dict[str, str]:
    """Of columns whose order matters, what the policy declares them to be."""
    names = {column for part in parts if distance_of(part) == "ordered" for column in part.columns}
    declared = dict.fromkeys(policy.numeric, "numbers") | dict.fromkeys(policy.categorical, "texts")
    return {name: declared[name] for name in sorted(names) if name in declared}


def _readable(value: Any) -> Any:
    """JSON has no infinite number, and a reader takes no endless one: they become texts."""
    if isinstance(value, Mapping):
        return {name: _readable(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_readable(inner) for inner in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    is_endless = isinstance(value, int) and abs(value) >= 10**MOST_DIGITS
    return f"about {Decimal(value):.3e}" if is_endless else value
