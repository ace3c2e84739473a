"""Packages come whole or not at all, and one line says why they do not come."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lockstep.setup import packages

NO_INDEX = "no package index can be reached; check the network, or name an index of your own in PIP_INDEX_URL"


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout whose .venv gets a pip that says this and ends with this status."""
    (tmp_path / "ci").mkdir()
    (tmp_path / "ci/requirements.txt").write_text("a==1\n", encoding="utf-8")

    def make(said: str, status: int) -> Path:
        def venv(command: list[str], **named: object) -> subprocess.CompletedProcess[str]:
            python = Path(command[-1], "bin/python")
            python.parent.mkdir(parents=True)
            python.write_text(f"#!/bin/bash\ncat <<'END'\n{said}\nEND\nexit {status}\n", encoding="utf-8")
            python.chmod(0o755)
            return subprocess.CompletedProcess(command, 0)

        monkeypatch.setattr(subprocess, "run", venv)
        return tmp_path

    return make


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("NewConnectionError: Failed to establish a new connection: Temporary failure in name resolution", NO_INDEX),
        ("ReadTimeoutError: HTTPSConnectionPool: Read timed out.", NO_INDEX),
        ("ERROR: Could not find a version that satisfies the requirement a==1 (from versions: none)", NO_INDEX),
        ("ERROR: [Errno 28] No space left on device", "the disk is full; free some space"),
        ("ERROR: a==1 is odd", "ERROR: a==1 is odd"),
    ],
)
def test_packages_that_cannot_be_had_are_one_line_and_leave_nothing_half_made(checkout, said, why):
    root = checkout(said, 1)
    with pytest.raises(packages.PackagesError) as raised:
        packages.environment(root)
    assert (
        str(raised.value)
        == f"the packages of requirements.txt could not be installed: {why}, and run the same command again"
    )
    assert not (root / ".venv").exists()


def test_environment_that_cannot_be_made_is_one_line(checkout, monkeypatch):
    root = checkout("", 0)
    failed = subprocess.CompletedProcess([], 1, "", "OSError: [Errno 28] No space left on device: '.venv/bin'\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(
        packages.PackagesError, match="^.venv could not be made: the disk is full; free some space, and"
    ):
        packages.environment(root)
    assert not (root / ".venv").exists()


def test_what_is_downloaded_is_shown_and_a_complete_environment_is_left_alone(checkout, capsys):
    root = checkout(
        "Collecting a==1\n  Downloading https://x.org/p/a_b-1.0-py3-none-any.whl (3.9 MB)\n"
        "Installing collected packages: a-b\nSuccessfully installed a-b-1.0",
        0,
    )
    packages.environment(root)
    assert capsys.readouterr().out.splitlines()[1:] == ["packages:   a_b (3.9 MB)", "packages:   unpacking"]
    packages.environment(root)
    assert capsys.readouterr().out == ""
    (root / "ci/requirements.txt").write_text("a==2\n", encoding="utf-8")
    (root / ".venv/bin/python").unlink()
    (root / ".venv/bin").rmdir()
    packages.environment(root)
    assert (root / ".venv/requirements.txt").read_text(encoding="utf-8") == "a==2\n"


def test_pip_itself_gives_up_soon_without_a_package_index(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    lock = tmp_path / "lock.txt"
    lock.write_text(f"some-package==1.0 --hash=sha256:{'0' * 64}\n", encoding="utf-8")
    began = time.monotonic()
    with pytest.raises(packages.PackagesError, match=NO_INDEX):
        packages.install(Path(sys.executable), lock, "test", "--target", tmp_path / "packages")
    assert time.monotonic() - began < 15
