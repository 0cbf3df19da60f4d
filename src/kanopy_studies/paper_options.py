"""Every method as its paper describes it, all options written out.

Defaults serve whoever publishes a table today and may change; a table that is made again may not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kanopy.algorithms import find_method
from kanopy.evaluation.trial import Contender, contenders_of
from kanopy.policy import Policy

_TREE = {"inducer": "c45", "merge": "suppress", "widen": False}
_CLUSTERS = {
    "publish": "range",
    "features": "quasi",
    "class_weight": 0.0,
    "block_size": 20_000,
    "widen": False,
}

PAPER_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "kactus": {
        **_TREE,
        "min_rows": 0,
        "publish": "mean",
        "literal_nui_zero": False,
        "literal_nui_ge_k": False,
    },
    "kactus2": {
        **_TREE,
        "min_rows": 2,
        "publish": "bins",
        "swapping_threshold": 0.5,
        "swap_strict": True,
        "donor_only": False,
        "pooled": False,
    },
    "kadet": {"criterion": "gain", "private": False, "min_rows": 0},
    "tds": {"trees": "given", "require_positive_gain": False, "utility": "classification"},
    "tdr": {"trees": "given", "require_positive_gain": True, "utility": "classification"},
    "tdd": {"utility": "classification"},
    "mondrian": {
        "cut": "gain",
        "strict": True,
        "try_lower_cut": False,
        "width": "range",
        "max_chance": 1.0,
        "publish": "range",
        "widen": False,
    },
    "kmeans": {**_CLUSTERS, "variant": 1, "max_iter": 100},
    "kmember": {**_CLUSTERS, "far_from": "seed"},
    "oka": {**_CLUSTERS, "sort": True},
    "loukides": {**_CLUSTERS, "delta": 0.0, "reassign": False},
    "wfcmeans": {**_CLUSTERS, "max_iter": 100, "block_size": 50_000},
    "mdav": _CLUSTERS,
}
"""By method. ``require_positive_gain`` of TDR is the reading of its authors' program."""


def paper_options(method: str, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The settled options of a method; what is given goes before what its paper says."""
    return find_method(method).settle({"preset": "paper", **PAPER_OPTIONS.get(method, {}), **(given or {})})


def paper_contenders(methods: Sequence[str], policy: Policy) -> list[Contender]:
    """Methods as an evaluation compares them, each under the name that it was given."""
    found = contenders_of(list(methods), policy)
    return [replace(one, options=_settled(one.label)) for one in found]


def _settled(label: str) -> dict[str, Any]:
    """The options of ``tds:trees=one-level``: those of the paper, then those that are written."""
    name, _, written = label.partition(":")
    given = (part.partition("=") for part in written.split(";") if part)
    return paper_options(name.strip(), {option.strip(): value.strip() for option, _, value in given})
