"""The recorder keeps its promises: nothing stale, nothing typed by hand, nothing lost."""

import tarfile
import time

import pytest


def test_first_recording_holds_output_and_birth_certificate(recorded):
    text = recorded.console.read_text()
    assert "# gpu: NVIDIA H200 (compute capability 9.0, 1 GPU)" in text
    assert "# driver: 580.1" in text
    assert "$ ./demo\nelements       5\nread bandwidth ~3.91 TB/s\n" in text
    assert recorded.lockstep("record stale") == (0, "1 transcripts are fresh\n")


def test_check_agrees_right_after_recording(recorded):
    assert recorded.lockstep("gpu-check program") == (0, "part/page/demo: agrees\n")


def test_changed_source_is_stale(recorded):
    recorded.edit(recorded.source, "5", "6")
    status, printed = recorded.lockstep("record stale")
    assert status == 1
    assert "programs/part/page/demo.console: stale" in printed
    assert "make record PROGRAM=demo" in printed


def test_changed_comment_is_not_stale(recorded):
    recorded.edit(recorded.source, "// What does it print? A number.", "// Which number\n// does it print?\n")
    recorded.edit(recorded.header, "/// Prints a line.", "/* Prints\n one line. */")
    assert recorded.lockstep("record stale")[0] == 0


def test_moved_lines_are_stale_when_the_output_names_lines(project):
    project.prints("echo 'demo.cu:4: it failed'")
    project.lockstep("record run")
    project.edit(project.source, "// [body]", "\n// [body]")
    assert "stale" in project.lockstep("record stale")[1]


def test_changed_header_is_stale(recorded):
    recorded.edit(recorded.header, "int value", "long value")
    assert "stale" in recorded.lockstep("record stale")[1]


def test_changed_option_of_the_program_is_stale(recorded):
    recorded.edit(recorded.list, "demo", "demo OPTIONS --extended-lambda")
    assert "stale" in recorded.lockstep("record stale")[1]


def test_changed_command_is_stale(recorded):
    recorded.edit(recorded.console, "$ ./demo", "$ ./demo --n 5")
    assert "stale" in recorded.lockstep("record stale")[1]


def test_changed_rule_of_what_may_vary_is_stale(recorded):
    recorded.edit(recorded.console, "$ ./demo", "# varies: rate \\d+ -- it may\n$ ./demo")
    assert "stale: its commands, or what may vary in their output, changed" in recorded.lockstep("record stale")[1]


def test_output_edited_by_hand_is_found(recorded):
    recorded.edit(recorded.console, "~3.91", "~4.91")
    status, printed = recorded.lockstep("record stale")
    assert status == 1
    assert "edited by hand" in printed


def test_missing_transcript_is_found(recorded):
    recorded.console.unlink()
    status, printed = recorded.lockstep("record stale")
    assert status == 1
    assert "never recorded" in printed


def test_transcript_with_commands_only_is_found(project):
    project.console.write_text("$ ./demo\n")
    assert "no recorded output" in project.lockstep("record stale")[1]


def test_silent_program_is_found(project):
    project.prints("true")
    project.lockstep("record run")
    assert "empty" in project.lockstep("record stale")[1]


def test_changed_output_fails_the_check(recorded):
    recorded.prints("echo 'elements       6'", "echo 'read bandwidth ~3.91 TB/s'")
    status, printed = recorded.lockstep("gpu-check program")
    assert status == 1
    assert "was: elements 5" in printed
    assert "is:  elements 6" in printed


def test_only_measured_numbers_may_differ(recorded):
    before = recorded.console.read_text()
    recorded.prints("echo 'elements       5'", "echo 'read bandwidth ~4.71 TB/s'")
    assert recorded.lockstep("gpu-check program")[0] == 0
    assert recorded.lockstep("record run") == (0, "part/page/demo: unchanged\n")
    assert recorded.console.read_text() == before
    assert recorded.lockstep("record run", "--refresh") == (0, "part/page/demo: recorded\n")
    assert "~4.71 TB/s" in recorded.console.read_text()


def test_measured_number_that_moved_too_far_fails_the_check_and_is_recorded(recorded):
    recorded.prints("echo 'elements       5'", "echo 'read bandwidth ~12.7 TB/s'")
    status, printed = recorded.lockstep("gpu-check program")
    assert status == 1
    assert "read bandwidth: was ~3.91, is ~12.7 TB/s: a factor of 3.25 apart, allowed is a factor of 2" in printed
    assert recorded.lockstep("record run") == (0, "part/page/demo: recorded\n")
    assert recorded.lockstep("gpu-check program")[0] == 0


def test_declared_factor_needs_no_new_recording(recorded):
    recorded.edit(recorded.console, "$ ./demo", "# factor: ^read 4 -- the first run reads a cold cache\n$ ./demo")
    recorded.prints("echo 'elements       5'", "echo 'read bandwidth ~12.7 TB/s'")
    assert recorded.lockstep("record stale")[0] == 0
    assert recorded.lockstep("gpu-check program")[0] == 0
    assert recorded.lockstep("record run", "--refresh")[0] == 0
    assert "# factor: ^read 4 -- the first run reads a cold cache\n" in recorded.console.read_text()


def test_arbitrary_number_may_be_anything_if_declared(project):
    project.console.write_text("# factor: ^clock any -- a clock begins anywhere\n$ ./demo\n")
    project.prints("echo 'clock  ~5'")
    project.lockstep("record run")
    project.prints("echo 'clock  ~98765432109'")
    assert project.lockstep("gpu-check program")[0] == 0
    project.edit(project.console, "^clock any", "^other any")
    assert "allowed is a factor of 10" in project.lockstep("gpu-check program")[1]


@pytest.mark.parametrize("header", ["clock any", "clock 0.5 -- why", "3 -- why", "clock -- why", "( 3 -- why"])
def test_factor_that_says_nothing_is_refused(project, header):
    project.console.write_text(f"# factor: {header}\n$ ./demo\n")
    status, printed = project.lockstep("record run")
    assert status == 1 and "demo.console:1: " in printed


def test_program_that_stops_failing_fails_the_check(project):
    project.prints("echo 'demo: no'; exit 2")
    project.console.write_text("$ ./demo\n[exit status 2]\n")
    project.lockstep("record run")
    assert "demo: no\n[exit status 2]" in project.console.read_text()
    project.prints("echo 'demo: no'")
    status, printed = project.lockstep("gpu-check program")
    assert status == 1
    assert "it no longer fails as shown" in printed


@pytest.mark.parametrize(("ending", "shown"), [("exit 1", "exit status 1"), ("kill -SEGV $$", "exit status 139")])
def test_failure_that_nobody_expects_is_not_recorded(project, ending, shown):
    project.prints("echo 'elements 5'", ending)
    status, printed = project.lockstep("record run")
    assert status == 1
    assert shown in printed
    assert not project.console.exists()


def test_program_that_starts_failing_is_not_recorded(recorded):
    before = recorded.console.read_text()
    recorded.prints("exit 1")
    assert recorded.lockstep("record run", "--refresh")[0] == 1
    assert recorded.console.read_text() == before


def test_skip_without_reason_is_a_failure(recorded):
    recorded.prints("exit 77")
    status, printed = recorded.lockstep("gpu-check program")
    assert status == 1
    assert "declare UNRECORDED with the reason" in printed


def test_unrecorded_program_says_why(project):
    project.list.write_text('lockstep_program(demo UNRECORDED "needs Windows")\n')
    for verb in ("record run", "gpu-check program"):
        assert project.lockstep(verb) == (0, "part/page/demo: not recorded: needs Windows\n")
    assert not project.console.exists()
    assert project.lockstep("record stale") == (0, "1 transcripts are fresh\n")


def test_transcript_of_an_unrecorded_program_must_go(recorded):
    recorded.list.write_text('lockstep_program(demo UNRECORDED "needs Windows")\n')
    status, printed = recorded.lockstep("record stale")
    assert status == 1 and "demo is declared UNRECORDED; remove the file" in printed


def test_unrecorded_needs_a_reason(project):
    project.list.write_text('lockstep_program(demo UNRECORDED " ")\n')
    status, printed = project.lockstep("record stale")
    assert status == 1 and "UNRECORDED needs a reason" in printed


def test_unordered_output_may_come_in_any_order_only_if_declared(project):
    project.prints("echo first; echo second")
    project.lockstep("record run")
    project.prints("echo second; echo first")
    assert project.lockstep("gpu-check program")[0] == 1
    project.console.write_text("# unordered: blocks run in any order\n$ ./demo\n")
    project.lockstep("record run")
    project.prints("echo first; echo second")
    assert project.lockstep("gpu-check program")[0] == 0


def test_what_may_vary_needs_a_reason(project):
    project.console.write_text("# varies: 0x[0-9a-f]+\n$ ./demo\n")
    status, printed = project.lockstep("record run")
    assert status == 1
    assert "demo.console:1: cannot read this header" in printed


def test_declared_pattern_may_vary(project):
    project.console.write_text("# varies: 0x[0-9a-f]+ -- addresses differ\n$ ./demo\n")
    project.prints("echo at 0xbeef")
    project.lockstep("record run")
    project.prints("echo at 0xcafe")
    assert project.lockstep("gpu-check program")[0] == 0


def test_command_that_hangs_is_stopped(project):
    project.list.write_text("lockstep_program(demo TIMEOUT 1)\n")
    project.prints("sleep 30 & sleep 30")
    begin = time.monotonic()
    status, printed = project.lockstep("record run")
    assert status == 1
    assert "still ran after 1 s" in printed
    assert time.monotonic() - begin < 10
    assert not project.console.exists()


def test_recorder_killed_half_way_leaves_the_old_recording(recorded):
    before = recorded.console.read_text()
    recorded.prints("echo half; sleep 20")
    process = recorded.start("record run", "--refresh")
    time.sleep(0.7)
    process.kill()
    process.wait()
    assert recorded.console.read_text() == before
    assert [path.name for path in recorded.page.iterdir() if path.suffix == ".part"] == []


def test_machine_without_gpu_refuses(recorded):
    before = recorded.console.read_text()
    recorded.gpu()
    assert recorded.lockstep("record run") == (77, "cannot record: this machine has no usable GPU\n")
    assert recorded.lockstep("gpu-check program")[0] == 77
    assert recorded.console.read_text() == before


def test_machine_with_too_few_gpus_refuses(project):
    project.list.write_text("lockstep_program(demo MIN_GPUS 2)\n")
    status, printed = project.lockstep("record run")
    assert status == 1
    assert "needs 2 GPUs, this machine has 1" in printed
    assert not project.console.exists()


def test_machine_with_an_older_gpu_refuses(project):
    project.list.write_text("lockstep_program(demo MIN_CC 100)\n")
    status, printed = project.lockstep("record run")
    assert status == 1
    assert "needs compute capability 10.0, this GPU has 9.0" in printed


def test_check_on_a_lesser_machine_is_skipped(project):
    project.gpu("NVIDIA H200, 9.0, 580.1", "NVIDIA H200, 9.0, 580.1")
    project.list.write_text("lockstep_program(demo MIN_GPUS 2)\n")
    project.lockstep("record run")
    project.gpu("NVIDIA H200, 9.0, 580.1")
    status, printed = project.lockstep("gpu-check program")
    assert status == 77
    assert "skipped: it needs 2 GPUs" in printed


def test_program_not_built_says_how_to_build_it(project):
    project.built.unlink()
    assert "is not built; run: cmake --build" in project.lockstep("record run", "--no-build")[1]
    assert project.lockstep("record run")[0] == 0


def test_commands_find_the_download_beside_the_program(project):
    project.console.write_text("$ cat demo.cu\n")
    project.lockstep("record run")
    assert "\nint main" in project.console.read_text() and "#include" not in project.console.read_text()


def test_data_file_is_recorded_under_the_same_key(project):
    project.list.write_text("lockstep_program(demo DATA demo.csv)\n")
    project.prints("printf 'n,~ms\\n1,0.5\\n' > demo.csv", "echo done")
    assert project.lockstep("record run")[0] == 0
    assert (project.page / "demo.csv").read_text() == "n,~ms\n1,0.5\n"
    assert project.lockstep("record stale")[0] == 0
    project.prints("printf 'n,~ms\\n1,0.7\\n' > demo.csv", "echo done")
    assert project.lockstep("gpu-check program")[0] == 0
    project.prints("printf 'n,~ms\\n1,7.5\\n' > demo.csv", "echo done")
    assert "demo.csv ~ms row 1: was ~0.5, is ~7.5 ms: a factor of 15 apart" in project.lockstep("gpu-check program")[1]
    project.prints("printf 'n,~ms\\n2,0.7\\n' > demo.csv", "echo done")
    assert "row 1 column n: was 1, is 2" in project.lockstep("gpu-check program")[1]
    (project.page / "demo.csv").write_text("n,~ms\n1,0.9\n")
    assert "missing or edited by hand" in project.lockstep("record stale")[1]


def test_data_file_that_no_command_wrote_is_a_failure(project):
    project.list.write_text("lockstep_program(demo DATA demo.csv)\n")
    assert "no command wrote demo.csv" in project.lockstep("record run")[1]


def test_data_row_with_a_bare_comma_is_a_failure(project):
    project.list.write_text("lockstep_program(demo DATA demo.csv)\n")
    project.prints("printf 'what,~ms\\ncopy, read,0.5\\n' > demo.csv", "echo done")
    assert "row 1 has 3 columns, the header 2; quote" in project.lockstep("record run")[1]


def test_pack_holds_what_was_recorded(recorded):
    target = recorded.root / "out.tar.gz"
    assert recorded.lockstep("record pack", str(target)) == (0, f"packed 1 files into {target}\n")
    with tarfile.open(target) as archive:
        assert archive.getnames() == ["programs/part/page/demo.console"]


def test_unknown_program_is_one_clear_line(project):
    status, printed = project.lockstep("record run", "nosuch")
    assert status == 2
    assert printed == "record: no program is called nosuch; programs/<part>/<page>/CMakeLists.txt declares them\n"
    assert project.lockstep("record run", "dmeo") == (2, "record: no program is called dmeo; did you mean demo?\n")


def test_several_programs_are_recorded_side_by_side_and_each_sees_one_gpu(project):
    project.gpu("NVIDIA H200, 9.0, 580.1", "NVIDIA H200, 9.0, 580.1")
    project.prints('echo "sees $CUDA_VISIBLE_DEVICES" | tr 01 xx')
    for name in ("second", "third"):
        project.add(name, "echo ready; sleep 0.5")
    project.add("both", 'echo "sees ${CUDA_VISIBLE_DEVICES:-all}"', declared="MIN_GPUS 2")
    status, printed = project.lockstep("record run", "--jobs", "4")
    assert status == 0, printed
    assert "sees x\n" in project.console.read_text() and "capability 9.0, 1 GPU)" in project.console.read_text()
    assert "sees all\n" in (project.page / "both.console").read_text()
    assert "2 GPUs)" in (project.page / "both.console").read_text()


def test_recording_that_runs_out_of_time_leaves_the_rest(project):
    status, printed = project.lockstep("record run", "--stop-after", "0")
    assert status == 77 and "the time is up" in printed and not project.console.exists()
