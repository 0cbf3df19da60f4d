"""Checks a file, its certificate and its promise together, without the source."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from kanopy.auditing import Audit, PromiseResult, TextTable, judge
from kanopy.auditing.file_bytes import in_plain_form
from kanopy.certificate.against_source import source_checks
from kanopy.certificate.agreeing import contradictions, says_other_numbers
from kanopy.certificate.check import FAILS, HOLDS, NOT_CHECKED, Check, FoundRelease, agreement
from kanopy.certificate.codebook_check import codebook_checks
from kanopy.certificate.contents import BY_PERSONS, IN_ROWS, WITH_POLICY, certificate_path
from kanopy.certificate.folder import look_at_folder
from kanopy.certificate.hashing import hashed
from kanopy.certificate.reading import Certificate, read_certificate
from kanopy.certificate.same_cells import has_same_cells, read_certified
from kanopy.codebook import field_notes
from kanopy.errors import Hint, InputError, KanopyError, PolicyError
from kanopy.policy import Policy, check_policy, policy_digest, shown_name
from kanopy.privacy import CombinationAnonymity, PrivacyModel
from kanopy.privacy.anonymity import Anonymity

_MOST_OTHERS = 20  # certificates of other files that are looked into
_SHOWN_COLUMNS = 10
_LONGEST = 1_000  # characters of a promise in a message

NOT_PROVEN = (
    "A certificate is not a signature: whoever changes the file can change the certificate too. "
    "Compare the SHA-256 of the certificate with the one that the publisher tells you in another way, "
    "for example by telephone. What it says about date, method and policy is not checked without them."
)


@dataclass(frozen=True, slots=True)
class Verification:
    """What ``verify`` found.

    Parameters
    ----------
    checks : tuple of Check
        Everything that was looked at, and what could not be.
    audit : Audit or None
        The file, counted against the promises that can be counted; None where none could be.
    certificate : Certificate
        What the certificate says.
    sha256 : str
        Of the file; of a folder, that of the listing of its certified parts.
    parts : tuple of Check
        Of a folder, every file with its name, whether it is as certified, and if not, what is wrong.
    """

    checks: tuple[Check, ...]
    audit: Audit | None
    certificate: Certificate
    sha256: str
    parts: tuple[Check, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether nothing fails: the file is the certified one, and its promise holds as far as counted."""
        return all(check.outcome != FAILS for check in self.checks)

    @property
    def colour(self) -> str:
        """``"red"`` where something fails, otherwise that of the audit, or ``"green"`` without one."""
        found = "green" if self.audit is None else self.audit.colour
        return found if self.kept else "red"

    @property
    def is_complete(self) -> bool:
        """Whether the whole promise could be counted: persons are not in a file, and rows were counted."""
        is_counted = all(check.outcome != NOT_CHECKED for check in self.checks if check.name == "promise")
        return is_counted and self.certificate.unit == "rows"

    def to_dict(self) -> dict[str, Any]:
        """The verification as plain data, ready for JSON."""
        return {
            "colour": self.colour,
            "kept": self.kept,
            "complete": self.is_complete,
            "checks": [asdict(check) for check in self.checks],
            "release": {"sha256": self.sha256, **self._parts_told},
            "certificate": {"sha256": self.certificate.sha256, **self.certificate.contents},
            "audit": None if self.audit is None else self.audit.to_dict(),
            "not_proven": NOT_PROVEN,
        }

    @property
    def _parts_told(self) -> dict[str, Any]:
        every = [{"file": part.name, "outcome": part.outcome, "message": part.message} for part in self.parts]
        return {"parts": every} if every else {}


def verify(
    path: str | os.PathLike[str],
    certificate: str | os.PathLike[str] | None = None,
    policy: Policy | None = None,
    source: str | os.PathLike[str] | None = None,
) -> Verification:
    """Check a release, its certificate and its promise; neither the source nor a policy is needed.

    Costs two readings of the file and a recount, O(rows * columns). The parts of a folder are read one at a
    time, and only their different lines are kept.

    Parameters
    ----------
    path : path
        The release, or the folder of its parts.
    certificate : path, optional
        Its certificate, where that is not beside it (``release.csv.kanopy.json``), or not in the folder
        (``_kanopy.json``).
    policy : Policy, optional
        Checked to be the policy of the release; then promises that need it are counted too.
    source : path, optional
        The table that it was made from, CSV or Parquet: its rows and unchanged columns are counted again, by
        other readers, and compared.

    Raises
    ------
    InputError
        Where the release or its certificate is missing, or the certificate is none.
    """
    if policy is not None:
        check_policy(policy)
    place = _release_at(path)
    known, found = (_looked_at_folder if place.is_dir() else _looked_at_file)(place, _named(certificate))
    of_policy = [] if policy is None else [_policy_check(policy, known)]
    checks = [_certificate_check(known), *found.checks, *of_policy]
    if source is not None:
        checks += source_checks(source, found.table, known, policy)
    is_theirs = known.unit == "rows" and any(check.outcome == HOLDS for check in of_policy)
    audit, of_promise = _promise_checks(found.table, known, policy if is_theirs else known.policy)
    return Verification((*checks, *of_promise), audit, known, found.sha256, found.parts)


def _release_at(path: Any) -> Path:
    if not isinstance(path, str | os.PathLike) or os.fspath(path) == "-":
        hint = 'for example "release.csv", or the folder of its parts'
        raise PolicyError("a release is verified in its file, by its path", hint)
    place = Path(os.fspath(path))
    try:
        mode = place.stat().st_mode
        is_other = not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
    except (OSError, ValueError):
        is_other = False  # opening it says better what is wrong
    if is_other:
        raise PolicyError(f"{place}: is neither a regular file nor a folder", "name the file of the release")
    return place


def _named(certificate: Any) -> Path | None:
    if not isinstance(certificate, str | os.PathLike | None):
        what = f"a certificate is named by its path; this is a {type(certificate).__name__}"
        raise PolicyError(what, 'for example "release.csv.kanopy.json"')
    return None if certificate is None else Path(certificate)


def _looked_at_folder(folder: Path, given: Path | None) -> tuple[Certificate, FoundRelease]:
    path = certificate_path(folder) if given is None else given
    if given is None and not path.exists() and not path.is_symlink():
        what = f"{path.name} is not in it; a run that was interrupted leaves none"
        hint = (
            f"count the promise on the files of any folder with: kanopy audit {folder} --policy policy.toml"
        )
        raise InputError(f"{folder}: no release: {what}", hint)
    known = read_certificate(path)
    if not known.release.parts:
        raise InputError(f"{path.name!r} is the certificate of a file, and {folder} is a folder", _OTHER)
    found = look_at_folder(folder, known)
    return known, found._replace(checks=(*found.checks, *codebook_checks(folder, known)))


def _looked_at_file(file: Path, given: Path | None) -> tuple[Certificate, FoundRelease]:
    sha256, n_bytes = hashed(file)
    known = _certificate_for(file, sha256, given)
    if known.release.parts:
        raise InputError(f"{file.name!r} is a file, and its certificate that of a folder", _OTHER)
    is_same = sha256 == known.release.sha256
    table = _table(file, known, is_same=is_same)
    if hashed(file)[0] != sha256:
        raise InputError(f"{file}: the file changed while it was read", "run again when it is complete")
    checks = [
        *_file_checks(file, table, known, n_bytes, is_same=is_same),
        *codebook_checks(file.parent, known),
    ]
    table = None if table is None else in_plain_form(table, known.release.form)
    return known, FoundRelease(table, tuple(checks), sha256)


_OTHER = "name the release that the certificate belongs to"


def _certificate_for(file: Path, sha256: str, given: Path | None) -> Certificate:
    path = certificate_path(file) if given is None else given
    if given is None and not path.exists() and not path.is_symlink():
        hint = _without_certificate(file, sha256)
        raise InputError(f"{file.name} has no certificate: {path.name} is not beside it", hint)
    return read_certificate(path)


def _without_certificate(file: Path, sha256: str) -> str:
    """What to do: name the certificate of this very file, which has another name there, or ask for it."""
    for other in islice(sorted(file.parent.glob("*.kanopy.json")), _MOST_OTHERS):
        with contextlib.suppress(KanopyError):
            if read_certificate(other).release.sha256 == sha256:
                renamed = "the release was renamed; name its certificate: {certificate}"
                return Hint(renamed, certificate=str(other))
    return (
        "if the release was renamed or changed, name its certificate with --certificate; else ask its "
        f"publisher for it, or count the promise with: kanopy audit {file.name} --policy policy.toml"
    )


def _table(file: Path, known: Certificate, *, is_same: bool) -> TextTable | None:
    """The table in the file; None where it holds none."""
    try:
        return read_certified(file, known.release, is_same=is_same)
    except InputError:
        return None


def _certificate_check(known: Certificate) -> Check:
    contents = known.contents
    if not known.is_ours:
        if says_other_numbers(known):
            message = "its promise in words has other numbers than its bounds: the certificate was changed"
            return Check("certificate", FAILS, message)
        message = (
            f"written by another version of kanopy, {contents['kanopy']}, on {contents['date']}: whether its "
            "sentences, colour and findings follow from its bounds was not checked. Go by what is counted "
            "here instead of them"
        )
        return Check("certificate", NOT_CHECKED, message)
    wrong = "; ".join(contradictions(known))
    if wrong:
        return Check("certificate", FAILS, f"{wrong}: the certificate was changed")
    message = f"it agrees with itself; written by kanopy {contents['kanopy']} on {contents['date']}"
    return Check("certificate", HOLDS, message)


def _file_checks(
    file: Path, table: TextTable | None, known: Certificate, n_bytes: int, *, is_same: bool
) -> Iterator[Check]:
    certified, notes = known.release, field_notes(known.cells)
    renamed = "" if file.name == certified.name else f"; it was called {shown_name(certified.name)} then"
    if is_same:
        yield Check("file", HOLDS, f"{file.name} is the certified file, byte for byte{renamed}")
    elif table is not None and has_same_cells(file, table, certified, notes):
        message = (
            "its bytes are not the certified ones, but every cell is the same: a program has saved it again, "
            "with other line ends, quotes, delimiters or another encoding. Get the file again in a form that "
            "is not converted on its way, for example in a ZIP archive"
        )
        yield Check("file", FAILS, message)
    else:
        message = (
            "it is not the certified file: what it holds was changed. A spreadsheet that saves a table may "
            "change numbers and dates, and drops leading zeros. Get the file again from its publisher"
        )
        yield Check("file", FAILS, message)
    yield agreement("bytes", n_bytes, certified.n_bytes)
    if table is None:
        yield Check("table", FAILS, "the file holds no table that can be read")
        return
    yield agreement("rows", table.n_rows, certified.n_rows)
    # PRIVACY: a file without its header has cells in the place of names, so only certified names are shown
    # (tests/unit/certificate/test_verify.py).
    missing = [shown_name(name) for name in certified.columns if name not in table.columns]
    n_more = len(table.columns) - len(certified.columns) + len(missing)
    if not missing and not n_more:
        yield Check("columns", HOLDS, f"{len(certified.columns)}, with the certified names")
    else:
        lacks = f"the file lacks {', '.join(missing[:10])}" if missing else "the file has all certified ones"
        header = ". Does it lack its header line?" if len(missing) == len(certified.columns) else ""
        yield Check("columns", FAILS, f"{lacks}; columns that are not certified: {n_more}{header}")


def _policy_check(policy: Policy, known: Certificate) -> Check:
    is_policy, differs = policy_digest(policy) == known.policy_sha256, []
    if policy.roles != known.roles or list(policy.quasi_identifiers) != known.contents["quasi_identifiers"]:
        differs.append("the roles of the columns")
    if policy.promise.parts != known.promises:
        differs.append("the promise")
    if list(policy.accept) != known.contents["verdict"]["accepted"]:
        differs.append("what is accepted")
    if is_policy and not differs:
        return Check("policy", HOLDS, "it is the policy of the certificate")
    if is_policy:
        message = f"the digest is that of this policy, but {' and '.join(differs)} in the certificate are not"
        return Check("policy", FAILS, message)
    where = " and ".join(differs) or "something else than roles and promise, such as method or hierarchies"
    hint = "Flags that were given beside the policy file (--k 10) count too"
    return Check("policy", FAILS, f"this is not the policy of the certificate: it differs in {where}. {hint}")


def _promise_checks(
    table: TextTable | None, known: Certificate, policy: Policy | None
) -> tuple[Audit | None, list[Check]]:
    """Every promise of the certificate, counted where it can be."""
    audit = None
    fault = "the file holds no table" if table is None else "the file has other columns than certified"
    is_whole = table is not None and sorted(table.columns) == sorted(known.release.columns)
    if table is not None and is_whole and policy is not None:
        try:
            audit = _about_counted(judge(table, policy), policy, known)
        except KanopyError as error:
            fault = error.message
    counted = dict(zip(policy.promise.parts, audit.promises, strict=True)) if audit and policy else {}
    checks = []
    for promise, recount in zip(known.promises, known.recounts, strict=True):
        sentence = _shortened(promise.sentence(known.unit))
        if promise in counted:
            result = counted[promise]
            said = f"{_counted(promise, result, known)}{_IN_ROWS if recount == IN_ROWS else ''}"
            checks.append(Check("promise", HOLDS if result.kept else FAILS, f"{sentence} {said}"))
        elif recount in _WHY_NOT:
            checks.append(Check("promise", NOT_CHECKED, f"{sentence} {_WHY_NOT[recount]}"))
        else:
            checks.append(Check("promise", FAILS, f"{sentence} It cannot be counted: {fault}"))
    return audit, checks


def _counted(promise: PrivacyModel, result: PromiseResult, known: Certificate) -> str:
    """What was counted beside what is promised, and over which columns: a weaker promise than that of the
    publisher is kept as well, and only a reader can tell."""
    if not isinstance(promise, Anonymity):
        return f"Worst group: {result.level:.6g}"
    names = promise.grouped_by or known.contents["quasi_identifiers"]
    more = f" and {len(names) - _SHOWN_COLUMNS:,} more" if len(names) > _SHOWN_COLUMNS else ""
    some = f"any {promise.size} of " if isinstance(promise, CombinationAnonymity) else ""
    over = f"{some}{', '.join(map(shown_name, names[:_SHOWN_COLUMNS]))}{more}"
    unit = "" if known.unit == "rows" else " rows"
    return f"Promised: {promise.k:,}, counted: {result.level:,.0f}{unit}, over {over}"


def _shortened(sentence: str) -> str:
    """Not longer than a paragraph: a certificate of anyone may name thousands of columns or digits."""
    return sentence if len(sentence) <= _LONGEST else f"{sentence[: _LONGEST - 1]}…"


def _about_counted(audit: Audit, policy: Policy, known: Certificate) -> Audit:
    """Without findings that only say that a promise was not counted; the checks say it, and say why."""
    counted = set(policy.promise.parts)
    uncounted = [part for part in known.promises if part not in counted]
    said = {f"unbounded:{name}" for part in uncounted for name in part.columns}
    said |= {f"no promise:{name}" for part in uncounted for name in part.grouped_by or ()}
    said.add(f"rows:{policy.person}")
    return replace(audit, findings=tuple(each for each in audit.findings if each.code not in said))


_COUNTED_THEN = "it is about persons, who are not in the file; kanopy counted them when it wrote the file"
_IN_ROWS = f". Only rows were counted now: {_COUNTED_THEN}"
_WHY_NOT = {
    BY_PERSONS: f"Not counted now: {_COUNTED_THEN}.",
    WITH_POLICY: "Not counted now: only the policy says how far apart values are; give the policy too.",
}
