"""The small checks fail when they should."""

import subprocess
import sys
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[2]


@pytest.fixture
def contract(project):
    """Runs the contract check on a program that is a shell script."""

    def check(*lines, options=()):
        project.prints(*lines)
        command = [sys.executable, CI, "program", "exits", *options, project.built]
        run = subprocess.run(command, capture_output=True, text=True)
        return run.returncode, run.stdout

    return check


WELL_BEHAVED = (
    'if [ "$1" ]; then echo "demo: unknown argument" >&2; exit 2; fi; echo "no usable CUDA device" >&2; exit 77'
)


def test_a_program_that_keeps_the_contract_passes(contract):
    assert contract(WELL_BEHAVED) == (0, "")


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
def test_each_broken_promise_is_named(contract, old, new, message):
    status, printed = contract(WELL_BEHAVED.replace(old, new))
    assert status == 1
    assert message in printed


def test_a_plain_program_owes_nothing_for_an_argument(contract):
    deaf = 'echo "no usable CUDA device" >&2; exit 77'
    assert contract(deaf, options=["--plain"]) == (0, "")
    status, printed = contract(deaf)
    assert status == 1 and "bad argument: exit status 77, not 2" in printed
    status, printed = contract("exit 0", options=["--plain"])
    assert status == 1 and "without a GPU: exit status 0, not 77" in printed


@pytest.fixture
def built_contract(project):
    """Runs the contract check on a build of one program that notes each run; returns status, report and count of runs."""
    ran = project.root / "ran"
    (project.root / "build/contracts.txt").write_text(f"arguments {project.built}\n")

    def check(*lines, options=()):
        if lines:
            project.prints(f"echo >> '{ran}'", *lines)
        command = [sys.executable, CI, "program", "exits", "--build", project.root / "build", *options]
        run = subprocess.run(command, capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr, len(ran.read_text().splitlines()) if ran.exists() else 0

    return check


def test_a_build_is_checked_once_for_each_content(built_contract):
    assert built_contract(WELL_BEHAVED)[::2] == (0, 2)
    status, said, runs = built_contract()
    assert (status, runs) == (0, 2) and "0 programs keep it, 1 unchanged since they did, 0 break it" in said
    assert built_contract(options=["--again"])[::2] == (0, 4)
    assert built_contract("true", WELL_BEHAVED)[::2] == (0, 6)


def test_a_program_that_breaks_its_contract_is_run_again(built_contract):
    for runs in (2, 4):
        status, said, ran = built_contract(*([WELL_BEHAVED.replace("exit 77", "exit 0")] if runs == 2 else []))
        assert (status, ran) == (1, runs) and "exit status 0, not 77" in said


def test_a_build_without_a_program_or_with_one_missing_fails(built_contract, project):
    project.built.unlink()
    status, said, _ = built_contract()
    assert status == 1 and "not built; build first" in said
    (project.root / "build/contracts.txt").write_text("")
    assert built_contract()[0] == 1
    (project.root / "build/contracts.txt").unlink()
    assert "configure first" in built_contract()[1]


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
