"""The files beside the pages: each program's whole source as a page, downloads, data.

A site has hundreds of programs, and a theme takes tens of milliseconds for a page. So the theme
draws one page for each depth of folder, with placeholders, and the sources are put into that.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from typing import Any

from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

from lockstep import content as contents
from lockstep import data, files
from lockstep.content import digest
from lockstep.programs import regions, sources
from lockstep.programs.declarations import Program
from lockstep.programs.sources import SourceError
from lockstep.recordings import filters
from lockstep_sphinx import addresses, domain, lookup, outdated, project, templates
from lockstep_sphinx.card import card, compiler_explorer
from lockstep_sphinx.frame import frame
from lockstep_sphinx.links import api, entries, error_reference
from lockstep_sphinx.listing import code_lines

_NAME = "lockstep-source-page"
_TITLE, _SUMMARY, _BODY = "@LOCKSTEP-TITLE@", "@LOCKSTEP-SUMMARY@", "@LOCKSTEP-BODY@"


def frames(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """One page for each depth of folder, for the theme to draw."""
    body = templates.render("source_pages/page.html", title=_TITLE, summary=_SUMMARY, body=_BODY)
    for folder in sorted(_samples(app).values()):
        parts = {part: frame.placeholder(part) for part in frame.PARTS}
        yield f"programs/{folder}/{_NAME}", {"title": _TITLE, "body": body} | parts, "page.html"


def _samples(app: Sphinx) -> dict[int, str]:
    """For each depth, one folder that has programs."""
    return {program.folder.count("/"): program.folder for program in lookup.project_of(app.config).programs.values()}


def write(app: Sphinx, exception: Exception | None) -> None:
    """Writes all that belongs to the programs, where what decides it is other than when it was written last."""
    if exception or app.builder.format != "html" or app.builder.name not in ("html", "dirhtml"):
        return
    out, builder = Path(app.outdir), addresses.html_builder(app)
    drawn_frames = {}
    for depth, sample in _samples(app).items():
        drawn = Path(builder.get_outfilename(f"programs/{sample}/{_NAME}"))
        drawn_frames[depth] = (drawn.read_text(encoding="utf-8"), f"programs/{sample}/{_NAME}")
        drawn.unlink()
    record = Path(app.doctreedir) / "lockstep" / f"programs.{builder.name}.json"
    before = data.remembered(record, dict[str, tuple[str, list[str]]], Path(app.doctreedir)) or {}
    record.unlink(missing_ok=True)  # a build that ends before the last file is written leaves none
    now = {}
    common = _common(app)
    for path, program in lookup.project_of(app.config).programs.items():
        template = drawn_frames[program.folder.count("/")]
        state = digest([common, template[0], *_state(app, program)])
        last, names = before.get(path, ("", []))
        if last != state or not all((out / name).exists() for name in names):
            names = _write_program(app, program, *template)
        now[path] = state, names
    record.parent.mkdir(parents=True, exist_ok=True)
    files.write(record, json.dumps(now))
    _sweep(
        out,
        {Path(builder.get_outfilename(docname)) for docname in app.env.found_docs}
        | {out / name for _, names in now.values() for name in names},
    )


def _common(app: Sphinx) -> str:
    """What decides the files of all programs."""
    project, links = lookup.project_of(app.config), Path(api.__file__).with_name("api_links.json")
    settings = app.builder.name, app.config.pygments_style, os.environ.get("LOCKSTEP_URL", "")
    pages = error_reference.pages(app.env), entries.pages(app.env), frame.frames_of(app).foot("programs")
    return repr(
        (
            outdated.code(),
            contents.content(project.root, [str(sources.INCLUDE)]),
            outdated.digest(links),
            settings,
            pages,
        )
    )


def _state(app: Sphinx, program: Program) -> list[str]:
    """What decides the files of one program, each as text."""
    beside = [*program.sources, *program.recorded_files]
    near = [program.source, *(program.directory / name for name in beside), *sources.beside(program.source)]
    near.append(filters.whole_file(program.console))
    shown = [(page, app.env.titles[page].astext()) for page in domain.of(app.env).pages(program.path)]
    framed = frame.frames_of(app).digest_of_program(program)
    return [repr(program), *map(outdated.digest, near), repr(shown), framed]


def _write_program(app: Sphinx, program: Program, template: str, name: str) -> list[str]:
    """Writes the page of a program, its downloads and its data; returns their names, seen from the site."""
    out, builder = Path(app.outdir), addresses.html_builder(app)
    folder = f"_downloads/programs/{program.folder}"
    made = lookup.project_of(app.config).downloads(program)
    beside = {file: program.directory / file for file in program.recorded_files}
    whole = filters.whole_text(program.console)
    texts = made | ({addresses.whole_output(program): whole} if whole else {})
    offered = {file: text.encode() for file, text in texts.items()}
    offered |= {file: path.read_bytes() for file, path in beside.items() if path.exists()}
    for file, held in offered.items():
        _put_bytes(out / folder / file, held)
    target = addresses.page_of_source(program.path)
    title, summary, body = content(app, program, made)
    html = template.replace(name, target).replace(_TITLE, title).replace(_SUMMARY, summary)
    for part, framing in frame.frames_of(app).of_program(app.builder, program, unescape(summary)).items():
        html = html.replace(frame.placeholder(part), escape(framing) if part == "description" else framing)
    page = Path(builder.get_outfilename(target))
    _put(page, html.replace(_BODY, body))
    return [*(f"{folder}/{file}" for file in offered), page.relative_to(out).as_posix()]


def _sweep(out: Path, kept: set[Path]) -> None:
    """Takes away what earlier builds left: pages and downloads of what is no longer there."""
    left = list((out / "_downloads" / "programs").rglob("*.*"))
    for folder in out.glob("[!_.]*/"):
        left += folder.rglob("*.html")
    for path in left:
        if path.is_file() and path not in kept:
            path.unlink()


def _put(path: Path, text: str) -> None:
    _put_bytes(path, text.encode())


def _put_bytes(path: Path, held: bytes) -> None:
    if path.exists() and path.read_bytes() == held:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(held)


def content(app: Sphinx, program: Program, files: dict[str, str]) -> tuple[str, str, str]:
    """Title, summary and the rest of the page of a program's source; from the last build if nothing changed."""
    builder, env = addresses.html_builder(app), app.env
    builder.current_docname = addresses.page_of_source(program.path)
    shown = [
        addresses.Link(addresses.address(builder, builder.get_target_uri(docname)), env.titles[docname].astext())
        for docname in domain.of(env).pages(program.path)
    ]
    text = program.source.read_text(encoding="utf-8")
    links = len(api.table()), error_reference.pages(env), entries.pages(env)
    reaches = repr((outdated.code(), program, text, files, shown, builder.name, app.config.pygments_style, links))
    cached = Path(app.doctreedir) / "lockstep" / hashlib.sha256(reaches.encode()).hexdigest()[:24]
    if not cached.exists():
        _put(cached, body(builder, program, text, files, shown))
    title, summary = escape(f"{program.name}.cu"), escape(project.summary(text).replace("`", ""))
    return title, summary, cached.read_text(encoding="utf-8")


def body(
    builder: StandaloneHTMLBuilder, program: Program, text: str, files: dict[str, str], shown: list[addresses.Link]
) -> str:
    """What stands under the summary on the page of a program's source."""
    single = files[program.source.name]
    further = [
        (name, highlighted(builder, program, (program.directory / name).read_text(encoding="utf-8"), name))
        for name in program.sources
    ]
    return templates.render(
        "source_pages/source.html",
        program=program,
        needs=card.needs(program),
        pages=shown,
        anchor=compiler_explorer.ANCHOR,
        downloads=card.links_to(builder, program, list(files)),
        explorer=compiler_explorer.link(program, single),
        promise=compiler_explorer.promise(program, single),
        source=highlighted(builder, program, text),
        further=further,
    )


def shown(text: str) -> list[int]:
    """The numbers of the lines to show, without the marks of regions; of all if they are broken: cards warn of that."""
    try:
        return regions.shown(text)
    except SourceError:
        return list(range(1, len(text.splitlines()) + 1))


def highlighted(builder: StandaloneHTMLBuilder, program: Program, text: str, name: str = "") -> Markup:
    """A source as HTML, its lines numbered as in the file; a further file of a program has its name in their anchors."""
    lines, numbers = text.splitlines(), shown(text)
    language = sources.language(name)
    block = builder.highlighter.highlight_block("".join(f"{lines[number - 1]}\n" for number in numbers), language)
    block = code_lines.numbered(block, numbers, f"{name}-L" if name else "L")
    html = templates.render("source_pages/highlighted.html", code=Markup(block))
    return Markup(api.linked(html, entries.nearest(builder, program.path)))


def setup(app: Sphinx) -> None:
    app.connect("html-collect-pages", frames)
    app.connect("build-finished", write)
