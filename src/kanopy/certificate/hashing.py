"""The digest of a file that is read for a check."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from kanopy.frames.source import open_source


def hashed(file: Path) -> tuple[str, int]:
    """The SHA-256 of a file, and its bytes; O(bytes)."""
    with open_source(file) as source:
        digest = hashlib.file_digest(source.file, "sha256").hexdigest()  # type: ignore[arg-type]
        return digest, os.fstat(source.file.fileno()).st_size  # type: ignore[union-attr]
