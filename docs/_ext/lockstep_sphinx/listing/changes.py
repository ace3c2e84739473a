"""Which lines of a listing the rung before did not have. No Sphinx imports."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Changes:
    """The places of new lines in a listing, from 0, and how many of its lines are code."""

    new: list[int]
    code: int

    @property
    def most(self) -> bool:
        """Whether a mark at each new line would mark most of the listing, and so nothing."""
        return 2 * len(self.new) > self.code


def between(before: Sequence[str], after: Sequence[str]) -> Changes:
    """What is new in a listing; comments, empty lines and indentation do not count."""
    old, new = ([line.strip() for line in lines] for lines in (before, after))
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    same = {block.b + i for block in blocks for i in range(block.size)}
    code = [at for at, line in enumerate(new) if line and not line.startswith("//")]
    return Changes([at for at in code if at not in same], len(code))
