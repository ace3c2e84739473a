"""Puts the requirements of an exercise to a built program: runs the tools that they name."""

import re
import subprocess
from pathlib import Path

from lockstep.exercises import requirements

FINDINGS = 9  # exit status of compute-sanitizer where it found something


class NotYetError(Exception):
    """The tool is not content; the text says why."""


class CannotJudgeError(Exception):
    """The tool is not on this machine."""


def run(tool: str, binary: Path, arguments: tuple[str, ...]) -> str:
    """Asks one tool about a built exercise.

    :param arguments: of a run that is small enough for a tool that slows it down
    :return: one line that says that it is content
    :raises NotYetError: if it is not
    :raises CannotJudgeError: if it is not there
    """
    if match := requirements.INSTRUCTION.fullmatch(tool):
        return _code(binary, match[1])
    if match := requirements.COUNTER.fullmatch(tool):
        return _count(binary, arguments, match[1], match[2], float(match[3]))
    return _sanitizer(tool, binary, arguments)


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8")
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
