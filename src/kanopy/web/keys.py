"""Who may use the page: addresses that work once, and the browsers that opened them."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kanopy.web.work import Work


@dataclass(slots=True)
class Session:
    """One browser: the secret below which all its pages lie, what opens them once, and its pieces of work.

    Browsers send a cookie to all ports of a machine, so to those of other users, but below its path only.
    """

    segment: str = field(default_factory=lambda: secrets.token_hex(16))
    token: str = field(default_factory=lambda: secrets.token_hex(16))
    cookie: str = ""  # of the browser that has opened it
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    works: dict[str, Work] = field(default_factory=dict)
    has_ended: bool = False

    @property
    def base(self) -> str:
        """How the path of every page of this browser begins."""
        return f"/{self.segment}"

    @property
    def opening(self) -> str:
        """The path that opens the page once."""
        return f"{self.base}/?token={self.token}"

    def is_opened_by(self, token: str) -> bool:
        """Whether this is the token of its address."""
        return _are_same(self.token, token)

    def is_of(self, cookies: list[str]) -> bool:
        """Whether one of the cookies is that of the browser that has opened it."""
        return bool(self.cookie) and any(_are_same(self.cookie, cookie) for cookie in cookies)


class Keys:
    """The address that nobody has opened yet, and those that were opened.

    PRIVACY: other programs and pages on the machine know neither path nor token nor cookie
    (tests/unit/web/test_guard.py, tests/unit/web/test_other_users.py).
    """

    def __init__(self) -> None:
        self.tell_next: Callable[[Session], None] = lambda _next: None
        self.tell_end: Callable[[Session], None] = lambda _ended: None
        self.next = Session()
        self._sessions = [self.next]

    def below(self, path: str) -> Session | None:
        """The session whose secret a path begins with."""
        segment = path[1:].partition("/")[0]
        return next((known for known in self._sessions if _are_same(known.segment, segment)), None)

    def redeem(self, session: Session) -> None:
        """Give the session a cookie, and make another address, for another browser.

        PRIVACY: where an address is used a second time, its session ends: two have had the address, and one
        may be somebody else (tests/unit/web/test_other_users.py).
        """
        if session.cookie:
            session.has_ended = True
            self.tell_end(session)
            session.works = {}
            return
        session.cookie = secrets.token_urlsafe(32)
        self.next = Session()
        self._sessions.append(self.next)
        self.tell_next(self.next)


def _are_same(secret: str, given: str) -> bool:
    return compare_digest(secret.encode(), given.encode("utf-8", "surrogatepass"))
