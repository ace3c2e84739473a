"""A session in a terminal: commands and what they printed, and its one rendering as text."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Filter:
    """One declared filter, as it is written above a command (filters.py): `kind: text`."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"

    @property
    def parts(self) -> tuple[str, str]:
        """What stands before the arrow and after it."""
        before, _, after = self.text.partition(" -> ")
        return before.strip(), after.strip()


@dataclass(frozen=True)
class Command:
    """One command and what it printed, or what its filters show of that."""

    text: str
    output: list[str] = field(default_factory=list)
    status: int = 0
    filters: tuple[Filter, ...] = ()


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
