"""The site: its routes, and what all its pages share."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from hmac import compare_digest
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route, Router

from kanopy.errors import InputError, PolicyError
from kanopy.web.choices import Form
from kanopy.web.guard import Guard, RefusedError
from kanopy.web.jobs import JobQueue
from kanopy.web.keys import Keys, Session
from kanopy.web.loading import is_loaded, load
from kanopy.web.pages import Pages
from kanopy.web.private import PrivateFolder
from kanopy.web.settings import LOOPBACK, Settings
from kanopy.web.work import Work

_MOST_BYTES = 1 << 20  # of a form without a file
_MOST_FIELDS = 50_000
_SLOWEST = 30.0  # seconds for a form

Handler = Callable[[Request], Awaitable[Response]]


class Site:
    """Everything that a running page has: settings, private folder, jobs, keys and pages."""

    def __init__(self, settings: Settings, folder: PrivateFolder, keys: Keys) -> None:
        self.settings, self.folder, self.keys = settings, folder, keys
        self.pages, self.queue = Pages(), JobQueue(settings)
        self.named: Work | None = None  # that of the project folder or table that the command line named
        self._is_named_taken = False
        self.project: Any = None

    def new_work(self) -> Work:
        """A piece of work that no browser has yet."""
        return Work(self.folder.new(f"work-{secrets.token_hex(8)}"), self.queue, self.settings)

    def hand_over(self, session: Session) -> None:
        """Give what the command line named to the first browser that opens the page, and to no other one.

        PRIVACY: whoever opens the page later sees nothing of it (tests/unit/web/test_project.py).
        """
        if self.named is not None and not self._is_named_taken:
            self._is_named_taken = True
            session.works[self.named.id] = self.named

    def close(self, session: Session) -> None:
        """End the jobs of a session that has ended; its files go with the private folder."""
        for work in session.works.values():
            for kind in work.jobs:
                work.cancel(kind)

    def work_of(self, request: Request) -> Work:
        """The piece of work that an address names; those of other browsers are not there."""
        session: Session = request.scope["session"]
        work = session.works.get(request.path_params["work"])
        if work is None:
            raise HTTPException(404)
        return work

    async def form_of(self, request: Request) -> Form:
        """The fields of a form of ours."""
        fields = await _fields(request)
        check_csrf(request.scope["session"], {name: texts[0] for name, texts in fields.items()})
        return fields


def check_csrf(session: Session, fields: dict[str, str]) -> None:
    """Refuse a form that this page has not made for this browser."""
    if not compare_digest(fields.get("csrf", "").encode(), session.csrf.encode()):
        raise RefusedError(403, "the form is not one of this page, or an old one", "load the page again")


async def _fields(request: Request) -> Form:
    kind = request.headers.get("content-type", "").partition(";")[0]
    if kind != "application/x-www-form-urlencoded":
        raise PolicyError("this is not the form of the page", "use the form of the page")
    body = bytearray()
    try:
        async with asyncio.timeout(_SLOWEST):
            async for block in request.stream():
                body += block
                if len(body) > _MOST_BYTES:
                    raise PolicyError("the form is too long", "use the form of the page")
        text = body.decode("utf-8")
        return parse_qs(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict")
    except TimeoutError:
        raise InputError("the form took too long to arrive", "try again") from None
    except ClientDisconnect:
        raise InputError("the connection was closed", "try again") from None
    except ValueError:
        raise PolicyError("the form is not well-formed", "use the form of the page") from None


def seen_other(request: Request, path: str) -> Response:
    """Go on to a page of this browser's after a form."""
    return RedirectResponse(f"{request.scope['session'].base}{path}", 303)


_CSS = "text/css; charset=utf-8"
_STATIC = {
    name.rpartition("/")[2]: (kind, files("kanopy").joinpath(name).read_bytes())
    for name, kind in (
        ("web/static/page.css", _CSS),
        ("reporting/report.css", _CSS),
        ("web/static/page.js", "text/javascript; charset=utf-8"),
        ("web/static/icon.svg", "image/svg+xml"),
    )
}
"""Read before anybody asks: another thread may just be importing the package of a file."""


async def static(request: Request) -> Response:
    """The style, our one script, and the picture in the tab."""
    name = request.path_params["name"]
    if name not in _STATIC:
        raise HTTPException(404)
    kind, content = _STATIC[name]
    return Response(content, headers={"content-type": kind})


def events(site: Site) -> Handler:
    """How far a job is, as server-sent events."""

    async def stream(request: Request) -> Response:
        job = site.work_of(request).jobs.get(request.path_params["kind"])
        if job is None:
            raise HTTPException(404)

        async def lines() -> AsyncIterator[str]:
            async for told in job.changes():
                yield ": still there\n\n" if told is None else f"data: {json.dumps(told)}\n\n"

        return StreamingResponse(lines(), headers={"content-type": "text/event-stream"})

    return stream


def once_loaded(handler: Handler) -> Handler:
    """The same, after everything that it may need was loaded, by whichever thread."""

    async def answer(request: Request) -> Response:
        if not is_loaded():
            await run_sync(load)
        return await handler(request)

    return answer


def build(site: Site, port: int) -> Guard:
    """The application behind its guard; ``port`` is where it listens."""
    from kanopy.web import steps

    @asynccontextmanager
    async def lifespan(_app: Any) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await site.queue.close()

    first = Route("/", steps.start(site), methods=["GET"])
    gets = {"/w/{work}/{step}": steps.step, "/w/{work}/policy.toml": steps.policy_file}
    gets |= {"/w/{work}/files/{place:int}": steps.download}
    posts = {"/new": steps.new, "/w/{work}/{step}": steps.take, "/w/{work}/{kind}/cancel": steps.cancel}
    routes = [first, Route("/static/{name}", static), Route("/w/{work}/events/{kind}", events(site))]
    # Addresses of one kind stand before those of all kinds.
    ordered = sorted(gets, key=lambda path: path.endswith("{step}"))
    routes += [Route(path, once_loaded(gets[path](site)), methods=["GET"]) for path in ordered]
    ordered = sorted(posts, key=lambda path: path.endswith("{step}"))
    routes += [Route(path, once_loaded(posts[path](site)), methods=["POST"]) for path in ordered]
    # A router alone: errors reach the guard, which answers them.
    app: Any = Router(routes, lifespan=lifespan, redirect_slashes=False)
    return Guard(app, site.keys, site.pages, own_hosts(site.settings, port), site.settings.scheme, port)


def own_hosts(settings: Settings, port: int) -> frozenset[str]:
    """The names under which the page answers.

    PRIVACY: another site whose name leads to this machine is not among them (tests/unit/web/test_guard.py).
    """
    names = ["127.0.0.1", "localhost", "[::1]"] if settings.host in LOOPBACK else [settings.host]
    usual = 80 if settings.tls is None else 443
    return frozenset(f"{name}:{port}" for name in names) | (
        frozenset(names) if port == usual else frozenset()
    )
