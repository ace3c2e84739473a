"""The calculators of pages: which there are, what recorded their cases, and the deviations that a page names."""

from dataclasses import dataclass
from pathlib import Path

from lockstep import data
from lockstep.errors import LockstepError

FOLDER = Path("docs/_ext/lockstep_sphinx/explore")

Case = dict[str, int | str]


class CalculatorError(LockstepError):
    """A calculator that cannot be asked; the text says why and what to do."""


@dataclass(frozen=True)
class Calculator:
    """A calculator: its page, the program that recorded its cases, and how many there must be at least."""

    name: str
    page: str
    program: str
    least: int

    @property
    def data(self) -> str:
        """The file of recorded cases, as the program declares it."""
        return f"{self.program.rsplit('/', 1)[-1]}.csv"


@dataclass(frozen=True)
class Deviation:
    """A case that was recorded otherwise than predicted, and why."""

    case: Case
    recorded: Case
    because: data.Text


@dataclass(frozen=True)
class Book:
    """What a page's file of deviations holds."""

    deviations: list[Deviation]


_PART = "programming/simt_kernels"
CALCULATORS = {
    calculator.name: calculator
    for calculator in (
        Calculator("coalescing", f"{_PART}/coalescing", f"{_PART}/coalescing/sectors_by_pattern", 40),
        Calculator("bank_conflicts", f"{_PART}/bank_conflicts", f"{_PART}/bank_conflicts/wavefronts_by_pattern", 40),
        Calculator("occupancy", f"{_PART}/occupancy", f"{_PART}/occupancy/resident_blocks_by_shape", 200),
    )
}


def book(root: Path, page: str) -> data.Document[Book]:
    """The deviations that a page names; none without its file."""
    path = root / "docs" / f"{page}.explore"
    return data.document(path, Book, root) if path.exists() else data.Document(path.name, "", Book([]))


def words(case: Case) -> str:
    """A case in words: `stride 3, offset 0`."""
    return ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in case.items())
