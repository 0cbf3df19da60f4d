"""Random tables with missing, odd and rare values, and what is done with each."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from fuzz.recount import PATHS, cleaned

Value = str | int | float | bool | None

KINDS = (
    *("k", "k sets", "distinct", "entropy", "recursive", "closeness equal", "closeness ordered"),
    *("closeness hierarchical", "alpha", "template", "delta", "beta"),
)

QUASI = ("q,1", 'q "2"', "é 3")

SECRET = "hush7731"
"""A value that no message may show."""

NASTY = (
    SECRET,
    *("1", "1.0", "01", "True", "true", "1e0", "+1", "-1", "é", "e\u0301", "Å", "A\u030a", " padded ", "\\x"),
    *("[1, 2]", "{a, b}", "{}", "\\*", "a,b", "a, b", 'say "hi"', "'", "a\nb", "a\r\nb", "\r", "=1+1"),
    *("{", "]", ", ", "\\", "None", "NULL", "", " ", "\ufeffbom", "\u200b", "0", "-0", "a\tb", "\x01", "🙂"),
)
_LETTERS = "ab*,{}[]\\\"' \n\xa0\u200b\ufeff0\u0301"


@dataclass(frozen=True)
class Case:
    """A table, a promise, a method and the kinds of files on both ends."""

    method: str
    options: dict[str, Any]
    seed: int
    source: str
    columns: dict[str, list[Value]]
    quasi: list[str]
    bounded: str
    promise: dict[str, Any]
    k: int | None
    has_person: bool
    missing: list[str]
    more: list[dict[str, Any]] = field(default_factory=list)
    is_disarmed: bool = False

    @property
    def promises(self) -> list[dict[str, Any]]:
        """All promises; the first gives the case its kind."""
        return [self.promise, *self.more]

    @property
    def kind(self) -> str:
        return str(self.promise["kind"])

    def to_json(self) -> bytes:
        return json.dumps(asdict(self), ensure_ascii=True, indent=1).encode()

    @staticmethod
    def from_json(data: bytes) -> Case:
        return Case(**json.loads(data))


def _any_text(rng: Random) -> Value:
    if rng.random() < 0.6:
        return rng.choice(NASTY)
    return "".join(rng.choice(_LETTERS) for _ in range(rng.randint(0, 3)))


_VALUES: dict[str, Callable[[Random], Value]] = {
    "text": _any_text,
    "few texts": lambda rng: rng.choice(("a", "b", "A", "")),
    "numbers as text": lambda rng: rng.choice(("1", "1.0", "-2.50", "1e3", "10", "+7", "-0", "")),
    "codes": lambda rng: rng.choice(("007.5", "1", "01", "10")),
    "integer": lambda rng: rng.choice((-3, -1, 0, 1, 2, 3, 2**62, -(2**62), 10**15 + 1)),
    "small": lambda rng: rng.randint(20, 60),
    "decimal": lambda rng: rng.choice((0.1, 0.2, 0.30000000000000004, -1.5, 1e300, 2.5e-7, -0.0, 3.0)),
    "flag": lambda rng: rng.random() < 0.5,
    "words": lambda rng: rng.choice(("low", "mid", "high", "x y")),
    "formulas": lambda rng: rng.choice(("=1+1", "'=1+1", "''=1+1", "-x", "'-1", "-1")),
    "tree": lambda rng: rng.choice(PATHS)[0],
}


def random_case(rng: Random, methods: Sequence[Any]) -> Case:
    """A random case; every method and every kind of promise is as likely as the others."""
    method, kind = rng.choice(methods), rng.choice(KINDS)
    n_rows = rng.choice((rng.randint(2, 8), rng.randint(4, 25), rng.randint(10, 60)))
    quasi = list(QUASI[: rng.randint(1, 3)])
    columns = {name: _column(rng, n_rows, rng.choice(list(_VALUES))) for name in quasi}
    columns["target"] = _column(rng, n_rows, rng.choice(("few texts", "integer", "flag", "text", "words")))
    bounded = "target" if method.is_synthetic else "s"
    columns[bounded] = _column(rng, n_rows, _kind_of_bounded(rng, kind))
    if not method.is_synthetic:
        columns["row"] = list(range(n_rows))
    has_person = rng.random() < 0.5
    if has_person:
        columns["person"] = [rng.randint(1, n_rows) for _ in range(n_rows)]
    k = rng.choice((2, 2, 3, max(2, n_rows // 2)))
    return Case(
        method=method.name,
        options=_options(rng, method),
        seed=rng.randrange(1000),
        source=rng.choice(("arrow", "arrow", "dictionary", "csv", "parquet")),
        columns=columns,
        quasi=quasi,
        bounded=bounded,
        promise=_promise(rng, kind, bounded, quasi, columns[bounded]),
        k=k if kind == "k" or rng.random() < 0.6 else None,
        has_person=has_person,
        missing=rng.choice(([], [], ["NULL", "é"])),
        more=[_promise(rng, other, bounded, quasi, columns[bounded]) for other in _others(rng, kind)],
        is_disarmed=rng.random() < 0.3,
    )


def _others(rng: Random, kind: str) -> list[str]:
    """The kinds of up to two more promises about the same column, which need no special values."""
    plain = [other for other in KINDS if other != "k" and not other.startswith("closeness")]
    return rng.choices(
        [*plain, "closeness equal", *([] if kind == "k" else [kind])], k=rng.choice((0, 0, 1, 2))
    )


def _kind_of_bounded(rng: Random, kind: str) -> str:
    if kind == "closeness hierarchical":
        return "tree"
    if kind == "closeness ordered":
        return rng.choice(("small", "words"))
    return rng.choice(("text", "few texts", "words", "integer", "tree", "flag", "formulas"))


def _column(rng: Random, n_rows: int, kind: str) -> list[Value]:
    draw, shape = _VALUES[kind], rng.random()
    if shape < 0.05:
        return [_publishable(draw, rng)] * n_rows
    if shape < 0.1 and kind in ("integer", "small"):
        return list(range(n_rows))
    share_missing = rng.choice((0, 0, 0.1, 0.5))
    return [None if rng.random() < share_missing else _publishable(draw, rng) for _ in range(n_rows)]


def _publishable(draw: Callable[[Random], Value], rng: Random) -> Value:
    """A value that is not refused because it reads as suppressed, or may mean missing."""
    while cleaned(value := draw(rng)) in ("*", "?"):
        pass
    return value


def _options(rng: Random, method: Any) -> dict[str, Any]:
    """Some of the options that have choices; mostly the defaults."""
    chosen = {}
    for name, option in method.options.items():
        if (option.choices or isinstance(option.default, bool)) and rng.random() < 0.4:
            chosen[name] = rng.choice(option.choices or (True, False))
    return chosen


def _promise(rng: Random, kind: str, column: str, quasi: list[str], values: list[Value]) -> dict[str, Any]:
    value = cleaned(rng.choice(values)) or "x"
    given = rng.sample(quasi, rng.randint(1, len(quasi)))
    share = rng.choice(("0.3", "0.5", "0.6", "2/3", "0.75", "0.9"))
    promises: dict[str, dict[str, Any]] = {
        "k": {},
        "k sets": {"sets": [[given, rng.randint(2, 4)], [[rng.choice(quasi)], rng.randint(2, 5)]]},
        "distinct": {"l": rng.randint(2, 3)},
        "entropy": {"l": rng.choice(("1.2", "1.5", "2", "2.5"))},
        "recursive": {"c": rng.choice(("0.5", "1", "1.5", "3", "7/2")), "l": rng.randint(2, 3)},
        "closeness equal": {"t": share},
        "closeness ordered": {"t": rng.choice(("0.1", "0.2", "1/3", share))},
        "closeness hierarchical": {"t": rng.choice(("0.1", "0.2", "1/3", share))},
        "alpha": {"alpha": share, "value": rng.choice((None, value))},
        "template": {"given": given, "value": value, "at_most": share},
        "delta": {"delta": rng.choice(("0.5", "1", "1.5", "3")), "strict_zero": rng.random() < 0.3},
        "beta": {"beta": rng.choice(("0.5", "1", "3/2", "4")), "likeness": rng.choice(("basic", "enhanced"))},
    }
    return {"kind": kind, "column": column, **promises[kind]}
