"""What pages need beyond the first one, loaded once: while somebody looks at the first, or on demand."""

from __future__ import annotations

import threading
from importlib import import_module

_lock = threading.Lock()
_is_loaded = threading.Event()


def is_loaded() -> bool:
    """Whether everything is there."""
    return _is_loaded.is_set()


def load() -> None:
    """Load it, or wait until another thread has: about a second, once.

    Two threads that load the same modules at a time may each see one that the other has not finished.
    """
    with _lock:
        if not _is_loaded.is_set():
            _load()
            _is_loaded.set()


def load_soon(seconds: float) -> None:
    """Load it in another thread, a little later."""
    timer = threading.Timer(seconds, load)
    timer.daemon = True
    timer.start()


def _load() -> None:
    for name in ("views", "open_table", "comparing", "releasing"):
        import_module(f"kanopy.web.{name}")
    import_module("kanopy.algorithms").methods()  # loads them all
