"""The process in which kanopy runs Weka, for tests of it and of what it learns."""

from __future__ import annotations

import pytest

from kanopy.errors import ResourceError
from kanopy_weka.program import WekaProgram, find_jar, find_java, program_for


def what_lacks() -> str:
    try:
        find_java(), find_jar()
    except ResourceError as error:
        return str(error)
    return ""


requires_weka = pytest.mark.skipif(bool(what_lacks()), reason=what_lacks() or "Weka is there")


def the_program() -> WekaProgram:
    return program_for(find_jar())
