"""`.. exercise::` - what is asked, how to begin and try it, and what the learner finds."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from lockstep.exercises import parts
from lockstep.programs import downloads
from lockstep.programs.declarations import Program
from lockstep_sphinx import addresses, directive, html_nodes, project, templates
from lockstep_sphinx.card import card
from lockstep_sphinx.listing import listing


class exercise_card(nodes.General, nodes.Element):
    """Holds name, task and commands as plain nodes; carries what HTML adds."""


class Exercise(directive.ProgramDirective):
    """The card of an exercise, and the lines that its starter has in place of the solution."""

    def run(self) -> list[nodes.Node]:
        program = self.program("card")
        if program is None:
            return []
        if not program.exercise:
            return self.warn("%s is no exercise; say EXERCISE in its lockstep_program()", program.path)
        text = program.source.read_text(encoding="utf-8")
        try:
            tasks = parts.parse(text, program.source.name).tasks
        except parts.ExerciseError as error:
            return self.warn("%s", error)
        asked = project.leading_comment(text)
        if not asked:
            return self.warn("%s does not begin with a comment; write there what is asked", program.source.name)
        commands = "\n".join(_commands(program))
        node = exercise_card(
            "",
            nodes.paragraph("", "", nodes.strong(program.name, program.name)),
            nodes.paragraph(asked, asked),
            nodes.literal_block(commands, commands, language="console"),
        )
        node["ids"] = [card.anchor(program.name)]
        self.state.document.note_explicit_target(node)
        node["program"], node["asked"] = program, asked
        return [node, *(_given(program, task) for task in tasks)]


def _commands(program: Program) -> list[str]:
    """What a learner types."""
    return [f"make {verb} EXERCISE={program.name}" for verb in ("start", "try")]


def _given(program: Program, task: parts.Task) -> nodes.Node:
    """A listing of one learner's part, as the starter has it."""
    part = "\n".join(task.given)
    block = nodes.literal_block(part, part, language="cuda")
    node = listing.program_listing("", nodes.caption("", "as you find it"), block)
    node["program"], node["region"], node["source"], node["since"] = program.path, task.name, parts.STARTER, ""
    return node


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    program = node["program"]
    html = templates.render(
        "exercise/exercise.html",
        id=node["ids"][0],
        program=program,
        needs=card.needs(program),
        asked=node["asked"],
        commands=_commands(program),
        starter=addresses.download_address(translator.builder, program, downloads.starter(program)),
    )
    translator.body.append(html)
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_directive("exercise", Exercise)
    html_nodes.add_node(app, exercise_card, visit)
