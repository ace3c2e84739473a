"""A reader's recordings beside ours: on pages that the extension made, in a real browser."""

import json
import re
import subprocess
import tomllib
from typing import NamedTuple

import pytest

from lockstep.files import ROOT
from lockstep.recordings import claims
from lockstep.recordings.claims import ClaimError
from lockstep.recordings.session import Command
from lockstep.site import history
from lockstep.site.browser import accessibility
from lockstep.site.server import serve
from lockstep_sphinx.compare import compare
from lockstep_sphinx.numbers.formulas import formula
from lockstep_sphinx.project import Project, Recordings

PAGE = """\
.. transcript:: ladders/card/demo

.. chart:: ladders/card/demo.csv
   :x: stride
   :y: ~gb_per_s
   :by: how
   :alt: Rates fall with the stride.

.. container:: table-wrapper

   .. list-table::

      * - rate
        - :measured:`demo: rate`
      * - sum
        - :measured:`sum`
"""
CLAIMS = """\
[measured.sum]
is = 'value("demo", "rate") + max(column("demo.csv", "~gb_per_s", how="plain"))'
format = "{:,.1f} GB/s"
"""
CONSOLE = ["name        H200", "rate        ~1200 GB/s", "time        ~40   us  ~2000 GB/s", "0x7f1 holds ~0.50"]
DATA = "how,stride,~gb_per_s\nplain,1,1000\nplain,2,500\ntiled,1,1100\ntiled,2,1050\n"
PEAKS = ["memory, read   ~4000 GB/s", "cuBLAS float, 8192   ~50 TFLOP/s", "cuBLASLt bf16, 8192  ~700 TFLOP/s"]

HEADER = "# gpu: NVIDIA Example 900 (compute capability 9.0, 1 GPU)\n# date: 2026-12-01\n"
THEIRS = (
    HEADER + "$ ./demo --csv demo.csv\nname        Example\nrate ~600 GB/s\ntime ~80 us ~900 GB/s\n0x55c holds ~0.25\n"
)
THEIR_DATA = "how,stride,~gb_per_s\nplain,1,250\nplain,2,125\ntiled,1,300\ntiled,2,275\ntiled,4,200\n"
THEIR_PEAKS = HEADER + "$ ./this_card\n" + "\n".join(PEAKS).replace("4000", "1000") + "\n"
RECORDINGS = ROOT / "docs/_ext/lockstep_sphinx/compare/recordings.js"
STATIC = {"html_static_path": [str(ROOT / "docs/_static")], "html_js_files": [("reader.js", {"defer": ""})]}


class File(NamedTuple):
    """A file that a reader chooses."""

    name: str
    content: str | bytes


class Reader:
    """Someone who has opened the page and asked to compare."""

    def __init__(self, page):
        self.page = page

    def ask(self) -> None:
        self.page.get_by_role("button", name="Compare with my GPU").first.click()
        self.page.locator(".compare input[type=file]").wait_for()

    def give(self, *files: File) -> list[str]:
        """What the page says of these files."""
        self.page.evaluate("document.querySelector('.compare-status').replaceChildren()")
        contents = [file.content if isinstance(file.content, bytes) else file.content.encode() for file in files]
        chosen = [
            {"name": file.name, "mimeType": "", "buffer": content}
            for file, content in zip(files, contents, strict=True)
        ]
        self.page.locator(".compare input[type=file]").set_input_files(chosen)
        self.page.locator(".compare-status li").first.wait_for()
        return self.page.locator(".compare-status li").all_text_contents()

    def rows(self, what: str) -> list[str]:
        """The rows of the table that compares a program's output, or a chart."""
        table = self.page.locator(".compare-made table", has=self.page.locator("caption", has_text=what))
        return [re.sub(r"\s+", " ", text).strip() for text in table.locator("tbody tr").all_inner_texts()]

    def looks(self) -> str:
        """All of the page but the field for files."""
        return self.page.evaluate(
            "(() => { const copy = document.body.cloneNode(true); copy.querySelector('.compare')?.remove(); return copy.innerHTML })()"
        )


@pytest.fixture(scope="module")
def made(site_for_all):
    """The project, its page built."""
    site = site_for_all("ladders/card")
    site.declare("lockstep_program(demo DATA demo.csv)", "lockstep_program(this_card)")
    site.write("this_card.cu", (site.programs / "demo.cu").read_text())
    site.page("ladders/card.claims", CLAIMS)
    site.record(Command("./demo --csv demo.csv", CONSOLE), data={"demo.csv": DATA})
    site.record(Command("./this_card", PEAKS), name="this_card")
    site.build(PAGE, **STATIC)
    return site


@pytest.fixture
def reader(made, opened):
    with opened(made.root / "html", "ladders/card.html") as page:
        yield Reader(page)


def test_nothing_is_loaded_before_a_reader_asks(reader):
    assert not reader.page.evaluate("'lockstepCompare' in window")
    assert reader.page.get_by_role("button", name="Compare with my GPU").count() == 3


def test_output_stands_beside_ours(reader):
    reader.ask()
    assert reader.give(File("demo.console", THEIRS)) == ["1 of 1 file taken: the page shows its numbers."]
    assert reader.rows("demo: measured numbers") == [
        "./demo --csv demo.csv",
        "rate 1200 GB/s 600 GB/s 0.500",
        "time 40 us · 2000 GB/s 80 us · 900 GB/s 2.00 · 0.450",
        "0x7f1 holds 0.50 0.25 0.500",
    ]


def test_a_chart_is_drawn_with_both(reader):
    reader.ask()
    before = reader.page.locator(".lockstep-figure svg:visible").first.bounding_box()
    reader.give(File("demo.console", THEIRS), File("demo.csv", THEIR_DATA))
    drawn = reader.page.locator(".lockstep-figure .compare-made svg:visible")
    assert drawn.count() == 1 and before is not None
    assert reader.page.locator(".lockstep-figure svg:visible").count() == 1  # the other is hidden
    assert [text for text in drawn.locator("text").all_text_contents() if "NVIDIA" in text] == [
        "NVIDIA H200",
        "NVIDIA Example 900",
    ]
    assert drawn.locator(".compare-theirs .lc-line").count() == 2 + 1  # two series, and one sample in the legend
    assert "NVIDIA Example 900" in drawn.get_attribute("aria-label")
    assert reader.rows("gb per s: both GPUs") == [
        "plain, stride 1 1000 GB/s 250 GB/s 0.250",
        "plain, stride 2 500 GB/s 125 GB/s 0.250",
        "tiled, stride 1 1100 GB/s 300 GB/s 0.273",
        "tiled, stride 2 1050 GB/s 275 GB/s 0.262",
        "tiled, stride 4 – 200 GB/s –",
    ]


def test_numbers_in_tables_are_computed_from_the_readers_files(reader):
    reader.ask()
    reader.give(File("demo.console", THEIRS))
    assert reader.page.locator(".compare-cell").all_text_contents() == ["NVIDIA Example 900: 600 GB/s"]
    reader.give(File("demo.csv", THEIR_DATA))
    assert reader.page.locator(".compare-cell").all_text_contents() == [
        "NVIDIA Example 900: 600 GB/s",
        "NVIDIA Example 900: 850.0 GB/s",
    ]


def test_the_share_of_the_peak_is_shown_once_it_was_measured(reader):
    reader.ask()
    reader.give(File("demo.console", THEIRS), File("this_card.console", THEIR_PEAKS))
    assert reader.rows("demo: measured numbers")[1] == "rate 1200 GB/s 600 GB/s 0.500 30.0 % 60.0 %"


def test_output_of_one_run_needs_no_header(reader):
    reader.ask()
    reader.give(File("demo.console", THEIRS.partition("demo.csv\n")[2]))
    assert reader.page.locator(".compare-cell").all_text_contents() == ["Your GPU: 600 GB/s"]


def test_numbers_are_there_on_the_next_visit_until_they_are_removed(reader):
    reader.ask()
    reader.give(File("demo.console", THEIRS), File("demo.csv", THEIR_DATA))
    reader.page.reload()
    reader.page.locator(".compare-cell").first.wait_for()
    assert reader.page.locator(".lockstep-figure .compare-made svg:visible").count() == 1
    reader.ask()
    reader.page.get_by_role("button", name="Remove my numbers").click()
    assert reader.page.locator(".compare-made").count() == 0
    assert reader.page.evaluate("Object.keys(localStorage).length") == 0


def test_kept_numbers_that_no_longer_fit_are_forgotten(reader):
    kept = json.dumps({"gpu": "x", "console": "rate ~nan", "data": {}})
    reader.page.evaluate("(kept) => localStorage.setItem('lockstep-gpu:ladders/card/demo', kept)", kept)
    reader.page.reload()
    reader.ask()
    assert "do not fit this page any more" in reader.page.locator(".compare-status").text_content()
    assert reader.page.evaluate("Object.keys(localStorage).length") == 0


def test_files_can_be_dropped_on_the_page(reader):
    reader.ask()
    reader.page.evaluate(
        """(text) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], "demo.console"));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        THEIRS,
    )
    reader.page.locator(".compare-cell").first.wait_for()


def test_a_compared_page_can_be_read_to_all(reader):
    reader.ask()
    reader.give(File("demo.console", THEIRS), File("demo.csv", THEIR_DATA), File("this_card.console", THEIR_PEAKS))
    assert [text for text in accessibility(reader.page) if "compare" in text] == []


HTML = "<img src=x onerror='window.injected = true'>"
BAD = {
    "empty": (File("demo.console", b""), "it is empty"),
    "blank": (File("demo.csv", " \n\n"), "it is empty"),
    "binary": (File("demo.console", bytes(range(256))), "it is not UTF-8 text"),
    "zeros": (File("demo.console", b"rate\0~600"), "it is not a text file"),
    "UTF-16": (File("demo.console", THEIRS.encode("utf-16")), "it is not UTF-8 text"),
    "Latin-1": (File("demo.console", THEIRS.replace("Example\n", "\xe9\n").encode("latin-1")), "it is not UTF-8 text"),
    "huge": (File("demo.console", b"x" * (256 * 1024 + 1)), "it is larger than 256 KiB, and no recording is"),
    "wrong program": (File("other.console", THEIRS), "this page shows no measured numbers of other"),
    "wrong content": (File("demo.console", THEIR_PEAKS), 'it lacks the command "./demo --csv demo.csv"'),
    "wrong kind": (File("demo.txt", THEIRS), "its name is not that of a program with .console or .csv after it"),
    "injected name": (File(f"{HTML}.csv", DATA), "its name is not that of a program with .console or .csv after it"),
    "only a header": (File("demo.console", HEADER), "it ends before the first command"),
    "truncated": (File("demo.console", THEIRS[: THEIRS.index("time")]), 'it lacks the line "time ~ us ~ GB/s"'),
    "cut in a line": (File("demo.console", THEIRS[: THEIRS.index(" ~900")]), 'it lacks the line "time ~ us ~ GB/s"'),
    "an HTML page": (File("demo.console", "<html><body>404</body></html>\n"), 'it lacks the line "rate ~ GB/s"'),
    "negative": (File("demo.console", THEIRS.replace("~600", "~-600")), "line 5: -600 is negative"),
    "no number": (File("demo.console", THEIRS.replace("~600", "~nan")), 'line 5: "~nan" is not a number'),
    "infinite": (File("demo.console", THEIRS.replace("~600", "~inf")), 'line 5: "~inf" is not a number'),
    "two points": (File("demo.console", THEIRS.replace("~600", "~6.0.0")), 'line 5: "6.0.0" is not a number'),
    "enormous": (
        File("demo.console", THEIRS.replace("~600", "~6e300")),
        "line 5: 6e300 is more than a million times larger or smaller than the recorded number",
    ),
    "injected GPU": (
        File("demo.console", THEIRS.replace("NVIDIA Example 900", HTML)),
        '"<img src=x onerror=\'window.injected = tr …" is not the name of a GPU',
    ),
    "missing column": (File("demo.csv", "how,stride\nplain,1\n"), 'it lacks the column "~gb_per_s"'),
    "another column": (
        File("demo.csv", THEIR_DATA.replace("stride,", "stride,more,", 1)),
        "it has 4 columns, the recorded file 3",
    ),
    "short row": (File("demo.csv", "how,stride,~gb_per_s\nplain,1\n"), "row 1 has 2 columns, the header 3"),
    "no rows": (File("demo.csv", "how,stride,~gb_per_s\n"), "it holds no rows"),
    "cut row": (File("demo.csv", THEIR_DATA[:-2]), "it ends in the middle of a line"),
    "too many rows": (
        File("demo.csv", "how,stride,~gb_per_s\n" + "plain,1,2\n" * 5001),
        "it holds more than 5000 rows",
    ),
    "injected label": (
        File("demo.csv", THEIR_DATA.replace("tiled,4", f"{HTML},4")),
        "row 5, column \"how\": this program does not write \"<img src=x onerror='window.injected = tr …\"",
    ),
    "NaN in a row": (File("demo.csv", THEIR_DATA.replace("275", "NaN")), 'row 4, column "~gb_per_s": "NaN" is not a number'),
    "negative in a row": (File("demo.csv", THEIR_DATA.replace("275", "-275")), 'row 4, column "~gb_per_s": -275 is negative'),
    "enormous in a row": (
        File("demo.csv", THEIR_DATA.replace("275", "2.75e99")),
        'row 4, column "~gb_per_s": 2.75e99 is more than a million times larger or smaller than the recorded number',
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_refused_and_changes_nothing(reader, kind):
    file, reason = BAD[kind]
    reader.ask()
    before = reader.looks()
    assert reader.give(file) == [f"{file.name} is refused: {reason}."]
    assert reader.looks() == before
    assert reader.page.evaluate("Object.keys(localStorage).length") == 0
    assert not reader.page.evaluate("'injected' in window") and reader.page.locator("img").count() == 0


def test_a_bad_file_leaves_a_good_one_in_place(reader):
    reader.ask()
    assert reader.give(File("demo.console", THEIRS), File("demo.csv", "a\n1\n")) == [
        "1 of 2 files taken: the page shows its numbers.",
        'demo.csv is refused: it lacks the column "how".',
    ]


def test_recordings_in_the_working_tree_are_found(made, browser):
    """As under `make serve`: the page is made from the reader's recordings, the commit holds ours."""
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org")
    ours = (made.programs / "demo.console").read_text()
    for command in (("init", "-q"), ("add", "programs"), ("commit", "-qm", "recorded")):
        subprocess.run([*git, *command], cwd=made.root, check=True)
    try:
        (made.programs / "demo.console").write_text(THEIRS)
        (made.programs / "demo.csv").write_text(THEIR_DATA)
        history.keep_recordings(made.root, "HEAD")
        made.build(PAGE, **STATIC, lockstep_compare_with="build/committed", lockstep_allow_stale=True)
        with serve(made.root / "html") as base:
            page = browser.new_page()
            page.goto(f"{base}ladders/card.html")
            page.locator(".compare-cell").first.wait_for(timeout=20_000)
            assert page.locator(".compare-cell").first.text_content() == "NVIDIA H200: 1200 GB/s"
            assert Reader(page).rows("demo: measured numbers")[1] == "rate 1200 GB/s 600 GB/s 0.500"
            page.close()
    finally:
        (made.programs / "demo.console").write_text(ours)
        (made.programs / "demo.csv").write_text(DATA)
        made.build(PAGE, **STATIC)


def test_a_formula_that_no_browser_computes_is_refused():
    with pytest.raises(ClaimError, match="cannot be computed in the browser"):
        formula('value("demo", "rate") > 1')


@pytest.mark.content
def test_the_browser_computes_every_number_of_every_page(browser):
    project = Project(ROOT)
    recordings = {path: compare.recording(program, program.directory) for path, program in project.programs.items()}
    asked, expected = [], []
    for path in sorted((ROOT / "docs").rglob("*.claims")):
        numbers = tomllib.loads(path.read_text()).get("measured", {})
        shown = claims.load(path, ROOT, Recordings(project))
        for name, entry in numbers.items():
            expression, form = (entry["is"], entry.get("format", "")) if isinstance(entry, dict) else (entry, "")
            asked.append({"is": formula(expression), "format": form})
            expected.append(shown.measured(name))
    page = browser.new_page()
    page.add_script_tag(path=RECORDINGS)
    found = page.evaluate(
        """([programs, asked]) => {
          const { computer, commandsOf, written } = window.lockstepCompare;
          const read = (one) => ({ commands: one.console ? commandsOf(one.console, one.console) : [], data: one.data });
          const compute = computer(Object.fromEntries(Object.entries(programs).map(([path, one]) => [path, read(one)])));
          return asked.map((cell) => { try { return written(compute(cell.is), cell.format) } catch (error) { return String(error) } });
        }""",
        [recordings, asked],
    )
    page.close()
    assert len(asked) > 100
    assert [pair for pair in zip(asked, expected, found, strict=True) if pair[1] != pair[2]] == []


@pytest.mark.parametrize("form", ["{:.0f}", "{:.1f}", "{:.2f} ms", "{:,.1f}", "{:.3g} GB/s"])
def test_numbers_are_rounded_as_in_claims(browser, form):
    page = browser.new_page()
    page.add_script_tag(path=RECORDINGS)
    numbers = [10.95, 0.125, 2.5, 3.5, 1234567.25, 0.05, 99.95, 1 / 3, -10.95]
    found = page.evaluate("([xs, form]) => xs.map((x) => window.lockstepCompare.written(x, form))", [numbers, form])
    page.close()
    if "g" in form.partition("}")[0]:
        numbers, found = [x for x in numbers if x < 1000], [f for x, f in zip(numbers, found, strict=True) if x < 1000]
    assert found == [form.format(x) for x in numbers]


def as_on_another_gpu(text: str, csv: bool) -> str:
    """A recording with every measured number at 60 %, under the name of another GPU."""
    if not csv:
        text = re.sub("# gpu: .*", "# gpu: NVIDIA Example 900 (compute capability 9.0, 1 GPU)", text)
        return re.sub(r"~([0-9.]+)", lambda match: f"~{float(match[1]) * 0.6:.4g}", text)
    head, *rows = text.splitlines()
    measured = [name.startswith("~") for name in head.split(",")]
    scaled = [
        ",".join(
            f"{float(cell) * 0.6:.6g}" if marked else cell
            for marked, cell in zip(measured, row.rsplit(",", len(measured) - 1), strict=True)
        )
        for row in rows
    ]
    return "\n".join([head, *scaled]) + "\n"


@pytest.mark.content
def test_recordings_of_every_program_are_taken(browser):
    """Copies of all recordings, under the name of another GPU and with other numbers."""
    project = Project(ROOT)
    programs = {
        path: compare.recording(program, program.directory)
        for path, program in project.programs.items()
        if program.console.exists()
    }
    given = []
    for path, recorded in programs.items():
        if re.search(r"^[^#$].*~[0-9]", recorded["console"], re.M):
            given.append(
                [path, f"{path.rsplit('/', 1)[-1]}.console", as_on_another_gpu(recorded["console"], csv=False)]
            )
        for name, text in recorded["data"].items():
            given.append([path, name, as_on_another_gpu(text, csv=True)])
    page = browser.new_page()
    page.add_script_tag(path=RECORDINGS)
    found = page.evaluate(
        """([programs, given]) => given.map(([path, name, text]) => {
          try {
            return window.lockstepCompare.judge(name, new TextEncoder().encode(text), { [path]: programs[path] }).path;
          } catch (error) {
            return String(error);
          }
        })""",
        [programs, given],
    )
    page.close()
    assert len(given) > 100
    assert [(name, said) for (path, name, _), said in zip(given, found, strict=True) if said != path] == []
