"""Short files that are read whole, and TOML, with guards against texts that are meant to be slow."""

from __future__ import annotations

import json
import os
import re
import stat
from fractions import Fraction
from pathlib import Path
from typing import Any

from kanopy.errors import PolicyError

# A key a.a.a.a… takes the parser memory that grows with the square of its length. What was matched once is
# never given back (*+, ++): otherwise this guard would itself take the square of a long run of blanks.
_LONG_KEY = (
    r"""(?m)(?:^|[{,])[ \t]*+(?:\[{1,2}[ \t]*+)?+"""
    r"""(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){16}"""
)
_LONG_EXPONENT = r"[eE][+-]?\d[\d_]{3}"


def parse_toml(raw: bytes, where: str, *, draft: str, depth: str, example: str) -> dict[str, Any]:
    """Turn bytes into tables; numbers with a point become fractions.

    The hints are for an empty text (``draft``), one nested too deeply (``depth``), and no TOML (``example``).
    """
    import tomllib  # a policy may come from flags or arguments

    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PolicyError(f"{where} is not UTF-8 at byte {error.start}", "save it as UTF-8") from None
    if not text.strip():
        raise PolicyError(f"{where} is empty", draft)
    if re.search(_LONG_KEY, text):
        raise PolicyError(f"{where} is nested too deeply", depth)
    try:
        # Bounds stay exact: 0.3 is three tenths, not the nearest float.
        return tomllib.loads(text, parse_float=_exact)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at (line \d+, column \d+)", str(error))
        line = place.group(1) if place else f"line {len(text.splitlines())}, the last"
        if "overwrite" in str(error):
            raise PolicyError(f"{where}: a key is given twice at {line}", "keep one of them") from None
        raise PolicyError(f"{where}: not valid TOML at {line}", f"lines look like: {example}") from None
    except RecursionError:
        raise PolicyError(f"{where} is nested too deeply", depth) from None
    except ValueError:  # a number with thousands of digits
        raise PolicyError(f"{where} holds a number that cannot be read", "write it shorter") from None


def _exact(text: str) -> Fraction | float:
    if re.search(_LONG_EXPONENT, text):  # the power of ten alone would fill the memory
        return float("nan")
    try:
        return Fraction(text.replace("_", ""))
    except ValueError:  # nan, inf: refused by whoever gets it
        return float(text)


def quoted(text: str) -> str:
    """A TOML basic string: JSON's escapes, and more for characters that a terminal interprets or hides."""
    encoded = json.dumps(text, ensure_ascii=False)
    return "".join(letter if letter.isprintable() else f"\\U{ord(letter):08X}" for letter in encoded)


def toml_key(name: str) -> str:
    """A name as a key: with quotes only where TOML needs them."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else quoted(name)


class NotRegularError(Exception):
    """A pipe, a terminal or a device."""


def read_regular(path: Path, most: int) -> bytes:
    """The bytes of a regular file, as many as ``most`` and one more where it is longer; no pipe."""
    if not path.is_dir() and path.exists() and not path.is_file():
        raise NotRegularError
    # Between the two looks it may have become a pipe: opened like this, that is not waited for.
    at_once = getattr(os, "O_NONBLOCK", 0)
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | at_once)) as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise NotRegularError
        return stream.read(most + 1)
