"""The figures on modified ID3: releases of the training part alone, means over seeds, and every number."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence

import numpy as np
import pytest

from kanopy_studies import Request, find_experiment, id3
from kanopy_studies.id3 import (
    AS_IT_IS,
    HIGHEST,
    MAPPINGS,
    ORIGINAL,
    QUASI,
    RANDOM,
    READING,
    READINGS,
    Row,
    load_parts,
)
from kanopy_studies.settings import load_sample as load

needs_adult = pytest.mark.skipif(
    not os.environ.get("KANOPY_DATA"), reason="needs Adult: set KANOPY_DATA to the folder with the data sets"
)

# What is measured


@pytest.mark.usefixtures("likeness")
def test_the_parts_are_the_files_without_incomplete_rows() -> None:
    train, test = load_parts()
    assert (train.n_rows, test.n_rows) == (399, 201)
    whole = load("adult").target.codes
    assert np.array_equal(train.target.codes, whole[:399])
    assert np.array_equal(test.target.codes, whole[399:])


@pytest.mark.usefixtures("likeness")
def test_only_what_draws_is_repeated() -> None:
    found = id3.run((AS_IT_IS, 8), (0, 1))
    assert [(row.k, row.mapping, row.seed) for row in found] == [
        (1, RANDOM, 0),
        (8, RANDOM, 0),
        (8, RANDOM, 1),
        (8, ORIGINAL, 0),
        (8, ORIGINAL, 1),
        (8, HIGHEST, 0),
    ]
    assert found[0].n_groups == 399
    assert len({row.n_groups for row in found[1:]}) == 1
    assert 1 < found[1].n_groups <= 399 // 8
    assert all(0.5 < row.accuracy < 1 for row in found)
    assert all(row.n_quasi == len(QUASI) == 6 for row in found)
    assert found == id3.run((AS_IT_IS, 8), (0, 1))


@pytest.mark.usefixtures("likeness")
def test_a_release_is_of_the_training_part_and_every_group_has_k_rows() -> None:
    train, _ = load_parts()
    recoding = id3.release(train, QUASI, 8)
    assert [column.domain.name for column in recoding.columns] == list(QUASI)
    group, n_groups = recoding.groups
    assert len(group) == train.n_rows
    assert np.bincount(group, minlength=n_groups).min() >= 8


@pytest.mark.usefixtures("likeness")
def test_more_quasi_identifiers_are_those_of_table_iv() -> None:
    (row,) = id3.run((64,), (0,), mappings=(RANDOM,), n_quasi=9)
    assert row.n_quasi == 9
    assert (*QUASI, *id3.MORE_QUASI)[6:9] == ("occupation", "marital-status", "relationship")
    # A column that is no quasi-identifier is learned from as it is.
    assert set(id3.PUBLISHED_ROOTS) == set(range(6, 13))


# The document


def made_rows() -> list[Row]:
    """Of every mapping and k, with three seeds that differ, at k = 1, 4, 64 and one that has no number."""
    rows = [Row(AS_IT_IS, 6, RANDOM, 0, 0.8100, "relationship", 30162)]
    for k, groups in ((4, 5000), (16, 1200), (64, 280)):
        for place, mapping in enumerate(MAPPINGS):
            rows += [
                Row(k, 6, mapping, seed, 0.80 - 0.01 * place - k / 1e4 + seed / 1e3, "relationship", groups)
                for seed in ((0,) if mapping == HIGHEST else (0, 1, 2))
            ]
    return rows


def made_more(reading: str = READING) -> list[Row]:
    if reading != READING:  # always the same tree, a little worse
        cells = [(4, 6), *((64, n_quasi) for n_quasi in range(6, 13))]
        return [Row(k, n_quasi, RANDOM, 0, 0.7, "sex", 90, reading) for k, n_quasi in cells]
    roots = ("relationship", "relationship", "sex", "sex", "race", "native-country", "sex")
    first = [row for row in made_rows() if row.k in (4, 64) and row.mapping == RANDOM]
    return first + [
        Row(64, n_quasi, RANDOM, seed, 0.77 - n_quasi / 1e3 + seed / 1e3, root, 100 + n_quasi)
        for n_quasi, root in enumerate(roots, 6)
        for seed in (0, 1, 2)
        if n_quasi > 6
    ]


def mean(rows: Sequence[Row]) -> str:
    return f"{100 * np.mean([row.accuracy for row in rows]):.2f}"


@pytest.fixture(scope="module")
def document() -> tuple[str, dict[str, object], bytes]:
    def run(
        ks: Sequence[int], *, mappings: Sequence[str] = MAPPINGS, n_quasi: int = 0, reading: str = ""
    ) -> list[Row]:
        if n_quasi:
            assert tuple(mappings) == (RANDOM,)
            assert tuple(ks) == (64,) or (tuple(ks), n_quasi) == ((4,), 6)
            return [row for row in made_more(reading) if (row.k, row.n_quasi) == (*ks, n_quasi)]
        return [row for row in made_rows() if row.k in ks]

    shares: list[float | None] = []
    request = Request(ks=[64, 4, 16], watch=lambda _stage, share: shares.append(share))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(id3, "run", run)
        files = find_experiment("id3-figures").run(request)
    assert shares == sorted(shares, key=lambda share: share or 0)
    assert shares[-1] == 1
    assert len(shares) == 4 + len(READINGS) * (1 + 7)
    assert list(files) == ["id3-figures.md", "id3-figures.json", "id3-figures.svg"]
    text, numbers, picture = files.values()
    assert isinstance(text, bytes)
    assert isinstance(numbers, bytes)
    assert callable(picture)
    pytest.importorskip("matplotlib")
    return text.decode(), json.loads(numbers), picture()


Document = tuple[str, dict[str, object], bytes]


def test_every_mean_is_printed_beside_what_was_published(document: Document) -> None:
    text, _, _ = document
    for k in (4, 16, 64):
        for mapping in MAPPINGS:
            some = [row for row in made_rows() if (row.k, row.mapping) == (k, mapping)]
            line = f"| against k | {mapping} | {k} | {some[0].n_groups:,} | {mean(some)} |"
            is_published = mapping == RANDOM and k != 16
            assert line + (f" {100 * id3.PUBLISHED[k]:.2f} | " if is_published else "  |  |  |") in text
    assert "| against k | random | 1 | 30,162 | 81.00 | 80.96 | +0.04 | ✓ |" in text
    assert "| against k | random | 4 | 5,000 | 80.06 | 80.87 | −0.81 | ≠ |" in text
    assert "| against k | random | 64 | 280 | 79.46 | 79.28 | +0.18 | ✓ |" in text
    assert "- 2 of 3 agree;" in text
    assert "`kanopy reproduce id3-figures --ks 64,4,16`" in text


def test_more_quasi_identifiers_and_roots_are_printed(document: Document) -> None:
    text, _, _ = document
    for n_quasi in range(6, 13):
        some = [row for row in made_more() if (row.k, row.n_quasi) == (64, n_quasi)]
        start = f"| against quasi-identifiers | random | {n_quasi} | {some[0].n_groups} | {mean(some)} |"
        assert f"{start}  |  |  |" in text  # the paper has this as a picture only
        mark = "✓" if some[0].root == id3.PUBLISHED_ROOTS[n_quasi] else "≠"
        assert f"| {n_quasi} | {some[0].root} | {id3.PUBLISHED_ROOTS[n_quasi]} | {mark} |" in text
    assert text.count(" | ≠ |\n") == 1 + 3  # k = 4, and the roots of 8, 10 and 12


def test_both_numbers_of_every_reading_are_printed(document: Document) -> None:
    text, _, _ = document
    assert "| published | 80.87 | 79.28 |  |\n" in text
    assert f"| {READING} | 80.06 | 79.46 | 4 of 7 |\n" in text
    assert text.count(" | 70.00 | 70.00 | 2 of 7 |\n") == len(READINGS) - 1


def test_every_run_is_in_the_json_and_every_line_in_the_picture(document: Document) -> None:
    _, recorded, picture = document
    rows = [Row(**line) for line in recorded["runs"]]  # type: ignore[attr-defined]
    assert len(rows) == len(set(rows))  # what both figures show is measured alike, and told once
    assert set(rows) == {*made_rows(), *(row for reading in READINGS for row in made_more(reading))}
    for mapping in MAPPINGS:
        assert mapping.encode() in picture


# The real table


@needs_adult
def test_on_adult_the_table_as_it_is_is_within_a_point_of_the_paper() -> None:
    (row,) = id3.run((AS_IT_IS,))
    assert (row.root, row.n_groups) == ("relationship", 30_162)
    assert row.accuracy == pytest.approx(id3.PUBLISHED[AS_IT_IS], abs=0.0056)


@needs_adult
@pytest.mark.parametrize(("k", "n_quasi"), [(4, 6), (64, 6), (64, 11)])
def test_on_adult_the_numbers_and_roots_of_the_paper_come_out(k: int, n_quasi: int) -> None:
    """With cuts on the lower side only, k = 4 and 64 were 1.9 and 1.7 points below."""
    (row,) = id3.run((k,), (0,), mappings=(RANDOM,), n_quasi=n_quasi)
    if n_quasi == len(QUASI):
        assert row.accuracy == pytest.approx(id3.PUBLISHED[k], abs=0.0056)
    if k == id3.LARGEST_K:
        assert row.root == id3.PUBLISHED_ROOTS[n_quasi]
