"""A messy export through the public surface: read, released, judged, attacked, learned from."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import run

import kanopy
from kanopy.errors import PolicyError
from kanopy.learners import GeneralizedTreeClassifier
from kanopy.learners.words import training_column

HEADER = "Geburtsdatum;Aufnahme;Entlassung;CRP;Geschlecht;Klasse"
POLICY = """
quasi_identifiers = ["Alter", "Aufnahme", "CRP", "Geschlecht"]
target = "Klasse"
keep = ["Tage"]
identifiers = ["Geburtsdatum", "Entlassung"]
[privacy]
k = 4
[source]
delimiter = ";"
encoding = "cp1252"
[columns.Geburtsdatum]
kind = "date"
formats = ["%d.%m.%Y", "%Y-%m-%d"]
[columns.Aufnahme]
kind = "time"
formats = ["%Y-%m-%d %H:%M"]
levels = ["month", "quarter", "year"]
[columns.CRP]
kind = "number"
decimal = ","
censored = true
[derived]
Alter = { from = "Geburtsdatum", as = "years", at = 2024-01-01 }
Tage = { from = "Aufnahme", as = "days", at = "Entlassung" }
"""


def lines(n_rows: int = 160) -> list[list[str]]:
    chance = random.Random(3)
    made = []
    for row in range(n_rows):
        year, month, day = chance.randint(1930, 1999), chance.randint(1, 12), chance.randint(1, 27)
        born = f"{day:02}.{month:02}.{year}" if row % 2 else f"{year}-{month:02}-{day:02}"
        visit = f"20{chance.randint(19, 22)}-{chance.randint(1, 12):02}-{day:02}"
        crp = chance.choice(["<5", ">90", "", f"{chance.randint(5, 89)},{chance.randint(0, 9)}"])
        cls = "ja" if (visit < "2021") == (chance.random() < 0.9) else "nein"
        out = f"{visit[:8]}{day + 1:02}"
        made.append([born, f"{visit} 1{chance.randint(0, 9)}:30", out, crp, chance.choice(["m", "ö"]), cls])
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("messy")
    text = "\n".join([HEADER, *(";".join(line) for line in lines())]) + "\n"
    (folder / "data.csv").write_bytes(text.encode("cp1252"))
    (folder / "policy.toml").write_text(POLICY, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def policy(folder: Path) -> kanopy.Policy:
    return kanopy.Policy.load(folder / "policy.toml")


def frame() -> pa.Table:
    return pa.table(dict(zip(HEADER.split(";"), map(list, zip(*lines(), strict=True)), strict=True)))


@pytest.mark.parametrize("method", ["mondrian", "tds", "kactus", "kmember", "kmeans"])
def test_released_judged_recoded_and_attacked(folder: Path, policy: kanopy.Policy, method: str) -> None:
    release = kanopy.anonymize(folder / "data.csv", policy, method=method)
    assert kanopy.audit(release.frame, policy).kept
    assert set(release.frame["Tage"].to_pylist()) == {1}
    recoded = release.recode(folder / "data.csv")
    assert recoded.num_rows == 160
    assert release.recode(frame()).equals(recoded)
    figures = kanopy.attack(release, folder / "data.csv", policy, strangers=folder / "data.csv")
    assert figures.linking.uncovered == 0
    assert figures.inference[0].members == figures.inference[0].strangers
    assert {k: v["as"] for k, v in release.manifest["derived"].items()} == {"Alter": "years", "Tage": "days"}
    assert release.manifest["columns"]["Aufnahme"] == {"kind": "time", "level": "month"}


def test_cells_are_ranges_of_months_and_of_censored_numbers(policy: kanopy.Policy) -> None:
    texts = kanopy.anonymize(frame(), policy).frame.to_pydict()
    assert any(
        text and text.startswith("[20") and len(text) == len("[2020-03, 2020-07]")
        for text in texts["Aufnahme"]
    )
    assert any("<5" in (text or "") for text in texts["CRP"])
    assert any("[<5, " in (text or "") for text in texts["CRP"])


def test_dates_and_censored_values_have_no_mean(policy: kanopy.Policy) -> None:
    release = kanopy.anonymize(frame(), policy, method="kmeans", publish="mean")
    texts = release.frame.to_pydict()
    assert all("20" in text for text in texts["Aufnahme"])
    assert any(text.startswith("[") for text in texts["Aufnahme"])
    assert not any((text or "").startswith("[") for text in texts["Alter"])


def test_calendar_levels_are_the_tree_of_a_method_that_climbs_one(policy: kanopy.Policy) -> None:
    release = kanopy.anonymize(frame(), policy, method="bottomup")
    found = set(release.frame["Aufnahme"].to_pylist())
    assert found - {None}
    assert not any("[" in (text or "") for text in found)
    figures = kanopy.attack(release, frame(), policy)
    assert figures.linking.uncovered == 0


def test_the_command_reads_what_the_policy_says(folder: Path) -> None:
    out, data = folder / "out.csv", folder / "data.csv"
    outcome = run("anonymize", data, "-o", out, "--policy", folder / "policy.toml", "--json")
    assert outcome.code == 0, outcome.err
    assert json.loads(outcome.out)["manifest"]["derived"]["Alter"]["at"] == "2024-01-01"
    text = out.read_text(encoding="utf-8")
    assert text.startswith("Aufnahme,CRP,Geschlecht,Klasse,Alter,Tage\n")
    # A release is not converted a second time; the source is.
    assert run("audit", out, "--policy", folder / "policy.toml").code == 0
    raw = run("audit", data, "--policy", folder / "policy.toml", "--json")
    assert raw.code == 1
    assert json.loads(raw.out)["rows"] == 160
    figures = run("attack", out, "--source", data, "--policy", folder / "policy.toml")
    assert figures.code == 0, figures.err
    # What a flag says precedes the policy.
    assert (
        run(
            "anonymize", data, "-o", folder / "no.csv", "--policy", folder / "policy.toml", "--delimiter", ","
        ).code
        == 3
    )


def test_the_manifest_is_recounted_from_the_source(folder: Path) -> None:
    policy = kanopy.Policy.load(folder / "policy.toml", value_statistics=["Aufnahme", "CRP"])
    release = kanopy.anonymize(folder / "data.csv", policy, method="kmember")
    assert release.manifest["value_statistics"]["Aufnahme"]["other"] >= 0
    verdict = kanopy.audit(release.frame, policy, source=folder / "data.csv", manifest=release.manifest)
    assert verdict.kept
    assert not [finding for finding in verdict.findings if "statistics" in finding.message]


def test_learners_read_dates_as_an_order(policy: kanopy.Policy) -> None:
    release = kanopy.anonymize(frame(), policy, method="mondrian")
    published = release.frame
    column = training_column("Aufnahme", published["Aufnahme"])
    assert column.numbers is not None
    assert list(column.values) == sorted(column.values)
    learner = GeneralizedTreeClassifier().fit(
        published.drop_columns(["Klasse", "Tage"]), published["Klasse"].to_pylist()
    )
    own = pd.DataFrame(
        {
            "Aufnahme": ["2019-03", "2022-11-05"],
            "CRP": ["<5", "12.5"],
            "Geschlecht": ["m", "m"],
            "Alter": ["50", "50"],
        }
    )
    assert list(learner.predict(own)) == ["ja", "nein"]


def test_a_year_among_months_is_all_its_months() -> None:
    column = training_column("x", pa.chunked_array([["2020", "2020-05", "2019-12", "[2019-11, 2020-02]"]]))
    assert column.values == ("2019-11", "2019-12", "2020-01", "2020-02", "2020-05", "2020-12")
    assert sorted(column.sizes.tolist()) == [1, 1, 4, 4]


@pytest.mark.usefixtures("few_folds")
def test_evaluate_converts_once(folder: Path, policy: kanopy.Policy) -> None:
    found = kanopy.evaluate(folder / "data.csv", policy, methods=["mondrian"], learners=["c45"], jobs=1)
    (score,) = (score for score in found.scores if score.k == 4)
    assert score.accuracy > score.majority
    recoded: Any = score.accuracy_recoded
    assert recoded > score.majority


def test_a_release_with_a_column_too_many_is_not_taken_for_the_source(
    policy: kanopy.Policy, tmp_path: Path
) -> None:
    """Its cells are no dates as the source has them; what is wrong is the column."""
    release = kanopy.anonymize(frame(), policy, seed=1).frame
    column = pa.array(["x"] * release.num_rows)
    with pytest.raises(PolicyError, match="does not say what these columns are: 'extra'"):
        kanopy.audit(release.append_column("extra", column), policy)
    dropped = policy.identifiers[0]
    verdict = kanopy.audit(release.append_column(dropped, column), policy)
    assert (verdict.kept, verdict.findings[0].code) == (False, f"identifier:{dropped}")
    pq.write_table(release.append_column(dropped, column), tmp_path / "wide.parquet")
    assert kanopy.audit(tmp_path / "wide.parquet", policy) == verdict
