"""Which encoding a text file has: UTF-8 where every byte fits, UTF-16 by its NULs, else one byte a letter."""

from __future__ import annotations

import codecs
from typing import NamedTuple

import numpy as np

from kanopy.data.arrays import Ints
from kanopy.errors import Hint
from kanopy.frames.csv_bytes import Readable, wide_encoding

_PIECE = 1 << 20
_NOT_IN_CP1252 = [0x81, 0x8D, 0x8F, 0x90, 0x9D]
# What western files hold beyond ASCII, nearly always: letters of eleven languages, units, quotes, dashes.
_WESTERN = "äöüßÄÖÜéèêëàâáãåæçñóòôõøœíìîïúùûÉÈÀÁÇÑÓÍÚÅØ€§°µ²³½·«»„“”‘’–—…ºª¿¡£´\xa0"
_USUAL_SHARE = 0.9
_DOUBT = "check that letters with accents look right"


class Encoding(NamedTuple):
    """The name that Python has for it, and why somebody should look at the letters (empty: no need)."""

    name: str
    doubt: str = ""


def encoding_of(source: Readable) -> Encoding:
    """The encoding of all bytes that are left in a stream; O(bytes), a piece at a time.

    Valid UTF-8 is UTF-8: text in another encoding hardly ever is. A file that is not, is read with one byte a
    letter (cp1252). Every byte is looked at, so that one letter at the end of a long file is found.
    """
    strict, lenient = (codecs.getincrementaldecoder("utf-8")(errors) for errors in ("strict", "replace"))
    sizes = np.zeros(256, dtype=np.int64)
    n_damaged = n_beyond_ascii = 0
    is_utf8 = is_first = True
    while True:
        piece = source.read(_PIECE)
        if is_first and (wide := wide_encoding(piece)):
            return Encoding(wide)
        is_first = False
        if is_utf8:
            try:
                strict.decode(piece, final=not piece)
            except UnicodeDecodeError:
                is_utf8 = False
        text = lenient.decode(piece, final=not piece)
        n_damaged += text.count("\ufffd")
        n_beyond_ascii += len(text) - len(text.encode("ascii", "ignore"))
        sizes += np.bincount(np.frombuffer(piece, dtype=np.uint8), minlength=256)
        if not piece:
            break
    if is_utf8:
        return Encoding("utf-8")
    if n_damaged < (n_beyond_ascii - n_damaged) / 2:
        return Encoding("utf-8", f"damaged places: {n_damaged:,}")
    return _one_byte_encoding(sizes)


def encoding_hint(source: Readable) -> str:
    """What to do about a file that is not UTF-8, by all bytes that are left in a stream; O(bytes)."""
    found = encoding_of(source)
    if found.name == "utf-8":
        return Hint(
            "most of the file is UTF-8, so correct it there; {encoding} reads it, with wrong letters",
            encoding="cp1252",
        )
    likely = "try {encoding}" + (f", and {found.doubt}" if found.doubt else "")
    return Hint(likely, encoding=found.name)


def _one_byte_encoding(sizes: Ints) -> Encoding:
    """cp1252, or latin-1 where cp1252 lacks a byte; ``sizes`` says how often each byte occurs.

    It is doubtful where the bytes beyond ASCII stand for letters and marks that western files seldom hold.
    Then the file may be from eastern Europe, or from an old Macintosh or DOS program.
    """
    if sizes[_NOT_IN_CP1252].any():
        return Encoding("latin-1", _DOUBT)
    letters = [bytes([byte]).decode("cp1252", "replace") for byte in range(128, 256)]
    is_usual = np.array([letter in _WESTERN for letter in letters])
    share = sizes[128:][is_usual].sum() / sizes[128:].sum()
    return Encoding("cp1252", "" if share >= _USUAL_SHARE else _DOUBT)
