"""Checks the built site against the programs: all code and all pictures are there, whole, and code is typed nowhere.

    python3 ci site listings BUILD_DIR

Sphinx prints a misspelt or badly nested directive as text, or leaves it out, without a word.
"""

import argparse
import re
import textwrap
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

from lockstep import site_parts
from lockstep.checks import typed
from lockstep.exercises import parts
from lockstep.files import ROOT
from lockstep.programs import cmake_lists, regions, sources
from lockstep.programs.declarations import Program
from lockstep.recordings import keys, session
from lockstep.recordings.transcripts import TranscriptError

OURS = r"program-card|exercise|listing|transcript|chart|ladder|diagram|picture|program-index"
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

_RAW_ANYWHERE = re.compile(rf"\.\.\s+(?:{OURS})::")
_RAW_IN_PROSE = re.compile(r"\.\.\s+[a-z-]+::(?:\s|$)|:(?:measured|cuda|doc|ref|term):(?:\s|$|`)")


@dataclass
class Block:
    """A block of code on a built page."""

    language: str = ""
    kind: str = ""  # listing, transcript, card, or nothing for a block that was typed
    program: str = ""
    region: str = ""
    source: str = ""
    text: str = ""


@dataclass
class Page:
    """What a built page shows."""

    blocks: list[Block] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    listings: int = 0
    pictures: list[tuple[str, str, str]] = field(default_factory=list)  # program, file, address
    prose: str = ""


class _Reader(HTMLParser):
    """Collects blocks of code and the text around them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self._open: list[tuple[str, Block | None]] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = dict(attributes)
        if tag == "img" and "data-file" in known:
            program, file, address = (known.get(name) or "" for name in ("data-program", "data-file", "src"))
            self.page.pictures.append((program, file, address))
        if tag in VOID:
            return
        classes = (known.get("class") or "").split()
        here = self._open[-1][1] if self._open else None
        for kind in ("listing", "transcript", "card"):
            if f"lockstep-{kind}" in classes:
                here = Block("", kind, *(known.get(f"data-{name}") or "" for name in ("program", "region", "source")))
                if kind == "card":
                    self.page.cards.append(here.program)
                if kind == "listing":
                    self.page.listings += 1
        language = next((c.removeprefix("highlight-") for c in classes if c.startswith("highlight-")), "")
        if language:
            here = Block(language, *((here.kind, here.program, here.region, here.source) if here else ()))
        if tag == "pre":
            if here is None or (not here.language and not here.kind):  # neither highlighted nor drawn by a directive
                here = Block("none")
            self.page.blocks.append(here)
        self._silent += tag in ("script", "style", "pre", "code")
        self._open.append((tag, here))

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            closed, _ = self._open.pop()
            self._silent -= closed in ("script", "style", "pre", "code")
            if closed == tag:
                break

    def handle_data(self, data: str) -> None:
        here = self._open[-1][1] if self._open else None
        if any(tag == "pre" for tag, _ in self._open):
            if here:
                here.text += data
        elif not self._silent:
            self.page.prose += data


def read(html: str) -> Page:
    """The page's blocks of code and its prose."""
    reader = _Reader()
    reader.feed(html)
    return reader.page


def wanted(program: Program, region: str, source: str = "") -> str:
    """What a listing must show: the region, or all of the file without markers."""
    if source == parts.STARTER:
        tasks = parts.parse(program.source.read_text(encoding="utf-8"), program.source.name).tasks
        given = {task.name: task.given for task in tasks}
        if region not in given:
            raise sources.SourceError(f"{program.source.name} has no task [{region}]")
        return _even("\n".join(given[region]))
    file = program.directory / source if source in program.sources else program.source
    return _even("\n".join(regions.excerpt(file.read_text(encoding="utf-8"), region, file)))


def _even(text: str) -> str:
    return "\n".join(line.rstrip() for line in textwrap.dedent(text).strip("\n").splitlines())


def block_problems(block: Block, programs: dict[str, Program], recorded: frozenset[str] = frozenset()) -> list[str]:
    """What is wrong with one block of code."""
    if block.kind in ("listing", "transcript", "card") and block.program not in programs:
        return [
            f"shows {block.program}, which no lockstep_program() declares; declare it, or remove the directive from the "
            "page, and build the site again"
        ]
    if block.kind == "listing":
        return _listing_problems(block, programs[block.program])
    if block.kind == "transcript":
        return _transcript_problems(block, programs[block.program])
    if block.kind:
        return []
    problem = typed.block_problem(block.language, block.text, recorded)
    return [problem] if problem else []


def _listing_problems(block: Block, program: Program) -> list[str]:
    label = f"{block.program} [{block.region}]" if block.region else block.program
    if not block.text.strip():
        return [f"the listing of {label} is empty; look at its region"]
    try:
        same = _even(block.text) == wanted(program, block.region, block.source)
    except sources.SourceError as error:
        return [str(error)]
    return [] if same else [f"the listing of {label} is not what the program holds; rebuild the site"]


def _transcript_problems(block: Block, program: Program) -> list[str]:
    try:
        recorded = keys.load(program).commands
    except TranscriptError as error:
        return [str(error)]
    sessions = [session.plain([command]).rstrip() for command in recorded]
    shown = re.split(r"^(?=\$ )", block.text.strip("\n"), flags=re.M)
    if not block.text.strip():
        return [f"the transcript of {block.program} is empty"]
    missing = [part for part in shown if part.strip() and part.rstrip() not in sessions]
    return [
        f"the transcript of {block.program} was never recorded so: {part.splitlines()[0]}; rebuild the site"
        for part in missing
    ]


def page_problems(
    name: str, page: Page, programs: dict[str, Program], recorded: frozenset[str] = frozenset()
) -> list[str]:
    """What is wrong on one built page."""
    found = [f"{name}: {problem}" for block in page.blocks for problem in block_problems(block, programs, recorded)]
    filled = sum(block.kind == "listing" for block in page.blocks)
    if filled < page.listings:
        found.append(f"{name}: {page.listings - filled} listings hold no code; look at their directives")
    texts = [match[0].strip() for match in _RAW_IN_PROSE.finditer(page.prose)]
    texts += [match[0] for block in page.blocks for match in _RAW_ANYWHERE.finditer(block.text)]
    found += [f'{name}: shows "{text}" as text; fix its spelling or indentation' for text in texts]
    return found


def picture_problems(build: Path, name: str, page: Page, programs: dict[str, Program]) -> list[str]:
    """Pictures on one built page that are not those that were recorded."""
    found = []
    for path, file, address in page.pictures:
        shown = (build / name).parent / unquote(address)
        recorded = programs[path].directory / file if path in programs else None
        if recorded is None or file not in programs[path].recorded_files:
            found.append(f"{name}: shows {file} of {path}, which no lockstep_program() declares; build the site again")
        elif not shown.is_file() or not recorded.is_file() or shown.read_bytes() != recorded.read_bytes():
            found.append(f"{name}: the picture {file} of {path} is not what was recorded; rebuild the site")
    return found


def coverage_problems(pages: dict[str, Page], programs: dict[str, Program]) -> list[str]:
    """Programs that their page does not show, and pages without a program: all but indexes and rules show one."""
    found = []
    for program in programs.values():
        chapter = program.folder.rpartition("/")[0]  # whose index may show what belongs to none of its pages
        homes = [f"{program.folder}.html", f"{program.folder}/index.html", f"{chapter}/index.html"]
        if not any(program.path in pages[home].cards for home in homes if home in pages):
            where = f"programs/{program.path}.cu"
            found.append(
                f'{where}: not on its page; add ".. program-card:: {program.path}" to docs/{program.folder}.rst'
            )
    for name, page in pages.items():
        looked_up = name.endswith(("/index.html", "/rules.html"))
        if name.split("/")[0] in site_parts.READ and not looked_up and not page.cards:
            found.append(f'docs/{name.removesuffix(".html")}.rst: shows no program; add one with ".. program-card::"')
    return found


def problems(build: Path, root: Path) -> list[str]:
    """Everything that is wrong with the built site."""
    programs = cmake_lists.programs(root)
    files = sorted(path for path in build.rglob("*.html") if not path.relative_to(build).parts[0].startswith("_"))
    if not files:
        return [f"{build}: holds no pages; build the site first"]
    pages = {str(path.relative_to(build)): read(path.read_text(encoding="utf-8")) for path in files}
    recorded = typed.recorded_lines(root)
    found = [problem for name, page in pages.items() for problem in page_problems(name, page, programs, recorded)]
    found += [problem for name, page in pages.items() for problem in picture_problems(build, name, page, programs)]
    return found + coverage_problems(pages, programs) + typed.source_problems(root / "docs")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="site listings", description=__doc__.split("\n")[0])
    parser.add_argument("build", type=Path, metavar="BUILD_DIR")
    parser.add_argument("--root", type=Path, default=ROOT, help="the project, if not this one")
    options = parser.parse_args(argv)
    found = problems(options.build.resolve(), options.root.resolve())
    print("\n".join(found) or "every listing is there and equals its region")
    return 1 if found else 0
