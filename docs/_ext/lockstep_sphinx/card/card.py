"""`.. program-card::` - what a program is, what it needs, and how to get, build and open it."""

from typing import NamedTuple

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.writers.html5 import HTML5Translator

from lockstep.programs import downloads, regions, sources
from lockstep.programs.declarations import Program
from lockstep_sphinx import addresses, directive, domain, html_nodes, project, templates
from lockstep_sphinx.card import compiler_explorer
from lockstep_sphinx.emulator import emulator


class program_card(nodes.General, nodes.Element):
    """Holds name, summary and build line as plain nodes; carries what HTML adds."""


class ProgramCard(directive.ProgramDirective):
    """The card of a program. It has one, on its page; `:elsewhere:` shows it once more, as the first page does."""

    option_spec = {"elsewhere": directives.flag}

    def run(self) -> list[nodes.Node]:
        elsewhere = "elsewhere" in self.options
        program = self.program("preview" if elsewhere else "card")
        if program is None:
            return []
        text = program.source.read_text(encoding="utf-8")
        summary = project.summary(text)
        if not summary:
            return self.warn(
                "%s does not begin with a comment; write its question and answer there", program.source.name
            )
        try:
            regions.find(text, program.source)
            files = self.project.downloads(program)
        except sources.SourceError as error:
            return self.warn("%s", error)
        single = files[program.source.name]
        build = downloads.build_command(program)
        title = f"{program.name}.cu"
        node = program_card(
            "",
            nodes.paragraph("", "", nodes.strong(title, title)),
            nodes.paragraph(summary, summary),
            nodes.literal_block(build, build, language="console"),
        )
        node["ids"] = [anchor(f"{program.name}-elsewhere" if elsewhere else program.name)]
        self.state.document.note_explicit_target(node)
        node["program"] = program
        node["summary"] = summary
        node["files"] = list(files)
        node["build"] = build
        node["toolkit"] = "" if program.must_not_compile else downloads.toolkit(program, "\n".join(files.values()))
        node["promise"] = compiler_explorer.promise(program, single)
        node["emulator"] = emulator.note(self.env, program.path)
        return [node]


def anchor(name: str) -> str:
    """The id of a program's card on its page."""
    return nodes.make_id(f"program-{name}")


def page(env: BuildEnvironment, program: Program) -> str:
    """The page with a program's card; nothing if there is none."""
    return next(iter(domain.of(env).pages(program.path, "card")), "")


def address(builder: Builder, docname: str, program: Program) -> str:
    """The address of a program's card, seen from a page; nothing if it has none."""
    home = page(builder.env, program)
    if not home:
        return ""
    there = "" if home == docname else builder.get_relative_uri(docname, home)
    return f"{there}#{anchor(program.name)}"


def needs(program: Program, toolkit: str = "") -> list[str]:
    """What a program needs; `toolkit` is the oldest one that compiles it."""
    return [*project.needs(program), *([f"CUDA {toolkit} or newer"] if toolkit else [])]


class Mark(NamedTuple):
    """What a card says of a program's needs in a word, and what the word means."""

    text: str
    meaning: str


def marks(program: Program, toolkit: str = "") -> list[Mark]:
    """What is special about a program: that it needs more than any GPU and the site's toolkit, or never ran here."""
    short = {need: _short(need) for need in project.needs(program)}
    found = [Mark(word, need) for need, word in short.items() if word]
    if program.newer_toolkit:
        found.append(
            Mark(f"CUDA {toolkit or program.newer_toolkit}+", f"CUDA {toolkit or program.newer_toolkit} or newer")
        )
    if program.unrecorded:
        found.append(Mark("never ran here", program.unrecorded))
    return found


def _short(need: str) -> str:
    """A need as a row has room for it; nothing if every program has it."""
    if need == "any CUDA GPU":
        return ""
    return need.replace("compute capability", "CC").replace(" or newer", "+")


def links_to(builder: StandaloneHTMLBuilder, program: Program, files: list[str]) -> list[addresses.Link]:
    """The links to download a program."""
    return [addresses.Link(addresses.download_address(builder, program, file), file) for file in files]


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    builder, program = translator.builder, node["program"]
    source = addresses.source_address(builder, program.path)
    html = templates.render(
        "card/card.html",
        id=node["ids"][0],
        program=program,
        source=source,
        marks=marks(program, node["toolkit"]),
        needs=needs(program, node["toolkit"]),
        summary=node["summary"],
        build=node["build"],
        cmake=project.cmake_command(program),
        downloads=links_to(builder, program, node["files"]),
        explorer=f"{source}#{compiler_explorer.ANCHOR}" if compiler_explorer.offered(program) else "",
        promise=node["promise"],
        emulator=emulator.on_card(builder, program, node["emulator"]),
    )
    translator.body.append(html)
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_directive("program-card", ProgramCard)
    html_nodes.add_node(app, program_card, visit)
