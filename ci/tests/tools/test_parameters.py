"""Every kernel of the programs tells what each of its parameters is; Doxygen compares that with what is declared."""

import re
import subprocess
from itertools import takewhile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BEFORE = re.compile(r"template|extern|// \[|#pragma nv_|#if")  # what may stand between a kernel and its comment
KERNEL = re.compile(r"^__global__ [^;{}]*?\b\w+\((?!\))(?=[^()]*\)\s*\{)", re.M)
UNDOCUMENTED = {  # wrong on purpose; their outputs name lines
    "specifier_misuse.cu", "deep_recursion.cu",
    "collectives_refused.cu", "generic_size_undefined.cu", "group_names_refused.cu",
    "class_rules.cu", "template_rules.cu", "variable_rules.cu",
}  # fmt: skip


def documented(text: str, place: int) -> bool:
    """Whether a comment for Doxygen that tells of parameters stands over what begins at a place."""
    above = [line for line in text[:place].splitlines() if not BEFORE.match(line)]
    comment = takewhile(lambda line: line.startswith("///"), reversed(above))
    return any("@param" in line for line in comment)


def findings(path: Path) -> list[str]:
    """The kernels with parameters of a source that no comment describes."""
    text = path.read_text(encoding="utf-8")
    places = [match.start() for match in KERNEL.finditer(text)]
    return [
        f"{path.name}:{text.count(chr(10), 0, place) + 1}: describe the kernel and each @param over it"
        for place in places
        if not documented(text, place)
    ]


@pytest.mark.content
def test_each_kernel_with_parameters_has_a_comment():
    sources = sorted((ROOT / "programs").rglob("*.cu"))
    assert sum(len(KERNEL.findall(path.read_text(encoding="utf-8"))) for path in sources) > 100
    assert [text for path in sources if path.name not in UNDOCUMENTED for text in findings(path)] == []


def test_a_kernel_without_a_comment_is_found(tmp_path):
    source = tmp_path / "a.cu"
    kernels = (
        "/// Adds.\n/// @param n  count\ntemplate <int w>\n__global__ void a(int n) {}\n\n__global__ void b(int n) {}\n"
    )
    source.write_text(
        f"{kernels}\n/// Adds.\n__global__ void c(int n) {{}}\n__global__ void d() {{}}\n", encoding="utf-8"
    )
    assert findings(source) == [f"a.cu:{line}: describe the kernel and each @param over it" for line in (6, 9)]


@pytest.fixture
def doxygen(tmp_path):
    """What Doxygen says of a kernel, with the settings for the programs."""

    def read(comment: str, parameters: str) -> str:
        (tmp_path / "a.cu").write_text(
            f"/// Adds.\n{comment}__global__ void __launch_bounds__(256, 2) add({parameters}) {{}}\n", encoding="utf-8"
        )
        settings = f"@INCLUDE = docs/Doxyfile.programs\nINPUT = {tmp_path}\nOUTPUT_DIRECTORY = {tmp_path}\n"
        run = subprocess.run(["doxygen", "-"], input=settings, cwd=ROOT, capture_output=True, text=True)
        assert (run.returncode == 0) == (not run.stderr)
        return run.stderr

    return read


def test_parameters_that_are_described_pass(doxygen):
    assert doxygen("/// @param n  count\n/// @param x  n ints\n", "int n, int* x") == ""


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("/// @param n  count\n/// @param y  n ints\n", "argument 'y' of command @param is not found"),
        ("/// @param n  count\n", "parameter 'x'"),
    ],
)
def test_a_wrong_or_missing_parameter_is_an_error(doxygen, comment, message):
    assert message in doxygen(comment, "int n, int* x")
