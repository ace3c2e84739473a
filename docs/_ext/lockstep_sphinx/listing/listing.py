"""`.. listing::` - an excerpt of a program, by region.

With `:changed-from:`, which names the program of the rung before, the lines that are new have a mark. Where most lines are
new, none has one, and what the rung before has in their place is folded away below the listing.
"""

import os
import textwrap

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.directives.code import LiteralInclude
from sphinx.writers.html5 import HTML5Translator

from lockstep.exercises import parts
from lockstep.programs import regions
from lockstep.programs.declarations import Program
from lockstep.programs.sources import SourceError, language
from lockstep_sphinx import addresses, directive, html_nodes, outdated, templates
from lockstep_sphinx.links import api, entries
from lockstep_sphinx.listing import changes


class program_listing(nodes.General, nodes.Element):
    """Holds a literal block and, in front of it, its caption; `since` is the program that marked lines are new to."""


class rung_before(nodes.General, nodes.Element):
    """Holds the listing of what the rung before has in place of one that is mostly new."""


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

        since, further = "", []
        if path := self.options.pop("changed-from", ""):
            other = self._other(path, region)
            if other is None:
                return []
            before = regions.excerpt(other.source.read_text(encoding="utf-8"), region, other.source)
            found = changes.between(before, [text.splitlines()[number - 1] for number in lines])
            if found.most:
                further = [_before(other, region, before)]
            elif found.new:
                since = other.path
                self.options["emphasize-lines"] = _ranges([at + 1 for at in found.new])
        self.arguments = ["/" + os.path.relpath(file, self.env.srcdir)]
        self.options |= {"lines": _ranges(lines), "dedent": None, "language": language(name)}
        blocks = super().run()
        node = program_listing("", *_caption(self, caption), *blocks)
        node["program"], node["region"], node["source"], node["since"] = program.path, region, name, since
        return [node, *further]

    def _other(self, path: str, region: str) -> Program | None:
        """The program of the rung before; None, with a warning, if there is nothing to compare."""
        other = self.project.find(path)
        if other is None:
            self.warn("no program %s to compare with", path)
            return None
        outdated.depend(self.env, self.project.files_of(other))
        text = other.source.read_text(encoding="utf-8")
        if region and region not in regions.find(text, other.source):
            self.warn("%s has no region [%s] to compare with", path, region)
            return None
        return other


def _before(program: Program, region: str, lines: list[str]) -> rung_before:
    """What the rung before has."""
    text = textwrap.dedent("\n".join(lines))
    node = program_listing("", nodes.literal_block(text, text, language="cuda"))
    node["program"], node["region"], node["source"], node["since"] = program.path, region, program.source.name, ""
    return rung_before("", node, program=program.path)


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


def _file(program: str) -> str:
    return f"{program.rpartition('/')[2]}.cu" if program else ""


def _goes_on(node: nodes.Element) -> bool:
    """Whether the listing directly above is of the same file, whose name need not be said twice."""
    at = node.parent.index(node) if node.parent else 0
    above = node.parent[at - 1] if at else None
    return isinstance(above, program_listing) and all(above[key] == node[key] for key in ("program", "source"))


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    own, source, since = _file(node["program"]), node["source"], node["since"]
    caption = node[0].children if isinstance(node[0], nodes.caption) else []
    html = templates.render(
        "listing/listing.html",
        program=node["program"],
        further=source if source != own else "",
        region=node["region"],
        address=addresses.source_address(translator.builder, node["program"]),
        shown=own if source == parts.STARTER else source,
        since=_file(since),
        goes_on=_goes_on(node),
        since_address=addresses.source_address(translator.builder, since) if since else "",
        caption=html_nodes.inner(translator, caption),
        code=html_nodes.inner(translator, node[1:] if caption else node.children),
    )
    translator.body.append(api.linked(html, entries.nearest(translator.builder, node["program"])))
    raise nodes.SkipNode


def visit_before(translator: HTML5Translator, node: nodes.Element) -> None:
    inner = html_nodes.inner(translator, node.children)
    translator.body.append(templates.render("listing/before.html", file=_file(node["program"]), listing=inner))
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_directive("listing", Listing)
    html_nodes.add_node(app, program_listing, visit)
    html_nodes.add_node(app, rung_before, visit_before)
