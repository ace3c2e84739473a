"""A card offers to run its program in the browser where the emulator's build has it, and only there."""

import json
import re
from pathlib import Path

import pytest

from lockstep.emulator import module_keys
from lockstep.programs import cmake_lists
from lockstep.recordings.session import Command

ROOT = Path(__file__).resolve().parents[3]
ABOUT = ("emulator.rst",)  # explains the emulator, wherever its programs run
CARD = ".. program-card:: part/demo/demo"
RUNS = {
    "wasm": "part.demo.demo.wasm",
    "bytes": 51234,
    "recorded": [{"arguments": '--n 5 --name "a b"', "lines": ["no"], "status": 1}],
    "varies": ["0x[0-9a-f]+"],
    "unordered": False,
}


@pytest.fixture
def manifest(site):
    """Writes the manifest and the modules that it names."""

    def write(path: str = "part/demo/demo", **entry) -> None:
        if "wasm" in entry:
            entry = {"key": module_keys.key(cmake_lists.programs(site.root)["part/demo/demo"])} | entry
        folder = site.root / "build" / "wasm"
        folder.mkdir(parents=True, exist_ok=True)
        for kind in ("wasm", "steps"):
            if kind in entry:
                (folder / entry[kind]).write_bytes(b"\0asm" + kind.encode())
        (folder / "manifest.json").write_text(json.dumps({"programs": {path: entry}}))

    return write


def test_without_a_manifest_nothing_shows(site):
    built = site.build(CARD)
    assert 'data-program="part/demo/demo">' in built.html and "emulator" not in built.html
    assert not (built.out / "_emulator").exists()


def test_card_of_a_program_that_runs_leads_to_what_the_script_needs(site, manifest):
    manifest(**RUNS)
    html, warnings = site.build(CARD)
    assert 'data-emulator="../_emulator/part.demo.demo.json"' in html and warnings == ""
    assert 'data-arguments="--n 5 --name &#34;a b&#34;" data-kilobytes="51">' in html


def test_module_and_description_are_in_the_site(site, manifest):
    manifest(**RUNS)
    built = site.build(CARD)
    told = json.loads(built.page("_emulator/part.demo.demo.json"))
    name, _, version = told["wasm"].partition("?v=")
    assert (built.out / "_emulator" / name).read_bytes() == b"\0asmwasm" and len(version) == 8
    assert told["name"] == "demo" and told["recorded"][0]["lines"] == ["no"] and told["varies"] == ["0x[0-9a-f]+"]
    assert "steps" not in told and "data-steps" not in built.html


def test_program_with_steps_offers_them(site, manifest):
    manifest(**RUNS, steps="part.demo.demo.steps.wasm")
    built = site.build(CARD)
    assert 'data-kilobytes="51" data-steps>' in built.html
    assert (built.out / "_emulator" / "part.demo.demo.steps.wasm").exists()


def test_program_that_lacks_something_says_so(site, manifest):
    manifest(lacks="cuBLAS")
    built = site.build(CARD)
    assert '<p class="lockstep-note">Does not run in the browser: cuBLAS.</p>' in built.html
    assert "data-emulator" not in built.html and not (built.out / "_emulator").exists()


def test_program_that_nobody_tried_says_why_where_others_run(site, manifest):
    site.declare("lockstep_program(demo MUST_NOT_COMPILE)", "lockstep_program(other)")
    site.write("other.cu", "// Other? Yes.\nint main() {}\n")
    assert "GPU only" not in site.build(CARD).html
    manifest("part/demo/other", lacks="cuBLAS")
    html = site.build(fresh=False).html
    assert "Does not run in the browser: it must not compile" in html and ">GPU only</span>" in html


def test_page_quotes_what_the_emulator_must_find(site_at):
    site = site_at("foundations/demo")
    site.declare('lockstep_program(demo EMULATOR_FINDS "deadlock: 1 thread waits < 2")')
    html, warnings = site.build("It says :emulator-finds:`demo`, or :emulator-finds:`foundations/demo/demo`.")
    assert html.count('<span class="pre">deadlock:</span> <span class="pre">1</span>') == 2 and "&lt;" in html
    assert warnings == ""


def test_quote_follows_the_declaration(site_at):
    site = site_at("foundations/demo")
    site.declare('lockstep_program(demo EMULATOR_FINDS "a race")')
    site.build("It says :emulator-finds:`demo`.")
    site.declare('lockstep_program(demo EMULATOR_FINDS "another")')
    assert '<span class="pre">another</span>' in site.build(fresh=False).html


@pytest.mark.parametrize(
    ("folder", "declared", "named", "message"),
    [
        ("foundations/demo", "", "demo", "demo does not declare EMULATOR_FINDS"),
        ("foundations/demo", "", "nothing", "no program is called nothing"),
        ("foundations/demo", 'EMULATOR_FINDS "a race" NO_EMULATION "why"', "demo", "or no emulator runs it"),
    ],
)
def test_quote_that_nothing_checks_is_a_warning(site_at, folder, declared, named, message):
    site = site_at(folder)
    site.declare(f"lockstep_program(demo {declared})")
    assert message in site.build(f"It says :emulator-finds:`{named}`.").warnings


def test_card_follows_the_manifest(site, manifest):
    site.build(CARD)
    manifest(**RUNS)
    assert 'data-arguments="--n 5 ' in site.build(fresh=False).html
    manifest(**RUNS | {"recorded": [{"arguments": "--n 7"}, {"arguments": '--name "a b"'}]})
    assert 'data-arguments="--n 7\n--name &#34;a b&#34;"' in site.build(fresh=False).html
    manifest(lacks="Thrust")
    built = site.build(fresh=False)
    assert "Thrust" in built.html and "data-emulator" not in built.html
    assert not (built.out / "_emulator").exists()


def test_new_module_gets_a_new_address_without_the_page(site, manifest):
    manifest(**RUNS)
    before = json.loads(site.build(CARD).page("_emulator/part.demo.demo.json"))
    (site.root / "build/wasm/part.demo.demo.wasm").write_bytes(b"\0asm other")
    after = json.loads(site.build(fresh=False).page("_emulator/part.demo.demo.json"))
    assert before["wasm"] != after["wasm"]


def test_card_survives_parallel_reading(site, manifest):
    for name in "abcdef":
        site.page(f"part/{name}.rst", f"{name}\n=\n\nText.\n")
    site.build(CARD, parallel=2)
    manifest(**RUNS)
    assert "data-emulator" in site.build(fresh=False, parallel=2).html


def test_missing_module_stops_the_build(site, manifest):
    from sphinx.errors import ExtensionError

    manifest(**RUNS)
    (site.root / "build/wasm/part.demo.demo.wasm").unlink()
    with pytest.raises(ExtensionError, match="part.demo.demo.wasm is named in the manifest and missing"):
        site.build(CARD)


OLD = "1 browser modules are older than their programs, such as part/demo/demo, and are left out"


def test_module_of_an_earlier_program_is_left_out(site, manifest):
    manifest(**RUNS)
    site.write("demo.cu", (site.programs / "demo.cu").read_text() + "// changed\n")
    built = site.build(CARD)
    assert OLD in built.warnings and "python3 ci emulate web" in built.warnings
    assert "data-emulator" not in built.html and not (built.out / "_emulator").exists()


def test_module_of_an_earlier_header_is_left_out(site, manifest):
    manifest(**RUNS)
    header = site.root / "programs/include/lockstep/check.hpp"
    header.write_text(header.read_text() + "// changed\n")
    assert OLD in site.build(CARD).warnings


def test_module_of_an_earlier_emulator_is_left_out(site, manifest):
    manifest(**RUNS)
    runtime = site.root / "programs/emulator/runtime/api.cpp"
    runtime.parent.mkdir(parents=True)
    runtime.write_text("// the runtime\n")
    assert OLD in site.build(CARD).warnings


def test_module_beside_a_newer_recording_is_left_out(site, manifest):
    manifest(**RUNS)
    site.record(Command("./demo", ["another line"]))
    built = site.build(CARD)
    assert OLD in built.warnings and "data-emulator" not in built.html


def test_module_without_a_key_is_left_out(site, manifest):
    manifest(**RUNS, key=None)
    assert OLD in site.build(CARD).warnings


def test_card_offers_to_run_again_when_the_module_was_made_again(site, manifest):
    manifest(**RUNS, key="old")
    assert "data-emulator" not in site.build(CARD).html
    manifest(**RUNS)
    html, warnings = site.build(fresh=False)
    assert "data-emulator" in html and warnings == ""


PROMISE = ".. browser::\n\n   Press *the* button.\n\n.. browser:: absent\n\n   No button here."


def test_page_promises_runs_only_where_some_program_runs(site, manifest):
    html, warnings = site.build(PROMISE)
    assert "No button here." in html and "Press" not in html and warnings == ""
    manifest(lacks="cuBLAS")
    assert "Press" not in site.build(fresh=False).html
    manifest(**RUNS)
    html, warnings = site.build(fresh=False)
    assert "Press <em>the</em> button." in html and "No button here." not in html and warnings == ""


def test_site_without_modules_promises_nothing_though_they_are_there(site, manifest):
    manifest(**RUNS)
    site.build(f"{CARD}\n\n{PROMISE}")
    built = site.build(fresh=False, lockstep_modules=False)
    assert "data-emulator" not in built.html and "No button here." in built.html
    assert not (built.out / "_emulator").exists()


def test_misspelt_promise_is_an_error(site):
    _, warnings = site.build(".. browser:: never\n\n   Text.")
    assert "browser takes nothing or absent, not never" in warnings


@pytest.mark.content
def test_pages_speak_of_the_button_only_where_it_is():
    for page in (ROOT / "docs").rglob("*.rst"):
        promised = False  # whether the line stands in `.. browser::`
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            if line and not line.startswith(" "):
                promised = line.startswith(".. browser::")
            found = re.search(r"\*Run\*|in your browser|in the browser", line)
            assert promised or not found or page.name in ABOUT, f"{page}:{number}: put it into .. browser::"
