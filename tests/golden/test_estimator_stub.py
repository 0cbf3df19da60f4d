"""What type checkers and editors know about the estimators; KANOPY_UPDATE_GOLDEN=1 rewrites the stub file."""

from __future__ import annotations

import importlib.util
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import PATIENCE

import kanopy
from kanopy import estimators
from kanopy.algorithms import Method, methods
from kanopy.estimators.anonymizer import class_name, option_names

SOURCE = Path(__file__).parents[2] / "src"
STUB = SOURCE / "kanopy" / "estimators" / "__init__.pyi"

HEAD = '''\
"""What type checkers see of the estimators; tests/golden/test_estimator_stub.py makes and checks it."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from kanopy.estimators.anonymizer import Anonymizer as Anonymizer
from kanopy.estimators.recoded import RecodedClassifier as RecodedClassifier
from kanopy.estimators.recoded import Recoder as Recoder
from kanopy.privacy import PrivacyModel
'''
COMMON = """\
        quasi_identifiers: Sequence[str] | None = None,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing: Sequence[str] = (),
        privacy: PrivacyModel | Sequence[PrivacyModel] = (),
        accept: Sequence[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        random_state: int | np.random.RandomState | None = 0,
        preset: str = "default",
"""


def stub_of(method: Method) -> str:
    parameters = ["        self,\n        k: int = 10,\n        *,\n", COMMON]
    for parameter, name in option_names(method).items():
        option = method.options[name]
        kind = type(option.default).__name__
        if option.choices:
            kind = "Literal[" + ", ".join(f'"{choice}"' for choice in option.choices) + "]"
        if option.takes_percent:
            kind += " | str"
        if option.accepts is not None:
            kind = "Any"
        default = f'"{option.default}"' if isinstance(option.default, str) else repr(option.default)
        parameters.append(f"        {parameter}: {kind} = {default},\n")
    head = f"\nclass {class_name(method)}(Anonymizer):\n    def __init__(\n"
    return head + "".join(parameters) + "    ) -> None: ...\n"


def test_the_stub_says_what_the_methods_declare() -> None:
    text = HEAD + "".join(map(stub_of, sorted(methods(), key=lambda method: method.name)))
    if os.environ.get("KANOPY_UPDATE_GOLDEN") == "1":
        STUB.write_text(text, encoding="utf-8")
    assert STUB.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("method", methods(), ids=lambda method: method.name)
def test_signatures_name_every_parameter(method: Method) -> None:
    kind = getattr(kanopy, class_name(method))
    assert class_name(method) in dir(kanopy)
    assert class_name(method) in estimators.__all__
    parameters = inspect.signature(kind).parameters
    assert list(parameters)[:2] == ["k", "quasi_identifiers"]
    assert set(option_names(method)) <= set(parameters)


GOOD = """
from kanopy import KactusAnonymizer, Manifest, Policy, anonymize, methods
KactusAnonymizer(k=10, inducer="c45", random_state=3).fit([[1]])
release = anonymize("data.csv", Policy(quasi_identifiers=["age"], k=10), method="kactus")
rows: int = release.audit.rows
manifest: Manifest = release.manifest
published: int = manifest["rows"]["out"]
smallest: int | None = manifest["groups"]["smallest"]
lost: float | None = manifest["losses"]["gcp"]
version: str = manifest["versions"]["numpy"]
is_short: bool = manifest["facts"].get("cut_short", False)
"""
ANONYMIZED = """
from kanopy import Policy, anonymize
manifest = anonymize("data.csv", Policy(quasi_identifiers=["age"], k=10)).manifest
"""
BAD = [
    "from kanopy import KactusAnonymizer\nKactusAnonymizer(kk=10)",
    "from kanopy import KactusAnonymizer\nKactusAnonymizer(k='ten')",
    "from kanopy import MondrianAnonymizer\nMondrianAnonymizer(cut='other')",
    "from kanopy import NosuchAnonymizer",
    "import kanopy\nkanopy.audit('data.csv')",
    "import kanopy\nkanopy.nosuch",
    ANONYMIZED + 'manifest["row"]',
    ANONYMIZED + 'manifest["rows"]["on"]',
    ANONYMIZED + 'manifest["groups"]["number"]',
    ANONYMIZED + 'manifest["losses"]["nosuch"]',
    ANONYMIZED + 'manifest["versions"]["pandas"]',
    ANONYMIZED + 'manifest["facts"]["nosuch"]',
    ANONYMIZED + 'came_in: int = manifest["rows"]["in"]',  # None where the number is not told
]


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_mypy_sees_the_parameters(tmp_path: Path) -> None:
    """One run of mypy over all snippets: it takes a while to start."""
    files = {f"bad{number}.py": text for number, text in enumerate(BAD)} | {"good.py": GOOD}
    for name, text in files.items():
        (tmp_path / name).write_text(text + "\n")
    # Their types say nothing about ours, and take most of the time.
    others = ("numpy", "pyarrow", "narwhals", "pandas", "polars", "sklearn", "pyspark", "IPython")
    named = ",".join(f"{library}.*" for library in others)
    skipped = f"[mypy-{named}]\nignore_missing_imports = true\nfollow_imports = skip\n"
    (tmp_path / "mypy.ini").write_text(f"[mypy]\n{skipped}")
    flags = ("--strict", "--config-file=mypy.ini", f"--cache-dir={os.devnull}")  # nothing from other runs
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *flags, *files],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    complained = {line.partition(":")[0] for line in done.stdout.splitlines() if ": error: " in line}
    assert complained == files.keys() - {"good.py"}, done.stdout + done.stderr
