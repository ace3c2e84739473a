"""Expressions of claims files in a form that a script in the browser computes."""

import ast
from typing import Any

from lockstep.recordings.claims import ClaimError


def formula(expression: str) -> Any:
    """An expression of a claims file as lists that a script can compute: ["/", ["value", "a", "time"], 2]."""

    def visit(node: ast.AST) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return ["-", 0, visit(operand)]
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
                return [_SIGNS[type(op)], visit(left), visit(right)]
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return ["list", *map(visit, items)]
            case ast.Subscript(value=value, slice=index):
                return ["at", visit(value), visit(index)]
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                where = {keyword.arg: visit(keyword.value) for keyword in keywords}
                return [name, *map(visit, args), *([where] if where else [])]
        raise ClaimError(
            f"{ast.unparse(node)} cannot be computed in the browser; write it with the functions of a claim"
        )

    return visit(ast.parse(expression.strip(), mode="eval").body)


_SIGNS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
    ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip
