"""Where Weka and Java are."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from kanopy.errors import ResourceError

INSTALLED = (
    Path("/usr/share/java/weka.jar"),
    Path("/usr/share/weka/weka.jar"),
    Path("/usr/share/weka/lib/weka.jar"),
)
TO_INSTALL = (
    "install Weka and Java, on Debian or Ubuntu: apt install weka default-jre-headless; "
    "or set WEKA_JAR to the path of a weka.jar"
)


def find_jar(jar: str | os.PathLike[str] | None = None) -> Path:
    """The Weka to run: what is given, what ``WEKA_JAR`` names, or what the system has installed.

    Raises
    ------
    ResourceError
        Where there is none; a path that was given or named is taken as it is, and nothing else then.
    """
    named = jar if jar is not None else os.environ.get("WEKA_JAR") or None
    if named is not None:
        if Path(named).is_file():
            return Path(named).resolve()
        by_whom = "that was given" if jar is not None else "that WEKA_JAR names"
        raise ResourceError(f"there is no Weka at the path {by_whom}: {os.fspath(named)}", "check the path")
    for place in INSTALLED:
        if place.is_file():
            return place.resolve()
    raise ResourceError("Weka is not installed", TO_INSTALL)


def find_java() -> str:
    """The ``java`` of ``JAVA_HOME`` or of the path."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home) / "bin")) if home else None
    found = found or shutil.which("java")
    if found is None:
        raise ResourceError("Weka needs Java, which is not installed", TO_INSTALL)
    return found
