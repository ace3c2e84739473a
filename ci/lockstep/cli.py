"""The commands of the project's tools: `python3 ci GROUP VERB ...`, and three of one word.

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
_TARGETS = "lockstep.site.targets"
VERBS = {
    "check": Verb("lockstep.checks.steps", "run every check that needs no GPU, or the steps named"),
    "record run": Verb(_COMMANDS, "run the programs on this GPU machine, rewrite their transcripts", "record"),
    "record stale": Verb(_COMMANDS, "find stale, missing and edited transcripts; runs nothing", "stale"),
    "record options": Verb(
        _COMMANDS, "compare the options of a configured build with those of the recordings", "options"
    ),
    "record filter": Verb(_COMMANDS, "have transcripts show what their filters say now; runs nothing", "refilter"),
    "record pack": Verb(_COMMANDS, "pack what was recorded into one file", "pack"),
    "record gpus": Verb(_COMMANDS, "list the GPUs of this machine", "gpus"),
    "gpu-check run": Verb("lockstep.checks.gpu", "run everything that needs a GPU again, and compare"),
    "gpu-check merge": Verb("lockstep.checks.gpu", "join what several runs of a part each found", "merge"),
    "gpu-check program": Verb(_COMMANDS, "run the recorded commands of programs again, and compare", "rerun"),
    "gpu-check sanitize": Verb("lockstep.checks.sanitize", "run a program under one compute-sanitizer tool"),
    "program run": Verb("lockstep.running", "build one program and run it, in the emulator where there is no GPU"),
    "program build": Verb("lockstep.running", "compile every program for the GPU in this machine", "build_all"),
    "program list": Verb(
        "lockstep.programs.cmake_lists", "have CMake read the declarations into build/declarations.json"
    ),
    "program exits": Verb("lockstep.checks.exits", "check how a program ends without a GPU, and with a bad argument"),
    "program downloads": Verb("lockstep.checks.downloads", "check that downloads compile as their pages say"),
    "exercise": Verb("lockstep.exercises.attempts", "start and try exercises, and show what is solved"),
    "emulate": Verb("lockstep.emulator.emulate", "run programs without a GPU, and make them for the browser"),
    "source inventory": Verb("lockstep.checks.inventory", "find files, pages and tests that no check looks at"),
    "source includes": Verb(
        "lockstep.checks.includes", "compare the includes of programs and headers with what they name"
    ),
    "source language": Verb("lockstep.checks.language", "find words that readers stumble over"),
    "source claims": Verb(_COMMANDS, "evaluate the claims of all pages", "claims"),
    "source calculators": Verb(
        "lockstep.checks.calculators", "compare what calculators predict with what was recorded"
    ),
    "site make": Verb(_TARGETS, "build the site, and what runs in the browser", "html"),
    "site pages": Verb("lockstep.site.build", "build the pages and their search index"),
    "site serve": Verb(_TARGETS, "serve the site, and build it again on each change", "serve"),
    "site publish": Verb(_TARGETS, "build the site for its public address", "publish"),
    "site prepare": Verb(_TARGETS, "bring up to date what pages are made of", "prepare"),
    "site doxygen": Verb("lockstep.site.doxygen", "have Doxygen read the headers, or what settings name"),
    "site history": Verb("lockstep.site.history", "ask git when pages and programs changed"),
    "site search-index": Verb("lockstep.site.search_index", "make the search index of a built site"),
    "site search": Verb("lockstep.site.search_check", "ask a built site what readers ask, and look at the answers"),
    "site listings": Verb("lockstep.checks.listings", "check a built site's code against the programs"),
    "site links": Verb("lockstep.site.links", "find links of a built site that lead nowhere"),
    "site guide-map": Verb("lockstep.site.guide_check", "compare the guide's map with a built site"),
    "site frames": Verb("lockstep.site.frames", "look at what frames a built site's pages, such as breadcrumbs"),
    "site validity": Verb("lockstep.site.validity", "put a built site before the HTML validator"),
    "site browser": Verb("lockstep.site.browser", "open pages of a built site in a browser"),
    "site screenshots": Verb("lockstep.site.screenshots", "take pictures of pages of a built site, to be looked at"),
    "takeaway make": Verb(_TARGETS, "make all that can be taken away, and have the site offer it", "take"),
    "takeaway offline": Verb("lockstep.takeaway.offline", "put a built site into one zip that works without a server"),
    "takeaway epub": Verb("lockstep.takeaway.epub", "make a book for e-readers of a built site"),
    "takeaway pdf": Verb("lockstep.takeaway.pdf", "print each part of a built site"),
    "takeaway check": Verb("lockstep.takeaway.check", "look at all that is taken away, as a reader would"),
    "setup toolkit": Verb("lockstep.setup.toolkit", "bring the CUDA toolkit from PyPI, unless it is installed"),
    "setup packages": Verb("lockstep.setup.packages", "bring the packages of Python from PyPI into .venv"),
    "setup lock": Verb("lockstep.setup.lock", "lock the packages of Python and of CUDA"),
    "setup toolkit-headers": Verb(
        "lockstep.programs.toolkit_headers", "write the table of what came with which toolkit"
    ),
    "setup api-links": Verb(
        "lockstep.api_links", "write the table of NVIDIA's documentation from the toolkit's headers"
    ),
}


UNWRITABLE = (errno.EROFS, errno.EACCES, errno.ENOSPC)  # the machine's trouble, and no defect of these tools


def overview() -> str:
    """The commands, one a line."""
    rows = [f"  {name:<22}{verb.help}" for name, verb in VERBS.items()]
    return "\n".join(
        ["usage: python3 ci COMMAND [ARGUMENT ...]", "", *rows, "", "python3 ci COMMAND --help tells more."]
    )


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
    raise LockstepError(f"no command is called {asked if near else group}{near or '; python3 ci lists them'}")


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
        print(f"{name.partition(' ')[0]}: {error}", file=sys.stderr)
        return error.status
    except OSError as error:
        if error.errno not in UNWRITABLE:
            raise
        full = error.errno == errno.ENOSPC
        cure = "free some space, and run it again" if full else "work in a folder that can be written"
        print(f"{name.partition(' ')[0]}: {error.filename or 'the disk'}: {error.strerror}; {cure}", file=sys.stderr)
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
