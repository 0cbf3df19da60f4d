"""What the custodian decided: the role of every column, the promise, and how to keep it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import and_
from typing import TYPE_CHECKING, Any

from kanopy.data import Hierarchy
from kanopy.data.grammar import clean_text, composed
from kanopy.errors import PolicyError, near_name
from kanopy.hierarchies import Groups, HierarchyRule
from kanopy.privacy import KAnonymity, PrivacyModel

if TYPE_CHECKING:
    from kanopy.algorithms import Method

Source = Hierarchy | HierarchyRule | Mapping[str, Any] | str | os.PathLike[str]
"""Where a hierarchy may come from."""

_LISTS = (
    "quasi_identifiers", "sensitive", "identifiers", "keep", "missing", "numeric", "categorical",
    "value_statistics",
)  # fmt: skip
_SHOWN_CHARACTERS = 60
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?")


@dataclass(frozen=True)
class Policy:
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
        self._check_roles()
        self._check_hierarchies()
        self._check_promise()

    @classmethod
    def load(cls, path: str | os.PathLike[str], **instead: Any) -> Policy:
        """Read a policy file (TOML), with some of its fields replaced; see docs/policy.md for its keys."""
        from kanopy.policy.toml_file import load_policy

        return load_policy(path, instead)

    @property
    def method_name(self) -> str:
        """The name of the method, however it was given."""
        return self.method if isinstance(self.method, str) else self.method.name

    @property
    def promise(self) -> PrivacyModel:
        """Everything that must hold, as one promise."""
        assert isinstance(self.privacy, tuple)
        k: tuple[PrivacyModel, ...] = () if self.k is None else (KAnonymity(self.k),)
        return reduce(and_, k + self.privacy)

    @cached_property
    def roles(self) -> dict[str, str]:
        """The role of every declared column."""
        return dict(self._declared())

    @cached_property
    def published(self) -> frozenset[str]:
        """The columns that reach the release."""
        return frozenset(name for name, role in self._declared() if role not in ("identifiers", "person"))

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
        if undeclared and any(_NUMBER.fullmatch(name) for name in present):
            # PRIVACY: without a header the first row would be shown as names (tests/unit/policy).
            raise PolicyError(
                f"{len(undeclared)} columns are not in the policy, and some have numbers as names",
                "does the table lack a header line? else declare every column",
            )
        may_lack = ("identifiers", "person") if released else ()
        for name, role in self.roles.items():
            if name not in present and role not in may_lack:
                hint = near_name(name, present) or f"the table has {len(present)} columns; check the spelling"
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
        for hint_name in ("numeric", "categorical", "hierarchies"):
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

    def _check_hierarchies(self) -> None:
        for column, rule in self.hierarchies.items():
            if not isinstance(rule, HierarchyRule):
                continue
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
            raise PolicyError("no promise is declared", "set k, for example k = 10")
        bounded = (self.target, *self.sensitive)
        for part in self.promise.parts:
            for column in part.columns:
                if column not in bounded:
                    hint = near_name(column, [name for name in bounded if name]) or "declare it as sensitive"
                    raise PolicyError(f"a promise bounds column {column!r}, which is not sensitive", hint)
            for column in part.grouped_by or ():
                if column not in self.quasi_identifiers:
                    hint = near_name(column, self.quasi_identifiers) or "given takes quasi-identifiers"
                    what = f"a promise is given column {column!r}, which is no quasi-identifier"
                    raise PolicyError(what, hint)


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


def _texts(key: str, value: Any) -> tuple[str, ...]:
    # The order of a set changes from run to run, and with it the release.
    if isinstance(value, str | Mapping | Set) or not isinstance(value, Iterable):
        raise PolicyError(f"{key} takes a list of texts", f'{key} = ["..."]')
    items = tuple(value)
    if key != "missing":
        return tuple(_text(key, item) for item in items)
    if not all(isinstance(item, str) for item in items):
        raise PolicyError("missing takes a list of texts", 'put them in quotes: missing = ["?", "-9"]')
    if any("\ud800" <= letter <= "\udfff" for item in items for letter in item):
        raise PolicyError("missing holds a text that is not Unicode", "no cell can hold it; leave it out")
    return tuple(clean_text(item) for item in items)
