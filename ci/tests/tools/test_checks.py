"""The small checks fail when they should."""

import subprocess
import sys
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[2]


@pytest.fixture
def exits_of(project):
    """Runs the check of exits on a program that is a shell script."""

    def check(*lines, options=()):
        project.prints(*lines)
        command = [sys.executable, CI, "program", "exits", *options, project.built]
        run = subprocess.run(command, capture_output=True, text=True)
        return run.returncode, run.stdout

    return check


WELL_BEHAVED = (
    'if [ "$1" ]; then echo "demo: unknown argument" >&2; exit 2; fi; echo "no usable CUDA device" >&2; exit 77'
)


def test_a_program_that_ends_as_it_must_passes(exits_of):
    assert exits_of(WELL_BEHAVED) == (0, "")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("exit 77", "exit 0", "without a GPU: exit status 0, not 77"),
        ("exit 2", "exit 1", "bad argument: exit status 1, not 2"),
        ('echo "no usable CUDA device" >&2', "true", "without a GPU: 0 lines on standard error, not 1"),
        (
            'echo "no usable CUDA device" >&2',
            "echo hello; echo no >&2",
            "without a GPU: printed on standard output: hello",
        ),
    ],
)
def test_each_broken_promise_is_named(exits_of, old, new, message):
    status, printed = exits_of(WELL_BEHAVED.replace(old, new))
    assert status == 1
    assert message in printed


def test_a_plain_program_owes_nothing_for_an_argument(exits_of):
    deaf = 'echo "no usable CUDA device" >&2; exit 77'
    assert exits_of(deaf, options=["--plain"]) == (0, "")
    status, printed = exits_of(deaf)
    assert status == 1 and "bad argument: exit status 77, not 2" in printed
    status, printed = exits_of("exit 0", options=["--plain"])
    assert status == 1 and "without a GPU: exit status 0, not 77" in printed


@pytest.fixture
def built_exits(project, monkeypatch):
    """Runs the contract check on a build of one program that notes each run; returns status, report and count of runs."""
    ran = project.root / "ran"
    monkeypatch.setenv("XDG_CACHE_HOME", str(project.root / "cache"))
    (project.root / "build/exits.txt").write_text(f"arguments {project.built}\n")

    def check(*lines):
        if lines:
            project.prints(f"echo >> '{ran}'", *lines)
        command = [sys.executable, CI, "program", "exits", "--build", project.root / "build"]
        run = subprocess.run(command, capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr, len(ran.read_text().splitlines()) if ran.exists() else 0

    return check


def test_a_build_is_checked_once_for_each_content(built_exits):
    assert built_exits(WELL_BEHAVED)[::2] == (0, 2)
    status, said, runs = built_exits()
    assert (status, runs) == (0, 2) and "1 programs keep it, 1 of them known, 0 break it" in said
    assert built_exits("true", WELL_BEHAVED)[::2] == (0, 4)


def test_a_program_that_ends_otherwise_is_run_again(built_exits):
    for runs in (2, 4):
        status, said, ran = built_exits(*([WELL_BEHAVED.replace("exit 77", "exit 0")] if runs == 2 else []))
        assert (status, ran) == (1, runs) and "exit status 0, not 77" in said


def test_a_build_without_a_program_or_with_one_missing_fails(built_exits, project):
    project.built.unlink()
    status, said, _ = built_exits()
    assert status == 1 and "not built; build first" in said
    (project.root / "build/exits.txt").write_text("")
    assert built_exits()[0] == 1
    (project.root / "build/exits.txt").unlink()
    assert "configure first" in built_exits()[1]


@pytest.fixture
def sanitize(project, monkeypatch):
    """Runs the sanitizer check with a compute-sanitizer that prints what a test wants."""

    def check(expectation, *lines):
        project._script(project.tools / "compute-sanitizer", *lines)
        monkeypatch.setenv("PATH", f"{project.tools}:/usr/bin:/bin")
        command = [sys.executable, CI, "gpu-check", "sanitize", "memcheck", expectation, project.built]
        return subprocess.run(command, capture_output=True, text=True).returncode

    return check


def test_clean_means_no_findings(sanitize):
    assert sanitize("clean", "echo '========= ERROR SUMMARY: 0 errors'") == 0
    assert sanitize("clean", "echo '========= ERROR SUMMARY: 2 errors'") == 1


def test_a_shown_defect_must_be_found(sanitize):
    assert sanitize("findings", "echo '========= ERROR SUMMARY: 2 errors'") == 0
    assert sanitize("findings", "echo '========= ERROR SUMMARY: 0 errors'") == 1


def test_a_tool_without_a_summary_has_failed(sanitize):
    assert sanitize("clean", "echo 'Device not supported'; exit 1") == 1


def test_a_heading_that_may_come_first_is_that_programs_alone(project):
    project.prints("echo 'wrong numbers'", 'echo "no usable CUDA device" >&2; exit 77')
    named = project.built.with_name("partition_in_branch")
    named.write_text(project.built.read_text())
    named.chmod(0o755)
    told = []
    for program in (named, project.built):
        command = [sys.executable, CI, "program", "exits", "--plain", program]
        told.append(subprocess.run(command, capture_output=True, text=True).stdout)
    assert told[0] == "" and "printed on standard output: wrong numbers" in told[1]
    named.write_text(named.read_text().replace("echo 'wrong numbers'", "true"))
    command = [sys.executable, CI, "program", "exits", "--plain", named]
    assert "take it out of EARLY" in subprocess.run(command, capture_output=True, text=True).stdout


def test_a_first_program_says_without_a_gpu_that_it_failed(project):
    project.prints('echo "CUDA error: no device" >&2', "exit 1")
    named = project.built.with_name("hello_kernel")
    named.write_text(project.built.read_text())
    named.chmod(0o755)
    for program, status in ((named, 0), (project.built, 1)):
        command = [sys.executable, CI, "program", "exits", "--plain", program]
        assert subprocess.run(command, capture_output=True).returncode == status
