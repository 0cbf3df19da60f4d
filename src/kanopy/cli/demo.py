"""``kanopy demo``: a table, its release, and what changed."""

from __future__ import annotations

import contextlib
import tempfile
from argparse import Namespace
from pathlib import Path

import pyarrow as pa

from kanopy.certificate import certificate_path
from kanopy.cli.audit import say_findings, say_verdict
from kanopy.cli.prepare import created_folder
from kanopy.cli.terminal import Terminal, standard_output
from kanopy.codebook import codebook_paths
from kanopy.datasets import patients, patients_policy_text, write_patients
from kanopy.engines.local import anonymize
from kanopy.errors import PolicyError
from kanopy.policy import Policy
from kanopy.privacy.implied import NOT_PROMISED
from kanopy.release import Release

_SHOWN_ROWS = 6
_LEGEND = "  [a, b] between a and b    {a, b} a or b    {, a} a or missing    * anything"


def run(given: Namespace) -> int:
    if given.rows < 10:
        raise PolicyError("the demo needs at least 10 rows", "leave out --rows")
    if given.seed < 0:
        raise PolicyError("the seed must not be negative", "for example --seed 1")
    terminal = standard_output()
    table = patients(given.rows, given.seed)
    with contextlib.ExitStack() as kept:
        if given.save is None:
            folder = Path(kept.enter_context(tempfile.TemporaryDirectory(prefix="kanopy-")))
        else:
            folder = created_folder(given.save)
        beside = [
            certificate_path("release.csv").name,
            *(each.name for each in codebook_paths("release.csv")),
        ]
        for name in ("patients.csv", "policy.toml", "release.csv", *beside):
            if (folder / name).exists() or (folder / name).is_symlink():
                raise PolicyError(f"{folder / name} exists", "choose an empty folder")
        write_patients(table, folder / "patients.csv")
        (folder / "policy.toml").write_text(patients_policy_text(), encoding="utf-8")
        policy = Policy.load(folder / "policy.toml")
        release = anonymize(folder / "patients.csv", policy, watch=terminal.progress)
        written = release.write(folder / "release.csv")
        _show(terminal, table, policy, release)
        saved = f"written to {folder}: patients.csv, policy.toml, {written.name}, {', '.join(beside)}"
        terminal.say("\nplay with it:  kanopy demo --save demo" if given.save is None else f"\n{saved}")
    return 0


def _show(terminal: Terminal, table: pa.Table, policy: Policy, release: Release) -> None:
    def heading(text: str) -> None:
        terminal.say("\n" + terminal.styled(text, "bold", "cyan"))

    heading(f"before: {table.num_rows:,} patients, names and all")
    _show_rows(terminal, table)
    heading("after: what a researcher gets")
    _show_rows(terminal, release.frame)
    terminal.say(terminal.styled(_LEGEND, "dim"))
    heading("the verdict")
    say_verdict(terminal, release.audit)
    say_findings(terminal, release.audit)
    heading("the promise")
    for result in release.audit.promises:
        mark = terminal.styled("kept", "green")
        terminal.say(f"  {mark}  {result.promise} The worst group reaches {result.level:.6g}.")
    terminal.say(f"  {NOT_PROMISED}")
    heading("what it cost")
    losses, rows = release.record["losses"], release.record["rows"]
    terminal.say(f"  {rows['in']:,} rows in, {rows['out']:,} out, {rows['dropped']:,} dropped")
    terminal.say(f"  {losses['gcp']:.1%} of the detail of the quasi-identifiers is gone")
    for column, share in release.audit.certain.items():
        terminal.say(f"  {column}: can be told for sure in {share:.1%} of the rows")
    heading(f"sizes of the {release.audit.groups:,} groups of look-alikes (k = {policy.k})")
    _show_sizes(terminal, release)


def _show_rows(terminal: Terminal, table: pa.Table) -> None:
    step = max(table.num_rows // _SHOWN_ROWS, 1)
    picked = table.take(pa.array(range(0, table.num_rows, step)[:_SHOWN_ROWS]))
    rows = [["" if cell is None else str(cell) for cell in row.values()] for row in picked.to_pylist()]
    terminal.table(picked.column_names, rows)


def _show_sizes(terminal: Terminal, release: Release) -> None:
    bins = release.manifest["groups"]["sizes"]
    most = max(n_groups for _, _, n_groups, _ in bins)
    for low, high, n_groups, n_rows in bins:
        label = f"{low}" if low == high else f"{low}-{high}"
        bar = terminal.styled(terminal.bar(n_groups / most), "blue")
        terminal.say(f"  {label:>9}  {bar} {n_groups} groups, {n_rows:,} rows")
