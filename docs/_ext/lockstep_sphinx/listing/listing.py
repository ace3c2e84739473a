"""`.. listing::` - an excerpt of a program, by region."""

import difflib
import os
from functools import partial

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.directives.code import LiteralInclude
from sphinx.writers.html5 import HTML5Translator

from lockstep.exercises import parts
from lockstep.programs import regions
from lockstep.programs.sources import SourceError, is_script
from lockstep_sphinx import addresses, directive, html_nodes, outdated, templates
from lockstep_sphinx.links import api, error_reference


class program_listing(nodes.General, nodes.Element):
    """Holds a literal block and, in front of it, its caption."""


class Listing(LiteralInclude, directive.ProgramDirective):
    """Shows one region of a program, or all of it; `:source:` names a further file of a program of several."""

    option_spec = {
        "region": directives.unchanged_required,
        "source": directives.unchanged_required,
        "changed-from": directives.unchanged_required,
        "caption": directives.unchanged_required,
        "emphasize-lines": directives.unchanged_required,
        "linenos": directives.flag,
        "name": directives.unchanged,
        "class": directives.class_option,
    }

    def run(self) -> list[nodes.Node]:
        program = self.program("listing")
        if program is None:
            return []
        region = self.options.pop("region", "")
        name = self.options.pop("source", program.source.name)
        if name not in (program.source.name, *program.sources):
            return self.warn("%s has no source %s; it has %s", program.path, name, ", ".join(program.sources) or "none")
        file = program.directory / name
        text = file.read_text(encoding="utf-8")
        caption = self.options.pop("caption", "")
        try:
            lines = regions.shown(text, region, file)
        except SourceError as error:
            return self.warn("%s", error)
        if not any(text.splitlines()[number - 1].strip() for number in lines):
            return self.warn("%s: region [%s] is empty; put its lines between the markers", program.path, region)

        if before := self.options.pop("changed-from", ""):
            marked = self._changed(before, region, [text.splitlines()[number - 1] for number in lines])
            if marked is None:
                return []
            self.options |= {"emphasize-lines": marked} if marked else {}
        self.arguments = ["/" + os.path.relpath(file, self.env.srcdir)]
        self.options |= {"lines": _ranges(lines), "dedent": None, "language": "python" if is_script(name) else "cuda"}
        blocks = super().run()
        node = program_listing("", *_caption(self, caption), *blocks)
        node["program"], node["region"], node["source"] = program.path, region, name
        return [node]

    def _changed(self, path: str, region: str, shown: list[str]) -> str | None:
        """The shown lines that the same region of another program lacks; None if there is nothing to compare."""
        other = self.project.find(path)
        if other is None:
            self.warn("no program %s to compare with", path)
            return None
        outdated.depend(self.env, self.project.files_of(other))
        text = other.source.read_text(encoding="utf-8")
        if region and region not in regions.find(text, other.source):
            self.warn("%s has no region [%s] to compare with", path, region)
            return None
        old = [line.strip() for line in regions.excerpt(text, region, other.source)]
        new = [line.strip() for line in shown]
        blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
        same = {block.b + i for block in blocks for i in range(block.size)}
        return _ranges([i + 1 for i, line in enumerate(new) if i not in same and line and not line.startswith("//")])


def _ranges(lines: list[int]) -> str:
    """Line numbers as LiteralInclude wants them: `1-4,6-9`."""
    ranges: list[list[int]] = []
    for number in lines:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(f"{first}-{last}" for first, last in ranges)


def _caption(directive: Listing, text: str) -> list[nodes.Node]:
    if not text:
        return []
    inline, messages = directive.state.inline_text(text, directive.lineno)
    return [nodes.caption(text, "", *inline), *messages]


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    own, source = node["program"].rsplit("/", 1)[-1] + ".cu", node["source"]
    caption = node[0].children if isinstance(node[0], nodes.caption) else []
    html = templates.render(
        "listing/listing.html",
        program=node["program"],
        further=source if source != own else "",
        region=node["region"],
        address=addresses.source_address(translator.builder, node["program"]),
        shown=own if source == parts.STARTER else source,
        caption=html_nodes.inner(translator, caption),
        code=html_nodes.inner(translator, node[1:] if caption else node.children),
    )
    translator.body.append(api.linked(html, partial(error_reference.address, translator.builder)))
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_directive("listing", Listing)
    html_nodes.add_node(app, program_listing, visit)
