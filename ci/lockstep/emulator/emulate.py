"""Runs the project's programs without a GPU, and makes the modules that a browser runs.

    python3 ci emulate run PROGRAM [ARGUMENT ...]       builds a program for this processor and runs it
    python3 ci emulate check [--jobs N] [PROGRAM ...]
                                                        runs programs and compares with the recordings, the first with several seeds
    python3 ci emulate web [--jobs N] [PROGRAM ...]     builds modules for the browser, and build/wasm/manifest.json
    python3 ci emulate rate                             how fast the emulator goes on this machine

Programs are named by path or bare name; none means all that the emulator supports. run takes any other .cu file, too.
What a check found, and modules, are kept (lockstep.cache) by the content of all that reaches them.
EMULATOR_SEED chooses the order of threads, blocks and streams; 0 is their own. Exit status of run: the program's; else
0 all is well, 1 something is not, 2 bad arguments.
"""

import argparse
import gzip
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from lockstep import cache as result_cache
from lockstep import data, files
from lockstep.content import content, digest
from lockstep.emulator import module_keys, toolchain
from lockstep.emulator.toolchain import EMULATOR, Toolchain
from lockstep.emulator.tools import BuildError, Unsupported
from lockstep.errors import CANNOT_RUN, LockstepError
from lockstep.exercises import parts, requirements
from lockstep.files import ROOT, write_whole
from lockstep.programs import cmake_lists, declarations
from lockstep.programs.declarations import Program
from lockstep.recordings import keys, pictures, transcripts
from lockstep.recordings.session import Command
from lockstep.recordings.transcripts import Transcript
from lockstep.setup import toolkit

T = TypeVar("T")
BUILD = ROOT / "build/emulator"
WEB = ROOT / "build/wasm"
SEEDS = (0, 1, 2)
LIMIT = 120  # seconds for one run
REMARK = "emulator: "  # how a line of the emulator's own begins
LEVELS = 1  # of 255, by which a picture may differ: a GPU fuses multiplications and additions
MOST_BYTES = 300_000  # of a module, compressed


class EmulatorError(LockstepError):
    """What keeps a program from being built, run or compared."""


# -- building ------------------------------------------------------------------------------------------------------------


def build_key(program: Program, target: toolchain.Target) -> str:
    """A digest of everything that reaches the built program; the same in every clone."""
    tools = [toolchain.tools_key(), *([toolchain.web_tools_key()] if target.web else [])]
    return digest([module_keys.program_key(program), *tools, str(target), str(program.standard)])


@cache
def comparing_key() -> str:
    """A digest of what compares a run with its recording, and tries exercises."""
    return content(ROOT, [f"ci/lockstep/{name}" for name in ("emulator", "recordings", "exercises")])


def result_key(program: Program, target: toolchain.Target) -> str:
    """A digest of all that decides what a check of a program finds, or what its modules are."""
    judged = [] if target.web else [comparing_key(), module_keys.recordings_key(program), str(SEEDS)]
    return digest([build_key(program, target), repr(replace(program, root=Path(), line=0)), *judged])


def built(program: Program, tools: Toolchain, variant: str = "") -> Path:
    """The executable or module of a program, or of a variant of an exercise; made again if what reaches it changed."""
    name = program.path.replace("/", ".") + (f".{variant}" if variant else "")
    out = tools.folder / "programs" / (name + (".wasm" if tools.target.web else ""))
    stamp = out.with_name(out.name + ".key")
    now = build_key(program, tools.target)
    if out.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == now:
        return out
    out.parent.mkdir(exist_ok=True)
    module_key = result_key(program, tools.target) if tools.target.web and not variant else ""
    if module_key and (known := result_cache.get("modules", module_key)):
        write_whole(out, known)
        files.write(stamp, now)
        return out
    extra = [program.directory / name for name in program.sources]
    if any(file.suffix == ".cu" for file in extra):
        raise Unsupported("device code in several files")
    source = program.source
    if variant:
        source = out.with_name(f"{name}.cu")
        files.write(source, parts.parse(program.source.read_text(encoding="utf-8"), program.source.name).text(variant))
    tools.build(source, out, program.standard, extra)
    files.write(stamp, now)
    if module_key:
        result_cache.put("modules", module_key, out.read_bytes())
    return out


def own_file(wanted: str) -> Path | None:
    """A .cu file that is none of the site's, if that is what was asked for."""
    file = Path(wanted)
    own = file.suffix == ".cu" and file.is_file() and not file.resolve().is_relative_to(ROOT / "programs")
    return file.resolve() if own else None


def executable_of(wanted: Program | Path, tools: Toolchain) -> Path:
    """The executable of a declared program, or of any other .cu file."""
    if isinstance(wanted, Program):
        return built(wanted, tools)
    out = tools.folder / "own" / wanted.stem
    out.parent.mkdir(exist_ok=True)
    tools.build(wanted, out)
    return out


def prepared(name: str) -> Toolchain:
    """The toolchain for a target, with its runtime built; raises an error that names what is missing."""
    target = toolchain.TARGETS[name]
    toolchain.toolkit()
    if missing := toolchain.missing_tools(target):
        raise EmulatorError(f"please install these Debian packages first: {' '.join(missing)}")
    tools = Toolchain(target, BUILD)
    with ThreadPoolExecutor() as pool:
        rewriter = pool.submit(tools.rewriter)
        tools.runtime()
        rewriter.result()
    return tools


# -- running and comparing ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Recording:
    """What the GPU printed for a command that the emulator runs, with the rules of comparison."""

    arguments: str
    transcript: Transcript  # of one command
    finds: str | None = None  # in a remark of the emulator that may stop it; must, if there is any text
    drawing: str = ""  # the arguments with those by which the GPU drew pictures


def whole(program: Program) -> Transcript:
    """What was recorded, before any filter."""
    rules = keys.load(program)
    return replace(rules, commands=keys.whole(program, rules))


def recordings(program: Program) -> list[Recording]:
    """The recorded runs to compare with: the small one, or else all that run the program itself and nothing more.

    The first may compile the program, too. What a sanitizer complained of, the emulator may stop.
    """
    rules = whole(program)
    if program.small and not program.emulator_finds:
        small = whole(program.small_variant)
        return [Recording(shlex.join(program.small), replace(rules, commands=small.commands[:1]))]
    blamed = set()
    for command in rules.commands:
        match = re.fullmatch(rf"compute-sanitizer .*\./{program.name}((?: [^&<>]+)?)", command.text)
        if match and not any("SUMMARY: 0 " in line for line in command.output):
            blamed.add(match[1].strip())
    drawn = [rf" --[\w-]+ {re.escape(name)}(?= |$)" for name in program.pictures]
    files = "|".join([r" --csv \S+", *drawn])
    found: dict[str, Recording] = {}
    for command in rules.commands:
        compiled = "" if found else r".*(?:nvcc|g\+\+) .* && \./\w+|"
        match = re.fullmatch(rf"(?:{compiled}\./{program.name})((?: [^&<>$]+)?)", command.text)
        if match:
            arguments = re.sub(files, "", match[1]).strip()  # no file is wanted here
            if re.search(r"\.(?:csv|dot)\b", arguments):  # a run that is about one
                continue
            finds = "" if arguments in blamed else None
            drawing = match[1].strip() if program.pictures else ""
            found.setdefault(arguments, Recording(arguments, replace(rules, commands=[command]), finds, drawing))
    arguments, text = program.planted
    planted = arguments if arguments in found else next(iter(found), "")
    if text and planted in found:
        found[planted] = replace(found[planted], finds=text)
    return list(found.values())


def run(program: Path, name: str, arguments: str, seed: int) -> Command:
    """Runs a built program in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="lockstep-emulator-") as folder:
        return run_in(Path(folder), program, name, arguments, seed)


def run_in(folder: Path, program: Path, name: str, arguments: str, seed: int) -> Command:
    """Runs a built program in an empty folder."""
    # Lines in the order of a terminal, as they were recorded.
    ordered = ["stdbuf", "-oL"] if shutil.which("stdbuf") else []
    (folder / name).symlink_to(program.resolve())
    try:
        done = subprocess.run(
            [*ordered, f"./{name}", *shlex.split(arguments)], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=LIMIT, check=False,
            env=os.environ | {"EMULATOR_SEED": str(seed), "LC_ALL": "C.UTF-8"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise EmulatorError(f"still ran after {LIMIT} s") from None
    return Command(f"./{name} {arguments}".strip(), done.stdout.decode(errors="replace").splitlines(), done.returncode)


def without(lines: list[str], patterns: list[str]) -> list[str]:
    """The lines that no pattern finds, without the emulator's remarks."""
    return [line for line in lines if not line.startswith(REMARK) and not any(re.search(p, line) for p in patterns)]


def differences(recorded: Transcript, found: Command) -> list[str]:
    """Where a run differs from the GPU's beyond measured numbers and lines that are the device's own."""
    own = [pattern for pattern, _ in recorded.device]
    before = recorded.commands[0]
    expected = replace(recorded, commands=[replace(before, output=without(before.output, own))])
    actual = replace(recorded, commands=[replace(found, text=before.text, output=without(found.output, own))])
    return transcripts.differences(expected, actual)


def checked(program: Program, tools: Toolchain) -> str:
    """What a check of a program found, now or before; raises EmulatorError as check() does."""
    key = result_key(program, toolchain.TARGETS["native"])
    if known := result_cache.get("checks", key):
        return known.decode()
    result = check(program, tools)
    result_cache.put("checks", key, result.encode())
    return result


def check(program: Program, tools: Toolchain) -> str:
    """Runs a program with each seed; raises EmulatorError where it is not what was declared or recorded."""
    if program.no_emulation:
        return check_refusal(program, tools)
    wanted = recordings(program)
    if not wanted:
        raise EmulatorError("no recorded command runs it; declare NO_EMULATION with the reason")
    executable = built(program, tools)
    for one in wanted:  # the others may show what happens in the natural order only
        for seed in SEEDS if one is wanted[0] else SEEDS[:1]:
            compare_twice(one, program, executable, seed)
        compare_pictures(one, program, executable)
    if program.exercise:
        check_variants(program, tools)
    return "finds what it should" if program.emulator_finds else "agrees"


def compare_twice(wanted: Recording, program: Program, executable: Path, seed: int) -> None:
    """Compares a run, and where it differs another: under one seed only the host's clock can tell the two apart."""
    try:
        compare(wanted, run(executable, program.name, wanted.arguments, seed), seed)
    except EmulatorError:
        compare(wanted, run(executable, program.name, wanted.arguments, seed), seed)


def compare_pictures(wanted: Recording, program: Program, executable: Path) -> None:
    """Compares the pictures that a command draws with those of the GPU."""
    names = [name for name in program.pictures if name in wanted.drawing or "--pictures" in wanted.drawing]
    if not names:
        return
    rows = []
    with tempfile.TemporaryDirectory(prefix="lockstep-emulator-") as made:
        folder = Path(made)
        run_in(folder, executable, program.name, wanted.drawing, 0)
        for name in names:
            recorded = program.directory / declarations.recorded_picture(name)
            if not (folder / name).exists():
                rows.append(f"{name}: is not drawn")
                continue
            (folder / recorded.name).write_bytes(pictures.png(pictures.parse((folder / name).read_bytes())))
            allowed, _ = wanted.transcript.pictures.get(recorded.name, (0, ""))
            rows += pictures.differences(recorded, folder / recorded.name, max(allowed, LEVELS))
    if rows:
        raise EmulatorError("\n".join(rows))


def compare(wanted: Recording, found: Command, seed: int) -> None:
    """Raises EmulatorError where a run is not what was declared or recorded."""
    remarks = [line for line in found.output if line.startswith(REMARK)]
    if wanted.finds is not None and any(wanted.finds in line for line in remarks):
        return
    if wanted.finds:
        raise EmulatorError(f"seed {seed}: does not find: {wanted.finds}\n" + "\n".join(found.output[-8:]))
    if rows := differences(wanted.transcript, found):
        raise EmulatorError("\n".join([f"seed {seed}:", *rows, *remarks]))


def attempt(program: Program, executable: Path) -> tuple[int, str]:
    """Runs a variant or a learner's copy of an exercise under each seed.

    :return: 0 if all runs were content, 77 if one cannot judge on this machine, else 1; and what the last one said
    """
    for seed in SEEDS:
        try:
            found = run(executable, program.name, shlex.join(program.small), seed)
        except EmulatorError as error:
            return 1, f"{error}; does a loop, or a wait, never end?"
        if found.status == CANNOT_RUN:
            return CANNOT_RUN, "\n".join(found.output)
        if found.status != 0 or any(line.startswith(REMARK) for line in found.output):
            order = f"\n(with order {seed} of the threads: EMULATOR_SEED={seed})" if seed else ""
            return 1, "\n".join(found.output) + order
    return 0, "\n".join(found.output)


def check_variants(program: Program, tools: Toolchain) -> None:
    """Makes sure that the starter and each mutant of an exercise fail, but for those that only a GPU can judge."""
    variants = parts.parse(program.source.read_text(encoding="utf-8"), program.source.name).mutants
    for variant in (parts.STARTER, *variants):
        status, _ = attempt(program, built(program, tools, variant))
        if status == 0 and not requirements.beyond_the_emulator(program.tools, program.small):
            raise EmulatorError(f"the exercise's check is content with {variant}")


def check_refusal(program: Program, tools: Toolchain) -> str:
    """Makes sure that what is declared NO_EMULATION still is not possible, in one run and order of the threads at least."""
    recorded = recordings(program)
    try:
        executable = built(program, tools)
        agrees = bool(recorded) and all(
            not differences(known.transcript, run(executable, program.name, known.arguments, seed))
            for known in recorded
            for seed in SEEDS
        )
    except (Unsupported, BuildError, EmulatorError):  # one that never ends is not possible either
        agrees = False
    if agrees:
        raise EmulatorError("runs and agrees; remove NO_EMULATION")
    return f"not emulated: {program.no_emulation}"


# -- the web -----------------------------------------------------------------------------------------------------------------


def lacks(program: Program) -> str:
    """Why no browser can run a program, as it is declared; empty if one can."""
    return program.no_emulation or program.no_browser


def module(program: Program, toolchains: dict[str, Toolchain]) -> dict[str, Any]:
    """Builds a program's modules into build/wasm; returns its entry in the manifest."""
    name = program.path.replace("/", ".")
    entry: dict[str, Any] = {}
    for target in ("web", "steps") if program.steps else ("web",):
        made = built(program, toolchains[target]).read_bytes()
        file = f"{name}.{'steps.' if target == 'steps' else ''}wasm"
        size = len(gzip.compress(made, 9))
        if size > MOST_BYTES:
            raise EmulatorError(f"{file}: {size} bytes compressed, over {MOST_BYTES}")
        if not (WEB / file).exists() or (WEB / file).read_bytes() != made:
            write_whole(WEB / file, made)
        if target == "steps":
            entry["steps"] = file
        else:
            entry |= {"wasm": file, "bytes": size}
    entry["key"] = module_keys.key(program)
    wanted = recordings(program)
    entry["recorded"] = [recorded(one) for one in wanted]
    if wanted:
        rules = wanted[0].transcript
        # A line that is the device's own may hold anything.
        entry["varies"] = [f"^.*(?:{pattern.lstrip('^')}).*$" for pattern, _ in rules.device]
        entry["varies"] += [pattern for pattern, _ in rules.varies]
        entry["unordered"] = bool(rules.unordered)
    return entry


def recorded(one: Recording) -> dict[str, Any]:
    """What the browser compares with."""
    [command] = one.transcript.commands
    told = {"arguments": one.arguments, "lines": command.output, "status": command.status}
    return told if one.finds is None else told | {"finds": one.finds}


# -- the command line ----------------------------------------------------------------------------------------------------------


class Progress:
    """Says how much is done, at most every few seconds; on a terminal, in one line."""

    def __init__(self, what: str, total: int):
        self.what, self.total, self.done = what, total, 0
        self.terminal = sys.stdout.isatty()
        self.pause = 0.2 if self.terminal else 10.0
        self.began = self.last = time.monotonic()
        self.shown = False
        self.lock = threading.Lock()

    def advance(self) -> None:
        """One more is done."""
        with self.lock:
            self.done += 1
            now = time.monotonic()
            if now - self.last < self.pause and not (self.shown and self.done == self.total):
                return
            self.last, self.shown = now, True
            seconds = (now - self.began) / self.done * (self.total - self.done)
            left = f", about {seconds:.0f} s left" if seconds else ""
            erase, end = ("\033[K", "\r") if self.terminal and self.done < self.total else ("", "\n")
            print(f"{erase}{self.what}: {self.done} of {self.total}{left}", end=end, flush=True)


def each(
    programs: list[Program], jobs: int, work: Callable[[Program], T], what: str = "programs"
) -> tuple[dict[str, T], int]:
    """Does `work` for each program, several at a time, and reports; returns the results and how many failed."""
    progress = Progress(what, len(programs))
    results: dict[str, T] = {}
    failed = 0

    def attempt(program: Program) -> tuple[T | None, str]:
        try:
            return work(program), ""
        except Unsupported as error:
            return None, f"needs what the emulator lacks: {error}"
        except (EmulatorError, BuildError) as error:
            return None, str(error)
        finally:
            progress.advance()

    with ThreadPoolExecutor(jobs) as pool:
        for program, (result, error) in zip(programs, pool.map(attempt, programs), strict=True):
            failed += bool(error)
            if result is None:
                print(f"{program.path}: FAILED\n{error}", flush=True)
            else:
                results[program.path] = result
    return results, failed


def main(argv: list[str]) -> int:
    try:
        return _main(argv)
    except Unsupported as error:
        raise EmulatorError(f"the program needs what the emulator lacks: {error}") from None


def _main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="emulate", description=__doc__.split("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("run", help="build a program and run it")
    one.add_argument("program", metavar="PROGRAM")
    one.add_argument("arguments", nargs=argparse.REMAINDER)
    verbs.add_parser("rate", help="measure the emulator")
    for name, text in {"check": "run programs and compare", "web": "build modules for the browser"}.items():
        verb = verbs.add_parser(name, help=text)
        verb.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
        verb.add_argument("programs", nargs="*", metavar="PROGRAM")
    options = parser.parse_args(argv)
    declared = cmake_lists.programs(ROOT)
    if options.verb == "run":
        wanted = own_file(options.program) or declarations.find(declared, options.program)
        toolkit.provide(ROOT)
        executable = executable_of(wanted, prepared("native"))
        os.execv(executable, [f"./{executable.name.rpartition('.')[2]}", *options.arguments])
    if options.verb == "rate":
        made = BUILD / "rate"
        prepared("native").build(EMULATOR / "rate.cu", made)
        return subprocess.run([made], check=False).returncode
    result_cache.prune()
    everything = not options.programs
    programs = [declarations.find(declared, name) for name in options.programs] or [
        p for p in declared.values() if declarations.emulated(p) or p.no_emulation
    ]
    if options.verb == "check":
        tools = prepared("native")
        results, failed = each(programs, options.jobs, lambda program: checked(program, tools))
        agree = sum(result == "agrees" for result in results.values())
        refused = sum(str(result).startswith("not emulated") for result in results.values())
        print(
            f"{agree} of {len(programs)} programs agree with the GPU under {len(SEEDS)} seeds, {refused} are not emulated, {failed} failed"
        )
        return 1 if failed else 0
    toolchains = {name: prepared(name) for name in ("web", "steps")}
    WEB.mkdir(parents=True, exist_ok=True)
    manifest = WEB / "manifest.json"
    inert = {p.path: {"lacks": reason} for p in programs if (reason := lacks(p))}
    runs = [program for program in programs if program.path not in inert]
    entries, failed = each(runs, options.jobs, lambda program: module(program, toolchains), "modules")
    entries |= inert
    before = (
        {}
        if everything or not (old_manifest := data.remembered(manifest, module_keys.Manifest, ROOT))
        else old_manifest.programs
    )
    files.write(manifest, json.dumps({"programs": before | entries}, indent=1, sort_keys=True))
    named = {entry[k] for entry in (before | entries).values() for k in ("wasm", "steps") if k in entry}
    for old in WEB.glob("*.wasm"):
        if old.name not in named:
            old.unlink()
    print(f"{len(entries)} programs in {manifest.relative_to(ROOT)}, {failed} failed")
    return 1 if failed else 0
