"""Makes a peer's text safe to print on a terminal. Invisible characters are spelled <U+XXXX>."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from typing import Optional, Sequence, Tuple

from .invisible import INVISIBLE, PICTOGRAPHS

JOINER, SELECTOR, KEYCAP = "\u200d", "\ufe0f", "\u20e3"

#: The most combining marks that a letter keeps. Further marks are spelled.
MOST_MARKS = 4


def line(text: Optional[str]) -> str:
    """A peer's text as one line. A line end in it becomes a space. None gives ""."""
    text = (text or "").replace("\r\n", "\n")
    out, last, earlier, marks = [], "", "", 0
    for at, char in enumerate(text):
        category = unicodedata.category(char)
        marks = marks + 1 if category[0] == "M" else 0
        kept = char
        if char == "\t":
            out.append("    ")
        elif char == "\n" or category == "Zs":
            out.append(" ")
        elif emoji_part(char, last, earlier, text[at + 1 : at + 2]) or marks <= MOST_MARKS and visible(char, category):
            out.append(char)
        else:
            out.append("<U+%04X>" % ord(char))
            kept = ""
        last, earlier = kept, last
    return "".join(out)


def visible(char: str, category: str) -> bool:
    # Unicode counts the Arabic signs that enclose digits as format characters (Cf), but they are visible.
    return not within(INVISIBLE, char) and (category[0] not in "CZ" or category == "Cf")


def emoji_part(char: str, last: str, earlier: str, after: str) -> bool:
    """Whether a joiner or a selector belongs to an emoji."""
    if char == SELECTOR:
        return within(PICTOGRAPHS, last) or after == KEYCAP and last != "" and last in "0123456789#*"
    emoji = within(PICTOGRAPHS, last) or last == SELECTOR and within(PICTOGRAPHS, earlier)
    return char == JOINER and emoji and within(PICTOGRAPHS, after)


def within(ranges: Sequence[Tuple[int, int]], char: str) -> bool:
    if not char:
        return False
    at = bisect_right(ranges, (ord(char), 0x110000)) - 1
    return at >= 0 and ord(char) <= ranges[at][1]
