"""What learners take from the manifest of a release: what a suppressed cell stands for."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kanopy.errors import InputError, ResourceError
from kanopy.policy import normal_name
from kanopy.release.telling import NOT_SHOWN

ManifestSource = Mapping[str, Any] | str | os.PathLike[str]
"""A manifest, what ``kanopy anonymize --json`` prints, or the file that holds one of the two."""

_HINT = "give release.manifest, or the file that kanopy anonymize --json wrote"


def columns_with_rest(manifest: ManifestSource | None) -> frozenset[str]:
    """The columns in which ``*`` stands for exactly the values that no other cell of them stands for."""
    if manifest is None:
        return frozenset()
    told: Any = _read(manifest) if isinstance(manifest, str | os.PathLike) else manifest
    if isinstance(told, Mapping):
        told = told.get("manifest", told)
    if not isinstance(told, Mapping) or not isinstance(told.get("suppressed"), Mapping):
        raise InputError("the manifest does not say what suppressed cells stand for", _HINT)
    return frozenset(normal_name(name) for name, what in told["suppressed"].items() if what == NOT_SHOWN)


def _read(path: str | os.PathLike[str]) -> Any:
    try:
        return json.loads(Path(path).read_bytes())
    except OSError as error:
        raise ResourceError("the manifest cannot be read", "check its path") from error
    except ValueError as error:
        raise InputError("the manifest is no JSON", _HINT) from error
