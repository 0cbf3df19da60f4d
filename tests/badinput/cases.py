"""Bad input, row by row of the catalogue: what goes in, and what the user must see."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

FLAGS = ("--quasi", "age,zip", "--target", "cls", "--k", "2")
HEADER = "age,zip,cls\n"
TABLE = HEADER + "".join(f"{20 + i % 4},{i % 3:05d},{'YN'[i % 2]}\n" for i in range(12))
POLICY = 'quasi_identifiers = ["age", "zip"]\ntarget = "cls"\n'
PROMISE = POLICY + "[privacy]\nk = 2\n"
TEMPLATE = PROMISE + "[[privacy.template]]\ngiven = ['age']\ncolumn = 'cls'\nvalue = 'Y'\n"
RELEASE = HEADER + "".join(
    f'"{ages}",0000{i // 2},{"NY"[i % 2]}\n' for ages in ("[20, 21]", "[22, 23]") for i in range(6)
)
"""Of TABLE, by default."""


@dataclass(frozen=True)
class Case:
    """One call of ``kanopy anonymize``.

    Parameters
    ----------
    name : str
        The row of the catalogue, and a word for it.
    table : str or bytes
    code : int
        The exit code that must come back.
    says : str
        A pattern that standard error must contain, from what is wrong to what to do.
    flags : tuple of str
        Instead of the usual ones; not used where there is a policy.
    more : tuple of str
        Further flags.
    policy : str or bytes, optional
    file : str
        What the table is called.
    others : dict
        Further files beside it.
    expected : str
        For a table that is accepted: the release.
    """

    name: str
    table: str | bytes
    code: int
    says: str
    flags: tuple[str, ...] = FLAGS
    more: tuple[str, ...] = ()
    policy: str | bytes | None = None
    file: str = "data.csv"
    others: dict[str, str | bytes] = field(default_factory=dict)
    expected: str = ""

    def __str__(self) -> str:
        return self.name


def parquet(table: pa.Table, **options: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    return sink.getvalue()


def columns(age: Any) -> pa.Table:
    """The usual columns, with another ``age``."""
    return pa.table({"age": age, "zip": ["a"] * len(age), "cls": ["Y"] * len(age)})


def hierarchy(name: str, lines: str, says: str) -> Case:
    policy = PROMISE + '[hierarchies]\nage = "ages.csv"\n'
    return Case(name, TABLE, 2, says, policy=policy, others={"ages.csv": lines})


def wrong_policy(name: str, policy: str | bytes, says: str, code: int = 2) -> Case:
    return Case(name, TABLE, code, says, policy=policy)


def flagged(name: str, says: str, *flags: str, code: int = 2) -> Case:
    return Case(name, TABLE, code, says, flags=flags)
