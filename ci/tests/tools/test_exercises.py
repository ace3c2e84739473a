"""Exercises: variants of one source, and what a learner may and may not do with the starter."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lockstep.exercises import attempts, parts, requirement_runs
from lockstep.exercises.parts import ExerciseError

ROOT = Path(__file__).resolve().parents[3]

SOURCE = """\
// Count to three.
int main() {
    int x = 0;
    // [task]
    x = 3;
    //= given
    //| x = 0;
    //= mutant off_by_one
    //| x = 2;
    // [/task]
    // [task-again]
    x += 0;
    //= given
    // [/task-again]
    return x == 3 ? 0 : 1;
}
"""


@pytest.fixture
def exercise():
    return parts.parse(SOURCE, "count.cu")


def test_starter_has_what_is_given_between_two_lines(exercise):
    text = exercise.text("starter")
    assert f"    {parts.BEGIN}\n    x = 0;\n    {parts.END}" in text
    assert "x = 3;" not in text and "mutant" not in text and "[task]" not in text


def test_mutant_replaces_where_it_is_defined_and_nowhere_else(exercise):
    assert exercise.mutants == ["off_by_one"]
    text = exercise.text("off_by_one")
    assert "x = 2;" in text and "x += 0;" in text and "x = 3;" not in text


def test_solution_has_no_trace_of_the_others(exercise):
    assert "//" not in exercise.text("solution").removeprefix("// Count to three.")


def test_unknown_variant_is_refused_with_those_there_are(exercise):
    with pytest.raises(ExerciseError, match="there are solution, starter, off_by_one"):
        exercise.text("gone")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "    // [/task-again]\n",
            "",
            'count.cu:14: a line of starter begins with "//| ", and the task ends with "// ./task-again."',
        ),
        ("    //= given\n    //| x = 0;\n", "", "count.cu:4: .task. gives nothing"),
        ("    //| x = 2;\n", "    x = 2;\n", 'a line of off_by_one begins with "//| "'),
        ("    int x = 0;\n", "    //| int x = 0;\n", "count.cu:3: stands outside of a task"),
        ("mutant off_by_one", "given", "starter is defined twice"),
    ],
)
def test_broken_source_is_named_with_its_place(old, new, message):
    with pytest.raises(ExerciseError, match=message):
        parts.parse(SOURCE.replace(old, new, 1), "count.cu")


def test_source_without_a_task_is_no_exercise():
    with pytest.raises(ExerciseError, match="holds no task"):
        parts.parse("int main() {}\n", "count.cu")


def test_edits_inside_of_the_part_are_free(exercise):
    starter = exercise.text("starter")
    mine = starter.replace("    x = 0;\n    // ----", "    x = 1;\n    x += 2;\n    // ----", 1)
    assert mine != starter and parts.edits_outside(starter, mine) == []


def test_edit_outside_is_found_with_its_line(exercise):
    starter = exercise.text("starter")
    (problem,) = parts.edits_outside(starter, starter.replace("x == 3", "true"))
    assert "line 9 is outside of your part; it was: return x == 3 ? 0 : 1;" in problem


def test_lost_fence_is_found(exercise):
    starter = exercise.text("starter")
    assert "must stay" in parts.edits_outside(starter, starter.replace(parts.END, "//", 1))[0]


@pytest.fixture
def machine(project, tmp_path, monkeypatch):
    """A project with one exercise, and an nvcc that builds with the host's compiler."""
    project.list.write_text("lockstep_program(demo EXERCISE TOOLS racecheck)\n")
    project.source.write_text(SOURCE)
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "nvcc").write_text(
        "#!/usr/bin/env python3\nimport subprocess, sys\n"
        "a = sys.argv[1:]\nif a == ['--version']: sys.exit(print('release 13.0, V13.0.88'))\nsource = next(w for w in a if w.endswith('.cu'))\n"
        "sys.exit(subprocess.run(['g++', '-x', 'c++', source, '-o', a[a.index('-o') + 1]]).returncode)\n"
    )
    (tools / "compute-sanitizer").write_text(
        '#!/bin/sh\nif [ -e "$HAZARD" ]; then echo "========= a hazard"; exit 9; fi\nexit 0\n'
    )
    (tools / "nvidia-smi").write_text('#!/bin/sh\n[ -e "$NO_GPU" ] || echo "GPU 0: one"\n')
    for tool in tools.iterdir():
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setenv("HAZARD", str(tmp_path / "hazard"))
    monkeypatch.setenv("NO_GPU", str(tmp_path / "no_gpu"))

    def call(*arguments: str) -> tuple[int, str]:
        command = [sys.executable, str(ROOT / "ci"), "exercise", "--root", str(project.root), *arguments]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    call.copy = project.root / "exercises" / "demo.cu"
    call.hazard = tmp_path / "hazard"
    call.no_gpu = tmp_path / "no_gpu"
    return call


@pytest.fixture
def without_gpu(machine, tmp_path):
    machine.no_gpu.write_text("")
    (tmp_path / "bin/nvcc").unlink()
    return machine


def solve(machine) -> None:
    text = machine.copy.read_text()
    machine.copy.write_text(text.replace("    x = 0;\n    // ----", "    x = 3;\n    // ----", 1))


def test_start_never_overwrites(machine):
    assert machine("start", "demo")[0] == 0
    machine.copy.write_text("mine\n")
    status, said = machine("start", "demo")
    assert status == 0 and "stays as it is" in said and machine.copy.read_text() == "mine\n"


def test_starter_fails_and_solution_passes(machine):
    machine("start", "demo")
    status, said = machine("try", "demo")
    assert status == 1 and "demo: not yet" in said
    solve(machine)
    status, said = machine("try", "demo")
    assert status == 0 and "racecheck" in said and "demo: solved" in said


def test_without_a_gpu_the_emulator_judges(without_gpu):
    without_gpu("start", "demo")
    status, said = without_gpu("try", "demo")
    assert status == 1 and "No GPU here" in said and "demo: not yet" in said
    solve(without_gpu)
    status, said = without_gpu("try", "demo")
    assert status == 0 and "racecheck                   clean, says the emulator" in said and "demo: solved" in said
    assert "1 of 1 solved" in without_gpu("progress")[1]
    without_gpu.copy.write_text(
        without_gpu.copy.read_text().replace("    x = 3;\n    // ----", "    y = 3;\n    // ----", 1)
    )
    status, said = without_gpu("try", "demo")
    assert status == 1 and "use of undeclared identifier 'y'" in said and "does not compile yet" in said


def test_program_that_cannot_judge_here_says_why(without_gpu, project):
    says = 'std::fprintf(stderr, "the service is missing\\n");\n    return 77;'
    project.source.write_text("#include <cstdio>\n" + SOURCE.replace("return x == 3 ? 0 : 1;", says))
    without_gpu("start", "demo")
    status, said = without_gpu("try", "demo")
    assert status == 77 and "the service is missing" in said and "demo: cannot be judged on this machine" in said
    assert "not yet" not in said and "0 of 1 solved" in without_gpu("progress")[1]


def test_without_a_gpu_speed_is_not_judged(without_gpu, project):
    project.list.write_text('lockstep_program(demo EXERCISE TOOLS "code: LDG.E.128" SMALL --untimed)\n')
    without_gpu("start", "demo")
    solve(without_gpu)
    status, said = without_gpu("try", "demo")
    assert status == 0 and "solved, except for what only a GPU can judge: speed, code: LDG.E.128" in said
    assert "smaller size" not in said
    said = without_gpu("progress")[1]
    assert "solved, except for speed, code: LDG.E.128" in said and "1 of 1 solved" in said
    without_gpu.copy.write_text(without_gpu.copy.read_text() + "\n")
    said = without_gpu("progress")[1]
    assert "changed since it was solved" in said and "0 of 1 solved" in said


def test_without_a_gpu_a_smaller_size_is_said(without_gpu, project):
    project.list.write_text("lockstep_program(demo EXERCISE SMALL --n 1003 --untimed)\n")
    without_gpu("start", "demo")
    assert "the emulator runs it, at a smaller size (--n 1003)." in without_gpu("try", "demo")[1]


def test_without_gpu_and_toolkit_nothing_is_judged(machine):
    machine.no_gpu.write_text("")  # nvcc here is of no toolkit
    machine("start", "demo")
    status, said = machine("try", "demo")
    assert (
        status == 77
        and "the headers of the CUDA toolkit are not beside the nvcc on the PATH" in said
        and "cannot be judged on this machine" in said
    )


def test_finding_of_a_tool_is_no_solution(machine):
    machine("start", "demo")
    solve(machine)
    machine.hazard.write_text("")
    status, said = machine("try", "demo")
    assert status == 1 and "racecheck found" in said and "a hazard" in said


def test_progress_follows_the_file(machine):
    assert "0 of 1 solved" in machine("progress")[1]
    machine("start", "demo")
    assert "begun" in machine("progress")[1]
    solve(machine)
    machine("try", "demo")
    assert "1 of 1 solved" in machine("progress")[1]
    machine.copy.write_text(machine.copy.read_text() + "\n")
    assert "changed since it was solved" in machine("progress")[1]


def test_progress_begins_with_the_labs(machine, project):
    for folder in ("labs/first", "advanced/late"):
        page = project.root / "programs" / folder
        page.mkdir(parents=True)
        (page / "CMakeLists.txt").write_text(f"lockstep_program(of_{page.name} EXERCISE)\n")
        (page / f"of_{page.name}.cu").write_text(SOURCE)
    (project.root / "programs/CMakeLists.txt").write_text(
        "add_subdirectory(part/page)\nadd_subdirectory(advanced/late)\nadd_subdirectory(labs/first)\n"
    )
    names = [line.split()[0] for line in machine("progress")[1].splitlines()]
    assert names[:3] == ["of_first", "demo", "of_late"]


def test_progress_can_be_taken_to_the_site(machine, tmp_path):
    machine("start", "demo")
    machine("progress", "--json", str(tmp_path / "place.json"))
    assert json.loads((tmp_path / "place.json").read_text())["solved"] == []
    solve(machine)
    machine("try", "demo")
    assert "can be imported" in machine("progress", "--json", str(tmp_path / "place.json"))[1]
    place = json.loads((tmp_path / "place.json").read_text())
    assert place == {"format": "lockstep-place", "version": 1, "read": [], "solved": ["demo"]}


def test_progress_makes_no_folder(machine, tmp_path):
    status, said = machine("progress", "--json", str(tmp_path / "no/such/place.json"))
    assert status == 2 and f"there is no folder {tmp_path}/no/such; name a file in one that is there" in said
    assert not (tmp_path / "no").exists()


def test_file_that_does_not_compile_says_so(machine):
    machine("start", "demo")
    machine.copy.write_text(machine.copy.read_text().replace("    x = 0;\n    // ----", "    y = 0;\n    // ----", 1))
    status, said = machine("try", "demo")
    assert status == 1 and "does not compile yet" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("start", "gone"), "no exercise is called gone; python3 ci exercise list names them"),
        (("start", "dmo"), "no exercise is called dmo; did you mean demo?"),
        (("start", ""), "name an exercise, as in: make start EXERCISE=roll_call"),
        (("try", "demo"), "make start EXERCISE=demo makes it"),
    ],
)
def test_bad_requests_get_one_line_and_status_two(machine, arguments, message):
    status, said = machine(*arguments)
    assert status == 2 and message in said and said.count("\n") == 1


def test_changed_surroundings_cannot_be_judged(machine):
    machine("start", "demo")
    machine.copy.write_text(machine.copy.read_text().replace("x == 3", "true"))
    status, said = machine("try", "demo")
    assert status == 2 and "exercises/demo.cu: line 9 is outside of your part" in said


@pytest.mark.parametrize(
    ("variant", "expected", "status"), [("solution", "pass", 0), ("starter", "fail", 0), ("starter", "pass", 1)]
)
def test_judge_compares_with_what_is_expected(machine, tmp_path, variant, expected, status):
    source = machine.copy.parent.parent / "programs/part/page/demo.cu"
    written = tmp_path / "variant.cu"
    assert machine("write", variant, str(source), str(written))[0] == 0
    subprocess.run(["g++", "-x", "c++", written, "-o", tmp_path / "variant"], check=True)
    assert machine("judge", "--tools=racecheck", expected, str(tmp_path / "variant"), "--n", "5")[0] == status


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """A PATH on which ncu and cuobjdump print what a file says."""
    for name in ("ncu", "cuobjdump"):
        (tmp_path / name).write_text(f"#!/bin/sh\ncat {tmp_path}/{name}.txt\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")

    def says(name: str, text: str) -> None:
        (tmp_path / f"{name}.txt").write_text(text)

    return says


COUNT = "count: turn conflicts.sum <= 100"


def test_instruction_must_be_in_the_compiled_code(tools):
    tools("cuobjdump", "/*0090*/  LDG.E.128 R4, [R2] ;\n")
    assert "in the compiled code" in requirement_runs.run("code: LDG.E.128", Path("x"), ())
    tools("cuobjdump", "/*0090*/  LDG.E R4, [R2] ;\n")
    with pytest.raises(requirement_runs.NotYetError, match="no LDG.E.128"):
        requirement_runs.run("code: LDG.E.128", Path("x"), ())


def test_counter_must_stay_below_its_limit(tools):
    tools("ncu", "  turn (1, 1, 1)\n    conflicts.sum                              12\n")
    assert "12, at most 100" in requirement_runs.run(COUNT, Path("x"), ())
    tools("ncu", "    conflicts.sum           12\n    conflicts.sum       5,952\n")
    with pytest.raises(requirement_runs.NotYetError, match="conflicts.sum 5952, wanted at most 100"):
        requirement_runs.run(COUNT, Path("x"), ())


def test_kernel_that_never_ran_is_no_solution(tools):
    tools("ncu", "==WARNING== No kernels were profiled.\n")
    with pytest.raises(requirement_runs.NotYetError, match="no kernel called turn"):
        requirement_runs.run(COUNT, Path("x"), ())


def test_counters_that_nobody_may_read_are_not_held_against_the_learner(tools):
    tools("ncu", "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n")
    assert "not permitted" in requirement_runs.run(COUNT, Path("x"), ())


def test_tool_that_is_not_there_is_said(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(requirement_runs.CannotJudgeError, match="ncu, which must look too, is not on the PATH"):
        requirement_runs.run(COUNT, Path("x"), ())


def test_unknown_tool_is_refused(machine):
    listing = machine.copy.parent.parent / "programs/part/page/CMakeLists.txt"
    listing.write_text("lockstep_program(demo EXERCISE TOOLS memchek)\n")
    status, said = machine("list")
    assert status == 2 and "TOOLS memchek: no such tool" in said


@pytest.mark.content
def test_exercises_come_in_the_order_of_the_labs():
    folders = list(dict.fromkeys(program.folder for program in attempts.load(ROOT).values()))
    assert folders[0] == "labs/introduction"
    labs = [folder.startswith("labs/") for folder in folders]
    assert labs == sorted(labs, reverse=True) and folders[labs.count(True) - 1].startswith("labs/debugging/")
