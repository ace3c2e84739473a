"""What an exercise may ask beyond right values: a sanitizer's silence, an instruction, a hardware counter.

A tool of an exercise, as its declaration names it:

    memcheck, racecheck, initcheck, synccheck    compute-sanitizer's tool finds nothing
    "code: LDG.E.128"                            the compiled code has this instruction
    "count: turn METRIC <= 100"                  ncu's counter of the kernel `turn` is at most so much
"""

import re

SANITIZERS = ("memcheck", "racecheck", "initcheck", "synccheck")
INSTRUCTION = re.compile(r"code: (\S+)")
COUNTER = re.compile(r"count: (\w+) (\S+) <= ([0-9.]+)")


def known(tool: str) -> bool:
    """Whether a declaration's tool is one of the above."""
    return tool in SANITIZERS or bool(INSTRUCTION.fullmatch(tool) or COUNTER.fullmatch(tool))


def beyond_the_emulator(tools: tuple[str, ...], small: tuple[str, ...]) -> list[str]:
    """What an exercise asks that takes a GPU to judge: speed, machine code, hardware counters.

    :param tools: what its declaration names under TOOLS
    :param small: and under SMALL
    """
    speed = ["speed"] if "--untimed" in small else []
    return speed + [tool for tool in tools if tool not in SANITIZERS]
