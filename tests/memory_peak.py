"""How much memory work takes at most, whatever the process held before."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable


def peak_of(work: Callable[[], object]) -> int:
    """The most bytes that were taken at the same time, beyond those that were taken already."""
    gc.collect()  # what earlier tests left is not freed meanwhile
    was_tracing = tracemalloc.is_tracing()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if not was_tracing:
            tracemalloc.stop()
