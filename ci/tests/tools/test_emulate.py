"""What the emulator's runs are compared with, and what counts as a difference."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from lockstep.emulator import emulate, toolchain
from lockstep.files import ROOT
from lockstep.programs import cmake_lists, declarations
from lockstep.programs.declarations import Program
from lockstep.recordings import filters, keys, pictures, transcripts
from lockstep.recordings.session import Command

CONSOLE = """# device: ^name -- the device's own
# varies: 0x[0-9a-f]+ -- addresses
$ nvcc -arch=sm_90 demo.cu -o other && ./other --n 3
name    NVIDIA H200
number  5
time    ~12.5 ms
$ ./demo
number  6
"""


@pytest.fixture
def program(tmp_path) -> Program:
    folder = tmp_path / "programs/labs/page"
    folder.mkdir(parents=True)
    (folder / "demo.cu").write_text("int main() {}\n")
    (folder / "demo.console").write_text(CONSOLE)
    return Program(name="demo", folder="labs/page", root=tmp_path, line=1)


def test_first_command_that_runs_the_program_is_compared(program):
    first, second, *others = emulate.recordings(program)
    assert (first.arguments, second.arguments, others) == ("--n 3", "", [])
    assert first.transcript.commands[0].output[1] == "number  5"


def test_a_filtered_command_is_compared_by_its_whole_output(program):
    program.console.write_text(CONSOLE.split("$ ")[0] + "# drop: ^made\n$ ./demo\nnumber 5\n")
    printed = ["made by demo", "number 5"]
    filters.whole_file(program.console).write_bytes(filters.pack([Command("./demo", printed)]))
    [found] = emulate.recordings(program)
    assert found.transcript.commands[0].output == printed
    emulate.compare(found, Command("./demo", printed, 0), 0)
    with pytest.raises(emulate.EmulatorError):
        emulate.compare(found, Command("./demo", ["number 5"], 0), 0)


def test_what_a_sanitizer_complained_of_may_be_stopped(program):
    console = (
        CONSOLE
        + """$ ./demo --n 4 > out.txt && cat out.txt
number 7
$ ./demo --no sync
number 8
$ ./demo --n 9
number 9
# keep: SUMMARY
$ compute-sanitizer --tool racecheck ./demo --no sync
========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)
# keep: SUMMARY
$ compute-sanitizer --tool racecheck ./demo --n 9
========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)
"""
    )
    program.console.write_text(console)
    checked = [command for command in transcripts.parse(console).commands if command.filters]
    filters.whole_file(program.console).write_bytes(filters.pack(checked))
    found = emulate.recordings(program)
    assert [(one.arguments, one.finds) for one in found] == [
        ("--n 3", None),
        ("", None),
        ("--no sync", ""),
        ("--n 9", None),
    ]
    stopped = Command("./demo", ["emulator: k: a race: reads"], 1)
    emulate.compare(found[2], stopped, 0)
    emulate.compare(found[2], Command("./demo", ["number 8"], 0), 0)
    for one, other in ((found[3], stopped), (found[2], Command("./demo", ["number 7"], 0))):
        with pytest.raises(emulate.EmulatorError):
            emulate.compare(one, other, 0)


def test_no_file_is_wanted_of_a_run(program):
    console = "$ ./demo --n 4 --csv demo.csv\nnumber 7\n$ ./demo --write red.ppm --n 5 --copy blue.ppm\nnumber 8\n"
    program.console.write_text(console)
    found = emulate.recordings(replace(program, pictures=("red.ppm", "blue.ppm")))
    assert [one.arguments for one in found] == ["--n 4", "--n 5"]


def test_pictures_are_compared_with_those_of_the_gpu(program, tmp_path):
    program.console.write_text("$ ./demo --pictures\nnumber 7\n")
    drawing = replace(program, pictures=("red.ppm",))
    [wanted] = emulate.recordings(drawing)
    assert (wanted.arguments, wanted.drawing) == ("--pictures", "--pictures")
    pixmap = b"P6 2 1 255\n" + bytes([10, 20, 30, 40, 50, 60])
    (drawing.directory / "red.png").write_bytes(pictures.png(pictures.parse(pixmap)))
    script = tmp_path / "drawn"

    def draws(last: int) -> None:
        octal = "".join(f"\\{value:03o}" for value in (*pixmap[:-1], last))
        script.write_text(f"#!/bin/sh\n[ \"$1\" = --pictures ] && printf '{octal}' > red.ppm\n")
        script.chmod(0o755)

    for last in (60, 61):  # a level more or less may be the rounding's
        draws(last)
        emulate.compare_pictures(wanted, drawing, script)
    draws(62)
    with pytest.raises(emulate.EmulatorError, match="red.png: 1 of 2 pixels differ, by up to 2"):
        emulate.compare_pictures(wanted, drawing, script)
    script.write_text("#!/bin/sh\n")
    with pytest.raises(emulate.EmulatorError, match="red.ppm: is not drawn"):
        emulate.compare_pictures(wanted, drawing, script)


def test_small_run_is_a_recording_of_its_own(program):
    small = replace(program, small=("--n", "1"))
    [run] = declarations.small_runs([small])
    assert run.console.name == "demo.small.console"
    wish = keys.load(run)
    assert [command.text for command in wish.commands] == ["./demo --n 1"]
    assert wish.varies == [("0x[0-9a-f]+", "addresses")]
    stray = replace(wish, commands=[Command("./demo --n 2", ["number  2"])], provenance={"key": "of another time"})
    run.console.write_text(transcripts.serialize(stray))
    assert any("does not run what SMALL says" in problem for problem in keys.problems(run, program.root))


@pytest.mark.parametrize("declared", [{"no_emulation": "why"}, {"must_not_compile": True}])
def test_what_is_not_emulated_needs_no_small_run(program, declared):
    assert declarations.small_runs([replace(program, small=("--n", "1"), **declared)]) == []


SAME = ["name    Lockstep emulator", "number  5", "time ~3 ms", "emulator: k, block (0,0,0): a remark"]


@pytest.mark.parametrize(
    ("lines", "status", "same"),
    [
        (SAME, 0, True),
        (SAME, 1, False),
        ([*SAME[:1], "number  6", *SAME[2:]], 0, False),
        (SAME[:2], 0, False),
        ([*SAME, "one more"], 0, False),
    ],
)
def test_differences_are_more_than_measured_numbers_own_lines_and_remarks(program, lines, status, same):
    [wanted, _] = emulate.recordings(program)
    assert (emulate.differences(wanted.transcript, Command("./demo --n 3", lines, status)) == []) is same


def test_a_program_that_runs_after_all_must_not_be_declared_not_to(program, monkeypatch):
    refused = replace(program, no_emulation="cannot be")
    monkeypatch.setattr(emulate, "built", lambda *_: Path("demo"))
    known = {"--n 3": SAME, "": ["number  6"]}
    monkeypatch.setattr(emulate, "run", lambda _, name, arguments, seed: Command("./demo", known[arguments], 0))
    with pytest.raises(emulate.EmulatorError, match="remove NO_EMULATION"):
        emulate.check(refused, None)
    known[""] = ["number  7"]  # one of its runs is enough
    assert emulate.check(refused, None) == "not emulated: cannot be"


def test_what_the_emulator_must_find_it_must_find(program, monkeypatch):
    program.console.write_text(CONSOLE.partition("$ ./demo\n")[0])
    planted = replace(program, emulator_finds="a race")
    monkeypatch.setattr(emulate, "built", lambda *_: Path("demo"))
    monkeypatch.setattr(emulate, "run", lambda *_: Command("./demo", ["emulator: k: a race: reads"], 1))
    assert emulate.check(planted, None) == "finds what it should"
    monkeypatch.setattr(emulate, "run", lambda *_: Command("./demo", ["a race"], 1))
    with pytest.raises(emulate.EmulatorError, match="does not find: a race"):
        emulate.check(planted, None)


def test_a_finding_may_be_that_of_another_run(program):
    assert replace(program, emulator_finds="--wrong 1: k: a race").planted == ("--wrong 1: k", "a race")
    assert replace(program, emulator_finds="k: a race").planted == ("", "k: a race")
    assert program.planted == ("", "")


def test_a_difference_must_show_twice(program, monkeypatch):
    outcomes = iter([1, 0, 1, 1])  # the clock decided once; the second time it is the program
    monkeypatch.setattr(emulate, "run", lambda *_: Command("./demo", SAME, next(outcomes)))
    [wanted, _] = emulate.recordings(program)
    emulate.compare_twice(wanted, program, Path("demo"), 0)
    with pytest.raises(emulate.EmulatorError, match="seed 0"):
        emulate.compare_twice(wanted, program, Path("demo"), 0)


EXERCISE = "int main() {\n    // [task]\n    return 0;\n    //= given\n    //| return 1;\n    //= mutant other\n    //| return 0;\n    // [/task]\n}\n"


def test_check_of_an_exercise_must_find_each_mutant(program, monkeypatch):
    program.source.write_text(EXERCISE)
    exercise = replace(program, exercise=True)
    monkeypatch.setattr(emulate, "built", lambda program, tools, variant="": Path(variant))
    monkeypatch.setattr(emulate, "run", lambda made, *_: Command("./demo", [], int(made.name == "starter")))
    with pytest.raises(emulate.EmulatorError, match="is content with other"):
        emulate.check_variants(exercise, None)
    emulate.check_variants(replace(exercise, small=("--untimed",)), None)  # only a GPU can find it
    monkeypatch.setattr(emulate, "run", lambda *_: Command("./demo", ["emulator: k: a race: reads"], 0))
    emulate.check_variants(exercise, None)


@pytest.mark.skipif(not shutil.which("stdbuf"), reason="stdbuf is missing")
def test_lines_of_a_run_come_in_the_order_of_a_terminal(tmp_path):
    script = tmp_path / "script"
    script.write_text(f"#!{shutil.which('bash')}\nexec awk 'BEGIN {{ print 1; print 2 > \"/dev/stderr\"; print 3 }}'\n")
    script.chmod(0o755)
    assert emulate.run(script, "demo", "", 0).output == ["1", "2", "3"]


LEAST_SHARE = 0.7  # of the programs of the part, those that show a mistake that the emulator stops not among them


@pytest.mark.content
def test_seven_of_ten_programs_of_the_part_features_run_and_agree():
    declared = [program for program in cmake_lists.programs(ROOT).values() if program.folder.startswith("features/")]
    runs = [program for program in declared if not program.must_not_compile]
    part = [program for program in runs if not program.unrecorded]  # others have nothing to agree with
    agree = [program for program in part if declarations.emulated(program) and not program.emulator_finds]
    assert len(part) > 400
    assert len(agree) >= LEAST_SHARE * len(part)


def test_any_other_file_can_be_run(tmp_path):
    class Tools:
        folder = tmp_path

        def build(self, source: Path, out: Path) -> None:
            out.write_text(source.read_text())

    (tmp_path / "mine.cu").write_text("my own")
    mine = emulate.own_file(str(tmp_path / "mine.cu"))
    assert emulate.executable_of(mine, Tools()).read_text() == "my own"
    assert emulate.own_file(str(tmp_path / "none.cu")) is None
    assert emulate.own_file(str(ROOT / "programs/emulator/rate.cu")) is None


@pytest.mark.content
@pytest.mark.parametrize("name", ["unknown", "unknown.cu"])
def test_unknown_program_is_named_before_anything_is_prepared(monkeypatch, name):
    for module, step in ((emulate, "prepared"), (emulate.toolkit, "provide")):
        monkeypatch.setattr(module, step, lambda *_: pytest.fail("the toolkit is looked for"))
    with pytest.raises(declarations.DeclarationError, match=f"no program is called {name}"):
        emulate.main(["run", name])


def test_manifest_says_what_a_browser_lacks(program):
    assert emulate.lacks(program) == ""
    assert emulate.lacks(replace(program, no_browser="uses threads of the host")) == "uses threads of the host"
    assert emulate.lacks(replace(program, no_emulation="uses cuBLAS")) == "uses cuBLAS"


def test_progress_and_the_time_left_are_shown_now_and_then_and_in_the_end(program, capsys, monkeypatch):
    clock = iter([0.0, 1.0, 11.0, 12.0, 13.0])
    monkeypatch.setattr(emulate.time, "monotonic", lambda: next(clock))
    results, failed = emulate.each([replace(program, name=f"p{n}") for n in range(4)], 1, lambda p: p.name, "modules")
    assert list(results.values()) == ["p0", "p1", "p2", "p3"] and failed == 0
    assert capsys.readouterr().out == "modules: 2 of 4, about 11 s left\nmodules: 4 of 4\n"


def test_quick_work_says_nothing_of_its_progress(program, capsys):
    emulate.each([program], 1, lambda p: p.path, "modules")
    assert capsys.readouterr().out == ""


def test_device_lines_survive_reading_and_writing():
    text = transcripts.serialize(transcripts.parse(CONSOLE))
    assert "# device: ^name -- the device's own\n" in text


def test_runtime_is_compiled_once_for_all_clones(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(toolchain, "tools_key", lambda: "clang 22")
    monkeypatch.setattr(toolchain, "toolkit", lambda: tmp_path)
    compiled = []

    def compile_all(tools, sources, objects):
        compiled.append(tools.folder)
        for source, made in zip(sources, objects, strict=True):
            made.write_bytes(source.name.encode())

    monkeypatch.setattr(toolchain.Toolchain, "compile_all", compile_all)
    for clone in ("first", "second", "third"):
        objects = toolchain.Toolchain(toolchain.TARGETS["native"], tmp_path / clone).runtime()
        assert all(made.read_bytes().decode() == f"{made.stem}.cpp" for made in objects) and len(objects) > 50
        if clone == "second":
            monkeypatch.setattr(toolchain, "tools_key", lambda: "clang 23")
    assert compiled == [tmp_path / "first/native", tmp_path / "third/native"]


def test_what_is_built_follows_content_not_dates(tmp_path, monkeypatch):
    monkeypatch.setattr(toolchain, "tools_key", lambda: "clang 22")
    header, made, stamp = tmp_path / "a.hpp", tmp_path / "a.o", tmp_path / "key"
    header.write_text("one", encoding="utf-8")
    made.touch()
    before = toolchain.content_key([header])
    assert not toolchain.up_to_date(stamp, before, [made])  # interrupted: the stamp is written last
    stamp.write_text(before, encoding="utf-8")
    os.utime(header, (2**31, 2**31))
    assert toolchain.content_key([header]) == before and toolchain.up_to_date(stamp, before, [made])
    header.write_text("two", encoding="utf-8")
    os.utime(header, (0, 0))
    assert not toolchain.up_to_date(stamp, toolchain.content_key([header]), [made])
    monkeypatch.setattr(toolchain, "tools_key", lambda: "clang 23")
    header.write_text("one", encoding="utf-8")
    assert toolchain.content_key([header]) != before
    made.unlink()
    assert not toolchain.up_to_date(stamp, before, [made])
