"""Starts the page: the private folder, the address that works once, the server, and the browser."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from kanopy.errors import PolicyError, ResourceError
from kanopy.web.keys import Keys, Session
from kanopy.web.loading import load_soon
from kanopy.web.settings import LOOPBACK, Settings

Tell = Callable[[str], None]
_BACKLOG = 128
_WHILE_LOOKING = 0.5
"""Seconds until the other pages are loaded: the first one comes before."""


def check_settings(settings: Settings, *, others: bool) -> None:
    """Refuse to be reached by others unless that was asked for, and encrypted."""
    if settings.host not in LOOPBACK:
        if not others:
            hint = (
                "leave --host out; or say --i-know-others-can-connect, with --tls-certificate and --tls-key"
            )
            raise PolicyError("others could reach the page under that address", hint)
        if settings.tls is None:
            raise PolicyError(
                "a page that others can reach is encrypted", "name --tls-certificate FILE and --tls-key FILE"
            )
        with contextlib.suppress(ValueError):
            if ipaddress.ip_address(settings.host).is_unspecified:
                hint = "name the one that is in the certificate"
                raise PolicyError("the page needs the name or address by which browsers know it", hint)
    for file in settings.tls or ():
        if not Path(file).is_file():
            raise PolicyError("the file of the certificate or its key does not exist", "check its name")


@dataclass(frozen=True, slots=True)
class Announcer:
    """Says where the page is, and what became of an address."""

    site: Any
    start: str  # of each address
    tell: Tell
    is_overheard: bool  # whether others can read what is told
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def file(self, session: Session) -> str:
        """A private file that leads to the page.

        PRIVACY: everybody reads the command line of a browser (tests/unit/web/test_other_users.py).
        """
        text = self.site.pages.text("opening", address=f"{self.start}{session.opening}")
        file: Path = self.site.folder.write(f"open-{next(self._numbers)}.html", text)
        return file.as_uri()

    def address(self, session: Session) -> str:
        """What to open, as it is told."""
        return self.file(session) if self.is_overheard else f"{self.start}{session.opening}"

    def next(self, session: Session) -> None:
        """One browser is in: here is the address for another one."""
        self.tell(f"for another browser: {self.address(session)}")

    def ended(self, session: Session) -> None:
        """An address was used twice."""
        self.site.close(session)
        self.tell("an address was used twice: the page that it opened has ended, with what was open there")
        self.tell(
            "if one of the two was not you, somebody has seen the address: stop this and start it again"
        )
        self.tell(f"to go on: {self.address(self.site.keys.next)}")


def serve(settings: Settings, *, browser: bool, tell: Tell, is_overheard: bool = False) -> None:
    """Serve the page until somebody stops it; ``is_overheard`` where others can read what is told."""
    from kanopy.web.private import PrivateFolder
    from kanopy.web.site import Site, build

    listener = _listening(settings)
    port = listener.getsockname()[1]
    name = f"[{settings.host}]" if ":" in settings.host else settings.host
    folder = PrivateFolder()
    try:
        site = Site(settings, folder, keys := Keys())
        says = Announcer(site, f"{settings.scheme}://{name}:{port}", tell, is_overheard)
        keys.tell_next, keys.tell_end = says.next, says.ended
        _open_work(site)
        tell(f"open {says.address(keys.next)}")
        is_local = settings.host in LOOPBACK
        reached = "nothing leaves this machine" if is_local else "others can connect: whoever has the address"
        tell(f"{reached}; press Ctrl-C to stop")
        if browser:
            threading.Thread(target=webbrowser.open, args=(says.file(keys.next),), daemon=True).start()
        _run(build(site, port), listener, settings)
    finally:
        listener.close()
        folder.remove()


def _open_work(site: Any) -> None:
    """The piece of work that the command line named."""
    settings: Settings = site.settings
    if settings.project is not None:
        from kanopy.web.project import Project

        site.project = Project(settings.project)
        site.named = site.new_work()
        site.project.load_into(site.named)
    elif settings.table is not None:
        from kanopy.web.steps import take_file

        site.named = site.new_work()
        take_file(site.named, settings.table)


def _listening(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(_BACKLOG)  # who opens the address at once waits, and is not refused
    except OSError as error:
        listener.close()
        what = f"could not listen on port {settings.port}: {error.strerror or type(error).__name__}"
        raise ResourceError(what, "choose another --port, or leave it out") from None
    return listener


def _run(app: Any, listener: socket.socket, settings: Settings) -> None:
    import uvicorn

    certificate, key = settings.tls or (None, None)
    config = uvicorn.Config(
        app, log_level="critical", access_log=False, server_header=False, proxy_headers=False, lifespan="on",
        ws="none", limit_concurrency=200, timeout_keep_alive=15, timeout_graceful_shutdown=1,
        backlog=_BACKLOG, h11_max_incomplete_event_size=32 << 10, ssl_certfile=certificate, ssl_keyfile=key,
    )  # fmt: skip
    server = uvicorn.Server(config)
    load_soon(_WHILE_LOOKING)
    server.run(sockets=[listener])


def check_installed() -> None:
    """Say how to install what the page needs, where it is missing."""
    for name in ("starlette", "uvicorn", "jinja2", "python_multipart"):
        try:
            import_module(name)
        except ImportError:
            hint = f'install it: {Path(sys.executable).name} -m pip install "kanopy[web]"'
            raise ResourceError("the page needs libraries that are not installed", hint) from None
