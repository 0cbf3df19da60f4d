"""``kanopy reproduce``."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from kanopy._arrow_start import start_pyarrow
from kanopy._signals import signals_after
from kanopy.cli.prepare import created_folder
from kanopy.cli.terminal import Terminal, standard_error, standard_output
from kanopy.errors import ResourceError

if TYPE_CHECKING:
    from kanopy_studies import Files


def known_experiments() -> tuple[list[str], list[str]]:
    """The names of all tables and figures, and of all data sets; none where a library is not installed."""
    try:
        from kanopy_studies import experiments
        from kanopy_studies.datasets import names

        return list(experiments()), list(names())
    except (ResourceError, ImportError):
        return [], []


def run(given: Namespace) -> int:
    try:
        with signals_after():
            from kanopy_studies import Request, experiments, find_experiment

            known = experiments()
    except ResourceError as error:  # of a library that comes with an extra
        raise ResourceError(error.message, 'pip install "kanopy[reproduce]"') from error
    from kanopy.evaluation.evaluate import checked_jobs

    if given.name is None:
        terminal = standard_output()
        for experiment in known.values():
            terminal.say(f"{terminal.styled(experiment.name, 'bold')}  {experiment.title}")
        return 0
    experiment = find_experiment(given.name)
    terminal = standard_error()
    request = Request(
        learners=given.learners,
        data=given.data,
        ks=given.ks,
        methods=given.methods,
        as_published=given.as_published,
        jobs=checked_jobs(given.jobs),
        journal=None if given.journal is None else Path(given.journal),
        watch=terminal.progress,
    )
    experiment.check(request)
    folder = None
    if given.output is not None:  # what is missing is reported before hours of work
        from kanopy_studies.pictures import drawing_library

        folder = created_folder(given.output)
        drawing_library()
    if given.journal is not None:
        created_folder(given.journal)
    start_pyarrow()
    _show(experiment.run(request), folder, terminal)
    return 0


def _show(files: Files, folder: Path | None, terminal: Terminal) -> None:
    """Print the tables, or write everything into a folder."""
    terminal.clear_progress()
    if folder is None:
        for name, content in files.items():
            if name.endswith(".md") and isinstance(content, bytes):
                sys.stdout.write(content.decode())
        terminal.say_note("-o DIR also writes the pictures, and every number as JSON")
        return
    _write(folder, {name: content() if callable(content) else content for name, content in files.items()})
    for name in files:
        terminal.say_labelled("written", str(folder / name), "green", "bold")


def _write(folder: Path, contents: dict[str, bytes]) -> None:
    """Give all files their names once all are written; an interrupt waits until then."""
    temporary = {folder / f".{name}.unfinished": folder / name for name in contents}
    with signals_after():
        try:
            for unfinished, content in zip(temporary, contents.values(), strict=True):
                unfinished.write_bytes(content)
            for unfinished, path in temporary.items():
                unfinished.replace(path)
        finally:
            for unfinished in temporary:
                unfinished.unlink(missing_ok=True)
