"""Odd tables that are accepted, and what becomes of them."""

import pyarrow as pa
from cases import HEADER, TABLE, Case, parquet

RELEASE = HEADER + "".join(f"{20 + i // 3},*,{'YN'[i // 3 % 2]}\n" for i in range(12))

ACCEPTED = [
    Case("12 byte order mark", "\ufeff" + TABLE, 0, "promise", expected=RELEASE),
    Case(
        "13 utf-16 declared",
        TABLE.encode("utf-16"),
        0,
        "promise",
        more=("--encoding=utf-16",),
        expected=RELEASE,
    ),
    Case("11 delimiter declared", TABLE.replace(",", ";"), 0, "", more=("--delimiter=;",), expected=RELEASE),
    Case("15 CR only", TABLE.replace("\n", "\r"), 0, "promise", expected=RELEASE),
    Case("15 CRLF", TABLE.replace("\n", "\r\n"), 0, "promise", expected=RELEASE),
    Case("15 mixed", TABLE.replace("Y\n", "Y\r\n").replace("N\n", "N\r"), 0, "promise", expected=RELEASE),
    Case(
        "16 line end in a cell",
        HEADER + '1,"a\nb",Y\n' * 2,
        0,
        "2 in, 2 out",
        expected=HEADER + '1,"a\nb",Y\n' * 2,
    ),
    Case(
        "16 U+2028 in a cell",
        HEADER + "1,a\u2028b,Y\n" * 2,
        0,
        "2 in",
        expected=HEADER + "1,a\u2028b,Y\n" * 2,
    ),
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
    Case(
        "26 constant column",
        HEADER + "1,a,Y\n1,b,N\n" * 2,
        0,
        "4 out",
        expected=HEADER + "1,a,Y\n1,a,Y\n1,b,N\n1,b,N\n",
    ),
    Case(
        "27 single class",
        HEADER + "1,a,Y\n9,a,Y\n" * 2,
        0,
        r"note +target 'cls' has a single class",
        expected=HEADER + "1,a,Y\n1,a,Y\n9,a,Y\n9,a,Y\n",
    ),
    Case(
        "29 all rows alike",
        HEADER + "1,a,Y\n" * 5,
        0,
        r"0\.0% of their cells suppressed",
        expected=HEADER + "1,a,Y\n" * 5,
    ),
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
        expected=HEADER + ",a,N\n,a,Y\n1,a,N\n1,a,Y\n",
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
        HEADER + "1.5e308,a,Y\n" * 3,
        0,
        "promise",
        more=("--k=3", "--option=publish=mean"),
        expected=HEADER + f"{1.5e308:.0f},a,Y\n" * 3,
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
        expected=HEADER
        + "01/02/2020,a,Y\n" * 2
        + "2020-01-02,a,N\n" * 2
        + "2020-01-02T00:00+02:00,a,Y\n" * 2,
    ),
    Case(
        "34 words that look missing",
        HEADER + "NA,None,null\n" * 2 + "Null,NaN,NA\n" * 2 + "nan,null,None\n" * 2,
        0,
        "promise",
        expected=HEADER + "NA,None,null\n" * 2 + "Null,NaN,NA\n" * 2 + "nan,null,None\n" * 2,
    ),
    Case(
        "35 declared missing",
        HEADER + "1, ?,Y\n" * 2,
        0,
        "promise",
        more=("--missing=?",),
        expected=HEADER + "1,,Y\n" * 2,
    ),
    Case(
        "35 star inside a word, and as a class",
        HEADER + "1,a*,*\n" * 2,
        0,
        "promise",
        expected=HEADER + "1,a*,*\n" * 2,
    ),
    Case(
        "36 blanks",
        HEADER + " 1 ,a\u00a0,\tY\n1,a,Y\n",
        0,
        r"note +column 'zip': 1 cells had blanks around them.*1 values became equal to another",
        expected=HEADER + "1,a,Y\n" * 2,
    ),
    Case(
        "36 unicode forms",
        HEADER + "1,Zoé,Y\n1,Zoe\u0301,Y\n",
        0,
        "decomposed Unicode",
        expected=HEADER + "1,Zoé,Y\n" * 2,
    ),
    Case(
        "37 leading zeros",
        HEADER + "1,01234,Y\n1,1234,N\n" * 2,
        0,
        "promise",
        expected=HEADER + "1,01234,Y\n" * 2 + "1,1234,N\n" * 2,
    ),
    Case(
        "38 formulas",
        HEADER + "-5,=1+1,@x\n" * 2,
        0,
        r"note +some texts begin like a formula; --spreadsheet-safe",
        expected=HEADER + "-5,=1+1,@x\n" * 2,
    ),
    Case(
        "38 formulas disarmed",
        HEADER + "-5,=1+1,@x\n" * 2,
        0,
        "promise",
        more=("--spreadsheet-safe",),
        expected=HEADER + "-5,'=1+1,'@x\n" * 2,
    ),
    Case(
        "39 names that are markup, paths, quotes",
        '<script>x</script>,../../x,"a""b"\n' + "1,2,3\n" * 2,
        0,
        "promise",
        flags=("--quasi", '<script>x</script>,../../x,"a""b"', "--k", "2"),
        expected='<script>x</script>,../../x,"a""b"\n' + "1,2,3\n" * 2,
    ),
    Case(
        "39 long name",
        "x" * 10_000 + "\n1\n1\n",
        0,
        "promise",
        flags=("--quasi", "x" * 10_000, "--k", "2"),
        expected="x" * 10_000 + "\n1\n1\n",
    ),
    Case(
        "40 a cell that is markup",
        HEADER + '1,"""><img onerror=x>",Y\n' * 2,
        0,
        "promise",
        expected=HEADER + '1,"""><img onerror=x>",Y\n' * 2,
    ),
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
]
