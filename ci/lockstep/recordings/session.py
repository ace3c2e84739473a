"""A session in a terminal: commands and what they printed, and its one rendering as text."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Command:
    """One command and what it printed."""

    text: str
    output: list[str] = field(default_factory=list)
    status: int = 0


def prompt(command: Command) -> str:
    """The line on which the command stands."""
    return f"$ {command.text}"


def ending(command: Command) -> str:
    """The line that tells how the command ended; empty if it ended well."""
    return f"[exit status {command.status}]" if command.status else ""


def lines(command: Command) -> list[str]:
    """A command, its output, and how it ended."""
    return [prompt(command), *command.output, *filter(None, [ending(command)])]


def plain(commands: Iterable[Command]) -> str:
    """The session as text."""
    return "\n".join(line for command in commands for line in lines(command))
