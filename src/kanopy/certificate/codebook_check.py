"""The codebook beside a release: whether it is the one that the certificate names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from kanopy.certificate.check import FAILS, HOLDS, NOT_CHECKED, Check
from kanopy.certificate.reading import Certificate
from kanopy.codebook import Cells
from kanopy.codebook.page import column_line, promise_lines
from kanopy.policy import shown_name


def codebook_checks(folder: Path, known: Certificate) -> Iterator[Check]:
    """One check for both files, if the certificate names any; O(bytes).

    A release is the same without its codebook: one that is not there was not checked, one that was changed
    fails.
    """
    if not known.codebook:
        return
    changed, missing = [], []
    for each in known.codebook:
        path = folder / each.name
        if path.is_symlink() or (path.exists() and not path.is_file()):
            changed.append(each.name)
        elif not path.exists():
            missing.append(each.name)
        elif not _is_same(path, each.sha256):
            changed.append(each.name)
    if not changed and (other := _page_says_other(folder, known)):
        yield Check("codebook", FAILS, other)
    elif changed:
        names = ", ".join(map(shown_name, changed))
        message = f"{names} was changed: do not read the release by it. Get it again from its publisher"
        yield Check("codebook", FAILS, message)
    elif missing:
        names = ", ".join(map(shown_name, missing))
        yield Check("codebook", NOT_CHECKED, f"not there: {names}. Ask the publisher for it")
    else:
        names = " and ".join(shown_name(each.name) for each in known.codebook)
        yield Check("codebook", HOLDS, f"{names}, byte for byte as certified")


def _page_says_other(folder: Path, known: Certificate) -> str:
    """What its page says otherwise than the certificate; nothing where another version wrote it."""
    page = next((each.name for each in known.codebook if each.name.endswith(".md")), None)
    if page is None or not known.is_ours:
        return ""
    try:
        lines = (folder / page).read_text("utf-8", errors="replace").split("\n")
    except OSError:
        return ""
    promise, notices = known.contents["promise"], known.contents["notices"]
    expected = promise_lines(promise["sentences"], promise["not_promised"], notices)
    told = [line for line in lines if line.startswith(("**Promised:", "**Not promised:", "**Note:"))]
    # PRIVACY: whoever changes a promise or a role in the certificate alone is found out
    # (tests/sabotage/test_edited_certificates.py).
    wrong = [] if told == expected else ["another promise or other notes"]
    columns = [
        column_line(name, known.roles[name], Cells(said["cells"])) for name, said in known.cells.items()
    ]
    wrong += [] if {*columns} <= {*lines} else ["other roles or contents of columns"]
    if not wrong:
        return ""
    return f"{shown_name(page)} tells {' and '.join(wrong)} than the certificate: one of them was changed"


def _is_same(path: Path, sha256: str) -> bool:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest() == sha256
    except OSError:
        return False
