"""A certificate read from a file: checked in every entry, because anyone may have written it."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kanopy._version import __version__
from kanopy.certificate.agreeing import check_verdict
from kanopy.certificate.contents import (
    BY_PERSONS,
    FORMAT,
    WITH_POLICY,
    CertifiedBeside,
    CertifiedFile,
    certificate_text,
    distance_of,
    recount_of,
)
from kanopy.certificate.entries import (
    MalformedError,
    check_date,
    digest,
    entry,
    one_of,
    parsed,
    texts,
)
from kanopy.certificate.limits import MOST_BOUNDS, MOST_BYTES
from kanopy.certificate.parts import read_beside, read_cells, read_written
from kanopy.errors import Hint, InputError, PolicyError, ResourceError
from kanopy.policy import Policy, normal_name
from kanopy.policy.toml_text import NotRegularError, read_regular
from kanopy.privacy import PrivacyModel, promise_of

_LONGEST = 200  # characters of a message, which may name columns
_VERSION = re.compile(r"[0-9A-Za-z.+_-]{1,40}")
_ROLES = ("quasi_identifiers", "target", "sensitive", "identifiers", "keep", "person")
_UNITS = ("rows", "persons")


class Certificate(NamedTuple):
    """What a certificate says, checked entry by entry.

    Parameters
    ----------
    contents : dict
        All of it, as plain data.
    sha256 : str
        Of the bytes of the certificate itself.
    release : CertifiedFile
    policy_sha256 : str
    unit : str
        What the promise counts, ``"rows"`` or ``"persons"``.
    promises : tuple of PrivacyModel
    recounts : tuple of str
        How each promise can be counted again.
    policy : Policy or None
        Roles, and the promises that can be counted without more than the file; None where there are none.
    codebook : tuple of CertifiedBeside
        Its files, where there is one.
    cells : dict
        What each column holds, and what ``*`` stands for in it; empty where that is not told.
    """

    contents: Mapping[str, Any]
    sha256: str
    release: CertifiedFile
    policy_sha256: str
    unit: str
    promises: tuple[PrivacyModel, ...]
    recounts: tuple[str, ...]
    policy: Policy | None
    codebook: tuple[CertifiedBeside, ...] = ()
    cells: Mapping[str, Mapping[str, str]] = {}

    @property
    def roles(self) -> Mapping[str, str]:
        """The role of every column."""
        roles: Mapping[str, str] = self.contents["roles"]
        return roles

    @property
    def is_ours(self) -> bool:
        """Whether this version of kanopy wrote it; another one may say the same in another way."""
        return bool(self.contents["kanopy"] == __version__)


def read_certificate(path: str | os.PathLike[str]) -> Certificate:
    """Read a certificate.

    Raises
    ------
    InputError
        Where there is none, or where the file is none; the message never shows what it holds.
    """
    name = Path(path).name
    try:
        raw = read_regular(Path(path), MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise InputError(f"there is no certificate {name!r}") from None
    except (NotRegularError, IsADirectoryError):
        raise InputError(f"certificate {name!r} is not a regular file", "name the file itself") from None
    except OSError as error:
        raise ResourceError(f"certificate {name!r} cannot be read: {error.strerror}") from None
    if len(raw) > MOST_BYTES:
        raise InputError(f"{name!r} is larger than {MOST_BYTES:,} bytes", "a certificate is a short text")
    try:
        return parse_certificate(raw)
    except MalformedError as error:
        raise InputError(f"{name!r} is no certificate that can be checked: {error}", _HINT) from None


def certificate_bytes(certificate: Mapping[str, Any]) -> bytes:
    """The file of a certificate, which ``read_certificate`` takes; O(bytes).

    Raises
    ------
    PolicyError
        Where it would not take it: the names of the columns are too long.
    """
    raw = certificate_text(certificate).encode("ascii")
    fault = f"it is larger than {MOST_BYTES:,} bytes" if len(raw) > MOST_BYTES else ""
    try:
        fault or parse_certificate(raw)
    except MalformedError as error:
        fault = str(error)
    if fault:
        hint = Hint("write the release without one: {certificate}", certificate=False)
        raise PolicyError(f"nobody could check the certificate of this release: {fault}", hint)
    return raw


_HINT = "get it again, or count the promise with: kanopy audit FILE --policy policy.toml"


def parse_certificate(raw: bytes) -> Certificate:
    """Turn the bytes of a certificate into what it says; O(bytes)."""
    contents = parsed(raw)
    if entry(contents, "format", int) != FORMAT:
        raise MalformedError(f"it is of another form than {FORMAT}; another version of kanopy may know it")
    _check_making(contents)
    written, promise = read_written(entry(contents, "release", dict)), entry(contents, "promise", dict)
    unit = one_of(promise, "counted", _UNITS)
    texts(promise, "sentences")
    entry(promise, "not_promised", str)
    promises, told = _promises(entry(promise, "bounds", list))
    fields = _fields(contents, promise, list(written.columns))
    policy = _policy(fields, promises)
    recounts = tuple(_recount(part, unit, policy, how) for part, how in zip(promises, told, strict=True))
    if unit == "persons" and policy.person is None:
        raise MalformedError("it counts persons, and no column is the person")
    if unit == "rows" and policy.person is not None:
        raise MalformedError("it counts rows, and a column is the person")
    pairs = zip(promises, recounts, strict=True)
    counted = tuple(part for part, how in pairs if how not in (BY_PERSONS, WITH_POLICY))
    return Certificate(
        contents=contents,
        sha256=hashlib.sha256(raw).hexdigest(),
        release=written,
        policy_sha256=digest(entry(contents, "policy", dict)),
        unit=unit,
        promises=promises,
        recounts=recounts,
        policy=_policy(fields, counted) if counted else None,
        codebook=read_beside(contents),
        cells=read_cells(contents, written.columns),
    )


def _check_making(contents: Mapping[str, Any]) -> None:
    """Refuse what does not say when and how the release was made."""
    if not _VERSION.fullmatch(entry(contents, "kanopy", str)):
        raise MalformedError("its entry 'kanopy' is of the wrong form")
    check_date(contents)
    method = entry(contents, "method", dict)
    entry(method, "name", str)
    entry(method, "options", dict)
    entry(contents, "truthful", bool)
    texts(contents, "notices")


def _promises(bounds: list[Any]) -> tuple[tuple[PrivacyModel, ...], list[Any]]:
    """The promises, and how the certificate says that each can be counted again."""
    if not bounds or not all(isinstance(each, dict) for each in bounds):
        raise MalformedError("it promises nothing")
    if len(bounds) > MOST_BOUNDS:
        raise MalformedError(f"it has {len(bounds):,} bounds, and {MOST_BOUNDS:,} are the most")
    try:
        made = tuple(promise_of({key: each[key] for key in each if key != "recount"}) for each in bounds)
    except PolicyError as error:
        raise MalformedError(error.message[:_LONGEST]) from None
    if len(set(made)) < len(made):
        raise MalformedError("a bound is given twice")
    return made, [each.get("recount") for each in bounds]


def _recount(part: PrivacyModel, unit: str, policy: Policy, told: Any) -> str:
    """How a promise can be counted again. A certificate cannot excuse a promise from being counted, but for
    one: only who wrote it knows whether the policy says how the values of a column are ordered."""
    expected = recount_of(part, unit, policy)
    may_need_policy = unit == "rows" and distance_of(part) == "ordered"
    return WITH_POLICY if may_need_policy and told == WITH_POLICY else expected


def _fields(contents: Mapping[str, Any], promise: Mapping[str, Any], columns: list[str]) -> dict[str, Any]:
    """The arguments of a policy with the roles of the certificate; it must publish what the file holds."""
    roles, quasi = entry(contents, "roles", dict), texts(contents, "quasi_identifiers")
    named: dict[str, list[str]] = {role: [] for role in _ROLES}
    for column in roles:
        named[one_of(roles, column, _ROLES)].append(column)
    if sorted(quasi) != sorted(named["quasi_identifiers"]) or any(map(_is_odd, roles)):
        raise MalformedError("its entries 'quasi_identifiers' and 'roles' do not agree")
    hidden = {*named["identifiers"], *named["person"]}
    if sorted(columns) != sorted(set(roles) - hidden):
        raise MalformedError("the columns of the file are not those that its roles publish")
    if max(len(named["target"]), len(named["person"])) > 1:
        raise MalformedError("a role is given to two columns")
    fields: dict[str, Any] = {**named, "quasi_identifiers": quasi}
    fields |= {role: next(iter(named[role]), None) for role in ("target", "person")}
    ordered = entry(promise, "ordered_as", dict)
    order = {name: one_of(ordered, name, ("numbers", "texts")) for name in ordered}
    verdict = entry(contents, "verdict", dict)
    check_verdict(verdict, roles)
    fields["accept"] = texts(verdict, "accepted")
    forms = entry(contents, "columns", dict)
    fields["columns"] = {name: _form(forms, name) for name in forms}
    fields["numeric"] = [name for name, kind in order.items() if kind == "numbers"]
    fields["categorical"] = [name for name, kind in order.items() if kind == "texts"]
    return fields


def _form(columns: Mapping[str, Any], name: str) -> dict[str, Any]:
    """What a policy says about a column that is published like this."""
    told: dict[str, Any] = entry(columns, name, dict)
    level = {"levels": [told["level"]]} if "level" in told else {}
    return {**level, **{key: said for key, said in told.items() if key != "level"}}


def _is_odd(column: str) -> bool:
    """Whether a policy would call the column by another name."""
    return normal_name(column) != column


def _policy(fields: Mapping[str, Any], promises: tuple[PrivacyModel, ...]) -> Policy:
    try:
        return Policy(**fields, privacy=promises)
    except PolicyError as error:
        raise MalformedError(error.message[:_LONGEST]) from None
