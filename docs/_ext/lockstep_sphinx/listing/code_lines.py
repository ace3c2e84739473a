"""Lines of code as elements: what may be wrapped, numbered and linked has one of its own.

A style sheet alone can then wrap a long line with a mark where it goes on: on a wide screen, on paper, and on a phone. It
wraps at spaces, and where a narrow screen holds too few of them, after brackets, commas and colons, not within a name.
Lines that fit everywhere stay bare, since elements make a page heavy.
"""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

SHORT = 32  # columns that fit a listing on the narrowest phone
WORD = 24  # columns without a space that fit after an indentation there
SHEET = 56  # lines that fit a sheet of paper, with what stands around them

_BLOCK = re.compile(r'(<div class="highlight"><pre)(>.*?</pre>)', re.S)
_CODE = re.compile(r">(.*)</pre>", re.S)
_PIECE = re.compile(r"<[^>]*>|[^<]+")
_LINE = re.compile(r"[^\n]*\n(?:</\w+>)*|[^\n]+")
_JOINT = re.compile(r"(?<=[(,\[])(?=[^\s)\],;<])|(?<=::)(?=\w)|(?<=[(,\[])\Z|(?<=::)\Z")
_TAG = re.compile(r"<(/?)(\w+)[^>]*>")

DEEP = 16  # spaces at the beginning of a line, which leave a phone little room for the rest
_INDENT = re.compile(rf"^((?:<[^>]*>)*)( {{{DEEP},}})")


def wrappable(html: str) -> str:
    """HTML in which each line of code that may not fit is an element; blocks that no sheet holds are `long`."""
    return _BLOCK.sub(lambda block: block[1] + _class(block[2]) + _breakable(_code(block[2], _long)), html)


def numbered(block: str, numbers: list[int], prefix: str = "L") -> str:
    """A highlighted source of which each line is an element with its number, and can be linked as `prefix` + number.

    :param numbers: of all lines of the block, in order; they may leave lines of the file out
    """
    steps = [number - before for before, number in zip([0, *numbers], numbers, strict=False)]

    def mark(at: int, _: str) -> str:
        skips = f' style="counter-increment:line {steps[at]}"' if steps[at] != 1 else ""
        return f'class="line" id="{prefix}{numbers[at]}"{skips}'

    return _BLOCK.sub(lambda found: found[1] + _class(found[2], "numbered") + _code(found[2], mark), block)


def _class(code: str, *names: str) -> str:
    """The attribute of a block's `pre`."""
    names = (*names, "long") if code.count("\n") > SHEET else names
    return f' class="{" ".join(names)}"' if names else ""


def _code(code: str, mark: Callable[[int, str], str]) -> str:
    return _CODE.sub(lambda found: f">{_marked(found[1], mark)}</pre>", code)


def _breakable(code: str) -> str:
    """Highlighted code with places to wrap in what is long and has no space."""
    return _CODE.sub(lambda found: f">{''.join(map(_joints, _LINE.findall(found[1])))}</pre>", code)


def _joints(line: str) -> str:
    if max(map(len, _text(line).split()), default=0) <= WORD:
        return line
    return _PIECE.sub(lambda piece: piece[0] if piece[0][0] == "<" else _JOINT.sub("<wbr>", piece[0]), line)


def _text(line: str) -> str:
    return unescape(_TAG.sub("", line)).rstrip().expandtabs()


def _long(_: int, line: str) -> str:
    return 'class="line"' if len(_text(line)) > SHORT else ""


def _marked(code: str, mark: Callable[[int, str], str]) -> str:
    """Highlighted code with the lines in elements for which `mark`, given place and text, returns attributes.

    An element that is open at an end of such a line, as a comment of several lines is, closes there and opens again.
    """
    done = []
    before: list[str] = []  # tags that are open where the line begins
    for at, line in enumerate(_LINE.findall(code)):
        after, around = list(before), len(before)  # around: how many stay open over the whole line
        for tag in _TAG.finditer(line):
            if tag[1]:
                after.pop()
                around = min(around, len(after))
            else:
                after.append(tag[0])
        if attributes := mark(at, line):
            begin, end = before[around:], after[around:]
            line = _INDENT.sub(r'\1<span class="deep">\2</span>', line)
            line = f"{_closed(begin)}<span {attributes}>{''.join(begin)}{line}{_closed(end)}</span>{''.join(end)}"
        done.append(line)
        before = after
    return "".join(done)


def _closed(tags: list[str]) -> str:
    return "".join(f"</{_TAG.match(tag)[2]}>" for tag in reversed(tags))  # type: ignore[index]  # they are tags


def _mark_page(app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    if "body" in context:
        context["body"] = wrappable(context["body"])


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", _mark_page)
