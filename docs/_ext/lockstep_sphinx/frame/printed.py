"""What only a printed page shows: the addresses of its links to other sites, as notes at its end.

Links in code, in the list of what one can do with a program, and in lists of names have none: their addresses say what
the names say.
"""

import re
from html import unescape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from lockstep_sphinx import templates

_LINK = re.compile(
    r'<pre\b.*?</pre>|<p class="lockstep-links">.*?</p>|<dl class="lockstep-programs">.*?</dl>'
    r'|<a\b(?P<before>[^>]*)\bhref="(?P<address>https?://[^"]*)"(?P<after>[^>]*)>',
    re.S,
)


def with_notes(html: str) -> str:
    """A page's body with a number at each link to another site, and the numbered addresses at the end.

    An address of a place within a text, `#:~:text=...`, ends before that: a reader who types the address does not need it.
    """
    notes: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        if found["address"] is None:
            return found[0]
        address = unescape(found["address"]).partition("#:~:")[0]
        note = notes.setdefault(address, len(notes) + 1)
        return f'{found[0][:-1]} data-note="{note}">'

    html = _LINK.sub(number, html)
    if not notes:
        return html
    return html + templates.render("frame/notes.html", addresses=list(notes))


def _note_page(app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    if "body" in context:
        context["body"] = with_notes(context["body"])


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", _note_page)
