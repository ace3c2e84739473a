"""The compute capabilities that the toolkit compiles for, and what each has: the one source of the tables on pages."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from lockstep import data
from lockstep.data import Count, Rule, Text

FILE = Path("docs/reference/compute_capabilities.toml")
OURS = "9.0"
"""The compute capability of the GPU that recorded the site: its row is set apart."""

Number = Annotated[str, Rule('a compute capability such as "9.0"', lambda text: bool(re.fullmatch(r"\d+\.\d", text)))]


@dataclass(frozen=True)
class Limits:
    """What an SM has at most; memory in KiB."""

    blocks: Count
    warps: Count
    threads: Count
    shared: Count
    shared_of_block: Count
    l1: Count
    carveouts: tuple[Count, ...]
    single_to_double: Count
    green_least: Count
    green_multiple: Count

    def contradictions(self) -> data.Problems:
        if self.threads != 32 * self.warps:
            yield "threads", f"is {self.threads}; {self.warps} warps have {32 * self.warps}"
        if not self.carveouts or max(self.carveouts) != self.shared:
            yield "carveouts", f"must end with all of the SM's shared memory, {self.shared}"


@dataclass(frozen=True)
class Units:
    """How many units of each kind an SM has."""

    fp32: Count
    fp64: Count
    int32: Count
    special: Count
    tensor: Text


@dataclass(frozen=True)
class Capability:
    """One compute capability; without limits where no document of NVIDIA gives them."""

    number: Number
    architecture: Text
    gpus: Text
    news: Text
    limits: Limits | None = None
    units: Units | None = None


@dataclass(frozen=True)
class Feature:
    """Something that some compute capabilities have: those from `since` to `until`, or those in `only`."""

    name: Text
    shown: Text
    since: Number | None = None
    until: Number | None = None
    only: tuple[Number, ...] = ()
    probe: Text | None = None
    """Its row in the output of the program feature_probe."""

    def contradictions(self) -> data.Problems:
        if bool(self.since) == bool(self.only):
            yield "name", "name either since or only"
        if self.until and not self.since:
            yield "until", "needs since"


@dataclass(frozen=True)
class Common:
    """A limit that all compute capabilities share."""

    name: Text
    value: Text


@dataclass(frozen=True)
class Book:
    """What the file holds."""

    capability: list[Capability]
    feature: list[Feature]
    format: list[Feature]
    common: list[Common]

    def contradictions(self) -> data.Problems:
        numbers = [one.number for one in self.capability]
        if numbers != sorted(set(numbers), key=as_pair):
            yield "capability", "must stand in the order of their numbers, each once"
        for kind, features in (("feature", self.feature), ("format", self.format)):
            for one in features:
                for number in {one.since or numbers[0], one.until or numbers[0], *one.only} - set(numbers):
                    yield kind, f"{one.name}: {number} is not among the capabilities"


@dataclass(frozen=True)
class Table:
    """A table of a page; its cells are reStructuredText."""

    title: str
    widths: tuple[int, ...]
    rows: list[tuple[str, ...]]
    """The first is the head."""


def load(root: Path) -> Book:
    """Reads the file.

    :raises data.DataError: where it is not what it must be
    """
    return data.read(root / FILE, Book, root)


def as_pair(number: str) -> tuple[int, int]:
    """9.0 as (9, 0), which sorts as compute capabilities do."""
    major, minor = number.split(".")
    return int(major), int(minor)


def where(feature: Feature, book: Book) -> str:
    """The compute capabilities that have a feature, in words."""
    if feature.only:
        return " and ".join(", ".join(feature.only).rsplit(", ", 1))
    if feature.until:
        return f"{feature.since} to {feature.until}"
    return "all" if feature.since == book.capability[0].number else f"{feature.since} and later"


def _grouped(cells: Iterable[tuple[str, tuple[str, ...]]], apart: bool) -> list[tuple[str, ...]]:
    """Rows, those with equal cells as one. The row of our GPU stands alone and in bold if `apart`."""
    groups: dict[tuple[bool, tuple[str, ...]], list[str]] = {}
    for number, row in cells:
        groups.setdefault((apart and number == OURS, row), []).append(number)
    rows: list[tuple[str, ...]] = []
    for (ours, row), numbers in groups.items():
        whole = (", ".join(numbers), *row)
        rows.append(tuple(f"**{cell}**" for cell in whole) if ours else whole)
    return rows


def _limits(book: Book) -> list[tuple[str, Limits]]:
    return [(one.number, one.limits) for one in book.capability if one.limits]


def _gpus(book: Book) -> Table:
    head = ("Compute capability", "Architecture", "Some GPUs", "What appeared with it")
    rows = [(one.number, one.architecture, one.gpus, one.news) for one in book.capability]
    return Table("", (14, 16, 26, 44), [head, *rows])


def _sm(book: Book) -> Table:
    head = (
        "Compute capability", "Resident blocks", "Resident warps", "Resident threads", "Shared memory, KiB",
        "Shared memory of a block, KiB", "L1 and shared memory together, KiB",
    )  # fmt: skip
    cells = [
        (number, tuple(f"{n:,}" for n in (has.blocks, has.warps, has.threads, has.shared, has.shared_of_block, has.l1)))
        for number, has in _limits(book)
    ]
    return Table("Limits for each SM, by compute capability", (16,) + (14,) * 6, [head, *_grouped(cells, True)])


def _carveouts(book: Book) -> Table:
    cells = [(number, (", ".join(map(str, has.carveouts)),)) for number, has in _limits(book)]
    head = ("Compute capability", "Sizes")
    return Table("Sizes that shared memory can have in an SM, KiB", (30, 70), [head, *_grouped(cells, False)])


def _ratios(book: Book) -> Table:
    cells = [
        (number, (str(has.single_to_double), str(has.green_least), str(has.green_multiple)))
        for number, has in _limits(book)
    ]
    head = (
        "Compute capability",
        "FP32 results for each FP64 result",
        "Green context, least SMs",
        "SMs in multiples of",
    )
    title = "FP64 throughput and sizes of green contexts"
    return Table(title, (28, 26, 24, 22), [head, *_grouped(cells, False)])


def _units(book: Book) -> Table:
    cells = [
        (one.number, tuple(map(str, (has.fp32, has.fp64, has.int32, has.special, has.tensor))))
        for one in book.capability
        if (has := one.units)
    ]
    head = ("Compute capability", "FP32", "FP64", "INT32", "Special functions", "Tensor cores")
    return Table("Units of an SM, by compute capability", (22, 12, 12, 12, 20, 22), [head, *_grouped(cells, True)])


def _having(title: str, widths: tuple[int, ...], what: str, features: list[Feature], book: Book) -> Table:
    rows = [(one.name, where(one, book), one.shown) for one in features]
    return Table(title, widths, [(what, "Compute capability", "Shown by"), *rows])


def _features(book: Book) -> Table:
    return _having("Features, by compute capability", (44, 22, 34), "Feature", book.feature, book)


def _formats(book: Book) -> Table:
    return _having("Number formats of the tensor cores", (28, 30, 42), "Format", book.format, book)


def _common(book: Book) -> Table:
    span = f"{book.capability[0].number} to {book.capability[-1].number}"
    return Table("", (70, 30), [("Limit", span), *((one.name, one.value) for one in book.common)])


TABLES: dict[str, Callable[[Book], Table]] = {
    "gpus": _gpus,
    "features": _features,
    "formats": _formats,
    "limits": _sm,
    "carveouts": _carveouts,
    "ratios": _ratios,
    "units": _units,
    "common": _common,
}
"""The tables that a page can show, by name."""


def as_list_table(table: Table) -> str:
    """A table as a page would hold it, had an author typed it."""
    lines = [
        f".. list-table:: {table.title}".rstrip(),
        "   :header-rows: 1",
        f"   :widths: {' '.join(map(str, table.widths))}",
        "",
    ]
    for row in table.rows:
        lines += [f"   {' ' if column else '*'} - {cell}" for column, cell in enumerate(row)]
    return "\n".join(lines) + "\n"
