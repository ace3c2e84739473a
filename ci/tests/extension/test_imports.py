"""What Sphinx imports runs nothing: a site builds from what was recorded."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LOADED = """
import sys
import lockstep_sphinx
for name, module in sys.modules.items():
    if name.partition(".")[0] in ("lockstep", "lockstep_sphinx"):
        print(module.__file__)
"""


def imported(path: Path) -> set[str]:
    """The modules that a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def test_nothing_that_sphinx_imports_can_start_a_process():
    path = f"{ROOT}/ci:{ROOT}/docs/_ext"
    run = subprocess.run([sys.executable, "-c", LOADED], env={"PYTHONPATH": path}, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    loaded = [Path(line) for line in run.stdout.splitlines()]
    assert ROOT / "ci/lockstep/programs/declarations.py" in loaded
    assert [file for file in loaded if imported(file) & {"subprocess", "multiprocessing", "pty"}] == []


def test_a_module_that_starts_processes_would_be_found():
    assert "subprocess" in imported(ROOT / "ci/lockstep/recordings/machine.py")
