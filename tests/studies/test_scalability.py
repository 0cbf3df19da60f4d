"""Variations of a table, as the paper on kACTUS made them, and the document on the time they took."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kanopy.data import EncodedTable
from kanopy_studies import Request, find_experiment, scalability
from kanopy_studies.scalability import N_KEPT, QUASI, K, expand
from kanopy_studies.settings import load_sample as load

N_ROWS, FACTOR = 600, 9


def expanded(seed: int = 1) -> EncodedTable:
    return expand(load("adult"), QUASI, FACTOR, np.random.default_rng(seed))


@pytest.mark.usefixtures("likeness")
def test_the_first_rows_are_those_of_the_table() -> None:
    sample, table = load("adult"), expanded()
    assert table.n_rows == FACTOR * N_ROWS
    assert [column.domain.name for column in table.quasi] == list(QUASI)
    originals = {column.domain.name: column for column in sample.columns}
    for column in table.quasi:
        original = originals[column.domain.name]
        assert column.domain is original.domain
        assert np.array_equal(column.codes[:N_ROWS], original.codes)
        assert column.codes.max() < column.domain.n_values  # no variation lacks a value
    alone = expand(sample, QUASI, 1, np.random.default_rng(1))
    assert alone.n_rows == N_ROWS


@pytest.mark.usefixtures("likeness")
def test_variations_keep_three_values_and_draw_the_others() -> None:
    table = expanded()
    is_kept = np.stack(
        [column.codes[N_ROWS:] == np.tile(column.codes[:N_ROWS], FACTOR - 1) for column in table.quasi]
    )
    n_kept = is_kept.sum(axis=0)
    assert N_KEPT == 3
    assert n_kept.min() == 3  # by chance some keep more, but never fewer
    # Drawn uniformly: a value stays where it is kept (3 of 7 times), or drawn again (1 in so many values).
    for column, kept in zip(table.quasi, is_kept, strict=True):
        expected = 3 / 7 + 4 / 7 / column.domain.n_values
        assert kept.mean() == pytest.approx(expected, abs=0.03)
        fresh = column.codes[N_ROWS:][~kept]
        assert len(np.unique(fresh)) == column.domain.n_values
    assert len(np.unique(is_kept[:, n_kept == 3], axis=1).T) == 35  # every three of seven


@pytest.mark.usefixtures("likeness")
def test_variations_have_the_class_of_their_row_and_the_seed_decides() -> None:
    table, other = expanded(), expanded(2)
    assert table.target is not None
    assert np.array_equal(table.target.codes, np.tile(load("adult").target.codes, FACTOR))
    assert np.array_equal(table.quasi[0].codes, expanded().quasi[0].codes)
    assert not np.array_equal(table.quasi[0].codes, other.quasi[0].codes)


@pytest.mark.usefixtures("likeness")
def test_the_document_has_every_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scalability, "FACTORS", (1, 2, 30))
    told: list[tuple[str, float | None]] = []
    request = Request(watch=lambda stage, share: told.append((stage, share)))
    files = find_experiment("kactus-scalability").run(request)
    assert list(files) == [f"kactus-scalability.{ending}" for ending in ("md", "json", "svg")]
    document, numbers = files["kactus-scalability.md"], files["kactus-scalability.json"]
    assert isinstance(document, bytes)
    assert isinstance(numbers, bytes)
    recorded = json.loads(numbers)
    assert recorded["k"] == K == 150
    assert recorded["command"] == "kanopy reproduce kactus-scalability"
    results = recorded["results"]
    assert [(line["variations"], line["rows"], line["published"]) for line in results] == [
        (1, 600, None),
        (2, 1200, None),
        (30, 18_000, 483.0),
    ]
    for line in results:
        assert line["seconds"] == line["tree_seconds"] + line["anonymization_seconds"]
        assert min(line["tree_seconds"], line["anonymization_seconds"]) > 0
        parts = ("tree_seconds", "anonymization_seconds")
        cells = (
            *(str(line["variations"]), f"{line['rows']:,}"),
            *(f"{line[part]:.2f}" for part in (*parts, "seconds")),
            *(f"{line[part] / results[0][part]:.1f}" for part in parts),
            f"{1e6 * line['seconds'] / line['rows']:.2f}",
            "" if line["published"] is None else "483",
        )
        assert f"| {' | '.join(cells)} |" in document.decode()
    assert told == [("kactus", number / 3) for number in (1, 2, 3)]
    pytest.importorskip("matplotlib")
    picture = files["kactus-scalability.svg"]
    assert callable(picture)
    assert b"0.02M" in picture()
