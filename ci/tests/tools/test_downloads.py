"""Single-file downloads: a program with the headers that it includes, whole, before it."""

import re

import pytest

from lockstep.files import ROOT
from lockstep.programs import declarations, downloads, sources
from lockstep.programs.declarations import Program

EXERCISE = """// What?

#include <lockstep/check.hpp>

int main() {
    // [task]
    lockstep::check(cudaSuccess);
    //= given
    //| lockstep::check(cudaErrorInvalidValue);
    // [/task]
}
"""


def program(root, text: str, name: str = "demo", **declared) -> Program:
    """A program of this text in a project with the real headers."""
    folder = root / "programs/part"
    folder.mkdir(parents=True, exist_ok=True)
    if not (root / "programs/include").exists():
        (root / "programs/include").symlink_to(ROOT / "programs/include")
    (folder / f"{name}.cu").write_text(text, encoding="utf-8")
    return Program(name, "part", root, 1, **declared)


def test_first_lines_say_what_it_is_how_to_build_it_and_its_license(tmp_path):
    one = program(tmp_path, "// What?\nint main() {}\n", libs=("CUDA::cublas",))
    lines = downloads.files(one)["demo.cu"].splitlines()
    assert lines[0] == f"// demo.cu, a program of Lockstep {downloads.version()}: part"
    assert lines[1] == "// Build: nvcc demo.cu -o demo -lcublas"
    assert lines[2] == "// SPDX-License-Identifier: BSD-3-Clause"


def test_address_of_the_site_is_named_where_it_has_one(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCKSTEP_URL", "https://example.org/site/")
    first = downloads.files(program(tmp_path, "// What?\n"))["demo.cu"].splitlines()[0]
    assert first.endswith(": https://example.org/site/part.html")


def test_headers_stand_whole_and_in_order_before_the_program_as_it_is(tmp_path):
    own = "\n// [body]\nint main() { lockstep::device_buffer<int> d_x(1); }\n// [/body]\n"
    text = downloads.files(program(tmp_path, f"// What?\n\n#include <lockstep/device_buffer.hpp>\n{own}"))["demo.cu"]
    helpers = text[text.index(downloads.HELPERS) : text.index(downloads.PROGRAM)]
    for name in ("check", "device_buffer"):
        header = (ROOT / f"programs/include/lockstep/{name}.hpp").read_text(encoding="utf-8")
        without = re.sub(r"#pragma once\n|#include <lockstep/.*\n", "", header)
        assert all(line in helpers for line in without.splitlines())
    assert helpers.index("void check(") < helpers.index("class device_buffer")
    assert text.endswith(f"// What?\n{own}")
    assert not sources.HEADER.search(text) and "#pragma once" not in text


def test_each_header_stands_there_once(tmp_path):
    both = "#include <lockstep/check.hpp>\n#include <lockstep/device_buffer.hpp>\n"
    assert (
        downloads.files(program(tmp_path, f"// What?\n{both}"))["demo.cu"].count("inline void check(cudaError_t") == 1
    )


def test_missing_header_is_one_clear_error(tmp_path):
    with pytest.raises(sources.SourceError, match=r"gone\.hpp: no such header"):
        downloads.files(program(tmp_path, "// What?\n#include <lockstep/gone.hpp>\n"))


def test_macro_before_a_header_is_refused_since_it_would_come_too_late(tmp_path):
    with pytest.raises(sources.SourceError, match=r"demo\.cu: defines LATE before it includes a header"):
        downloads.files(program(tmp_path, "// What?\n#define LATE 1\n#include <lockstep/check.hpp>\n"))


def test_starter_says_in_which_line_the_part_of_the_learner_begins(tmp_path):
    made = downloads.files(program(tmp_path, EXERCISE, exercise=True))
    assert list(made) == ["demo.cu", "demo_starter.cu"]
    lines = made["demo_starter.cu"].splitlines()
    begins = int(re.search(r"begins in line (\d+)", lines[3])[1])
    assert lines[begins - 1].strip() == "// ---- your part begins"
    assert "cudaErrorInvalidValue" in lines[begins] and "cudaErrorInvalidValue" not in made["demo.cu"]
    assert lines[1] == "// Build: nvcc demo_starter.cu -o demo"


def test_file_that_no_sources_name_stands_in_the_place_of_its_include(tmp_path):
    one = program(tmp_path, '// What?\n\n#include "near.cuh"\n\nint main() { return more(0); }\n')
    (one.directory / "near.cuh").write_text("#pragma once\n#include <lockstep/check.hpp>\n\nint more(int n);\n")
    made = downloads.files(one)
    assert list(made) == ["demo.cu"]
    assert "int more(int n);\n\nint main()" in made["demo.cu"] and "void check(" in made["demo.cu"]
    assert "near.cuh" not in made["demo.cu"]


def test_several_sources_are_several_files_and_each_unit_has_its_helpers(tmp_path):
    one = program(tmp_path, '// What?\n#include "near.cuh"\nint main() {}\n', sources=("near.cuh", "other.cu"))
    (one.directory / "near.cuh").write_text("#pragma once\n#include <lockstep/check.hpp>\n")
    (one.directory / "other.cu").write_text('#include "near.cuh"\n')
    made = downloads.files(one)
    assert list(made) == ["demo.cu", "near.cuh", "other.cu"]
    assert ["void check(" in made[name] for name in made] == [True, False, True]
    assert made["demo.cu"].splitlines()[1] == "// Build: nvcc demo.cu other.cu -o demo"


def test_script_beside_a_program_is_a_file_with_comments_of_python(tmp_path):
    one = program(tmp_path, "// What?\nint main() {}\n", sources=("call.py",))
    (one.directory / "call.py").write_text("print(7 // 2)\n")
    made = downloads.files(one)
    assert list(made) == ["demo.cu", "call.py"]
    assert [line[:2] for line in made["call.py"].splitlines()] == ["# ", "# ", "", "pr"]
    assert made["demo.cu"].splitlines()[1] == "// Build: nvcc demo.cu -o demo"


@pytest.mark.content
def test_every_program_has_a_download():
    for one in declarations.load(ROOT).values():
        for name, text in downloads.files(one).items():
            assert text.startswith(f"{'#' if sources.is_script(name) else '//'} {name}, a program")
