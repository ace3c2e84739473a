"""`.. listing::` - an excerpt of a program, by region."""

import os
from html import escape

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.directives.code import LiteralInclude

from lockstep import sources
from lockstep_sphinx import api, state


class program_listing(nodes.General, nodes.Element):
    """Holds a literal block and, in front of it, its caption."""


class Listing(LiteralInclude, state.ProgramDirective):
    """Shows one region of a program, or all of it."""

    option_spec = {
        "region": directives.unchanged_required,
        "caption": directives.unchanged_required,
        "emphasize-lines": directives.unchanged_required,
        "linenos": directives.flag,
        "name": directives.unchanged,
        "class": directives.class_option,
    }

    def run(self):
        program = self.program("listing")
        if program is None:
            return []
        text = program.source.read_text()
        region = self.options.pop("region", "")
        caption = self.options.pop("caption", "")
        try:
            regions = sources.regions(text, program.source)
        except sources.SourceError as error:
            return self.warn("%s", error)
        if region and region not in regions:
            return self.warn("%s has no region [%s]; it has %s", program.path, region, ", ".join(regions) or "none")
        lines = shown_lines(text, regions, region)
        if not any(text.splitlines()[number - 1].strip() for number in lines):
            return self.warn("%s: region [%s] is empty; put its lines between the markers", program.path, region)

        self.arguments = ["/" + os.path.relpath(program.source, self.env.srcdir)]
        self.options |= {"lines": _ranges(lines), "dedent": None, "language": "cuda"}
        blocks = super().run()
        node = program_listing("", *_caption(self, caption), *blocks)
        node["program"], node["region"] = program.path, region
        return [node]


def shown_lines(text: str, regions: dict[str, sources.Region], region: str) -> list[int]:
    """The numbers of the lines to show: the region's, or all without markers."""
    if region:
        return list(range(regions[region].first, regions[region].last + 1))
    markers = {number for found in regions.values() for number in (found.first - 1, found.last + 1)}
    return [number for number in range(1, len(text.splitlines()) + 1) if number not in markers]


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


def visit(translator, node):
    region = f' data-region="{escape(node["region"])}"' if node["region"] else ""
    node["start"] = len(translator.body)
    translator.body.append(f'<div class="lockstep-listing" data-program="{escape(node["program"])}"{region}>\n')
    link = state.source_address(translator.builder, node["program"])
    name = node["program"].rsplit("/", 1)[-1]
    translator.body.append(f'<p class="lockstep-caption"><a href="{escape(link)}">{escape(name)}.cu</a>')
    if isinstance(node[0], nodes.caption):
        translator.body.append(" ")
        for child in node[0]:
            child.walkabout(translator)
        node.remove(node[0])
    translator.body.append("</p>\n")


def depart(translator, node):
    start = node["start"]
    translator.body[start:] = [api.linked("".join(translator.body[start:])) + "</div>\n"]


def setup(app):
    app.add_directive("listing", Listing)
    state.add_node(app, program_listing, visit, depart)
