#!/usr/bin/env python3
"""Everything that needs a GPU: all transcripts again, claims on the new data, four sanitizer tools.

    gpu_check.py [--build DIR] [--jobs N] [--skip-sanitizer]

A test that skips without saying what this machine lacks is a failure.
"""

import argparse
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "ci"))

from lockstep import declarations  # noqa: E402

RECORDER = [sys.executable, str(ROOT / "ci/recorder.py")]


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


def tests(build: Path, label: str, jobs: int) -> bool:
    """Runs the tests of a label; false if one fails or skips without a reason."""
    report = build / f"{label}.xml"
    command = ["ctest", "--test-dir", str(build), "-L", f"^{label}$", "--no-tests=error", "--output-on-failure"]
    passed = step(f"tests labelled {label}", [*command, "-j", str(jobs), "--output-junit", str(report)])
    skips = undeclared_skips(report) if report.exists() else ["no report"]
    print("".join(f"{line}\n" for line in skips), end="")
    return passed and not skips


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/sanitize")
    parser.add_argument("--jobs", type=int, default=8, help="sanitizer runs at a time; transcripts run alone")
    parser.add_argument("--skip-sanitizer", action="store_true", help="leave out the four compute-sanitizer tools")
    options = parser.parse_args()
    build = options.build.resolve()

    gpus = subprocess.run([*RECORDER, "gpus"], capture_output=True, text=True)
    if gpus.returncode != 0:
        print("gpu-check: this machine has no usable GPU", file=sys.stderr)
        return 1
    steps = {
        "configure": step("configure", ["cmake", "--preset", "sanitize", "-G", "Ninja", "-B", str(build)]),
        "build": step("build", ["cmake", "--build", str(build)]),
        "recording": tests(build, "recording", 1),
        "claims": step("claims on what was printed now", [*RECORDER, "claims", "--rerun", str(build / "rerun")]),
    }
    if any(program.exercise for program in declarations.load(ROOT).values()):
        steps["exercise"] = tests(build, "exercise", options.jobs)
    if not options.skip_sanitizer:
        steps["sanitize"] = tests(build, "sanitize", options.jobs)
    failed = [name for name, passed in steps.items() if not passed]
    print("".join(f"\n  {name}: failed" for name in failed))
    print(f"gpu-check: {len(steps) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
