"""Everything that needs a GPU: all transcripts again, claims on the new data, four sanitizer tools.

    python3 ci gpu-check [--build DIR] [--jobs N] [--skip-sanitizer]

Transcripts with measured values run one at a time. The others run side by side; some of them depend on when their kernels
get the GPU, so those that fail run again, one at a time. A test that skips without saying what this machine lacks is a failure.
"""

import argparse
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from lockstep.files import ROOT
from lockstep.programs import cmake_lists

LOCKSTEP = [sys.executable, str(ROOT / "ci")]


def step(title: str, command: list[str]) -> bool:
    """Runs one step and says how it went."""
    print(f"== {title}\n$ {' '.join(command)}", flush=True)
    return subprocess.run(command, cwd=ROOT).returncode == 0


def undeclared_skips(report: Path) -> list[str]:
    """Tests that skipped without naming what the machine lacks."""
    found = []
    for test in ElementTree.parse(report).getroot().iter("testcase"):
        said = "".join(test.itertext())
        if test.find("skipped") is not None and "needs" not in said:
            found.append(f"{test.get('name')}: skipped without a reason: {said.strip() or 'said nothing'}")
    return found


def failures(report: Path) -> list[str]:
    """Tests that failed."""
    return [
        test.get("name", "")
        for test in ElementTree.parse(report).getroot().iter("testcase")
        if test.find("failure") is not None
    ]


def tests(build: Path, labels: str, jobs: int, again: bool = False) -> bool:
    """Runs the tests with these labels, and without those after a minus sign.

    With again, those that failed have a second run, one at a time. False if one failed or skipped without a reason.
    """
    report = build / f"{labels.replace(' ', '')}.xml"
    report.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", str(build), "--no-tests=error", "--output-on-failure"]
    for label in labels.split():
        command += ["-LE" if label.startswith("-") else "-L", f"^{label.lstrip('-')}$"]
    passed = step(f"tests labelled {labels}", [*command, "-j", str(jobs), "--output-junit", str(report)])
    if not report.exists():
        print("no report")
        return False
    skips = undeclared_skips(report)
    print("".join(f"{line}\n" for line in skips), end="")
    if again and (names := failures(report)):
        pattern = "|".join(re.escape(name) for name in names)
        passed = step("those that failed, one at a time", [*command, "-R", f"^({pattern})$"])
    return passed and not skips


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="gpu-check", description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/sanitize")
    parser.add_argument("--jobs", type=int, default=8, help="tests at a time; what measures runs alone")
    parser.add_argument("--skip-sanitizer", action="store_true", help="leave out the four compute-sanitizer tools")
    options = parser.parse_args(argv)
    build = options.build.resolve()

    gpus = subprocess.run([*LOCKSTEP, "gpus"], capture_output=True, text=True)
    if gpus.returncode != 0:
        print("gpu-check: this machine has no usable GPU", file=sys.stderr)
        return 1
    steps = {
        "configure": step("configure", ["cmake", "--preset", "sanitize", "-G", "Ninja", "-B", str(build)]),
        "build": step("build", ["cmake", "--build", str(build)]),
        "recording": tests(build, "recording -alone", options.jobs, again=True),
        "measured": tests(build, "recording alone", 1),
        "claims": step("claims on what was printed now", [*LOCKSTEP, "claims", "--rerun", str(build / "rerun")]),
    }
    if any(program.exercise for program in cmake_lists.programs(ROOT).values()):
        steps["exercise"] = tests(build, "exercise", options.jobs)
    if not options.skip_sanitizer:
        steps["sanitize"] = tests(build, "sanitize", options.jobs)
    failed = [name for name, passed in steps.items() if not passed]
    print("".join(f"\n  {name}: failed" for name in failed))
    print(f"gpu-check: {len(steps) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0
