"""A download that is not its program is found, without compiling either."""

import shutil

import pytest

from lockstep.checks import downloads as check
from lockstep.files import ROOT
from lockstep.programs import downloads

pytestmark = pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is missing")
PROGRAM = '#include "lockstep/check.hpp"\nint main() { lockstep::check(cudaSuccess); }\n'


def compare(folder, download: str) -> None:
    for name, text in (("download.cu", download), ("original.cu", PROGRAM)):
        (folder / name).write_text(text)
    check.compare_one(folder / "download.cu", folder / "original.cu")


def test_a_program_whose_headers_are_written_out_passes(tmp_path):
    (tmp_path / "program.cu").write_text(PROGRAM)
    compare(tmp_path, downloads.bundle(tmp_path / "program.cu", ROOT))


def test_a_header_that_is_left_out_is_found(tmp_path):
    with pytest.raises(check.DownloadError, match="download.cu reads"):
        compare(tmp_path, PROGRAM.split("\n", 1)[1])


def test_a_header_that_is_not_written_out_is_found(tmp_path):
    with pytest.raises(check.DownloadError, match="lockstep/check.hpp"):
        compare(tmp_path, PROGRAM)


def test_a_line_that_fails_to_compile_is_shown_with_what_nvcc_said(tmp_path):
    with pytest.raises(check.DownloadError, match=r"\$ nvcc gone.cu\n.*gone.cu"):
        check.compile_one(str(tmp_path), "nvcc gone.cu")
