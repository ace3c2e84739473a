"""The HTML of the pages, from templates that stand beside the code which fills them in.

    templates.render("card/card.html", program=program)

A template escapes each value. What is HTML already, such as highlighted code, is handed over as Markup.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from lockstep.recordings import numbers

FOLDER = Path(__file__).parent

_NAME = re.compile(r"[\w:]{14,}")
_PART = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z0-9]_)(?=\w)|(?<=::)(?=\w)")
_CODE = re.compile(r"`+([^`]+)`+")


def render(template: str, /, **values: Any) -> str:
    """A template, named from the folder of this package, filled in."""
    return _environment().get_template(template).render(values)


def files() -> list[Path]:
    """All templates."""
    return sorted(FOLDER.rglob("*.html"))


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"code": code, "breakable": breakable, "measured": measured}
    return made


def code(text: str) -> Markup:
    """Text with `backticked` words as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def breakable(text: str) -> Markup:
    """Text whose long names break between their words, and nowhere else, where a line has no room for them."""
    return Markup(_NAME.sub(lambda name: _PART.sub("<wbr>", name[0]), str(escape(text))))


def measured(text: str) -> Markup:
    """Text with its measured numbers marked."""
    return Markup(numbers.highlighted(str(escape(text)), r'<span class="measured">\g<0></span>'))
