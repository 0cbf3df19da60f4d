"""What commands do before their work: read the policy and the options, start threads, create folders."""

from __future__ import annotations

import io
import mmap
from argparse import Namespace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv

from kanopy._numbers import typed_whole_number
from kanopy.errors import PolicyError, ResourceError
from kanopy.policy import Policy

_FIELDS = {
    "quasi": "quasi_identifiers", "target": "target", "sensitive": "sensitive", "identifiers": "identifiers",
    "keep": "keep", "person": "person", "missing": "missing", "numeric": "numeric",
    "categorical": "categorical", "value_statistics": "value_statistics",
}  # fmt: skip

_BYTES_PER_THREAD = 10 << 20  # the usual stack, and a little
_BYTES_BESIDES = 48 << 20


def policy_from(given: Namespace) -> Policy:
    """The policy of a file, of flags, or of both; what a flag says replaces what the file says."""
    fields: dict[str, Any] = {
        field: getattr(given, flag) for flag, field in _FIELDS.items() if getattr(given, flag) is not None
    }
    if given.k is not None:
        try:
            fields["k"] = typed_whole_number(given.k)
        except ValueError:
            raise PolicyError("k must be a whole number of at least 2", "for example --k 10") from None
    if given.policy is not None:
        return Policy.load(given.policy, **fields)
    if "quasi_identifiers" not in fields:
        raise PolicyError(
            "no policy: say what the columns are",
            f"draft one with: kanopy suggest {given.input} > policy.toml, or use --quasi and --k",
        )
    return Policy(**fields)


def options_from(given: Namespace) -> dict[str, str]:
    """The options of the method, as texts."""
    options: dict[str, str] = {}
    for text in given.option:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise PolicyError("--option takes NAME=VALUE", "for example --option publish=members")
        if name in options:
            raise PolicyError(f"option {name!r} is given twice", "keep one of them")
        options[name] = value
    return options


def start_threads() -> None:
    """Let pyarrow start all its threads now, while there is memory for them.

    Where the memory runs out later, work fails with an error that can be told; a thread that cannot start
    ends the whole process instead.
    """
    many_blocks = pa.csv.ReadOptions(block_size=64)
    lines = b"a\n" + b"1\n" * (128 * pa.cpu_count())
    try:
        mmap.mmap(-1, pa.cpu_count() * _BYTES_PER_THREAD + _BYTES_BESIDES).close()  # is there room for them?
        pa.csv.read_csv(io.BytesIO(lines), read_options=many_blocks)
    except (pa.ArrowException, MemoryError, OSError):
        raise ResourceError("not enough memory to start", "close other programs or raise the limit") from None


def created_folder(path: str) -> Path:
    """The folder of this name, which is created where it does not exist."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ResourceError(f"could not create the folder: {reason}", "name another folder") from None
    return Path(path)
