"""Tables that are refused: files that are none, and cells that cannot be read in one way only."""

import pyarrow as pa
from cases import HEADER, PROMISE, TABLE, Case, columns, parquet
from command import SECRET

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
    Case(
        "9 long row", f"{TABLE}1,2,3,{SECRET}\n", 3, r"line 14 has 4 fields, the header has 3\n hint: every"
    ),
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
    Case("49 spreadsheet", b"PK\x03\x04", 2, r"\.xlsx is read\n hint: save", file="t.ods"),
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
        for kind, values in {
            "list": [[SECRET]] * 4,
            "struct": [{"a": SECRET}] * 4,
            "binary": [b"a"] * 4,
        }.items()
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
        "age,zip,cls,who\n1,2,Y,\n1,2,N,\n",
        3,
        "person column 'who' is empty in every row",
        more=("--person=who",),
    ),
    Case(
        "19 too few known persons",  # a row without one counts for nobody
        "age,zip,cls,who\n1,2,Y,anna\n1,2,N,\n",
        4,
        "k = 2, but the table has 1 persons",
        more=("--person=who",),
    ),
    Case(
        "25 all-null target",
        HEADER + "1,2,\n" * 3,
        3,
        r"target column 'cls' is empty in every row\n hint: cho",
    ),
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
    *(
        Case(
            f"reading {line}",
            f"{HEADER}2020-01-02,a,Y\n{SECRET},a,Y\n{SECRET},a,N\n",
            3,
            says,
            policy=PROMISE + line,
        )
        for line, says in (
            (
                "[columns.age]\nkind = 'date'\n",
                r"'age': 2 cells \(1 different\) are no dates.*\n hint: add their",
            ),
            (
                "[columns.age]\nkind = 'number'\n",
                r"'age': 3 cells \(2 different\) are no numbers.*\n hint: corr",
            ),
        )
    ),
    Case(
        "reading time zone",
        f"{HEADER}2020-01-02T10:00+01:00,a,Y\n2020-01-02,a,Y\n",
        3,
        r"'age': 1 cells \(1 different\) have a time zone\n hint: say to which zone",
        policy=PROMISE + "[columns.age]\nkind = 'date'\n",
    ),
    Case(
        "reading born after at",
        "birth,zip,cls\n2020-01-02,a,Y\n2030-01-02,a,Y\n",
        3,
        r"'age': in 1 row 'birth' is later than at\n hint: correct or empty these cells",
        policy=PROMISE.replace("target", "identifiers = ['birth']\ntarget")
        + "[derived]\nage = { from = 'birth', as = 'years', at = 2024-01-01 }\n",
    ),
]
