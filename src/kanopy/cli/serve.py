"""``kanopy serve``."""

from __future__ import annotations

import contextlib
import os
import stat
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from kanopy.cli.signals import Terminated
from kanopy.cli.terminal import printable, standard_error
from kanopy.errors import InputError, PolicyError

if TYPE_CHECKING:
    from kanopy.web.settings import Settings

_LAST_PORT = 65_535


def run(given: Namespace) -> int:
    # Loaded here: the page is an extra, and this command alone needs it.
    from kanopy.web.server import check_installed, check_settings, serve

    check_installed()
    settings = _settings(given)
    check_settings(settings, others=given.i_know_others_can_connect)
    terminal = standard_error()

    def tell(text: str) -> None:
        terminal.say_labelled("serve", printable(text), "green", "bold")

    # However somebody stops it: that is how it ends, and no failure.
    with contextlib.suppress(KeyboardInterrupt, Terminated):
        serve(settings, browser=given.browser, tell=tell, is_overheard=_is_readable(terminal.stream))
    with contextlib.suppress(OSError):  # the terminal may be closed
        tell("stopped: uploads and releases were removed")
    return 0


def _is_readable(stream: TextIO) -> bool:
    """Whether a stream is a file that others can read, such as a log."""
    with contextlib.suppress(OSError, ValueError):  # closed, or none of the system's
        mode = os.fstat(stream.fileno()).st_mode
        return stat.S_ISREG(mode) and bool(mode & (stat.S_IRGRP | stat.S_IROTH))
    return False


def _settings(given: Namespace) -> Settings:
    from kanopy.web.settings import Settings

    place = None if given.place is None else Path(given.place)
    is_table = place is not None and place.is_file()
    if place is not None and not is_table and place.exists() and not place.is_dir():
        raise PolicyError("that is neither a table nor a folder", "name a file or a project folder")
    if place is not None and not place.exists() and place.suffix:
        raise InputError(
            f"there is no file {place.name!r}", "name a table, or a project folder to be created"
        )
    if not 0 <= given.port <= _LAST_PORT:
        raise PolicyError(f"--port is a number from 0 to {_LAST_PORT}", "leave it out for one that is free")
    if (given.tls_certificate is None) != (given.tls_key is None):
        raise PolicyError("a certificate and its key come together", "name --tls-certificate and --tls-key")
    root = None if given.root is None else Path(given.root)
    if root is not None and not root.is_dir():
        raise PolicyError("the folder of --root does not exist", "name a folder with tables")
    for name in ("upload_limit", "memory_limit", "time_limit"):
        if getattr(given, name) is not None and getattr(given, name) < 1:
            raise PolicyError(
                f"--{name.replace('_', '-')} must be at least 1", "leave it out for the default"
            )
    usual = Settings()
    return Settings(
        host=given.host,
        port=given.port,
        root=root,
        project=None if is_table else place,
        table=place if is_table else None,
        tls=None if given.tls_key is None else (given.tls_certificate, given.tls_key),
        upload_limit=usual.upload_limit if given.upload_limit is None else given.upload_limit << 20,
        memory_limit=0 if given.memory_limit is None else given.memory_limit << 20,
        time_limit=usual.time_limit if given.time_limit is None else float(given.time_limit),
    )
