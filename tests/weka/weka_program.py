"""Finds Weka and runs it as a program of its own, for tests that compare kanopy with it.

Needs Java and a Weka 3.6 jar: the one that the environment variable KANOPY_WEKA names, or the one that a
Linux distribution installs. Tests marked with ``requires_weka`` are skipped where either is absent.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

INSTALLED = (
    Path("/usr/share/java/weka.jar"),
    Path("/usr/share/weka/weka.jar"),
    Path("/usr/share/weka/lib/weka.jar"),
)

Kind = str | Sequence[str]
"""``"numeric"``, or the labels of a nominal column."""

Column = tuple[str, Kind, Sequence[float | str | None]]
"""Name, kind and values; None is missing."""

_ESCAPED = str.maketrans(
    {"\\": "\\\\", "'": "\\'", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "%": "\\%"}
)


def weka_jar() -> Path | None:
    """The jar to run, or None; what KANOPY_WEKA names is taken as it is, and nothing else then."""
    named = os.environ.get("KANOPY_WEKA")
    places = (Path(named),) if named else INSTALLED
    return next((place for place in places if place.is_file()), None)


def _what_lacks() -> str:
    if shutil.which("java") is None:
        return "there is no java to run Weka with"
    return "" if weka_jar() else "there is no Weka jar; KANOPY_WEKA may name one"


requires_weka = pytest.mark.skipif(bool(_what_lacks()), reason=_what_lacks() or "Weka is there")


def run_weka(class_name: str, *arguments: str | os.PathLike[str], timeout: float = 600) -> str:
    """Run the main method of a Weka class and return what it prints.

    Weka ends with code 0 also where it fails, but then it complains on stderr: that is taken for a failure.
    """
    # For a program that lives for a moment, the second compiler takes more time than it saves.
    command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g", "-Djava.awt.headless=true"]
    command += ["-Dfile.encoding=UTF-8", "-cp", str(weka_jar())]
    done = subprocess.run(
        [*command, class_name, *map(os.fspath, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
    )
    # With JAVA_TOOL_OPTIONS or the like, Java itself says what it picked up.
    complaints = [line for line in done.stderr.splitlines() if line and not line.startswith("Picked up ")]
    if done.returncode or complaints:
        raise AssertionError(f"{class_name} failed with code {done.returncode}: " + "\n".join(complaints))
    return done.stdout


def write_arff(
    path: Path, columns: Sequence[Column], relation: str, weights: Sequence[float] | None = None
) -> None:
    """Write a table as Weka reads it; O(cells).

    A nominal label may hold any characters, ``?`` and the empty text included. A number may be given as text,
    which is then written as it is.
    """
    lines = [f"@relation {quoted(relation)}", ""]
    written = []
    for name, kind, values in columns:
        if isinstance(kind, str):
            assert kind == "numeric", f"{name}: a kind is 'numeric' or a list of labels"
            lines.append(f"@attribute {quoted(name)} numeric")
            written.append(["?" if value is None else _number(value) for value in values])
        else:
            label_text = {label: quoted(label) for label in kind}
            lines.append(f"@attribute {quoted(name)} {{{','.join(label_text.values())}}}")
            written.append(["?" if value is None else label_text[str(value)] for value in values])
    if weights is not None:
        written.append([f"{{{float(weight)!r}}}" for weight in weights])
    lines += ["", "@data", *map(",".join, zip(*written, strict=True)), ""]
    path.write_text("\n".join(lines), encoding="utf-8", newline="\n")


def quoted(text: str) -> str:
    """A name or label in the quotes of ARFF."""
    return f"'{text.translate(_ESCAPED)}'"


def _number(value: float | str) -> str:
    return value if isinstance(value, str) else repr(float(value))
