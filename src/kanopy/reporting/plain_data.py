"""A report as JSON: the summary itself."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any


def as_json(summary: Any) -> str:
    """The summary as JSON, in plain ASCII: nothing in it can be mistaken for something else."""
    return json.dumps({"about": type(summary).__name__, **asdict(summary)}, indent=2, allow_nan=False) + "\n"
