"""``kanopy completion``."""

from __future__ import annotations

from argparse import Namespace

import shtab

from kanopy.cli.parser import build_parser


def run(given: Namespace) -> int:
    print(shtab.complete(build_parser(), shell=given.shell))
    return 0
