"""Bad input, row by row of the catalogue: what goes in, and what the user must see."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from command import SECRET

FLAGS = ("--quasi", "age,zip", "--target", "cls", "--k", "2")
HEADER = "age,zip,cls\n"
TABLE = HEADER + "".join(f"{20 + i % 4},{i % 3:05d},{'YN'[i % 2]}\n" for i in range(12))
POLICY = 'quasi_identifiers = ["age", "zip"]\ntarget = "cls"\n'
PROMISE = POLICY + "[privacy]\nk = 2\n"
TEMPLATE = PROMISE + "[[privacy.template]]\ngiven = ['age']\ncolumn = 'cls'\nvalue = 'Y'\n"


@dataclass(frozen=True)
class Case:
    """One call of ``kanopy anonymize``.

    Parameters
    ----------
    name : str
        The row of the catalogue, and a word for it.
    table : str or bytes
    code : int
        The exit code that must come back.
    says : str
        A pattern that standard error must contain, from what is wrong to what to do.
    flags : tuple of str
        Instead of the usual ones; not used where there is a policy.
    more : tuple of str
        Further flags.
    policy : str or bytes, optional
    file : str
        What the table is called.
    others : dict
        Further files beside it.
    expected : str, optional
        For a table that is accepted: the release.
    """

    name: str
    table: str | bytes
    code: int
    says: str
    flags: tuple[str, ...] = FLAGS
    more: tuple[str, ...] = ()
    policy: str | bytes | None = None
    file: str = "data.csv"
    others: dict[str, str | bytes] = field(default_factory=dict)
    expected: str | None = None

    def __str__(self) -> str:
        return self.name


def parquet(table: pa.Table, **options: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    return sink.getvalue()


def columns(age: Any) -> pa.Table:
    """The usual columns, with another ``age``."""
    return pa.table({"age": age, "zip": ["a"] * len(age), "cls": ["Y"] * len(age)})


def hierarchy(name: str, lines: str, says: str) -> Case:
    policy = PROMISE + '[hierarchies]\nage = "ages.csv"\n'
    return Case(name, TABLE, 2, says, policy=policy, others={"ages.csv": lines})


def wrong_policy(name: str, policy: str | bytes, says: str, code: int = 2) -> Case:
    return Case(name, TABLE, code, says, policy=policy)


def flagged(name: str, says: str, *flags: str, code: int = 2) -> Case:
    return Case(name, TABLE, code, says, flags=flags)


WRONG_FILES = [
    Case("1 empty file", "", 3, r"data\.csv: file is empty\n hint: give a table"),
    Case("2 header only", HEADER, 3, r"data\.csv: no data rows\n hint: .*header"),
    Case("3 blank lines only", "\n\r\n\n", 3, r"only blank lines\n hint: give a table"),
    Case("4 duplicate names", "age,age,cls\n1,2,3\n", 3, r"more than once: 'age'\n hint: rename"),
    Case("5 alike but for case", " age ,Age,cls\n1,2,3\n", 3, r"only in case: 'age', 'Age'\n hint: rename"),
    Case("5 alike but for form", "Zoé,Zoe\u0301,cls\n1,2,3\n", 3, r"more than once: 'Zoé'\n hint: rename"),
    Case("6 unnamed column", ",zip,cls\n1,2,3\n", 3, r"column 1 has no name\n hint: name every column"),
    Case(
        "7 trailing comma",
        f"{HEADER}30,{SECRET},Y,\n",
        3,
        r"line 2 has 4 fields, the header has 3\n hint: every row",
    ),
    Case("8 short row", f"{TABLE}1,{SECRET}\n", 3, r"line 14 has 2 fields, the header has 3\n hint: every"),
    Case("9 long row", f"{TABLE}1,2,3,{SECRET}\n", 3, r"line 14 has 4 fields, the header has 3\n hint: every"),
    Case(
        "10 open quote",
        f'{TABLE}1,"{SECRET},3\n4,5,6\n',
        3,
        r"line 14 opens a quote that is never closed\n hint: close it",
    ),
    Case("11 other delimiter", "age;zip;cls\n1;2;3\n", 3, r"one column found\n hint: try --delimiter ';'"),
    Case("13 utf-16", TABLE.encode("utf-16"), 3, r"not UTF-8.*\n hint: use --encoding utf-16"),
    Case(
        "13 latin-1",
        f"{TABLE}1,é,{SECRET}\n".encode("latin-1"),
        3,
        r"not UTF-8 at byte 147\n hint: .*--encoding",
    ),
    Case("14 NUL", f"{TABLE}1,\0{SECRET},3\n", 3, r"line 14 contains a NUL byte\n hint: remove it"),
    Case("49 pickle", b"\x80\x04" + SECRET.encode(), 2, r"pickle is never read.*\n hint: save", file="t.pkl"),
    Case("49 spreadsheet", b"PK\x03\x04", 2, r"spreadsheets are not read\n hint: save", file="t.xlsx"),
    Case(
        "50 truncated",
        parquet(columns([SECRET] * 9))[:-20],
        3,
        r"the Parquet file is cut short\n hint: copy",
        file="t.parquet",
    ),
    Case("50 wrong magic", TABLE, 3, r"not a Parquet file\n hint: name", file="t.parquet"),
    Case("50 encrypted", b"PARE" + b"x" * 99 + b"PARE", 3, r"encrypted\n hint: decrypt", file="t.parquet"),
    Case("50 damaged", b"PAR1" + b"x" * 99 + b"PAR1", 3, r"damaged.*\n hint: copy", file="t.parquet"),
    *(
        Case(
            f"50 {kind}",
            parquet(columns(pa.array(values))),
            3,
            rf"column 'age' has the type {kind}\n hint: only text, numbers",
            file="t.parquet",
        )
        for kind, values in {"list": [[SECRET]] * 4, "struct": [{"a": SECRET}] * 4, "binary": [b"a"] * 4}.items()
    ),
]

WRONG_CELLS = [
    Case("19 k above rows", TABLE, 4, r"k = 13, but the table has 12 rows\n hint: lower k", more=("--k=13",)),
    Case(
        "19 k above persons",
        "age,zip,cls,who\n" + "1,2,Y,anna\n1,2,N,ben\n" * 9,
        4,
        r"k = 3, but the table has 2 persons\n hint: lower k",
        more=("--k=3", "--person=who"),
    ),
    Case(
        "19 person unknown",
        "age,zip,cls,who\n1,2,Y,anna\n1,2,N,\n",
        3,
        r"person column 'who' is empty in 1 rows\n hint: .*every row needs one",
        more=("--person=who",),
    ),
    Case("25 all-null target", HEADER + "1,2,\n" * 3, 3, r"target column 'cls' is empty in every row\n hint: cho"),
    *(
        Case(
            f"31 {cell}",
            f"{HEADER}1,a,Y\n2,a,Y\n{cell},a,N\n",
            3,
            r"column 'age' is numeric but for 1 values that are infinite.*\n hint: declare",
        )
        for cell in ("inf", "-inf", "NaN", "Infinity")
    ),
    Case(
        "31 declared numeric",
        f"{HEADER}1,a,Y\n{SECRET},a,Y\n",
        3,
        r"'age' is declared numeric, but 1 of its values are no finite numbers\n hint: declare",
        more=("--numeric=age",),
    ),
    *(
        Case(
            f"35 {cell}",
            f"{HEADER}1,{cell},Y\n2,{cell},N\n3,{SECRET},N\n",
            3,
            rf"column 'zip' has 2 cells that are just '\{cell}'\n hint: if it means missing, declare it",
        )
        for cell in ("*", "?")
    ),
]

WRONG_REQUESTS = [
    *(
        flagged(f"20 --k={k}", r"k must be a whole number of at least 2\n hint: for example", *FLAGS, f"--k={k}")
        for k in ("0", "-1", "1", "2.5", "'5'", "true", "inf", "nan", f"{10**30}", "", "9" * 5000)
    ),
    *(
        wrong_policy(
            f"20 k = {k}",
            f"{POLICY}[privacy]\nk = {k}\n",
            r"k must be a whole number of at least 2\n hint: for example",
        )
        for k in ("0", "-1", "1", "2.5", "2.0", "'5'", "true", "inf", f"{10**30}", "1979-05-27", "[5]")
    ),
    flagged("21 unknown quasi-identifier", r"'agee', which the table does not have\n hint: did you mean 'age'\?",
            "--quasi=agee,zip", "--target=cls", "--k=2"),
    flagged("21 unknown target", r"target names column 'class', which .* not have\n hint: did you mean 'cls'\?",
            "--quasi=age,zip", "--target=class", "--k=2"),
    flagged("21 unknown sensitive", r"sensitive names column 'hiv', which .* not have\n hint: the table has 3",
            *FLAGS, "--sensitive=hiv"),
    flagged("21 undeclared column", r"does not say what these columns are: 'cls'\n hint: declare each",
            "--quasi=age,zip", "--k=2"),
    flagged("22 target is a quasi-identifier", r"'cls' is declared twice: quasi_identifiers and target\n hint: gi",
            "--quasi=age,zip,cls", "--target=cls", "--k=2"),
    flagged("22 sensitive quasi-identifier", r"'age' is declared twice: quasi_identifiers and sensitive\n hint:",
            *FLAGS, "--sensitive=age"),
    flagged("22 one name twice", r"'age' is declared twice: quasi_identifiers and quasi_identifiers\n hint: give",
            "--quasi=age,age", "--k=2"),
    flagged("22 numeric and categorical", r"'age' is declared numeric and categorical\n hint: choose one",
            *FLAGS, "--numeric=age", "--categorical=age"),
    flagged("23 no policy at all", r"no policy: .*\n hint: draft one with: kanopy suggest", "--target=cls", "--k=2"),
    flagged("23 no quasi-identifiers", r"no quasi-identifiers are declared\n hint: name the columns",
            "--quasi=", "--target=cls", "--k=2"),
    flagged("23 no promise", r"no promise is declared\n hint: set k", "--quasi=age,zip", "--target=cls"),
    flagged("seed", r"the seed must be a whole number, and not negative\n hint: for", *FLAGS, "--seed=-1"),
    flagged("method", r"no method is called 'mondrain'\n hint: did you mean 'mondrian'\?",
            *FLAGS, "--method=mondrain"),
    flagged("option", r"has no option 'cutt'\n hint: did you mean 'cut'\?", *FLAGS, "--option=cutt=gain"),
    flagged("option without value", r"--option takes NAME=VALUE\n hint: for", *FLAGS, "--option=cut"),
    flagged("option twice", r"option 'cut' is given twice\n hint: ", *FLAGS, *["--option=cut=gain"] * 2),
    flagged("delimiter", r"delimiter must be one ASCII character.*\n hint: for", *FLAGS, "--delimiter=ab"),
    flagged("encoding", r"unknown encoding 'utf-99'\n hint: for example utf-8", *FLAGS, "--encoding=utf-99"),
    flagged("unbalanced quote", r"argument --quasi: .*quotes come in pairs", '--quasi="age', "--k=2"),
]  # fmt: skip

WRONG_POLICIES = [
    wrong_policy("41 no TOML", "target = \n", r"'policy.toml': this is no TOML at line 1, column \d+\n hint: "),
    wrong_policy("41 cut off", POLICY + "k = ", r"this is no TOML at line 3, the last\n hint: lines look like"),
    wrong_policy("41 tab", "\tk: 5\n", r"this is no TOML at line 1, column 3\n hint: lines look like"),
    wrong_policy("41 list at top", "- age\n- zip\n", r"this is no TOML at line 1, column 1\n hint: lines look"),
    wrong_policy("41 empty", "", r"'policy.toml' is empty\n hint: draft one: kanopy suggest"),
    wrong_policy("41 only blanks", " \n\n", r"'policy.toml' is empty\n hint: draft one"),
    wrong_policy("41 not UTF-8", b'target = "\xff"', r"is not UTF-8 at byte 10\n hint: save it as UTF-8"),
    wrong_policy(
        "42 duplicate key", f"{PROMISE}k = 100\n# end\n", r"a key is given twice at line 5, column 8\n hint: keep"
    ),
    wrong_policy("42 duplicate key at the end", f"{PROMISE}k = 100", r"given twice at line 5, the last\n hint: keep"),
    wrong_policy(
        "43 unknown key",
        'quasi_identifers = ["age"]\n',
        r"has no key 'quasi_identifers'\n hint: did you mean 'quasi_identifiers'\?",
    ),
    wrong_policy("43 unknown in a section", f"{PROMISE}kk = 3\n", r"\[privacy\] .* 'kk'\n hint: did you mean 'k'"),
    wrong_policy(
        "43 unknown in a promise",
        f"{TEMPLATE}at_most = 0.5\natmost = 1\n",
        r"\[\[privacy.template\]\] .* has no key 'atmost'\n hint: did you mean 'at_most'\?",
    ),
    wrong_policy("44 a bare word", f"missing = NO\n{PROMISE}", r"this is no TOML at line 1, column 11\n hint"),
    wrong_policy("44 a number", f"missing = [668]\n{PROMISE}", r"missing takes a list of texts\n hint: .*quotes"),
    wrong_policy("44 a truth", f"missing = [false]\n{PROMISE}", r"missing takes a list of texts\n hint: .*quotes"),
    wrong_policy(
        "44 a number in a template",
        f"{TEMPLATE.replace(repr('Y'), '1')}at_most = 0.5\n",
        r"value takes a text\n hint: put it in quotes",
    ),
    wrong_policy("45 too large", "#" * 1_000_001, r"is larger than 1,000,000 bytes\n hint: a policy is"),
    wrong_policy("45 too deep", "a = " + "[" * 4000 + "]" * 4000, r"is nested too deeply\n hint: a policy"),
    wrong_policy("45 number bomb", f"{TEMPLATE}at_most = 1e999999999\n", r"at_most must be a number.*\n hint: "),
    wrong_policy("45 digit bomb", f"{POLICY}[privacy]\nk = {'9' * 5000}\n", r"number that cannot be read\n hint: "),
    wrong_policy("46 executable tag", "a = !!python/object:x\n", r"this is no TOML at line 1, column 5\n hint"),
    wrong_policy("a section as a list", "[quasi_identifiers]\nage = 1\n", r"quasi_identifiers takes a list.*\n hint"),
    wrong_policy("a list as a section", f"privacy = 5\n{POLICY}", r"privacy is a section\n hint: write \[privacy\]"),
    wrong_policy("a bound on a quasi-identifier", TEMPLATE.replace("'cls'", "'zip'") + "at_most = 0.5\n",
                 r"bounds column 'zip', which is not sensitive\n hint: declare"),
    hierarchy("47 no such file", "", r"").__class__(
        "47 no such file", TABLE, 2, r"hierarchy of column 'age' \(ages\.csv\): no such file\n hint: paths",
        policy=PROMISE + '[hierarchies]\nage = "ages.csv"\n',
    ),
    hierarchy("47 empty", "", r"hierarchy of column 'age' is empty\n hint: give one line per value"),
    hierarchy("47 value missing", "20;a;*\n21;a;*\n", r"hierarchy of column 'age' lacks 2 values.*\n hint: add"),
    hierarchy("47 cycle", "20;21;*\n21;20;*\n22;20;*\n23;21;*\n", r"'age': 2 groups share their name.*\n hint: ren"),
    hierarchy("47 two paths", "20;a;*\n20;b;*\n21;a;*\n", r"'age': 1 values are listed with two paths\n hint: keep"),
    hierarchy("47 two parents", "20;a;x\n21;a;y\n22;b;x\n23;b;y\n", r"'age': on level 1, 2 lines .*\n hint: every"),
    hierarchy("47 ragged", "20;a;*\n21;*\n", r"'age': 1 lines differ in length from the first\n hint: repeat"),
    hierarchy("47 empty label", "20;;*\n21;a;*\n", r"1 lines have an empty label\n hint: name every group"),
    hierarchy("47 open quote", f'"20;{SECRET};*\n', r"is no UTF-8 text.*\n hint: lines look like"),
    hierarchy("47 NUL", "20;a\0;*\n", r"contains a NUL character\n hint: remove it"),
    *(
        wrong_policy(f"48 h = {h}", f"{TEMPLATE}at_most = {h}\n", r"at_most must be a number above 0 and below 1\n h")
        for h in ("0", "1", "1.5", "-0.1", "nan", "'x'", "true")
    ),
    wrong_policy(
        "48 infeasible h",
        f"{TEMPLATE}at_most = 0.3\n",
        r"even all rows together do not keep the promise.*\n hint: the table as one group reaches 0\.5",
        code=4,
    ),
]  # fmt: skip

RELEASE = HEADER + "".join(f"{20 + i // 3},*,{'YN'[i // 3 % 2]}\n" for i in range(12))

ACCEPTED = [
    Case("12 byte order mark", "\ufeff" + TABLE, 0, "promise", expected=RELEASE),
    Case("13 utf-16 declared", TABLE.encode("utf-16"), 0, "promise", more=("--encoding=utf-16",), expected=RELEASE),
    Case("11 delimiter declared", TABLE.replace(",", ";"), 0, "", more=("--delimiter=;",), expected=RELEASE),
    Case("15 CR only", TABLE.replace("\n", "\r"), 0, "promise", expected=RELEASE),
    Case("15 CRLF", TABLE.replace("\n", "\r\n"), 0, "promise", expected=RELEASE),
    Case("15 mixed", TABLE.replace("Y\n", "Y\r\n").replace("N\n", "N\r"), 0, "promise", expected=RELEASE),
    Case("16 line end in a cell", HEADER + '1,"a\nb",Y\n' * 2, 0, "2 in, 2 out", expected=HEADER + '1,"a\nb",Y\n' * 2),
    Case("16 U+2028 in a cell", HEADER + "1,a\u2028b,Y\n" * 2, 0, "2 in", expected=HEADER + "1,a\u2028b,Y\n" * 2),
    Case(
        "18 mixed types",
        HEADER + '1,a,Y\n1.0,a,N\n"1",a,Y\nTrue,a,N\n1.0,a,Y\nTrue,a,N\n',
        0,
        r"note +column 'age': 2 of its 3 values are plain numbers.* read as text",
        expected=HEADER + "1,a,Y\n1,a,Y\n1.0,a,N\n1.0,a,Y\nTrue,a,N\nTrue,a,N\n",
    ),
    Case(
        "18 numbers written in two ways",
        HEADER + "1,a,Y\n1.0,a,N\n" * 2,
        0,
        r"note +column 'age': 1 numbers are written in more than one way, kept as text",
        expected=HEADER + "1,a,Y\n1,a,Y\n1.0,a,N\n1.0,a,N\n",
    ),
    Case(
        "24 all-null quasi-identifier",
        HEADER + ",a,Y\n,a,N\n",
        0,
        r"note +quasi-identifier 'age' is empty in every row",
        expected=HEADER + ",a,N\n,a,Y\n",
    ),
    Case(
        "25 target with nulls",
        HEADER + "1,a,Y\n1,a,\n",
        0,
        r"note +target 'cls' is missing in 1 rows; missing counts as a class",
        expected=HEADER + "1,a,Y\n1,a,\n",
    ),
    Case("26 constant column", HEADER + "1,a,Y\n1,b,N\n" * 2, 0, "4 out",
         expected=HEADER + "1,a,Y\n1,a,Y\n1,b,N\n1,b,N\n"),
    Case(
        "27 single class",
        HEADER + "1,a,Y\n9,a,Y\n" * 2,
        0,
        r"note +target 'cls' has a single class",
        expected=HEADER + "1,a,Y\n1,a,Y\n9,a,Y\n9,a,Y\n",
    ),
    Case("29 all rows alike", HEADER + "1,a,Y\n" * 5, 0, r"0\.0% of their cells suppressed",
         expected=HEADER + "1,a,Y\n" * 5),
    Case(
        "30 all rows unique",
        HEADER + "1,a,Y\n2,b,N\n3,c,Y\n",
        0,
        "3 in, 3 out, 0 dropped",
        expected=HEADER + '"[1, 3]",*,N\n"[1, 3]",*,Y\n"[1, 3]",*,Y\n',
    ),
    Case(
        "31 infinity means missing",
        HEADER + "1,a,Y\n1,a,N\ninf,a,N\ninf,a,Y\n",
        0,
        "promise",
        more=("--missing=inf",),
        expected=HEADER + "1,a,N\n1,a,Y\n,a,N\n,a,Y\n",
    ),
    Case(
        "31 infinity is a word",
        HEADER + "1,a,Y\n1,a,N\ninf,a,N\ninf,a,Y\n",
        0,
        "promise",
        more=("--categorical=age",),
        expected=HEADER + "1,a,N\n1,a,Y\ninf,a,N\ninf,a,Y\n",
    ),
    Case(
        "31 the mean of large floats",
        HEADER + "1.7e308,a,Y\n1.6e308,a,Y\n" * 2,
        0,
        "promise",
        more=("--k=4", "--option=publish=mean"),
        expected=None,
    ),
    Case(
        "32 integers beyond floats",
        HEADER + "9007199254740993,a,Y\n9007199254740992,a,N\n,a,N\n" * 2,
        0,
        r"6 out",
        expected=HEADER + ",a,N\n,a,N\n9007199254740992,a,N\n9007199254740992,a,N\n"
        "9007199254740993,a,Y\n9007199254740993,a,Y\n",
    ),
    Case(
        "33 dates in several formats",
        HEADER + "2020-01-02,a,N\n01/02/2020,a,Y\n2020-01-02T00:00+02:00,a,Y\n" * 2,
        0,
        "promise",
        expected=HEADER + "01/02/2020,a,Y\n" * 2 + "2020-01-02,a,N\n" * 2 + "2020-01-02T00:00+02:00,a,Y\n" * 2,
    ),
    Case(
        "34 words that look missing",
        HEADER + "NA,None,null\n" * 2 + "Null,NaN,NA\n" * 2 + "nan,null,None\n" * 2,
        0,
        "promise",
        expected=HEADER + "NA,None,null\n" * 2 + "Null,NaN,NA\n" * 2 + "nan,null,None\n" * 2,
    ),
    Case("35 declared missing", HEADER + "1, ?,Y\n" * 2, 0, "promise", more=("--missing=?",),
         expected=HEADER + "1,,Y\n" * 2),
    Case("35 star inside a word, and as a class", HEADER + "1,a*,*\n" * 2, 0, "promise",
         expected=HEADER + "1,a*,*\n" * 2),
    Case(
        "36 blanks",
        HEADER + " 1 ,a\u00a0,\tY\n1,a,Y\n",
        0,
        r"note +column 'zip': 1 cells had blanks around them.*1 values became equal to another",
        expected=HEADER + "1,a,Y\n" * 2,
    ),
    Case("36 unicode forms", HEADER + "1,Zoé,Y\n1,Zoe\u0301,Y\n", 0, "decomposed Unicode",
         expected=HEADER + "1,Zoé,Y\n" * 2),
    Case("37 leading zeros", HEADER + "1,01234,Y\n1,1234,N\n" * 2, 0, "promise",
         expected=HEADER + "1,01234,Y\n" * 2 + "1,1234,N\n" * 2),
    Case(
        "38 formulas",
        HEADER + "-5,=1+1,@x\n" * 2,
        0,
        r"note +some texts begin like a formula; --spreadsheet-safe",
        expected=HEADER + "-5,=1+1,@x\n" * 2,
    ),
    Case("38 formulas disarmed", HEADER + "-5,=1+1,@x\n" * 2, 0, "promise", more=("--spreadsheet-safe",),
         expected=HEADER + "-5,'=1+1,'@x\n" * 2),
    Case(
        "39 names that are markup, paths, quotes",
        '<script>x</script>,../../x,"a""b"\n' + "1,2,3\n" * 2,
        0,
        "promise",
        flags=("--quasi", '<script>x</script>,../../x,"a""b"', "--k", "2"),
        expected='<script>x</script>,../../x,"a""b"\n' + "1,2,3\n" * 2,
    ),
    Case("39 long name", "x" * 10_000 + "\n1\n1\n", 0, "promise", flags=("--quasi", "x" * 10_000, "--k", "2"),
         expected="x" * 10_000 + "\n1\n1\n"),
    Case("40 a cell that is markup", HEADER + '1,"""><img onerror=x>",Y\n' * 2, 0, "promise",
         expected=HEADER + '1,"""><img onerror=x>",Y\n' * 2),
    Case(
        "50 decimal and dictionary",
        parquet(
            pa.table(
                {
                    "age": pa.array([1, 1], pa.decimal128(5, 2)),
                    "zip": pa.array(["a", "a"]).dictionary_encode(),
                    "cls": ["Y", "Y"],
                }
            )
        ),
        0,
        "promise",
        file="t.parquet",
        expected=HEADER + "1.00,a,Y\n" * 2,
    ),
]  # fmt: skip
