"""`.. chart::` - a plot of recorded data, with the data."""

from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from lockstep.programs.declarations import Program
from lockstep.recordings import series
from lockstep_sphinx import addresses, templates
from lockstep_sphinx.charts import plot
from lockstep_sphinx.directive import SiteDirective
from lockstep_sphinx.drawings.diagram import MAX_BYTES, drawing
from lockstep_sphinx.numbers import spec

MAX_ROWS = 60  # in the table on the page; all rows are in the linked file


class ChartError(Exception):
    """Data that cannot be drawn as asked; the text says what to change."""


def lines(rows: list[series.Row], x: str, y: str, by: str = "") -> list[plot.Line]:
    """The series to draw: one, or one for each value of the column `by`."""
    if not rows:
        raise ChartError("the file has no rows")
    for column in filter(None, (x, y, by)):
        if column not in rows[0]:
            raise ChartError(f"no column {column}; there are {', '.join(rows[0])}")
    names = list(dict.fromkeys(row[by] for row in rows)) if by else [""]
    numeric = all(_is_number(row[x]) for row in rows)
    found = []
    for name in names:
        mine = [row for row in rows if not by or row[by] == name]
        if not all(_is_number(row[y]) for row in mine):
            raise ChartError(f"the column {y} holds something that is no number")
        label = f"{label_of(by)} {name}" if by and _is_number(name) else name
        found.append(plot.Line(label, [(float(row[x]) if numeric else row[x], float(row[y])) for row in mine]))
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def label_of(column: str) -> str:
    """A column's name as an axis says it: `~time_us` is `time us`."""
    return column.lstrip("~").replace("_", " ")


class Chart(SiteDirective):
    """Draws columns of a data file that a program wrote."""

    required_arguments = 1
    has_content = True
    needed: tuple[str, ...] = ("x", "y", "alt")
    option_spec = {
        "x": directives.unchanged_required,
        "y": directives.unchanged_required,
        "by": directives.unchanged_required,
        "log": lambda text: directives.choice(text, ("x", "y", "xy")),
        "xlabel": directives.unchanged_required,
        "ylabel": directives.unchanged_required,
        "alt": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        missing = [f":{name}:" for name in self.needed if not self.options.get(name, "").strip()]
        if missing:
            names = ", ".join(name.rsplit("/", 1)[-1] for name in self.arguments[0].split())
            return self.warn("the %s of %s needs %s", self.name, names, " and ".join(missing))
        for name in ("xlabel", "ylabel"):
            spec.warn_of(spec.typed_off(self.options.get(name, "")), self.get_location())
        found = [self._source(name) for name in self.arguments[0].split()]
        sources = [source for source in found if source is not None]
        if len(sources) < len(found):
            return []
        absent = [path.name for _, path in sources if not path.exists()]
        if absent:
            return [nodes.paragraph("", f"{', '.join(absent)} is not recorded yet", classes=["lockstep-stale"])]
        return self._draw(sources)

    def _source(self, name: str) -> tuple[Program, Path] | None:
        """The program that wrote a data file, and the file; warns if no program declares it."""
        path = self.project.root / "programs" / name
        programs = self.project.programs.values()
        program = next((p for p in programs if p.directory == path.parent and path.name in p.data), None)
        if program is None:
            self.warn("no program declares %s; add DATA %s to its lockstep_program()", name, path.name)
            return None
        self.shows("chart", program)
        self.warn_if_stale(program)
        return program, path

    def _draw(self, sources: list[tuple[Program, Path]]) -> list[nodes.Node]:
        names = ", ".join(path.name for _, path in sources)
        try:
            rows = [row for _, path in sources for row in series.read(path)]
            alt = spec.described(self, self.options["alt"], chart=True)
            drawings = {"svg": self.svg(rows, alt, plot.WIDTH), "narrow": self.svg(rows, alt, plot.NARROW)}
        except (ChartError, ValueError) as error:
            return self.warn("%s: %s", names, error)
        size = max(map(len, drawings.values()))
        if size > MAX_BYTES:
            return self.warn("the %s of %s takes %s kB; record fewer points", self.name, names, size // 1000)
        node = drawing("", *self.parse_content_to_nodes(), kind="chart", **drawings)
        node["rows"], node["count"] = rows[:MAX_ROWS], len(rows)
        node["files"] = [(program, path.name) for program, path in sources]
        node["compare"] = self.compared()
        return [node]

    def compared(self) -> dict[str, str]:
        """How the script draws the chart again with a reader's numbers in it."""
        x, y = self.options["x"], self.options["y"]
        labels = {"xlabel": self.options.get("xlabel", label_of(x)), "ylabel": self.options.get("ylabel", label_of(y))}
        chosen = {name: self.options.get(name, "") for name in ("by", "log")}
        return {"kind": "chart", "x": x, "y": y, **chosen, **labels}

    def svg(self, rows: list[series.Row], title: str, width: int) -> str:
        """The drawing of the rows, so many pixels wide."""
        x, y = self.options["x"], self.options["y"]
        return plot.svg(
            lines(rows, x, y, self.options.get("by", "")),
            title=title,
            x_label=self.options.get("xlabel", label_of(x)),
            y_label=self.options.get("ylabel", label_of(y)),
            log=self.options.get("log", ""),
            width=width,
        )


def heads(rows: list[series.Row]) -> list[str]:
    """What stands above the columns of a table of data."""
    return [label_of(column) for column in rows[0]] if rows else []


def add_data(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Puts each chart's data at its end, now that the page's address is known."""
    builder = addresses.html_builder(app)
    for node in doctree.findall(drawing):
        if node["kind"] != "chart":
            continue
        builder.current_docname = docname
        node["after"] = templates.render(
            "charts/behind.html",
            heads=heads(node["rows"]),
            rows=node["rows"],
            count=node["count"],
            files=[
                addresses.Link(addresses.download_address(builder, program, file), file)
                for program, file in node["files"]
            ],
        )


def setup(app: Sphinx) -> None:
    app.add_directive("chart", Chart)
    app.connect("doctree-resolved", add_data)
