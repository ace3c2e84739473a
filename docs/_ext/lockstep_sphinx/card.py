"""`.. program-card::` - what a program is, what it needs, and how to get, build and open it."""

import re
from html import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.writers.html5 import HTML5Translator

from lockstep.programs import downloads, regions, sources
from lockstep.programs.declarations import Program
from lockstep_sphinx import addresses, directive, emulator, explorer, html_nodes, project

_CODE = re.compile(r"`+([^`]+)`+")


class program_card(nodes.General, nodes.Element):
    """Holds name, summary and build line as plain nodes; carries what HTML adds."""


class ProgramCard(directive.ProgramDirective):
    """The card of a program."""

    def run(self) -> list[nodes.Node]:
        program = self.program("card")
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
        node["ids"] = [anchor(program.name)]
        self.state.document.note_explicit_target(node)
        node["program"] = program
        node["summary"] = summary
        node["files"] = list(files)
        node["build"] = build
        node["toolkit"] = "" if program.must_not_compile else downloads.toolkit(program, "\n".join(files.values()))
        node["promise"] = explorer.promise(program, single)
        node["emulator"] = emulator.note(self.env, program.path)
        return [node]


def anchor(name: str) -> str:
    """The id of a program's card on its page."""
    return nodes.make_id(f"program-{name}")


def code(text: str) -> str:
    """Text with `backticked` words as code, as HTML."""
    return _CODE.sub(r"<code>\1</code>", escape(text, quote=False))


def badges(program: Program, toolkit: str = "") -> str:
    """What a program needs, as HTML; `toolkit` is the oldest one that compiles it."""
    needs = [*project.needs(program), *([f"CUDA {toolkit} or newer"] if toolkit else [])]
    return " ".join(f'<span class="lockstep-badge">{escape(need)}</span>' for need in needs)


def actions(builder: StandaloneHTMLBuilder, program: Program, files: list[str], link: str, promise: str) -> list[str]:
    """The links to take a program away with, as HTML."""
    found = []
    for file in files:
        label = "Download" if len(files) == 1 else f"Download {escape(file)}"
        found.append(f'<a href="{escape(addresses.download_address(builder, program, file))}" download>{label}</a>')
    if link:
        found.append(f'<a href="{link}">Open in Compiler Explorer</a> <span class="lockstep-note">({promise})</span>')
    return found


def terminal(*commands: str) -> str:
    """Commands to type, as HTML."""
    lines = "".join(f'<span class="gp">$ </span>{escape(command, quote=False)}\n' for command in commands)
    return (
        f'<div class="highlight-console notranslate"><div class="highlight"><pre><span></span>{lines}</pre></div></div>'
    )


def unrecorded(program: Program) -> str:
    """Why a program's output is not shown, as HTML; empty if it is."""
    if not program.unrecorded:
        return ""
    return f'<p class="lockstep-note">Not recorded: {escape(program.unrecorded, quote=False)}.</p>\n'


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    builder, program = translator.builder, node["program"]
    source = escape(addresses.source_address(builder, program.path))
    open_it = f"{source}#{explorer.ANCHOR}" if explorer.offered(program) else ""
    links = actions(builder, program, node["files"], open_it, node["promise"])
    links.insert(1, f'<a href="{source}">Whole source</a>')
    data = emulator.attributes(builder, program, node["emulator"])
    translator.body.append(
        f'<div class="lockstep-card" id="{node["ids"][0]}" data-program="{escape(program.path)}"{data}>\n'
        f'<p class="lockstep-title"><a href="{source}">{escape(program.name)}.cu</a> {badges(program, node["toolkit"])}</p>\n'
        f"<p>{code(node['summary'])}</p>\n{terminal(node['build'])}\n"
        f'<p class="lockstep-links">{" ".join(f"<span>{link}</span>" for link in links)}</p>\n'
        f"{unrecorded(program)}{emulator.remark(node['emulator'])}<details><summary>With CMake, in a checkout of this project</summary>\n"
        f"{terminal(project.cmake_command(program))}\n</details>\n</div>\n"
    )
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_directive("program-card", ProgramCard)
    html_nodes.add_node(app, program_card, visit)
