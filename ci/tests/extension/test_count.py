"""Counts on pages are computed."""

from lockstep.recordings.session import Command


def test_counts_are_of_what_is_there(site):
    site.declare("lockstep_program(demo)", "lockstep_program(other)")
    site.write("other.cu", "int main() {}\n")
    site.record(Command("./demo", ["ok"]))
    text = ":count:`programs` programs, :count:`exercises` exercises, :count:`transcripts` transcript, :count:`pages` pages"
    html, warnings = site.build(text)
    assert ">2</span> programs, <span>0</span> exercises, <span>1</span> transcript, <span>2</span> pages" in html
    assert warnings == ""


def test_count_of_something_else_is_a_warning(site):
    site.record(Command("./demo", ["ok"]))
    assert (
        "demo.rst:4: WARNING: no count of lines; there are programs, exercises" in site.build(":count:`lines`").warnings
    )


def test_programs_without_a_gpu_are_counted(site):
    site.declare("lockstep_program(demo)", 'lockstep_program(other NO_BROWSER "uses threads of the host")')
    site.write("other.cu", "int main() {}\n")
    site.record(Command("./demo", ["ok"]))
    html, warnings = site.build(":count:`emulated` in a terminal, :count:`in_browser` in a browser")
    assert ">2</span> in a terminal, <span>1</span> in a browser" in html
    assert warnings == ""
