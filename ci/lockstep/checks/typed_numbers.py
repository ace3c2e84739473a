"""Numbers that an author typed in a sentence: a rate, a time, a share or a ratio must come from somewhere.

A measured one is read from a recording by `:measured:`. A constant of a specification, or one that follows from numbers
beside it, is written with `:spec:` and its source. Sizes, counts and indices are the text's own.
"""

import ast
import operator
import re
from collections.abc import Callable

_NUMBER = r"(?<![\w.^])~?\d(?:[\d,.]*\d)?"
_TIME = r"(?:[nuµμm]s|s|(?:nano|micro|milli)?seconds?|minutes?|hours?|(?:clock[ -])?cycles?|clocks?)"
_UNIT = (
    rf"(?:[kKMGTP]?i?B/s|bytes? (?:a|per|each) (?:{_TIME})|[kMGTP]?(?:FLOP|flop|OP|op)S?s?(?:/s)?|[kMGT]?Hz|{_TIME}|%|percent"
    r"|times|-?fold|[×x])"
)
_TYPED = re.compile(rf"{_NUMBER}(?:[\s\u00a0-]{{0,2}}|,? million |,? billion ){_UNIT}(?![\w/])(?!\s*\(?\d)")
_READ_OFF = re.compile(
    rf"\b(?:about|near|nearly|around|roughly|almost|approximately|above|below|over|under)\s+({_NUMBER})\b"
)
_BARS = re.compile(
    rf"(?<=[a-z] )(?<!\b(?:at|by|of|or|to) )(?<!\b(?:for|and) )(?<!\bfrom )({_NUMBER})(?=[,.;]|$| and [a-z])"
)

COMPARES = re.compile(
    r"\b(?:faster|slower|quicker|times|twice|thrice|half|third|quarter|cheaper|dearer|longer|shorter|higher|lower"
    r"|outperforms?|beats?|wins?|gains?|loses?|as (?:fast|slow|quick|long|much|many|high) as"
    r"|(?:more|less|fewer) than)\b",
    re.I,
)
"""Words with which a sentence compares what was measured."""


def typed(text: str) -> list[str]:
    """The numbers with a unit of rate, time, share or ratio in a text from which all that has a source was taken out."""
    return [match[0].strip() for match in _TYPED.finditer(text)]


def read_off(text: str) -> list[str]:
    """In the words that describe a chart: what was typed off its drawing, with a unit or without."""
    return typed(text) or [match[1] for pattern in (_READ_OFF, _BARS) for match in pattern.finditer(text)]


_ARITHMETIC: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def computed(expression: str) -> float:
    """The value of an expression of numbers alone; `×` and `−` are understood.

    :raises ValueError: where it is anything else
    """

    def visit(node: ast.AST) -> float:
        match node:
            case ast.Expression(body=body):
                return visit(body)
            case ast.Constant(value=int() | float() as number):
                return float(number)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                return _ARITHMETIC[type(op)](visit(left), visit(right))
        raise ValueError(f"{expression} is no arithmetic")

    plain = re.sub(r"(?<=\d),(?=\d{3})", "", expression).replace("×", "*").replace("−", "-").replace("^", "**")
    try:
        return visit(ast.parse(plain.strip(), mode="eval"))
    except (SyntaxError, ZeroDivisionError, OverflowError):
        raise ValueError(f"{expression} is no arithmetic") from None


def agrees(text: str, value: float) -> bool:
    """Whether the first number of a text is this value, as far as its digits go."""
    match = re.search(r"\d[\d,]*(?:\.(\d+))?", text)
    if not match:
        return False
    return abs(float(match[0].replace(",", "")) - value) <= 0.5 * 10.0 ** -len(match[1] or "") + 1e-9
