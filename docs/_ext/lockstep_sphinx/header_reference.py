"""`.. header-reference::` - the sections of a reference page about headers: one for each, with all that it declares.

    .. header-reference:: *.hpp
       :except: vulkan_*.hpp

What a header declares comes from Doxygen's XML, and Breathe renders it; so a header needs no entry anywhere.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from xml.etree import ElementTree

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from lockstep.programs import sources
from lockstep_sphinx import directive, outdated

_DIRECTIVES = {"function": "doxygenfunction", "variable": "doxygenvariable", "typedef": "doxygentypedef"}
_BRIEF = re.compile(r"^/// @file\n((?:///.*\n)+)", re.M)
_PLAIN = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Declaration:
    """Something that a header declares."""

    header: str  # as it is included, such as lockstep/check.hpp
    line: int
    text: str  # the directive that shows it


def declarations(xml: Path, namespace: str = "lockstep") -> list[Declaration]:
    """All that the headers declare, as Doxygen has read it; `xml` is its folder."""
    space = ElementTree.parse(xml / f"namespace{namespace}.xml").getroot()
    members = list(space.iter("memberdef"))
    names = [member.findtext("name", "") for member in members]
    found = [
        _declared(member, _member(namespace, member, overloaded=names.count(name) > 1))
        for name, member in zip(names, members, strict=True)
    ]
    for inner in space.iter("innerclass"):
        compound = ElementTree.parse(xml / f"{inner.get('refid')}.xml").getroot().find("compounddef")
        name = inner.text or ""
        if compound is not None and name.count("::") == namespace.count("::") + 1:
            found.append(_declared(compound, f".. doxygen{compound.get('kind')}:: {name}\n   :members:"))
    return sorted(found, key=lambda one: (one.header, one.line))


def _declared(element: ElementTree.Element, text: str) -> Declaration:
    place = element.find("location")
    assert place is not None
    return Declaration(place.get("file", ""), int(place.get("line", "0")), text)


def _member(namespace: str, member: ElementTree.Element, *, overloaded: bool) -> str:
    kind, name = member.get("kind", ""), member.findtext("name", "")
    signature = f"({', '.join(_types(member))})" if overloaded else ""
    return f".. {_DIRECTIVES[kind]}:: {namespace}::{name}{signature}"


def _types(member: ElementTree.Element) -> Iterator[str]:
    for parameter in member.findall("param"):
        kind = parameter.find("type")
        yield "".join(kind.itertext()).strip() + (parameter.findtext("array") or "") if kind is not None else ""


def brief(text: str) -> str:
    """What a header says of itself, as reStructuredText."""
    match = _BRIEF.search(text)
    return (
        _PLAIN.sub(r"``\1``", " ".join(line.removeprefix("///").strip() for line in match[1].splitlines()))
        if match
        else ""
    )


class HeaderReference(directive.SiteDirective):
    """Sections about the headers that match a pattern, in the order of their names."""

    required_arguments = 1
    optional_arguments = 99
    option_spec = {"except": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        library = self.project.root / sources.INCLUDE
        names = [
            path.relative_to(library / "lockstep").as_posix() for path in sorted((library / "lockstep").rglob("*.hpp"))
        ]
        excepted = self.options.get("except", "").split()
        chosen = [name for name in names if _matches(name, self.arguments) and not _matches(name, excepted)]
        if not chosen:
            return self.warn("no header of %s matches %s", sources.INCLUDE, " ".join(self.arguments))
        xml = Path(self.config.breathe_projects["lockstep"])
        outdated.depend(self.env, [library / "lockstep" / name for name in chosen])
        declared = declarations(xml)
        text = "\n".join(self._section(name, library, declared) for name in chosen)
        return self.parse_text_to_nodes(text, allow_section_headings=True)

    def _section(self, name: str, library: Path, declared: list[Declaration]) -> str:
        about = brief((library / "lockstep" / name).read_text(encoding="utf-8"))
        shown = [one.text for one in declared if one.header == f"lockstep/{name}"]
        if not about or not shown:
            self.warn(
                "%s: %s", name, "declares nothing" if about else "says nothing of itself; begin it with /// @file"
            )
        return "\n\n".join([f"{name}\n{'-' * len(name)}", about, *shown]) + "\n"


def _matches(name: str, patterns: list[str]) -> bool:
    """Whether a name is meant; `*` does not reach into folders."""
    return any(fnmatch(name, pattern) and name.count("/") == pattern.count("/") for pattern in patterns)


def setup(app: Sphinx) -> None:
    app.add_directive("header-reference", HeaderReference)
