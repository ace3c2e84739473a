"""A project of one program and one page, built in a temporary folder."""

import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import jinja2
import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from lockstep.programs import cmake_lists
from lockstep.recordings import keys, series, transcripts
from lockstep.recordings.session import Command
from lockstep.site.server import serve

ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = tempfile.TemporaryDirectory()
COMPILED = jinja2.FileSystemBytecodeCache(TEMPLATES.name)  # compiling the theme's takes a quarter of a build's time

DEMO = """\
// Does it add? Yes: it adds `one` to each. More is not said here.

#include <lockstep/check.hpp>

// [kernel]
/// Adds one.
__global__ void add_one(int* x) {
    x[threadIdx.x] += 1;  // cudaMalloc stays a word here
}
// [/kernel]

int main() {
    // [allocate]
    int* d_x = nullptr;
    lockstep::check(cudaMalloc(&d_x, 4));
    lockstep::check(cudaMalloc(&d_x, 8));
    // [/allocate]
}
"""


@dataclass
class Built:
    """What a build made."""

    out: Path
    html: str
    warnings: str

    def page(self, name: str) -> str:
        return (self.out / name).read_text()

    def __iter__(self):
        return iter((self.html, self.warnings))


class Site:
    """The project; change it, then build it. `here` is the page, and the folder of its programs."""

    def __init__(self, root: Path, here: str = "part/demo"):
        self.root = root
        self.here = here
        self.programs = root / "programs" / here
        self.docs = root / "docs"
        self.programs.mkdir(parents=True)
        (self.docs / here).parent.mkdir(parents=True)
        shutil.copytree(ROOT / "programs" / "include", root / "programs" / "include")
        shutil.copy(ROOT / "programs" / "CMakeLists.txt", root / "programs")
        self.declare("lockstep_program(demo)")
        self.write("demo.cu", DEMO)

    def declare(self, *lines: str) -> None:
        (self.programs / "CMakeLists.txt").write_text("\n".join(lines) + "\n")

    def write(self, name: str, text: str) -> None:
        (self.programs / name).write_text(text)

    def page(self, name: str, text: str) -> None:
        path = self.docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def record(
        self,
        *commands: Command,
        name: str = "demo",
        data: dict[str, str | bytes] | None = None,
        pictures: dict[str, tuple[int, str]] | None = None,
    ) -> None:
        """Leaves a transcript such as the recorder writes; `pictures` says how far they may be off."""
        for file, content in (data or {}).items():
            (self.programs / file).write_bytes(content if isinstance(content, bytes) else content.encode())
        program = cmake_lists.programs(self.root)[f"{self.here}/{name}"]
        transcript = transcripts.Transcript(
            list(commands),
            data={file: series.digest(self.programs / file) for file in data or {}},
            pictures=pictures or {},
        )
        known = {
            "gpu": "NVIDIA H200 (compute capability 9.0)",
            "driver": "580.1",
            "toolkit": "13.0",
            "host compiler": "g++ 12.2",
            "date": "2026-11-21",
            "build": "compile -O3; link",
        }
        program.console.write_text(transcripts.serialize(keys.sealed(program, transcript, known)))

    def build(self, text: str | None = None, *, fresh: bool = True, parallel: int = 0, **config) -> Built:
        """Builds the site with this text on the page."""
        if text is not None:
            self.page(f"{self.here}.rst", f"Demo\n====\n\n{text}\n")
        self.page("index.rst", "Start\n=====\n\n.. toctree::\n   :glob:\n\n   */*\n")
        cmake_lists.update(self.root)
        warnings, out = StringIO(), self.root / "html"
        settings = {"extensions": ["lockstep_sphinx"], "html_theme": "basic", "lockstep_root": str(self.root)}
        with docutils_namespace():
            app = Sphinx(
                self.docs, None, out, self.root / "doctrees", "html", settings | config,
                status=None, warning=warnings, freshenv=fresh, parallel=parallel,
            )  # fmt: skip
            app.builder.templates.environment.bytecode_cache = COMPILED
            app.build()
        page = out / f"{self.here}.html"
        return Built(out, page.read_text() if page.exists() else "", warnings.getvalue())


@pytest.fixture
def site(tmp_path) -> Site:
    return Site(tmp_path)


@pytest.fixture
def site_at(tmp_path):
    """Makes a project whose page stands elsewhere."""
    return lambda here: Site(tmp_path, here)


@pytest.fixture(scope="module")
def site_for_all(tmp_path_factory):
    """Makes a project that all tests of a file share."""
    return lambda here: Site(tmp_path_factory.mktemp("site"), here)


@pytest.fixture
def build(site):
    """Builds a page of a site whose program `demo` was recorded."""
    site.record(
        Command("./demo", ["rate   ~3.91 TB/s", "name   <one>"]),
        Command("./demo --n 5", ["no"], 1),
    )
    return site.build


@pytest.fixture
def opened(browser):
    """Opens a page of a built site, whose scripts must not fail, nor ask another site for anything."""

    @contextmanager
    def one(folder: Path, address: str):
        complaints: list[str] = []
        with serve(folder) as base:
            context = browser.new_context()
            context.set_default_timeout(20_000)
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on(
                "request",
                lambda request: complaints.append(request.url) if not request.url.startswith(base) else None,
            )
            page.goto(base + address)
            yield page
            context.close()
        assert complaints == []

    return one
