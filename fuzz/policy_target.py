"""Policy bytes: a policy that can be used, or an error that says what to do."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pyarrow as pa

import kanopy
from fuzz.scratch import written
from fuzz.target import Target, Violation, refused
from kanopy.errors import KanopyError
from kanopy.policy import Policy

SECRET = "hush7731"

_ROLES = 'quasi_identifiers = ["age", "zip"]\ntarget = "ill"\nsensitive = ["diet"]\nidentifiers = ["name"]\n'
_PRIVACY = "[privacy]\nk = 2\n"
_PROMISES = (
    '[[privacy.anonymity]]\ngiven = ["age"]\nk = 2\n',
    '[[privacy.diversity]]\ncolumn = "diet"\nkind = "distinct"\nl = 2\n',
    '[[privacy.diversity]]\ncolumn = "diet"\nkind = "entropy"\nl = 1.5\n',
    '[[privacy.diversity]]\ncolumn = "diet"\nkind = "recursive"\nl = 2\nc = 3.5\n',
    '[[privacy.closeness]]\ncolumn = "diet"\nt = 0.9\ndistance = "ordered"\n',
    '[[privacy.closeness]]\ncolumn = "diet"\nt = 0.9\ndistance = "hierarchical"\n'
    '[hierarchies.diet]\nany = ["fish", "meat", "none"]\n',
    '[[privacy.alpha]]\ncolumn = "diet"\nalpha = 0.9\nvalue = "fish"\n',
    '[[privacy.disclosure]]\ncolumn = "diet"\ndelta = 2.5\nstrict_zero = false\n',
    '[[privacy.likeness]]\ncolumn = "diet"\nbeta = 3\nkind = "enhanced"\n',
    '[[privacy.template]]\ngiven = ["age", "zip"]\ncolumn = "diet"\nvalue = "fish"\nat_most = 0.9\n',
)
_HIERARCHIES = (
    "age = { ranges = [5, 10], from = 0 }\n",
    "age = { cuts = [[25, 35], [30]] }\n",
    "age = { quantiles = [4, 2] }\n",
    "zip = { prefix = [1, 2] }\n",
    'zip = { dates = ["year"], format = "%Y" }\n',
    'zip = { merge = "class", levels = 2 }\n',
    'zip = "zip.csv"\n',
    '[hierarchies.zip]\nnorth = ["12", "13"]\nsouth = ["22"]\n',
)
_METHODS = ("mondrian", "kactus", "tds", "tdd", "mdav", "kmeans")

_OPTIONS = (
    *("", "", "", 'publish = "members"\n', 'publish = "mean"\n', "strict = false\n", "max_iter = 3\n"),
    *("swapping_threshold = 0.3\n", 'features = "published"\n', "class_weight = 0.5\n", "min_rows = 5\n"),
)
_VALUE = re.compile(r'"[^"\n]*"|\[[^\n=]*\]|(?<== )[0-9.]+|true|false')
_VALUES = (
    *(
        "0",
        "1",
        "2",
        "3",
        "-1",
        "0.5",
        "1.5",
        "0.999",
        "1e-9",
        "1e9",
        "1e400",
        "nan",
        "-inf",
        "9" * 25,
        "0x10",
    ),
    *(
        '""',
        '" age "',
        '"age"',
        '"zip"',
        '"ill"',
        '"diet"',
        '"name"',
        '"e\u0301"',
        '"\\u0000"',
        '"*"',
        '"fish"',
    ),
    *(
        "[]",
        '["age"]',
        '["age", "age"]',
        "[[1]]",
        "[1, 2]",
        "[30, 20]",
        "[0]",
        "[1, 2, 3]",
        '["year"]',
        '["day"]',
    ),
    *(
        "{}",
        "{a = 1}",
        "{ranges = [5]}",
        '{a = ["12"]}',
        "true",
        "false",
        "2020-01-01",
        "12:00:00",
        "[-5, 1e300]",
    ),
    *(
        '"mondrian"',
        '"kmember"',
        '"apt"',
        '"kadet"',
        '"oka"',
        '"entropy"',
        '"equal"',
        '"%Y"',
        '"%"',
        '"%d%q"',
        "1e16",
    ),
    *(
        '"../zip.csv"',
        '"."',
        '"zip.csv\\u0000"',
        "[1e16, 2e16]",
        "[0.1, 0.2]",
        "[1e-300]",
        '"\\U0010FFFF"',
        '"1/3"',
    ),
)


class PolicyTarget(Target):
    """``Policy.load`` of any bytes; what is accepted is printed and used on a small table."""

    name = "policy"

    def seeds(self) -> list[bytes]:
        texts = [f"{_ROLES}{_PRIVACY}{promise}" for promise in _PROMISES]
        for section in _HIERARCHIES:
            head = "" if section.startswith("[") else "[hierarchies]\n"
            texts.append(f'{_ROLES}missing = ["?", "NA"]\n{_PRIVACY}{head}{section}')
        texts += [f'{_ROLES}{_PRIVACY}[method]\nname = "{name}"\n' for name in _METHODS]
        texts += [
            'quasi_identifiers = ["age", "zip"]\nkeep = ["ill", "diet"]\nperson = "name"\nnumeric = ["age"]\n'
            'categorical = ["zip"]\n[privacy]\nk = 3\n[method]\nname = "mondrian"\npublish = "members"\n',
            f'{_ROLES}{_PRIVACY}[method]\nname = "kactus2"\nswapping_threshold = 0.3\n',
            "a.b.c.d = [[1, 2], {x = 1}]\n",
        ]
        return [text.encode() for text in texts] + [b"\xef\xbb\xbfk = 1\n", b"", b"\xff"]

    def make(self, rng: Random) -> bytes:
        """A policy of sound sections, some of whose values are others."""
        sections = [rng.choice(_PROMISES) for _ in range(rng.choice((0, 1, 1, 2)))]
        text = _ROLES + _PRIVACY + "".join(sections)
        if "[hierarchies" not in text and rng.random() < 0.5:
            section = rng.choice(_HIERARCHIES)
            text += section if section.startswith("[") else "[hierarchies]\n" + section
        if rng.random() < 0.5:
            text += f'[method]\nname = "{rng.choice(_METHODS)}"\n{rng.choice(_OPTIONS)}'
        for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
            found = rng.choice(list(_VALUE.finditer(text)))
            text = text[: found.start()] + rng.choice(_VALUES) + text[found.end() :]
        return text.encode()

    def execute(self, data: bytes) -> str:
        written("zip.csv", b"12;1;*\n13;1;*\n22;2;*\n")
        secrets = () if SECRET.encode() in data else (SECRET,)
        try:
            policy = Policy.load(written("policy.toml", data))
        except KanopyError as error:
            if error.exit_code not in (2, 6):
                raise Violation(f"a policy file is refused with exit code {error.exit_code}") from error
            return refused(error)
        if not policy.promise.sentence() or not policy.roles:
            raise Violation("a policy that promises nothing")
        try:
            release = kanopy.anonymize(_table(), policy)
        except KanopyError as error:
            return f"accepted; {refused(error, *secrets)}"
        if not release.audit.kept:
            raise Violation("a release that does not keep the promise")
        return "used"


@cache
def _table() -> pa.Table:
    """A table that suits the seeds."""
    n_rows = 12
    return pa.table(
        {
            "age": [str(20 + 3 * (row % 5)) for row in range(n_rows)],
            "zip": [("12", "13", "22")[row % 3] for row in range(n_rows)],
            "ill": [("yes", "no")[row % 2] for row in range(n_rows)],
            "diet": [("fish", "meat", "none")[row % 3] for row in range(n_rows)],
            "name": [f"{SECRET} {row // 2}" for row in range(n_rows)],
        }
    )
