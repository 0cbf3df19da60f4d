"""``kanopy reproduce``."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from kanopy.cli.terminal import standard_error, standard_output
from kanopy.cli.threads import start_threads
from kanopy.errors import ResourceError
from kanopy.evaluation.evaluate import checked_jobs
from kanopy_studies import Files, Request, experiments, find_experiment
from kanopy_studies.pictures import drawing_library


def run(given: Namespace) -> int:
    if given.name is None:
        terminal = standard_output()
        for experiment in experiments().values():
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
    folder = None if given.output is None else _folder(Path(given.output))
    if request.journal is not None:
        _folder(request.journal)
    if folder is not None:
        drawing_library()  # what is missing is told before hours of work
    start_threads()
    files = experiment.run(request)
    terminal.clear_progress()
    if folder is None:
        for name, content in files.items():
            if name.endswith(".md") and isinstance(content, bytes):
                sys.stdout.write(content.decode())
        terminal.say_labelled("note", "-o DIR also writes the pictures, and every number as JSON", "dim")
    else:
        _write(folder, files)
        for name in files:
            terminal.say_labelled("written", str(folder / name), "green", "bold")
    return 0


def _folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ResourceError(f"the folder cannot be made: {reason}", "name another one") from None
    return path


def _write(folder: Path, files: Files) -> None:
    for name, content in files.items():
        unfinished = folder / f".{name}.unfinished"
        unfinished.write_bytes(content() if callable(content) else content)
        unfinished.replace(folder / name)
