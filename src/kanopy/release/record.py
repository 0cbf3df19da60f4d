"""The private record of a run: everything that the custodian needs to know exactly, and nobody else.

What may be told to anyone is taken from it by ``telling``, and by nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy._threads import Beside
from kanopy._version import __version__
from kanopy.auditing import Audit, TextTable
from kanopy.data import Recoding
from kanopy.frames.encode import Encoded
from kanopy.frames.published import PublishedTable
from kanopy.hierarchies import HierarchyRule
from kanopy.policy import Policy
from kanopy.privacy import promised_k
from kanopy.privacy.implied import not_promised
from kanopy.release.published_losses import published_losses
from kanopy.release.telling import ANY_VALUE, NOT_SHOWN, GroupSizes, truth_notices
from kanopy.release.value_statistics import ValueStatistics
from kanopy.utility import group_size_histogram, measure_losses

if TYPE_CHECKING:
    from kanopy.algorithms import Method

RECORD_SUFFIXES = (".json",)

_LARGE = 1 << 24  # bytes that take longer to hash than a thread takes to start

PRIVATE = (
    "This record is private and not for publication: its exact figures can give hidden values back. "
    "The manifest is what may be told."
)


class RunSettings(NamedTuple):
    """What a run was asked for; ``source`` is the SHA-256 of the file that the table came from."""

    method: Method
    options: Mapping[str, Any]
    seed: int
    policy: Policy
    source: str | None = None


class RunResults(NamedTuple):
    """What a run has made, after all checks; ``persons`` has the person of each published row."""

    encoded: Encoded
    recoding: Recoding
    published: PublishedTable
    persons: NDArray[np.int32] | None
    text: TextTable
    verdict: Audit
    statistics: ValueStatistics


def record_of(settings: RunSettings, results: RunResults) -> dict[str, Any]:
    """Everything about a run, exactly; no cell values but those of statistics. O(rows * columns)."""
    policy, is_synthetic, facts = settings.policy, settings.method.is_synthetic, results.recoding.facts
    table, n_out = results.encoded.table, results.text.n_rows
    k_of_all = promised_k(policy.promise, policy.quasi_identifiers)
    return {
        "kanopy": __version__,
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "pyarrow": pa.__version__},
        "source": {"sha256": settings.source},
        "seed": int(settings.seed),
        "method": settings.method.name,
        "options": {
            name: value if isinstance(value, bool | int | float | str) else type(value).__name__
            for name, value in settings.options.items()
        },
        "promise": [part.sentence(results.verdict.unit) for part in policy.promise.parts],
        "promised_k": k_of_all,
        "not_promised": not_promised(k_of_all),
        "roles": policy.roles,
        "suppressed": _suppressed(settings),
        "values": _values(results.encoded),
        "rows": {"in": table.total_weight, "out": n_out, "dropped": table.total_weight - n_out},
        "groups": _groups(results),
        "losses": measure_losses(table, results.recoding, k_of_all),
        "losses_of_published": published_losses(
            results.text,
            results.recoding,
            policy,
            weight=table.weight,
            hierarchies={column.domain.name: column.domain.hierarchy for column in table.quasi},
            has_hidden_widths=_has_hidden_widths(results.encoded, policy, settings.options),
        ),
        "synthetic": is_synthetic,
        "truthful": not (is_synthetic or facts.get("swapped_cells")),
        "facts": dict(facts),
        "notices": [*results.encoded.notices, *truth_notices({**facts, "synthetic": is_synthetic})],
        "audit": results.verdict.to_dict(),
        "value_statistics": results.statistics,
        **_reading(policy),
    }


def _reading(policy: Policy) -> dict[str, Any]:
    """How the policy says that columns were made and read, where it says so; no values."""
    columns = {name: form.told() for name, form in policy.columns.items() if name in policy.published}
    derived = {name: column.told() for name, column in policy.derived.items()}
    return {name: told for name, told in (("columns", columns), ("derived", derived)) if told}


def _suppressed(settings: RunSettings) -> dict[str, str]:
    """What ``*`` stands for in each quasi-identifier.

    PRIVACY: told by what the method does with every table, not by what it did with this one
    (tests/unit/release/test_suppressed.py).
    """
    meaning = NOT_SHOWN if settings.method.is_global else ANY_VALUE
    return dict.fromkeys(settings.policy.quasi_identifiers, meaning)


def _values(encoded: Encoded) -> dict[str, int]:
    """How many different values each published column had in the source, missing not among them."""
    n_rows = {name: column.counts for name, column in encoded.passing.items()}
    n_rows |= {column.domain.name: column.totals for column in encoded.table.quasi}
    return {name: int(np.count_nonzero(n_rows[name][:-1])) for name in encoded.names}


def _groups(results: RunResults) -> GroupSizes:
    return {
        "count": results.verdict.groups,
        "smallest": results.verdict.k,
        "counted": results.verdict.unit,
        "sizes": [
            list(bin_) for bin_ in group_size_histogram(results.recoding, results.encoded.table.weight)
        ],
    }


def _has_hidden_widths(encoded: Encoded, policy: Policy, options: Mapping[str, Any]) -> bool:
    """Whether the text does not say how wide its cells are.

    PRIVACY: decided by what the custodian asked for, not by the cells that came out: whether a number is a
    mean or exact is not told (tests/sabotage/test_manifest_attack.py).
    """
    if any(isinstance(policy.hierarchies.get(name), HierarchyRule) for name in policy.quasi_identifiers):
        return True
    is_mean = options.get("publish") == "mean"
    return is_mean and any(column.domain.is_numeric for column in encoded.table.quasi)


@contextlib.contextmanager
def fingerprinting(table: Any) -> Iterator[Callable[[], str | None]]:
    """Yields what gives the fingerprint of a table; a large file is hashed beside whatever is done here."""
    with Beside() as beside:
        is_large = False
        with contextlib.suppress(OSError, ValueError, TypeError):
            is_large = Path(table).stat().st_size > _LARGE
        if is_large:
            beside.begin(fingerprint_of, table)
            yield beside.end
        else:
            found = fingerprint_of(table)
            yield lambda: found


def fingerprint_of(table: Any) -> str | None:
    """The SHA-256 of the file that a table is read from; None where it is not a regular file. O(bytes)."""
    try:
        if not isinstance(table, str | os.PathLike) or not Path(table).is_file():
            return None  # a frame, standard input, or a pipe, which can be read only once
        with Path(table).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (OSError, ValueError):
        return None  # reading it says better what is wrong with it


def record_text(record: Mapping[str, Any]) -> str:
    """The record as JSON, one entry per line; the first line says that it is private."""
    entries = {"private": PRIVATE, **record}
    lines = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in entries.items())
    return "{" + ",\n ".join(lines) + "}\n"
