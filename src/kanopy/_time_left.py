"""How long a step will still take, by how long its beginning took."""

from __future__ import annotations

import time

_LEAST_SECONDS, _LEAST_SHARE = 1.0, 0.01  # before that nobody can tell


class TimeLeft:
    """Hears how far the work is, and says in words how long it will take; nothing where that is unknown."""

    def __init__(self) -> None:
        self._stage, self._began, self._first = "", 0.0, 0.0

    def __call__(self, stage: str, share: float | None) -> str:
        """The words for a step of which so much is done; a step that was not heard of begins now."""
        now = time.monotonic()
        if share is None or stage != self._stage or share < self._first:
            self._stage, self._began, self._first = stage, now, share or 0.0
            return ""
        seconds, done = now - self._began, share - self._first
        if seconds < _LEAST_SECONDS or done < _LEAST_SHARE or share >= 1:
            return ""
        return f"{in_words(seconds / done * (1 - share))} left"


def in_words(seconds: float) -> str:
    """A time as people say it: ``40 s``, ``12 min``, ``2.5 h``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
