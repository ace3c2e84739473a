"""CUDA C++ for highlighting: what Pygments' lexer takes for something else gets its kind back.

Pygments knows words that only a compiler of Microsoft's reserves, such as `thread`, and takes `alignas` for a function where
a specifier stands before it. Names of the API stay names: `links.api` makes links of them.
"""

import re
from collections.abc import Iterator
from typing import ClassVar

from pygments.lexers.c_like import CudaLexer
from pygments.token import Keyword, Name, _TokenType
from sphinx.application import Sphinx

_NAMES = {"thread", "naked", "finally", "leave", "raise", "assume", "identifier", "restrict"}
_KEYWORDS = {"alignas", "alignof", "decltype", "static_assert", "requires", "concept", "consteval", "constinit"}
_SPECIFIER = re.compile(
    r"__(?:global|device|host|shared|constant|managed|grid_constant|launch_bounds|cluster_dims|block_size|maxnreg|noinline"
    r"|forceinline|inline_hint|restrict|nv_pure)__"
)
_TYPE = re.compile(
    r"u?int(?:8|16|32|64|ptr)_t|size_t|ptrdiff_t|byte|dim3|(?:u?char|u?short|u?int|u?long|u?longlong|float|double)[1-4]"
    r"|(?:__)?half2?|__nv_(?:bfloat162?|fp8\w*)|__mbarrier_(?:t|token_t)"
)
_EITHER = {"half", "byte"}  # types, and good names of variables
_AS_TYPE = re.compile(r"[*&>]|\s+[A-Za-z_]")  # what follows a type
_BUILT_IN = re.compile(
    r"(?:thread|block|cluster)Idx|(?:block|grid|cluster)Dim|warpSize|atomic[A-Z]\w*|make_(?:u?int|float|double|u?char|u?short)[1-4]"
    r"|__(?:syncthreads\w*|syncwarp|shfl\w*|ballot\w*|any_sync|all_sync|activemask|match_\w+|reduce_\w+|ld[a-z]{1,2}|st[a-z]{1,2}"
    r"|threadfence\w*|nanosleep|trap|brkpt|popcl?l?|clzl?l?|ffsl?l?|fns|byte_perm|half2?_?\w*|float2half\w*|float_as_\w+"
    r"|int_as_\w+|cvta_\w+|isShared|isGlobal|prof_trigger|pipeline_\w+|mbarrier_\w+|builtin_\w+)"
)


class Lexer(CudaLexer):  # type: ignore[misc]
    """CUDA C++, with the words of Microsoft's compiler taken out and CUDA's own told apart."""

    aliases: ClassVar[list[str]] = ["cuda", "cu"]

    def get_tokens_unprocessed(
        self, text: str, stack: tuple[str, ...] = ("root",)
    ) -> Iterator[tuple[int, _TokenType, str]]:
        for index, kind, value in super().get_tokens_unprocessed(text, stack):
            made = _kind(kind, value)
            variable = made is Keyword.Type and value in _EITHER and not _is_type(text, index, value)
            yield index, Name if variable else made, value


def _is_type(text: str, index: int, word: str) -> bool:
    return text.endswith("std::", 0, index) or bool(_AS_TYPE.match(text, index + len(word)))


def _kind(kind: _TokenType, value: str) -> _TokenType:
    """The kind of a word; anything else keeps its own."""
    if kind not in Name and kind not in Keyword:
        return kind
    if value in _NAMES:
        return Name
    if value in _KEYWORDS:
        return Keyword
    if _SPECIFIER.fullmatch(value):
        return Keyword.Reserved
    if _TYPE.fullmatch(value):
        return Keyword.Type
    if _BUILT_IN.fullmatch(value):
        return Name.Builtin
    return kind


def setup(app: Sphinx) -> None:
    app.add_lexer("cuda", Lexer)
