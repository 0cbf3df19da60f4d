"""Certificates: what stands beside a release, and how anyone checks both without the source."""

from typing import TYPE_CHECKING

from kanopy._lazy import loaded_when_used
from kanopy.certificate.contents import (
    CERTIFICATE_SUFFIXES,
    CertifiedBeside,
    CertifiedFile,
    CertifiedPart,
    certificate_of,
    certificate_path,
    certified_folder,
    check_bounds,
    listing_digest,
)
from kanopy.frames.folder import FOLDER_CERTIFICATE

if TYPE_CHECKING:
    from kanopy.certificate.check import Check
    from kanopy.certificate.reading import Certificate, certificate_bytes, read_certificate
    from kanopy.certificate.verifying import NOT_PROVEN, Verification, verify
else:  # whoever writes a certificate reads none
    __getattr__ = loaded_when_used(__name__, {
        "kanopy.certificate.check": ("Check",),
        "kanopy.certificate.reading": ("Certificate", "certificate_bytes", "read_certificate"),
        "kanopy.certificate.verifying": ("NOT_PROVEN", "Verification", "verify"),
    })  # fmt: skip

__all__ = [
    "CERTIFICATE_SUFFIXES", "FOLDER_CERTIFICATE", "NOT_PROVEN", "Certificate", "CertifiedBeside",
    "CertifiedFile", "CertifiedPart", "Check", "Verification", "certificate_bytes", "certificate_of",
    "certificate_path", "certified_folder", "check_bounds", "listing_digest", "read_certificate", "verify",
]  # fmt: skip
