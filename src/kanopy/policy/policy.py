"""What the custodian decided: the role of every column, the promise, and how to keep it."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanopy._display import Displayed, few, number_of
from kanopy.data import Hierarchy
from kanopy.data.grammar import clean_text, composed, has_half_character
from kanopy.errors import NoPromiseError, PolicyError, near_name
from kanopy.hierarchies import HierarchyRule
from kanopy.policy.accepted import LIMITS, STOPPING, check_accept, checked_limits
from kanopy.policy.reading import (
    ColumnFormat,
    DerivedColumn,
    SourceFormat,
    check_derived,
    read_section,
    read_sections,
)
from kanopy.privacy import CombinationAnonymity, KAnonymity, PrivacyModel
from kanopy.privacy.model import all_of

if TYPE_CHECKING:
    from kanopy.algorithms import Method

Source = Hierarchy | HierarchyRule | Mapping[str, Any] | str | os.PathLike[str]
"""Where a hierarchy may come from."""

_LISTS = (
    "quasi_identifiers", "sensitive", "identifiers", "keep", "missing", "numeric", "categorical",
    "value_statistics", "accept",
)  # fmt: skip
_SHOWN_CHARACTERS = 60
_MOST_SETS = 10_000  # of columns, whose combinations are counted one set after the other
_NUMBER = r"[+-]?\d+(\.\d*)?"


@dataclass(frozen=True, repr=False)
class Policy(Displayed):
    """Roles, promise and method.

    Parameters
    ----------
    quasi_identifiers : list of str
        Columns an attacker may know; they are generalized.
    target : str, optional
        The class; published.
    sensitive : list of str
        Published; bounded by the promise.
    identifiers : list of str
        Dropped.
    keep : list of str
        Published as they are, knowingly.
    person : str, optional
        Column that tells persons apart: k then counts persons. Dropped.
    missing : list of str
        Texts that mean missing. An empty field always does, nothing else.
    numeric, categorical : list of str
        Columns to be read as numbers, or as text, whatever they look like.
    k : int, optional
        Rows (or persons) that every combination of all quasi-identifiers must cover; for combinations of
        some of them see ``AnonymityOf``, a promise of ``privacy``.
    privacy : PrivacyModel or list of them
        Further promises, or all of them where k is not given.
    method : str or Method
        By its name, or a ``Method`` of your own.
    options : dict
        Of the method.
    hierarchies : dict
        Column to a rule of ``kanopy.hierarchies``, to groups written out as a dict, to a Hierarchy, or to a
        file with one line ``value;parent;...;*`` per value.
    value_statistics : list of str
        Quasi-identifiers of which the manifest tells how frequent their original values are.
    source : dict
        How the file with the table is written: delimiter, encoding, decimal, thousands, quote,
        sheet.
    columns : dict
        Column to what it holds and how it is written: kind, formats, levels, zone, decimal, thousands, unit,
        censored. See docs/policy.md.
    derived : dict
        New column to what it is made from: from, as, at.
    accept : list of str
        What would stop a release, and a reviewer agreed to: ``"identifier:PatientNo"``, ``"free text:note"``.
    warnings : dict
        Shares of rows above which there is a warning: ``certain`` and ``above_majority``.
    earlier : list of paths
        Files of earlier releases about the same people.
    combinations : int, optional
        Then k is that of every combination of values in up to so many quasi-identifiers, and not of all of
        them together: this is not k-anonymity. See ``CombinationAnonymity``. Of as many as there are it is
        k-anonymity; more are refused.

    Raises
    ------
    PolicyError
        Where the policy contradicts itself.

    Examples
    --------
    >>> Policy(quasi_identifiers=["age", "sex"], target="income", k=10).promise.sentence()
    'Every combination of the quasi-identifiers covers at least 10 rows.'
    """

    quasi_identifiers: Sequence[str] = ()
    target: str | None = None
    sensitive: Sequence[str] = ()
    identifiers: Sequence[str] = ()
    keep: Sequence[str] = ()
    person: str | None = None
    missing: Sequence[str] = ()
    numeric: Sequence[str] = ()
    categorical: Sequence[str] = ()
    k: int | None = None
    privacy: PrivacyModel | Sequence[PrivacyModel] = ()
    method: str | Method = "mondrian"
    options: Mapping[str, Any] = field(default_factory=dict)
    hierarchies: Mapping[str, Source] = field(default_factory=dict)
    value_statistics: Sequence[str] = ()
    source: Any = field(default_factory=dict)
    columns: Mapping[str, Any] = field(default_factory=dict)
    derived: Mapping[str, Any] = field(default_factory=dict)
    accept: Sequence[str] = ()
    warnings: Mapping[str, Any] = field(default_factory=dict)
    earlier: Sequence[str | os.PathLike[str]] = ()
    combinations: int | None = None

    def __new__(cls, *_arguments: Any, **fields: Any) -> Policy:
        """Refuse unknown fields as policy files do: with a hint, and as an error of kanopy."""
        known = cls.__dataclass_fields__
        for name in fields:
            if name not in known:
                hint = near_name(name, known) or f"fields: {', '.join(known)}"
                raise PolicyError(f"a policy has no field {name!r}", hint)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for name in _LISTS:
            object.__setattr__(self, name, _texts(name, getattr(self, name)))
        for name in ("target", "person"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _text(name, value))
        object.__setattr__(self, "privacy", _promises(self.privacy))
        if not isinstance(getattr(self.method, "name", self.method), str):
            hint = 'for example method = "mondrian"'
            raise PolicyError("method takes the name of a method, or a Method", hint)
        for name in ("options", "hierarchies"):
            if not isinstance(getattr(self, name), Mapping):
                raise PolicyError(f"{name} takes names and values", f'for example {name} = {{"age": ...}}')
        named = {_text("hierarchies", column): source for column, source in self.hierarchies.items()}
        object.__setattr__(self, "hierarchies", {name: _source(name, named[name]) for name in named})
        self._take_reading()
        object.__setattr__(self, "warnings", checked_limits(self.warnings))
        object.__setattr__(self, "earlier", _paths("earlier", self.earlier))
        self._check_roles()
        check_accept(self.accept, self.roles)
        self._check_hierarchies()
        self._check_promise()

    def _take_reading(self) -> None:
        """The sections on how the table is written, as objects; a declared kind counts as declared."""
        object.__setattr__(self, "source", read_section("[source]", SourceFormat, self.source))
        for name, kind in (("columns", ColumnFormat), ("derived", DerivedColumn)):
            found = read_sections(name, kind, getattr(self, name), partial(_text, name))
            object.__setattr__(self, name, found)
        for name, kinds in (("numeric", ("number",)), ("categorical", ("category",))):
            more = [column for column, form in self.columns.items() if form.kind in kinds]
            object.__setattr__(self, name, tuple(dict.fromkeys((*getattr(self, name), *more))))

    def __repr__(self) -> str:
        said = [f"quasi_identifiers={few(self.quasi_identifiers)}"]
        said += [] if self.target is None else [f"target={self.target[:_SHOWN_CHARACTERS]!r}"]
        lists = {name: getattr(self, name) for name in ("sensitive", "identifiers", "keep")}
        said += [f"{name}={few(names)}" for name, names in lists.items() if names]
        said += [] if self.person is None else [f"person={self.person[:_SHOWN_CHARACTERS]!r}"]
        said += [] if self.k is None else [f"k={self.k}"]
        more = len(self.promise.parts) - (self.k is not None)
        said += [f"and {number_of(more, 'more promises')}"] if more else []
        return f"Policy({', '.join([*said, f'method={self.method_name!r}'])})"

    @classmethod
    def load(cls, path: str | os.PathLike[str], **instead: Any) -> Policy:
        """Read a policy file (TOML), with some of its fields replaced; see docs/policy.md for its keys."""
        from kanopy.policy.toml_file import load_policy

        return load_policy(path, instead)

    @property
    def method_name(self) -> str:
        """The name of the method, however it was given."""
        return self.method if isinstance(self.method, str) else self.method.name

    @cached_property
    def promise(self) -> PrivacyModel:
        """Everything that must hold, as one promise; O(promises), once."""
        assert isinstance(self.privacy, tuple)
        k: tuple[PrivacyModel, ...] = () if self.k is None else (self._k_promise(self.k),)
        return all_of(k + self.privacy)

    def _k_promise(self, k: int) -> PrivacyModel:
        # PRIVACY: with combinations, nothing is promised of all columns together
        # (tests/unit/auditing/test_combination_recount.py).
        if self.combinations is None or self.combinations == len(self.quasi_identifiers):
            return KAnonymity(k)  # of all columns together
        return CombinationAnonymity(self.combinations, k)

    @cached_property
    def roles(self) -> dict[str, str]:
        """The role of every declared column."""
        return dict(self._declared())

    @cached_property
    def published(self) -> frozenset[str]:
        """The columns that reach the release."""
        return frozenset(name for name, role in self._declared() if role not in ("identifiers", "person"))

    @property
    def reads(self) -> bool:
        """Whether it says how the table is written, beside what its columns are."""
        return bool(self.columns or self.derived or self.source != SourceFormat())

    def with_calendar_trees(self) -> Policy:
        """The same policy with a hierarchy for columns that have several calendar levels and no other one."""
        levels = {name: form.levels[1:] for name, form in self.columns.items() if len(form.levels) > 1}
        if levels.keys() <= self.hierarchies.keys():
            return self
        from kanopy.hierarchies import Dates

        trees = {name: Dates(coarser) for name, coarser in levels.items() if name not in self.hierarchies}
        return replace(self, hierarchies={**self.hierarchies, **trees})

    @cached_property
    def after_reading(self) -> Policy:
        """The same policy for a table that was read by it: nothing is left to convert or to derive."""
        plain = {
            name: replace(form, formats=(), levels=(form.level, *form.levels[1:]), zone="refuse")
            if form.is_date
            else replace(form, decimal=None, thousands=None, unit=None)
            for name, form in self.columns.items()
        }
        return replace(self, source={}, columns=plain, derived={})

    @property
    def limits(self) -> dict[str, Fraction]:
        """The shares of rows above which there is a warning: what ``warnings`` says, or the default."""
        return {**LIMITS, **self.warnings}

    def accepting_all(self) -> Policy:
        """The same policy where nothing is published, and so nothing has to be stopped."""
        return replace(
            self, accept=[f"{kind}:{name}" for kind in STOPPING for name in sorted(self.published)]
        )

    def check_columns(self, columns: Iterable[str], *, released: bool = False) -> None:
        """Refuse a table whose columns are not exactly the declared ones.

        Parameters
        ----------
        columns : iterable of str
        released : bool
            Whether the table may be a release, from which identifiers and the person are gone.
        """
        present = dict.fromkeys(columns)
        undeclared = [name for name in present if name not in self.roles]
        if undeclared and any(re.fullmatch(_NUMBER, name) for name in present):
            # PRIVACY: without a header the first row would be shown as names (tests/unit/policy).
            which = "1 column is" if len(undeclared) == 1 else f"{len(undeclared):,} columns are"
            raise PolicyError(
                f"{which} not in the policy, and some columns have numbers as names",
                "does the table lack a header line? else declare every column",
            )
        may_lack = ("identifiers", "person") if released else ()
        for name, role in self.roles.items():
            if name not in present and role not in may_lack:
                hint = near_name(name, present) or f"the table has {len(present)} columns; check the spelling"
                if any(repr(each)[1:-1] == name for each in present):
                    hint = f"a flag takes a name with a line break or a tab as JSON: '[\"{name}\"]'"
                what = f"{role} names column {shown_name(name)}, which the table does not have"
                raise PolicyError(what, hint)
        if undeclared:
            shown = ", ".join(shown_name(name) for name in undeclared[:10])
            more = f" and {len(undeclared) - 10} more" if len(undeclared) > 10 else ""
            raise PolicyError(
                f"the policy does not say what these columns are: {shown}{more}",
                "declare each as quasi_identifiers, sensitive, keep or identifiers; "
                "an undeclared column is how people leak",
            )

    def _declared(self) -> Iterator[tuple[str, str]]:
        for role in ("quasi_identifiers", "target", "sensitive", "identifiers", "keep", "person"):
            value = getattr(self, role)
            for name in (value,) if isinstance(value, str) else value or ():
                yield name, role

    def _check_roles(self) -> None:
        if not self.quasi_identifiers:
            hint = "name the columns an attacker may know: age, sex, zip"
            raise PolicyError("no quasi-identifiers are declared", hint)
        roles: dict[str, str] = {}
        for name, role in self._declared():
            if name in roles:
                what = f"column {name!r} is declared twice: {roles[name]} and {role}"
                raise PolicyError(what, "give it one role")
            roles[name] = role
        for hint_name in ("columns", "numeric", "categorical", "hierarchies"):
            for name in getattr(self, hint_name):
                if name not in roles:
                    hint = near_name(name, roles) or "declare its role"
                    raise PolicyError(f"{hint_name} names column {name!r}, which has no role", hint)
        for name in self.value_statistics:
            if name not in self.quasi_identifiers:
                hint = near_name(name, self.quasi_identifiers) or "other columns are published as they are"
                what = f"value_statistics names column {name!r}, which is no quasi-identifier"
                raise PolicyError(what, hint)
        both = set(self.numeric) & set(self.categorical)
        if both:
            raise PolicyError(f"column {min(both)!r} is declared numeric and categorical", "choose one")
        for name in (*self.numeric, *self.categorical):
            if name in self.columns and self.columns[name].is_date:
                raise PolicyError(f"column {name!r} is declared as dates and as something else", "choose one")
        check_derived(self.derived, self.columns, roles)

    def _check_hierarchies(self) -> None:
        for column, rule in self.hierarchies.items():
            if not isinstance(rule, HierarchyRule):
                continue
            from kanopy.hierarchies import Dates  # here and below: most policies have no hierarchy

            if isinstance(rule, Dates) and rule.format is not None and column in self.columns:
                what = f"[columns.{column}] says how the dates of column {column!r} are written"
                raise PolicyError(what, "leave the format out of its hierarchy")
            if rule.counts_rows and column not in self.quasi_identifiers:
                raise PolicyError(
                    f"the hierarchy of column {column!r} would follow its rows, which a release may drop",
                    "only quasi-identifiers take quantiles or merge; use ranges, cuts or a file",
                )
            if rule.needs_class and self.target is None:
                what = f"the hierarchy of column {column!r} follows the class, but no target is declared"
                raise PolicyError(what, "declare a target")

    def _check_promise(self) -> None:
        if self.k is None and not self.privacy:
            raise NoPromiseError("no promise is declared", "set k, for example k = 10")
        if self.k is None and self.combinations is not None:
            raise PolicyError("combinations is given, but no k for them", "set k, for example k = 10")
        bounded, quasi = {self.target, *self.sensitive}, set(self.quasi_identifiers)
        for part in self.promise.parts:
            if isinstance(part, CombinationAnonymity):
                _check_combinations(len(quasi), part)
            for column in part.columns:
                if column not in bounded:
                    known = [name for name in (self.target, *self.sensitive) if name]
                    hint = near_name(column, known) or "declare it as sensitive"
                    raise PolicyError(f"a promise bounds column {column!r}, which is not sensitive", hint)
            for column in part.grouped_by or ():
                if column not in quasi:
                    hint = near_name(column, self.quasi_identifiers) or "given takes quasi-identifiers"
                    what = f"a promise is given column {column!r}, which is no quasi-identifier"
                    raise PolicyError(what, hint)


def _check_combinations(n_columns: int, part: CombinationAnonymity) -> None:
    """Refuse combinations of all columns, or of more: their sentence denies what they promise."""
    if part.size >= n_columns:
        raise PolicyError(
            f"combinations of {part.size} quasi-identifiers are promised, and {n_columns} are declared: k of "
            "all of them is k-anonymity",
            "leave combinations out and keep k (in Python: KAnonymity), or ask for combinations of fewer",
        )
    n_sets = math.comb(n_columns, part.size)
    if n_sets > _MOST_SETS:
        raise PolicyError(
            f"combinations of {part.size} of {n_columns} quasi-identifiers are about {n_sets:,} sets of "
            "columns",
            f"at most {_MOST_SETS:,} can be counted; ask for smaller combinations, or for k of all columns",
        )


def check_policy(policy: Any) -> None:
    """Raise a PolicyError, with what to write instead, where this is no Policy."""
    if isinstance(policy, Policy):
        return
    hint = 'for example kanopy.Policy(quasi_identifiers=["age", "sex"], k=10)'
    if isinstance(policy, str | os.PathLike):
        hint = "load the file first: kanopy.Policy.load(path)"
    elif isinstance(policy, Mapping):
        hint = "make one of it: kanopy.Policy(**fields)"
    raise PolicyError(f"the policy must be a kanopy.Policy; this is a {type(policy).__name__}", hint)


def _source(column: str, value: Any) -> Any:
    """Where the hierarchy of a column comes from, checked as far as that goes without a table."""
    if isinstance(value, Mapping):
        from kanopy.hierarchies import Groups

        try:
            return Groups(value)
        except PolicyError as error:
            raise PolicyError(f"hierarchy of column {column!r}: {error.message}", error.hint) from None
    if not isinstance(value, Hierarchy | HierarchyRule | str | os.PathLike):
        raise PolicyError(
            f"the hierarchy of column {column!r} is neither a file nor a rule nor groups",
            "import rules from kanopy.hierarchies, for example Ranges([5, 10])",
        )
    return value


def _promises(value: Any) -> tuple[PrivacyModel, ...]:
    if isinstance(value, PrivacyModel):
        return value.parts
    promises = tuple(value) if isinstance(value, Iterable) else (value,)
    if not all(isinstance(promise, PrivacyModel) for promise in promises):
        raise PolicyError("privacy takes promises such as KAnonymity(10)", "import them from kanopy.privacy")
    return promises


def shown_name(name: str) -> str:
    """A column name as it appears in a message: quoted, escaped, and not longer than a line."""
    return repr(name if len(name) <= _SHOWN_CHARACTERS else name[: _SHOWN_CHARACTERS - 1] + "…")


def normal_name(name: Any) -> str:
    """A column name as tables have it: composed Unicode, no white space around it; cells lose more."""
    return composed(name).strip() if isinstance(name, str) else name


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise PolicyError(f"{key} takes a text, the name of a column")
    return normal_name(value)


def _paths(key: str, value: Any) -> tuple[Path, ...]:
    if isinstance(value, str | Mapping | Set) or not isinstance(value, Iterable):
        raise PolicyError(f"{key} takes a list of files", f'{key} = ["release_2023.csv"]')
    names = [os.fspath(item) if isinstance(item, str | os.PathLike) else None for item in value]
    if not all(isinstance(name, str) and name for name in names):
        raise PolicyError(f"{key} takes a list of files", f'{key} = ["release_2023.csv"]')
    return tuple(Path(str(name)) for name in names)


def _texts(key: str, value: Any) -> tuple[str, ...]:
    # The order of a set changes from run to run, and with it the release.
    if isinstance(value, str | Mapping | Set) or not isinstance(value, Iterable):
        raise PolicyError(f"{key} takes a list of texts", f'{key} = ["..."]')
    items = tuple(value)
    if key != "missing":
        return tuple(_text(key, item) for item in items)
    if not all(isinstance(item, str) for item in items):
        raise PolicyError("missing takes a list of texts", 'put them in quotes: missing = ["?", "-9"]')
    if any(map(has_half_character, items)):
        raise PolicyError("missing holds a text that is not Unicode", "no cell can hold it; leave it out")
    return tuple(clean_text(item) for item in items)
