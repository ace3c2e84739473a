"""What passed is kept outside the checkout, and found again only for the same content."""

import os
import time

import pytest

from lockstep import cache as result_cache
from lockstep.content import content, digest
from lockstep.emulator import emulate, module_keys, toolchain
from lockstep.programs import cmake_lists, inputs


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "lockstep"


def test_a_result_is_found_again(cache):
    assert result_cache.get("checks", "ab12") is None
    result_cache.put("checks", "ab12", b"agrees")
    assert result_cache.get("checks", "ab12") == b"agrees"
    assert result_cache.get("modules", "ab12") is None


def test_nothing_is_looked_up_where_everything_is_checked(cache, monkeypatch):
    result_cache.put("checks", "ab12")
    assert result_cache.due("checks", {"known": "ab12", "new": "cd34"}) == ["new"]
    monkeypatch.setenv("LOCKSTEP_CACHE", "no")
    assert result_cache.due("checks", {"known": "ab12", "new": "cd34"}) == ["known", "new"]


def test_a_key_tells_versions_of_tools(tmp_path, monkeypatch):
    (tmp_path / "tool").write_text("#!/bin/sh\necho one $1\n")
    (tmp_path / "tool").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert result_cache.versions("tool", "no_such_tool") == "one --version\n\n"


def test_content_is_names_and_bytes(tmp_path):
    def now() -> str:
        return content(tmp_path, ["."])

    (tmp_path / "a").write_text("x")
    first = now()
    (tmp_path / "a").rename(tmp_path / "b")
    assert now() != first
    (tmp_path / "b").rename(tmp_path / "a")
    (tmp_path / "a.pyc").write_text("x")
    assert now() == first
    assert digest(["a", "bc"]) != digest(["ab", "c"])


def test_nothing_is_kept_where_nothing_can_be_written(cache):
    cache.write_text("a file")
    result_cache.put("checks", "ab12", b"agrees")
    assert result_cache.get("checks", "ab12") is None


def test_what_nobody_asks_for_goes(cache):
    result_cache.put("checks", "ab12", b"agrees")
    result_cache.put("checks", "cd34", b"agrees")
    old = time.time() - (result_cache.DAYS + 1) * 86_400
    os.utime(cache / "checks/ab/ab12", (old, old))
    assert result_cache.prune() == 1
    assert result_cache.get("checks", "cd34") == b"agrees" and result_cache.get("checks", "ab12") is None


def test_a_check_is_done_once(cache, monkeypatch):
    done = []
    monkeypatch.setattr(emulate, "check", lambda *_: done.append(1) or "agrees")
    monkeypatch.setattr(emulate, "result_key", lambda *_: "ab12")
    assert [emulate.checked(None, None) for _ in range(2)] == ["agrees"] * 2
    assert len(done) == 1


def test_a_failed_check_is_not_kept(cache, monkeypatch):
    def fail(*_):
        raise emulate.EmulatorError("differs")

    monkeypatch.setattr(emulate, "check", fail)
    monkeypatch.setattr(emulate, "result_key", lambda *_: "ab12")
    for _ in range(2):
        with pytest.raises(emulate.EmulatorError):
            emulate.checked(None, None)


def test_every_key_is_of_all_that_the_compiler_reads_and_of_the_recording_where_it_counts(project, monkeypatch):
    monkeypatch.setattr(toolchain, "tools_key", lambda: "tools")
    monkeypatch.setattr(toolchain, "web_tools_key", lambda: "web tools")
    monkeypatch.setattr(emulate, "comparing_key", lambda: "judges")
    native, web = toolchain.TARGETS["native"], toolchain.TARGETS["web"]
    project.list.write_text("lockstep_program(demo SOURCES unit.cpp)\n")
    unit, near, of_unit = project.page / "unit.cpp", project.page / "near.hpp", project.header.with_name("unit.hpp")
    unit.write_text('#include "near.hpp"\n')
    near.write_text("#include <lockstep/unit.hpp>\n")
    of_unit.write_text("#pragma once\n")
    emulator = project.root / "programs/emulator/runtime/a.cpp"
    emulator.parent.mkdir(parents=True)
    emulator.write_text("")
    keys: dict[str, list[str]] = {}
    read = [project.source, project.header, unit, near, of_unit]
    for file in [None, *read, emulator, project.console]:
        if file:
            file.write_text((file.read_text() if file.exists() else "") + "\n")
        [program] = cmake_lists.programs(project.root).values()
        for name, key in {
            "build": emulate.build_key(program, native),
            "check": emulate.result_key(program, native),
            "web": emulate.result_key(program, web),
            "module": module_keys.key(program),
        }.items():
            keys.setdefault(name, []).append(key)
    assert {name: len(set(found)) for name, found in keys.items()} == {
        "build": 7,
        "check": 8,
        "web": 7,
        "module": 8,
    }
    assert inputs.files(program) == [project.source, unit, near, project.header, of_unit]
    assert len({emulate.build_key(program, target) for target in toolchain.TARGETS.values()}) == 3
