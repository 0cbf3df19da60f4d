"""What every request must pass before it reaches a page, and what every answer carries."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse, RedirectResponse, Response

from kanopy.errors import KanopyError
from kanopy.web.keys import Keys, Session
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
_OPEN = "/open"


class RefusedError(Exception):
    """A request that is not answered, with its status and what to do."""

    def __init__(self, status: int, message: str, hint: str) -> None:
        super().__init__(message)
        self.status, self.message, self.hint = status, message, hint


class Guard:
    """Checks path, host, cookie, origin and method, adds headers, and turns every failure into a plain page.

    PRIVACY: no request that another site or program makes is answered, and no error shows a cell or a
    traceback (tests/unit/web/test_guard.py).
    """

    def __init__(
        self, app: App, keys: Keys, pages: Pages, hosts: frozenset[str], scheme: str, port: int
    ) -> None:
        self._app, self._keys, self._pages = app, keys, pages
        self._hosts, self._scheme = hosts, scheme
        self._cookie = f"kanopy-{port}"  # cookies are of all ports of a machine

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

        session = self._keys.below(scope["path"])
        if session is None:  # whoever does not know the path learns nothing, not even what is served here
            await PlainTextResponse("not found\n", 404)(scope, receive, guarded)
            return
        try:
            answer = self._checked(scope, session)
            if answer is None:
                await self._app(scope, receive, guarded)
                return
        except Exception as error:  # whatever it is: its text may hold a cell
            if has_begun:
                raise ConnectionAbortedError from None  # half of an answer cannot be taken back
            answer = self._failed(error, session.base)
        await answer(scope, receive, guarded)

    def _checked(self, scope: Scope, session: Session) -> Response | None:
        """An answer that is known already, or None where the page makes it."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if headers.get("host", "") not in self._hosts:
            raise RefusedError(421, "this page is not served under that name", "open the address as printed")
        if scope["method"] not in _METHODS:
            raise RefusedError(405, "no such request is answered here", "use the page")
        if len(scope["path"]) > _LONGEST_PATH:
            raise RefusedError(414, "the address is too long", "use the page")
        scope["app"] = self  # so that an unknown address is an error, which is answered here
        scope["root_path"] = session.base
        path = scope["path"].removeprefix(session.base)
        if path.startswith("/static/"):
            return None
        if session.has_ended:
            raise _ended()
        # Every one of its name: a server on another port may have set one, too.
        cookies = [
            text.strip().removeprefix(f"{self._cookie}=") for text in headers.get("cookie", "").split(";")
        ]
        is_own = session.is_of(cookies)
        token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if token and path in ("/", _OPEN) and scope["method"] == "GET":
            return RedirectResponse(f"{session.base}/", 303) if is_own else self._opened(session, token, path)
        if not is_own:
            raise RefusedError(
                403, "this browser has not been let in", "open the address that kanopy printed"
            )
        if scope["method"] == "POST":
            _check_origin(headers, f"{self._scheme}://{headers['host']}")
        scope["session"] = session
        return None

    def _opened(self, session: Session, token: str, path: str) -> Response:
        """Let a browser in, at its second request: with the first one, to which a file has led, it does not
        send the cookie that it may have got before."""
        if not session.is_opened_by(token):
            raise RefusedError(403, "this is not the address that kanopy printed", "open it as printed")
        if path != _OPEN:
            return self._pages.page("opening", address=f"{session.base}{_OPEN}?token={session.token}")
        self._keys.redeem(session)
        if session.has_ended:
            raise _ended()
        answer = RedirectResponse(f"{session.base}/", 303)
        secure = self._scheme == "https"
        answer.set_cookie(
            self._cookie, session.cookie, path=session.base, httponly=True, samesite="strict", secure=secure
        )
        return answer

    def _failed(self, error: Exception, base: str) -> Response:
        status, message, hint = _said_of(error)
        return self._pages.error(status, message, hint, base)


def _ended() -> RefusedError:
    """What both browsers see whose address was the same."""
    hint = (
        "One of the two was another browser of yours, or somebody else who has seen the address. What was "
        "open is closed for both. To go on, open the address that kanopy printed last where it was started. "
        "If somebody else may have seen that, stop kanopy there and start it again."
    )
    return RefusedError(410, "this page has ended: the address that opens it was used twice", hint)


def _said_of(error: Exception) -> tuple[int, str, str]:
    """Status, what is wrong and what to do."""
    if isinstance(error, RefusedError):
        return error.status, error.message, error.hint
    if isinstance(error, KanopyError):
        return 400, error.message, error.hint
    status = getattr(error, "status_code", 500)
    if status in (404, 405):
        return status, "there is no such page", "go back to the beginning"
    if isinstance(error, MemoryError):
        return 503, "not enough memory", "close other programs"
    return 500, f"this should not have happened ({type(error).__name__})", "go back, and try again"


def _check_origin(headers: dict[str, str], own: str) -> None:
    """Forms of this page alone may change something.

    A browser that hides where a request comes from (Referrer-Policy) says null as the origin of our own
    forms, and says in another header, which no page can set, that the site is the same.
    """
    origin, site = headers.get("origin", ""), headers.get("sec-fetch-site", "")
    is_own = origin == own or (origin in ("", "null") and site == "same-origin")
    if not is_own or site not in ("", "same-origin"):
        raise RefusedError(403, "the request came from another site", "use the form on this page")
