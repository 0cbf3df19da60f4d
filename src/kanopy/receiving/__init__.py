"""For whoever receives a release: as a frame of texts and numbers, or as a table drawn from its cells."""

from typing import TYPE_CHECKING

from kanopy._lazy import loaded_when_used

if TYPE_CHECKING:
    from kanopy.receiving.drawing import DRAWN, draw, draw_to_file
    from kanopy.receiving.reading import read_release
else:  # drawing needs the learners
    __getattr__ = loaded_when_used(__name__, {
        "kanopy.receiving.drawing": ("DRAWN", "draw", "draw_to_file"),
        "kanopy.receiving.reading": ("read_release",),
    })  # fmt: skip

__all__ = ["DRAWN", "draw", "draw_to_file", "read_release"]
