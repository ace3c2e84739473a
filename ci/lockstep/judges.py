"""What an exercise may ask beyond right values: a sanitizer's silence, an instruction, a hardware counter.

A tool of an exercise, as its declaration names it:

    memcheck, racecheck, initcheck, synccheck    compute-sanitizer's tool finds nothing
    "code: LDG.E.128"                            the compiled code has this instruction
    "count: turn METRIC <= 100"                  ncu's counter of the kernel `turn` is at most so much
"""

import re
import subprocess
from pathlib import Path

SANITIZERS = ("memcheck", "racecheck", "initcheck", "synccheck")
FINDINGS = 9  # exit status of compute-sanitizer where it found something

_CODE = re.compile(r"code: (\S+)")
_COUNT = re.compile(r"count: (\w+) (\S+) <= ([0-9.]+)")


class NotYetError(Exception):
    """The tool is not content; the text says why."""


class CannotJudgeError(Exception):
    """The tool is not on this machine."""


def known(tool: str) -> bool:
    """Whether a declaration's tool is one of the above."""
    return tool in SANITIZERS or bool(_CODE.fullmatch(tool) or _COUNT.fullmatch(tool))


def judge(tool: str, binary: Path, arguments: tuple[str, ...]) -> str:
    """Asks one tool about a built exercise.

    :param arguments: of a run that is small enough for a tool that slows it down
    :return: one line that says that it is content
    :raises NotYetError: if it is not
    :raises CannotJudgeError: if it is not there
    """
    if match := _CODE.fullmatch(tool):
        return _code(binary, match[1])
    if match := _COUNT.fullmatch(tool):
        return _count(binary, arguments, match[1], match[2], float(match[3]))
    return _sanitizer(tool, binary, arguments)


def _run(*command: str) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        message = f"the values are right; {command[0]}, which must look too, is not on the PATH"
        raise CannotJudgeError(message) from None


def _sanitizer(tool: str, binary: Path, arguments: tuple[str, ...]) -> str:
    options = ["--tool", tool, "--error-exitcode", str(FINDINGS), "--print-limit", "3", "--show-backtrace", "no"]
    checked = _run("compute-sanitizer", *options, str(binary), *arguments)
    if checked.returncode != 0:
        lines = [line for line in checked.stdout.splitlines() if line.startswith("=========")]
        raise NotYetError("\n".join([f"the values are right, but {tool} found:", *lines]))
    return f"{tool:<28}clean"


def _code(binary: Path, instruction: str) -> str:
    if instruction not in _run("cuobjdump", "-sass", str(binary)).stdout:
        raise NotYetError(f"the values are right, but the compiled code has no {instruction}; cuobjdump -sass shows it")
    return f"{instruction:<28}in the compiled code"


def _count(binary: Path, arguments: tuple[str, ...], kernel: str, metric: str, limit: float) -> str:
    found = _run(
        "ncu", "--clock-control", "none", "-k", f"regex:^{kernel}$", "--metrics", metric, str(binary), *arguments
    ).stdout
    if "ERR_NVGPUCTRPERM" in found:
        return "hardware counters           not permitted on this machine, so not judged"
    values = [
        float(value.replace(",", "")) for value in re.findall(rf"{re.escape(metric)}\s.*?([0-9.,]+)$", found, re.M)
    ]
    if not values:
        raise NotYetError(f"the values are right, but ncu saw no kernel called {kernel}:\n{found.strip()[-1000:]}")
    if max(values) > limit:
        raise NotYetError(
            f"the values are right, but ncu counted for {kernel}\n  {metric} {max(values):g}, wanted at most {limit:g}"
        )
    return f"ncu, {kernel:<23}{max(values):g}, at most {limit:g}"
