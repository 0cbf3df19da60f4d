"""The certificate beside a release: its place, its date, and its contents from the file that was checked."""

from __future__ import annotations

import os
import re
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from kanopy.certificate import CERTIFICATE_SUFFIXES, CertifiedFile, certificate_path, check_bounds
from kanopy.errors import PolicyError
from kanopy.frames.csv_form import PLAIN_FORM, CsvForm
from kanopy.policy import Policy
from kanopy.release.destination import Destination
from kanopy.release.transaction import Transaction

if TYPE_CHECKING:
    from kanopy.frames.published import PublishedTable


def reserve_certificate(
    transaction: Transaction, table: Destination, policy: Policy, *, wanted: bool
) -> Destination:
    """A place for the certificate of a table; where none is wanted, an old one is removed with the commit.

    A certificate that stayed would describe another file than the one beside it.
    """
    date_of_writing()  # a wrong setting is told before the work
    if wanted:
        check_bounds(len(policy.promise.parts))
    place = certificate_path(table.path)
    return transaction.reserve(place, suffixes=CERTIFICATE_SUFFIXES, vacate=not wanted)


def certified_file(
    table: Destination, published: PublishedTable, form: CsvForm = PLAIN_FORM
) -> CertifiedFile:
    """The file that was written and checked, with the digest of the bytes that were checked."""
    with table.reading() as stream:
        n_bytes = os.fstat(stream.fileno()).st_size
    known = table.path.name, table.digest.hex(), n_bytes, published.n_rows, published.names
    return CertifiedFile(*known, form=form)


def date_of_writing() -> str:
    """Now, in UTC, to the second: the only place where kanopy asks for the date.

    ``SOURCE_DATE_EPOCH``, seconds since 1970, says another one, so that two runs can write the same bytes.
    """
    said = os.environ.get("SOURCE_DATE_EPOCH")
    if said is not None and not re.fullmatch(r"[0-9]{1,11}", said):
        hint = "for example SOURCE_DATE_EPOCH=1700000000, or unset it"
        raise PolicyError("SOURCE_DATE_EPOCH is not a whole number of seconds", hint)
    now = datetime.fromtimestamp(int(time.time() if said is None else said), UTC)
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")
