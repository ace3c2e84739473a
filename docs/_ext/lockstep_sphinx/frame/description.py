"""What a page is about, in one line for search engines and link previews: how its text opens. No Sphinx imports."""

import re
from html import unescape

LONGEST = 160  # characters; what shows it cuts what is longer, anywhere

_OPENING = re.compile(r"<p\b[^>]*>(.*?)</p>", re.S)
_TAG = re.compile(r"<[^>]*>")


def of(body: str) -> str:
    """The opening of a page's HTML as plain text."""
    found = _OPENING.search(body)
    return shortened(unescape(_TAG.sub("", found[1]))) if found else ""


def shortened(text: str, longest: int = LONGEST) -> str:
    """A text on one line; one that is too long ends after a whole word."""
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    kept = text[:longest].rpartition(" ")[0] or text[: longest - 1]  # leaves a place for the ellipsis
    return kept.rstrip(" ,;:.(–-") + "…"
