"""The progress of a run in a notebook: one line that is updated, with the time that is left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import wraps
from html import escape
from typing import Any, ParamSpec, TypeVar

from kanopy._time_left import TimeLeft, in_words

Given = ParamSpec("Given")
Found = TypeVar("Found")

_PATIENCE = 0.5  # seconds; what is done before is not worth a line
_AT_MOST_EVERY = 0.2  # seconds
_LINE = '<div style="font:13px system-ui,sans-serif;color:inherit;opacity:.85">{}</div>'
_shown: list[NotebookProgress] = []
"""The line that is shown now: what a run does inside of another one shows no second one."""


def watched(work: Callable[Given, Found]) -> Callable[Given, Found]:
    """Show the progress of a function in notebooks, unless the caller watches it (``watch``)."""

    @wraps(work)
    def run(*given: Given.args, **named: Given.kwargs) -> Found:
        if "watch" in named or _shown or not in_notebook():
            return work(*given, **named)
        with NotebookProgress() as watch:
            return work(*given, **{**named, "watch": watch})  # type: ignore[arg-type]

    return run


def in_notebook() -> bool:
    """Whether a notebook runs this: IPython with a kernel. Nothing is imported to find out."""
    ipython = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return getattr(shell, "kernel", None) is not None


class NotebookProgress:
    """A watch whose line is one output of a cell, which is updated in its place."""

    def __init__(self) -> None:
        self._left, self._began, self._last = TimeLeft(), time.monotonic(), 0.0
        self._line: Any = None

    def __enter__(self) -> NotebookProgress:
        _shown.append(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        _shown.remove(self)
        if self._line is not None:
            how = "done" if kind is None else "stopped"
            self._show(f"{how} after {in_words(time.monotonic() - self._began)}")

    def __call__(self, stage: str, share: float | None) -> None:
        """Show where the work stands, not too soon and not too often."""
        left, now = self._left(stage, share), time.monotonic()
        if now - self._began < _PATIENCE or now - self._last < _AT_MOST_EVERY:
            return
        self._last = now
        bar = "" if share is None else f' <progress max="1" value="{share:.3f}"></progress> {share:.0%}'
        self._show(f"{escape(stage)} …{bar}{f', {left}' if left else ''}")

    def _show(self, line: str) -> None:
        from IPython.display import HTML, display

        shown = HTML(_LINE.format(line))
        if self._line is None:
            self._line = display(shown, display_id=True)
        else:
            self._line.update(shown)
