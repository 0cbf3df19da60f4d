"""Requests that are refused: flags, policies and hierarchies."""

from cases import FLAGS, POLICY, PROMISE, TEMPLATE, flagged, hierarchy, wrong_policy
from command import SECRET

WRONG_REQUESTS = [
    *(
        flagged(
            f"20 --k={k}", r"k must be a whole number of at least 2\n hint: for example", *FLAGS, f"--k={k}"
        )
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
    flagged(
        "21 unknown quasi-identifier",
        r"'agee', which the table does not have\n hint: did you mean 'age'\?",
        "--quasi=agee,zip",
        "--target=cls",
        "--k=2",
    ),
    flagged(
        "21 unknown target",
        r"target names column 'class', which .* not have\n hint: did you mean 'cls'\?",
        "--quasi=age,zip",
        "--target=class",
        "--k=2",
    ),
    flagged(
        "21 unknown sensitive",
        r"sensitive names column 'hiv', which .* not have\n hint: the table has 3",
        *FLAGS,
        "--sensitive=hiv",
    ),
    flagged(
        "21 undeclared column",
        r"does not say what these columns are: 'cls'\n hint: declare each",
        "--quasi=age,zip",
        "--k=2",
    ),
    flagged(
        "22 target is a quasi-identifier",
        r"'cls' is declared twice: quasi_identifiers and target\n hint: gi",
        "--quasi=age,zip,cls",
        "--target=cls",
        "--k=2",
    ),
    flagged(
        "22 sensitive quasi-identifier",
        r"'age' is declared twice: quasi_identifiers and sensitive\n hint:",
        *FLAGS,
        "--sensitive=age",
    ),
    flagged(
        "22 one name twice",
        r"'age' is declared twice: quasi_identifiers and quasi_identifiers\n hint: give",
        "--quasi=age,age",
        "--k=2",
    ),
    flagged(
        "22 numeric and categorical",
        r"'age' is declared numeric and categorical\n hint: choose one",
        *FLAGS,
        "--numeric=age",
        "--categorical=age",
    ),
    flagged(
        "23 no policy at all",
        r"no policy: .*\n hint: draft one with: kanopy suggest",
        "--target=cls",
        "--k=2",
    ),
    flagged(
        "23 no quasi-identifiers",
        r"no quasi-identifiers are declared\n hint: name the columns",
        "--quasi=",
        "--target=cls",
        "--k=2",
    ),
    flagged("23 no promise", r"no promise is declared\n hint: set k", "--quasi=age,zip", "--target=cls"),
    flagged("seed", r"the seed must be a whole number, and not negative\n hint: for", *FLAGS, "--seed=-1"),
    flagged(
        "method",
        r"no method is called 'mondrain'\n hint: did you mean 'mondrian'\?",
        *FLAGS,
        "--method=mondrain",
    ),
    flagged("option", r"has no option 'cutt'\n hint: did you mean 'cut'\?", *FLAGS, "--option=cutt=gain"),
    flagged("option without value", r"--option takes NAME=VALUE\n hint: for", *FLAGS, "--option=cut"),
    flagged("option twice", r"option 'cut' is given twice\n hint: ", *FLAGS, *["--option=cut=gain"] * 2),
    flagged("delimiter", r"delimiter must be one ASCII character.*\n hint: for", *FLAGS, "--delimiter=ab"),
    flagged("encoding", r"unknown encoding 'utf-99'\n hint: for example utf-8", *FLAGS, "--encoding=utf-99"),
    flagged("unbalanced quote", r"argument --quasi: .*quotes come in pairs", '--quasi="age', "--k=2"),
]

WRONG_POLICIES = [
    wrong_policy(
        "41 no TOML", "target = \n", r"'policy.toml': not valid TOML at line 1, column \d+\n hint: "
    ),
    wrong_policy(
        "41 cut off", POLICY + "k = ", r"not valid TOML at line 3, the last\n hint: lines look like"
    ),
    wrong_policy("41 tab", "\tk: 5\n", r"not valid TOML at line 1, column 3\n hint: lines look like"),
    wrong_policy(
        "41 list at top", "- age\n- zip\n", r"not valid TOML at line 1, column 3\n hint: lines look"
    ),
    wrong_policy("41 empty", "", r"'policy.toml' is empty\n hint: draft one: kanopy suggest"),
    wrong_policy("41 only blanks", " \n\n", r"'policy.toml' is empty\n hint: draft one"),
    wrong_policy("41 not UTF-8", b'target = "\xff"', r"is not UTF-8 at byte 10\n hint: save it as UTF-8"),
    wrong_policy(
        "42 duplicate key",
        f"{PROMISE}k = 100\n# end\n",
        r"a key is given twice at line 5, column 8\n hint: keep",
    ),
    wrong_policy(
        "42 duplicate key at the end", f"{PROMISE}k = 100", r"given twice at line 5, the last\n hint: keep"
    ),
    wrong_policy(
        "43 unknown key",
        'quasi_identifers = ["age"]\n',
        r"has no key 'quasi_identifers'\n hint: did you mean 'quasi_identifiers'\?",
    ),
    wrong_policy(
        "43 unknown in a section", f"{PROMISE}kk = 3\n", r"\[privacy\] .* 'kk'\n hint: did you mean 'k'"
    ),
    wrong_policy(
        "43 unknown in a promise",
        f"{TEMPLATE}at_most = 0.5\natmost = 1\n",
        r"\[\[privacy.template\]\] .* has no key 'atmost'\n hint: did you mean 'at_most'\?",
    ),
    wrong_policy("44 a bare word", f"missing = NO\n{PROMISE}", r"not valid TOML at line 1, column 11\n hint"),
    wrong_policy(
        "44 a number", f"missing = [668]\n{PROMISE}", r"missing takes a list of texts\n hint: .*quotes"
    ),
    wrong_policy(
        "44 a truth", f"missing = [false]\n{PROMISE}", r"missing takes a list of texts\n hint: .*quotes"
    ),
    wrong_policy(
        "44 a number in a template",
        f"{TEMPLATE.replace(repr('Y'), '1')}at_most = 0.5\n",
        r"value takes a text\n hint: put it in quotes",
    ),
    wrong_policy("45 too large", "#" * 1_000_001, r"is larger than 1,000,000 bytes\n hint: a policy is"),
    wrong_policy("45 too deep", "a = " + "[" * 4000 + "]" * 4000, r"is nested too deeply\n hint: a policy"),
    wrong_policy(
        "45 number bomb", f"{TEMPLATE}at_most = 1e999999999\n", r"at_most must be a number.*\n hint: "
    ),
    wrong_policy(
        "45 digit bomb", f"{POLICY}[privacy]\nk = {'9' * 5000}\n", r"number that cannot be read\n hint: "
    ),
    wrong_policy(
        "46 executable tag", "a = !!python/object:x\n", r"not valid TOML at line 1, column 5\n hint"
    ),
    wrong_policy(
        "a section as a list", "[quasi_identifiers]\nage = 1\n", r"quasi_identifiers takes a list.*\n hint"
    ),
    wrong_policy(
        "a list as a section", f"privacy = 5\n{POLICY}", r"privacy is a section\n hint: write \[privacy\]"
    ),
    wrong_policy(
        "a bound on a quasi-identifier",
        TEMPLATE.replace("'cls'", "'zip'") + "at_most = 0.5\n",
        r"bounds column 'zip', which is not sensitive\n hint: declare",
    ),
    wrong_policy(
        "47 no such file",
        PROMISE + '[hierarchies]\nage = "ages.csv"\n',
        r"hierarchy of column 'age' \(ages\.csv\): no such file\n hint: paths",
    ),
    hierarchy("47 empty", "", r"hierarchy of column 'age' is empty\n hint: give one line per value"),
    hierarchy(
        "47 value missing", "20;a;*\n21;a;*\n", r"hierarchy of column 'age' lacks 2 values.*\n hint: add"
    ),
    hierarchy(
        "47 cycle", "20;21;*\n21;20;*\n22;20;*\n23;21;*\n", r"'age': 2 groups share their name.*\n hint: ren"
    ),
    hierarchy(
        "47 two paths", "20;a;*\n20;b;*\n21;a;*\n", r"'age': 1 values are listed with two paths\n hint: keep"
    ),
    hierarchy(
        "47 two parents", "20;a;x\n21;a;y\n22;b;x\n23;b;y\n", r"'age': on level 1, 2 lines .*\n hint: every"
    ),
    hierarchy(
        "47 ragged", "20;a;*\n21;*\n", r"'age': 1 lines differ in length from the first\n hint: repeat"
    ),
    hierarchy("47 empty label", "20;;*\n21;a;*\n", r"1 lines have an empty label\n hint: name every group"),
    hierarchy("47 open quote", f'"20;{SECRET};*\n', r"is not UTF-8 text.*\n hint: lines look like"),
    hierarchy(
        "47 outside its interval",
        "20;20-21;*\n21;20-21;*\n22;20-21;*\n23;22+;*\n",
        r"hierarchy of column 'age': 1 values lie outside the interval they are listed under\n hint: correct",
    ),
    hierarchy(
        "47 a label for two groups",
        "20;a;a;*\n21;a;a;*\n22;b;a;*\n23;b;a;*\n",
        r"'age': 1 groups share their name.*\n hint: rename",
    ),
    *(
        wrong_policy(f"47 {rule}", f"{PROMISE}[hierarchies]\n{rule}\n", says)
        for rule, says in (
            ("age = { rangs = 5 }", r"'age': there is no rule 'rangs'\n hint: did you mean 'ranges'"),
            ("age = { ranges = [5, 7] }", r"'age': every width of ranges must be a multiple.*\n hint: for"),
            ("age = { ranges = 5, form = 1 }", r"ranges has no key 'form'\n hint: did you mean 'from'"),
            ("age = { cuts = [30, 18] }", r"'age': cuts takes numbers in rising order\n hint: for example"),
            ("age = { quantiles = 1 }", r"'age': quantiles takes a whole number of at least 2\n hint: for"),
            ('age = { dates = "year" }', r"column 'age': 4 values of the table are no dates.*\n hint: give"),
            ("zip = { prefix = [1, 2] }", r"'zip': prefix takes lengths in falling order\n hint: for exa"),
            ('age = { merge = "cls" }', r"'age': values are merged by the class\n hint: write merge ="),
            ('cls = { merge = "class" }', r"column 'cls' would follow its rows.*\n hint: only quasi"),
            ('age = { a = ["20"] }', r"hierarchy of column 'age' lacks 3 values.*\n hint: add each"),
            ('age = { a = ["20"], b = ["20"] }', r"'age': 1 values are listed with two paths\n hint: keep"),
            ("age = { a = [20] }", r"'age': 1 groups are neither a list of texts nor groups.*\n hint: for"),
        )
    ),
    hierarchy("47 NUL", "20;a\0;*\n", r"contains a NUL character\n hint: remove it"),
    *(
        wrong_policy(
            f"48 h = {h}", f"{TEMPLATE}at_most = {h}\n", r"at_most must be a number above 0 and below 1\n h"
        )
        for h in ("0", "1", "1.5", "-0.1", "nan", "'x'", "true")
    ),
    wrong_policy(
        "48 infeasible h",
        f"{TEMPLATE}at_most = 0.3\n",
        r"even all rows together do not keep the promise.*\n hint: the table as one group reaches 0\.5",
        code=4,
    ),
    *(
        wrong_policy(f"reading {line}", PROMISE + line.replace("; ", "\n"), says)
        for line, says in (
            (
                "[source]; delimter = ';'",
                r"\[source\] has no key 'delimter'\n hint: did you mean 'delimiter'",
            ),
            ("[source]; delimiter = ';;'", r"delimiter must be one ASCII character.*\n hint: for example"),
            ("[source]; encoding = 'klingon'", r"klingon.*\n hint: "),
            (
                "[columns.age]; kind = 'dates'",
                r"'age': kind is one of date, time.*\n hint: did you mean 'date'",
            ),
            (
                "[columns.age]; kind = 'date'; formats = ['%d/%m/%Y', '%m/%d/%Y']",
                r"'age': formats .* read the same texts as different dates\n hint: keep the one",
            ),
            ("[columns.agee]; kind = 'date'", r"'agee', which has no role\n hint: did you mean 'age'"),
            (
                "[derived]; age = { from = 'zip', as = 'month' }",
                r"'age', which the table has already\n hint: ",
            ),
            ("[derived]; age = { from = 'zap', as = 'month' }", r"'zap', which has no role\n hint: did you"),
        )
    ),
]
