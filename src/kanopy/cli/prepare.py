"""What commands do before their work: read the policy and the options, start pyarrow, create folders."""

from __future__ import annotations

import io
import mmap
import os
import shlex
import sys
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
    "categorical": "categorical", "value_statistics": "value_statistics", "accept": "accept",
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
        draft = f"kanopy suggest {shlex.quote(given.input)} -o policy.toml"
        hint = f"draft one with: {draft}, or use --quasi and --k"
        raise PolicyError("no policy: say what the columns are", hint)
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


class _NoPandas:
    """Finds no pandas."""

    @staticmethod
    def find_spec(name: str, _path: Any = None, _target: Any = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def start_pyarrow() -> None:
    """Make pyarrow ready for files alone: without pandas, and with all its threads."""
    leave_pandas_out()
    start_threads()


def leave_pandas_out() -> None:
    """Let pyarrow look for pandas now, and find none, unless somebody has imported it.

    It looks once, when it makes its first array, and would import pandas there: that takes longer than a
    release of a thousand rows, and commands read files, not frames. Whoever imports pandas later gets it.
    """
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, _NoPandas)
        try:
            pa.array(["looks for pandas"])  # without a type: both halves of pyarrow look then
        finally:
            sys.meta_path.remove(_NoPandas)


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


def free_name(suffix: str = ".csv") -> str:
    """A name for a release that nothing has yet."""
    names = (f"release{suffix}", *(f"release_{number}{suffix}" for number in range(2, 100)))
    return next((name for name in names if not os.path.lexists(name)), names[0])
