"""Adult with k = 5 and t = 0.2 by the tree of occupations: the node that ARX's test expects, in fractions.

ARX finds sex and race alone anonymous, with up to 5% of the rows suppressed. Groups are compared with all
rows there, and suppressed rows are asked nothing. kanopy promises what a reader of the file can count: either
suppressed rows are a group of ``*``, or groups are compared without them. Nothing is rounded on either side.
"""

from __future__ import annotations

import os
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pytest

import kanopy
from kanopy.privacy import Closeness

NAMES = ("sex", "race", "workclass", "native-country", "occupation")
T = Fraction(1, 5)
OUT = {("Female", "Black"), ("Female", "Other")}


@pytest.fixture(scope="module")
def folder() -> Path:
    found = Path(os.environ.get("KANOPY_DATA", "nowhere"))
    if not (found / "hierarchies" / "adult" / "arx").exists():
        pytest.skip("KANOPY_DATA is not set to a folder with Adult and ARX's hierarchies")
    return found


@pytest.fixture(scope="module")
def adult(folder: Path) -> pa.Table:
    table = pyarrow.csv.read_csv(folder / "adult_train.csv").select(NAMES)
    for name in ("workclass", "occupation", "native-country"):  # complete rows
        table = table.filter(pc.not_equal(table[name], ""))
    return table.select(["sex", "race", "occupation"])


@pytest.fixture(scope="module")
def kinds(folder: Path) -> dict[str, str]:
    """The inner node above each occupation; the tree has two steps."""
    lines = (folder / "hierarchies" / "adult" / "arx" / "occupation.csv").read_text().split()
    return {line.split(";")[0]: line.split(";")[1] for line in lines}


def distance(group: Counter[str], whole: Counter[str], kinds: dict[str, str]) -> Fraction:
    """Half of the differences at the leaves and at the nodes above, each of which is half of the height."""
    n_group, n_whole = group.total(), whole.total()
    apart = {each: Fraction(group[each], n_group) - Fraction(whole[each], n_whole) for each in kinds}
    above: Counter[str] = Counter()
    for each, difference in apart.items():
        above[kinds[each]] += difference  # type: ignore[assignment]
    return (sum(map(abs, apart.values())) + sum(map(abs, above.values()))) / Fraction(4)


def test_in_fractions(adult: pa.Table, kinds: dict[str, str]) -> None:
    groups: dict[tuple[str, str], Counter[str]] = {}
    for sex, race, occupation in zip(*(column.to_pylist() for column in adult.columns), strict=True):
        groups.setdefault((sex, race), Counter())[occupation] += 1
    whole = sum(groups.values(), Counter())
    assert {name for name, each in groups.items() if distance(each, whole, kinds) > T} == OUT
    suppressed = sum((groups[name] for name in OUT), Counter())
    assert (suppressed.total(), whole.total()) == (1486, 30162)  # 4.93%
    # As a group of *, which the file shows:
    assert distance(suppressed, whole, kinds) == Fraction(1924247, 7470122) > T
    # Or left out, and the others compared with what is left:
    left = whole - suppressed
    found = {name: distance(groups[name], left, kinds) for name in groups.keys() - OUT}
    assert {name for name, each in found.items() if each > T} == {("Female", "Asian-Pac-Islander")}
    assert found["Female", "Asian-Pac-Islander"] == Fraction(221395, 1053843)


def test_kanopy_decides_and_recounts_alike(adult: pa.Table, folder: Path) -> None:
    hierarchies = {
        name: folder / "hierarchies" / "adult" / "arx" / f"{name}.csv" for name in adult.schema.names
    }
    promise = [Closeness("occupation", T, "hierarchical")]
    policy = kanopy.Policy(
        quasi_identifiers=["sex", "race"],
        sensitive=["occupation"],
        k=5,
        privacy=promise,
        hierarchies=hierarchies,
    )
    release = kanopy.anonymize(adult, policy, method="optimal", max_suppressed=0.05)
    assert set(release.record["facts"]["levels"].values()) != {0}
    is_out = pc.and_(pc.equal(adult["sex"], "Female"), pc.is_in(adult["race"], pa.array(["Black", "Other"])))
    shown = {name: pc.if_else(is_out, "*", adult[name]) for name in ("sex", "race")}
    with_stars = pa.table({**shown, "occupation": adult["occupation"]})
    for table, n_broken in ((with_stars, 1), (adult.filter(pc.invert(is_out)), 1), (adult, 2)):
        closeness = kanopy.audit(table, policy).promises[-1]
        assert closeness.groups_broken == n_broken
