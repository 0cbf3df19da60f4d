"""The job that compares methods and k: on a sample, then on all rows, drawn as usefulness against risk."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from kanopy.algorithms import methods
from kanopy.data.keys import each_nameless_apart
from kanopy.engines.local import anonymize
from kanopy.engines.request import check_method
from kanopy.errors import KanopyError
from kanopy.frames.distinct import persons_of
from kanopy.frames.tables import read_own
from kanopy.policy import Policy
from kanopy.policy.toml_file import read_policy
from kanopy.release import Release
from kanopy.reporting.blocks import Plane, Spot, TableBlock
from kanopy.reporting.html import block_markup
from kanopy.web.wording import in_words_of_the_page

if TYPE_CHECKING:
    from kanopy.web.worker import Teller

N_SAMPLE = 2000
PICTURE = "plane.html"
USUAL = ("mondrian", "kactus", "tds", "kmember")
"""Methods that are compared unless others are chosen: boxes, a tree, global cuts, clusters."""
_AXES = ("← more private · average risk of being found, in percent", "detail that is left")


def compare(request: dict[str, Any], tell: Teller) -> None:
    """Run every method with every k; what was found on the sample can be looked at while all rows are run."""
    policy = read_policy(request["policy"].encode(), "the policy", Path())
    tell("reading the table", None)
    table = read_own(request["source"], policy)[1]
    plain = policy.after_reading.accepting_all()  # nothing is published here
    choices = [(method, k) for method in request["methods"] for k in request["ks"]]
    stages = [("all", table)]
    if table.num_rows > 2 * N_SAMPLE:
        stages.insert(0, ("sample", _sampled(table, policy.person, policy.missing)))
    for stage, rows in stages:
        found = list(_found(rows, plain, choices, stage, tell))
        drawn = Path(request["folder"]) / f"{stage}-{PICTURE}"
        drawn.write_text(picture(found, stage, rows.num_rows), "utf-8")
        tell.part(**{stage: {"rows": rows.num_rows, "choices": found}})


def _sampled(table: pa.Table, person: str | None, missing: Sequence[str]) -> pa.Table:
    """Some rows; where persons are counted, all rows of some persons, and some of nobody. O(rows)."""
    rng = np.random.default_rng(0)
    if person is None:
        return table.take(pa.array(np.sort(rng.choice(table.num_rows, N_SAMPLE, replace=False))))
    codes = each_nameless_apart(persons_of(person, table[person], missing))
    n_persons = int(codes.max()) + 1
    rank = rng.permutation(n_persons)
    wanted = max(1, n_persons * N_SAMPLE // table.num_rows)
    return table.take(pa.array(np.flatnonzero(rank[codes] < wanted)))


def _found(
    rows: pa.Table, policy: Policy, choices: Sequence[tuple[str, int]], stage: str, tell: Teller
) -> Iterator[dict[str, Any]]:
    words = "a sample" if stage == "sample" else "all rows"
    for place, (method, k) in enumerate(choices):
        tell(f"comparing on {words}", place / len(choices))
        began = time.monotonic()
        try:
            release = anonymize(rows, replace(policy, k=k, method=method, options={}))
            yield {"method": method, "k": k, **_figures(release), "seconds": time.monotonic() - began}
        except KanopyError as error:
            yield {"method": method, "k": k, "refused": in_words_of_the_page(error)[0]}


def _figures(release: Release) -> dict[str, Any]:
    losses, audit = release.record["losses"], release.audit
    return {
        "left": 1 - float(losses["gcp"]),
        "suppressed": float(losses["missing_cell_ratio"]),
        "dropped": int(release.record["rows"]["dropped"]),
        "groups": audit.groups,
        "average": audit.risks.prosecutor_average,
        "highest": audit.risks.prosecutor_highest,
        "certain": max(audit.certain.values(), default=0.0),
    }


def picture(found: Sequence[dict[str, Any]], stage: str, n_rows: int) -> str:
    """Usefulness against risk as markup; the page has the table below it."""
    names = list(dict.fromkeys(each["method"] for each in found))
    made = [each for each in found if "refused" not in each]
    lines = tuple((name, tuple(_spot(each) for each in made if each["method"] == name)) for name in names)
    if not made:
        return ""
    title = f"Usefulness against risk, on {n_rows:,} rows"
    described = "Detail that is left against the average risk of being found, one line per method over k."
    header = ("method", "k", "average risk", "detail left")
    rows = tuple(
        (each["method"], f"{each['k']:,}", f"{each['average']:.1%}", f"{each['left']:.0%}") for each in made
    )
    table = TableBlock(title, header, rows, frozenset({1, 2, 3}))
    first = 1 if stage == "sample" else 101
    return block_markup(Plane(title, described, _AXES, lines, (), table), count(first))


def _spot(each: dict[str, Any]) -> Spot:
    average, left = each["average"], each["left"]
    return Spot(f"k={each['k']:,}", (average,) * 3, (left,) * 3, is_hollow=False)


def suitable(policy: Policy) -> list[tuple[str, str]]:
    """Methods that this policy allows, with what they do."""
    found = []
    for method in methods():
        try:
            check_method(method, policy, 0)
        except KanopyError:
            continue
        if not method.is_synthetic:
            found.append((method.name, method.title))
    return found
