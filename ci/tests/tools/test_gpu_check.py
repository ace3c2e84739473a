"""gpu-check finds what a forged or drifted recording hides, in parts, on machines that may be taken away."""

import json
import shutil
import time
from dataclasses import replace

import pytest

from lockstep.recordings import rerun_record
from lockstep.recordings.rerun_record import Kinds, Seconds

SANITIZERS = ("memcheck", "racecheck", "initcheck", "synccheck")


class Check:
    """A project whose build folder has tests as CMake writes them."""

    def __init__(self, project):
        self.project = project
        self.root = project.root
        self.build = project.root / "build"
        self.results = self.root / "build/gpu-check/1-of-1"
        self.entries: dict[str, tuple[str, str]] = {}
        self.program("demo")

    def program(self, name: str, alone: bool = False) -> None:
        """Adds the tests of a declared program."""
        serial = " RUN_SERIAL ON" if alone else ""
        self.test(f"part.page.{name}", "true", f'LABELS "gpu;recording" SKIP_RETURN_CODE 77{serial}')
        for tool in SANITIZERS:
            self.test(f"{tool}.part.page.{name}", "true", 'LABELS "gpu;sanitize" SKIP_RETURN_CODE 77')

    def test(self, name: str, command: str, properties: str) -> None:
        self.entries[name] = (command, properties)

    def write(self) -> None:
        lines = []
        for name, (command, properties) in self.entries.items():
            lines.append(f'add_test([=[{name}]=] "bash" "-c" [=[{command}]=])')
            lines.append(f"set_tests_properties([=[{name}]=] PROPERTIES {properties})")
        (self.build / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n")

    def record(self) -> None:
        status, printed = self.project.lockstep("record run")
        assert status == 0, printed

    def page(self, text: str, claims: str = "") -> None:
        (self.root / "docs/part/page.rst").write_text(f"Page\n====\n\n{text}\n")
        if claims:
            (self.root / "docs/part/page.claims").write_text(claims)

    def run(self, *arguments: str) -> tuple[int, str]:
        self.write()
        return self.project.lockstep("gpu-check run", "--no-build", *arguments)

    def merge(self, *folders: str) -> tuple[int, str]:
        process = self.project.start_bare("gpu-check", "merge", "--root", str(self.root), *folders)
        printed, _ = process.communicate(timeout=60)
        return process.returncode, printed

    def ran(self, folder: str = "1-of-1") -> list[str]:
        """The tests that ran, in their order."""
        text = (self.root / "build/gpu-check" / folder / "results.jsonl").read_text()
        return [json.loads(line)["test"] for line in text.splitlines() if line]


@pytest.fixture
def check(project):
    return Check(project)


@pytest.fixture
def recorded_check(check):
    check.record()
    return check


def test_all_that_agrees_passes_and_leaves_a_record(recorded_check):
    recorded_check.page(":measured:`demo: read bandwidth`")
    status, printed = recorded_check.run()
    assert status == 0, printed
    assert "gpu-check: passed" in printed and "wrote docs/rerun.json; commit it" in printed
    record = json.loads((recorded_check.root / "docs/rerun.json").read_text())
    assert record["gpu"].startswith("NVIDIA H200") and record["driver"] == "580.1"
    assert record["tests"]["sanitize"] == {
        "tests": 4, "passed": 4, "failed": 0, "skipped": 0, "not_run": 0, "dates": [record["date"]]
    }  # fmt: skip
    assert (record["numbers"], record["failed"], record["skipped"]) == (1, [], [])
    assert record["seconds"]["part/page/demo"]["recording"] >= 0
    assert recorded_check.project.lockstep("record stale") == (0, "1 transcripts are fresh\n")


def test_without_a_gpu_nothing_runs(recorded_check):
    recorded_check.project.gpu()
    assert recorded_check.run() == (1, "gpu-check: this machine has no usable GPU\n")


def forge(check, old: str, new: str) -> None:
    """Edits an output and makes key and digest fit, as someone who wants to deceive would."""
    code = (
        "import sys; from pathlib import Path\n"
        "from lockstep.programs import cmake_lists; from lockstep.recordings import keys, transcripts\n"
        "program = cmake_lists.programs(Path(sys.argv[1]))['part/page/demo']\n"
        "found = transcripts.parse(program.console.read_text().replace(sys.argv[2], sys.argv[3]))\n"
        "born = {name: text for name, text in found.provenance.items() if name not in ('key', 'output', 'sources')}\n"
        "program.console.write_text(transcripts.serialize(keys.sealed(program, found, born)))\n"
    )
    check.project.python(code, str(check.root), old, new)
    assert check.project.lockstep("record stale")[0] == 0, "the forgery is good"


def test_forged_measured_number_is_found(recorded_check):
    forge(recorded_check, "~3.91", "~39.1")
    status, printed = recorded_check.run()
    assert status == 1
    assert "read bandwidth: was ~39.1, is ~3.91 TB/s: a factor of 10 apart, allowed is a factor of 2" in printed
    assert "record again, or declare a wider one: # factor: PATTERN N -- REASON" in printed


def test_forged_exact_number_is_found(recorded_check):
    forge(recorded_check, "elements       5", "elements       7")
    status, printed = recorded_check.run()
    assert status == 1 and "was: elements 7" in printed


def test_number_on_a_page_that_a_second_run_does_not_confirm_is_found(recorded_check):
    recorded_check.page(":measured:`double`", '[measured]\ndouble = \'2 * value("demo", "read bandwidth")\'\n')
    assert recorded_check.run()[0] == 0
    forge(recorded_check, "~3.91", "~39.1")
    assert "docs/part/page.rst:4: :measured:`double`: was ~78.2, is ~7.82" in recorded_check.run()[1]


def test_claim_is_evaluated_on_what_was_printed_now(recorded_check):
    recorded_check.page("Fast.", "[claims]\n'it is fast' = 'value(\"demo\", \"read bandwidth\") > 3.5'\n")
    recorded_check.project.prints("echo 'elements       5'", "echo 'read bandwidth ~3.11 TB/s'")
    status, printed = recorded_check.run()
    assert status == 1
    assert 'does not hold: "it is fast"' in printed and "(in the re-run)" in printed


def two_gpus(check) -> None:
    """A second program that was recorded on a machine with two GPUs, and a claim about it."""
    project = check.project
    project.gpu("NVIDIA H200, 9.0, 580.1", "NVIDIA H200, 9.0, 580.1")
    project.add("pair", "echo 'rate   ~5.00 GB/s'", declared="MIN_GPUS 2")
    check.program("pair")
    check.record()
    check.page("Both: :measured:`pair: rate`", "[claims]\n'two are fast' = 'value(\"pair\", \"rate\") > 4'\n")


def test_claim_about_a_program_that_did_not_run_is_not_evaluated(check):
    two_gpus(check)
    check.project.gpu("NVIDIA H200, 9.0, 580.1")
    status, printed = check.run()
    assert status == 0, printed
    reason = "it needs 2 GPUs, this machine has 1"
    assert f"skipped: 1 tests: {reason}" in printed
    assert f'not evaluated: docs/part/page.claims:2: "two are fast": {reason}' in printed
    assert f"not evaluated: docs/part/page.rst:4: :measured:`pair: rate`: {reason}" in printed
    record = json.loads((check.root / "docs/rerun.json").read_text())
    assert record["skipped"] == [{"test": "part.page.pair", "reason": reason}]
    assert len(record["not_evaluated"]) == 2 and record["numbers"] == 0


def test_claim_about_a_program_that_broke_fails(check):
    two_gpus(check)
    check.project.built.with_name("pair").unlink()
    status, printed = check.run()
    assert status == 1
    assert '"two are fast": not evaluated, since part/page/pair left no output; see why its test failed' in printed


def test_skip_without_a_reason_fails(recorded_check):
    recorded_check.test("memcheck.part.page.demo", "exit 77", 'LABELS "gpu;sanitize" SKIP_RETURN_CODE 77')
    status, printed = recorded_check.run()
    assert status == 1
    assert (
        "memcheck.part.page.demo: FAILED\n  skipped without a reason: said nothing; let it say what it needs" in printed
    )


def test_skip_with_a_reason_is_reported(recorded_check):
    recorded_check.test(
        "memcheck.part.page.demo", "echo needs a newer driver; exit 77", 'LABELS "gpu;sanitize" SKIP_RETURN_CODE 77'
    )
    status, printed = recorded_check.run()
    assert status == 0 and "skipped: 1 tests: needs a newer driver" in printed


def test_disabled_test_fails(recorded_check):
    recorded_check.test("memcheck.part.page.demo", "true", 'LABELS "gpu;sanitize" DISABLED ON')
    status, printed = recorded_check.run()
    assert status == 1
    assert "memcheck.part.page.demo: has CTest's property DISABLED; remove it, or declare UNRECORDED" in printed


def test_missing_sanitizer_test_fails(recorded_check):
    del recorded_check.entries["racecheck.part.page.demo"]
    status, printed = recorded_check.run()
    assert status == 1
    assert "part/page/demo: has no racecheck test; declare SKIP_SANITIZER racecheck with SKIP_REASON" in printed


def test_sanitizer_that_is_declared_as_skipped_may_miss(check):
    check.project.list.write_text('lockstep_program(demo SKIP_SANITIZER racecheck SKIP_REASON "no shared memory")\n')
    check.record()
    del check.entries["racecheck.part.page.demo"]
    assert check.run()[0] == 0


def test_program_that_was_left_out_fails(recorded_check):
    recorded_check.entries.clear()
    recorded_check.test("other", "true", "LABELS exits")
    status, printed = recorded_check.run()
    assert status == 1
    assert "part/page/demo: is declared, but has no test here; install the libraries that it links" in printed


def test_program_that_was_left_out_and_could_not_run_is_skipped_with_the_reason(check):
    two_gpus(check)
    for name in [name for name in check.entries if name.endswith("pair")]:
        del check.entries[name]
    check.project.gpu("NVIDIA H200, 9.0, 580.1")
    status, printed = check.run()
    assert status == 0, printed
    assert "part.page.pair: skipped (0.0 s): it needs 2 GPUs, this machine has 1" in printed


def test_test_of_no_program_fails(recorded_check):
    recorded_check.test("memcheck.part.page.gone", "true", 'LABELS "gpu;sanitize"')
    assert "memcheck.part.page.gone: needs a GPU, but is no test of a declared program" in recorded_check.run()[1]


def test_what_fails_beside_others_runs_again_alone(recorded_check):
    once = "test -e again || { touch again; echo disturbed; exit 1; }"
    recorded_check.test("memcheck.part.page.demo", once, 'LABELS "gpu;sanitize"')
    status, printed = recorded_check.run()
    assert status == 0, printed
    assert recorded_check.ran().count("memcheck.part.page.demo") == 2
    assert recorded_check.ran()[-1] == "memcheck.part.page.demo"


def test_what_measures_runs_alone(check):
    check.program("demo", alone=True)
    check.record()
    busy = "touch busy; sleep 0.5; rm busy"
    check.test("memcheck.part.page.demo", busy, 'LABELS "gpu;sanitize"')
    check.project.prints(
        f"test -e {check.build}/busy && exit 3", "echo 'elements       5'", "echo 'read bandwidth ~3.91 TB/s'"
    )
    status, printed = check.run("--jobs", "8")
    assert status == 0, printed
    assert check.ran()[-1] == "part.page.demo" and len(check.ran()) == 5


def test_resume_runs_only_what_is_missing_or_changed(recorded_check):
    recorded_check.test("memcheck.part.page.demo", "exit 1", 'LABELS "gpu;sanitize"')
    assert recorded_check.run()[0] == 1
    before = len(recorded_check.ran())
    recorded_check.test("memcheck.part.page.demo", "true", 'LABELS "gpu;sanitize"')
    status, printed = recorded_check.run("--resume")
    assert status == 0, printed
    assert "== 1 tests, 4 passed before" in printed
    assert recorded_check.ran()[before:] == ["memcheck.part.page.demo"]
    recorded_check.project.build()
    assert "== 0 tests, 5 passed before" in recorded_check.run("--resume")[1], "built again from the same sources"
    recorded_check.project.source.write_text(recorded_check.project.source.read_text() + "int more;\n")
    assert "== 5 tests\n" in recorded_check.run("--resume")[1]


def test_kinds_that_run_one_after_the_other_count_together(recorded_check):
    assert recorded_check.run("--kind", "recording")[0] == 0
    status, printed = recorded_check.run("--resume", "--kind", "sanitize")
    assert status == 0, printed
    assert "recording    1 tests: 1 passed" in printed and "sanitize     4 tests: 4 passed" in printed


def test_resume_goes_on_elsewhere_but_not_on_another_kind_of_machine(recorded_check):
    recorded_check.run()
    moved = recorded_check.root / "brought"
    shutil.copytree(recorded_check.results, moved)
    where = ("--resume", "--results", str(moved))
    assert "== 0 tests, 5 passed before" in recorded_check.run(*where)[1]
    recorded_check.project.gpu("NVIDIA H100, 9.0, 580.1")
    (recorded_check.root / "docs/rerun.json").unlink()
    assert "== 5 tests\n" in recorded_check.run(*where)[1]


def test_without_resume_all_runs_again(recorded_check):
    recorded_check.run()
    recorded_check.run()
    assert len(recorded_check.ran()) == 5


def test_results_survive_when_the_machine_is_taken_away(recorded_check):
    slow = 'LABELS "gpu;sanitize"'
    recorded_check.test("memcheck.part.page.demo", "sleep 60", slow)
    recorded_check.write()
    process = recorded_check.project.start("gpu-check run", "--no-build", "--jobs", "2")
    log = recorded_check.results / "results.jsonl"
    end = time.monotonic() + 20
    while time.monotonic() < end and not (log.exists() and len(recorded_check.ran()) >= 4):
        time.sleep(0.1)
    process.kill()
    process.wait()
    with log.open("a") as file:
        file.write('\n{"test": "memch')
    recorded_check.test("memcheck.part.page.demo", "true", slow)
    status, printed = recorded_check.run("--resume")
    assert status == 0, printed
    assert "== 1 tests, 4 passed before" in printed


@pytest.fixture
def three(check):
    """Three programs, recorded."""
    project = check.project
    for name in ("second", "third"):
        project.add(name, f"echo '{name} ~5.00 GB/s'")
        check.program(name)
    check.record()
    return check


def test_shards_are_merged_into_one_record(three):
    three.page("", '[claims]\n\'alike\' = \'value("second", "second") == value("third", "third")\'\n')
    for shard in ("1/3", "2/3", "3/3"):
        status, printed = three.run("--shard", shard)
        assert status == 0, printed
        assert "10 tests belong to other shards" in printed
        assert "not evaluated: 1 numbers and claims that need programs of other shards" in printed
    assert not (three.root / "docs/rerun.json").exists()
    folders = [str(three.root / f"build/gpu-check/{i}-of-3") for i in (1, 2, 3)]
    status, printed = three.merge(*folders)
    assert status == 0, printed
    record = json.loads((three.root / "docs/rerun.json").read_text())
    assert record["tests"]["recording"]["passed"] == 3 and record["claims"] == 1
    assert record["not_evaluated"] == []


def test_merge_says_which_shards_are_missing(three):
    three.run("--shard", "1/3")
    status, printed = three.merge(str(three.root / "build/gpu-check/1-of-3"))
    assert "10 tests belong to other shards" in printed
    assert not (three.root / "docs/rerun.json").exists()


def test_merge_finds_an_interrupted_shard(three):
    three.run()
    log = three.results / "results.jsonl"
    log.write_text("\n".join(line for line in log.read_text().splitlines() if '"part.page.third"' not in line))
    (three.root / "docs/rerun.json").unlink()
    status, printed = three.merge(str(three.results))
    assert status == 1
    assert "1 tests did not run, part.page.third among them; go on with: python3 ci gpu-check run --resume" in printed
    assert not (three.root / "docs/rerun.json").exists()


def test_merge_refuses_shards_of_two_states(three):
    three.run("--shard", "1/2")
    three.project.prints("echo 'elements       6'")
    three.record()
    three.run("--shard", "2/2")
    status, printed = three.merge(*(str(three.root / f"build/gpu-check/{i}-of-2") for i in (1, 2)))
    assert status == 1 and "are of two states of the project; run the older one again" in printed


def test_merge_wants_folders_of_results(three):
    status, printed = three.merge(str(three.root))
    assert status == 1 and "name folders that gpu-check run --results wrote" in printed


def test_each_test_sees_one_of_two_gpus_and_all_if_it_needs_them(check):
    two_gpus(check)
    seen = check.build / "seen"
    for name in ("demo", "pair"):
        for tool in SANITIZERS:
            told = f"sleep 0.2; echo {name} $CUDA_VISIBLE_DEVICES >> {seen}"
            check.test(f"{tool}.part.page.{name}", told, 'LABELS "gpu;sanitize"')
    status, printed = check.run("--jobs", "4")
    assert status == 0, printed
    assert set(seen.read_text().split("\n")) == {"demo 0", "demo 1", "pair", ""}


def test_two_that_measure_run_side_by_side_on_two_gpus(check):
    check.project.gpu("NVIDIA H200, 9.0, 580.1", "NVIDIA H200, 9.0, 580.1")
    check.project.add("other", "true")
    check.program("demo", alone=True)
    check.program("other", alone=True)
    lines = {"demo": ["echo 'elements       5'"], "other": ["echo other"]}
    for name, line in lines.items():
        check.project._script(check.project.root / f"build/{name}.sh", *line)
    check.project.build()
    check.record()
    meet = "touch {0}/on.$CUDA_VISIBLE_DEVICES; for i in $(seq 300); do test -e {0}/on.{1} && break; sleep 0.1; done"
    for name, line in lines.items():
        waits = f"case $CUDA_VISIBLE_DEVICES in 0) o=1;; *) o=0;; esac; {meet.format(check.build, '$o')}"
        check.project._script(check.project.root / f"build/{name}.sh", waits, f"test -e {check.build}/on.$o", *line)
    check.project.build()
    began = time.monotonic()
    status, printed = check.run("--kind", "recording")
    assert status == 0, printed
    assert time.monotonic() - began < 25, "they met"


def test_kind_runs_only_such_tests(recorded_check):
    assert "4 tests belong to other shards" in recorded_check.run("--kind", "recording")[1]
    assert recorded_check.ran() == ["part.page.demo"]
    assert "== 4 tests, 1 passed before" in recorded_check.run("--resume")[1]


def test_nothing_begins_after_the_time_that_was_given(recorded_check):
    status, printed = recorded_check.run("--stop-after", "0")
    assert status == 1 and "5 tests did not run" in printed
    assert not (recorded_check.results / "results.jsonl").exists()
    assert recorded_check.run("--resume", "--stop-after", "100")[0] == 0


def test_other_numbers_of_another_model_are_skipped_and_said(recorded_check):
    recorded_check.page("", "[claims]\n'it is fast' = 'value(\"demo\", \"read bandwidth\") > 3.5'\n")
    recorded_check.project.gpu("NVIDIA H100, 9.0, 580.1")
    assert recorded_check.run()[0] == 0, "the same output is a pass on any model"
    recorded_check.project.prints("echo 'elements       5'", "echo 'read bandwidth ~1.11 TB/s'")
    status, printed = recorded_check.run()
    assert status == 0, printed
    reason = "recorded on NVIDIA H200, and this NVIDIA H100 prints otherwise"
    assert f"skipped: 1 tests: {reason}\n" in printed
    assert f'not evaluated: docs/part/page.claims:2: "it is fast": {reason}' in printed
    result = [
        line for line in (recorded_check.results / "results.jsonl").read_text().splitlines() if "otherwise" in line
    ]
    assert "read bandwidth: was ~3.91, is ~1.11 TB/s" in result[0], "what differs is kept"


def test_another_model_that_ends_otherwise_fails(recorded_check):
    recorded_check.project.gpu("NVIDIA H100, 9.0, 580.1")
    recorded_check.project.prints("echo 'elements       5'", "exit 1")
    status, printed = recorded_check.run()
    assert status == 1 and "exit status was 0, is 1" in printed


def test_merge_prefers_what_ran_to_what_a_machine_had_to_skip(check):
    two_gpus(check)
    assert check.run("--results", str(check.root / "build/gpu-check/two"))[0] == 0
    check.project.gpu("NVIDIA H200, 9.0, 580.1")
    assert check.run("--results", str(check.root / "build/gpu-check/one"))[0] == 0
    for order in (("one", "two"), ("two", "one")):
        status, printed = check.merge(*(str(check.root / f"build/gpu-check/{name}") for name in order))
        assert status == 0, printed
        assert "skipped" not in printed.partition("recording")[0]


def test_merge_writes_the_record_of_an_incomplete_run_if_asked(three):
    three.run("--kind", "recording")
    folder = str(three.results)
    assert "wrote" not in three.merge(folder)[1]
    status, printed = three.merge("--incomplete", folder)
    assert status == 0 and "wrote docs/rerun.json" in printed
    record = json.loads((three.root / "docs/rerun.json").read_text())
    assert record["tests"]["sanitize"] == {
        "tests": 12,
        "passed": 0,
        "failed": 0,
        "skipped": 0,
        "not_run": 12,
        "dates": [],
    }
    assert record["failed"] == []


def test_what_failed_beside_others_says_nothing_until_it_ran_alone(recorded_check):
    recorded_check.test("memcheck.part.page.demo", "sleep 1.5; exit 1", 'LABELS "gpu;sanitize"')
    status, printed = recorded_check.run("--stop-after", "1")
    assert status == 1
    assert "memcheck.part.page.demo: failed, runs again alone" in printed
    assert "1 tests did not run, memcheck.part.page.demo among them" in printed
    assert "sanitize     4 tests: 3 passed, 0 failed, 0 skipped" in printed


def test_claims_that_another_model_breaks_are_noted_and_no_failure(recorded_check):
    project = recorded_check.project
    recorded_check.page(
        "Fast: :measured:`double`",
        "[measured.double]\nis = '2 * value(\"demo\", \"read bandwidth\")'\nformat = '{:.2f}'\n"
        "[claims]\n'it is fast' = 'value(\"demo\", \"read bandwidth\") > 3.5'\n",
    )
    project.prints("echo 'elements       5'", "echo 'read bandwidth ~3.11 TB/s'")
    assert recorded_check.run()[0] == 1
    project.gpu("NVIDIA H100, 9.0, 580.1")
    status, printed = recorded_check.run()
    assert status == 0, printed
    assert 'another model of GPU: docs/part/page.rst: does not hold: "it is fast"\n' in printed
    record = json.loads((recorded_check.root / "docs/rerun.json").read_text())
    assert record["otherwise"] == [{"page": "part/page", "what": 'does not hold: "it is fast"'}]


def test_program_that_asks_for_free_memory_runs_alone(check):
    check.project.source.write_text(check.project.source.read_text() + "// cudaMemGetInfo(&free, &all);\n")
    check.project.build()
    check.record()
    check.test("memcheck.part.page.demo", "sleep 0.5", 'LABELS "gpu;sanitize"')
    assert check.run("--jobs", "8")[0] == 0
    assert check.ran()[-1] == "part.page.demo"


def test_a_factor_that_is_declared_later_needs_no_other_run(recorded_check):
    recorded_check.project.prints("echo 'elements       5'", "echo 'read bandwidth ~1.11 TB/s'")
    assert recorded_check.run()[0] == 1
    console = recorded_check.project.page / "demo.console"
    console.write_text(console.read_text().replace("$ ./demo", "# factor: ^read bandwidth 4 -- a test\n$ ./demo", 1))
    status, printed = recorded_check.merge(str(recorded_check.results))
    assert status == 0, printed


def test_computed_number_with_thousands_is_one_number(recorded_check):
    recorded_check.page(
        "Many: :measured:`many`",
        "[measured.many]\nis = '1070 * value(\"demo\", \"read bandwidth\")'\nformat = '{:,.0f}'\n",
    )
    recorded_check.project.prints("echo 'elements       5'", "echo 'read bandwidth ~3.31 TB/s'")
    status, printed = recorded_check.run()
    assert status == 0, printed  # 4,184 and 3,542


def record_of(check) -> dict:
    return json.loads((check.root / "docs/rerun.json").read_text())


def day_before(check) -> None:
    """The record as if it were of another day and machine, and no folder of results."""
    record, day = rerun_record.load(check.root), "2026-11-01"
    ended = {path: [name for names in ran.ended.values() for name in names] for path, ran in record.programs.items()}
    changed = replace(
        record,
        gpu="NVIDIA GB200",
        date=day,
        tests=Kinds(*(replace(counts, dates=(day,) if counts.ended else ()) for counts in record.tests.all)),
        seconds={"part/page/demo": Seconds(7.0, 1.0)},
        programs={path: replace(ran, ended={day: ended[path]}) for path, ran in record.programs.items()},
    )
    rerun_record.write(check.root, changed)
    shutil.rmtree(check.root / "build/gpu-check")


def test_resume_goes_on_from_the_committed_record(three):
    three.page(
        ":measured:`demo: read bandwidth`", "[claims]\n'it is fast' = 'value(\"demo\", \"read bandwidth\") > 3.5'\n"
    )
    three.run("--kind", "recording")
    assert three.merge("--incomplete", str(three.results))[0] == 0
    day_before(three)
    status, printed = three.run("--resume")
    assert status == 0, printed
    assert "== 12 tests, 3 passed before" in printed and "3 tests ended before, as docs/rerun.json says" in printed
    record = record_of(three)
    assert record["tests"]["recording"] == {
        "tests": 3, "passed": 3, "failed": 0, "skipped": 0, "not_run": 0, "dates": ["2026-11-01"]
    }  # fmt: skip
    assert record["tests"]["sanitize"]["passed"] == 12 and record["tests"]["sanitize"]["dates"] > ["2026-11-01"]
    assert record["gpu"].startswith("NVIDIA GB200, NVIDIA H200") and record["date"] > "2026-11-01"
    assert (record["numbers"], record["claims"], record["not_evaluated"]) == (1, 1, [])
    assert record["seconds"]["part/page/demo"]["recording"] == 7


def test_what_was_recorded_since_the_record_runs_again(three):
    assert three.run()[0] == 0
    day_before(three)
    three.project.prints("echo 'elements       6'")
    three.record()
    status, printed = three.run("--resume")
    assert status == 0, printed
    assert "== 5 tests, 10 passed before" in printed
    assert record_of(three)["tests"]["recording"]["dates"][0] == "2026-11-01"
    assert len(record_of(three)["tests"]["recording"]["dates"]) == 2


def test_what_failed_in_the_record_runs_again_and_stands_until_it_did(three):
    three.test("memcheck.part.page.demo", "exit 1", 'LABELS "gpu;sanitize"')
    assert three.run()[0] == 1
    day_before(three)
    status, printed = three.run("--resume", "--kind", "exercise")
    assert status == 1 and "memcheck.part.page.demo: FAILED" in printed
    assert record_of(three)["failed"] == ["memcheck.part.page.demo"]
    three.test("memcheck.part.page.demo", "true", 'LABELS "gpu;sanitize"')
    status, printed = three.run("--resume")
    assert status == 0 and "== 1 tests, 14 passed before" in printed
    assert record_of(three)["failed"] == []


def test_page_stands_as_the_record_says_until_its_programs_run_again(recorded_check):
    project = recorded_check.project
    recorded_check.page("", "[claims]\n'it is fast' = 'value(\"demo\", \"read bandwidth\") > 3.5'\n")
    project.prints("echo 'elements       5'", "echo 'read bandwidth ~3.11 TB/s'")
    project.gpu("NVIDIA H100, 9.0, 580.1")
    assert recorded_check.run("--kind", "recording")[0] == 0
    assert recorded_check.merge("--incomplete", str(recorded_check.results))[0] == 0
    then = record_of(recorded_check)
    day_before(recorded_check)
    assert recorded_check.run("--resume", "--kind", "sanitize")[0] == 0
    now = record_of(recorded_check)
    for name in ("otherwise", "deviations", "pages", "numbers", "claims"):
        assert then[name] == now[name] != [], name
    assert now["otherwise"] and now["deviations"]
    recorded_check.page("", "[claims]\n'it is not slow' = 'value(\"demo\", \"read bandwidth\") > 1'\n")
    assert recorded_check.run("--resume", "--kind", "sanitize")[0] == 0
    assert record_of(recorded_check)["otherwise"] == []  # the page no longer says so
    project.prints("echo 'elements       5'", "echo 'read bandwidth ~3.91 TB/s'")
    assert recorded_check.run()[0] == 0
    assert record_of(recorded_check)["otherwise"] == []


def test_without_resume_the_record_counts_for_nothing(three):
    assert three.run()[0] == 0
    day_before(three)
    assert "== 3 tests\n" in three.run("--kind", "recording")[1]
    assert record_of(three)["date"] == "2026-11-01", "an incomplete run leaves it as it was"


def test_skip_of_a_program_that_is_declared_unrecorded_has_its_reason(check):
    check.project.list.write_text('lockstep_program(demo UNRECORDED "it is the property of Grace")\n')
    check.project.lockstep("program list")
    check.test("memcheck.part.page.demo", "echo is not here; exit 77", 'LABELS "gpu;sanitize"')
    status, printed = check.run("--kind", "sanitize")
    assert "skipped: 1 tests: not recorded: it is the property of Grace" in printed
    assert "memcheck.part.page.demo: FAILED" not in printed


def test_programs_that_draw_run_first_and_see_all_gpus(check):
    check.project.gpu("NVIDIA H200, 9.0, 580.1", "NVIDIA H200, 9.0, 580.1")
    check.project.add("drawing", "echo gpus ${CUDA_VISIBLE_DEVICES:-all}", declared="LIBS OpenGL::EGL")
    check.program("drawing")
    check.record()
    status, printed = check.run("--jobs", "4")
    assert status == 0, printed
    assert check.ran()[0] == "part.page.drawing"
