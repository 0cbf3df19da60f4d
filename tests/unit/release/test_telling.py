"""What may be told about a release: bands, nothing from the source, and nothing that nobody thought of."""

from __future__ import annotations

import hashlib
import json
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from nasty_tables import some_tables

import kanopy
from kanopy.auditing import TextTable
from kanopy.errors import PolicyError
from kanopy.hierarchies import Ranges
from kanopy.privacy import Template
from kanopy.release.floor import band
from kanopy.release.published_losses import text_widths
from kanopy.release.telling import tell, tell_audit

POLICY = kanopy.Policy(quasi_identifiers=["age", "town"], target="ill", identifiers=["name"], k=5)
N = 60


def people(**more: Any) -> pa.Table:
    rng = np.random.default_rng(7)
    columns = {
        "name": [f"n{row % 50}" for row in range(N)],
        "age": rng.integers(20, 70, N),
        "town": rng.choice(["Ulm ", "Ulm", "Kiel"], N),
        "ill": rng.choice(["yes", "no"], N),
    }
    return pa.table({**columns, **more})


def numbers_in(item: Any) -> set[float]:
    if isinstance(item, dict):
        return set().union(*map(numbers_in, item.values()))
    if isinstance(item, list):
        return set().union(*map(numbers_in, item))
    return {float(item)} if isinstance(item, int | float) and not isinstance(item, bool) else set()


@pytest.mark.parametrize("floor", [3, 7, 10])
def test_bands(floor: int) -> None:
    """Every band holds at least as many numbers as the floor less one, and none names a number below it."""
    found: dict[int | str, list[int]] = {}
    for number in range(1, 40 * floor):
        found.setdefault(band(number, floor), []).append(number)
    assert band(0, floor) == 0
    assert next(iter(found)) == f"fewer than {floor}"
    assert all(len(numbers) >= floor - 1 for numbers in found.values())


def test_what_nobody_named_is_not_told() -> None:
    release = kanopy.anonymize(people(), POLICY)
    record = {**release.record, "new_entry": 123_456, "facts": {"new_fact": 123_456, "cut_short": True}}
    told = tell(record, POLICY)
    assert "123456" not in json.dumps(told)
    assert told["facts"] == {"cut_short": True}


def test_seed_source_and_notices_stay_in_the_record() -> None:
    release = kanopy.anonymize(people(), POLICY, seed=987_654)
    assert release.record["seed"] == 987_654
    assert any("cells had blanks" in notice for notice in release.record["notices"])
    assert any("has 50 values in 60 rows" in each["message"] for each in release.record["audit"]["findings"])
    told = json.dumps(release.told())
    for secret in ("987654", "seed", "sha256", "blanks", "has 50 values"):
        assert secret not in told
    assert release.manifest["notices"] == []


def test_losses_against_the_source_are_not_told() -> None:
    release = kanopy.anonymize(people(), POLICY)
    assert set(release.record["losses"]) - set(release.manifest["losses"]) == {
        "total_information_loss", "square_error",
    }  # fmt: skip
    told = release.manifest["losses"]
    for name in ("gcp", "missing_cell_ratio", "classification_metric"):
        assert told[name] == round(told[name], 2)


@settings(max_examples=n_tables(12))
@given(st.data())
def test_what_is_told_follows_from_the_text(data: st.DataObject) -> None:
    """Losses of the manifest are those of anybody who reads the release, whatever the method."""
    method = data.draw(st.sampled_from([each.name for each in kanopy.methods()]))
    table = data.draw(some_tables()).enough_for(method)
    try:
        release = kanopy.anonymize(table.frame(), table.policy(), method=method)
    except kanopy.KanopyError:
        return
    text = TextTable.of_arrow(pa.table(release._published.to_arrow()))
    quasi = table.policy().quasi_identifiers
    n_cells = text.n_rows * len(quasi)
    words = {name: text.columns[name].words.to_pylist() for name in quasi}
    n_suppressed = sum(words[name][code] == "*" for name in quasi for code in text.columns[name].codes)
    assert release.manifest["losses"]["missing_cell_ratio"] == round(n_suppressed / n_cells, 2)
    lost = release.manifest["losses"]["gcp"]
    if lost is not None:
        widths = {name: text_widths(words[name], hierarchy=release.hierarchies.get(name)) for name in quasi}
        found = sum(widths[name][text.columns[name].codes].sum() for name in quasi) / n_cells
        assert lost == round(found, 2)
        assert 0 <= lost <= 1


@settings(max_examples=n_tables(12))
@given(st.integers(10, 80), st.integers(0, 10_000), st.integers(2, 6))
def test_where_nothing_is_hidden_it_is_the_loss_of_the_source(n_rows: int, seed: int, k: int) -> None:
    """Ranges of numbers that cover all of them: what is published is as wide as the source."""
    rng = np.random.default_rng(seed)
    table = pa.table({"a": rng.integers(0, 50, n_rows), "b": rng.normal(size=n_rows).round(2)})
    release = kanopy.anonymize(table, kanopy.Policy(quasi_identifiers=["a", "b"], k=k), publish="range")
    assert abs(release.manifest["losses"]["gcp"] - release.record["losses"]["gcp"]) <= 0.005 + 1e-9


def test_widths_of_texts() -> None:
    assert text_widths(["*", "", "10", "[10, 15]", "{, [10, 20]}", "20"]).tolist() == [1, 0, 0, 0.5, 1, 0]
    assert text_widths(["{a, b}", "c", "{, d}", "*"]).tolist() == pytest.approx([0.4, 0, 0.4, 1])
    assert text_widths(["{01801, 90001}", "02116"]).tolist() == pytest.approx([2 / 3, 0])  # no numbers
    assert text_widths(["*", "*"]).tolist() == [1, 1]
    assert text_widths(["-1e308", "[-1e308, 1e308]", "1e308"]).tolist() == [0, 1, 0]


@pytest.mark.parametrize("option", [{"publish": "mean"}, {}])
def test_widths_that_only_the_source_tells_are_not_told(option: dict[str, Any]) -> None:
    policy = POLICY
    if not option:
        policy = kanopy.Policy(
            quasi_identifiers=["age", "town"], target="ill", identifiers=["name"], k=5,
            hierarchies={"age": Ranges([10, 20])},
        )  # fmt: skip
    release = kanopy.anonymize(people(), policy, **option)
    assert release.manifest["losses"]["gcp"] is None
    assert release.record["losses"]["gcp"] > 0


def test_persons_are_told_as_promised() -> None:
    """How many persons a group has does not follow from its rows."""
    table = people(who=[f"p{row // 2}" for row in range(N)])
    policy = kanopy.Policy(
        quasi_identifiers=["town"], keep=["age"], target="ill", identifiers=["name"], person="who", k=5
    )
    release = kanopy.anonymize(table, policy, publish="range")
    assert release.audit.k > 5
    assert release.record["groups"]["smallest"] == release.record["audit"]["k"] == release.audit.k
    assert release.manifest["groups"]["smallest"] == 5
    told = tell_audit(release.audit, policy)
    assert (told["k"], told["smallest_groups"], told["promises"][0]["level"]) == (5, [], 5.0)
    assert tell_audit(kanopy.anonymize(people(), POLICY).audit, POLICY)["smallest_groups"]


def test_persons_without_a_promised_k_are_not_told_in_a_finding() -> None:
    table = people(who=[f"p{row % (N - 1)}" for row in range(N)])
    bound = Template(["age"], "ill", "yes", "0.9")
    policy = kanopy.Policy(
        quasi_identifiers=["age", "town"], sensitive=["ill"], identifiers=["name"], person="who",
        privacy=bound,
    )  # fmt: skip
    release = kanopy.anonymize(table, policy, method="tdd", utility="distortion")
    assert any("persons in the smallest group" in finding.message for finding in release.audit.findings)
    told = json.dumps(release.told())
    assert "persons in the smallest" not in told
    assert release.told()["audit"]["k"] is None
    assert release.manifest["groups"]["smallest"] is None


# --- The record ------------------------------------------------------------------------------------------


def test_a_written_record_says_that_it_is_private(tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    pa.csv.write_csv(people(), source)
    release = kanopy.anonymize(source, POLICY, seed=3)
    path = release.write_record(tmp_path / "record.json")
    lines = path.read_text().splitlines()
    assert "private and not for publication" in lines[0]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    written = json.loads(path.read_text())
    assert written.pop("private")
    assert written == json.loads(json.dumps(release.record))
    assert written["source"]["sha256"] == hashlib.sha256(source.read_bytes()).hexdigest()
    with pytest.raises(PolicyError, match="exists"):
        release.write_record(path)
    with pytest.raises(PolicyError, match="neither"):
        release.write_record(tmp_path / "record.csv")


def test_a_frame_has_no_fingerprint() -> None:
    assert kanopy.anonymize(people(), POLICY).record["source"] == {"sha256": None}
