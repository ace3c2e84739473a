"""The rewriter: each rewrite against a small module, forms that it does not know, and the module for browsers.

A folder of golden/ is named for a rewrite. NAME.ll is rewritten to what NAME.expected.ll says; of unknown_*.ll and
lacking_*.ll, the line "; expects: TEXT" says how the finding begins.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lockstep.emulator import rewriter, toolchain
from lockstep.emulator.tools import BuildError
from lockstep.files import ROOT
from lockstep.setup import node

GOLDEN = Path(__file__).resolve().parent / "golden"
BUILD = ROOT / "build/emulator"
FILES = sorted(file for file in GOLDEN.glob("*/*.ll") if not file.name.endswith(".expected.ll"))
REFUSED = [file for file in FILES if file.name.startswith(("unknown_", "lacking_"))]
REWRITTEN = [file for file in FILES if file not in REFUSED]
WITHOUT_UNKNOWN_FORM = {
    "aligned_buffers",
    "arrays",
    "calls",
    "canonical",
    "early_returns",
    "named_as_defined",
    "named_by_tables",
    "quick_checks",
    "registered_plainly",
    "stepping",
    "without_undefined",
}  # what they do not find, no check hangs on


def name(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


@pytest.fixture(scope="session")
def command() -> Path:
    return rewriter.built(BUILD / "rewriter")


def only(command: Path, file: Path, made: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [command, "only", file.parent.name, file, made], capture_output=True, encoding="utf-8", check=False
    )


@pytest.mark.parametrize("file", REWRITTEN, ids=name)
def test_a_module_is_rewritten_as_expected(command, file, tmp_path):
    done = only(command, file, tmp_path / "made.ll")
    assert (done.returncode, done.stderr) == (0, "")
    expected = file.with_suffix(".expected.ll").read_text(encoding="utf-8")
    assert (tmp_path / "made.ll").read_text(encoding="utf-8") == expected


@pytest.mark.parametrize("file", REFUSED, ids=name)
def test_an_unknown_form_ends_the_build_with_one_line(command, file, tmp_path):
    done = only(command, file, tmp_path / "made.ll")
    expected = re.search(r"^; expects: (.*)$", file.read_text(encoding="utf-8"), re.M)[1]
    assert done.stderr.startswith(expected)
    assert done.stderr.count("\n") == 1
    assert done.returncode == (rewriter.LACKING if file.name.startswith("lacking_") else 4)
    assert not (tmp_path / "made.ll").exists()


def test_every_rewrite_has_its_module_and_a_form_that_it_does_not_know():
    declared = (rewriter.SOURCES / "rewrites.hpp").read_text(encoding="utf-8")
    rewrites = set(re.findall(r"^string (?:without_(?=annotations))?(\w+)\(", declared, re.M)) | {
        "arrays",
        "calls",
    }  # tables
    text = (rewriter.SOURCES / "main.cpp").read_text(encoding="utf-8")
    alone = re.findall(r'^ +\{"(\w+)", \w+\}', text.partition("rewrites[] =")[2].replace("{{", " {"), re.M)
    assert set(alone) == rewrites
    assert {file.parent.name for file in REWRITTEN} == rewrites
    assert {file.parent.name for file in REFUSED} == rewrites - WITHOUT_UNKNOWN_FORM


@pytest.mark.parametrize(
    ("call", "finding"),
    [
        ("ptr @handle, ptr @stub, ptr %name, ptr null", 'the rewrite "device" does not know this form: %a = call i32'),
        ("ptr @handle, ptr @stub", 'the rewrite "device" does not know this form: %a = call i32'),
    ],
)
def test_a_registration_of_unknown_form_ends_the_build(command, tmp_path, call, finding):
    (tmp_path / "device.ll").write_text("", encoding="utf-8")
    (tmp_path / "host.ll").write_text(f"  %a = call i32 @__cudaRegisterFunction({call})\n", encoding="utf-8")
    with pytest.raises(BuildError, match=re.escape(finding)):
        rewriter.device(command, tmp_path)


UNKNOWN = """typedef float pair __attribute__((ext_vector_type(2)));
typedef int numbers __attribute__((ext_vector_type(2)));
__global__ void convert(pair* x, numbers* y) {
    *y = __builtin_convertvector(*x, numbers);
}
int main() { convert<<<1, 1>>>(nullptr, nullptr); }
"""


def test_an_unknown_form_is_named_with_its_place_in_the_program(tmp_path):
    source = tmp_path / "unknown.cu"
    source.write_text(UNKNOWN, encoding="utf-8")
    finding = r'^unknown\.cu:4: the rewrite "saturated" does not know this form: .*fptosi <2 x float>[^\n]*$'
    with pytest.raises(BuildError, match=finding):
        toolchain.Toolchain(toolchain.TARGETS["native"], BUILD).build(source, tmp_path / "unknown")
    assert not (tmp_path / "unknown").exists()


# Runs the module as a command that reads and writes files of a folder.
RUN = """
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";
const [module, folder, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: ["rewriter", ...args], preopens: { "/": folder } });
const { instance } = await WebAssembly.instantiate(readFileSync(module), wasi.getImportObject());
process.exitCode = wasi.start(instance);
"""


@pytest.fixture(scope="session")
def stages(command, tmp_path_factory) -> tuple[Path, list[list[str]]]:
    """A program's files on its way through the toolchain, and the commands that made them."""
    tools = toolchain.Toolchain(toolchain.TARGETS["web"], BUILD)
    folder = tmp_path_factory.mktemp("stages")
    tools.build(Path(__file__).with_name("intrinsics.cu"), folder / "intrinsics.wasm")
    for file in (tools.folder / "work/intrinsics.wasm").glob("*.*"):
        shutil.copy(file, folder)
    return folder, [
        ["device", "device.ll", "host.ll", "rewritten.ll", "linked.ll", "device.json"],
        ["optimized", "optimized.ll", "prepared.ll"],
        ["checked", "instrumented.ll", "checked.ll", "checked.json"],
    ]


def test_the_module_for_browsers_does_what_the_command_does(stages, tmp_path):
    folder, commands = stages
    module = rewriter.built(BUILD / "rewriter", web=True)
    (tmp_path / "run.mjs").write_text(RUN, encoding="utf-8")
    for stage, *files in commands:
        made = [file for file in files if not (file in ("device.ll", "host.ll") or file == files[0])]
        before = {file: (folder / file).read_bytes() for file in made}
        for file in made:
            (folder / file).unlink()
        given = [f"/{file}" for file in files]
        subprocess.run([node.find(), "--no-warnings", tmp_path / "run.mjs", module, folder, stage, *given], check=True)
        assert {file: (folder / file).read_bytes() for file in made} == before
