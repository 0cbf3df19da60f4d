"""Every command and flag, with examples; imports nothing heavy."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from kanopy._numbers import typed_number, typed_whole_number
from kanopy._version import __version__

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]
    Flags = argparse._ActionsContainer

_EXIT_CODES = """\
exit codes:
  0 promise kept    1 audit, verify: promise broken    2 usage or policy    3 input data
  4 the promise cannot be kept on this data, or only by suppressing every quasi-identifier in every row
  5 the written file failed the recount
  6 disk, permission, memory    130 interrupted"""

_ANONYMIZE = """\
  kanopy anonymize data.csv -o release.csv --policy policy.toml --report report.html
  kanopy anonymize data.csv -o release.csv --quasi age,sex,zip --target income --k 10
  kanopy anonymize data.csv -o release.parquet --policy policy.toml --k 25 --option publish=members
  cat data.csv | kanopy anonymize - -o - --policy policy.toml | gzip > release.csv.gz    # verified, then sent
  kanopy anonymize in/ -o out/ --policy policy.toml --engine spark --master "local[4]"  # docs/spark.md"""

_AUDIT = """\
  kanopy audit release.csv --policy policy.toml
  kanopy audit somebody_elses.csv --quasi age,sex,zip --target income --k 5 --json
  kanopy audit somebody_elses.csv --quasi age,sex,zip   # no k: the figures of kanopy profile, exit code 0"""

_VERIFY = """\
  kanopy verify release.csv                             # with release.csv.kanopy.json beside it
  kanopy verify release.csv --policy policy.toml        # also: is this the policy it was made with?
  kanopy verify renamed.csv --certificate release.csv.kanopy.json --json
  kanopy verify release/                                # a folder of parts, with _kanopy.json in it
  kanopy verify release.csv --source data.csv --policy policy.toml    # for whoever has the source

A certificate is not a signature: whoever changes the file can change the certificate too. Compare the SHA-256
of the certificate with the one that the publisher tells you in another way.

exit codes:
  0 file, certificate and promise hold    1 it is not what was certified, or the promise is broken
  2 usage or policy    3 no certificate, or one that cannot be read    6 disk, permission, memory
  130 interrupted"""

_REFEREE = """\
  kanopy referee release.csv --source data.csv --policy policy.toml
  python referee.py release.csv --source data.csv --policy policy.toml   # the file alone, without kanopy

A second opinion: one file that shares no code with kanopy counts every promise again, and looks for a row of
the source for every row of the release. See docs/referee.md.

exit codes:
  0 all that is promised holds    1 something is broken, or was not counted    2 usage or policy
  3 a table that cannot be read    6 the program cannot be started    130 interrupted"""

_DRAW = """\
  kanopy draw release.csv -o plain.csv
  kanopy draw release.csv -o plain2.csv --seed 1     # draw again: how much does a result depend on it?

Every cell becomes one of the values that it stands for. The last column, drawn_by_kanopy, says so in every
row. Rows are made up: they belong to no person.

exit codes:
  0 drawn    2 usage    3 input data, or a release that is not the certified one    6 disk, permission, memory
  130 interrupted"""

_ATTACK = """\
  kanopy attack release.csv --source data.csv --policy policy.toml
  kanopy attack release.csv --source data.csv --policy policy.toml --with last_year.csv
  kanopy attack release.csv --source data.csv --policy policy.toml --strangers others.csv --json
  kanopy attack release.csv --source data.csv --policy policy.toml --method-known --simulations 200

Prints figures, never a cell. They are counted on the source and meant for the custodian.

exit codes:
  0 measured, whatever the figures are: this is not a verdict    2 usage or policy    3 input data
  6 disk, permission, memory    130 interrupted"""

_EVALUATE = """\
  kanopy evaluate data.csv --policy policy.toml --methods kactus,mondrian --ks 5,10,50 --learners c45,nb
  kanopy evaluate data.csv --policy policy.toml --methods "kmeans:variant=1,kmeans:variant=2" --ks 10 --json
  kanopy evaluate data.csv --policy policy.toml --ks 10 --learners c45,sklearn:RandomForestClassifier,weka:J48
  kanopy evaluate data.csv --policy policy.toml --methods kactus,mondrian --ks 5,50 --task cluster
  kanopy evaluate data.csv --policy policy.toml --journal run.jsonl     # interrupted? run it again"""

_REPRODUCE = """\
  kanopy reproduce                                       # what there is
  kanopy reproduce tdd-table3
  kanopy reproduce kactus-table2 --as-published -o made  # Markdown, JSON and pictures in a folder
  kanopy reproduce kactus-table2 --learners weka:J48,weka:PART,weka:NaiveBayes,weka:Logistic --data glass

Data sets come from the folder that KANOPY_DATA names, a cache, or the UCI archive."""

_SUGGEST = """\
  kanopy suggest data.csv -o policy.toml
  kanopy suggest data.csv > policy.toml      # the same, but the shell leaves an empty file where this fails
  kanopy suggest data.csv --hierarchies drafts -o policy.toml    # also drafts/age.csv and so on, to be edited
  kanopy suggest data.csv --json

How a CSV file is written is found out and written into the policy, for every later command."""

_PROFILE = """\
  kanopy profile data.csv --quasi age,sex,zip
  kanopy profile data.csv --quasi age,sex,zip --sensitive diagnosis --person patient_id --missing "?" --json
  kanopy profile data.csv --quasi age,sex,zip --report profile.html    # private: not for publication
  kanopy profile in/ --quasi age,sex,zip --engine spark --master "local[4]"

Prints column names and figures, never a cell. Columns that are not named are not looked at.

exit codes:
  0 measured, whatever the figures are: this is not a verdict    2 usage    3 input data
  6 disk, permission, memory    130 interrupted"""

_DEMO = """\
  kanopy demo
  kanopy demo --save demo     # writes patients.csv, policy.toml, release.csv and its certificate there"""

_SERVE = """\
  kanopy serve                    # opens a browser: choose a table there, or take the demo
  kanopy serve data.csv           # begins with this table, which is read where it lies
  kanopy serve project/           # policy and choices are kept in this folder, and found again
  kanopy serve --root exports/    # tables under this folder can be chosen without an upload

The page is on this machine only (127.0.0.1). The address that is printed opens it once. See docs/serve.md."""

_COMPLETION = """\
  kanopy completion bash > ~/.local/share/bash-completion/completions/kanopy
  kanopy completion zsh > ~/.zfunc/_kanopy      # with fpath+=~/.zfunc before compinit
  kanopy completion fish > ~/.config/fish/completions/kanopy.fish"""


def column_list(text: str) -> list[str]:
    """Names separated by commas; a name that contains one goes in double quotes.

    A line break is part of a name. A list in JSON is taken too: ``["a\\nb"]`` needs no real one.
    """
    if (listed := _json_texts(text)) is not None:
        return listed
    names, place = [], 0
    while text and place <= len(text):
        name = _NAME.match(text, place)
        if name is None:
            raise argparse.ArgumentTypeError("expected names like A,B; quotes come in pairs")
        names.append(name[2] if name[1] is None else name[1].replace('""', '"'))
        place = name.end() + 1  # behind the comma
    return names


def column_name(text: str) -> str:
    """A single name as it stands, or as a list in JSON that holds nothing else."""
    listed = _json_texts(text)
    return listed[0] if listed is not None and len(listed) == 1 else text


_NAME = re.compile(r' *+(?:"((?:[^"]|"")*)"|(?!")([^,]*))(?=,|\Z)')


def _json_texts(text: str) -> list[str] | None:
    """The texts of a list in JSON; None for everything else, which may be a name that begins like one."""
    if not text.startswith('["'):
        return None
    import json  # most flags are none

    try:
        listed = json.loads(text)
    except ValueError:
        return None
    return listed if all(isinstance(each, str) for each in listed) else None


def _typed(read: Callable[[str], Any], expected: str) -> Callable[[str], Any]:
    def typed(text: str) -> Any:
        try:
            return read(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected {expected}") from None

    return typed


_whole_number = _typed(typed_whole_number, "a whole number like 5")
_whole_numbers = _typed(
    lambda text: [typed_whole_number(part) for part in text.split(",")], "whole numbers like 5,10,50"
)
_seconds = _typed(
    lambda text: float(text) if text == "inf" else typed_number(text), "a number of seconds like 60 or 0.5"
)

_TABLE = "a .csv, .csv.gz, .csv.zst, .xlsx or .parquet file, a folder of them, or -"
_SHEET = "of an Excel workbook that has several"
_SWITCH: dict[str, Any] = {"action": "store_true"}
_FILE: dict[str, Any] = {"metavar": "FILE"}
_FOLDER: dict[str, Any] = {"metavar": "DIR"}
_COLUMN: dict[str, Any] = {"type": column_name, "metavar": "A"}
_NAMES: dict[str, Any] = {"type": column_list, "metavar": "A,B"}
_KS: dict[str, Any] = {"type": _whole_numbers, "metavar": "5,10"}
_SEED: dict[str, Any] = {"type": _whole_number, "default": 0}
_JOBS: dict[str, Any] = {"type": _whole_number, "metavar": "N", "help": "processes (one for every processor)"}
_READ_BY_SPARK = "spark: DATA is read there, also from URLs that Spark knows (local)"
_CONTINUES = "write results here as they come; the same command continues after an interruption"


def _width() -> int:
    """As wide as argparse would make it; it would load what copies files, to ask for every flag."""
    with suppress(KeyError, ValueError):
        if (columns := int(os.environ["COLUMNS"])) > 0:
            return columns - 2
    with suppress(AttributeError, ValueError, OSError):  # no output, or no terminal
        return (os.get_terminal_size(sys.__stdout__.fileno()).columns or 80) - 2  # type: ignore[union-attr]
    return 78


def build_parser(command: str = "") -> argparse.ArgumentParser:
    """The parser of the ``kanopy`` command; where one of its commands is named, of that one alone."""
    parser = argparse.ArgumentParser(
        prog="kanopy",
        description="Turn a table about people into one that others can train classifiers on.",
        epilog="new here?  kanopy demo\n\n" + _EXIT_CODES,
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=_width()),
    )
    parser.add_argument("--version", action="version", version=f"kanopy {__version__}")
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog="kanopy")
    all_commands = (
        _add_demo, _add_serve, _add_profile, _add_suggest, _add_anonymize, _add_verify, _add_referee,
        _add_draw, _add_audit, _add_attack, _add_evaluate, _add_reproduce, _add_methods, _add_completion,
    )  # fmt: skip
    named = [add for add in all_commands if add.__name__ == f"_add_{command}"]
    for add in named or all_commands:  # flags take time to add
        add(commands)
    return parser


def _add(
    commands: Commands, name: str, help_: str, examples: str = "", more: str = ""
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name,
        help=help_,
        description=help_[0].upper() + help_[1:] + ".",
        epilog="\n\n".join(filter(None, (examples and f"examples:\n{examples}", more))),
        formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=_width()),
    )
    parser.set_defaults(command=name, json=False)
    _flag(parser, "--debug", "show tracebacks (they may show cells)", _SWITCH)
    return parser


def _flag(parser: Flags, name: str, help_: str, kind: dict[str, Any], **more: Any) -> None:
    parser.add_argument(name, help=help_, **kind, **more)


def _add_demo(commands: Commands) -> None:
    demo = _add(commands, "demo", "make a table of patients, release it, show before and after", _DEMO)
    demo.add_argument("--rows", type=_whole_number, default=5000, help="patients to make (5000)")
    _flag(demo, "--seed", "random seed: another one makes other patients (0)", _SEED)
    _flag(demo, "--save", "write table, policy and release into this folder", _FOLDER)


def _add_serve(commands: Commands) -> None:
    what = "from a file to a release in a browser, on this machine only"
    serve = _add(commands, "serve", what, _SERVE)
    place = "a table, or a project folder, which is created where it does not exist"
    serve.add_argument("place", metavar="DATA", nargs="?", help=place)
    _flag(serve, "--root", "tables under this folder can be chosen on the page", _FOLDER)
    _flag(serve, "--port", "where the page listens (one that is free)", {"type": _whole_number, "default": 0})
    alone = "do not open a browser"
    _flag(serve, "--no-browser", alone, {"action": "store_false", "dest": "browser"})
    megabytes = {"metavar": "MB", "type": _whole_number}
    limits = serve.add_argument_group("limits")
    _flag(limits, "--upload-limit", "of an uploaded file (512)", megabytes)
    _flag(limits, "--memory-limit", "of one job (a quarter of the memory)", megabytes)
    _flag(limits, "--time-limit", "seconds of one job (3600)", {"metavar": "S", "type": _whole_number})
    others = serve.add_argument_group("for others", "only with encryption; see docs/serve.md")
    _flag(others, "--host", "address to listen on (127.0.0.1)", {"metavar": "NAME", "default": "127.0.0.1"})
    _flag(others, "--i-know-others-can-connect", "needed for any other address", _SWITCH)
    _flag(others, "--tls-certificate", "of the page, PEM", _FILE)
    _flag(others, "--tls-key", "its private key, PEM", _FILE)


def _add_profile(commands: Commands) -> None:
    what = "measure a table as it is: k, unique rows, risks, without a policy"
    profile = _add(commands, "profile", what, _PROFILE)
    profile.add_argument("input", metavar="DATA", help=_TABLE)
    _flag(profile, "--delimiter", "of a CSV file (,)", {"metavar": "CHAR"})
    _flag(profile, "--encoding", "of a CSV file (utf-8)", {"metavar": "NAME"})
    _flag(profile, "--sheet", _SHEET, {"metavar": "NAME"})
    _flag(profile, "--quasi", "quasi-identifiers: what an attacker may know", _NAMES, required=True)
    _flag(profile, "--sensitive", "what must not be inferred: l and t are measured", _NAMES, default=[])
    _flag(profile, "--person", "tells persons apart: persons are counted, not rows", _COLUMN)
    _flag(profile, "--missing", "texts that mean missing, besides the empty field", _NAMES, default=[])
    _add_cluster(profile, "spark: equal rows are counted on a cluster (local)")
    _flag(profile, "--report", "also write a report: .html, .md, .json, or .pdf (needs Chromium)", _FILE)
    _flag(profile, "--force", "replace an existing report", _SWITCH)
    _flag(profile, "--json", "print the figures as JSON", _SWITCH)


def _add_suggest(commands: Commands) -> None:
    suggest = _add(commands, "suggest", "draft a policy from a table, and say why", _SUGGEST)
    _add_input(suggest)
    suggest.set_defaults(encoding=None)  # found out
    suggest.add_argument("--target", type=column_name, help="the column to be predicted, if you know it")
    output = "write the policy into this file, .toml, whole or not at all"
    suggest.add_argument("-o", "--output", metavar="FILE", help=output)
    drafts = "also draft hierarchies in this folder; they list values of DATA"
    _flag(suggest, "--hierarchies", drafts, _FOLDER)
    _flag(suggest, "--force", "replace an existing policy and existing drafts", _SWITCH)
    _add_cluster(suggest, _READ_BY_SPARK)
    _flag(suggest, "--json", "print JSON instead of TOML", _SWITCH)


def _add_anonymize(commands: Commands) -> None:
    anonymize = _add(commands, "anonymize", "release a table that keeps its promise", _ANONYMIZE, _EXIT_CODES)
    _add_input(anonymize)
    released = "release, .csv, .csv.gz, .csv.zst or .parquet; - is a pipe; with --engine spark a folder"
    anonymize.add_argument("-o", "--output", metavar="FILE", required=True, help=released)
    _flag(anonymize, "--tree", "also write the tree that kadet and apt publish: .txt, .dot or .mmd", _FILE)
    _flag(anonymize, "--report", "also write a report: .html, .md, .json, or .pdf (needs Chromium)", _FILE)
    editions = {"choices": ("public", "board")}
    exact = "board: the report also has exact figures about DATA; do not publish it (public)"
    _flag(anonymize, "--edition", exact, editions)
    both = "also write a report for the board, beside the public one; do not publish it"
    _flag(anonymize, "--board", both, _FILE)
    record = "also write the exact record of the run: .json; private, do not publish it"
    _flag(anonymize, "--record", record, _FILE)
    alone = "do not write the certificate (FILE.kanopy.json) beside the release"
    _flag(anonymize, "--no-certificate", alone, {"action": "store_false", "dest": "certificate"})
    untold = "do not write the codebook (release.codebook.csv and .md) beside the release"
    _flag(anonymize, "--no-codebook", untold, {"action": "store_false", "dest": "codebook"})
    named = "with -o -: write the certificate of what goes into the pipe, .json"
    _flag(anonymize, "--certificate", named, {**_FILE, "dest": "certificate", "default": True})
    _flag(anonymize, "--force", "replace an existing output", _SWITCH)
    _add_policy(anonymize)
    how = anonymize.add_argument_group("how")
    _add_method(how, "see: kanopy methods")
    _flag(how, "--seed", "random seed (0)", _SEED)
    seconds = {"metavar": "S", "type": _seconds}
    _flag(how, "--time-limit", "seconds after which tdd, tds, tdr release what they have", seconds)
    nothing = "release a table also where every quasi-identifier had to be suppressed in every row"
    _flag(how, "--allow-empty", nothing, _SWITCH)
    formulas = "put ' in front of texts that a spreadsheet would run as a formula (CSV)"
    _flag(how, "--spreadsheet-safe", formulas, _SWITCH)
    regional = "CSV as Excel reads it with these regional settings: de, de-CH, en, fr, it, ..."
    _flag(how, "--excel-locale", regional, {"metavar": "NAME"})
    _add_engine(anonymize)
    _flag(anonymize, "--json", "print manifest and audit as JSON", _SWITCH)


def _add_engine(parser: Flags) -> None:
    engine = _add_cluster(parser, "spark: DATA and FILE are folders of parts (local)")
    staging = "where parts are written first, on the file system of the output (beside it)"
    _flag(engine, "--staging", staging, _FOLDER)
    _flag(engine, "--form", "of the parts (parquet)", {"choices": ("parquet", "csv")})
    number = {"type": _whole_number, "metavar": "N"}
    _flag(engine, "--parts", "how many parts (one for every two million rows)", number)
    limit = "different rows that the driver takes (what half of its memory holds)"
    _flag(engine, "--tuple-limit", limit, number)


def _add_cluster(parser: Flags, what: str) -> Flags:
    engine = parser.add_argument_group("where it runs", "on this machine, or on a cluster (docs/spark.md)")
    _flag(engine, "--engine", what, {"choices": ("local", "spark"), "default": "local"})
    engine.add_argument(
        "--master", metavar="URL", help="of the cluster: local[4], yarn, sc://host (Spark's own)"
    )
    return engine


def _add_verify(commands: Commands) -> None:
    what = "check a release, its certificate and its promise, without the source"
    verify = _add(commands, "verify", what, _VERIFY)
    verify.add_argument("input", metavar="RELEASE", help="what was published: .csv, .parquet or a folder")
    _flag(verify, "--certificate", "where it is not beside the release or in its folder", _FILE)
    _flag(verify, "--policy", "also check that this is the policy of the release", _FILE)
    counted = "also count rows and unchanged columns of the source by other readers; for its custodian"
    _flag(verify, "--source", counted, _FILE)
    _flag(verify, "--json", "print the checks as JSON", _SWITCH)


def _add_referee(commands: Commands) -> None:
    what = "judge a release by its source and its policy, by code that is not kanopy's"
    referee = _add(commands, "referee", what, _REFEREE)
    referee.add_argument("release", metavar="RELEASE", help="what was published: .csv or .parquet")
    _flag(referee, "--source", "the table that it was made from", _FILE, required=True)
    _flag(referee, "--policy", "what was promised, .toml", _FILE, required=True)
    _flag(referee, "--json", "print the checks as JSON", _SWITCH)


def _add_draw(commands: Commands) -> None:
    what = "draw one plain table from the cells of a release, marked as drawn"
    draw = _add(commands, "draw", what, _DRAW)
    draw.add_argument("input", metavar="RELEASE", help="what was published: .csv, .parquet or a folder")
    draw.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        help="the drawn table: .csv, .csv.gz, .csv.zst or .parquet",
    )
    _flag(draw, "--certificate", "where it is not beside the release or in its folder", _FILE)
    _flag(draw, "--seed", "random seed: another one draws other values (0)", _SEED)
    _flag(draw, "--force", "replace an existing output", _SWITCH)


def _add_audit(commands: Commands) -> None:
    audit = _add(commands, "audit", "recount any table against a policy", _AUDIT, _EXIT_CODES)
    _add_input(audit)
    _add_policy(audit)
    readings = {"choices": ("pessimistic", "optimistic"), "default": "pessimistic"}
    exempt = "optimistic: rows whose quasi-identifiers are all suppressed are exempt"
    _flag(audit, "--reading", exempt, readings)
    _flag(audit, "--source", "with --manifest: the table that the release was made from", _FILE)
    told = "what anonymize --json printed: recount its value statistics against release and source"
    _flag(audit, "--manifest", told, _FILE)
    _add_cluster(audit, _READ_BY_SPARK)
    _flag(audit, "--json", "print the verdict as JSON", _SWITCH)


def _add_attack(commands: Commands) -> None:
    attack = _add(commands, "attack", "measure attacks on a release that k does not stop", _ATTACK)
    attack.add_argument("input", metavar="RELEASE", help="what is published: .csv, .parquet or a folder")
    attack.add_argument("--source", metavar="DATA", required=True, help="the table that it was made from")
    other = {"dest": "other", "metavar": "RELEASE"}
    _flag(attack, "--with", "another release of the same people, same policy", other)
    strangers = "people who are not in the release, with the columns of the source"
    attack.add_argument("--strangers", metavar="DATA", help=strangers)
    _add_reading(attack, "of source and strangers, if CSV")
    known = attack.add_argument_group("method known", "release the source again and again, each time changed")
    _flag(known, "--method-known", "also measure what knowing the method tells: takes minutes", _SWITCH)
    swaps = {"type": _whole_number, "metavar": "N", "default": 100}
    _flag(known, "--simulations", "how many swaps of two values are tried (100)", swaps)
    _add_method(known, "that of the certificate beside RELEASE, else the policy's")
    _flag(known, "--seed", "that RELEASE was made with, if any (0)", _SEED)
    _add_policy(attack)
    _flag(attack, "--json", "print the figures as JSON", _SWITCH)


def _add_evaluate(commands: Commands) -> None:
    what = "measure what methods cost in accuracy and tell about their members, without leaks"
    evaluate = _add(commands, "evaluate", what, _EVALUATE, _EXIT_CODES)
    _add_input(evaluate)
    _add_policy(evaluate)
    compared = evaluate.add_argument_group("what is compared")
    _flag(compared, "--methods", "see: kanopy methods (the policy's)", _NAMES)
    _flag(compared, "--ks", "instead of the policy's k", _KS)
    learners = "c45, id3, part, nb, logistic, sklearn:CLASS, weka:SCHEME (c45,nb,logistic)"
    _flag(compared, "--learners", learners, _NAMES, default=["c45", "nb", "logistic"])
    task = "classify, cluster or rules, also with settings: cluster:clusters=8 (classify)"
    _flag(compared, "--task", task, {"metavar": "NAME"}, default="classify")
    how = evaluate.add_argument_group("how")
    _flag(how, "--seed", "random seed of the cross-validation and the methods (0)", _SEED)
    how.add_argument("--jobs", **_JOBS)
    _flag(how, "--journal", _CONTINUES, _FILE)
    _flag(how, "--discretize", "cut numbers into bins first, as the kACTUS papers do", _SWITCH)
    shuffled = "shuffle the labels: accuracy above the majority rate means a leak"
    _flag(how, "--permute-classes", shuffled, _SWITCH)
    _flag(evaluate, "--report", "also write a report: .html, .md, .json, or .pdf (needs Chromium)", _FILE)
    _flag(evaluate, "--force", "replace an existing report", _SWITCH)
    _flag(evaluate, "--json", "print everything as JSON", _SWITCH)


def _add_reproduce(commands: Commands) -> None:
    what = "recompute tables and figures of the papers, beside the published numbers"
    reproduce = _add(commands, "reproduce", what, _REPRODUCE)
    name = "of a table or figure; without one they are listed"
    reproduce.add_argument("name", metavar="NAME", nargs="?", help=name)
    _flag(reproduce, "--data", "only these data sets", _NAMES)
    _flag(reproduce, "--methods", "only these methods", _NAMES)
    _flag(reproduce, "--ks", "instead of the paper's k", _KS)
    _flag(reproduce, "--learners", "c45, nb, logistic, weka:SCHEME (c45)", _NAMES)
    leaking = "the papers' own protocol, in which test rows leak; for comparison"
    _flag(reproduce, "--as-published", leaking, _SWITCH)
    reproduce.add_argument("--jobs", **_JOBS)
    _flag(reproduce, "--journal", _CONTINUES, _FOLDER)
    reproduce.add_argument("-o", "--output", metavar="DIR", help="write Markdown, JSON and pictures there")


def _add_methods(commands: Commands) -> None:
    methods = _add(commands, "methods", "list the methods, their papers and options")
    _flag(methods, "--json", "print JSON", _SWITCH)


def _add_completion(commands: Commands) -> None:
    completion = _add(commands, "completion", "print a completion script for your shell", _COMPLETION)
    completion.add_argument("shell", choices=("bash", "zsh", "fish", "tcsh"))


def _add_input(parser: Flags) -> None:
    parser.add_argument("input", metavar="DATA", help=_TABLE)
    _add_reading(parser, "of a CSV file")


def _add_reading(parser: Flags, whose: str) -> None:
    parser.add_argument("--delimiter", metavar="CHAR", help=f"{whose} (that of the policy, else ,)")
    parser.add_argument("--encoding", metavar="NAME", help=f"{whose} (that of the policy, else utf-8)")
    _flag(parser, "--sheet", _SHEET, {"metavar": "NAME"})


def _add_method(parser: Flags, which: str) -> None:
    _flag(parser, "--method", which, {"metavar": "NAME"})
    several = {"metavar": "NAME=VALUE", "action": "append", "default": []}
    _flag(parser, "--option", "option of the method", several)


def _add_policy(parser: Flags) -> None:
    policy = parser.add_argument_group("policy", "a file, flags, or both; a flag replaces what the file says")
    _flag(policy, "--policy", "TOML; draft one with: kanopy suggest DATA", _FILE)
    _flag(policy, "--quasi", "quasi-identifiers: what an attacker may know", _NAMES)
    _flag(policy, "--target", "the class; published", _COLUMN)
    _flag(policy, "--sensitive", "published; bounded by the policy file", _NAMES)
    _flag(policy, "--identifiers", "dropped", _NAMES)
    _flag(policy, "--keep", "published as they are", _NAMES)
    _flag(policy, "--person", "tells persons apart: k counts persons; dropped", _COLUMN)
    _flag(policy, "--missing", "texts that mean missing, besides the empty field", _NAMES)
    _flag(policy, "--numeric", "read as numbers", _NAMES)
    _flag(policy, "--categorical", "read as text", _NAMES)
    told = "quasi-identifiers of which the manifest (--json) tells how frequent the original values are"
    _flag(policy, "--value-statistics", told, _NAMES)
    accepted = "what would stop a release and a reviewer agreed to: identifier:A, free text:B"
    _flag(policy, "--accept", accepted, {"type": column_list, "metavar": "KIND:A"})
    k = "rows (or persons) that every combination of quasi-identifiers must cover"
    policy.add_argument("--k", metavar="K", help=k)
    some = "k is that of combinations of up to so many quasi-identifiers only: this is not k-anonymity"
    policy.add_argument("--combinations", metavar="M", help=some)
