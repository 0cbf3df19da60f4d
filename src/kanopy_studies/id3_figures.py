"""Figures 2 and 3 of the paper on learning from anonymized data: accuracy against k, and against the QIDs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from statistics import mean

from kanopy_studies import id3
from kanopy_studies.beside import Line, agreement, beside_table
from kanopy_studies.experiment import Files, Request, command
from kanopy_studies.markdown import table
from kanopy_studies.pictures import draw_panels
from kanopy_studies.versions import versions

NEAR = 0.56
"""Points: the largest spread between runs that the paper reports for its test on k."""
LARGEST_K = 64


def id3_figures(request: Request) -> Files:
    """Modified ID3 on set-valued Mondrian releases of Adult, three ways to map a set to a value."""
    ks = request.ks_or(id3.KS)
    rows, more = [], []
    numbers = range(len(id3.QUASI), len(id3.QUASI) + len(id3.MORE_QUASI) + 1)
    n_steps = len(ks) + 1 + len(numbers)
    for place, k in enumerate((id3.AS_IT_IS, *ks), 1):
        rows += id3.run([k])
        request.watch("accuracy against k", place / n_steps)
    for place, n_quasi in enumerate(numbers, len(ks) + 2):
        more += id3.run([LARGEST_K], mappings=(id3.RANDOM,), n_quasi=n_quasi)
        request.watch("more quasi-identifiers", place / n_steps)
    return _files(command("id3-figures", request), rows, more)


def _files(made_by: str, rows: Sequence[id3.Row], more: Sequence[id3.Row]) -> Files:
    title = "Accuracy of modified ID3 on set-valued releases of Adult, percent"
    against_k = _lines("against k", rows, lambda row: str(row.k))
    against_quasi = _lines(
        "against quasi-identifiers", more, lambda row: str(row.n_quasi), with_published=False
    )
    roots = [
        (
            str(row.n_quasi),
            row.root,
            id3.PUBLISHED_ROOTS[row.n_quasi],
            "✓" if row.root == id3.PUBLISHED_ROOTS[row.n_quasi] else "≠",
        )
        for row in {row.n_quasi: row for row in more}.values()
    ]
    told = ", ".join(f"{what} {version}" for what, version in versions().items())
    names = ("figure", "mapping", "k", "groups")
    text = f"""# {title} (Shao and Beckford, Figures 2 and 3, Table IV)

Made by `{made_by}`; do not edit. {told}. Every run: [id3-figures.json](id3-figures.json).

The training part of Adult (30,162 complete rows) is released by strict Mondrian with sets in
{len(id3.QUASI)} quasi-identifiers, ID3 learns from the eight categorical attributes, and the test part
(15,060 rows) is classified as it is. A set counts for its members in equal parts when a split is chosen;
which way a row with a set then goes is decided by chance, by the members' frequencies in the original
table, or it goes with the most frequent member. What draws is run with {len(id3.SEEDS)} seeds, and the
mean is shown. The paper publishes numbers for chance at k = 4 and 64, and for the original table; its
curves are pictures. Ours agrees within {NEAR} points, the largest spread between runs that it reports.

![{title}](id3-figures.svg)

{agreement(against_k, "points")}

{beside_table(names, against_k)}

## More quasi-identifiers, k = {LARGEST_K}

{beside_table(("figure", "mapping", "quasi-identifiers", "groups"), against_quasi)}

The attribute at the root, beside Table IV:

{table(("quasi-identifiers", "root", "published", "agrees"), roots)}

How the paper normalizes widths, by which Mondrian chooses what to cut, is not told; with another way other
columns are cut first, and the root changes.
"""
    runs = dict.fromkeys((*rows, *more))  # the first of the second figure is the last of the first
    record = {"command": made_by, "versions": versions(), "runs": [asdict(row) for row in runs]}
    return {
        "id3-figures.md": text.encode(),
        "id3-figures.json": (json.dumps(record, indent=1) + "\n").encode(),
        "id3-figures.svg": partial(
            draw_panels, title, "k, or number of quasi-identifiers", [*against_k, *against_quasi]
        ),
    }


def _lines(
    panel: str, rows: Sequence[id3.Row], place: Callable[[id3.Row], str], *, with_published: bool = True
) -> list[Line]:
    """Means over the seeds."""
    seeds: dict[tuple[str, str], list[id3.Row]] = {}
    for row in rows:
        seeds.setdefault((row.mapping, place(row)), []).append(row)
    lines = []
    for (mapping, where), some in seeds.items():
        ours = 100 * mean(row.accuracy for row in some)
        is_published = with_published and mapping == id3.RANDOM
        paper = id3.PUBLISHED.get(some[0].k) if is_published else None
        lines.append(
            Line(
                panel,
                mapping,
                where,
                ours,
                None if paper is None else 100 * paper,
                NEAR,
                f"{ours:.2f}",
                "" if paper is None else f"{100 * paper:.2f}",
                (f"{some[0].n_groups:,}",),
            )
        )
    return lines
