"""kACTUS on more and more rows: variations of Adult, as in the paper's Table 6."""

from __future__ import annotations

import json
import time
from functools import partial
from itertools import combinations

import numpy as np

from kanopy.algorithms import find_method, silent
from kanopy.data import CodedColumn, EncodedTable
from kanopy.privacy import KAnonymity
from kanopy_studies.beside import Line
from kanopy_studies.experiment import Files, Request, command
from kanopy_studies.markdown import table
from kanopy_studies.pictures import draw_panels
from kanopy_studies.samples import Sample, load
from kanopy_studies.versions import versions

QUASI = ("age", "workclass", "education", "marital-status", "occupation", "race", "sex")
"""The paper says seven, and not which."""
K = 150
N_KEPT = 3
FACTORS = (1, 2, 5, 10, 15, 20, 25, 30)
PUBLISHED_SECONDS = {30: 483.0}
"""On a Pentium 4 of 2.8 GHz with 2 GB; the one figure that the text tells, the others are in a table."""


def kactus_scalability(request: Request) -> Files:
    """kACTUS, Table 6: processor seconds for up to 30 variations of every row, k = 150."""
    sample = load("adult")
    method = find_method("kactus")
    found: list[tuple[int, int, float]] = []
    for number, factor in enumerate(FACTORS, 1):
        expanded = expand(sample, QUASI, factor, np.random.default_rng(factor))
        start = time.process_time()
        method.run(expanded, KAnonymity(K), np.random.default_rng(0), silent, **method.settle({}))
        found.append((factor, expanded.n_rows, time.process_time() - start))
        request.watch("kactus", number / len(FACTORS))
    return _files(command("kactus-scalability", request), found)


def expand(sample: Sample, quasi: tuple[str, ...], factor: int, rng: np.random.Generator) -> EncodedTable:
    """Every row, and ``factor - 1`` variations: three quasi-identifiers stay, the others are drawn anew.

    Uniformly from the values of the column. O(factor * rows * columns).
    """
    columns = {column.domain.name: column for column in sample.columns}
    n_varied = sample.n_rows * (factor - 1)
    kept_sets = list(combinations(quasi, N_KEPT))
    kept_set = rng.integers(0, len(kept_sets), n_varied)
    varied = []
    for name in quasi:
        column = columns[name]
        codes = np.tile(column.codes, factor)
        is_kept = np.array([name in kept for kept in kept_sets])[kept_set]
        drawn = rng.integers(0, column.domain.n_values, n_varied).astype(codes.dtype)
        codes[sample.n_rows :] = np.where(is_kept, codes[sample.n_rows :], drawn)
        varied.append(CodedColumn(column.domain, codes))
    target = CodedColumn(sample.target.domain, np.tile(sample.target.codes, factor))
    return EncodedTable(len(target.codes), tuple(varied), target)


def _files(made_by: str, found: list[tuple[int, int, float]]) -> Files:
    title = "Processor seconds of kACTUS on variations of Adult"
    first = found[0][2]
    lines = [
        (
            str(factor),
            f"{n_rows:,}",
            f"{seconds:.2f}",
            f"{seconds / first:.1f}",
            f"{1e6 * seconds / n_rows:.2f}",
            f"{PUBLISHED_SECONDS[factor]:g}" if factor in PUBLISHED_SECONDS else "",
        )
        for factor, n_rows, seconds in found
    ]
    header = ("variations", "rows", "seconds", "times the first", "microseconds per row", "published seconds")
    told = ", ".join(f"{what} {version}" for what, version in versions().items())
    text = f"""# {title} (kACTUS, Table 6)

Made by `{made_by}`; do not edit. {told}. Seconds differ from machine to machine and run to run.

Every row of Adult and so many variations of it, of which each keeps {N_KEPT} of the {len(QUASI)}
quasi-identifiers and draws the others anew; k = {K}. Timed is the method on encoded columns, tree and
anonymization. The paper's machine was a Pentium 4 of 2.8 GHz with 2 GB, so that only growth can be compared:
the paper calls it near-linear. Which seven quasi-identifiers it used, it does not say; here
{", ".join(QUASI)}.

![{title}](kactus-scalability.svg)

{table(header, lines)}
"""
    drawn = [
        Line("kactus", "seconds", f"{n_rows / 1e6:.2f}M", seconds, None, 0.0, "")
        for _, n_rows, seconds in found
    ]
    numbers = [
        {"variations": f, "rows": n, "seconds": s, "published": PUBLISHED_SECONDS.get(f)} for f, n, s in found
    ]
    record = {"command": made_by, "versions": versions(), "k": K, "results": numbers}
    return {
        "kactus-scalability.md": text.encode(),
        "kactus-scalability.json": (json.dumps(record, indent=1) + "\n").encode(),
        "kactus-scalability.svg": partial(draw_panels, title, "rows", drawn),
    }
