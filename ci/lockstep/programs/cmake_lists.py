"""Has CMake read the declarations in the programs' lists, without a toolkit, into build/declarations.json.

python3 ci program list      (every command that needs them does this by itself)
"""

import argparse
import errno
import json
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from lockstep import data, files
from lockstep.files import ROOT
from lockstep.programs import declarations
from lockstep.programs.declarations import DeclarationError, Program

_FINDING = re.compile(r"^CMake Error (?:in|at) (.+?):(\d+)[^\n]*:\n(.*?)(?:\n\n\n|\n\n?Call Stack|\Z)", re.S | re.M)


def programs(root: Path) -> dict[str, Program]:
    """All declared programs by path, in the order of their folders, as the CMake lists declare them now."""
    update(root)
    return declarations.load(root)


def update(root: Path) -> None:
    """Writes build/declarations.json, unless it says what the lists say; raises DeclarationError for what is wrong.

    In a checkout that cannot be written, this process alone keeps what the lists say.
    """
    if declarations.up_to_date(root):
        return
    now = declarations.key(root)
    text = json.dumps({"key": now, **read(root)}, ensure_ascii=False, indent=1) + "\n"
    written = data.parse(text.encode(), declarations.Written, str(declarations.WRITTEN), is_json=True)
    declarations.parse(written.value, root)
    target = root / declarations.WRITTEN
    try:
        target.parent.mkdir(exist_ok=True)
        files.write(target, text)
        declarations.unwritten.pop(root, None)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES):
            raise
        declarations.unwritten[root] = written.value


def read(root: Path) -> dict[str, Any]:
    """What CMake reads in the lists: the C++ standard, and each declaration with the line on which it stands."""
    with tempfile.TemporaryDirectory(prefix="lockstep-") as folder:
        out, trace = Path(folder) / "declared.json", Path(folder) / "calls.json"
        command = [
            "cmake", "--trace-format=json-v1", "--trace-source=CMakeLists.txt", f"--trace-redirect={trace}",
            "-D", f"ROOT={root}", "-D", f"OUT={out}", "-P", str(declarations.SCRIPT),
        ]  # fmt: skip
        try:
            run = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", cwd=folder)
        except FileNotFoundError:
            raise DeclarationError(
                "cmake is missing, which reads the declarations; install CMake 3.24 or newer"
            ) from None
        if run.returncode != 0 or not out.exists():
            raise DeclarationError(finding(run.stderr, root))
        declared: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
        calls = map(json.loads, trace.read_text(encoding="utf-8").splitlines())
        lines = [call["line"] for call in calls if call.get("cmd", "").lower() == "lockstep_program"]
    for one, line in zip(declared["programs"], lines, strict=True):
        one["line"] = line
    return declared


def finding(said: str, root: Path) -> str:
    """What CMake said, as one finding: file, line, text."""
    if not (match := _FINDING.search(said)):
        return f"programs/CMakeLists.txt: cmake cannot read it: {' '.join(said.split())[:300]}"
    file, line, text = Path(match[1]), match[2], " ".join(match[3].split())
    shown = file.relative_to(root) if file.is_relative_to(root) else file
    return f"{shown}:{line}: {text}"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="program list", description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT, help="the project (default: this one)")
    options = parser.parse_args(argv)
    declared = programs(options.root.resolve())
    print(f"{len(declared)} programs declared")
    return 0
