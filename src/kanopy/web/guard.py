"""What every request must pass before it reaches a page, and what every answer carries."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from starlette.responses import RedirectResponse, Response

from kanopy.errors import KanopyError
from kanopy.web.keys import COOKIE, Keys
from kanopy.web.pages import Pages

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_METHODS = ("GET", "HEAD", "POST")
_LONGEST_PATH = 2000


class RefusedError(Exception):
    """A request that is not answered, with its status and what to do."""

    def __init__(self, status: int, message: str, hint: str) -> None:
        super().__init__(message)
        self.status, self.message, self.hint = status, message, hint


class Guard:
    """Checks host, cookie, origin and method, adds the headers, and turns every failure into a plain page.

    PRIVACY: no request that another site or program makes is answered, and no error shows a cell or a
    traceback (tests/unit/web/test_guard.py).
    """

    def __init__(self, app: App, keys: Keys, pages: Pages, hosts: frozenset[str], scheme: str) -> None:
        self._app, self._keys, self._pages = app, keys, pages
        self._hosts, self._scheme = hosts, scheme

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # no other kind is served: the connection is closed
        has_begun = False

        async def guarded(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                known = {name.lower() for name, _ in message["headers"]}
                more = [(n.encode(), v.encode()) for n, v in _HEADERS.items() if n.encode() not in known]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        try:
            answer = self._checked(scope)
            if answer is None:
                await self._app(scope, receive, guarded)
                return
        except Exception as error:  # whatever it is: its text may hold a cell
            if has_begun:
                raise ConnectionAbortedError from None  # half of an answer cannot be taken back
            answer = self._failed(error)
        await answer(scope, receive, guarded)

    def _checked(self, scope: Scope) -> Response | None:
        """An answer that is known already, or None where the page makes it."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if headers.get("host", "") not in self._hosts:
            raise RefusedError(421, "this page is not served under that name", "open the address as printed")
        if scope["method"] not in _METHODS:
            raise RefusedError(405, "no such request is answered here", "use the page")
        if len(scope["path"]) > _LONGEST_PATH:
            raise RefusedError(414, "the address is too long", "use the page")
        scope["app"] = self  # so that an unknown address is an error, which is answered here
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if scope["path"] == "/" and "token" in query and scope["method"] == "GET":
            return self._opened(query["token"][0])
        if scope["path"].startswith("/static/"):
            return None
        session = self._keys.session(_cookie(headers.get("cookie", "")))
        if session is None:
            raise RefusedError(
                403, "this browser has not been let in", "open the address that kanopy printed"
            )
        if scope["method"] == "POST":
            _check_origin(headers, f"{self._scheme}://{headers['host']}")
        scope["session"] = session
        return None

    def _opened(self, token: str) -> Response:
        cookie = self._keys.redeem(token)
        if cookie is None:
            hint = "kanopy prints a new address where it was started each time one is used: open that"
            raise RefusedError(403, "this address has been used, or is not one of ours", hint)
        answer = RedirectResponse("/", 303)
        secure = self._scheme == "https"
        answer.set_cookie(COOKIE, cookie, httponly=True, samesite="strict", secure=secure, path="/")
        return answer

    def _failed(self, error: Exception) -> Response:
        if isinstance(error, RefusedError):
            return self._pages.error(error.status, error.message, error.hint)
        if isinstance(error, KanopyError):
            return self._pages.error(400, error.message, error.hint)
        status = getattr(error, "status_code", 500)
        if status in (404, 405):
            return self._pages.error(status, "there is no such page", "go back to the beginning")
        if isinstance(error, MemoryError):
            return self._pages.error(503, "not enough memory", "close other programs")
        message = f"this should not have happened ({type(error).__name__})"
        return self._pages.error(500, message, "go back, and try again")


def _cookie(text: str) -> str:
    try:
        found = SimpleCookie(text).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _check_origin(headers: dict[str, str], own: str) -> None:
    """Forms of this page alone may change something.

    A browser that hides where a request comes from (Referrer-Policy) says null as the origin of our own
    forms, and says in another header, which no page can set, that the site is the same.
    """
    origin, site = headers.get("origin", ""), headers.get("sec-fetch-site", "")
    is_own = origin == own or (origin in ("", "null") and site == "same-origin")
    if not is_own or site not in ("", "same-origin"):
        raise RefusedError(403, "the request came from another site", "use the form on this page")
