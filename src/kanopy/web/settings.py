"""How the page is served: where, from which folders, and within which limits."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

LOOPBACK = ("127.0.0.1", "::1", "localhost")

_LEAST_MEMORY = 1 << 30


def usual_memory() -> int:
    """Bytes that one job may use: two run at a time, and half of the machine is left to others."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not on Windows
        return 4 << 30
    return max(whole // 4, _LEAST_MEMORY)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command line said; sizes are bytes, times seconds."""

    host: str = "127.0.0.1"
    port: int = 0  # 0: one that is free
    root: Path | None = None  # tables under this folder may be chosen without an upload
    project: Path | None = None
    table: Path | None = None
    tls: tuple[str, str] | None = None  # files of the certificate and its key
    upload_limit: int = 512 << 20
    upload_seconds: float = 900.0
    memory_limit: int = 0  # of one job; 0: a quarter of the machine's
    time_limit: float = 3600.0  # of one job
    jobs: int = 2  # at a time

    @property
    def job_memory(self) -> int:
        """Bytes that one job may use."""
        return self.memory_limit or usual_memory()

    @property
    def scheme(self) -> str:
        """How the address begins."""
        return "http" if self.tls is None else "https"
