"""What a column holds, told by its values alone, in any language."""

from kanopy.content.content import ALL_SEEN, MISSING_MARKS, Content, content_of, searched
from kanopy.content.sample import Unseen
from kanopy.content.texts import FEWEST

__all__ = ["ALL_SEEN", "FEWEST", "MISSING_MARKS", "Content", "Unseen", "content_of", "searched"]
