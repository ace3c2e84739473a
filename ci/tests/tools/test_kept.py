"""The emulator's results survive a clean clone, and only those of the same content."""

import os
import time
from types import SimpleNamespace

import pytest

from lockstep.emulator import emulate, kept
from lockstep.files import ROOT
from lockstep.programs import cmake_lists


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCKSTEP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_result_is_found_again(cache):
    assert kept.get("checks", "ab12") is None
    kept.put("checks", "ab12", b"agrees")
    assert kept.get("checks", "ab12") == b"agrees"
    assert kept.get("modules", "ab12") is None


def test_nothing_is_kept_where_nothing_can_be_written(cache):
    cache.write_text("a file")
    kept.put("checks", "ab12", b"agrees")
    assert kept.get("checks", "ab12") is None


def test_what_nobody_asks_for_goes(cache):
    kept.put("checks", "ab12", b"agrees")
    kept.put("checks", "cd34", b"agrees")
    old = time.time() - (kept.DAYS + 1) * 86_400
    os.utime(cache / "checks/ab/ab12", (old, old))
    assert kept.prune() == 1
    assert kept.get("checks", "cd34") == b"agrees" and kept.get("checks", "ab12") is None


def test_a_check_is_done_once_and_anew_if_asked(cache, monkeypatch):
    program = next(iter(cmake_lists.programs(ROOT).values()))
    done = []
    monkeypatch.setattr(emulate, "check", lambda *_: done.append(1) or "agrees")
    monkeypatch.setattr(emulate, "result_key", lambda *_: "ab12")
    tools = SimpleNamespace()
    assert [emulate.checked(program, tools, again) for again in (False, False, True)] == ["agrees"] * 3
    assert len(done) == 2


def test_a_failed_check_is_not_kept(cache, monkeypatch):
    def fail(*_):
        raise emulate.EmulatorError("differs")

    monkeypatch.setattr(emulate, "check", fail)
    monkeypatch.setattr(emulate, "result_key", lambda *_: "ab12")
    for _ in range(2):
        with pytest.raises(emulate.EmulatorError):
            emulate.checked(None, None, False)


def test_the_key_is_of_program_headers_and_recording(project, monkeypatch):
    monkeypatch.setattr(emulate, "setting_key", lambda target: "emulator")
    monkeypatch.setattr(emulate, "ROOT", project.root)
    keys = []
    for file in (None, project.source, project.header, project.console):
        if file:
            file.write_text((file.read_text() if file.exists() else "") + "\n")
        keys.append(emulate.result_key(next(iter(cmake_lists.programs(project.root).values())), "native"))
    assert len(set(keys)) == 4
