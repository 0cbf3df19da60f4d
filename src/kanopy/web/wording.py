"""What is said below, in the words of the page: it has names of files, controls and steps, but no TOML."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from kanopy._visible import shown
from kanopy.errors import Hint, KanopyError, StoppedError, flag_of

if TYPE_CHECKING:
    from kanopy.auditing import Finding

ROLE_WORDS = {
    "quasi_identifiers": "others may know it",
    "sensitive": "confidential",
    "target": "to be predicted",
    "keep": "publish as it is",
    "identifiers": "drop it",
    "person": "tells persons apart",
}
"""What a role is called where people choose it."""

CONTROLS = {"delimiter": "Between fields", "encoding": "Encoding", "sheet": "Sheet of a workbook"}
"""What the settings of a file are called where people choose them."""

DELIMITERS = {"": "found out", ",": "comma", ";": "semicolon", "tab": "tab", "|": "bar"}

_LONGEST_NAME = 40
_DROP, _KNOWN = f"“{ROLE_WORDS['identifiers']}”", f"“{ROLE_WORDS['quasi_identifiers']}”"
_HINTS = {
    "name the columns an attacker may know: age, sex, zip": (
        f"choose {_KNOWN} in step 2 for what an attacker may know about somebody"
    ),
    "declare it as sensitive, keep or identifiers, and choose another target": (
        "choose another role for it in step 2"
    ),
    "leave them out": f"choose “{DELIMITERS['']}” for both",
    "relax the bound or add rows": "relax the bound in step 3, or add rows",
}
"""Parts of hints that name the keys of a policy file, and what to click instead."""

_BOUND = "set a bound for {column} in step 3, for example “{bound}”, or choose a larger k"
_SEVERAL, _ALIKE = "at least 2 different values in every group", "every group like the whole table"
_DROPPED = f"choose {_DROP} for {{column}} in step 2"
_AGREED = "or tick {box} below, if a reviewer agrees to publish {it} all the same"
_COARSER = "or give it coarser values in the table"
_ADVICE = {
    "identifier": f"{_DROPPED}; {_AGREED.format(box='its box', it='it')}",
    "free text": f"{_DROPPED}; {_AGREED.format(box='its box', it='it')}",
    "certain": _BOUND.format(column="{column}", bound=_SEVERAL),
    "guessable": _BOUND.format(column="{column}", bound=_ALIKE),
    "unbounded": _BOUND.format(column="{column}", bound=_SEVERAL),
    "persons": f"choose “{ROLE_WORDS['person']}” for {{column}} in step 2, so that k counts persons",
    "date": f"choose {_KNOWN} for {{column}} in step 2, so that it is made coarser, or {_DROP}",
    "unique": f"choose {_KNOWN} for {{column}} in step 2, if somebody may know it, {_COARSER}",
    "nearly unique": f"its cells will say little: {_DROPPED}, {_COARSER}",
    "sets": f"{_DROPPED}, {_COARSER}",
    "nothing": f"choose {_KNOWN} for fewer columns in step 2, a smaller k, or another method in step 4",
}
"""What to click about each kind of finding."""


def called(name: str) -> str:
    """A column in a sentence."""
    return f"'{shown(name, _LONGEST_NAME)}'"


def in_words_of_the_page(error: KanopyError, source: str = "") -> tuple[str, str]:
    """Message and hint of an error; of the path of a table, the name alone is shown."""
    hint = error.hint.naming(_control) if isinstance(error.hint, Hint) else error.hint
    for said, meant in _HINTS.items():
        hint = hint.replace(said, meant)
    if isinstance(error, StoppedError):
        it, box = ("it", "the box") if len(error.codes) == 1 else ("them", "the boxes")
        hint = f"{_DROPPED.format(column=it)}; {_AGREED.format(box=box, it=it)}"
    message = re.sub(r"(?<=It is )\d+/\d+(?= in )", lambda found: _percent(found[0], round), error.message)
    hint = re.sub(r'at_most = "?([\d./]+)"?', lambda found: _percent(found[1], ceil), hint)
    name = PurePath(source).name
    return (message.replace(source, name), hint.replace(source, name)) if source else (message, hint)


def _percent(share: str, rounded: Any) -> str:
    """A share as the fields of the page ask for it; a bound that can be kept is rounded up."""
    return f"{rounded(Fraction(share) * 10_000) / 100:g} %"


def _control(name: str, value: Any) -> str:
    """What to choose on the page; what cannot be chosen there is a flag of the command."""
    if name not in CONTROLS:
        return f"{flag_of(name, value)} on the command line"
    chosen = DELIMITERS.get("tab" if value == "\t" else value, value)
    return f"“{CONTROLS[name]}”" + ("" if value is ... else f": {chosen}")


def finding_on_the_page(finding: Finding) -> Finding:
    """The same finding with what to click."""
    kind, is_settled = finding.code.partition(":")[0], finding.message.endswith("the policy accepts this")
    if is_settled:
        return replace(finding, advice="have a colleague review that it is published all the same")
    if kind not in _ADVICE or finding.severity == "broken" or "it is bounded" in finding.advice:
        return finding
    if kind == "nothing" and "another target" in finding.advice:
        return replace(finding, advice="choose another column to be predicted in step 2, or none")
    return replace(finding, advice=_ADVICE[kind].format(column=called(finding.column or "it")))


def reason_on_the_page(reason: str) -> str:
    """Why a column has its role; that of the draft is called as where people choose it."""
    return re.sub(
        r"^(decided; the draft was )(\w+)(?=:)",
        lambda found: f"{found[1]}“{ROLE_WORDS.get(found[2], found[2])}”",
        reason,
    )
