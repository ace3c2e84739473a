"""Which files reach a program: what keys of what is made of it are digests of."""

from pathlib import Path

from lockstep.programs import sources
from lockstep.programs.declarations import Program


def files(program: Program) -> list[Path]:
    """Every file of the project that a compiler reads for a program, each once.

    That is its source, the files that its declaration names, what these include in quotes from beside them, and the project
    headers that any of them reaches.
    """
    units = [program.source, *(program.directory / name for name in program.sources)]
    found = dict.fromkeys([*units, *(near for unit in units for near in sources.beside(unit))])
    headers = (h for file in found for h in sources.included_headers(file, program.root / sources.INCLUDE))
    return [*found, *dict.fromkeys(headers)]
