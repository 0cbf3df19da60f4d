"""How much a certificate may hold: what reads one refuses more, and what writes one never writes more."""

from __future__ import annotations

from kanopy.frames.folder import MOST_CERTIFICATE_BYTES

MOST_BYTES = MOST_CERTIFICATE_BYTES
"""Of the whole file."""
MOST_PARTS = 10_000
"""Files of a release that is a folder."""
MOST_BOUNDS = 200
"""Promises: each is counted again, and may need another grouping of all rows."""
MOST_FINDINGS = 1_000
"""The worst are told; how many others there are is told too."""
MOST_DIGITS = 19
"""Of a number: the largest k has as many."""
