"""The fields at the top of a page, in which it says of itself what its readers do not see.

    :former-title: Waiting for a kernel
    :search-words: roofline plot, peak bandwidth of my GPU, ``__shared__``,
       data sheet

`former-title` is the title that a page had. `search-words` are what readers type who look for it, in other words than
those of its title, headings and text; one that ends in a question mark counts only by words that stand together in it.
Like all text of a page they are reStructuredText: a name that ends in an underscore stands in double backticks.
"""

import re
from pathlib import Path

FORMER_TITLE, SEARCH_WORDS = "former-title", "search-words"

_TOP = re.compile(r"(?::[\w-]+:(?=\s).*\n(?:[ \t]+\S.*\n)*)*")
_FIELD = re.compile(r"^:([\w-]+):(.*(?:\n[ \t]+\S.*)*)", re.M)


def top(page: str) -> str:
    """The lines of a page that hold its fields; empty where it has none."""
    found = _TOP.match(page)
    return found[0] if found else ""


def of(page: str) -> dict[str, str]:
    """What each field of a page says, on one line."""
    return {name: " ".join(text.split()) for name, text in _FIELD.findall(top(page))}


def search_words(page: str) -> tuple[str, ...]:
    """The phrases that readers type who look for a page."""
    said = of(page).get(SEARCH_WORDS, "").replace("``", "")
    return tuple(phrase for phrase in map(str.strip, said.split(",")) if phrase)


def all_search_words(pages: Path) -> dict[str, tuple[str, ...]]:
    """The phrases of all pages below a folder, by page; those that have none are left out."""
    found = {
        path.relative_to(pages).with_suffix("").as_posix(): search_words(path.read_text(encoding="utf-8"))
        for path in sorted(pages.rglob("*.rst"))
    }
    return {page: said for page, said in found.items() if said}
