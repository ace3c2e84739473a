"""The commands of the project's tools: `python3 ci VERB ...`.

A command's module is imported when it is asked for: recording needs neither Sphinx nor a browser.
"""

import errno
import importlib
import io
import os
import sys
from typing import NamedTuple

from lockstep.errors import LockstepError, nearest
from lockstep.files import ROOT
from lockstep.setup import toolkit


class Verb(NamedTuple):
    """A command: where its function stands, which takes the arguments and returns the exit status."""

    module: str
    help: str
    function: str = "main"


_COMMANDS = "lockstep.recordings.commands"
VERBS = {
    "record": Verb(_COMMANDS, "run the programs on this GPU machine, rewrite their transcripts", "record"),
    "rerun": Verb(_COMMANDS, "run the recorded commands on this GPU machine again, and compare", "rerun"),
    "fresh": Verb(_COMMANDS, "find stale, missing and edited transcripts; runs nothing", "fresh"),
    "options": Verb(_COMMANDS, "compare the options of a configured build with those of the recordings", "options"),
    "claims": Verb(_COMMANDS, "evaluate the claims of all pages", "claims"),
    "explore": Verb(
        "lockstep.checks.calculators", "compare what the calculators of pages predict with what was recorded"
    ),
    "gpus": Verb(_COMMANDS, "list the GPUs of this machine", "gpus"),
    "pack": Verb(_COMMANDS, "pack what was recorded into one file", "pack"),
    "check": Verb("lockstep.checks.steps", "run every check that needs no GPU, or the steps named"),
    "gpu-check": Verb("lockstep.checks.gpu", "run everything that needs a GPU, and compare"),
    "sanitize": Verb("lockstep.checks.sanitize", "run a program under one compute-sanitizer tool"),
    "contract": Verb("lockstep.checks.contract", "check how a program ends without a GPU, and with a bad argument"),
    "toolkit": Verb("lockstep.setup.toolkit", "bring the CUDA toolkit from PyPI, unless it is installed"),
    "packages": Verb("lockstep.setup.packages", "bring the packages of Python from PyPI into .venv"),
    "lock": Verb("lockstep.setup.lock", "lock the packages of Python and of CUDA"),
    "exercise": Verb("lockstep.exercises.attempts", "start and try exercises, and show what is solved"),
    "program run": Verb("lockstep.running", "build one program and run it, in the emulator where there is no GPU"),
    "program build": Verb("lockstep.running", "compile every program for the GPU in this machine", "build_all"),
    "emulate": Verb("lockstep.emulator.emulate", "run programs without a GPU, and make them for the browser"),
    "inventory": Verb("lockstep.checks.inventory", "find files, pages and tests that no check looks at"),
    "includes": Verb("lockstep.checks.includes", "compare the includes of programs and headers with what they name"),
    "language": Verb("lockstep.checks.language", "find words that readers stumble over"),
    "html": Verb("lockstep.site.targets", "build the site, and what runs in the browser", "html"),
    "serve": Verb("lockstep.site.targets", "serve the site, and build it again on each change", "serve"),
    "prepare": Verb("lockstep.site.targets", "bring up to date what pages are made of", "prepare"),
    "publish": Verb("lockstep.site.targets", "build the site for its public address", "publish"),
    "take": Verb("lockstep.site.targets", "make all that can be taken away, and have the site offer it", "take"),
    "doxygen": Verb("lockstep.site.doxygen", "have Doxygen read the headers, or what settings name"),
    "site": Verb("lockstep.site.build", "build the pages and their search index"),
    "search-index": Verb("lockstep.site.search_index", "make the search index of a built site"),
    "search": Verb("lockstep.site.search_check", "ask a built site what readers ask, and look at the answers"),
    "listings": Verb("lockstep.checks.listings", "check a built site's code against the programs"),
    "links": Verb("lockstep.site.links", "find links of a built site that lead nowhere"),
    "guide-map": Verb("lockstep.site.guide_check", "compare the guide's map with a built site"),
    "history": Verb("lockstep.site.history", "ask git when pages and programs changed"),
    "frames": Verb("lockstep.site.frames", "look at what frames a built site's pages, such as breadcrumbs"),
    "validity": Verb("lockstep.site.validity", "put a built site before the HTML validator"),
    "browser": Verb("lockstep.site.browser", "open pages of a built site in a browser"),
    "offline": Verb("lockstep.takeaway.offline", "put a built site into one zip that works without a server"),
    "epub": Verb("lockstep.takeaway.epub", "make a book for e-readers of a built site"),
    "pdf": Verb("lockstep.takeaway.pdf", "print each part of a built site"),
    "takeaway": Verb("lockstep.takeaway.check", "look at all that is taken away, as a reader would"),
    "declarations": Verb(
        "lockstep.programs.cmake_lists", "have CMake read the declarations into build/declarations.json"
    ),
    "downloads": Verb("lockstep.checks.downloads", "check that downloads compile as their pages say"),
    "toolkits": Verb("lockstep.programs.toolkit_headers", "write the table of what came with which toolkit"),
    "screenshots": Verb("lockstep.site.screenshots", "take pictures of pages of a built site, to be looked at"),
    "api-links": Verb("lockstep.api_links", "write the table of NVIDIA's documentation from the toolkit's headers"),
}


UNWRITABLE = (errno.EROFS, errno.EACCES, errno.ENOSPC)  # the machine's trouble, and no defect of these tools


def overview() -> str:
    """The commands, one a line."""
    rows = [f"  {name:<22}{verb.help}" for name, verb in VERBS.items()]
    return "\n".join(["usage: python3 ci VERB [ARGUMENT ...]", "", *rows, "", "python3 ci VERB --help tells more."])


def chosen(arguments: list[str]) -> tuple[str, list[str]]:
    """The command that was typed, of one word or two, and its arguments; raises LockstepError if there is none."""
    for words in (2, 1):
        if (name := " ".join(arguments[:words])) in VERBS:
            return name, arguments[words:]
    group = arguments[0]
    if verbs := [name.partition(" ")[2] for name in VERBS if name.startswith(f"{group} ")]:
        raise LockstepError(f"{group} is followed by {', '.join(verbs)}; python3 ci tells what each does")
    asked = " ".join(arguments[:2])
    near = nearest(asked, VERBS) or nearest(group, VERBS)
    raise LockstepError(f"no command is called {group}{near or '; python3 ci lists them'}")


def main(arguments: list[str]) -> int:
    """Runs a command; returns its exit status: 0 all is well, 1 something is not, 2 bad arguments."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(overview())
        return 0
    try:
        name, rest = chosen(arguments)
    except LockstepError as error:
        print(f"lockstep: {error}", file=sys.stderr)
        return 2
    verb = VERBS[name]
    try:
        status: int = getattr(importlib.import_module(verb.module), verb.function)(rest)
    except LockstepError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return error.status
    except OSError as error:
        if error.errno not in UNWRITABLE:
            raise
        full = error.errno == errno.ENOSPC
        cure = "free some space, and run it again" if full else "work in a folder that can be written"
        print(f"{name}: {error.filename or 'the disk'}: {error.strerror}; {cure}", file=sys.stderr)
        return 1
    return status


def run() -> None:
    """Runs the command that was typed, with the toolkit on the path; what it prints is UTF-8, whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    os.environ.update(toolkit.with_toolkit(ROOT, os.environ))
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status)
