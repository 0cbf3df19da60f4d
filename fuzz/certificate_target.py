"""Certificate bytes beside a release: what was checked is told, or the certificate is refused."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pyarrow as pa

import kanopy
from fuzz.scratch import scratch, written
from fuzz.target import Target, Violation, refused
from kanopy.certificate import certificate_path
from kanopy.errors import KanopyError
from kanopy.privacy import AlphaBound, Closeness, DistinctDiversity, PrivacyModel, Template

SECRET = "hush7731"

_PROMISES: tuple[tuple[PrivacyModel, ...], ...] = (
    (),
    (DistinctDiversity("diet", 2), AlphaBound("diet", "0.9", "fish")),
    (Closeness("diet", "0.9", "ordered"), Template(("age",), "diet", ["fish", "none"], "9/10")),
)
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, -1, 10**30, 0.5, 1e308, "", "age", "zip", "diet", "*", "1/3", "1/0", "nan"),
    *("KAnonymity", "Closeness", "ordered", "hierarchical", "persons", "rows", "person", "target", "keep"),
    *([], ["age"], ["age", "age"], [[]], {}, {"age": "numbers"}, {"promise": "KAnonymity", "k": 2}),
    *("from the file, with the policy: it says how far apart values are", "\ud800", "e\u0301", "0" * 64),
)


class CertificateTarget(Target):
    """``kanopy.verify`` of a release whose certificate is any bytes."""

    name = "certificate"

    def seeds(self) -> list[bytes]:
        odd = [b"", b"[]", b"{}", b"\xff", b'{"a": 1, "a": 2}', b'{"a": NaN}', b"[[[[1]]]]"]
        return [_certificate(number) for number in range(len(_PROMISES))] + odd

    def make(self, rng: Random) -> bytes:
        """A certificate some of whose entries are others, or gone, or called by another name."""
        certificate = json.loads(_certificate(rng.randrange(len(_PROMISES))))
        for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
            inside, key = rng.choice(list(_places(certificate)))
            if rng.random() < 0.2:
                inside.pop(key)
            else:
                inside[key] = deepcopy(rng.choice(_VALUES))  # a shared list could come to hold itself
        return json.dumps(certificate).encode()

    def execute(self, data: bytes) -> str:
        secrets = () if SECRET.encode() in data else (SECRET,)
        release = _release(0)
        written(certificate_path(release).name, data)
        try:
            found = kanopy.verify(release)
        except KanopyError as error:
            if error.exit_code != 3:
                raise Violation(f"a certificate is refused with exit code {error.exit_code}") from error
            return refused(error, *secrets)
        said = json.dumps(found.to_dict())
        if any(secret in said for secret in secrets):
            raise Violation("a verification shows a cell")
        is_promised = any(check.name == "promise" for check in found.checks)
        if not is_promised or (found.kept and found.sha256 != found.certificate.release.sha256):
            raise Violation("a certificate that says nothing, or is of another file, holds")
        return f"{found.kept} {sorted({(check.name, check.outcome) for check in found.checks})}"


def _places(inside: Any) -> list[tuple[Any, Any]]:
    """Every entry of nested data, as what it is in and its key there."""
    keys = (
        list(inside) if isinstance(inside, dict) else range(len(inside)) if isinstance(inside, list) else ()
    )
    return [place for key in keys for place in ((inside, key), *_places(inside[key]))]


@cache
def _certificate(number: int) -> bytes:
    return certificate_path(_release(number)).read_bytes()


@cache
def _release(number: int) -> Any:
    """A release that has this certificate; all of them have the same bytes."""
    n_rows = 12
    table = pa.table(
        {
            "age": [str(20 + 3 * (row % 2)) for row in range(n_rows)],
            "zip": [("12", "13")[row % 4 // 2] for row in range(n_rows)],
            "diet": [("fish", "meat", SECRET)[row % 3] for row in range(n_rows)],
        }
    )
    policy = kanopy.Policy(["age", "zip"], sensitive=["diet"], k=3, privacy=_PROMISES[number])
    return kanopy.anonymize(table, policy).write(scratch() / f"certified{number}.csv", force=True)
