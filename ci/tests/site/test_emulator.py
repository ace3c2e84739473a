"""Programs that run in the page: the rules of the scripts, and each check shown a page that breaks it."""

import json
import shutil
import struct
import zipfile
from types import SimpleNamespace

import pytest

from lockstep.files import ROOT
from lockstep.recordings import transcripts
from lockstep.site import browser as checks
from lockstep.site import emulator_browser
from lockstep.site.emulator_browser import Run
from lockstep.site.server import serve
from lockstep.takeaway import offline
from lockstep_sphinx import assets

STATIC = ROOT / "docs/_static"

# ---------------------------------------------------------------------------------------------------------------------
# A module, put together by hand

EXIT = {
    "": b"",
    "status 3": b"\x41\x03\x10\x01",  # i32.const 3, call proc_exit
    "trap": b"\x00",
    "endless": b"\x03\x40\x0c\x00\x0b",  # loop, br 0, end
}


def number(value: int) -> bytes:
    """A number as WebAssembly writes it; one zero bit above it keeps it positive where a sign is looked for."""
    found = b""
    while value > 63:
        found += bytes([value & 0x7F | 0x80])
        value >>= 7
    return found + bytes([value])


def sized(content: bytes) -> bytes:
    return number(len(content)) + content


def section(kind: int, *items: bytes) -> bytes:
    return bytes([kind]) + sized(number(len(items)) + b"".join(items))


def module(*writes: tuple[int, str], end: str = "") -> bytes:
    """A program that writes texts to files and then ends as one of EXIT does."""
    wasi = sized(b"wasi_snapshot_preview1")
    code, parts, texts = b"", b"", b""
    for file, written in writes:
        arguments = (file, len(parts), 1, 2048)
        code += b"".join(b"\x41" + number(value) for value in arguments) + b"\x10\x00\x1a"  # call fd_write, drop
        parts += struct.pack("<II", 4096 + len(texts), len(written.encode()))
        texts += written.encode()
    return (
        b"\0asm\1\0\0\0"
        + section(1, b"\x60\x04\x7f\x7f\x7f\x7f\x01\x7f", b"\x60\x01\x7f\x00", b"\x60\x00\x00")
        + section(2, wasi + sized(b"fd_write") + b"\x00\x00", wasi + sized(b"proc_exit") + b"\x00\x01")
        + section(3, b"\x02")
        + section(5, b"\x00\x10")
        + section(7, sized(b"memory") + b"\x02\x00", sized(b"_start") + b"\x00\x02")
        + section(10, sized(b"\x00" + code + EXIT[end] + b"\x0b"))
        + section(11, *(b"\x00\x41" + number(at) + b"\x0b" + sized(data) for at, data in ((0, parts), (4096, texts))))
    )


# ---------------------------------------------------------------------------------------------------------------------
# A page with one card

CARD = """<div class="lockstep-card" data-program="part/demo" data-emulator="_emulator/demo.json" data-arguments=""
  data-kilobytes="1" data-steps><p class="lockstep-links"></p><details class="lockstep-more"><summary>More</summary></details></div>
<article id="furo-main-content"></article>"""
HEAD = '<script src="_static/site.js" defer></script><link rel="stylesheet" href="_static/lockstep.css"><link rel="stylesheet" href="_static/site.css">'
TRACE = f"""source 2 __global__ void k() {{
source 3     x[t] = 1;
source 4     __syncthreads();
source 5 }}
kernel k 1 40
step 0 2 {"#" * 40}
step 0 3 {"#" * 20 + "." * 20}
step 0 4 {"|" * 20 + "#" * 20}
event 0 4 barrier released
step 0 5 {"#" + "-" * 39}
"""
LONG = "x[threadIdx.x] = " + " + ".join(["a_name_that_is_long"] * 20) + ";"
VALUES = f"""source 2 __global__ void k() {{
source 3     {LONG}
source 4 }}
variable 0 sum 2 4 f4
variable 1 step 2 4 i4
variable 2 later 4 4 i4
kernel k 1 64
array tile f4 4 4096 0 32x32
array sums i4 4 32 4096 8
step 0 3 {"#" * 64}
set 0 0 0=1.5 1=2.25 2=-12345.67*62
set 0 1 0=7*64
access 0 0 w 0 4 0=0~128*32
access 0 0 r global 4 0=4096~64*32
values 0 0 0=1.5 32=2.25
values 0 1 0=1~1*8
step 0 4 {"#" * 64}
step 0 4 {"#" * 32 + "-" * 32}
cut 0
"""
DEMO = Run("index.html", "part/demo", says="Same as recorded")
RECORDED = {"arguments": "", "lines": ["rate ~3.91 TB/s", "sum  10"], "status": 0}
OTHER = {"arguments": "--n 6", "lines": ["sum  11"], "status": 0}
PRINTED = "rate    ~4.20 TB/s\nsum  10\n"


@pytest.fixture
def page(site, browser):
    """Makes a site of a page with one program; returns what the checks find in it."""

    def make(
        program: bytes,
        run: Run | None = DEMO,
        steps: bytes = b"",
        script: str = "",
        inspect=lambda page: [],
        card: str = CARD,
        **told,
    ) -> list[str]:
        folder = site(head=HEAD + script, index=card)
        shutil.copytree(STATIC, folder / "_static", dirs_exist_ok=True)
        assets.put(folder / "_static")
        (folder / "_emulator").mkdir(exist_ok=True)
        (folder / "_emulator/demo.wasm").write_bytes(program)
        (folder / "_emulator/demo.steps.wasm").write_bytes(steps)
        names = {"name": "demo", "wasm": "demo.wasm", "steps": "demo.steps.wasm", "recorded": [RECORDED]}
        (folder / "_emulator/demo.json").write_text(json.dumps({**names, "varies": [], "unordered": False} | told))
        with serve(folder) as base:
            if run is None:
                return emulator_browser.every_program(browser, base, folder)
            return emulator_browser.findings(browser, base, folder, inspect, (run,))

    return make


def saying(text: str, **more) -> Run:
    return Run("index.html", "part/demo", says=text, **more)


def test_a_program_that_prints_what_was_recorded_passes(page):
    assert page(module((1, PRINTED)), inspect=checks.accessibility) == []


def test_a_line_that_differs_is_counted_and_shown_with_the_recorded_one(page):
    program = module((1, PRINTED.replace("10", "11")))
    assert page(program, saying("1 line differs")) == []
    assert page(program, saying("≠ recorded: sum  10")) == []


def test_output_that_is_not_the_expected_one_is_found(page):
    [first, *_] = page(module((1, "rate ~4.20 TB/s\nsum  11\n")))
    assert 'does not say "Same as recorded" but "1 line differs' in first


def test_measured_numbers_are_never_shown(page):
    assert page(module((1, PRINTED)), saying("rate    ~… TB/s")) == []


def test_remark_of_the_emulator_is_no_line_of_the_program(page):
    program = module((2, "emulator: a race\n"), (1, PRINTED))
    assert page(program, saying("Same as recorded on the GPU. The emulator made 1 remark.")) == []


def test_mistake_that_the_emulator_should_find_is_told(page):
    program = module((2, "emulator: k: a race\n"), (1, "sum  11\n"), end="status 3")
    assert page(program, saying("The emulator found the mistake."), recorded=[RECORDED | {"finds": "a race"}]) == []
    assert page(program, saying("Ended with status 3."), recorded=[RECORDED | {"finds": "a deadlock"}]) == []


@pytest.mark.parametrize(
    ("end", "said"),
    [("status 3", "Ended with status 3."), ("trap", "The program stopped: unreachable.")],
)
def test_end_of_a_program_is_told(page, end, said):
    assert page(module((1, PRINTED), end=end), saying(said)) == []


def test_other_arguments_are_not_compared(page):
    said = "Ended. On the GPU it was recorded with no arguments."
    assert page(module((1, "x\n")), saying(said, arguments="--n 5")) == []
    said = said.replace("no arguments", "no arguments, or with --n 6")
    assert page(module((1, "x\n")), saying(said, arguments="--n 5"), recorded=[RECORDED, OTHER]) == []


def test_each_recorded_run_is_compared_with_its_own_recording(page):
    program = module((1, "sum  11\n"))
    told = {"recorded": [RECORDED, OTHER]}
    assert page(program, saying("Same as recorded", arguments="--n  6"), **told) == []
    assert page(program, saying("2 lines differ"), **told) == []
    assert page(program, run=None, **told) == ['demo: prints "sum  11", recorded: "rate ~3.91 TB/s"']
    found = page(module((1, PRINTED)), run=None, **told)
    assert found == ['demo --n 6: prints "rate    ~4.20 TB/s", recorded: "sum  11"']


def test_only_the_first_run_must_be_small_enough_for_a_browser(page):
    large = module((2, "emulator: k: needs more than the 9 threads\n"), end="status 3")
    [found] = page(large, run=None, recorded=[RECORDED, OTHER])
    assert found.startswith('demo: ends with {"status":3}')


def test_arguments_of_all_recorded_runs_are_offered(page):
    offered = []

    def options(page):
        offered.append(
            page.evaluate("[...document.querySelector('[name=arguments]').list.options].map((o) => o.value)")
        )
        return []

    card = CARD.replace('data-arguments=""', 'data-arguments="&#10;--n 6&#10;--n 7"')
    assert page(module((1, PRINTED)), inspect=options, card=card) == []
    assert offered[0] == ["--n 6", "--n 7"]


def test_what_does_not_load_is_told(page):
    found = page(module((1, "x\n")), wasm="gone.wasm")
    assert any("The program could not be loaded" in text for text in found)


def test_what_is_no_module_is_told(page):
    [first, *_] = page(b"text")
    assert 'but "This browser cannot run it: ' in first


def test_endless_program_stops(page):
    assert page(module((1, "x\n"), end="endless"), saying("", endless=True)) == []


def test_program_that_cannot_be_stopped_is_found(page):
    ignore = "<script>AbortController.prototype.abort = () => {}</script>"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(emulator_browser, "RUN_WAIT_MS", 500)
        found = page(module((1, "x\n"), end="endless"), saying("", endless=True), script=ignore)
    assert any("waits without end" in text for text in found)


def test_steps_are_shown(page):
    steps = module((3, TRACE), (1, PRINTED))
    assert page(module((1, PRINTED)), saying("Same", steps=True), steps, inspect=checks.accessibility) == []


def test_values_and_shared_arrays_are_shown(page):
    steps = module((3, VALUES), (1, PRINTED))
    seen = []

    def look(page):
        found = checks.accessibility(page)
        if page.locator(".lockstep-steps").count():
            page.locator(".lockstep-steps [type=range]").press("Home")
            text = page.locator(".lockstep-steps").inner_text()
            cells = page.locator(".variables tr").first.locator("td").all_inner_texts()
            first = page.locator(".words i").first.get_attribute("class")
            marks = [page.locator(f".words i.{state}").count() for state in ("written", "clash", "held")]
            seen.append((text, cells, first, marks))
            page.get_by_label("values").first.check()
            seen.append(page.locator(".array").first.locator("td.written").first.inner_text())
            page.locator(".lockstep-steps [type=range]").press("End")
            found += checks.accessibility(page)
        return found

    assert page(module((1, PRINTED)), saying("Same", steps=True, values=True), steps, inspect=look) == []
    (text, cells, first, marks), in_table, (_, phone, *_), _ = seen
    assert "line 3: 64 of 64 threads active, in 2 warps, a bank conflict: 32 wavefronts" in text
    assert "here block 0; the first 3 steps" in text
    assert cells == ["1.5", "2.25", *["-12345.67"] * 6] and phone == cells[:4]
    assert "step 7 in all lanes" in " ".join(text.split()) and "later" not in text
    assert "writes tile: 32 lanes, 32 wavefronts: a bank conflict" in text
    assert "reads global memory: 32 lanes of 4 bytes, 32 sectors; 4 would hold them" in text
    assert "tile[32][32]" in text and "sums[8]" in text
    assert (first, marks, in_table) == ("written clash held", [32, 32, 2], "1.5")


def test_steps_wider_than_their_card_are_found(page):
    steps = module((3, VALUES), (1, PRINTED))
    wide = "<style>.lockstep-steps .source { overflow: auto !important } .source code { white-space: pre !important }</style>"
    found = page(module((1, PRINTED)), saying("Same", steps=True, values=True), steps, script=wide)
    assert found and all("has steps that are wider than their card: " in text for text in found)


def test_steps_without_values_are_found(page):
    steps = module((3, TRACE), (1, PRINTED))
    assert page(module((1, PRINTED)), saying("Same", steps=True, values=True), steps) == [
        "index.html: part/demo: shows no value of a variable"
    ]


def test_missing_steps_are_found(page):
    found = page(module((1, PRINTED)), saying("Same", steps=True), module((1, PRINTED)))
    assert any("shows no steps: Same as recorded on the GPU. No kernel ran" in text for text in found)


def test_faint_output_is_found(page):
    faint = "<style>.lockstep-emulated pre { color: #ccc !important; background: #fff !important }</style>"
    found = page(module((1, PRINTED)), script=faint, inspect=checks.accessibility)
    assert any("axe color-contrast" in text for text in found)


def test_programs_are_all_run(page):
    race = module((2, "emulator: k: a race\n"))
    assert page(module((1, PRINTED)), run=None) == []
    planted = {"recorded": [RECORDED | {"finds": "a race"}]}
    assert page(race, run=None, **planted) == []
    assert page(module((1, PRINTED)), run=None, **planted) == ["demo: does not find: a race"]
    assert page(module((1, "rate ~1 TB/s\nsum 9\n")), run=None) == ['demo: prints "sum 9", recorded: "sum  10"']
    assert page(module((1, PRINTED), end="status 3"), run=None) == [
        'demo: ends with {"status":3}, after: rate    ~4.20 TB/s / sum  10'
    ]


def test_program_that_takes_too_long_is_found(page):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(emulator_browser, "LONGEST_S", 0)
        [found] = page(module((1, PRINTED)), run=None)
    assert found.startswith("demo: takes 0.") and found.endswith(" s, more than 0")


def test_the_shortest_of_several_runs_counts(tmp_path):
    asked: list[list[str]] = []

    class Page:
        runs = iter([[("a", 7.0, ""), ("b --n 1", 8.0, ""), ("c", 1.0, "")], [("a", 5.0, ""), ("b --n 1", 9.0, "")]])

        def goto(self, base):
            pass

        def evaluate(self, script, names):
            asked.append(names)
            return next(self.runs, [("b --n 1", 7.5, "")])

        def close(self):
            pass

    (tmp_path / "_emulator").mkdir()
    for name in "abc":
        (tmp_path / "_emulator" / f"{name}.json").touch()
    found = emulator_browser.every_program(SimpleNamespace(new_page=Page), "", tmp_path)
    assert found == ["b: takes 7.5 s, more than 6"]
    assert asked == [["a.json", "b.json", "c.json"], ["a.json", "b.json"], ["b.json"]]


def test_site_without_programs_has_nothing_to_check(browser, tmp_path):
    assert emulator_browser.findings(browser, "", tmp_path, checks.accessibility) == []


# ---------------------------------------------------------------------------------------------------------------------
# The scripts' own functions


@pytest.fixture
def call(site, browser):
    """Calls a function that one of the emulator's scripts exports."""
    folder = site(index="")
    shutil.copytree(assets.FOLDER / "emulator", folder, dirs_exist_ok=True)
    with serve(folder) as base:
        tab = browser.new_page()
        tab.goto(base)
        script = "async ([file, name, values]) => (await import(`/${file}.js`))[name](...values)"
        yield lambda file, name, *values: tab.evaluate(script, [file, name, values])
        tab.close()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", []),
        ("  --n  5 ", ["--n", "5"]),
        ("--name 'a b' --x=\"c  d\"", ["--name", "a b", "--x=c  d"]),
        ("''", [""]),
    ],
)
def test_arguments_are_split_as_a_shell_does(call, typed, words):
    assert call("run", "words", typed) == words


LINES = ["rate   ~3.91 TB/s  ", "at 0x7ffe", "~1e-5 s, ~-2.5", "plain"]
OTHERS = ["rate ~12 TB/s", "at 0x0", "~2.5e3 s, ~7", "Plain"]


@pytest.mark.parametrize("unordered", [False, True])
def test_scripts_and_recorder_find_the_same_differences(call, unordered):
    rules = transcripts.Transcript([], varies=[("0x[0-9a-f]+", "addresses")], unordered="yes" if unordered else "")
    others = OTHERS[::-1] if unordered else OTHERS
    old, new = transcripts._comparable(LINES, rules), transcripts._comparable(others, rules)
    assert len(set(old) ^ set(new)) == 2
    found = call("run", "differences", others, LINES, ["0x[0-9a-f]+"], unordered)
    assert [f["recorded"] for f in found if f.get("recorded")] == ["plain"]
    assert [others[f["line"]] for f in found if f.get("line") is not None] == ["Plain"]


def test_missing_and_further_lines_differ(call):
    assert call("run", "differences", ["a"], ["a", "b"]) == [{"line": None, "recorded": "b"}]
    assert call("run", "differences", ["a", "b"], ["a"]) == [{"line": 1, "recorded": None}]


def test_trace_is_read_by_launch_and_block(call):
    again = TRACE + "kernel sum<int, 4> 1 40\nstep 0 3 " + "#" * 40 + "\n"
    found = call("trace", "parse", again)
    assert [(b["launch"], b["block"], len(b["steps"])) for b in found["blocks"]] == [(1, 0, 4), (2, 0, 1)]
    assert [b["kernel"] for b in found["blocks"]] == [["k", "1", "40"], ["sum<int, 4>", "1", "40"]]
    assert found["blocks"][0]["steps"][2]["event"] == "barrier released"


@pytest.mark.parametrize(
    ("lanes", "said"),
    [
        ("#" * 16 + "." * 16 + "-" * 32, "line 7: 16 of 32 lanes active in warp 0, 32 ended"),
        ("#" * 33 + "|" * 31, "line 7: 33 of 64 threads active, in 2 warps, 31 at a barrier"),
        ("w" * 8, "line 7: no thread active, 8 in a warp operation"),
    ],
)
def test_step_in_words(call, lanes, said):
    assert call("trace", "describe", {"line": 7, "lanes": lanes, "event": ""}) == said


@pytest.mark.parametrize(
    ("packed", "pairs"),
    [
        ("", []),
        ("3=7", [[3, "7"]]),
        ("3=7~-2*3 9=1e+20*2", [[3, "7"], [4, "5"], [5, "3"], [9, "1e+20"], [10, "1e+20"]]),
        ("0=9007199254740993~1*2", [[0, "9007199254740993"], [1, "9007199254740994"]]),
    ],
)
def test_lists_are_unpacked(call, packed, pairs):
    assert call("trace", "unpack", packed) == pairs


@pytest.mark.parametrize(
    ("addresses", "size", "wavefronts", "least"),
    [
        ([4 * lane for lane in range(32)], 4, 1, 1),
        ([128 * lane for lane in range(32)], 4, 32, 1),
        ([132 * lane for lane in range(32)], 4, 1, 1),
        ([8 * lane for lane in range(32)], 4, 2, 1),
        ([0] * 32, 4, 1, 1),  # a broadcast
        ([16 * lane for lane in range(32)], 16, 4, 4),  # of 512 bytes
        ([64 * lane for lane in range(32)], 8, 16, 2),
        ([lane for lane in range(32)], 1, 1, 1),
    ],
)
def test_wavefronts_are_those_of_the_fullest_bank(call, addresses, size, wavefronts, least):
    found = call("trace", "wavefronts", addresses, size)
    assert (found["count"], found["least"]) == (wavefronts, least)


@pytest.mark.parametrize(
    ("addresses", "size", "sectors", "least"),
    [
        ([4 * lane for lane in range(32)], 4, 4, 4),
        ([4 + 4 * lane for lane in range(32)], 4, 5, 4),
        ([128 * lane for lane in range(32)], 4, 32, 4),
        ([64] * 32, 4, 1, 1),
    ],
)
def test_sectors_of_an_access(call, addresses, size, sectors, least):
    found = call("trace", "sectors", addresses, size)
    assert (found["count"], found["least"]) == (sectors, least)


@pytest.mark.parametrize(
    ("value", "kind", "shown"),
    [
        (None, "f4", ""),
        ("0.3333333", "f4", "0.3333333"),
        ("-1.234568e+20", "f4", "-1.234568e20"),
        ("-nan", "f4", "-nan"),
        ("1234567", "i4", "1234567"),
        ("1", "b1", "true"),
    ],
)
def test_values_are_spelled(call, value, kind, shown):
    assert call("trace", "spelled", value, kind) == shown


# ---------------------------------------------------------------------------------------------------------------------
# From disk


def test_copy_on_disk_runs_and_steps(page, tmp_path, browser):
    program = module((3, TRACE), (1, PRINTED))
    assert page(module((1, PRINTED)), steps=program) == []
    offline.make(tmp_path, tmp_path / "copy.zip")
    with zipfile.ZipFile(tmp_path / "copy.zip") as archive:
        archive.extractall(tmp_path / "copy")
    copy = tmp_path / "copy" / offline.TOP
    assert not list(copy.rglob("*.wasm")) and not list(copy.rglob("*.json"))
    base = f"{copy.as_uri()}/"
    assert emulator_browser.says(browser, base, DEMO, lambda page: []) == []
    assert emulator_browser.steps_show(browser, base, DEMO, lambda page: []) == []
    (copy / "_emulator/demo.wasm.js").unlink()
    found = emulator_browser.says(browser, base, DEMO, lambda page: [])
    assert any("cannot load the program" in text for text in found)


def test_site_on_disk_that_is_no_copy_says_what_to_do(page, tmp_path, browser):
    page(module((1, PRINTED)))
    found = emulator_browser.says(browser, f"{tmp_path.as_uri()}/", DEMO, lambda page: [])
    assert any(
        "A page opened from disk cannot load the program; use `make serve` or `make offline`." in t for t in found
    )
