#!/usr/bin/env python3
"""Records what programs print, and checks that recordings are still true.

    recorder.py record [PROGRAM ...]   run the commands on this GPU machine, rewrite the outputs
    recorder.py check  [PROGRAM ...]   run the commands on this GPU machine, compare
    recorder.py fresh  [PROGRAM ...]   run nothing; find stale, missing and edited recordings
    recorder.py claims [--rerun DIR]   evaluate the claims of all pages on the recorded data
    recorder.py gpus                   the GPUs of this machine
    recorder.py pack FILE.tar.gz       everything that was recorded in this build folder, as one tar

Programs are named by path or bare name; none means all. Standard library only.
Exit status: 0 all is well, 1 something is not, 2 bad arguments, 77 this machine cannot run it.
"""

import argparse
import contextlib
import datetime
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from lockstep import claims, declarations, downloads, freshness, series, sources, transcripts  # noqa: E402
from lockstep.declarations import DeclarationError, Program  # noqa: E402
from lockstep.files import write_whole  # noqa: E402
from lockstep.transcripts import Command, Transcript, TranscriptError  # noqa: E402

SKIPPED = 77
LOG = "recorded.txt"  # in the build folder: the files that were recorded there
# mpirun refuses root and wants ssh, even for processes of one machine.
MPI_IN_CONTAINERS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_plm_rsh_agent": "false",
}
INHERITED = ("PATH", "HOME", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "TMPDIR")


class RecorderError(Exception):
    """Something that keeps a program from being recorded or checked."""


@dataclass(frozen=True)
class Machine:
    """What this machine can run; `gpus` is empty without a usable GPU."""

    gpus: list[tuple[str, str]]
    driver: str

    def lacks(self, program: Program) -> str:
        """Why the program cannot run here; empty if it can."""
        if not self.gpus:
            return "this machine has no usable GPU"
        if len(self.gpus) < program.min_gpus:
            return f"it needs {program.min_gpus} GPUs, this machine has {len(self.gpus)}"
        capability = int(self.gpus[0][1].replace(".", ""))
        if program.min_cc and capability < program.min_cc:
            return f"it needs compute capability {program.min_cc / 10:.1f}, this GPU has {self.gpus[0][1]}"
        return ""


def output_of(*command: str) -> str:
    """Standard output of a tool; empty if it is missing or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


def this_machine() -> Machine:
    rows = output_of("nvidia-smi", "--query-gpu=name,compute_cap,driver_version", "--format=csv,noheader")
    fields = [[cell.strip() for cell in row.split(",")] for row in rows.splitlines() if row.count(",") == 2]
    return Machine([(name, capability) for name, capability, _ in fields], fields[0][2] if fields else "")


def provenance(machine: Machine, build: Path) -> dict[str, str]:
    """Where a recording comes from."""
    name, capability = machine.gpus[0]
    count = f"{len(machine.gpus)} GPUs" if len(machine.gpus) > 1 else "1 GPU"
    toolkit = re.search(r"V([\d.]+)", output_of("nvcc", "--version"))
    cache = (build / "CMakeCache.txt").read_text() if (build / "CMakeCache.txt").exists() else ""
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M)
    version = output_of(compiler[1] if compiler else "c++", "-dumpfullversion").strip()
    return {
        "gpu": f"{name} (compute capability {capability}, {count})",
        "driver": machine.driver,
        "toolkit": toolkit[1] if toolkit else "unknown",
        "host compiler": f"g++ {version}",
        "date": datetime.date.today().isoformat(),
    }


@contextlib.contextmanager
def scratch(program: Program, build: Path):
    """A folder that holds the built program, its single-file source and the timeline library, and nothing else."""
    with tempfile.TemporaryDirectory(prefix="lockstep-") as name:
        folder = Path(name)
        for file, text in downloads.files(program).items():
            (folder / file).write_text(text)
        if not program.must_not_compile:
            built = build / "programs" / program.folder / program.name
            if not built.exists():
                raise RecorderError(f"{program.path} is not built; run: cmake --build {build} --target {program.name}")
            (folder / program.name).symlink_to(built)
        timeline = build / "programs/timeline/libtimeline.so"
        if timeline.exists():
            (folder / timeline.name).symlink_to(timeline)
        yield folder


def run(program: Program, text: str, folder: Path) -> Command:
    """Runs one command of a transcript; raises RecorderError when it hangs."""
    environment = {name: os.environ[name] for name in INHERITED if name in os.environ}
    environment |= {"LC_ALL": "C.UTF-8", "TERM": "dumb", "CUDA_CACHE_PATH": str(folder / ".cache")}
    environment |= MPI_IN_CONTAINERS
    shell = ["bash", "-c", text]
    if shutil.which("stdbuf"):
        shell = ["stdbuf", "-oL", *shell]  # lines appear in the order of a terminal
    process = subprocess.Popen(
        shell, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        printed, _ = process.communicate(timeout=program.timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise RecorderError(f"$ {text}\n  still ran after {program.timeout} s and was stopped") from None
    status = process.returncode if process.returncode >= 0 else 128 - process.returncode
    lines = printed.decode(errors="replace").replace(str(folder) + "/", "").splitlines()
    return Command(text, [line.rstrip() for line in lines], status)


def run_all(program: Program, wish: Transcript, build: Path, data: Path) -> Transcript:
    """Runs every command of a transcript; copies the data files that they wrote to `data`."""
    with scratch(program, build) as folder:
        commands = [run(program, command.text, folder) for command in wish.commands]
        seals = {}
        for name in program.data:
            if not (folder / name).exists():
                raise RecorderError(f"no command wrote {name}, which is declared under DATA")
            if faults := series.faults(folder / name):
                raise RecorderError("\n".join(faults))
            shutil.copy(folder / name, data / name)
            seals[name] = series.seal(data / name)
    skipped = [c.text for c in commands if c.status == SKIPPED and f"exit status {SKIPPED}" not in c.text]
    if skipped:
        raise RecorderError(
            f"$ {skipped[0]}\n  says that this machine cannot run it; declare UNRECORDED with the reason"
        )
    return replace(wish, commands=commands, data=seals, provenance={})


def compare(program: Program, recorded: Transcript, found: Transcript, data: Path) -> list[str]:
    """What differs between a recording and a new run beyond measured numbers."""
    differences = transcripts.differences(recorded, found)
    for name in program.data:
        before = program.directory / name
        differences += series.differences(before, data / name) if before.exists() else [f"{name} was never recorded"]
    return differences


def unexpected_status(command: Command) -> str:
    """The message for a command that ended with another status than its transcript expects."""
    last = "\n".join(f"  {line}" for line in command.output[-8:])
    return (
        f"$ {command.text}\n{last}\n  exit status {command.status}: mend the program, or, if that is what the page "
        f'shows, write "[exit status {command.status}]" under the command'
    )


def record(program: Program, machine: Machine, build: Path, refresh: bool) -> str:
    """Records one program; returns what was done, in a word or two."""
    if program.unrecorded:
        return f"not recorded: {program.unrecorded}"
    if reason := machine.lacks(program):
        raise RecorderError(reason)
    wish = freshness.load(program)
    with tempfile.TemporaryDirectory(prefix="lockstep-data-") as name:
        data = Path(name)
        found = run_all(program, wish, build, data)
        for before, now in zip(wish.commands, found.commands, strict=True):
            if now.status != before.status:
                raise RecorderError(unexpected_status(now))
        fresh = not freshness.problems(program, program.root)
        if fresh and not refresh and not compare(program, wish, found, data):
            return "unchanged"
        again = replace(found, provenance={})
        born = provenance(machine, build) | {"key": freshness.key(program, again)}
        born["output"] = again.digest()
        for file in program.data:
            write_whole(program.directory / file, (data / file).read_bytes())
        write_whole(program.console, transcripts.serialize(replace(again, provenance=born)).encode())
        with (build / LOG).open("a") as log:
            for file in (program.console, *(program.directory / name for name in program.data)):
                log.write(f"{file.relative_to(program.root)}\n")
    return "recorded"


def check(program: Program, machine: Machine, build: Path, keep: Path | None) -> str:
    """Runs one program's commands again; raises RecorderError where the recording is not what happens."""
    if program.unrecorded:
        return f"not recorded: {program.unrecorded}"
    if stale := freshness.problems(program, program.root):
        raise RecorderError("\n".join(stale))
    if reason := machine.lacks(program):
        return f"skipped: {reason}"
    recorded = freshness.load(program)
    with tempfile.TemporaryDirectory(prefix="lockstep-data-") as name:
        data = Path(name)
        found = run_all(program, recorded, build, data)
        if keep:
            folder = keep / program.folder
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / program.console.name, transcripts.serialize(found).encode())
            for file in program.data:
                shutil.copy(data / file, keep / file)
        if differences := compare(program, recorded, found, data):
            raise RecorderError("\n".join(differences))
    return "agrees"


def check_claims(root: Path, rerun: Path | None) -> list[str]:
    """Every claim of every page that does not hold, on recorded or re-run output."""
    again = {}
    if rerun:
        for console in rerun.rglob("*.console"):
            again[str(console.relative_to(rerun).with_suffix(""))] = transcripts.parse(console.read_text())
    recordings = claims.Recordings(root, again, rerun)
    found = []
    for path in sorted((root / "docs").rglob("*.claims")):
        if not path.with_suffix(".rst").exists():
            found.append(f"{freshness.relative(path, root)}: there is no page beside it; rename or remove it")
        try:
            found += claims.load(path, root, recordings).check()
        except claims.ClaimError as error:
            found.append(str(error))
    return found


def pack(root: Path, build: Path, target: Path) -> int:
    """Packs what was recorded into `build` since it was made; returns how many files."""
    log = build / LOG
    names = sorted(set(log.read_text().split("\n")) - {""}) if log.exists() else []
    part = target.with_name(target.name + ".part")
    with tarfile.open(part, "w:gz") as archive:
        for name in names:
            archive.add(root / name, arcname=name)
    os.replace(part, target)
    return len(names)


def parse_arguments(root: Path) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=root, help="the project (default: this one)")
    parser.add_argument("--build", type=Path, default=None, help="build folder (default: build/default)")
    verbs = parser.add_subparsers(dest="verb", required=True)
    for name, text in {"record": "rewrite outputs", "check": "run and compare", "fresh": "compare keys only"}.items():
        verb = verbs.add_parser(name, help=text)
        verb.add_argument("programs", nargs="*", metavar="PROGRAM")
        if name == "record":
            verb.add_argument("--refresh", action="store_true", help="also when only measured numbers moved")
            verb.add_argument("--stale", action="store_true", help="only programs whose recording is not fresh")
        if name == "check":
            verb.add_argument("--keep", type=Path, help="keep what was printed in this folder")
    verbs.add_parser("gpus", help="list the GPUs of this machine")
    verbs.add_parser("claims", help="evaluate the pages' claims").add_argument("--rerun", type=Path)
    verbs.add_parser("pack", help="pack changed recordings").add_argument("target", type=Path)
    return parser.parse_args()


def each(programs: list[Program], work) -> int:
    """Does `work` for each program and reports; returns how many failed."""
    failed = skipped = 0
    for program in programs:
        try:
            outcome = work(program)
            skipped += outcome.startswith("skipped")
        except (RecorderError, TranscriptError, sources.SourceError) as error:
            outcome, failed = f"FAILED\n{error}", failed + 1
        print(f"{program.label}: {outcome}", flush=True)
    if skipped == len(programs):
        return -1
    return failed


def main() -> int:
    options = parse_arguments(Path(__file__).resolve().parent.parent)
    root = options.root.resolve()
    build = (options.build or root / "build/default").resolve()
    if options.verb == "pack":
        print(f"packed {pack(root, build, options.target.resolve())} files into {options.target}")
        return 0
    if options.verb == "claims":
        found = check_claims(root, options.rerun.resolve() if options.rerun else None)
        print("\n".join(found) or "all claims hold")
        return 1 if found else 0

    declared = declarations.load(root)
    programs = [declarations.find(declared, name) for name in getattr(options, "programs", [])] or list(
        declared.values()
    )
    programs += declarations.small_runs(programs)
    if options.verb == "fresh":
        found = [problem for program in programs for problem in freshness.problems(program, root)]
        print("\n".join(found) or f"{len(programs)} transcripts are fresh")
        return 1 if found else 0

    machine = this_machine()
    if not machine.gpus:
        print(f"cannot {options.verb}: this machine has no usable GPU", file=sys.stderr)
        return SKIPPED
    if options.verb == "gpus":
        print("\n".join(f"{name}, compute capability {capability}" for name, capability in machine.gpus))
        return 0
    if options.verb == "record":
        if options.stale:
            programs = [program for program in programs if freshness.problems(program, root)]
        failed = each(programs, lambda program: record(program, machine, build, options.refresh))
    else:
        failed = each(programs, lambda program: check(program, machine, build, options.keep))
    return SKIPPED if failed < 0 else 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (DeclarationError, RecorderError, TranscriptError, sources.SourceError, claims.ClaimError) as error:
        sys.exit(f"recorder: {error}")
