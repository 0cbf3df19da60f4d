"""How much a certificate may hold: what reads one refuses more, and what writes one never writes more."""

from __future__ import annotations

MOST_BYTES = 8_000_000
"""Of the whole file: the names of 12,000 columns, each three times, take about 4,000,000."""
MOST_BOUNDS = 200
"""Promises: each is counted again, and may need another grouping of all rows."""
MOST_FINDINGS = 1_000
"""The worst are told; how many others there are is told too."""
MOST_DIGITS = 19
"""Of a number: the largest k has as many."""
