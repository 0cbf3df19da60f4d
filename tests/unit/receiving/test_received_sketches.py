"""Recipients read sketches with and without kanopy's codebook: ends, means, members, counts, and draws."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sketching import SKETCHES

import kanopy
from kanopy.codebook import published_reading

N_ROWS = 240


@pytest.fixture(scope="module")
def source() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    job = rng.choice(["clerk: 3", "=nurse", "a, b", None], N_ROWS)
    born = pd.to_datetime("1950-01-01") + pd.to_timedelta(rng.integers(0, 20_000, N_ROWS), unit="D")
    bmi = np.where(rng.random(N_ROWS) < 0.1, np.nan, rng.normal(25, 4, N_ROWS).round(1))
    return pd.DataFrame({
        "bmi": bmi, "job": job, "born": born.strftime("%d.%m.%Y"), "sick": rng.choice(["yes", "no"], N_ROWS)
    })  # fmt: skip


POLICY = kanopy.Policy(
    quasi_identifiers=["bmi", "job", "born"],
    target="sick",
    k=30,
    columns={"born": {"kind": "date", "formats": ["%d.%m.%Y"]}},
)
FORMS = [
    ("r.csv", {}),
    ("r.csv", {"excel_locale": "de"}),
    ("r.csv", {"spreadsheet_safe": True}),
    ("r.parquet", {}),
]


@pytest.fixture(scope="module", params=FORMS, ids=["csv", "de", "safe", "parquet"])
def path(
    request: pytest.FixtureRequest, source: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    name, style = request.param
    place = tmp_path_factory.mktemp("received") / name
    return kanopy.anonymize(source, POLICY, method=SKETCHES).write(place, **style)


def test_a_release_is_read(path: Path, source: pd.DataFrame) -> None:
    frame = kanopy.read_release(path)
    assert set(frame) == {
        *("bmi", "bmi_low", "bmi_high", "bmi_means", "job", "job_members", "job_counts"),
        *("born", "born_low", "born_high", "born_means", "sick"),
    }
    assert (frame["bmi_low"] <= frame["bmi_high"]).all()
    assert frame["bmi_low"].min() > source["bmi"].min()
    assert all(isinstance(float(mean), float) for means in frame["bmi_means"] for mean in means)
    sums = frame.groupby(["bmi", "job", "born"], dropna=False)["sick"].transform("size")
    counted = frame["job_counts"].map(sum, na_action="ignore")
    assert (counted.dropna() == sums[counted.notna()]).all()
    assert all(len(a) == len(b) for a, b in zip(frame["job_members"], frame["job_counts"], strict=True) if b)
    assert frame["born_low"].min() > pd.Timestamp("1950-01-01")


def test_a_draw_has_the_counts_of_the_source(path: Path, source: pd.DataFrame) -> None:
    frame = kanopy.draw(path, seed=3)
    expected = source["job"].fillna("").value_counts().to_dict()
    assert frame["job"].fillna("").value_counts().to_dict() == expected
    assert frame["bmi"].isna().sum() == source["bmi"].isna().sum()
    assert frame["bmi"].astype(float).mean() == pytest.approx(source["bmi"].mean(), abs=0.3)
    assert pd.to_datetime(frame["born"]).dt.year.between(1950, 2005).all()
    assert frame["sick"].value_counts().to_dict() == source["sick"].value_counts().to_dict()


def test_the_codebook_is_read_back(path: Path, source: pd.DataFrame) -> None:
    release = kanopy.anonymize(source, POLICY, method=SKETCHES)
    told, read = release.reading, published_reading(path)
    assert told is not None
    assert read is not None
    assert read.names == told.names
    assert np.array_equal(read.correlation, told.correlation)
    assert read.linear == told.linear
    assert {text.removeprefix("'") for text in read.orders["job"]} == {*told.orders["job"]}
    assert list(read.orders) == ["job"]


def test_without_a_codebook_and_a_certificate_cells_are_read(
    path: Path, source: pd.DataFrame, tmp_path: Path
) -> None:
    alone = shutil.copy(path, tmp_path)
    frame = kanopy.draw(alone, verified=False)
    expected = source["job"].fillna("").value_counts().to_dict()
    assert {
        each.removeprefix("'"): n for each, n in frame["job"].fillna("").value_counts().items()
    } == expected
    if not path.read_bytes().startswith(b"\xef\xbb\xbf"):  # there nobody tells that commas are decimal ones
        assert frame["bmi"].astype(float).mean() == pytest.approx(source["bmi"].mean(), abs=0.3)
