"""``preset=paper`` means the same in Python, in a policy file, in a command, an evaluation, an estimator."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from command import run

import kanopy
from kanopy.algorithms import find_method
from kanopy.evaluation.trial import contenders_of
from kanopy_studies.paper_options import paper_options

POLICY = """\
quasi_identifiers = ["age", "zip"]
target = "class"
[privacy]
k = 5
[method]
name = "kactus"
preset = "paper"
"""
PAPER = {"publish": "mean", "merge": "suppress"}


def test_the_same_everywhere(tmp_path: Path) -> None:
    ages = [20 + row % 40 for row in range(200)]
    zips, classes = [f"z{row % 3}" for row in range(200)], ["Y" if age > 40 else "N" for age in ages]
    table = pd.DataFrame({"age": ages, "zip": zips, "class": classes})
    (tmp_path / "policy.toml").write_text(POLICY)
    policy = kanopy.Policy.load(tmp_path / "policy.toml")
    expected = find_method("kactus").settle(PAPER)
    release = kanopy.anonymize(table, policy)
    assert release.manifest["options"] == expected
    release = kanopy.anonymize(table, policy, publish="range")
    assert release.manifest["options"] == expected | {"publish": "range"}
    table.to_csv(tmp_path / "source.csv", index=False)
    flags = ("--quasi=age,zip", "--target=class", "--k=5", "--method=kactus", "--option=preset=paper")
    outcome = run("anonymize", tmp_path / "source.csv", "-o", tmp_path / "out.csv", *flags, "--json")
    assert outcome.code == 0, outcome
    assert json.loads(outcome.out)["manifest"]["options"] == expected
    (contender,) = contenders_of(["kactus:preset=paper"], policy)
    assert contender.options == expected
    fitted = kanopy.KactusAnonymizer(k=5, preset="paper").fit(table[["age", "zip"]], table["class"])
    assert fitted.release_.manifest["options"] == expected


@pytest.mark.parametrize("method", ["kactus", "kactus2", "tdr", "tds", "mdav"])
def test_the_studies_use_it(method: str) -> None:
    assert paper_options(method) == find_method(method).settle({"preset": "paper"})
