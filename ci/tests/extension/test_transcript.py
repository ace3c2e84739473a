"""`transcript` shows what was recorded, where and when, and refuses what is not fit to be shown."""

from dataclasses import replace

import pytest

from lockstep.programs import cmake_lists
from lockstep.recordings import filters, keys, series, transcripts
from lockstep.recordings.session import Command
from lockstep_sphinx.transcript import transcript

ALL = ".. transcript:: part/demo/demo"


def test_recorded_run_is_shown_with_its_provenance(build):
    html, warnings = build(ALL)
    assert '<span class="gp">$ </span>./demo\n' in html
    assert "<summary>Recorded 2026-11-21 on NVIDIA H200</summary>" in html
    assert "GPU: NVIDIA H200 (compute capability 9.0)" in html and "driver: 580.1" in html
    assert warnings == ""


def test_measured_numbers_are_marked_and_text_is_escaped(build):
    html, _ = build(ALL)
    assert '<span class="measured">~3.91</span> TB/s' in html
    assert "name   &lt;one&gt;" in html


def test_what_may_differ_is_said_where_it_is_shown(site):
    site.write(
        "demo.console",
        "# varies: 0x[0-9a-f]+ -- addresses differ\n# varies: ^id -- so do numbers\n\n$ ./demo\n$ ./demo --n 5\n",
    )
    program = cmake_lists.programs(site.root)["part/demo/demo"]
    rules = transcripts.parse(program.console.read_text())
    ran = [Command("./demo", ["at 0x7f"]), Command("./demo --n 5", ["id 3"])]
    known = {
        "gpu": "NVIDIA H200 (compute capability 9.0)",
        "driver": "580.1",
        "toolkit": "13.0",
        "host compiler": "g++ 12.2",
    }
    known |= {"date": "2026-11-21", "build": "compile -O3; link"}
    program.console.write_text(transcripts.serialize(keys.sealed(program, replace(rules, commands=ran), known)))
    both, _ = site.build(ALL)
    assert "May differ: addresses differ." in both and "May differ: so do numbers." in both
    one, _ = site.build(ALL + "\n   :command: ./demo")
    assert "May differ: addresses differ." in one and "so do numbers" not in one


def test_filtered_output_says_so_and_leads_to_the_whole(site):
    site.write("demo.console", "# keep: ^name\n$ ./demo\n")
    program = cmake_lists.programs(site.root)["part/demo/demo"]
    whole = Command("./demo", ["name one", "number 2"])
    filters.whole_file(program.console).write_bytes(filters.pack([whole]))
    wish = transcripts.parse(program.console.read_text())
    shown = replace(wish, commands=[replace(wish.commands[0], output=["name one"])])
    digest = series.digest(filters.whole_file(program.console))
    shown = replace(shown, data={filters.whole_file(program.console).name: digest})
    known = {"gpu": "NVIDIA H200", "driver": "580.1", "toolkit": "13.0", "host compiler": "g++ 12.2"}
    known |= {"date": "2026-11-21", "build": "compile -O3; link"}
    program.console.write_text(transcripts.serialize(keys.sealed(program, shown, known)))
    built = site.build(ALL)
    assert "name one" in built.html and "number 2" not in built.html
    assert '<a href="../_downloads/programs/part/demo/demo.output.txt">the whole output</a>' in built.html
    assert built.page("_downloads/programs/part/demo/demo.output.txt") == "$ ./demo\nname one\nnumber 2\n"
    assert built.warnings == ""


@pytest.mark.parametrize(
    ("width", "told"), [(40, True), (transcript.MOST_COLUMNS, True), (transcript.MOST_COLUMNS + 1, False)]
)
def test_an_output_tells_its_columns_if_a_phone_can_show_them(width, told):
    html = transcript.terminal([Command("./demo", ["short", "x" * width])])
    assert (f'<span class="go" style="--columns:{width}">' in html) == told
    assert told or '<span class="go">' in html


def test_exit_status_is_shown_where_it_is_not_0(build):
    assert build(ALL).html.count("[exit status 1]") == 1


def test_one_command_can_be_picked(build):
    html, warnings = build(ALL + "\n   :command: ./demo --n 5")
    assert "./demo --n 5" in html and "3.91" not in html
    assert warnings == ""


def test_several_commands_can_be_picked(build):
    html, _ = build(ALL + "\n   :command: ./demo --n 5\n             ./demo")
    assert html.index("./demo --n 5\n") < html.index("</span>./demo\n")


def test_unknown_command_is_a_warning_that_lists_the_known(build):
    _, warnings = build(ALL + "\n   :command: ./demo --n 6")
    assert "has no command\n  $ ./demo --n 6\nit has\n  $ ./demo\n  $ ./demo --n 5" in warnings


def test_missing_transcript_is_a_warning(site):
    html, warnings = site.build(ALL)
    assert 'demo was never recorded; on a GPU machine run "make record PROGRAM=demo"' in warnings
    assert "lockstep-stale" in html


def test_stale_transcript_is_a_warning(build, site):
    site.write("demo.cu", "// Other.\nint main() { return 1; }\n")
    assert "stale: demo.cu and lockstep/check.hpp changed since it was recorded" in build(ALL).warnings


def test_edited_output_is_a_warning(build, site):
    console = site.programs / "demo.console"
    console.write_text(console.read_text().replace("3.91", "9.13"))
    assert "its output or provenance was edited by hand" in build(ALL).warnings


def test_commands_without_output_are_a_warning(site):
    site.write("demo.console", "$ ./demo\n")
    assert "holds commands but no recorded output" in site.build(ALL).warnings


def test_unreadable_transcript_is_a_warning(site):
    site.write("demo.console", "# nonsense\n$ ./demo\n")
    assert "demo.console:1: " in site.build(ALL).warnings


def test_drafts_show_the_trouble_without_a_warning(build, site):
    site.write("demo.cu", "// Other.\nint main() { return 1; }\n")
    html, warnings = build(ALL, lockstep_allow_stale=True)
    assert 'class="lockstep-stale"' in html and "stale: demo.cu and" in html
    assert warnings == ""


def test_undeclared_output_never_passes_for_recorded_and_declared_gaps_show_their_reason(site):
    site.declare('lockstep_program(demo UNRECORDED "needs two Grace CPUs")')
    html, warnings = site.build(ALL)
    assert "Not recorded: needs two Grace CPUs" in html
    assert warnings == ""


def test_page_is_read_again_when_the_recording_changes(build, site):
    build(ALL)
    site.record(Command("./demo", ["rate   ~4.20 TB/s"]))
    assert "4.20" in build(fresh=False).html


def test_page_is_stale_when_a_header_changes(build, site):
    build(ALL)
    header = site.root / "programs/include/lockstep/check.hpp"
    header.write_text(header.read_text().replace("77", "78"))
    assert "stale: lockstep/check.hpp changed" in build(fresh=False).warnings


def test_page_is_read_again_when_the_first_recording_appears(site):
    site.build(ALL)
    site.record(Command("./demo", ["rate   ~4.20 TB/s"]))
    html, warnings = site.build(fresh=False)
    assert "4.20" in html and warnings == ""


def test_nothing_is_written_again_for_nothing(site):
    site.page("part/programs.rst", "Programs\n========\n\n.. program-index:: chapter\n")
    built = site.build(ALL, lockstep_allow_stale=True)
    pages = [built.out / name for name in ("part/demo.html", "part/programs.html", "programs/part/demo/demo.html")]
    before = [page.stat().st_mtime_ns for page in pages]
    site.build(fresh=False, lockstep_allow_stale=True)
    assert [page.stat().st_mtime_ns for page in pages] == before
