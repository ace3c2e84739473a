"""The small checks fail when they should."""

import subprocess
import sys
from pathlib import Path

import pytest

from lockstep.checks import gpu

CI = Path(__file__).resolve().parents[2]


@pytest.fixture
def contract(project):
    """Runs the contract check on a program that is a shell script."""

    def check(*lines, options=()):
        project.prints(*lines)
        command = [sys.executable, CI, "contract", *options, project.built]
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
def sanitize(project, monkeypatch):
    """Runs the sanitizer check with a compute-sanitizer that prints what a test wants."""

    def check(expectation, *lines):
        project._script(project.tools / "compute-sanitizer", *lines)
        monkeypatch.setenv("PATH", f"{project.tools}:/usr/bin:/bin")
        command = [sys.executable, CI, "sanitize", "memcheck", expectation, project.built]
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


def test_skips_must_say_what_is_missing(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(
        "<testsuite><testcase name='a'><skipped/><system-out>skipped: it needs 2 GPUs</system-out></testcase>"
        "<testcase name='b'><skipped/><system-out></system-out></testcase><testcase name='c'/></testsuite>"
    )
    assert gpu.undeclared_skips(report) == ["b: skipped without a reason: said nothing"]


@pytest.mark.parametrize(
    "command, labels, again, passed",
    [
        ("false", "recording -alone", True, False),  # fails twice
        ("mkdir once && false", "recording -alone", True, False),
        ("mkdir once || true", "recording -alone", True, True),
        ("test -e once || ! touch once", "recording -alone", True, True),  # fails the first time
        ("test -e once || ! touch once", "recording -alone", False, False),
        ("exit 77", "recording -alone", True, False),  # skips without a reason
        ("echo skipped: it needs 2 GPUs; exit 77", "recording -alone", True, True),
        ("true", "recording alone", True, False),  # nothing is labelled so
    ],
)
def test_a_disturbed_transcript_has_a_second_run(tmp_path, command, labels, again, passed):
    (tmp_path / "CTestTestfile.cmake").write_text(
        f'add_test(one sh -c "cd {tmp_path} && {command}")\n'
        'set_tests_properties(one PROPERTIES LABELS "gpu;recording" SKIP_RETURN_CODE 77)\n'
        "add_test(two false)\n"
        'set_tests_properties(two PROPERTIES LABELS "gpu;other")\n'
    )
    assert gpu.tests(tmp_path, labels, 2, again) is passed
