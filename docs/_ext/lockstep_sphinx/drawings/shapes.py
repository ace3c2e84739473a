"""The shapes that drawings and plots consist of, and the SVG that a template makes of them.

Coordinates are text, as short as each kind of drawing wants it. Colors are classes that lockstep.css maps to the theme.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from lockstep_sphinx import templates


@dataclass(frozen=True)
class Rectangle:
    """A rectangle; `radius` rounds its corners."""

    shape: ClassVar = "rectangle"
    kind: str
    x: str
    y: str
    width: str
    height: str
    radius: str = ""


@dataclass(frozen=True)
class Stroke:
    """A straight line, with an arrow's head at its end if it is to have one."""

    shape: ClassVar = "stroke"
    kind: str
    x1: str
    y1: str
    x2: str
    y2: str
    dashed: bool = False
    head: bool = False


@dataclass(frozen=True)
class Path:
    """Lines and marks as one element."""

    shape: ClassVar = "path"
    kind: str
    d: str
    dash: str = ""


@dataclass(frozen=True)
class Words:
    """One line of text; `turned` is the transformation that it stands in instead of at a place."""

    shape: ClassVar = "words"
    kind: str
    text: str
    size: str
    x: str = ""
    y: str = ""
    turned: str = ""


@dataclass(frozen=True)
class Group:
    """Shapes of one color."""

    shape: ClassVar = "group"
    kind: str
    shapes: "Sequence[Shape]"


Shape = Rectangle | Stroke | Path | Words | Group


def svg(shapes: Sequence[Shape], title: str, width: str, height: str, marker: str = "") -> str:
    """The drawing; `title` says what it shows, `marker` names its arrow heads, if it has any, uniquely on the page."""
    return templates.render("drawings/svg.html", shapes=shapes, title=title, width=width, height=height, marker=marker)
