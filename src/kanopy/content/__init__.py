"""What a column holds, told by its values alone, in any language."""

from kanopy.content.content import MISSING_MARKS, Content, content_of
from kanopy.content.texts import FEWEST

__all__ = ["FEWEST", "MISSING_MARKS", "Content", "content_of"]
