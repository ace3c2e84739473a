"""The files beside the pages: each program's whole source as a page, downloads, data.

A site has hundreds of programs, and a theme takes tens of milliseconds for a page. So the theme
draws one page for each depth of folder, with placeholders, and the sources are put into that.
"""

import hashlib
from collections.abc import Iterator
from functools import partial
from html import escape, unescape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

from lockstep.programs import regions
from lockstep.programs.declarations import Program
from lockstep.programs.sources import SourceError
from lockstep_sphinx import (
    addresses,
    api,
    card,
    code_lines,
    domain,
    error_reference,
    explorer,
    frame,
    lookup,
    project,
)

_FORMAT = 5  # of what stands on such a page: raise it where this module changes that
_NAME = "lockstep-source-page"
_TITLE, _SUMMARY, _BODY = "@LOCKSTEP-TITLE@", "@LOCKSTEP-SUMMARY@", "@LOCKSTEP-BODY@"


def templates(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """One page for each depth of folder, for the theme to draw."""
    body = f"<section><h1>{_TITLE}</h1>\n<p>{_SUMMARY}</p>\n{_BODY}\n</section>"
    for folder in sorted(_samples(app).values()):
        parts = {part: frame.placeholder(part) for part in frame.PARTS}
        yield f"programs/{folder}/{_NAME}", {"title": _TITLE, "body": body} | parts, "page.html"


def _samples(app: Sphinx) -> dict[int, str]:
    """For each depth, one folder that has programs."""
    return {program.folder.count("/"): program.folder for program in lookup.project_of(app.config).programs.values()}


def write(app: Sphinx, exception: Exception | None) -> None:
    """Writes all that belongs to the programs, where it differs from what is there."""
    if exception or app.builder.format != "html" or app.builder.name not in ("html", "dirhtml"):
        return
    out, frames = Path(app.outdir), frame.frames_of(app)
    pages = {}
    for depth, sample in _samples(app).items():
        drawn = Path(addresses.html_builder(app).get_outfilename(f"programs/{sample}/{_NAME}"))
        if drawn.exists():
            pages[depth] = (drawn.read_text(encoding="utf-8"), f"programs/{sample}/{_NAME}")
            drawn.unlink()
    kept = {Path(addresses.html_builder(app).get_outfilename(docname)) for docname in app.env.found_docs}
    for program in lookup.project_of(app.config).programs.values():
        folder = out / "_downloads" / "programs" / program.folder
        files = lookup.project_of(app.config).downloads(program)
        for name, text in files.items():
            _put(folder / name, text)
        kept |= {folder / name for name in (*files, *program.data)}
        for name in program.data:
            if (program.directory / name).exists():
                _put(folder / name, (program.directory / name).read_text(encoding="utf-8"))
        kept.add(Path(addresses.html_builder(app).get_outfilename(addresses.page_of_source(program.path))))
        if page := pages.get(program.folder.count("/")):
            template, name = page
            target = addresses.page_of_source(program.path)
            title, summary, body = content(app, program, files)
            html = template.replace(name, target).replace(_TITLE, title).replace(_SUMMARY, summary)
            for part, framing in frames.of_program(app.builder, program, unescape(summary)).items():
                html = html.replace(frame.placeholder(part), framing)
            html = html.replace(_BODY, body)
            _put(Path(addresses.html_builder(app).get_outfilename(target)), html)

    _sweep(out, kept)


def _sweep(out: Path, kept: set[Path]) -> None:
    """Takes away what earlier builds left: pages and downloads of what is no longer there."""
    left = list((out / "_downloads" / "programs").rglob("*.*"))
    for folder in out.glob("[!_.]*/"):
        left += folder.rglob("*.html")
    for path in left:
        if path.is_file() and path not in kept:
            path.unlink()


def _put(path: Path, text: str) -> None:
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def content(app: Sphinx, program: Program, files: dict[str, str]) -> tuple[str, str, str]:
    """Title, summary and the rest of the page of a program's source; from the last build if nothing changed."""
    builder, env = addresses.html_builder(app), app.env
    builder.current_docname = addresses.page_of_source(program.path)
    shown = [
        (addresses.address(builder, builder.get_target_uri(docname)), env.titles[docname].astext())
        for docname in domain.of(env).pages(program.path)
    ]
    text = program.source.read_text(encoding="utf-8")
    links = len(api.table()), error_reference.pages(env)
    reaches = repr((_FORMAT, program, text, files, shown, builder.name, app.config.pygments_style, links))
    cached = Path(app.doctreedir) / "lockstep" / hashlib.sha256(reaches.encode()).hexdigest()[:24]
    if not cached.exists():
        _put(cached, body(builder, program, text, files, shown))
    title, summary = escape(f"{program.name}.cu"), escape(project.summary(text).replace("`", ""))
    return title, summary, cached.read_text(encoding="utf-8")


def body(
    builder: StandaloneHTMLBuilder, program: Program, text: str, files: dict[str, str], shown: list[tuple[str, str]]
) -> str:
    """What stands under the summary on the page of a program's source."""
    single = files[program.source.name]
    links = card.actions(
        builder, program, list(files), explorer.link(program, single), explorer.promise(program, single)
    )
    pages = ", ".join(f'<a href="{escape(address)}">{escape(title)}</a>' for address, title in shown)
    extra = "".join(
        f'<h2>{escape(name)}</h2>\n<div class="lockstep-listing" data-program="{escape(program.path)}" '
        f'data-source="{escape(name)}">{highlighted(builder, (program.directory / name).read_text(encoding="utf-8"), name)}</div>'
        for name in program.sources
    )
    return (
        f'<p class="lockstep-title">{card.badges(program)}</p>\n'
        + (f"<p>Explained on: {pages}</p>\n" if pages else "")
        + f'<p class="lockstep-links" id="{explorer.ANCHOR}">{" ".join(f"<span>{action}</span>" for action in links)}</p>\n'
        f'<div class="lockstep-listing" data-program="{escape(program.path)}">{highlighted(builder, text)}</div>\n{extra}'
    )


def shown(text: str) -> list[int]:
    """The numbers of the lines to show, without the marks of regions; of all if they are broken: cards warn of that."""
    try:
        return regions.shown(text)
    except SourceError:
        return list(range(1, len(text.splitlines()) + 1))


def highlighted(builder: StandaloneHTMLBuilder, text: str, name: str = "") -> str:
    """A source as HTML, its lines numbered as in the file; a further file of a program has its name in their anchors."""
    lines, numbers = text.splitlines(), shown(text)
    block = builder.highlighter.highlight_block("".join(f"{lines[number - 1]}\n" for number in numbers), "cuda")
    block = code_lines.numbered(block, numbers, f"{name}-L" if name else "L")
    return api.linked(
        f'<div class="highlight-cuda notranslate">{block}</div>', partial(error_reference.address, builder)
    )


def setup(app: Sphinx) -> None:
    app.connect("html-collect-pages", templates)
    app.connect("build-finished", write)
