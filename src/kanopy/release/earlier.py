"""Earlier releases about the same people: together, two releases say more than each of them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kanopy.auditing import Finding
from kanopy.certificate.limits import MOST_BYTES
from kanopy.errors import PolicyError
from kanopy.policy import Policy
from kanopy.policy.toml_text import NotRegularError, read_regular
from kanopy.release.destination import Destination

_CERTIFICATE = ".kanopy.json"
_KIND = "composition"


def declared_findings(policy: Policy) -> Iterator[Finding]:
    """A warning for every earlier release that the policy names; a PolicyError where it does not exist."""
    for file in map(Path, policy.earlier):
        if not file.is_file():
            what = f"earlier names {file.name!r}, which is no file"
            raise PolicyError(what, "files are looked up beside the policy; check the spelling")
        yield _composition(file.name, "the policy names it as an earlier release of the same people")


def certified_findings(output: Path, policy: Policy) -> Iterator[Finding]:
    """A warning for every other release in the folder whose certificate has the same quasi-identifiers."""
    for certificate in sorted(output.parent.glob(f"*{_CERTIFICATE}")):
        name = certificate.name.removesuffix(_CERTIFICATE)
        if name != output.name and _quasi_identifiers(certificate) == set(policy.quasi_identifiers):
            yield _composition(name, "its certificate says it was made with the same quasi-identifiers")


def without_copies(findings: Iterable[Finding], written: Destination, policy: Policy) -> tuple[Finding, ...]:
    """The same findings, where earlier releases with the same bytes are noted as what they are.

    A second copy of a file tells nothing that the first does not. O(bytes) of files that are as long.
    """
    found = tuple(findings)
    files = {file.name: file for file in map(Path, policy.earlier)}
    for finding in found:
        kind, _, name = finding.code.partition(":")
        if kind == _KIND and _is_copy(files.get(name, written.path.parent / name), written):
            message = f"{name!r} is the same file as this release, byte for byte: together they tell no more"
            copy = Finding("note", message, None, finding.code, "publish it once", is_private=True)
            found = tuple(copy if each is finding else each for each in found)
    return found


def _composition(name: str, why: str) -> Finding:
    message = f"whoever is in this release and in {name!r} can be narrowed down with both: {why}"
    advice = f"measure it: kanopy attack RELEASE --source DATA --policy POLICY --with {name}"
    return Finding("warning", message, None, f"{_KIND}:{name}", advice, is_private=True)


def _is_copy(file: Path, written: Destination) -> bool:
    """Whether a file has the bytes that were written; not where it cannot be read."""
    with contextlib.suppress(OSError), written.reading() as ours:
        if file.is_file() and file.stat().st_size == os.fstat(ours.fileno()).st_size:
            with file.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").digest() == written.digest
    return False


def _quasi_identifiers(certificate: Path) -> set[str] | None:
    """Those of a certificate; None where it cannot be read: a file beside the output must stop nothing."""
    try:
        read: Any = json.loads(read_regular(certificate, MOST_BYTES)[:MOST_BYTES])
        return {name for name, role in read["roles"].items() if role == "quasi_identifiers"}
    except (OSError, NotRegularError, ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None
