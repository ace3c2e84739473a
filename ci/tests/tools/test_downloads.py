"""A download that is not its program is found, without compiling either."""

import shutil

import pytest

from lockstep.checks import downloads as check
from lockstep.files import ROOT
from lockstep.programs import declarations, downloads

pytestmark = pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is missing")
PROGRAM = '#include "lockstep/check.hpp"\nint main() { lockstep::check(cudaSuccess); }\n'
REPORT = '#include "lockstep/report.hpp"\nint main() { lockstep::report("half", 0.5); }\n'


def compare(folder, download: str, original: str = PROGRAM) -> None:
    files = {"download.cu": download, "original/original.cu": original}
    files |= {f"original/{name}": text for name, text in downloads.headers(original, ROOT).items()}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    check.compare(folder / "download.cu", folder / "original/original.cu")


def test_a_program_with_the_excerpt_that_it_needs_passes(tmp_path):
    compare(tmp_path, downloads.bundle(PROGRAM, ROOT))


def test_a_helper_that_is_left_out_is_found(tmp_path):
    with pytest.raises(check.DownloadError, match="lockstep"):
        compare(tmp_path, PROGRAM.split("\n", 1)[1])


def test_a_header_that_is_not_written_out_is_found(tmp_path):
    with pytest.raises(check.DownloadError, match="lockstep/check.hpp"):
        compare(tmp_path, PROGRAM)


def test_a_call_that_means_another_overload_in_the_download_is_found(tmp_path):
    wrong = "namespace lockstep { inline void report(const char*, int) {} }\n" + REPORT.split("\n", 1)[1]
    with pytest.raises(check.DownloadError, match="only the program has .*lockstep::report"):
        compare(tmp_path, wrong, REPORT)


def test_a_line_that_fails_to_compile_is_shown_with_what_nvcc_said(tmp_path):
    with pytest.raises(check.DownloadError, match=r"\$ nvcc gone.cu\n.*gone.cu"):
        check.compile_one(str(tmp_path), "nvcc gone.cu")


def test_only_a_default_constructor_that_no_header_declares_is_implicit():
    assert check.implicit("lockstep::shared_flag::shared_flag()")
    assert not check.implicit("lockstep::stream::stream()")  # declared
    assert not check.implicit("lockstep::shared_flag::raise()")


def test_a_download_for_a_newer_toolkit_is_not_compiled_with_an_older_one(tmp_path, monkeypatch):
    monkeypatch.setattr(check.toolkit, "newer", lambda *_: None)
    (tmp_path / "programs/part").mkdir(parents=True)
    (tmp_path / "programs/part/demo.cu").write_text("int main() {}\n", encoding="utf-8")
    program = declarations.Program("demo", "part", tmp_path, 1, newer_toolkit="99.0", unrecorded="why")
    assert (
        check.check_one(program, True)
        == "part/demo: needs the CUDA toolkit 99.0; run: python3 ci setup toolkit cuda-newer"
    )


def test_each_download_that_passes_is_noted_at_once_if_all_of_it_was_checked(tmp_path, monkeypatch):
    noted: list[tuple[str, str]] = []
    wanted = [declarations.Program(name, "part", tmp_path, 1) for name in ("one", "two", "three")]
    monkeypatch.setattr(check, "compiler", str)
    monkeypatch.setattr(check, "check_one", lambda program, *_: "it fails" if program.name == "two" else "")
    monkeypatch.setattr(
        check.changes, "download_keys", lambda programs, _: {p.path: f"key of {p.name}" for p in programs}
    )
    monkeypatch.setattr(check.changes, "note_download", lambda _, path, key: noted.append((path, key)))
    found = check.checked(wanted, True, 1)
    assert next(found) == "" and noted == [("part/one", "key of one")], "before the others are done"
    assert list(found) == ["it fails", ""] and noted[1:] == [("part/three", "key of three")]
    assert list(check.checked(wanted, False, 1)) == ["", "it fails", ""] and len(noted) == 2


NEAR = "#pragma once\n// Adds.\n\n#include <cstddef>\n\n/// Adds one.\ninline std::size_t more(std::size_t n) { return n + 1; }\n"


def test_a_file_that_no_sources_name_becomes_part_of_the_download(tmp_path):
    folder = tmp_path / "programs/part"
    folder.mkdir(parents=True)
    (folder / "near.hpp").write_text(NEAR, encoding="utf-8")
    (folder / "demo.cu").write_text(
        '// What?\n\n#include <vector>\n\n#include "near.hpp"\n\nint main() { return more(0) != 1; }\n',
        encoding="utf-8",
    )
    program = declarations.Program("demo", "part", tmp_path, 1)
    made = downloads.files(program)
    assert list(made) == ["demo.cu"] and "near.hpp" in downloads.originals(program)
    assert made["demo.cu"].startswith(
        "// What?\n\n#include <cstddef>\n#include <vector>\n\n// Adds.\n/// Adds one.\ninline std::size_t more("
    )
    assert check.check_one(program, True, "") == ""
    offered = downloads.files(declarations.Program("demo", "part", tmp_path, 1, sources=("near.hpp",)))
    assert list(offered) == ["demo.cu", "near.hpp"] and '#include "near.hpp"' in offered["demo.cu"]


def test_a_starter_whose_helpers_stand_at_its_end_compiles_from_any_folder(tmp_path):
    lines = "".join(f"constexpr int number_{n} = {n};\n" for n in range(45))
    program = (
        f"// What?\n\n#include <lockstep/check.hpp>\n\n{lines}\n"
        f"int main() {{\n    // ---- your part begins\n    // ---- your part ends\n    lockstep::check(cudaSuccess);\n}}\n"
    )
    assert downloads.begins(downloads.bundle(program, ROOT)) >= downloads.LATE
    early = downloads.early(program, ROOT, "demo_starter.cu")
    assert downloads.begins(early) < downloads.LATE
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/demo_starter.cu").write_text(early, encoding="utf-8")
    check.compile_one(str(tmp_path), "nvcc elsewhere/demo_starter.cu -o demo")
