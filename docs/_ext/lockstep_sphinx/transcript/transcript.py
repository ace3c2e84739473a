"""`.. transcript::` - the recorded run of a program, with where and when it ran."""

import re

from docutils import nodes
from docutils.parsers.rst import directives
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from lockstep.programs.declarations import Program
from lockstep.recordings import numbers, session
from lockstep.recordings.session import Command
from lockstep.recordings.transcripts import Transcript, TranscriptError
from lockstep_sphinx import addresses, directive, html_nodes, lookup, templates
from lockstep_sphinx.links import error_reference

MOST_COLUMNS = 66  # that a phone shows in letters of 8 pixels


class program_transcript(nodes.General, nodes.Element):
    """Holds the text as a literal block; carries what HTML adds to it."""


class TranscriptDirective(directive.ProgramDirective):
    """Shows all commands of a program's transcript, or those named."""

    option_spec = {"command": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        program = self.program("transcript")
        if program is None:
            return []
        if program.unrecorded:
            return [not_recorded(program)]
        found = self.warn_if_stale(program)
        draft = self.config.lockstep_allow_stale
        try:
            transcript = self.project.transcript(program)
        except TranscriptError:
            return [note(found[0])] if draft else []
        if found and not transcript.recorded:
            return [note(found[0])]
        commands = self._commands(program.path, transcript)
        text = session.plain(commands)
        node = program_transcript("", nodes.literal_block(text, text, language="console"))
        node["program"] = program.path
        node["html"] = terminal(commands)
        node["provenance"] = provenance(transcript, [line for command in commands for line in command.output])
        node["notes"] = found if draft else []
        node["filtered"] = any(command.filters for command in commands)
        return [node] if commands else []

    def _commands(self, path: str, transcript: Transcript) -> list[Command]:
        wanted = [line.strip().removeprefix("$ ") for line in self.options.get("command", "").splitlines()]
        wanted = [line for line in wanted if line]
        if not wanted:
            return transcript.commands
        chosen = []
        for text in wanted:
            matching = [command for command in transcript.commands if command.text == text]
            if not matching:
                have = "\n  $ ".join(command.text for command in transcript.commands)
                self.warn("the transcript of %s has no command\n  $ %s\nit has\n  $ %s", path, text, have)
            chosen += matching
        return chosen


def not_recorded(program: Program) -> nodes.Node:
    """What stands in the place of a recording that the recording machine cannot make."""
    text = f"Not recorded: {program.unrecorded}"
    return nodes.note("", nodes.paragraph(text, text), classes=["lockstep-unrecorded"])


def note(problem: str) -> nodes.Node:
    """What stands in the place of a recording that is not fit to be shown."""
    return nodes.paragraph(problem, problem, classes=["lockstep-stale"])


def terminal(commands: list[Command]) -> str:
    """The session as HTML: prompts, commands and output told apart, measured numbers marked.

    A style sheet makes an output as small as its columns need on a phone, if letters that can be read let it.
    """
    shown = [
        {
            "text": command.text,
            "output": "".join(f"{line}\n" for line in command.output),
            "ending": session.ending(command),
            "columns": columns if (columns := max(map(len, command.output), default=0)) <= MOST_COLUMNS else 0,
        }
        for command in commands
    ]
    return templates.render("transcript/session.html", commands=shown)


def provenance(transcript: Transcript, shown: list[str]) -> tuple[str, list[str]]:
    """One line that says when and where the run was recorded, and the particulars that concern the output shown."""
    known = transcript.provenance
    gpu, _, rest = known.get("gpu", "").partition(" (")
    title = f"Recorded {known.get('date', '')} on {gpu}"
    details = [
        f"GPU: {gpu} ({rest}" if rest else f"GPU: {gpu}",
        *(f"{label}: {known[name]}" for label, name in _PARTICULARS if name in known),
    ]
    if any(map(numbers.found, shown)):
        details.append("A number after ~ may differ from run to run: it was measured, or timing decides it.")
    if transcript.unordered and shown:
        details.append(f"The order of lines may differ: {transcript.unordered}.")
    reasons = [reason for pattern, reason in transcript.varies if any(re.search(pattern, line) for line in shown)]
    details += [f"May differ: {reason}." for reason in dict.fromkeys(reasons)]
    return title, details


_PARTICULARS = (("driver", "driver"), ("CUDA Toolkit", "toolkit"), ("host compiler", "host compiler"))


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    title, details = node["provenance"]
    whole = ""
    if node["filtered"]:
        program = lookup.project_of(translator.config).programs[node["program"]]
        whole = addresses.download_address(translator.builder, program, addresses.whole_output(program))
    html = templates.render(
        "transcript/transcript.html",
        whole=whole,
        program=node["program"],
        session=Markup(error_reference.linked(translator.builder, node["html"])),
        notes=node["notes"],
        title=title,
        details=details,
    )
    translator.body.append(html)
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_directive("transcript", TranscriptDirective)
    html_nodes.add_node(app, program_transcript, visit)
