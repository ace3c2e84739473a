"""What can be wrong with the project; the command line prints it as one finding."""

import difflib
from collections.abc import Iterable

CANNOT_RUN = 77  # the exit status of a program, or a command, where the machine lacks what it needs


class LockstepError(Exception):
    """Something in the project is wrong or missing; the text says what, where, and what to do."""

    status = 1  # the exit status that it ends a command with


def nearest(wanted: str, known: Iterable[str]) -> str:
    """The names that a misspelt one may stand for, as the end of a message: "; did you mean a or b?", or nothing."""
    found = difflib.get_close_matches(wanted, list(known), n=3, cutoff=0.7)
    return f"; did you mean {' or '.join(found)}?" if found else ""
