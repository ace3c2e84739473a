"""Drifts between programs and what is recorded of them: each is planted here, and found with what to do."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from lockstep import cli, files
from lockstep.programs import cmake_lists, regions, sources
from lockstep.recordings import builds, commands, keys, shell, transcripts
from lockstep.recordings.session import Command

ROOT = Path(__file__).resolve().parents[3]
RECORD = 'on a GPU machine run "make record PROGRAM=demo"'


def fresh(project) -> str:
    """What `record stale` prints about a project in which something is wrong."""
    status, printed = project.lockstep("record stale")
    assert status == 1, printed
    assert "Traceback" not in printed
    return printed


# ---- provenance


@pytest.mark.parametrize("name", [name for name in transcripts.PROVENANCE if name not in ("build", "sources")])
def test_removed_line_is_found(recorded, name):
    lines = recorded.console.read_text().splitlines(keepends=True)
    recorded.console.write_text("".join(line for line in lines if not line.startswith(f"# {name}: ")))
    assert f'its line "# {name}:" was removed; restore the file, or {RECORD}' in fresh(recorded)


@pytest.mark.parametrize("name", ["build", "sources"])
def test_removed_build_or_sources_line_is_found(recorded, name):
    lines = recorded.console.read_text().splitlines(keepends=True)
    recorded.console.write_text("".join(line for line in lines if not line.startswith(f"# {name}: ")))
    assert f'its line "# {name}:" was removed' in fresh(recorded)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("NVIDIA H200", "NVIDIA B200"),
        ("# driver: 580.1", "# driver: 590.1"),
        ("# toolkit: 13.0.88", "# toolkit: 13.0.90"),
        ("# host compiler: g++", "# host compiler: clang++"),
        ("# date: 2", "# date: 1"),
        ("report.hpp=", "report.hpp=0"),
        ("# output: ", "# output: 0"),
        ("$ ./demo\n", "\n$ ./demo\n"),
    ],
)
def test_edited_provenance_is_found(recorded, old, new):
    recorded.edit(recorded.console, old, new)
    assert f"its output or provenance was edited by hand; restore the file, or {RECORD}" in fresh(recorded)


@pytest.mark.parametrize(("old", "new"), [("-O3", "-O2"), ("# key: ", "# key: 0")])
def test_edited_key_or_build_line_is_found(recorded, old, new):
    recorded.edit(recorded.console, old, new)
    assert "stale: its key" in fresh(recorded)


def test_transcript_of_the_older_format_is_stale(recorded):
    lines = recorded.console.read_text().splitlines(keepends=True)
    recorded.console.write_text("".join(line for line in lines if not line.startswith(("# build", "# sources"))))
    assert f"recorded in an older format, or its provenance was removed; {RECORD}" in fresh(recorded)


def test_transcript_of_another_toolkit_is_found(recorded):
    text = recorded.console.read_text().replace("# toolkit: 13.0.88", "# toolkit: 13.1.20")
    born = transcripts.parse(text)
    [program] = cmake_lists.programs(recorded.root).values()
    recorded.console.write_text(transcripts.serialize(keys.sealed(program, born, born.provenance)))
    printed = fresh(recorded)
    assert "recorded with CUDA 13.1.20, the site's toolkit is 13.0" in printed
    assert "edited by hand" not in printed and "stale" not in printed


def test_machine_with_another_toolkit_refuses_to_record(project):
    nvcc = project.tools / "nvcc"
    nvcc.write_text(nvcc.read_text().replace("13.0", "13.1"))
    status, printed = project.lockstep("record run")
    assert status == 1
    assert "this machine has CUDA 13.1.88; the site is recorded with CUDA 13.0" in printed
    assert not project.console.exists()


# ---- files that cannot be read or written


@pytest.mark.parametrize(
    ("planted", "message"),
    [
        (b"$ ./demo\n\xe9\n", "demo.console:2: the byte 0xe9 is not UTF-8; save it as UTF-8"),
        (b"\xef\xbb\xbf$ ./demo\n", "demo.console:1: begins with a byte order mark; save it as UTF-8 without one"),
    ],
)
def test_transcript_that_is_no_plain_utf_8_is_found(recorded, planted, message):
    recorded.console.write_bytes(planted)
    assert f"programs/part/page/{message}" in fresh(recorded)
    status, printed = recorded.lockstep("record run")
    assert status == 1 and message in printed and "Traceback" not in printed


@pytest.mark.parametrize("name", ["source", "header"])
def test_source_that_is_not_utf_8_is_found(recorded, name):
    path = getattr(recorded, name)
    path.write_bytes(path.read_bytes() + b"// \xe9\n")
    line = path.read_bytes().count(b"\n")
    assert f"{path.name}:{line}: the byte 0xe9 is not UTF-8; save it as UTF-8" in fresh(recorded)


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("/usr/bin/python3"), reason="nobody may run no Python")
def test_read_only_checkout_is_checked_as_any_other(recorded):
    shutil.rmtree(recorded.root / "build")
    (recorded.root / "docs/part/page.rst").write_text("Page\n====\n")
    (recorded.root / "docs/part/page.claims").write_text(
        '[claims]\n"it is fast" = \'value("demo", "read bandwidth") > 1\'\n'
    )
    as_root = os.geteuid() == 0  # who may write everywhere
    with tempfile.TemporaryDirectory() as folder:  # pytest's own are closed to others
        Path(folder).chmod(0o755)
        root = Path(shutil.copytree(recorded.root, Path(folder, "checkout")))
        places = [root, *(path for path in root.rglob("*") if path.is_dir())]
        for path in places:
            path.chmod(0o555)
        for verb, said in (("record stale", "1 transcripts are fresh\n"), ("source claims", "all claims hold\n")):
            command = ["/usr/bin/python3" if as_root else sys.executable, ROOT / "ci", *verb.split(), "--root", root]
            user = "nobody" if as_root else None
            run = subprocess.run(command, user=user, capture_output=True, encoding="utf-8")
            assert run.stderr == "" and (run.returncode, run.stdout) == (0, said)
        assert not (root / "build").exists()
        for path in places:
            path.chmod(0o755)


@pytest.mark.parametrize("work", [files.write, files.append])
def test_full_disk_names_the_file_and_the_cure(tmp_path, monkeypatch, capsys, work):
    def full(*given: object, **named: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def command(arguments: list[str]) -> int:
        work(tmp_path / "a.console", "text")
        return 0

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    monkeypatch.setattr("os.fsync", full)
    monkeypatch.setattr(commands, "gpus", command)
    assert cli.main(["record", "gpus"]) == 1
    where = tmp_path / "a.console"
    assert capsys.readouterr().err == f"record: {where}: No space left on device; free some space, and run it again\n"
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


# ---- sources


def test_the_changed_header_is_named(recorded):
    recorded.edit(recorded.header, "int value", "long value")
    assert f"stale: lockstep/report.hpp changed since it was recorded; {RECORD}" in fresh(recorded)


def test_the_changed_program_is_named(recorded):
    recorded.edit(recorded.source, "5", "6")
    assert "stale: demo.cu changed since" in fresh(recorded)


def test_the_changed_declaration_is_named(recorded):
    recorded.edit(recorded.list, "demo", "demo MIN_CC 80")
    assert "stale: its declaration changed since" in fresh(recorded)


def test_a_header_that_is_new_is_named(recorded):
    (recorded.header.parent / "other.hpp").write_text("#pragma once\nint other();\n")
    recorded.edit(recorded.header, "#pragma once\n", "#pragma once\n#include <lockstep/other.hpp>\n")
    assert "lockstep/other.hpp and lockstep/report.hpp changed" in fresh(recorded)


def test_comment_of_a_header_is_free_where_no_output_names_a_line(project):
    project.console.write_text("$ nvcc -c demo.cu -o out.o && ls out.o\n")
    assert project.lockstep("record run")[0] == 0
    project.edit(project.header, "/// Prints a line.", "/// Prints a line.\n/// One that may be long.")
    sources.read_header.cache_clear()
    assert project.lockstep("record stale")[0] == 0


def test_comment_that_moves_lines_of_a_download_is_found(project):
    project.prints("echo 'demo.cu:3: wrong'")
    project.console.write_text("$ ./demo\n$ nvcc -c demo.cu -o out.o && ls out.o\n")
    assert project.lockstep("record run")[0] == 0
    project.edit(project.header, "/// Prints a line.", "/// Prints a line.\n/// One that may be long.")
    assert "stale: the lines of the download of demo.cu, which its output names, changed" in fresh(project)


def test_comment_that_moves_lines_of_a_header_that_the_output_names_is_found(project):
    project.prints("echo 'report.hpp:3: wrong'")
    project.lockstep("record run")
    project.edit(project.header, "/// Prints a line.", "/// Prints a line.\n/// One that may be long.")
    assert "stale: lockstep/report.hpp changed" in fresh(project)


def test_changed_timeline_library_is_found(project):
    timeline = project.root / "programs/timeline/timeline.cpp"
    timeline.parent.mkdir()
    timeline.write_text("int records = 1;\n")
    project.console.write_text("$ CUDA_INJECTION64_PATH=./libtimeline.so ./demo\n")
    assert project.lockstep("record run")[0] == 0
    assert project.lockstep("record stale")[0] == 0
    timeline.write_text("int records = 2;\n")
    assert "stale: timeline/timeline.cpp changed" in fresh(project)


# ---- what may vary, and commands


@pytest.mark.parametrize(
    "pattern", [".*", ".+", "^", "$", r"\S*", r"\w+", r"\d+", ".", "x*", r"\d+\.\d+", "(?i)LOCKSTEP"]
)
@pytest.mark.parametrize("header", ["varies", "device"])
def test_pattern_that_hides_any_change_is_refused(recorded, header, pattern):
    recorded.edit(recorded.console, "$ ./demo", f"# {header}: {pattern} -- it differs\n$ ./demo")
    printed = fresh(recorded)
    assert "programs/part/page/demo.console:10: " in printed and "so it hides any change; name the words" in printed


@pytest.mark.parametrize("header", ["varies", "device"])
def test_new_pattern_makes_the_recording_stale(recorded, header):
    recorded.edit(recorded.console, "$ ./demo", f"# {header}: ^elements +5 -- it differs\n$ ./demo")
    assert "stale: its commands, or what may vary in their output, changed" in fresh(recorded)


TYPED = [
    "echo 'read bandwidth ~3.91 TB/s'",
    "./demo > /dev/null; echo elements 5",
    "./demo > /dev/null && printf 'elements %d\\n' 5",
    "cat << END",
    "cat <<< 'elements 5'",
    "cat < typed",
    "bash script",
    "python3 -c 'print(5)'",
    "python3 -m timeit",
    "./demo | python3 call.py",
    "./demo | sort",
    "./demo 2>&1 | tail -1",
    "./demo & ./demo",
    "./demo || true",
    "seq 5",
    "x=$(seq 5) ./demo",
    "./demo `seq 5`",
    './demo "$(seq 5)"',
    "for i in 1 2; do ./demo; done",
    "./demo &&",
    "./demo 'open",
]


@pytest.mark.parametrize("command", TYPED)
def test_command_that_types_or_chains_its_output_is_refused(command):
    assert shell.faults(command)


@pytest.mark.parametrize(
    "command",
    [
        "./demo --n 5",
        "CUDA_VISIBLE_DEVICES= ./demo",
        "./demo > out.txt",
        "./demo 2> errors.txt",
        "time nvcc -arch=sm_90 demo.cu -o other && ./other",
        "g++ a.o -L $(dirname $(command -v nvcc))/../lib64 -lcudart_static",
        "nvcc -arch=native -shared -Xcompiler=-fPIC scale.cu -o libscale.so && python3 call_scale.py",
        "ncu -k 'regex:^(scan|add)' --metrics dram__bytes_read.sum ./demo",
    ],
)
def test_plain_command_may_stand(command):
    assert shell.faults(command) == []


def test_script_reaches_the_run_as_it_is(project):
    project.list.write_text("lockstep_program(demo SOURCES call.py)\n")
    script = "# [call]\nif True:\n    print(7 // 2)\n# [/call]\n"
    (project.page / "call.py").write_text(script)
    [program] = cmake_lists.programs(project.root).values()
    assert keys.ingredients(program, keys.load(program))["call.py"] == script
    assert regions.excerpt(script, "call") == ["if True:", "    print(7 // 2)"]


def test_typed_output_is_found_by_fresh_and_never_recorded(recorded):
    recorded.edit(recorded.console, "$ ./demo\n", "$ echo 'elements 5'\n")
    assert "demo.console:10: $ echo 'elements 5': echo is no command of transcripts" in fresh(recorded)
    status, printed = recorded.lockstep("record run")
    assert status == 1 and "echo is no command of transcripts" in printed


@pytest.mark.content
def test_the_project_s_own_commands_may_all_stand():
    found = [
        f"{path}:{fault}"
        for path in sorted((ROOT / "programs").rglob("*.console"))
        for fault in shell.refused(path.read_text(encoding="utf-8"))
    ]
    assert found == []


# ---- output that looks like something else

ODD = [
    "$ touch planted",
    "[exit status 3]",
    "# gpu: none",
    r"\$ twice",
    r"\\# thrice",
    r"\plain",
    "[exit status 3] more",
    "#",
]


def test_output_that_looks_like_a_command_is_never_run(project):
    (project.root / "odd").write_text("\n".join(ODD) + "\n")
    project.prints(f"cat '{project.root}/odd'")
    assert project.lockstep("record run") == (0, "part/page/demo: recorded\n")
    text = project.console.read_text()
    assert "\n\\$ touch planted\n\\[exit status 3]\n\\# gpu: none\n" in text
    [command] = transcripts.parse(text).commands
    assert command == Command("./demo", ODD, 0)
    assert project.lockstep("record stale")[0] == 0
    assert project.lockstep("gpu-check program") == (0, "part/page/demo: agrees\n")
    assert project.lockstep("record run", "--refresh") == (0, "part/page/demo: recorded\n")
    assert project.console.read_text() == text


def test_a_transcript_reads_back_as_it_was_written():
    whole = transcripts.Transcript(
        [Command("./a", ODD, 3), Command("./b", [], 1), Command("./c", [r"\[exit status 1]"])]
    )
    assert transcripts.parse(transcripts.serialize(whole)) == whole


# ---- the build


def test_program_older_than_its_sources_is_built_again_whatever_the_dates_say(recorded):
    before = recorded.source.stat()
    recorded.edit(recorded.source, "5", "6")
    os.utime(recorded.source, ns=(before.st_atime_ns, before.st_mtime_ns - 10**12))
    status, printed = recorded.lockstep("record run", "--no-build")
    assert status == 1
    assert "part/page/demo was not built from this demo.cu; run: touch " in printed
    status, printed = recorded.lockstep("gpu-check program")
    assert status == 1  # stale
    assert recorded.lockstep("record run") == (0, "part/page/demo: recorded\n")
    assert recorded.lockstep("record stale")[0] == 0
    assert "6" in (recorded.built.parent / "CMakeFiles/demo.dir/demo.cu.o").read_text()


def test_header_changed_with_an_old_date_is_built_again(recorded):
    before = recorded.header.stat()
    recorded.edit(recorded.header, "int value", "long value")
    os.utime(recorded.header, ns=(before.st_atime_ns, before.st_mtime_ns - 10**12))
    assert "was not built from this report.hpp" in recorded.lockstep("record run", "--no-build")[1]
    assert recorded.lockstep("record run")[0] == 0


def test_program_without_its_stamp_is_not_run(recorded):
    recorded.built.with_name("demo.sources").unlink()
    assert "was not built from this demo.cu" in recorded.lockstep("gpu-check program")[1]


def test_options_of_the_build_are_recorded(recorded):
    assert "# build: compile -O3 -lineinfo -std=c++17; link -lcudart\n" in recorded.console.read_text()
    assert recorded.lockstep("record options") == (0, "the build's options are those of the recordings\n")


@pytest.mark.parametrize(
    ("added", "linked", "named"),
    [
        (["-use_fast_math"], "", "the build has -use_fast_math"),
        (["-O1"], "", "the build has -O1"),
        (["-DPLANTED"], "", "the build has -DPLANTED"),
        (["-Xcompiler=-ffast-math"], "", "the build has -Xcompiler=-ffast-math"),
        ([], "-lplanted", "the build has -lplanted"),
        (["-I/planted"], "", "the build has -I/planted"),
    ],
)
def test_option_by_any_route_is_found(recorded, added, linked, named):
    recorded.options(*added, linked=linked)
    status, printed = recorded.lockstep("record options")
    assert status == 1
    assert (
        f"demo is built otherwise than recorded: {named}" in printed and f"take the option back, or {RECORD}" in printed
    )
    recorded.build()
    status, printed = recorded.lockstep("gpu-check program")
    assert status == 1 and named in printed
    assert recorded.lockstep("record run") == (0, "part/page/demo: recorded\n")
    assert recorded.lockstep("record options")[0] == 0


@pytest.mark.parametrize("added", ["-Wall", "-Xcompiler=-Wall,-Wextra", "--generate-code=arch=compute_80,code=[sm_80]"])
def test_warnings_and_architectures_of_the_preset_change_nothing(recorded, added):
    recorded.options(added)
    assert recorded.lockstep("record options")[0] == 0


def test_build_folder_that_is_not_configured_is_one_line(recorded):
    (recorded.root / "build/build.ninja").unlink()
    status, printed = recorded.lockstep("record options")
    assert status == 1 and printed.endswith("not configured with Ninja; run: make programs\n")


# ---- the build, with CMake and nvcc themselves

LIST = "lockstep_program(demo)\n"
PLANTS = {  # file, a text in it, and what is planted after that text
    "add_compile_options": (
        "CMakeLists.txt", "include(programs/LockstepProgram.cmake)", "\nadd_compile_options(-DPLANTED)",
    ),
    "CMAKE_CUDA_FLAGS": ("CMakeLists.txt", "enable_testing()", '\nstring(APPEND CMAKE_CUDA_FLAGS " -DPLANTED")'),
    "a folder's set": ("programs/CMakeLists.txt", "endif()\n", "set(LOCKSTEP_CODE_OPTIONS -lineinfo -DPLANTED)\n"),
    "target_compile_options": (
        "programs/part/page/CMakeLists.txt", LIST, "target_compile_options(demo PRIVATE -DPLANTED)\n",
    ),
    "target_link_options": ("programs/part/page/CMakeLists.txt", LIST, "target_link_options(demo PRIVATE -DPLANTED)\n"),
    "a preset": ("CMakePresets.json", '"cacheVariables": {', '"CMAKE_CUDA_FLAGS_RELEASE": "-O3 -DNDEBUG -DPLANTED", '),
}  # fmt: skip


@pytest.fixture(scope="module")
def configured(tmp_path_factory):
    """A project with one program, configured by CMake; the real lists, presets and tools."""
    if not shutil.which("nvcc") and not (ROOT / ".cuda/bin/nvcc").exists():
        pytest.skip("nvcc is missing; ci/setup.sh check installs it")
    root = tmp_path_factory.mktemp("a project")
    for folder in ("programs/part/page", "programs/part/other", "programs/timeline"):
        (root / folder).mkdir(parents=True)
    for file in ("CMakeLists.txt", "CMakePresets.json", *(p.relative_to(ROOT) for p in ROOT.glob("programs/*.cmake"))):
        shutil.copy(ROOT / file, root / file)
    shutil.copytree(ROOT / "programs/include", root / "programs/include")
    for link in ("ci", ".cuda", ".venv"):
        if (ROOT / link).exists():
            (root / link).symlink_to(ROOT / link)
    (root / "programs/timeline/CMakeLists.txt").write_text("")
    shutil.copy(ROOT / "programs/CMakeLists.txt", root / "programs")
    (root / "programs/part/page/CMakeLists.txt").write_text(LIST)
    (root / "programs/part/page/demo.cu").write_text("int main() { return 77; }\n")
    configure(root)
    [program] = cmake_lists.programs(root).values()
    born = {"gpu": "a", "driver": "b", "toolkit": "13.0.88", "host compiler": "c", "date": "d"}
    born["build"] = builds.line(program, root / "build/hopper")
    wish = transcripts.Transcript([Command("./demo", ["one"])])
    program.console.write_text(transcripts.serialize(keys.sealed(program, wish, born)))
    return root


def tool(root: Path, *command: str) -> tuple[int, str]:
    environment = os.environ | {"PATH": f"{os.environ['PATH']}:{ROOT / '.cuda/bin'}"}
    run = subprocess.run(
        command, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )
    return run.returncode, run.stdout


def configure(root: Path) -> None:
    status, printed = tool(root, "cmake", "--preset", "hopper", "-G", "Ninja")
    assert status == 0, printed


def options(root: Path) -> tuple[int, str]:
    return tool(
        root,
        sys.executable,
        str(ROOT / "ci"),
        "record",
        "options",
        "--root",
        str(root),
        "--build",
        str(root / "build/hopper"),
    )


def test_the_real_build_is_that_of_the_recording(configured):
    assert options(configured) == (0, "the build's options are those of the recordings\n")
    assert tool(configured, sys.executable, str(ROOT / "ci"), "record", "stale", "--root", str(configured))[0] == 0
    text = (configured / "programs/part/page/demo.console").read_text()
    assert "# build: compile -O3 -DNDEBUG -lineinfo -std=c++17; link " in text


@pytest.mark.parametrize("route", PLANTS)
def test_option_planted_in_the_real_build_is_found(configured, route):
    file, place, planted = PLANTS[route]
    path = configured / file
    before = path.read_text()
    assert place in before
    try:
        path.write_text(before.replace(place, place + planted))
        configure(configured)
        status, printed = options(configured)
        assert status == 1
        assert "programs/part/page/demo.console: demo is built otherwise than recorded: the build has" in printed
        assert "-DPLANTED" in printed and "take the option back, or on a GPU machine run" in printed
    finally:
        path.write_text(before)
        if route == "a preset":
            (configured / "build/hopper/CMakeCache.txt").unlink()
        configure(configured)
    assert options(configured)[0] == 0


def test_what_the_version_of_cmake_decides_is_no_difference():
    words = ["g++", "-Wl,--dependency-file=a/link.d", "-lcublas", "-lculibos", "-lpthread", "-lcudart"]
    assert builds.options(words, []) == ["-lcublas", "-lcudart"]
    ours = "compile -O3 -std=c++17 -lineinfo; link -lcublas -lcudart"
    assert builds.difference(ours, "compile -O3 -lineinfo -std=c++17; link -lcudart -lcublas") == ""
    assert "-O0" in builds.difference(ours, "compile -O0 -lineinfo -std=c++17; link -lcublas -lcudart")
    assert "-lnccl" in builds.difference(ours, "compile -O3 -lineinfo -std=c++17; link -lnccl -lcudart")
