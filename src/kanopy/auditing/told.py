"""Recounts the value statistics that a manifest tells, from the release and its source."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from kanopy.auditing.finding import Finding
from kanopy.auditing.recounting import requested_promises
from kanopy.auditing.statistics import OriginalRows, wrong_statistics
from kanopy.auditing.text import TextColumn, TextTable
from kanopy.auditing.truth import covered_values, with_ends
from kanopy.data import CodedColumn
from kanopy.data.grammar import MISSING_TEXT
from kanopy.errors import InputError, PolicyError
from kanopy.frames.encode import encode
from kanopy.policy import Policy

_WITHOUT_K = 11
_LEAST = 3


def read_manifest(manifest: Mapping[str, Any] | str | os.PathLike[str]) -> Mapping[str, Any]:
    """A manifest, or the file of what ``kanopy anonymize --json`` printed."""
    if not isinstance(manifest, Mapping):
        try:
            manifest = json.loads(Path(manifest).read_bytes())
        except (OSError, ValueError):
            raise InputError("the manifest cannot be read", "give what anonymize --json printed") from None
    inner = manifest.get("manifest", manifest) if isinstance(manifest, Mapping) else None
    told = inner.get("value_statistics", {}) if isinstance(inner, Mapping) else None
    if not isinstance(told, Mapping) or not all(map(_is_entry, told.values())):
        raise InputError("this is no manifest", "give what anonymize --json printed")
    assert isinstance(inner, Mapping)
    return inner


def _is_entry(entry: Any) -> bool:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("values"), Mapping):
        return False
    numbers = (entry.get("other"), entry.get("rounded_to"), *entry["values"].values())
    return all(isinstance(number, int) for number in numbers)


def check_told(
    manifest: Mapping[str, Any], release: TextTable, source: pa.Table, policy: Policy
) -> Iterator[Finding]:
    """What is wrong with the value statistics of a manifest; O(rows) for each column.

    Only rows can be counted, and only where none was dropped: neither a release nor its manifest says who
    the persons are, or which rows are missing.
    """
    told = manifest.get("value_statistics", {})
    if not told:
        yield Finding("note", "the manifest tells no value statistics")
        return
    if policy.person is not None or release.n_rows != source.num_rows:
        why = (
            "they count persons"
            if policy.person is not None
            else "the release has other rows than the source"
        )
        yield Finding("warning", f"the value statistics cannot be recounted: {why}")
        return
    originals = {column.domain.name: column for column in encode(source, policy).table.quasi}
    floor = _floor(policy)
    for name, statistics in told.items():
        if name not in originals:
            raise PolicyError(f"the manifest tells statistics of {name!r}, which is no quasi-identifier")
        rows = _without_order(originals[name], release.columns[name])
        wrong = ["the release is not one of this source"] if rows is None else []
        for what in wrong if rows is None else wrong_statistics(statistics, rows, floor):
            yield Finding("broken", f"value statistics of column {name!r}: {what}", name)


def _floor(policy: Policy) -> int:
    """The fewest rows that anything told is about: the k of all quasi-identifiers, else the largest one."""
    sizes = [promise for promise in requested_promises(policy, "rows") if promise.column is None]
    of_all = [each for each in sizes if each.is_about(policy.quasi_identifiers)]
    return max(_LEAST, max((each.bounds["k"] for each in of_all or sizes), default=_WITHOUT_K))


def _without_order(original: CodedColumn, published: TextColumn) -> OriginalRows | None:
    """The originals by how often each is printed exactly and how often not; None where that cannot be.

    Which row of the source is which of the release is not known, and does not matter here.
    """
    words = published.words.to_pylist()
    original = original.over(with_ends(original.domain, words))
    domain = original.domain
    covered = covered_values(domain, words)
    is_open = covered.sizes + covered.with_missing != 1
    code = np.full(len(words), domain.missing_code)
    code[~is_open & (covered.sizes == 1)] = covered.begin[covered.first[:-1][~is_open & (covered.sizes == 1)]]
    n_rows = published.counts
    n_exact = np.bincount(code[~is_open], n_rows[~is_open], minlength=domain.n_codes).astype(np.int64)
    n_all = np.bincount(original.codes, minlength=domain.n_codes)
    if (n_exact > n_all).any():
        return None
    codes = np.repeat(np.arange(domain.n_codes), n_all)
    place = np.arange(len(codes)) - np.repeat(np.cumsum(n_all) - n_all, n_all)
    open_cells = covered_values(domain, [words[word] for word in np.flatnonzero(is_open).tolist()])
    return OriginalRows((*domain.labels, MISSING_TEXT), codes, place < n_exact[codes], None, open_cells)
