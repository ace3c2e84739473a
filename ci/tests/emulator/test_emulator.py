"""The emulator's runtime, here and in a browser: each operation against its definition, each detector against a defect."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lockstep.emulator.toolchain import TARGETS, Toolchain
from lockstep.emulator.tools import BuildError, Unsupported
from lockstep.site.server import serve

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


@pytest.fixture(scope="session")
def tools() -> Toolchain:
    return prepared("native")


def prepared(target: str) -> Toolchain:
    tools = Toolchain(TARGETS[target], ROOT / "build/emulator")
    tools.runtime()
    return tools


def natively(program: Path, arguments: list[str], seed: int) -> tuple[str, int]:
    """Runs a program here; returns what it printed and its status."""
    environment = os.environ | {"EMULATOR_SEED": str(seed)}
    done = subprocess.run(
        [program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
        env=environment, check=False,
    )  # fmt: skip
    return done.stdout, done.returncode


RUN = """async ([address, job]) => {
  const {execute} = await import("/run.js");
  const module = await WebAssembly.compile(await (await fetch(address)).arrayBuffer());
  let out = "";
  const last = await execute({...job, module}, new AbortController().signal, (heard) => (out += heard.out));
  return [out, last.status ?? JSON.stringify(last)];
}"""


@pytest.fixture(scope="session")
def page(tmp_path_factory, browser):
    """A page that runs modules with the site's own worker; returns its folder and a function that runs one."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(ROOT / "docs/_static/emulator", folder, dirs_exist_ok=True)
    (folder / "index.html").write_text("<!doctype html><title>Tests</title>")
    with serve(folder) as base:
        tab = browser.new_page()
        tab.goto(base)

        def run(program: Path, arguments: list[str], seed: int) -> tuple[str, int]:
            job = {"name": program.stem, "arguments": arguments, "seed": seed}
            return tuple(tab.evaluate(RUN, [program.name, job]))

        yield folder, run
        tab.close()


@pytest.fixture(scope="session", params=["native", "web"])
def program(request, tmp_path_factory):
    """Builds a test program once; returns a function that runs it with a seed, here or in a browser."""
    if request.param == "native":
        folder, execute = tmp_path_factory.mktemp("programs"), natively
    else:
        folder, execute = request.getfixturevalue("page")
    tools = prepared(request.param)
    built = {}

    def run(name: str, *arguments: str, seed: int = 0) -> subprocess.CompletedProcess:
        if name not in built:
            made = folder / (name + (".wasm" if request.param == "web" else ""))
            tools.build(HERE / f"{name}.cu", made)
            built[name] = made
        printed, status = execute(built[name], list(arguments), seed)
        sides = {True: "", False: ""}
        for line in printed.splitlines(keepends=True):
            sides["emulator: " in line or "Assertion" in line] += line
        return subprocess.CompletedProcess([name, *arguments], status, sides[False], sides[True])

    return run


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["intrinsics", "captures", "calls"])
def test_operations_are_what_they_are_defined_to_be(program, name, seed):
    done = program(name, seed=seed)
    assert (done.stdout, done.stderr, done.returncode) == ("0 failures\n", "", 0)


DEFECTS = {
    "out of bounds": ("cudaErrorIllegalAddress", "touch.*thread (0,0,0), defects.cu:LINE: writes 4 bytes at offset 256 of an allocation of 256"),
    "before": ("cudaErrorIllegalAddress", "touch.*writes 4 bytes"),
    "null": ("cudaErrorIllegalAddress", "writes 4 bytes through a null pointer"),
    "host memory": ("cudaErrorIllegalAddress", "memory that is not the device's"),
    "freed": ("cudaErrorIllegalAddress", "memory that was freed"),
    "never written": ("cudaErrorLaunchFailure", "look.*reads device memory that was never written"),
    "race": ("cudaErrorLaunchFailure", "race.*a race: writes shared memory that thread .* read at defects.cu:LINE, with no barrier"),
    "two writers": ("cudaErrorLaunchFailure", "two_writers.*writes shared memory that thread .* wrote"),
    "write after read": ("cudaErrorLaunchFailure", "write_after_read.*s shared memory that thread .* (read|wrote)"),
    "uninitialised": ("cudaErrorLaunchFailure", "thread (5,0,0), .*reads shared memory that no thread has written yet"),
    "outside shared": ("cudaErrorIllegalAddress", "thread (63,0,0), .*outside of the block's shared variables"),
    "between shared": ("cudaErrorIllegalAddress", "thread (63,0,0), .*writes 4 bytes outside of the block's shared variables"),
    "two barriers": ("cudaErrorLaunchFailure", "only a part of the block reaches: thread .* waits at defects.cu:LINE"),
    "two on a line": ("cudaErrorLaunchFailure", "thread .* waits at defects.cu:LINE, thread .* at another barrier of that line"),
    "lonely lane": ("cudaErrorLaunchFailure", "deadlock: .*wait in a warp operation of the lanes 0xffffffff"),
    "ended lane": ("cudaErrorLaunchFailure", "a shuffle from lane 3, which has ended"),
    "not named": ("cudaErrorIllegalInstruction", "whose mask 0x00000001 does not name its own lane"),
    "not of the heap": ("cudaErrorIllegalAddress", "gives_back.*frees memory that malloc() in a kernel has not given"),
    "for ever": ("cudaErrorLaunchTimeout", "waits without end for memory to change"),
    "misaligned": ("cudaErrorMisalignedAddress", "an address that is no multiple"),
    "misaligned copy": ("cudaErrorMisalignedAddress", "copies.*defects.cu:LINE: reads 16 bytes at an address that is no multiple"),
    "added to": ("cudaErrorLaunchFailure", "adds.*reads device memory that was never written"),
    "variable": ("cudaErrorIllegalAddress", "touch_variable.*writes 4 bytes"),
    "behind a variable": ("cudaErrorIllegalAddress", "touch_variable.*writes 4 bytes at offset 16 of a variable of 16 bytes"),
    "before a variable": ("cudaErrorIllegalAddress", "touch_variable.*writes 4 bytes at offset -4 of a variable of 16 bytes"),
    "host variable": ("cudaErrorIllegalAddress", "writes 4 bytes of memory that is not the device's"),
    "structures": ("cudaErrorLaunchFailure", "structures.*(reads|writes) shared memory that"),
    "bytes and words": ("cudaErrorLaunchFailure", "bytes_and_words.*(reads|writes) shared memory that thread"),
    "words and bytes": ("cudaErrorLaunchFailure", "words_and_bytes.*(reads|writes) shared memory that thread"),
    "shuffle for barrier": ("cudaErrorLaunchFailure", "shuffle_for_barrier.*(reads|writes) shared memory that thread"),
    "not in the mask": ("cudaErrorLaunchFailure", "a shuffle from a lane that its mask does not name"),
    "two calls": ("cudaErrorLaunchFailure", "deadlock at a barrier that only a part of the block reaches"),
    "never written structure": ("cudaErrorLaunchFailure", "copies.*reads device memory that was never written"),
    "local memory": ("cudaErrorIllegalAddress", "read_another.*another thread's local memory"),
    "stack": ("cudaErrorLaunchFailure", "fills_stack.*needs more local memory than"),
    "grid": ("cudaErrorLaunchFailure", "waits for the grid in a launch that is not cooperative"),
    "last warp": ("cudaErrorLaunchFailure", "last_warp.*(reads|writes) shared memory that thread"),
    "read twice": ("cudaErrorLaunchFailure", "read_twice.*(reads|writes) shared memory that thread"),
    "odd width": ("cudaErrorLaunchFailure", "a shuffle whose width is no power of two"),
    "assert": ("cudaErrorAssert", "the assertion does not hold: y == nullptr"),
    "zero": ("cudaErrorLaunchFailure", "divides, block .*, defects.cu:LINE: divides by zero"),
    "trap": ("cudaErrorLaunchFailure", "__trap"),
}  # fmt: skip


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("defect", DEFECTS)
def test_defects_are_found_and_stay(program, defect, seed):
    error, pattern = DEFECTS[defect]
    done = program("defects", defect, seed=seed)
    assert done.stdout.splitlines() == [error, error], done.stderr  # the error sticks
    pattern = pattern.replace("(", r"\(").replace(")", r"\)").replace("LINE", r"\d+")
    pattern = re.sub(r"\\\((\w+\|\w+)\\\)", r"(\1)", pattern)  # a choice of words is one
    remarks = [line for line in done.stderr.splitlines() if line.startswith("emulator: ")]
    assert len(remarks) == 1
    assert re.search(pattern, remarks[0]), remarks[0]


def test_right_programs_are_left_alone(program):
    for seed in range(3):
        done = program("defects", seed=seed)
        assert (done.stdout, done.stderr) == ("cudaSuccess\ncudaSuccess\n", "")


def test_seed_chooses_the_order_and_the_same_seed_the_same_run(program):
    plain = program("order")
    assert plain.stdout.startswith("order 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n")
    seeded = [program("order", seed=seed) for seed in (1, 1, 2)]
    assert seeded[0].stdout == seeded[1].stdout
    assert len({run.stdout.splitlines()[0] for run in (plain, seeded[0], seeded[2])}) == 3
    assert all(run.returncode == 0 for run in (plain, *seeded))


def test_too_much_local_memory_is_told(page, tmp_path):
    folder, run = page
    source = tmp_path / "deep.cu"
    source.write_text("""#include <cstdio>
__global__ void deep(int* x, int at) {
    int local[4000];
    for (int i = 0; i < 4000; ++i) local[i] = i * at;
    __syncthreads();
    *x = local[at];
}
int main() {
    int* x = nullptr;
    cudaMalloc(&x, 4);
    deep<<<1, 1>>>(x, 5);
    std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
""")
    prepared("web").build(source, folder / "deep.wasm")
    printed, status = run(folder / "deep.wasm", [], 0)
    assert status == 0
    assert printed.splitlines() == [
        "emulator: deep, thread (0,0,0): needs more local memory than the 14 KiB that a thread has here",
        "cudaErrorLaunchFailure",
    ]


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ('__global__ void k() { asm("bar.sync 0;"); }', "bar.sync"),
        ("__device__ void other(); __global__ void k() { other(); }", "other"),
        ("__global__ void k() {}\nstatic auto f = cudaGraphAddNode;", "cudaGraphAddNode"),
    ],
)
def test_what_is_lacking_is_refused_by_name(tools, tmp_path, code, named):
    source = tmp_path / "lacking.cu"
    source.write_text(f"{code}\nint main() {{ k<<<1, 1>>>(); return sizeof(int) == 0; }}\n")
    if "static auto" in code:
        source.write_text(
            source.read_text().replace(
                "return", "if (&f == nullptr || f((cudaGraphNode_t*)0, 0, 0, 0, 0, 0)) return 1; return"
            )
        )
    with pytest.raises(Unsupported, match=re.escape(named)):
        tools.build(source, tmp_path / "lacking")
    assert not (tmp_path / "lacking").exists()


def test_header_that_is_not_there_is_named(tools, tmp_path):
    source = tmp_path / "library.cu"
    source.write_text("#include <cub/cub.cuh>\nint main() {}\n")
    with pytest.raises(BuildError, match="cub/cub.cuh"):
        tools.build(source, tmp_path / "library")
