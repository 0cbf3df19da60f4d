"""Templates filled in: every text of a table is escaped, and what cannot be seen is spelled out."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.responses import HTMLResponse

from kanopy._display import number_of
from kanopy._visible import LONGEST, shown, visible
from kanopy.web.wording import ROLE_WORDS

STEPS = (
    ("table", "Table"),
    ("columns", "Columns"),
    ("promise", "Promise"),
    ("compare", "Compare"),
    ("release", "Release"),
)

ROLE_MEANINGS = {
    "quasi_identifiers": "An attacker may know it about somebody. It is made coarser until enough people "
    "share it. (quasi-identifier)",
    "sensitive": "Nobody should find it out about somebody. It is published; the promise can bound what can "
    "be inferred. (sensitive)",
    "target": "What recipients want to predict. It is published. At most one column. (target)",
    "keep": "Published unchanged, knowingly. Nothing is promised about it. (keep)",
    "identifiers": "Names, numbers, remarks, and what nobody needs. It is not published. (identifier)",
    "person": "One value per person. People are counted by it, not rows; it is not published. (person)",
}


def size_words(n_bytes: float) -> str:
    """A size as people say it."""
    for unit, least in (("GB", 1 << 30), ("MB", 1 << 20), ("kB", 1 << 10)):
        if n_bytes >= least:
            return f"{n_bytes / least:.3g} {unit}"
    return f"{n_bytes:.0f} bytes"


def time_words(seconds: float) -> str:
    """A limit of time as people say it."""
    for many, length in (("hours", 3600), ("minutes", 60)):
        if seconds % length == 0:
            return number_of(int(seconds // length), many)
    return number_of(int(seconds), "seconds")


def _visible(text: object) -> str:
    return visible(str(text))


def _shown(text: object, longest: int = LONGEST) -> str:
    return shown(str(text), longest)


class Pages:
    """All templates; what a page shows is given, nothing is counted here."""

    def __init__(self) -> None:
        self._environment = Environment(
            loader=PackageLoader("kanopy.web"),
            autoescape=select_autoescape(default=True, default_for_string=True),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters |= {
            "visible": _visible,
            "shown": _shown,
            "size": size_words,
            "time": time_words,
            "of": number_of,
            "number": lambda number: f"{number:,}",
            "percent": lambda share: f"{share:.1%}" if 0 < share < 0.1 else f"{share:.0%}",
        }
        steps = {"steps": STEPS, "role_words": ROLE_WORDS, "role_meanings": ROLE_MEANINGS}
        self._environment.globals |= steps

    def page(self, name: str, status: int = 200, **shown_there: Any) -> HTMLResponse:
        """A page."""
        return HTMLResponse(self.text(name, **shown_there), status)

    def text(self, name: str, **shown_there: Any) -> str:
        """A page or a part of one, as text."""
        return self._environment.get_template(f"{name}.html").render(**shown_there)

    def error(self, status: int, message: str, hint: str, base: str) -> HTMLResponse:
        """A page that says what went wrong and what to do; never a cell."""
        return self.page(
            "error", status, message=message, hint=hint, title="Not done", base=base, is_over=status == 410
        )
