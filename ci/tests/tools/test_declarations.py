"""CMake alone reads the declarations; the tools read what it wrote."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lockstep.files import ROOT
from lockstep.programs import cmake_lists, declarations, downloads

CI = Path(__file__).resolve().parents[2]


def load(project, line):
    project.list.write_text(line + "\n", encoding="utf-8")
    return cmake_lists.programs(project.root)["part/page/demo"]


def test_defaults(project):
    program = load(project, "lockstep_program(demo)")
    assert (program.path, program.min_cc, program.min_gpus, program.standard) == ("part/page/demo", None, 1, 17)
    assert (program.timeout, program.exercise, program.line) == (60, False, 1)


def test_every_argument_is_understood(project):
    program = load(
        project,
        "# a comment with (\nlockstep_program(demo MIN_CC 090 MIN_GPUS 2 SEPARABLE PLAIN LIBS CUDA::cudadevrt CUDA::cublas  # why\n"
        ' DATA a.csv PICTURES b.ppm c.pgm UNRECORDED "needs \\"Windows\\"; ü"  OPTIONS -DA=\\"x\\")',
    )
    assert (program.min_cc, program.min_gpus, program.line) == (90, 2, 2)
    assert program.separable and program.plain
    assert program.libs == ("CUDA::cudadevrt", "CUDA::cublas")
    assert program.data == ("a.csv",) and program.pictures == ("b.ppm", "c.pgm")
    assert program.recorded_files == ("a.csv", "b.png", "c.png")
    assert program.declared_build.count("picture=") == 2
    assert program.unrecorded == 'needs "Windows"; ü'
    assert program.options == ('-DA="x"',)


def test_a_newer_toolkit_is_a_version(project):
    program = load(project, 'lockstep_program(demo NEWER_TOOLKIT 13.1 UNRECORDED "the machine has an older driver")')
    assert program.newer_toolkit == "13.1" and "toolkit=13.1" in program.declared_build
    assert downloads.toolkit(program, "int main() {}") == "13.1"
    assert downloads.toolkit(load(project, "lockstep_program(demo)"), "int main() {}") != "13.1"
    assert "toolkit" not in load(project, "lockstep_program(demo)").declared_build


def test_variables_and_other_commands_in_a_list_are_cmakes_own(project):
    program = load(
        project,
        "set(gpus 2)\nset_source_files_properties(demo.cu PROPERTIES LANGUAGE CUDA)\nlockstep_program(demo MIN_GPUS ${gpus})",
    )
    assert (program.min_gpus, program.line) == (2, 3)


WHERE = "programs/part/page/CMakeLists.txt:"
MISTAKES = [
    ("lockstep_program(demo FAST)", WHERE + "1: unknown argument FAST; programs/ProgramKeywords.cmake lists them"),
    ("\n\nlockstep_program(demo MIN_CC)", WHERE + "3: MIN_CC needs a value"),
    ("lockstep_program(demo LIBS)", "LIBS needs a value"),
    ("lockstep_program(demo MIN_CC nine)", "MIN_CC takes a whole number, not nine"),
    ("lockstep_program(demo NEWER_TOOLKIT 13 UNRECORDED why)", "NEWER_TOOLKIT takes a version such as 13.1, not 13"),
    ("lockstep_program(demo NEWER_TOOLKIT 13.1)", "NEWER_TOOLKIT is for programs that are never run; add UNRECORDED"),
    ("lockstep_program(demo STANDARD 20)", "unknown argument STANDARD"),
    ("lockstep_program(demo UNRECORDED)", "UNRECORDED needs a reason; say why"),
    ('lockstep_program(demo UNRECORDED "")', "UNRECORDED needs a reason; say why"),
    ('lockstep_program(demo UNRECORDED " ")', "UNRECORDED needs a reason; say why"),
    ('lockstep_program(demo NO_EMULATION " ")', "NO_EMULATION needs a reason; say why"),
    ("lockstep_program(demo SKIP_SANITIZER racecheck)", "SKIP_SANITIZER needs a reason; add SKIP_REASON"),
    ('lockstep_program(demo SKIP_SANITIZER racecheck SKIP_REASON " ")', "SKIP_REASON needs a reason; say why"),
    (
        'lockstep_program(demo SKIP_SANITIZER race SKIP_REASON "none shared")',
        "race is no sanitizer; there are memcheck",
    ),
    ("lockstep_program(demo EXPECT_SANITIZER memchek)", "memchek is no sanitizer; there are memcheck"),
    ("lockstep_program(demo EXERCISE TOOLS speedcheck)", "TOOLS speedcheck: no such tool"),
    ("lockstep_program(gone)", "programs/part/page/gone.cu does not exist"),
    ("lockstep_program(demo SOURCES gone.cu)", "programs/part/page/gone.cu does not exist"),
    (
        "lockstep_program(demo)\nlockstep_program(demo)",
        WHERE + "2: demo is also declared in " + WHERE + "1; names are unique",
    ),
    ("lockstep_program(demo DATA a.csv a.csv)", "DATA a.csv is also declared"),
    ("lockstep_program(demo PICTURES)", "PICTURES needs a value"),
    ("lockstep_program(demo PICTURES a.png)", "PICTURES takes files such as rotated.ppm or rotated.pgm, not a.png"),
    (
        "lockstep_program(demo PICTURES ../a.ppm)",
        "PICTURES takes files such as rotated.ppm or rotated.pgm, not ../a.ppm",
    ),
    ("lockstep_program(demo PICTURES a.ppm a.pgm)", "PICTURES a.png is also declared"),
    ("lockstep_program()", WHERE + "1: "),
    ("lockstep_program(demo", WHERE + "1: Parse error"),
    ("lockstep_progam(demo)", WHERE + '1: Unknown CMake command "lockstep_progam"'),
]


@pytest.mark.parametrize(("line", "message"), MISTAKES)
def test_each_mistake_has_its_message(project, line, message):
    with pytest.raises(declarations.DeclarationError) as raised:
        load(project, line)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_mistake_is_one_line_and_no_traceback(project):
    project.list.write_text("lockstep_program(demo FAST)\n")
    for verb in ("record stale", "record run", "gpu-check program"):
        status, printed = project.lockstep(verb)
        assert status == 1
        assert (
            printed
            == f"{verb.partition(' ')[0]}: {WHERE}1: unknown argument FAST; programs/ProgramKeywords.cmake lists them\n"
        )


@pytest.mark.parametrize("folder", ["part/alone", "part/chapter/page"])
def test_a_folder_with_a_list_is_found(project, folder):
    cmake_lists.programs(project.root)
    other = project.root / "programs" / folder
    other.mkdir(parents=True)
    (other / "second.cu").write_text("int main() {}\n")
    (other / "CMakeLists.txt").write_text("lockstep_program(second)\n")
    assert f"{folder}/second" in cmake_lists.programs(project.root)


def test_data_files_of_one_name_in_two_folders_are_refused(project):
    other = project.root / "programs/part/other"
    other.mkdir()
    (other / "second.cu").write_text("int main() {}\n")
    (other / "CMakeLists.txt").write_text("lockstep_program(second DATA a.csv)\n")
    project.list.write_text("lockstep_program(demo DATA a.csv)\n")
    status, printed = project.lockstep("record stale")
    assert status == 1
    assert WHERE + "1: DATA a.csv is also declared in programs/part/other/CMakeLists.txt:1; " in printed


def test_what_is_written_is_used_until_a_list_changes(project):
    load(project, "lockstep_program(demo)")
    file = project.root / "build/declarations.json"
    before = file.stat().st_mtime_ns
    cmake_lists.programs(project.root)
    assert file.stat().st_mtime_ns == before
    project.list.write_text("lockstep_program(demo MIN_GPUS 2)\n")
    with pytest.raises(declarations.DeclarationError, match="not made from these CMake lists; run: make html"):
        declarations.load(project.root)
    assert cmake_lists.programs(project.root)["part/page/demo"].min_gpus == 2
    assert declarations.load(project.root)["part/page/demo"].min_gpus == 2


def test_a_broken_file_is_made_again(project):
    load(project, "lockstep_program(demo)")
    (project.root / "build/declarations.json").write_text('{"key":')
    assert list(cmake_lists.programs(project.root)) == ["part/page/demo"]


def test_a_mistake_leaves_the_file_alone(project):
    load(project, "lockstep_program(demo)")
    before = (project.root / "build/declarations.json").read_text()
    with pytest.raises(declarations.DeclarationError):
        load(project, "lockstep_program(demo FAST)")
    assert (project.root / "build/declarations.json").read_text() == before


def test_missing_cmake_is_one_line(project, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(declarations.DeclarationError, match="cmake is missing, which reads the declarations; install"):
        cmake_lists.programs(project.root)


def test_odd_names_of_folders_do_no_harm(tmp_path):
    root = tmp_path / "a b 'c' \"d\" ü"
    page = root / "programs/part/page"
    page.mkdir(parents=True)
    shutil.copy(ROOT / "programs/CMakeLists.txt", root / "programs")
    (page / "demo.cu").write_text("int main() {}\n")
    (page / "CMakeLists.txt").write_text("lockstep_program(demo MIN_GPUS 2)\n")
    assert cmake_lists.programs(root)["part/page/demo"].min_gpus == 2
    (page / "CMakeLists.txt").write_text("lockstep_program(demo FAST)\n")
    with pytest.raises(declarations.DeclarationError, match=f"^{WHERE}1: unknown argument FAST"):
        cmake_lists.programs(root)


def test_nothing_that_sphinx_imports_starts_a_process():
    code = (
        "import sys, lockstep_sphinx; "
        "print([n for n, m in sys.modules.items() if n.startswith('lockstep') and hasattr(m, 'subprocess')])"
    )
    environment = {"PYTHONPATH": f"{CI}:{CI.parent / 'docs/_ext'}", "PATH": "/usr/bin:/bin"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert run.stdout == "[]\n", run.stdout + run.stderr


def test_the_project_s_own_lists_agree_with_the_build(project):
    """One list of keywords: the build's function asks the macro that the tools' script asks."""
    build = (CI.parent / "programs/LockstepProgram.cmake").read_text()
    assert "ProgramKeywords.cmake" in build and "lockstep_read_declaration(mistake)" in build
    written = cmake_lists.read(CI.parent)
    assert len(written["programs"]) > 300
    assert all(one["line"] > 0 for one in written["programs"])


def test_build_line_is_plain_nvcc(project):
    assert downloads.build_command(load(project, "lockstep_program(demo)")) == "nvcc demo.cu -o demo"


def test_build_line_names_what_the_program_needs(project):
    program = load(project, "lockstep_program(demo MIN_CC 90 SEPARABLE LIBS CUDA::cublas)")
    assert downloads.build_command(program) == "nvcc -arch=sm_90 -rdc=true demo.cu -o demo -lcublas"
    program = load(project, "lockstep_program(demo OPTIONS -Xcompiler=-fopenmp LIBS OpenMP::OpenMP_CXX)")
    assert downloads.build_command(program) == "nvcc -Xcompiler=-fopenmp demo.cu -o demo"


def test_build_line_of_fixed_architectures(project):
    program = load(project, "lockstep_program(demo ARCHS 80-real 90-virtual)")
    assert "code=sm_80" in downloads.build_command(program)
    assert "code=compute_90" in downloads.build_command(program)


def test_the_highest_capability_of_the_checks_is_not_in_a_recordings_key(project):
    plain = load(project, "lockstep_program(demo MIN_CC 80)")
    limited = load(project, "lockstep_program(demo MIN_CC 80 MAX_CC 100)")
    assert limited.max_cc == 100 and limited.declared_build == plain.declared_build
