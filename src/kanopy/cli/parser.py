"""Every command and flag, with examples; imports nothing heavy."""

from __future__ import annotations

import argparse
import csv

from kanopy._numbers import typed_number, typed_whole_number
from kanopy._version import __version__

_EXIT_CODES = """\
exit codes:
  0 promise kept    1 audit: promise broken    2 usage or policy    3 input data
  4 the promise cannot be kept on this data    5 the written file failed the recount
  6 disk, permission, memory    130 interrupted"""

_ANONYMIZE = """\
examples:
  kanopy anonymize data.csv -o release.csv --policy policy.toml --report report.html
  kanopy anonymize data.csv -o release.csv --quasi age,sex,zip --target income --k 10
  kanopy anonymize data.csv -o release.parquet --policy policy.toml --k 25 --option publish=members
  cat data.csv | kanopy anonymize - -o release.csv --policy policy.toml"""

_AUDIT = """\
examples:
  kanopy audit release.csv --policy policy.toml
  kanopy audit somebody_elses.csv --quasi age,sex,zip --target income --k 5 --json"""

_ATTACK = """\
examples:
  kanopy attack release.csv --source data.csv --policy policy.toml
  kanopy attack release.csv --source data.csv --policy policy.toml --with last_year.csv
  kanopy attack release.csv --source data.csv --policy policy.toml --strangers others.csv --json

Prints figures, never a cell. They are counted on the source and meant for the custodian.

exit codes:
  0 measured, whatever the figures are: this is not a verdict    2 usage or policy    3 input data
  6 disk, permission, memory    130 interrupted"""

_EVALUATE = """\
examples:
  kanopy evaluate data.csv --policy policy.toml --methods kactus,mondrian --ks 5,10,50 --learners c45,nb
  kanopy evaluate data.csv --policy policy.toml --methods "kmeans:variant=1,kmeans:variant=2" --ks 10 --json
  kanopy evaluate data.csv --policy policy.toml --ks 10 --learners c45,sklearn:RandomForestClassifier,weka:J48
  kanopy evaluate data.csv --policy policy.toml --journal run.jsonl     # interrupted? run it again"""

_REPRODUCE = """\
examples:
  kanopy reproduce                                       # what there is
  kanopy reproduce tdd-table3
  kanopy reproduce kactus-table2 --as-published -o made  # Markdown, JSON and pictures in a folder
  kanopy reproduce kactus-table2 --learners weka:J48,weka:PART,weka:NaiveBayes,weka:Logistic --data glass

Data sets come from the folder that KANOPY_DATA names, a cache, or the UCI archive."""

_SUGGEST = """\
examples:
  kanopy suggest data.csv > policy.toml
  kanopy suggest data.csv --hierarchies drafts > policy.toml     # also drafts/age.csv and so on, to be edited
  kanopy suggest data.csv --json"""

_DEMO = """\
examples:
  kanopy demo
  kanopy demo --save demo     # writes patients.csv, policy.toml and release.csv there, to play with"""

_COMPLETION = """\
examples:
  kanopy completion bash > ~/.local/share/bash-completion/completions/kanopy
  kanopy completion zsh > ~/.zfunc/_kanopy      # with fpath+=~/.zfunc before compinit"""


def build_parser() -> argparse.ArgumentParser:
    """The parser of the ``kanopy`` command."""
    parser = argparse.ArgumentParser(
        prog="kanopy",
        description="Turn a table about people into one that others can train classifiers on.",
        epilog="new here?  kanopy demo\n\n" + _EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"kanopy {__version__}")
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_demo(commands)
    _add_suggest(commands)
    _add_anonymize(commands)
    _add_audit(commands)
    _add_attack(commands)
    _add_evaluate(commands)
    _add_reproduce(commands)
    _add_methods(commands)
    _add_completion(commands)
    return parser


def column_list(text: str) -> list[str]:
    """Names separated by commas; a name that contains one goes in double quotes."""
    try:
        return next(csv.reader([text], skipinitialspace=True, strict=True), [])
    except csv.Error:
        raise argparse.ArgumentTypeError("expected names like A,B; quotes come in pairs") from None


def _add(commands: argparse._SubParsersAction, name: str, help_: str, epilog: str) -> argparse.ArgumentParser:  # type: ignore[type-arg]
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help_,
        description=help_[0].upper() + help_[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(command=name, json=False)
    parser.add_argument("--debug", action="store_true", help="show tracebacks (they may show cells)")
    return parser


def _add_demo(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    demo = _add(commands, "demo", "make a table of patients, release it, show before and after", _DEMO)
    demo.add_argument("--rows", type=_whole_number, default=5000, help="patients to make (5000)")
    demo.add_argument(
        "--seed", type=_whole_number, default=0, help="random seed: another one makes other patients (0)"
    )
    demo.add_argument("--save", metavar="DIR", help="write table, policy and release into this folder")


def _add_suggest(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    suggest = _add(commands, "suggest", "draft a policy from a table, and say why", _SUGGEST)
    _add_input(suggest)
    suggest.add_argument("--target", help="the column to be predicted, if you know it")
    suggest.add_argument(
        "--hierarchies", metavar="DIR", help="also draft hierarchies in this folder; they list values of DATA"
    )
    suggest.add_argument("--force", action="store_true", help="replace existing drafts")
    suggest.add_argument("--json", action="store_true", help="print JSON instead of TOML")


def _add_anonymize(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    anonymize = _add(
        commands, "anonymize", "release a table that keeps its promise", _ANONYMIZE + "\n\n" + _EXIT_CODES
    )
    _add_input(anonymize)
    anonymize.add_argument("-o", "--output", metavar="FILE", required=True, help="release, .csv or .parquet")
    anonymize.add_argument(
        "--tree", metavar="FILE", help="also write the tree that kadet and apt publish: .txt, .dot or .mmd"
    )
    anonymize.add_argument("--report", metavar="FILE", help="also write a report: .html, .md or .json")
    anonymize.add_argument(
        "--record",
        metavar="FILE",
        help="also write the exact record of the run: .json; private, do not publish it",
    )
    anonymize.add_argument("--force", action="store_true", help="replace an existing output")
    _add_policy(anonymize)
    how = anonymize.add_argument_group("how")
    how.add_argument("--method", metavar="NAME", help="see: kanopy methods")
    how.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], help="option of the method"
    )
    how.add_argument("--seed", type=_whole_number, default=0, help="random seed (0)")
    how.add_argument(
        "--time-limit",
        metavar="S",
        type=_seconds,
        help="seconds after which tdd, tds, tdr release what they have",
    )
    how.add_argument(
        "--spreadsheet-safe",
        action="store_true",
        help="put ' in front of texts that a spreadsheet would run as a formula (CSV)",
    )
    anonymize.add_argument("--json", action="store_true", help="print manifest and audit as JSON")


def _add_audit(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    audit = _add(commands, "audit", "recount any table against a policy", _AUDIT + "\n\n" + _EXIT_CODES)
    _add_input(audit)
    _add_policy(audit)
    audit.add_argument(
        "--reading",
        choices=("pessimistic", "optimistic"),
        default="pessimistic",
        help="optimistic: rows whose quasi-identifiers are all suppressed are exempt",
    )
    audit.add_argument("--json", action="store_true", help="print the verdict as JSON")


def _add_attack(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    attack = _add(commands, "attack", "measure attacks on a release that k does not stop", _ATTACK)
    attack.add_argument("input", metavar="RELEASE", help="what is published, .csv or .parquet")
    attack.add_argument("--source", metavar="DATA", required=True, help="the table that it was made from")
    attack.add_argument(
        "--with", dest="other", metavar="RELEASE", help="another release of the same people, same policy"
    )
    attack.add_argument(
        "--strangers",
        metavar="DATA",
        help="people who are not in the release, with the columns of the source",
    )
    attack.add_argument("--delimiter", metavar="CHAR", help="of source and strangers, if CSV (,)")
    attack.add_argument(
        "--encoding", metavar="NAME", default="utf-8", help="of source and strangers, if CSV (utf-8)"
    )
    _add_policy(attack)
    attack.add_argument("--json", action="store_true", help="print the figures as JSON")


def _add_evaluate(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    evaluate = _add(
        commands,
        "evaluate",
        "measure what methods cost in accuracy, without leaks",
        _EVALUATE + "\n\n" + _EXIT_CODES,
    )
    _add_input(evaluate)
    _add_policy(evaluate)
    what = evaluate.add_argument_group("what is compared")
    names = {"type": column_list, "metavar": "A,B"}
    what.add_argument("--methods", **names, help="see: kanopy methods (the policy's)")  # type: ignore[arg-type]
    what.add_argument("--ks", type=_whole_numbers, metavar="5,10", help="instead of the policy's k")
    what.add_argument(
        "--learners",
        **names,  # type: ignore[arg-type]
        default=["c45", "nb", "logistic"],
        help="c45, id3, nb, logistic, sklearn:CLASS, weka:SCHEME (c45,nb,logistic)",
    )
    how = evaluate.add_argument_group("how")
    how.add_argument(
        "--seed",
        type=_whole_number,
        default=0,
        help="random seed of the cross-validation and the methods (0)",
    )
    how.add_argument("--jobs", type=_whole_number, metavar="N", help="processes (one for every processor)")
    how.add_argument(
        "--journal",
        metavar="FILE",
        help="write results here as they come; the same command continues after an interruption",
    )
    how.add_argument(
        "--discretize", action="store_true", help="cut numbers into bins first, as the kACTUS papers do"
    )
    how.add_argument(
        "--permute-classes",
        action="store_true",
        help="shuffle the labels: accuracy above the majority rate means a leak",
    )
    evaluate.add_argument("--report", metavar="FILE", help="also write a report: .html, .md or .json")
    evaluate.add_argument("--force", action="store_true", help="replace an existing report")
    evaluate.add_argument("--json", action="store_true", help="print everything as JSON")


def _add_reproduce(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    reproduce = _add(
        commands,
        "reproduce",
        "recompute tables and figures of the papers, beside the published numbers",
        _REPRODUCE,
    )
    reproduce.add_argument(
        "name", metavar="NAME", nargs="?", help="of a table or figure; without one they are listed"
    )
    names = {"type": column_list, "metavar": "A,B"}
    reproduce.add_argument("--data", **names, help="only these data sets")  # type: ignore[arg-type]
    reproduce.add_argument("--methods", **names, help="only these methods")  # type: ignore[arg-type]
    reproduce.add_argument("--ks", type=_whole_numbers, metavar="5,10", help="instead of the paper's k")
    reproduce.add_argument("--learners", **names, help="c45, nb, logistic, weka:SCHEME (c45)")  # type: ignore[arg-type]
    reproduce.add_argument(
        "--as-published",
        action="store_true",
        help="the papers' own protocol, in which test rows leak; for comparison",
    )
    reproduce.add_argument(
        "--jobs", type=_whole_number, metavar="N", help="processes (one for every processor)"
    )
    reproduce.add_argument(
        "--journal",
        metavar="DIR",
        help="write results here as they come; the same command continues after an interruption",
    )
    reproduce.add_argument("-o", "--output", metavar="DIR", help="write Markdown, JSON and pictures there")


def _whole_number(text: str) -> int:
    try:
        return typed_whole_number(text)
    except ValueError:
        raise argparse.ArgumentTypeError("expected a whole number like 5") from None


def _seconds(text: str) -> float:
    try:
        return float(text) if text == "inf" else typed_number(text)
    except ValueError:
        raise argparse.ArgumentTypeError("expected a number of seconds like 60 or 0.5") from None


def _whole_numbers(text: str) -> list[int]:
    try:
        return [typed_whole_number(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError("expected whole numbers like 5,10,50") from None


def _add_methods(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    methods = _add(commands, "methods", "list the methods, their papers and options", "")
    methods.add_argument("--json", action="store_true", help="print JSON")


def _add_completion(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    completion = _add(commands, "completion", "print a completion script for your shell", _COMPLETION)
    completion.add_argument("shell", choices=("bash", "zsh", "tcsh"))


def _add_input(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", metavar="DATA", help="a .csv or .parquet file, or - for standard input")
    parser.add_argument("--delimiter", metavar="CHAR", help="of a CSV file (,)")
    parser.add_argument("--encoding", metavar="NAME", default="utf-8", help="of a CSV file (utf-8)")


def _add_policy(parser: argparse.ArgumentParser) -> None:
    policy = parser.add_argument_group("policy", "a file, flags, or both; a flag replaces what the file says")
    policy.add_argument("--policy", metavar="FILE", help="TOML; draft one with: kanopy suggest DATA")
    names = {"type": column_list, "metavar": "A,B"}
    policy.add_argument("--quasi", **names, help="quasi-identifiers: what an attacker may know")  # type: ignore[arg-type]
    policy.add_argument("--target", metavar="A", help="the class; published")
    policy.add_argument("--sensitive", **names, help="published; bounded by the policy file")  # type: ignore[arg-type]
    policy.add_argument("--identifiers", **names, help="dropped")  # type: ignore[arg-type]
    policy.add_argument("--keep", **names, help="published as they are")  # type: ignore[arg-type]
    policy.add_argument("--person", metavar="A", help="tells persons apart: k counts persons; dropped")
    policy.add_argument("--missing", **names, help="texts that mean missing, besides the empty field")  # type: ignore[arg-type]
    policy.add_argument("--numeric", **names, help="read as numbers")  # type: ignore[arg-type]
    policy.add_argument("--categorical", **names, help="read as text")  # type: ignore[arg-type]
    policy.add_argument(
        "--k", metavar="K", help="rows (or persons) that every combination of quasi-identifiers must cover"
    )
