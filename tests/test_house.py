"""The rules of CONTRIBUTING.md that a program can check, on the source code and on the documents.

Every test lists the places that break its rule, so that a failure says what to change.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import pickle
import re
import tokenize
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kanopy.cli.parser import build_parser

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
PACKAGES = ("kanopy", "kanopy_studies")
FILES = sorted(path for package in PACKAGES for path in (SOURCE / package).rglob("*.py"))
DOCUMENTS = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        *ROOT.glob("benchmarks/*.md"),
        *ROOT.glob("fuzz/*.md"),
    ]
)

TOOLS = sorted([*ROOT.glob("benchmarks/*.py"), *ROOT.glob("fuzz/*.py")])

LONGEST_FUNCTION = 40
MOST_ABSTRACT = 9
LONGEST_DUPLICATE = 5
LONGEST_LINE = 120
MOST_LINES = 64_000  # Spark 7,000; full-domain 2,700; recipients, notebooks 3,000; sketches 3,000; page 3,000

RIDDLES = {
    r"\b(draws?|drawing|drew|drawn) (of )?lots\b": "random seed, random numbers",
    r"\blots (of|that) (a|the) methods?\b": "random numbers of the method",
    r"\b(deals?|dealt|dealing)\b[^.\n]{0,40}\b(out|anew)\b": "shuffle the labels",
    r"\bspace and rights\b": "check disk space and permissions",
    r"\bthe system refused\b": "could not read, could not write",
    r"\b(is|are|was|were) had by\b": "occurs in",
    r"\bno (ear for|life after)\b": "ignores SIGINT; exits with its parent",
    r"\bfive times the rows are divided\b": "five repetitions of stratified two-fold cross-validation",
    r"\bnobody's rows\b|\band nobody's\b|\bthey are nobody's\b": "made-up rows, which belong to no person",
    r"\bthe accused\b": "the methods",
}
"""Phrases that a newcomer has to guess at, and what to write instead."""

METAPHORS = r"\b(of|through|in) the house\b|\bthe (door|gate|judge|rooms?)\b"
"""Pictures that are explained in ARCHITECTURE.md, and therefore stay there."""


def place(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_product(path: Path) -> bool:
    return path.is_relative_to(SOURCE / "kanopy")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def report(found: list[str], advice: str) -> None:
    """Fail with every place that breaks the rule."""
    if found:
        pytest.fail(f"{len(found)} times: {advice}\n  " + "\n  ".join(found), pytrace=False)


# --- Public names ----------------------------------------------------------------------------------------


def public_objects() -> Iterator[tuple[str, Any]]:
    """Every name in the ``__all__`` of a package, with what it stands for."""
    for path in FILES:
        if path.name == "__init__.py":
            package = importlib.import_module(module_name(path))
            for name in getattr(package, "__all__", ()):
                yield f"{package.__name__}.{name}", getattr(package, name)


def own_members(kind: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties of a class, those of other libraries left out."""
    for name, member in inspect.getmembers(kind):
        is_method = inspect.isroutine(member) or isinstance(member, property)
        maker = member.fget if isinstance(member, property) else member
        if (
            is_method
            and not name.startswith("_")
            and str(getattr(maker, "__module__", "")).startswith(PACKAGES)
        ):
            yield name, member


def has_docstring(thing: Any) -> bool:
    text = inspect.getdoc(thing) if not inspect.isclass(thing) else thing.__dict__.get("__doc__")
    is_made = inspect.isclass(thing) and str(text).startswith(f"{thing.__name__}(")  # by @dataclass
    return bool(text) and not is_made


def test_every_public_name_has_a_docstring() -> None:
    missing = set()
    for name, thing in public_objects():
        if not (inspect.isclass(thing) or inspect.isroutine(thing)):
            continue
        if not has_docstring(thing):
            missing.add(name)
        if inspect.isclass(thing):
            missing |= {
                f"{name}.{member}" for member, value in own_members(thing) if not has_docstring(value)
            }
    report(sorted(missing), "a public name needs a docstring")


def test_no_module_is_callable() -> None:
    modules = [importlib.import_module(module_name(path)) for path in FILES if path.name != "__main__.py"]
    report([module.__name__ for module in modules if callable(module)], "a module must not be callable")


def test_public_functions_show_their_signature_and_can_be_pickled() -> None:
    wrong = []
    for name, thing in public_objects():
        assert not isinstance(thing, ModuleType), f"{name} is a module, and a name in __all__"
        if inspect.isroutine(thing):
            inspect.signature(thing)
            if pickle.loads(pickle.dumps(thing)) is not thing:
                wrong.append(name)
    report(wrong, "pickling gives back something else")


# --- Size and repetition ---------------------------------------------------------------------------------


def test_no_function_is_longer_than_a_screen() -> None:
    long = []
    for path in FILES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                n_lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if n_lines > LONGEST_FUNCTION:
                    long.append(f"{place(path, node.lineno)} {node.name}: {n_lines} lines")
    report(long, f"a function has at most {LONGEST_FUNCTION} lines, its docstring included")


def test_the_product_stays_small() -> None:
    n_lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in FILES if is_product(path))
    assert n_lines <= MOST_LINES


def skipped_lines(path: Path) -> set[int]:
    """Lines of imports and of docstrings."""
    skipped: set[int] = set()
    for node in ast.walk(parsed(path)):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_text = is_text and isinstance(node.value.value, str)  # type: ignore[attr-defined]
        if isinstance(node, ast.Import | ast.ImportFrom) or is_text:
            skipped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))  # type: ignore[attr-defined]
    return skipped


def code_lines(path: Path) -> list[tuple[int, str]]:
    """Lines of code without comments and layout; a line of brackets alone does not count."""
    skipped = skipped_lines(path)
    words: dict[int, list[str]] = defaultdict(list)
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            kind = tokenize.tok_name[token.type]
            if (
                kind in ("NAME", "OP", "NUMBER") or "STRING" in kind
            ):  # an f-string is in parts since Python 3.12
                words[token.start[0]].append(token.string)
    lines = ((number, " ".join(parts)) for number, parts in sorted(words.items()) if number not in skipped)
    return [(number, text) for number, text in lines if re.search(r"\w", text)]


def duplicates(paths: list[Path], n_lines: int) -> list[str]:
    """Stretches of at least so many lines of code that stand in two places, each pair of places once."""
    code = {path: code_lines(path) for path in paths}
    places: dict[tuple[str, ...], list[tuple[Path, int]]] = defaultdict(list)
    for path, lines in code.items():
        for start in range(len(lines) - n_lines + 1):
            places[tuple(text for _, text in lines[start : start + n_lines])].append((path, start))
    pairs = {
        (here, there)
        for found in places.values()
        for number, here in enumerate(found)
        for there in found[number + 1 :]
    }
    described = []
    for (path, start), (other, other_start) in sorted(pairs):
        if ((path, start - 1), (other, other_start - 1)) in pairs:
            continue  # told with the stretch that begins earlier
        length = 0
        while ((path, start + length), (other, other_start + length)) in pairs:
            length += 1
        begins, ends = code[path][start][0], code[path][start + length + n_lines - 2][0]
        as_text = f"{place(path, begins)}-{ends} and {place(other, code[other][other_start][0])}"
        described.append(f"{as_text}: {length + n_lines - 1} lines")
    return described


def test_no_six_lines_of_code_stand_twice() -> None:
    report(duplicates(FILES, LONGEST_DUPLICATE + 1), "write it once, and call it from both places")


def test_a_duplicate_is_found_whatever_its_layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    body = "".join(f"    v{number} = {number}\n" for number in range(6))
    (tmp_path / "one.py").write_text(f"import os\n\n\ndef one():\n{body}", encoding="utf-8")
    spread = body.replace("\n", "  # why\n\n").replace("    v3", '    """text"""\n    v3')
    (tmp_path / "two.py").write_text(f"def two():\n{spread}", encoding="utf-8")
    paths = [tmp_path / "one.py", tmp_path / "two.py"]
    assert duplicates(paths, 6) == ["one.py:5-10 and two.py:2: 6 lines"]
    assert not duplicates(paths, 7)


def test_every_class_name_stands_for_one_class() -> None:
    places = defaultdict(list)
    for path in FILES:
        if is_product(path):
            for node in ast.walk(parsed(path)):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(place(path, node.lineno))
    twice = [f"{name}: {', '.join(found)}" for name, found in sorted(places.items()) if len(found) > 1]
    report(twice, "two classes have one name: give each a name that says what it is")


def test_no_abstract_class_asks_for_ten_methods() -> None:
    large = []
    for path in FILES:
        for kind in ast.walk(parsed(path)):
            if isinstance(kind, ast.ClassDef):
                marks = (mark for node in kind.body for mark in getattr(node, "decorator_list", ()))
                n_abstract = sum(ast.unparse(mark).endswith("abstractmethod") for mark in marks)
                if n_abstract > MOST_ABSTRACT:
                    large.append(f"{place(path, kind.lineno)} {kind.name}: {n_abstract} methods")
    report(large, "an abstract class should ask for less of its subclasses")


# --- Modules that nothing needs --------------------------------------------------------------------------


def entry_points() -> set[str]:
    """Modules that start a program or are found by a name that is made at run time."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["scripts"], *project.get("entry-points", {}).values()]
    started = {target.partition(":")[0] for group in groups for target in group.values()}
    menus = [action.choices for action in build_parser()._actions if isinstance(action.choices, dict)]
    return started | {f"kanopy.cli.{command}" for menu in menus for command in menu}


def imported_names(path: Path) -> Iterator[str]:
    """Names that a module imports, and texts that could name a module it imports later."""
    package = module_name(path).split(".")
    if path.name != "__init__.py":
        package = package[:-1]
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_module_is_reached_from_a_package_or_an_entry_point() -> None:
    modules = {module_name(path): path for path in FILES}
    is_start = {"__init__.py", "__main__.py"}
    waiting = [name for name, path in modules.items() if path.name in is_start] + sorted(entry_points())
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in modules and name not in reached:
            reached.add(name)
            waiting.extend(imported_names(modules[name]))
    unused = [str(path.relative_to(ROOT)) for name, path in modules.items() if name not in reached]
    report(unused, "nothing in src imports this module")


# --- Words and examples ----------------------------------------------------------------------------------


def test_no_line_of_a_document_is_longer_than_120_characters() -> None:
    long = [
        f"{place(path, number)}: {len(line)} characters"
        for path in DOCUMENTS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]
    report(long, f"a line of a document has at most {LONGEST_LINE} characters")


@cache
def flat(path: Path) -> str:
    """The text in one line, with every sign where it was."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"\n[ \t]*#?[ \t]*|\"[ \t]*\n[ \t]*f?\"", lambda gap: " " * len(gap.group()), text)


def found_words(paths: list[Path], pattern: str, advice: str) -> Iterator[str]:
    """Places of a phrase, also where a line ends inside it; a comment's # does not interrupt it."""
    for path in paths:
        loose = pattern.replace(" ", r"[ ]+")
        for match in re.finditer(loose, flat(path), re.IGNORECASE):
            line = path.read_text(encoding="utf-8").count("\n", 0, match.start()) + 1
            yield f"{place(path, line)}: {' '.join(match.group().split())!r}, better: {advice}"


def test_no_riddles_in_source_and_documents() -> None:
    found = [
        line
        for pattern, better in RIDDLES.items()
        for line in found_words([*FILES, *TOOLS, *DOCUMENTS], pattern, better)
    ]
    report(found, "write plain English, in the terms of docs/glossary.md")


def test_metaphors_stay_in_the_architecture_page() -> None:
    paths = [*FILES, *TOOLS, *(path for path in DOCUMENTS if path.name != "ARCHITECTURE.md")]
    found = list(found_words(paths, METAPHORS, "package, reader, writer, audit"))
    report(found, "pictures of a house stand in ARCHITECTURE.md only")


WITH_EXAMPLES = [module_name(path) for path in FILES if ">>>" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_in_docstrings_print_what_they_say(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0
    assert result.failed == 0
