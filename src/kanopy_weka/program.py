"""Weka as a separate process: one Java process per Python process, for all requests.

It is started when it is first needed. It ends with the Python process, after ten idle minutes, when an answer
takes too long, or when the pipe to it closes. Nothing is written to disk: tables and models go through the
pipe. After a fork the child starts its own.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import struct
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn

from kanopy.errors import ResourceError

GREETING = "kanopy weka 1"
START_SECONDS = 60.0
IDLE_SECONDS = 600.0

DRIVER_FOLDER = Path(__file__).resolve().parent
"""Where Java finds ``WekaDriver.class``."""

INSTALLED = (
    Path("/usr/share/java/weka.jar"),
    Path("/usr/share/weka/weka.jar"),
    Path("/usr/share/weka/lib/weka.jar"),
)
TO_INSTALL = (
    "install Weka and Java, on Debian or Ubuntu: apt install weka default-jre-headless; "
    "or set WEKA_JAR to the path of a weka.jar"
)

_OPTIONS = (
    # When it crashes or lacks memory, no file with what it knew may remain.
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:+SuppressFatalErrorMessage",
    "-XX:-CreateCoredumpOnCrash",
    "-XX:+UseSerialGC",  # folds run side by side already
    "-Djava.awt.headless=true",
    "-Dfile.encoding=UTF-8",
    "-Duser.language=en",
    "-Dweka.packageManager.offline=true",  # newer versions would look for updates of their packages
)


def find_jar(jar: str | os.PathLike[str] | None = None) -> Path:
    """The Weka to run: what is given, else what ``WEKA_JAR`` names, else what the system has installed."""
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


def program_for(jar: Path) -> WekaProgram:
    """The process that runs this Weka; always the same one in the same Python process."""
    return _programs.setdefault(jar, WekaProgram(jar))


def stop_all() -> None:
    """End every Weka that this process has started; they start again when they are needed."""
    for program in list(_programs.values()):
        program.stop()


@dataclass(slots=True)
class _Child:
    """A running Java process."""

    popen: subprocess.Popen[bytes]
    requests: IO[bytes]
    answers: IO[bytes]
    errors: bytes = b""  # what it printed before it was ready
    is_greeted: bool = False
    is_late: bool = False

    def close(self, *, patience: float) -> None:
        """Let it end by closing the pipe to it, and end it where it does not."""
        with contextlib.suppress(OSError):
            self.requests.close()
        try:
            self.popen.wait(patience)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        self.answers.close()


class WekaProgram:
    """Weka, ready to be asked."""

    def __init__(self, jar: Path) -> None:
        self.jar = jar
        self.version = ""
        self._lock = threading.RLock()
        self._child: _Child | None = None
        self._idle: threading.Timer | None = None

    @property
    def pid(self) -> int | None:
        """Of the Java process, while it runs."""
        child = self._child
        return child.popen.pid if child is not None and child.popen.poll() is None else None

    def ask(self, request: bytes, *, seconds: float) -> bytes:
        """Send a request and wait for its answer; one request at a time.

        Raises
        ------
        ResourceError
            Where Weka cannot be started, ends, or does not answer in time. The next request starts it anew.
        """
        with self._lock:
            if self._idle is not None:
                self._idle.cancel()
            child = self._running()
            try:
                with _time_limit(child, seconds):
                    child.requests.write(struct.pack(">i", len(request)))
                    child.requests.write(request)
                    child.requests.flush()
                    answer = _read(child.answers)
            except (EOFError, OSError, ValueError):
                self._tell_end(child, seconds)
            except BaseException:  # interrupted: the rest of the answer would be read as the next one
                self._drop(child)
                raise
            self._idle = threading.Timer(IDLE_SECONDS, self._stop_idle)
            self._idle.daemon = True
            self._idle.start()
            return answer

    def stop(self) -> None:
        """End the Java process, if it runs."""
        with self._lock:
            if self._idle is not None:
                self._idle.cancel()
            child, self._child = self._child, None
            if child is not None:
                child.close(patience=2.0)

    def _stop_idle(self) -> None:
        """End it when a timer runs out, unless a later request has set another timer."""
        with self._lock:
            if self._idle is threading.current_thread():
                self.stop()

    def _running(self) -> _Child:
        if self._child is not None and self._child.popen.poll() is not None:
            self._drop(self._child)  # it was ended while idle: nothing is lost
        if self._child is None:
            self._child = self._started()
        return self._child

    def _started(self) -> _Child:
        class_path = os.pathsep.join((str(self.jar), str(DRIVER_FOLDER)))
        command = [find_java(), *_OPTIONS, "-cp", class_path, "WekaDriver"]
        try:
            popen = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise ResourceError(f"Java cannot be started: {error.strerror}", TO_INSTALL) from None
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        child = _Child(popen, popen.stdin, popen.stdout)
        listener = threading.Thread(target=_listen, args=(child, popen.stderr), daemon=True)
        listener.start()
        try:
            with _time_limit(child, START_SECONDS):
                answer = _read(child.answers)
            greeting, place = read_field(answer, 0)
            self.version = read_field(answer, place)[0].decode("utf-8")
        except (EOFError, OSError, ValueError):
            child.close(patience=0.5)
            listener.join(1.0)
            lines = child.errors.decode("utf-8", "replace").strip().splitlines()
            said = f": {lines[0]}" if lines else ""
            raise ResourceError(f"Weka does not start{said}", f"is {self.jar} Weka? {TO_INSTALL}") from None
        except BaseException:
            child.close(patience=0)
            raise
        child.is_greeted = True
        if greeting != GREETING.encode():
            child.close(patience=0)
            raise ResourceError("the driver of Weka is of another version than kanopy", "install kanopy anew")
        return child

    def _tell_end(self, child: _Child, seconds: float) -> NoReturn:
        self._drop(child)
        if child.is_late:
            raise ResourceError(
                f"Weka did not answer within {seconds:g} seconds and was stopped", "give it more time"
            ) from None
        raise ResourceError(
            f"Weka ended in the middle of its work, with code {child.popen.returncode}",
            "if it lacks memory: JAVA_TOOL_OPTIONS=-Xmx4g gives it 4 GB",
        ) from None

    def _drop(self, child: _Child) -> None:
        child.popen.kill()
        child.close(patience=2.0)
        self._child = None


@contextlib.contextmanager
def _time_limit(child: _Child, seconds: float) -> Iterator[None]:
    """End the Java process when time is up, so that its reader finds the end of the pipe."""

    def stop() -> None:
        child.is_late = True
        child.popen.kill()

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _listen(child: _Child, stream: IO[bytes]) -> None:
    """Keep what Java prints before it is ready, for a message; later it may quote cells and is dropped."""
    with stream:
        for line in stream:
            if not child.is_greeted and len(child.errors) < 2000 and not line.startswith(b"Picked up "):
                child.errors += line


def _read(stream: IO[bytes]) -> bytes:
    return _exactly(stream, *struct.unpack(">i", _exactly(stream, 4)))


def _exactly(stream: IO[bytes], n_bytes: int) -> bytes:
    found = stream.read(n_bytes)
    if len(found) != n_bytes:
        raise EOFError
    return found


def read_field(content: bytes, place: int) -> tuple[bytes, int]:
    """What a field of an answer holds, and the place after it."""
    length = struct.unpack_from(">i", content, place)[0]
    return content[place + 4 : place + 4 + length], place + 4 + length


_programs: dict[Path, WekaProgram] = {}
_inherited: list[dict[Path, WekaProgram]] = []


def _after_fork() -> None:
    _inherited.append(dict(_programs))  # of the parent, which alone uses and ends them
    _programs.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(stop_all)
