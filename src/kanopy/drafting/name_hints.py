"""What the name of a column hints at, in seven languages. A hint may add protection, never take it away."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

_NUMBERS = ("nummer", "number", "numero", "kennung", "nr")  # at the end of compound words
_NAME_ENDINGS = ("namen", "name", "naam", "namn", "navn")
_LONG = 5  # letters: shorter words of a hint must be words of the name


@cache
def _words(hint: str) -> frozenset[str]:
    text = Path(__file__).with_name("name_hints.txt").read_text("utf-8")
    (section,) = (part for part in text.split("\n[")[1:] if part.startswith(f"{hint}]"))
    return frozenset(section.partition("]")[2].split())


def words_of(name: str) -> list[str]:
    """The words of a column name in lower case, without accents: ``PatientenNr`` is two."""
    apart = re.sub(r"(?<=[^\W\d_])(?=[A-ZÄÖÜÉ][a-zäöüßé])|(?<=[a-zäöüßé])(?=[A-ZÄÖÜÉ])", " ", name)
    for letter, spelled in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"), ("ı", "i"), ("ł", "l")):
        apart = apart.replace(letter, spelled).replace(letter.upper(), spelled)
    plain = unicodedata.normalize("NFKD", apart.casefold())
    return re.findall(r"[a-z]+[0-9]*", "".join(sign for sign in plain if not unicodedata.combining(sign)))


def hints_at(name: str, hint: str) -> bool:
    """Whether a word of the name, or the end or beginning of a long compound word, is one of the hint's."""
    return any(_is_hint(word, stem) for word in words_of(name) for stem in _words(hint))


def is_just(name: str, hint: str) -> bool:
    """Whether the name is one of the hint's words and nothing else."""
    return len(words_of(name)) == 1 and words_of(name)[0] in _words(hint)


def _is_hint(word: str, stem: str) -> bool:
    if word == stem or word.rstrip("0123456789") == stem:
        return True
    return len(stem) >= _LONG and (word.startswith(stem) or word.endswith(stem))


def is_number_of_somebody(name: str) -> bool:
    """Whether the name is that of an identifying number: it ends in *id*, *Nr* and the like."""
    words = words_of(name)
    if not words:
        return False
    last = words[-1]
    return last in _words("number") or (len(last) >= _LONG and last.endswith(_NUMBERS))


def is_name_of_people(name: str) -> bool:
    """Whether the column is called after names of people: *Vorname*, *Nom du patient*, *user_name*, *name*.

    It is not where the name is one of something else, as in *drug_name*, or *filename*.
    """
    words = [word.rstrip("0123456789") for word in words_of(name)]
    if any(word in _words("names of people") for word in words):
        return True
    others = [word for word in words if word not in _words("name")]
    if len(others) < len(words):
        return all(word in _words("people") for word in others)
    people = [word for word in others if word in _words("people")]
    if people and any(word in _words("name of something") for word in others):
        return True
    ending = next((each for each in _NAME_ENDINGS if words and words[-1].endswith(each)), "")
    return bool(ending) and words[-1].removesuffix(ending).removesuffix("s") in _words("people")
