"""Policy files: what they say is what is meant, and what is not understood is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from kanopy.algorithms import find_method
from kanopy.errors import PolicyError, ResourceError
from kanopy.policy import Policy
from kanopy.policy.toml_file import load_policy, read_policy
from kanopy.privacy import (
    AlphaBound,
    AnonymityOf,
    BetaLikeness,
    Closeness,
    DeltaDisclosure,
    DistinctDiversity,
    EntropyDiversity,
    KAnonymity,
    PrivacyModel,
    RecursiveDiversity,
    Template,
)

HEAD = 'quasi_identifiers = ["age"]\nsensitive = ["ill"]\n'
BASE = HEAD + "[privacy]\nk = 3\n"


def read(text: str) -> Policy:
    return read_policy(text.encode())


def refusal(text: str | bytes) -> PolicyError:
    with pytest.raises(PolicyError) as caught:
        read_policy(text.encode() if isinstance(text, str) else text)
    return caught.value


def test_every_field() -> None:
    text = """
    quasi_identifiers = ["age", "zip"]
    target = "income"
    sensitive = ["ill"]
    identifiers = ["name"]
    keep = ["hours"]
    person = "patient"
    missing = ["?", "NA"]
    numeric = ["age"]
    categorical = ["zip"]
    [privacy]
    k = 10
    [method]
    name = "mondrian"
    cut = "median"
    strict = false
    share = 0.5
    [hierarchies]
    zip = "zip.csv"
    """
    assert read(text) == Policy(
        quasi_identifiers=["age", "zip"],
        target="income",
        sensitive=["ill"],
        identifiers=["name"],
        keep=["hours"],
        person="patient",
        missing=["?", "NA"],
        numeric=["age"],
        categorical=["zip"],
        k=10,
        method="mondrian",
        options={"cut": "median", "strict": False, "share": 0.5},
        hierarchies={"zip": Path("zip.csv")},
    )


@pytest.mark.parametrize(
    ("section", "keys", "promise"),
    [
        ("diversity", "l = 3", DistinctDiversity("ill", 3)),
        ("diversity", 'kind = "distinct"\nl = 3', DistinctDiversity("ill", 3)),
        ("diversity", 'kind = "entropy"\nl = 2.5', EntropyDiversity("ill", "2.5")),
        ("diversity", 'kind = "recursive"\nl = 3\nc = 1.5', RecursiveDiversity("ill", "1.5", 3)),
        ("closeness", "t = 0.2", Closeness("ill", "0.2")),
        ("closeness", 't = 0.2\ndistance = "ordered"', Closeness("ill", "0.2", "ordered")),
        ("alpha", "alpha = 0.4", AlphaBound("ill", "0.4")),
        (
            "alpha",
            'alpha = 0.4\nvalue = " Me\u0301nie\u0300re "',
            AlphaBound("ill", "0.4", "M\u00e9ni\u00e8re"),
        ),
        ("disclosure", "delta = 1", DeltaDisclosure("ill", 1)),
        ("disclosure", "delta = 1\nstrict_zero = true", DeltaDisclosure("ill", 1, strict_zero=True)),
        ("likeness", "beta = 1.5", BetaLikeness("ill", "1.5")),
        ("likeness", 'beta = 1.5\nkind = "enhanced"', BetaLikeness("ill", "1.5", "enhanced")),
        (
            "template",
            'given = [" age "]\nvalue = " Me\u0301nie\u0300re "\nat_most = 0.3',
            Template(["age"], "ill", "M\u00e9ni\u00e8re", "0.3"),
        ),
        (
            "template",
            'given = ["age"]\nvalue = ["flu", " HIV "]\nat_most = 0.3',
            Template(["age"], "ill", ["flu", "HIV"], "0.3"),
        ),
    ],
)
def test_every_promise(section: str, keys: str, promise: PrivacyModel) -> None:
    made = read(BASE + f'[[privacy.{section}]]\ncolumn = " ill "\n{keys}\n')
    assert made.promise.parts == (KAnonymity(3), promise)
    assert read(HEAD + f'[[privacy.{section}]]\ncolumn = "ill"\n{keys}\n').promise == promise


def test_several_sets_of_quasi_identifiers() -> None:
    head = 'quasi_identifiers = ["age", "zip", "sex"]\n'
    sets = ANONYMITY.format('[" age ", "zip"]', 10) + ANONYMITY.format('["sex"]', 4)
    promises = (AnonymityOf(["age", "zip"], 10), AnonymityOf(["sex"], 4))
    alone = read(head + sets)
    assert (alone.k, alone.promise.parts) == (None, promises)
    with_k = read(head + "[privacy]\nk = 2\n" + sets)
    assert (with_k.k, with_k.promise.parts) == (2, (KAnonymity(2), *promises))


def test_several_promises_of_a_kind() -> None:
    text = BASE + "".join(f'[[privacy.closeness]]\ncolumn = "ill"\nt = {t}\n' for t in ("0.1", "0.2"))
    assert read(text).promise.parts[1:] == (Closeness("ill", "0.1"), Closeness("ill", "0.2"))


@pytest.mark.parametrize(
    ("written", "exact"),
    [("0.3", "3/10"), ("3e-1", "3/10"), ("0.1_5", "3/20"), (f"0.3{'0' * 19}1", f"3{'0' * 19}1/1{'0' * 20}0")],
)
def test_bounds_are_exact(written: str, exact: str) -> None:
    made = read(BASE + f'[[privacy.alpha]]\ncolumn = "ill"\nalpha = {written}\n')
    (_, bound) = made.promise.parts
    assert isinstance(bound, AlphaBound)
    assert bound.alpha == Fraction(exact)
    assert bound.alpha != Fraction(float(written)), "the test would not notice floats"


ANONYMITY = "[[privacy.anonymity]]\ngiven = {}\nk = {}\n"
PROMISE = '[[privacy.{}]]\ncolumn = "ill"\n{}\n'


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("quasi_identifier = []\n" + BASE, "policy has no key 'quasi_identifier'", "'quasi_identifiers'?"),
        ("zzz = 1\n" + BASE, "policy has no key 'zzz'", "keys: quasi_identifiers, target"),
        ("k = 2\n" + BASE, "policy has no key 'k'", ""),
        (BASE + "kk = 3\n", "[privacy] of policy has no key 'kk'", "mean 'k'?"),
        (BASE + "[[privacy.closenes]]\nt = 1\n", "[privacy] of policy has no key 'closenes'", "'closeness'?"),
        (BASE + PROMISE.format("closeness", "tt = 1\nt = 1"), "[[privacy.closeness]] of pol", "mean 't'?"),
        (BASE + PROMISE.format("alpha", "alpha = 0.5\nat_most = 1"), "has no key 'at_most'", "keys: column"),
        (BASE + PROMISE.format("closeness", ""), "[[privacy.closeness]] of policy lacks t", ""),
        (BASE + PROMISE.format("template", 'given = ["age"]\nvalue = "x"'), "lacks at_most", ""),
        (BASE + "[[privacy.alpha]]\nalpha = 0.5\n", "lacks column", ""),
        (BASE + "[[privacy.anonymity]]\nk = 2\n", "[[privacy.anonymity]] of policy lacks given", ""),
        (BASE + '[[privacy.anonymity]]\ngiven = ["age"]\n', "[[privacy.anonymity]] of policy lacks k", ""),
        (
            BASE + PROMISE.format("anonymity", 'given = ["age"]\nk = 2'),
            "has no key 'column'",
            "keys: given, k",
        ),
        (
            BASE + ANONYMITY.format('"age"', 2),
            "an anonymity takes given, a list of columns",
            '["age", "zip"]',
        ),
        (BASE + ANONYMITY.format("[1]", 2), "an anonymity takes given, a list of columns", '["age", "zip"]'),
        (BASE + ANONYMITY.format("[]", 2), "given must name at least one column", ""),
        (BASE + ANONYMITY.format('["age", " age "]', 2), "and none twice", ""),
        (BASE + ANONYMITY.format('["agee"]', 2), "given column 'agee', which is no quasi", "mean 'age'?"),
        (BASE + ANONYMITY.format('["ill"]', 2), "given column 'ill', which is no quasi", "takes quasi-ident"),
        (BASE + ANONYMITY.format('["age"]', 1), "k must be a whole number of at least 2", ""),
        (BASE + ANONYMITY.format('["age"]', "2.0"), "k must be a whole number of at least 2", ""),
        (BASE + ANONYMITY.format('["age"]', "'2'"), "k must be a whole number of at least 2", ""),
        (BASE + ANONYMITY.format('["age"]', "nan"), "k must be a whole number of at least 2", ""),
        (BASE + "anonymity = 3\n", "privacy.anonymity is a list of sections", "write [[privacy.anonymity]]"),
        (BASE + "closeness = 3\n", "privacy.closeness is a list of sections", "write [[privacy.closeness]]"),
        (BASE + "[privacy.closeness]\nt = 1\n", "privacy.closeness is a list of sections", ""),
        (BASE + PROMISE.format("alpha", "alpha = 0.5\nvalue = 7"), "value takes a text", "quotes"),
        (BASE + PROMISE.format("diversity", "l = 2\nkind = 7"), "kind takes a text", "quotes"),
        (BASE + PROMISE.format("closeness", "t = 0.5\ndistance = 7"), "distance takes a text", "quotes"),
        (BASE + "[[privacy.alpha]]\ncolumn = 7\nalpha = 0.5\n", "column takes a text", "quotes"),
        (
            BASE + PROMISE.format("template", 'given = ["age"]\nvalue = 7\nat_most = 0.5'),
            "value takes a text",
            "quotes",
        ),
        (
            BASE + PROMISE.format("template", 'given = ["age"]\nvalue = ["a", 7]\nat_most = 0.5'),
            "a text or a list of texts",
            "quotes",
        ),
        (BASE + PROMISE.format("alpha", 'alpha = 0.5\nvalue = ["a", "b"]'), "value takes a text", "quotes"),
        (
            BASE + PROMISE.format("template", 'given = "age"\nvalue = "x"\nat_most = 0.5'),
            "given, a list of columns",
            "",
        ),
        (BASE + PROMISE.format("diversity", 'l = 2\nkind = "recursive"'), "needs c", "c = 2"),
        (BASE + PROMISE.format("diversity", "l = 2\nc = 2"), "distinct diversity takes no c", "recursive"),
        (BASE + PROMISE.format("diversity", 'l = 2\nkind = "odd"'), "distinct, entropy or recursive", ""),
        (BASE + PROMISE.format("alpha", "alpha = nan"), "alpha must be a number above 0", "3/10"),
        (BASE + PROMISE.format("alpha", "alpha = 1e-9999999"), "alpha must be a number above 0", ""),
        (BASE + PROMISE.format("disclosure", "delta = 1\nstrict_zero = 1"), "strict_zero", ""),
        (HEAD + "[privacy]\nk = 2.0\n", "k must be a whole number", ""),
        (HEAD + 'privacy = "x"\n', "privacy is a section", "[privacy]"),
        ('method = "mondrian"\n' + BASE, "method is a section", "[method]"),
        (BASE + "[method]\nname = 3\n", "name takes a text", "mondrian"),
        (BASE + "[hierarchies]\nage = 3\n", "'age' takes the name of a file", 'age = "FILE.csv"'),
        ("keep = [1]\n" + BASE, "keep takes a text", ""),
        ("missing = [-9]\n" + BASE, "missing takes a list of texts", "quotes"),
        ('target = "a"\ntarget = "b"\n' + BASE, "a key is given twice at line 2", "keep one"),
        (BASE + "k = 4\n", "a key is given twice at line 5", "keep one"),
        ("target = \n" + BASE, "not valid TOML at line 1, column 10", "lines look like"),
        ('target = "', "not valid TOML at line 1, the last", "lines look like"),
        ("", "policy is empty", "kanopy suggest"),
        (" \n\t\n", "policy is empty", "kanopy suggest"),
        ("\ufeff", "policy is empty", ""),
        ("keep = " + "[" * 5000 + "]" * 5000, "nested too deeply", "two levels"),
        ("[privacy]\nk = " + "9" * 5000, "a number that cannot be read", "shorter"),
        (b'target = "\xff"', "policy is not UTF-8 at byte 10", "UTF-8"),
        (BASE.encode("utf-16"), "not UTF-8 at byte 0", "UTF-8"),
    ],
)
def test_what_is_not_understood(text: str | bytes, message: str, hint: str) -> None:
    error = refusal(text)
    assert message in error.message
    assert hint in error.hint


def test_byte_order_mark() -> None:
    assert read_policy(b"\xef\xbb\xbf" + BASE.encode()) == read(BASE)


def test_load(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(BASE + '[hierarchies]\nage = "age.csv"\n', "utf-8")
    made = Policy.load(path, k=7, sensitive=(), keep=["ill"])
    assert made.hierarchies == {"age": tmp_path / "age.csv"}
    assert (made.k, made.sensitive, made.keep) == (7, (), ("ill",))


def test_load_refuses(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    with pytest.raises(PolicyError, match=r"'policy\.toml': no such file") as caught:
        load_policy(path)
    assert caught.value.hint == "draft one: kanopy suggest DATA -o policy.toml"
    with pytest.raises(PolicyError, match="is a directory"):
        load_policy(tmp_path)
    path.write_bytes(BASE.encode() + b"#" * 1_000_000)
    with pytest.raises(PolicyError, match="larger than 1,000,000 bytes"):
        load_policy(path)
    path.write_text("kk = 1\n" + BASE, "utf-8")
    with pytest.raises(PolicyError, match=r"policy 'policy\.toml' has no key 'kk'"):
        load_policy(path)
    with pytest.raises(ResourceError, match="cannot be read"):
        load_policy(path / "inside.toml")


@pytest.mark.parametrize("text", ["[privacy]\nk = 1e400", "[privacy]\nk = 2\n[method]\npublish = 1e400"])
def test_numbers_beyond_all_floats(text: str, tmp_path: Path) -> None:
    """Found by fuzzing: a fraction that no float can hold."""
    path = tmp_path / "policy.toml"
    path.write_text(f'quasi_identifiers = ["a"]\n{text}\n')
    with pytest.raises(PolicyError):
        find_method("mondrian").settle(Policy.load(path).options)
