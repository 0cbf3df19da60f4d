"""Certificates: what stands beside a release, and how anyone checks both without the source."""

from typing import TYPE_CHECKING

from kanopy._lazy import loaded_when_used
from kanopy.certificate.contents import (
    CERTIFICATE_SUFFIXES,
    CertifiedFile,
    certificate_of,
    certificate_path,
    check_bounds,
)

if TYPE_CHECKING:
    from kanopy.certificate.reading import Certificate, certificate_bytes, read_certificate
    from kanopy.certificate.verifying import NOT_PROVEN, Check, Verification, verify
else:  # whoever writes a certificate reads none
    __getattr__ = loaded_when_used(__name__, {
        "kanopy.certificate.reading": ("Certificate", "certificate_bytes", "read_certificate"),
        "kanopy.certificate.verifying": ("NOT_PROVEN", "Check", "Verification", "verify"),
    })  # fmt: skip

__all__ = [
    "CERTIFICATE_SUFFIXES", "NOT_PROVEN", "Certificate", "CertifiedFile", "Check", "Verification",
    "certificate_bytes", "certificate_of", "certificate_path", "check_bounds",
    "read_certificate", "verify",
]  # fmt: skip
