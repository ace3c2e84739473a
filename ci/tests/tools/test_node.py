"""Node is found where there is one: on the path, or the one that Playwright brings."""

from pathlib import Path

import pytest

from lockstep.checks import calculators
from lockstep.files import ROOT
from lockstep.setup import node


@pytest.fixture
def machine(tmp_path):
    """Puts a Node of some version on the path of a checkout, or into its .venv; both are empty at first."""
    places = {"path": tmp_path / "bin", "venv": tmp_path / ".venv/lib/python3.13/site-packages/playwright/driver"}

    def put(where: str, version: str) -> str:
        file = places[where] / "node"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\necho {version}\n")
        file.chmod(0o755)
        return str(file)

    return put


def find(root: Path) -> str:
    return node.find(root, {"PATH": str(root / "bin")})


def test_that_on_the_path_comes_first(machine, tmp_path):
    brought = machine("venv", "v26.13.1")
    assert find(tmp_path) == brought
    own = machine("path", "v20.0.0")
    assert find(tmp_path) == own


def test_one_that_is_too_old_is_passed_over(machine, tmp_path):
    machine("path", "v18.20.4")
    with pytest.raises(node.NodeError, match=r"Node 20 or newer is missing; run ci/setup\.sh check"):
        find(tmp_path)
    brought = machine("venv", "v26.13.1")
    assert find(tmp_path) == brought


def test_without_any_it_says_what_to_do(tmp_path):
    with pytest.raises(node.NodeError, match=r"run ci/setup\.sh check"):
        find(tmp_path)


@pytest.mark.skipif(not list(ROOT.glob(node._BROUGHT)), reason="Playwright is missing; ci/setup.sh check installs it")
def test_an_empty_path_is_enough_for_the_calculators(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert "playwright/driver" in node.find()
    assert calculators.ask(ROOT, "coalescing", [])["fields"]
