"""`.. picture::` - a picture that a program wrote when it was recorded, with where and when it ran.

    .. picture:: features/textures/fetching/rotate_image rotated.ppm
       :alt: A photograph, turned by 30 degrees

       The caption.

The program declares the file under PICTURES. The page shows the PNG that the recorder keeps of it, pixel for pixel; with
`:enlarged: 4` each pixel is a square of 4.
"""

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from lockstep.errors import nearest
from lockstep.programs.declarations import Program, recorded_picture
from lockstep.recordings import pictures
from lockstep.recordings.pictures import PictureError
from lockstep.recordings.transcripts import Transcript, TranscriptError
from lockstep_sphinx import addresses, directive, html_nodes, lookup, templates
from lockstep_sphinx.numbers import spec
from lockstep_sphinx.transcript import transcript

MOST_ENLARGED = 16


class program_picture(nodes.General, nodes.Element):
    """Carries what HTML shows of a picture; its children are its caption."""


def enlargement(text: str) -> int:
    """The value of `:enlarged:`."""
    number = directives.positive_int(text)
    if number > MOST_ENLARGED:
        raise ValueError(f"a pixel can be a square of at most {MOST_ENLARGED}")
    return number


class PictureDirective(directive.ProgramDirective):
    """Shows one picture of a program."""

    required_arguments = 2
    has_content = True
    option_spec = {"alt": directives.unchanged_required, "enlarged": enlargement}

    def run(self) -> list[nodes.Node]:
        program, name = self.program("picture"), self.arguments[1]
        if program is None:
            return []
        if name not in program.pictures:
            hint = nearest(name, program.pictures) or f"; add PICTURES {name} to its lockstep_program()"
            return self.warn("%s declares no picture %s%s", program.path, name, hint)
        alt = spec.described(self, self.options.get("alt", ""), chart=False)
        if not alt:
            return self.warn("the picture %s has no :alt:; say in words what it shows", name)
        if program.unrecorded:
            return [transcript.not_recorded(program)]
        return self._shown(program, name, alt)

    def _shown(self, program: Program, name: str, alt: str) -> list[nodes.Node]:
        found = self.warn_if_stale(program)
        file = recorded_picture(name)
        path = program.directory / file
        try:
            recording = self.project.transcript(program)
            if not (recording.recorded and path.exists()):
                return [transcript.note(f"{name} is not recorded yet")]
            width, height = pictures.size(path.read_bytes())
        except TranscriptError:  # of which warn_if_stale has warned
            return [transcript.note(found[0])] if found else []
        except PictureError as error:
            return self.warn("%s %s", file, error)
        times = self.options.get("enlarged", 1)
        title, details = provenance(recording, file)
        shown = {
            "program": program.path,
            "file": file,
            "alt": alt,
            "width": width * times,
            "height": height * times,
            "enlarged": times > 1,
            "title": title,
            "details": details,
            "notes": found if self.config.lockstep_allow_stale else [],
        }
        return [program_picture("", *self.parse_content_to_nodes(), shown=shown)]


def provenance(recording: Transcript, file: str) -> tuple[str, list[str]]:
    """As of a transcript, and by how much the pixels may differ."""
    title, details = transcript.provenance(recording, [])
    if file in recording.pictures:
        within, reason = recording.pictures[file]
        details.append(f"Each channel of a pixel, from 0 to 255, may differ by {within}: {reason}.")
    return title, details


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    shown = node["shown"]
    program = lookup.project_of(translator.config).programs[shown["program"]]
    html = templates.render(
        "picture/picture.html",
        **shown,
        address=addresses.download_address(translator.builder, program, shown["file"]),
        caption=html_nodes.inner(translator, node.children),
    )
    translator.body.append(html)
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_directive("picture", PictureDirective)
    html_nodes.add_node(app, program_picture, visit)
