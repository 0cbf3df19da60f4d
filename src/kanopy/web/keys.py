"""Who may use the page: an address that works once, and the browser that opened it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kanopy.web.work import Work

COOKIE = "kanopy"


@dataclass(slots=True)
class Session:
    """One browser: the token that its forms carry, and its pieces of work."""

    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    works: dict[str, Work] = field(default_factory=dict)


class Keys:
    """The token of the address, and the cookies that were made of tokens.

    PRIVACY: other programs and pages on the machine know neither (tests/unit/web/test_guard.py).
    """

    def __init__(self, tell: Callable[[str], None] = lambda _token: None) -> None:
        self._tell = tell
        self._token = secrets.token_urlsafe(32)
        self._sessions: dict[str, Session] = {}

    @property
    def token(self) -> str:
        """What opens the page once."""
        return self._token

    def redeem(self, token: str) -> str | None:
        """The value of a cookie for a token that was not used yet; another token is told then."""
        if not compare_digest(token.encode(), self._token.encode()):
            return None
        self._token = secrets.token_urlsafe(32)
        self._tell(self._token)
        cookie = secrets.token_urlsafe(32)
        self._sessions[cookie] = Session()
        return cookie

    def session(self, cookie: str) -> Session | None:
        """The session of a cookie."""
        for known, session in self._sessions.items():
            if compare_digest(known.encode(), cookie.encode()):
                return session
        return None
