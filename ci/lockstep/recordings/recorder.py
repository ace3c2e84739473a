"""Runs the commands of transcripts on this GPU machine: to record what they print, or to compare with it."""

import contextlib
import io
import os
import shutil
import signal
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lockstep import files
from lockstep.errors import CANNOT_RUN, LockstepError
from lockstep.files import write_whole
from lockstep.programs import declarations, downloads
from lockstep.programs.declarations import Program
from lockstep.recordings import builds, deviations, filters, keys, pictures, series, shell, transcripts
from lockstep.recordings.filters import FilterError
from lockstep.recordings.machine import Machine, provenance
from lockstep.recordings.pictures import PictureError
from lockstep.recordings.session import Command
from lockstep.recordings.transcripts import Transcript

SKIPPED = CANNOT_RUN
GPU_CHECK = "build/gpu-check"  # in the project: the results of gpu-check
LOG = "recorded.txt"  # in the build folder: the files that were recorded there
# mpirun refuses root and wants ssh, even for processes of one machine.
MPI_IN_CONTAINERS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_plm_rsh_agent": "false",
}
INHERITED = ("PATH", "HOME", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "TMPDIR")


class RecorderError(LockstepError):
    """Something that keeps a program from being recorded or checked."""


class DifferenceError(RecorderError):
    """The commands ended as recorded, and printed something else."""


@contextlib.contextmanager
def scratch(program: Program, build: Path) -> Iterator[Path]:
    """A folder that holds the built program, its single-file source and the timeline library, and nothing else."""
    with tempfile.TemporaryDirectory(prefix="lockstep-") as name:
        folder = Path(name)
        for file, text in downloads.files(program).items():
            (folder / file).write_text(text, encoding="utf-8")
        if not program.must_not_compile:
            built = builds.executable(program, build)
            if not built.exists():
                raise RecorderError(f"{program.path} is not built; run: cmake --build {build} --target {program.name}")
            if changed := builds.outdated(program, build):
                raise RecorderError(
                    f"{program.path} was not built from this {', '.join(changed)}; run: "
                    f"touch {program.source} && cmake --build {build} --target {program.name}"
                )
            (folder / program.name).symlink_to(built)
        timeline = builds.timeline(build)
        if timeline.exists() and not builds.timeline_outdated(build, program.root):
            (folder / timeline.name).symlink_to(timeline)
        yield folder


def run(program: Program, text: str, folder: Path, gpu: str = "") -> Command:
    """Runs one command of a transcript, with one GPU in sight or with all; raises RecorderError when it hangs."""
    environment = {name: os.environ[name] for name in INHERITED if name in os.environ}
    environment |= {"LC_ALL": "C.UTF-8", "TERM": "dumb", "CUDA_CACHE_PATH": str(folder / ".cache")}
    environment |= MPI_IN_CONTAINERS
    if gpu:
        environment["CUDA_VISIBLE_DEVICES"] = gpu
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


def run_all(program: Program, wish: Transcript, build: Path, data: Path, gpu: str = "") -> Transcript:
    """Runs every command of a transcript, and filters what it declares so.

    Data files, pictures, and the whole output of what is filtered, go to `data`.
    """
    with scratch(program, build) as folder:
        whole = [replace(run(program, command.text, folder, gpu), filters=command.filters) for command in wish.commands]
        commands = [_shown(command, folder) for command in whole]
        for keyword, names in (("DATA", program.data), ("PICTURES", program.pictures)):
            if lacking := [name for name in names if not (folder / name).is_file()]:
                raise RecorderError(_unwritten(lacking[0], keyword, wish, commands))
        for name in program.data:
            if faults := series.faults(folder / name):
                raise RecorderError("\n".join(faults))
            shutil.copy(folder / name, data / name)
        for name in program.pictures:
            (data / declarations.recorded_picture(name)).write_bytes(_picture(folder / name))
        if filtered := [command for command in whole if command.filters]:
            (data / filters.whole_file(program.console).name).write_bytes(filters.pack(filtered))
        digests = {name: series.digest(data / name) for name in keys.data_files(program, wish)}
    expected = [command.status for command in wish.commands]  # a page may show a program that finds no GPU
    skipped = [c.text for c, status in zip(commands, expected, strict=True) if c.status == SKIPPED != status]
    if skipped:
        raise RecorderError(
            f"$ {skipped[0]}\n  says that this machine cannot run it; declare UNRECORDED with the reason"
        )
    return replace(wish, commands=commands, data=digests, provenance={})


def _unwritten(name: str, keyword: str, wish: Transcript, ran: list[Command]) -> str:
    """The message for a file that is not there; with what a command said that failed before it could write it."""
    pairs = zip(wish.commands, ran, strict=True)
    failed = [unexpected_status(now) for before, now in pairs if now.status != before.status]
    return "\n".join([f"no command wrote {name}, which is declared under {keyword}", *failed[:1]])


def _picture(pixmap: Path) -> bytes:
    """What is kept of a picture that a command wrote."""
    try:
        return pictures.png(pictures.parse(pixmap.read_bytes()))
    except PictureError as error:
        raise RecorderError(f"{pixmap.name} {error}") from None


def _shown(command: Command, folder: Path) -> Command:
    """A command with what its filters show of its output; writes the data files that they make."""
    if not command.filters:
        return command
    try:
        made = filters.apply(command.filters, command.output)
    except FilterError as error:
        raise RecorderError(f"$ {command.text}\n  {error}") from None
    for name, text in made.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return replace(command, output=made.lines)


def refilter(program: Program) -> str:
    """Has a transcript show what its filters say now, from the whole output that was recorded."""
    recorded = keys.load(program)
    if not (recorded.recorded and recorded.filtered):
        return "nothing is filtered"
    try:
        commands = keys.whole(program, recorded)
    except FilterError as error:
        raise RecorderError(str(error)) from None
    with tempfile.TemporaryDirectory(prefix="lockstep-data-") as name:
        data = Path(name)
        shown = [_shown(command, data) for command in commands]
        again = replace(recorded, commands=shown)
        made = {file.name: file.read_bytes() for file in data.iterdir()}
        digests = recorded.data | {file: series.digest(data / file) for file in made}
        if shown == recorded.commands and digests == recorded.data:
            return "unchanged"
        for file, content in made.items():
            write_whole(program.directory / file, content)
    again = keys.sealed(program, replace(again, data=digests), recorded.provenance)
    files.write(program.console, transcripts.serialize(again))
    return "filtered again"


def compare(program: Program, recorded: Transcript, found: Transcript, data: Path) -> list[str]:
    """What differs between a recording and a new run: anything but measured numbers, and those by more than allowed."""
    differences = transcripts.differences(recorded, found)
    for name in program.data:
        before = program.directory / name
        differences += series.differences(before, data / name) if before.exists() else [f"{name} was never recorded"]
    for name in map(declarations.recorded_picture, program.pictures):
        before, (within, _) = program.directory / name, recorded.pictures.get(name, (0, ""))
        if before.exists():
            differences += pictures.differences(before, data / name, within)
        else:
            differences.append(f"{name} was never recorded")
    return differences + deviations.findings(deviations.of_run(program, recorded, found, data))


def unexpected_status(command: Command) -> str:
    """The message for a command that ended with another status than its transcript expects."""
    last = "\n".join(f"  {line}" for line in command.output[-8:])
    return (
        f"$ {command.text}\n{last}\n  exit status {command.status}: fix the program, or, if that is what the page "
        f'shows, write "[exit status {command.status}]" under the command'
    )


def record(program: Program, machine: Machine, build: Path, refresh: bool, gpu: str = "") -> str:
    """Records one program; returns what was done, in a word or two.

    :param gpu: the number of the only GPU that the commands see; all are in sight without it
    """
    if program.unrecorded:
        return f"not recorded: {program.unrecorded}"
    if reason := machine.lacks(program):
        raise RecorderError(reason)
    if (release := keys.pinned_toolkit()) != machine.toolkit_release():
        raise RecorderError(
            f"this machine has CUDA {machine.toolkit or '(none)'}; the site is recorded with CUDA {release}"
        )
    wish = keys.load(program)
    if program.console.exists() and (refused := shell.refused(program.console.read_text(encoding="utf-8"))):
        where = keys.relative(program.console, program.root)
        raise RecorderError("\n".join(f"{where}:{line}" for line in refused))
    if unknown := keys.unknown_pictures(program, wish):
        raise RecorderError("\n".join(f"{keys.relative(program.console, program.root)}: {fault}" for fault in unknown))
    built_with = builds.line(program, build)
    with tempfile.TemporaryDirectory(prefix="lockstep-data-") as name:
        data = Path(name)
        found = run_all(program, wish, build, data, gpu)
        for before, now in zip(wish.commands, found.commands, strict=True):
            if now.status != before.status:
                raise RecorderError(unexpected_status(now))
        fresh = not keys.problems(program, program.root) and wish.provenance.get("build") == built_with
        if fresh and not refresh and not compare(program, wish, found, data):
            return "unchanged"
        again = keys.sealed(program, found, provenance(machine, build, 1 if gpu else 0) | {"build": built_with})
        extra = keys.data_files(program, found)
        changed = (program.console, *(program.directory / name for name in extra))
        # before the files: what is lost then was not written
        files.append(build / LOG, "".join(f"{file.relative_to(program.root)}\n" for file in changed))
        for written in extra:
            write_whole(program.directory / written, (data / written).read_bytes())
        files.write(program.console, transcripts.serialize(again))
    return "recorded"


def rerun(program: Program, machine: Machine, build: Path, keep: Path | None, gpu: str = "") -> str:
    """Runs one program's commands again; raises RecorderError where the recording is not what happens.

    :param keep: where what they print is kept
    :param gpu:  the number of the only GPU that they see; all are in sight without it
    """
    if program.unrecorded:
        return f"not recorded: {program.unrecorded}"
    if stale := keys.problems(program, program.root):
        raise RecorderError("\n".join(stale))
    if reason := machine.lacks(program):
        return f"skipped: {reason}"
    recorded = keys.load(program)
    if differs := builds.difference(recorded.provenance["build"], builds.line(program, build)):
        raise RecorderError(
            f"{build} builds {program.path} otherwise than recorded: {differs}; take the option back, or record again"
        )
    with tempfile.TemporaryDirectory(prefix="lockstep-data-") as name:
        data = Path(name)
        found = run_all(program, recorded, build, data, gpu)
        if keep:
            folder = keep / program.folder
            folder.mkdir(parents=True, exist_ok=True)
            files.write(folder / program.console.name, transcripts.serialize(found))
            for file in program.recorded_files:
                shutil.copy(data / file, keep / file)
        if differences := compare(program, recorded, found, data):
            ended = [command.status for command in found.commands]
            error = DifferenceError if ended == [command.status for command in recorded.commands] else RecorderError
            raise error("\n".join(differences))
    return "agrees"


def pack(root: Path, build: Path, target: Path) -> int:
    """Packs what was recorded into `build` since it was made, and the results of gpu-check; returns how many files.

    It may run at any time, beside a recording, too: each of the files is whole.
    """
    log = build / LOG
    logged = set(log.read_text(encoding="utf-8").split("\n")) - {""} if log.exists() else set()
    checked = (file for file in (root / GPU_CHECK).rglob("*") if file.is_file() and file.suffix != ".part")
    names = sorted(name for name in logged if (root / name).is_file())
    names += sorted(str(file.relative_to(root)) for file in checked)
    part = target.with_name(target.name + ".part")
    with tarfile.open(part, "w:gz") as archive:
        for name in names:
            content = (root / name).read_bytes()  # at once: the file may be replaced, or grow, meanwhile
            entry = archive.gettarinfo(root / name, arcname=name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    os.replace(part, target)
    return len(names)
