"""``kanopy profile``."""

from __future__ import annotations

import csv
import io
import json
import shlex
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from kanopy._arrow_start import start_pyarrow
from kanopy.cli.engine import spark_session, uses_spark
from kanopy.cli.prepare import free_name, shown_file
from kanopy.cli.terminal import Terminal, printable, standard_error, standard_output
from kanopy.errors import PolicyError
from kanopy.profiling import Profile, SensitiveFigures, SubsetFigures, asked_policy, profile

_SHOWN_SUBSETS = 3  # of each size
_SHOWN_NAMES = 8
_LONGEST_NAMES = 60  # characters
_SUGGESTED_K = 5  # the highest risk is 20% then, a limit that health agencies use


def run(given: Namespace) -> int:
    is_on_cluster = uses_spark(given)
    if given.force and given.report is None:
        raise PolicyError("--force replaces an existing report", "use it with --report FILE")
    start_pyarrow()
    terminal = standard_error()
    terminal.progress("counting", None)
    found = _with_spark(given, terminal) if is_on_cluster else _here(given)
    terminal.clear_progress()
    if given.json:
        print(json.dumps(found.to_dict(), indent=2))
    else:
        say_figures(standard_output(), found)
        _say_next(standard_output(), found, given)
    if given.report is not None:
        terminal.say_labelled("written", f"{given.report}, private: not for publication", "green", "bold")
    return 0


def _here(given: Namespace) -> Profile:
    named = (given.quasi, given.sensitive, given.person, given.missing)
    form = {name: getattr(given, name) for name in ("delimiter", "encoding", "sheet")}
    return _measured(given, given.input, named, **form)


def _with_spark(given: Namespace, terminal: Terminal) -> Profile:
    from kanopy.engines.spark.files import frame_of_files

    named = (given.quasi, given.sensitive, given.person, given.missing)
    asked = asked_policy(*named)  # what is wrong is told before Spark starts
    with spark_session(given, terminal, "counting") as session:
        form = {"delimiter": given.delimiter, "encoding": given.encoding}
        frame = frame_of_files(session, given.input, asked.source, **form)
        return _measured(given, frame, named)


def _measured(given: Namespace, table: Any, named: Sequence[Any], **form: Any) -> Profile:
    if given.report is None:
        return profile(table, *named, **form)
    from kanopy.publishing import profile_to_file  # writes files, which needs more code than counting

    return profile_to_file(table, named, given.report, force=given.force, **form)


def say_figures(terminal: Terminal, found: Profile) -> None:
    """Every figure with what it means."""
    of_persons = "" if found.persons is None else f" of {_number(found.persons, 'persons')}"
    grouped = f"{_number(found.groups, 'groups')}; a group is all rows that agree on {_shown_names(found)}"
    terminal.say_labelled("rows", f"{_number(found.rows, 'rows')}{of_persons} in {grouped}")
    smallest = ", ".join(map(str, found.smallest_groups))
    has = f"{found.k:,}: the smallest group has {_number(found.k, found.unit)}"
    terminal.say_labelled("k", f"{has}; sizes of the smallest groups: {smallest}")
    unique = f"alone in a group: {_counted(found.unique, found.unique_share, found.unit)}"
    finds = "; who knows these columns of such a person finds the row" if found.unique else ""
    terminal.say_labelled("unique", f"{unique}{finds}")
    small = (
        f"of fewer than {each.below}: {_counted(each.members, each.share, found.unit)}"
        for each in found.small_groups
    )
    terminal.say_labelled("small", f"in groups {', '.join(small)}")
    terminal.say_labelled("risk", found.risks.sentence)
    for column in found.sensitive:
        for sentence in _sensitive(column, found.unit):
            terminal.say_labelled("infer", printable(sentence))
    _say_subsets(terminal, found)
    for note in found.notes:
        terminal.say_note(note)


def _sensitive(column: SensitiveFigures, unit: str) -> Iterator[str]:
    name = repr(column.column)
    values = f"column {name} has {_number(column.values, 'different values')}"
    if column.l == 1:
        yield f"{values}; l = 1: all {unit} of some group have the same one, so it is known of each of them"
    else:
        yield f"{values}; l = {column.l}: every group has at least {column.l} of them"
    by = "numbers in their order" if column.distance == "ordered" else "all values equally far apart"
    most = f"t = {column.t:.3g}: the largest distance of a group's values from those of the table"
    yield f"column {name}: {most} (0 is alike, 1 the farthest; {by})"


def _say_subsets(terminal: Terminal, found: Profile) -> None:
    """A table of the subsets of each size that tell most."""
    terminal.say_labelled("tells", "what few of the columns tell, of each number of columns the most telling")
    shown: list[SubsetFigures] = []
    for size in range(1, found.largest_subset + 1):
        shown += [each for each in found.subsets if len(each.columns) == size][:_SHOWN_SUBSETS]
    rows = [
        (
            ", ".join(each.columns),
            f"{each.groups:,}",
            f"{each.smallest:,}",
            f"{each.unique:,} ({each.unique_share:.1%})",
        )
        for each in shown
    ]
    header = ("columns", "groups", "smallest group", f"unique {found.unit}")
    terminal.table(header, rows, indent=9, longest=_LONGEST_NAMES)
    if len(shown) < len(found.subsets):
        more = f"{len(found.subsets) - len(shown):,} more subsets were counted; --json lists all"
        terminal.say_note(more)


def _say_next(terminal: Terminal, found: Profile, given: Namespace) -> None:
    """The next command, as it can be typed: a release needs a role for every column."""
    name = shown_file(given.input)  # what is printed is pasted elsewhere, and folders may tell about people
    table = f"./{name}" if name.startswith("-") and name != "-" else name
    form = [text for flag in ("delimiter", "encoding", "sheet") for text in _flag(flag, getattr(given, flag))]
    piped = "pipe the table in again: " if given.input == "-" else ""
    if found.other_columns:
        others = f"{_number(found.other_columns, 'columns')} of the table were not named"
        terminal.say_note(f"{others} and not looked at; a release needs a role for every column")
        command = ["suggest", table, "-o", "policy.toml", *form]
    else:
        roles = {name: getattr(given, name) for name in ("quasi", "sensitive", "person", "missing")}
        flags = [text for flag, names in roles.items() for text in _flag(flag, names)]
        command = ["anonymize", table, "-o", free_name(), *flags, "--k", str(_SUGGESTED_K), *form]
    terminal.say_labelled("next", printable(f"{piped}{shlex.join(['kanopy', *command])}"))


def _flag(name: str, value: str | Sequence[str] | None) -> list[str]:
    if not value:
        return []
    return [f"--{name}", value if isinstance(value, str) and name != "missing" else _name_list(value)]


def _name_list(names: Sequence[str]) -> str:
    """Names as ``--quasi`` takes them: separated by commas, in quotes where one contains a comma."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(names)
    return text.getvalue()


def _shown_names(found: Profile) -> str:
    names = found.quasi_identifiers
    if len(names) > _SHOWN_NAMES:
        return f"all {len(names):,} quasi-identifiers"
    return printable(", ".join(names))


def _counted(number: int, share: float, unit: str) -> str:
    return f"{_number(number, unit)} ({share:.1%})"


def _number(number: int, many: str) -> str:
    return f"1 {many.removesuffix('s')}" if number == 1 else f"{number:,} {many}"
