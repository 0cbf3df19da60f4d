"""The time of Top-Down Disclosure on variations: which rows, which templates, and every number printed."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kanopy.algorithms import find_method, silent
from kanopy.data import CellKind
from kanopy.errors import PolicyError
from kanopy.privacy import Template
from kanopy_studies import Request, find_experiment, tdd_scalability
from kanopy_studies.paper_options import paper_options
from kanopy_studies.presplits import load_pre_split
from kanopy_studies.tdd import divided, properties
from kanopy_studies.tdd_scalability import N_DRAWN, SENSITIVE, quasi_identifier_sets, templates, varied_adult


@pytest.mark.usefixtures("likeness")
def test_variations_draw_some_attributes_and_inherit_the_sensitive_one_and_the_class() -> None:
    whole, more = load_pre_split("adult").whole, varied_adult(4)
    assert (more.n_rows, len(more.columns)) == (4 * whole.n_rows, 8)
    assert np.array_equal(more.target.codes, np.tile(whole.target.codes, 4))
    n_changed = np.zeros(3 * whole.n_rows, dtype=int)
    for column, original in zip(more.columns, whole.columns, strict=True):
        changed = column.codes[whole.n_rows :] != np.tile(original.codes, 3)
        n_changed += changed
        assert changed.any() == (column.domain.name != SENSITIVE)
    assert n_changed.max() == N_DRAWN


def test_quasi_identifiers_are_all_or_some_of_the_same_length() -> None:
    names = list("abcdefg")
    assert quasi_identifier_sets(names, "one", 30) == [[names]]
    sets = quasi_identifier_sets(names, "several", 30)
    assert len(sets) == 30
    for qids in sets:
        assert len({len(qid) for qid in qids}) == 1
        assert 2 <= len(qids[0]) <= 5
        assert 1 <= len(qids) <= 6
        assert len({tuple(qid) for qid in qids}) == len(qids)
    assert {len(qids) for qids in sets} >= {3, 4, 5, 6}


@pytest.mark.usefixtures("likeness")
def test_the_document_has_every_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tdd_scalability, "FACTORS", (1, 2))
    monkeypatch.setattr(tdd_scalability, "N_SETS", 2)
    files = find_experiment("tdd-scalability").run(Request())
    document, numbers = files["tdd-scalability.md"], files["tdd-scalability.json"]
    assert isinstance(document, bytes)
    assert isinstance(numbers, bytes)
    results = json.loads(numbers)["results"]
    places = [(one["kind"], one["factor"], one["h"], one["n_sets"], one["published"]) for one in results]
    assert places == [
        ("one", 1, 90, 1, None), ("one", 1, 100, 1, None),
        ("one", 2, 90, 1, 150.0), ("one", 2, 100, 1, 296.0),
        ("several", 1, 90, 2, None), ("several", 1, 100, 2, None),
        ("several", 2, 90, 2, 276.0), ("several", 2, 100, 2, 412.0),
    ]  # fmt: skip
    for one in results:
        told = f"| {one['kind']} | {one['h']}% | {one['n_rows']:,} | {one['n_sets']} | {one['seconds']:.2f} |"
        assert told in document.decode()


@pytest.mark.usefixtures("likeness")
def test_at_a_confidence_of_one_no_template_hides_anything() -> None:
    """What stays suppressed then tells nothing more about the class."""
    rows = divided(varied_adult(1), [SENSITIVE])
    values, names = properties(rows.confidential[SENSITIVE]), [column.domain.name for column in rows.quasi]
    method, n_shown = find_method("tdd"), {}
    for h in (90, 100):
        promise = templates([names], values, h)
        recoding = method.run(rows, promise, np.random.default_rng(0), silent, **paper_options("tdd"))
        kinds = [cell.kind for column in recoding.columns for cell in column.cells]
        n_shown[h] = kinds.count(CellKind.EXACT)
    assert n_shown[90] < n_shown[100]
    with pytest.raises(PolicyError, match="at_most"):
        Template(names, SENSITIVE, values[0], 1)  # not a promise that a policy may make
