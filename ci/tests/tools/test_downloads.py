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
    for name, text in (("download.cu", download), ("original.cu", original)):
        (folder / name).write_text(text, encoding="utf-8")
    check.compare(folder / "download.cu", folder / "original.cu")


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
        check.check_one(program, True) == "part/demo: needs the CUDA toolkit 99.0; run: python3 ci toolkit cuda-newer"
    )
