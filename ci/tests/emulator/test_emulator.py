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
@pytest.mark.parametrize("name", ["intrinsics", "captures", "calls", "graphs", "groups", "handles", "pools", "waits"])
def test_operations_are_what_they_are_defined_to_be(program, name, seed):
    done = program(name, seed=seed)
    assert (done.stdout, done.stderr, done.returncode) == ("0 failures\n", "", 0)


# What is found, and where: {name} stands for the file and the line with the comment "line: name". Of two texts, one.
DEFECTS = {
    "out of bounds": ("cudaErrorIllegalAddress", "touch, .*, thread (0,0,0), {touch}: writes 4 bytes at offset 256 of an allocation of 256 bytes"),
    "before": ("cudaErrorIllegalAddress", "touch, .*, {touch}: writes 4 bytes"),
    "null": ("cudaErrorIllegalAddress", "touch, .*, {touch}: writes 4 bytes through a null pointer"),
    "host memory": ("cudaErrorIllegalAddress", "touch, .*, {touch}: writes 4 bytes of memory that is not the device's"),
    "freed": ("cudaErrorIllegalAddress", "touch, .*, {touch}: writes 4 bytes of memory that was freed"),
    "freed in order": ("cudaErrorIllegalAddress", "touch, .*, {touch}: writes 4 bytes of memory that was freed"),
    "copied after its free": ("cudaErrorIllegalAddress", "a copy or a fill writes memory that is not there at this point of the stream's order"),
    "of a graph": ("cudaErrorIllegalAddress", "touch, .*, {touch}: writes 4 bytes of memory that is not there at this point of the stream's order"),
    "never set": ("cudaErrorLaunchFailure", "a conditional node of a graph looks at a value that nothing has set since the launch"),
    "grid without a block": ("cudaErrorLaunchTimeout", "one_block_ends, .*: deadlock: 32 threads wait for the grid at {grid without a block}"),
    "between two steps": ("cudaErrorLaunchFailure", "between_steps, .*, {between two steps}: synchronizes a group between barrier_arrive() and barrier_wait() of the same group"),
    "old token": ("cudaErrorLaunchFailure", "old_token, .*, {old token}: waits at a group's barrier without having arrived, or with an old token"),
    "part of a tile": ("cudaErrorLaunchTimeout", "part_of_a_tile, .*: deadlock: .*in an operation of a tile of 64 threads at {part of a tile}.*__syncthreads at {not in the tile}", "part_of_a_tile, .*: deadlock: .*__syncthreads at {not in the tile}.*in an operation of a tile of 64 threads at {part of a tile}"),
    "never written": ("cudaErrorLaunchFailure", "look, .*, {look}: reads device memory that was never written"),
    "race": ("cudaErrorLaunchFailure", "race, .*, {race writes}: a race: writes shared memory that thread .* read at {race reads}, with no barrier"),
    "two writers": ("cudaErrorLaunchFailure", "two_writers, .*, {two writers}: a race: writes shared memory that thread .* wrote at {two writers},"),
    "write after read": (
        "cudaErrorLaunchFailure",
        "write_after_read, .*, {early read}: a race: reads shared memory that thread .* wrote at {late write},",
        "write_after_read, .*, {late write}: a race: writes shared memory that thread .* read at {early read},",
    ),
    "uninitialized": ("cudaErrorLaunchFailure", "uninitialized, .*, thread (5,0,0), {uninitialized}: reads shared memory that no thread has written yet"),
    "outside shared": ("cudaErrorIllegalAddress", "thread (63,0,0), {outside shared}: writes 4 bytes outside of the block's shared variables"),
    "between shared": ("cudaErrorIllegalAddress", "thread (63,0,0), {between shared}: writes 4 bytes outside of the block's shared variables"),
    "two barriers": ("cudaErrorLaunchFailure", "only a part of the block reaches: thread .* waits at {first barrier}, thread .* at {second barrier}"),
    "two on a line": ("cudaErrorLaunchFailure", "thread .* waits at {two on a line}, thread .* at another barrier of that line"),
    "lonely lane": ("cudaErrorLaunchFailure", "deadlock: 16 threads wait in a warp operation of the lanes 0xffffffff at {lonely lane}, 16 threads wait at __syncthreads at {barrier of the others}"),
    "ended lane": ("cudaErrorLaunchFailure", "ended_lane, .*, {ended lane}: a shuffle from lane 3, which does not take part: it took another branch, or it returned before"),
    "other branch": ("cudaErrorLaunchFailure", "other_branch, .*, {other branch}: a shuffle from lane 20, which does not take part: it took another branch"),
    "not named": ("cudaErrorIllegalInstruction", "not_named, .*, {not named}: calls a warp operation whose mask 0x00000001 does not name its own lane"),
    "not of the heap": ("cudaErrorIllegalAddress", "gives_back, .*: frees memory that malloc() in a kernel has not given"),
    "for ever": ("cudaErrorLaunchTimeout", "waits without end for memory to change"),
    "misaligned": ("cudaErrorMisalignedAddress", "misaligned, .*, {misaligned}: writes 4 bytes at an address that is no multiple"),
    "misaligned copy": ("cudaErrorMisalignedAddress", "copies, .*, {copies}: reads 16 bytes at an address that is no multiple"),
    "added to": ("cudaErrorLaunchFailure", "adds, .*, {adds}: reads device memory that was never written"),
    "variable": ("cudaErrorIllegalAddress", "touch_variable, .*, {touch variable}: writes 4 bytes"),
    "after a variable": ("cudaErrorIllegalAddress", "touch_variable, .*, {touch variable}: writes 4 bytes at offset 16 of a variable of 16 bytes"),
    "before a variable": ("cudaErrorIllegalAddress", "touch_variable, .*, {touch variable}: writes 4 bytes at offset -4 of a variable of 16 bytes"),
    "host variable": ("cudaErrorIllegalAddress", "touch, .*, {touch}: writes 4 bytes of memory that is not the device's"),
    "structures": (
        "cudaErrorLaunchFailure",
        "structures, .*, {structure read}: reads shared memory that no thread has written yet",
        "structures, .*, {structure read}: a race: reads shared memory that thread .* wrote at {structure written},",
        "structures, .*, {structure written}: a race: writes shared memory that thread .* read at {structure read},",
    ),
    "bytes and words": ("cudaErrorLaunchFailure", "bytes_and_words, .*, {byte written}: a race: writes shared memory that thread .* read at {word read},"),
    "words and bytes": ("cudaErrorLaunchFailure", "words_and_bytes, .*, {byte read}: a race: reads shared memory that thread .* wrote at {word written},"),
    "shuffle for barrier": ("cudaErrorLaunchFailure", "shuffle_for_barrier, .*, {value read}: a race: reads shared memory that thread .* wrote at {value written},"),
    "not in the mask": ("cudaErrorLaunchFailure", "not_in_the_mask, .*, {not in the mask}: a shuffle from a lane that its mask does not name"),
    "two calls": ("cudaErrorLaunchFailure", "only a part of the block reaches: thread .* waits at {called barrier}, thread .* at another barrier of that line"),
    "never written structure": ("cudaErrorLaunchFailure", "copies, .*, {copies}: reads device memory that was never written"),
    "local memory": ("cudaErrorIllegalAddress", "read_another, .*, {local memory}: reads 4 bytes of another thread's local memory"),
    "stack": ("cudaErrorLaunchFailure", "fills_stack, .*needs more local memory than"),
    "grid": ("cudaErrorLaunchFailure", "waits_for_grid, .*, {grid}: waits for the grid in a launch that is not cooperative"),
    "last warp": (
        "cudaErrorLaunchFailure",
        "last_warp, .*, {last sum}: a race: reads shared memory that thread .* wrote at {last warp},",
        "last_warp, .*, {last sum}: a race: reads shared memory that thread .* wrote at {first sum},",
        "last_warp, .*, {first sum}: a race: writes shared memory that thread .* read at {last warp},",
        "last_warp, .*, {last warp}: a race: writes shared memory that thread .* read at {last sum},",
        "last_warp, .*, {last warp}: a race: reads shared memory that thread .* wrote at {first sum},",
    ),
    "read twice": ("cudaErrorLaunchFailure", "read_twice, .*, {read and written}: a race: writes shared memory that thread (32,0,0) read at {first read},"),
    "odd width": ("cudaErrorLaunchFailure", "odd_width, .*, {odd width}: a shuffle whose width is no power of two"),
    "assert": ("cudaErrorAssert", "asserts, .*, {assert}: the assertion does not hold: y == nullptr"),
    "zero": ("cudaErrorLaunchFailure", "divides, .*, {divides}: divides by zero"),
    "trap": ("cudaErrorLaunchFailure", "traps, .*, {trap}: __trap()"),
}  # fmt: skip

LINES = {
    name: number
    for number, line in enumerate((HERE / "defects.cu").read_text(encoding="utf-8").splitlines(), 1)
    for name in re.findall(r"// line: (.+)$", line)
}


def found_text(pattern: str) -> str:
    """A regular expression for a text of DEFECTS, with the lines' numbers."""
    pattern = pattern.replace("(", r"\(").replace(")", r"\)")
    return re.sub(r"\{([^}]+)\}", lambda match: rf"defects\.cu:{LINES[match[1]]}(?!\d)", pattern)


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("defect", DEFECTS)
def test_defects_are_found_and_stay(program, defect, seed):
    error, *patterns = DEFECTS[defect]
    done = program("defects", defect, seed=seed)
    assert done.stdout.splitlines() == [error, error], done.stderr  # the error sticks
    remarks = [line for line in done.stderr.splitlines() if line.startswith("emulator: ")]
    assert len(remarks) == 1
    assert any(re.search(found_text(pattern), remarks[0]) for pattern in patterns), remarks[0]


def test_each_line_that_is_told_belongs_to_a_defect():
    told = {
        name
        for _, *patterns in DEFECTS.values()
        for pattern in patterns
        for name in re.findall(r"\{([^}]+)\}", pattern)
    }
    assert told == set(LINES)


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


def test_in_a_browser_l_stands_for_any_register_in_headers_and_source_and_lines_keep_their_names(tmp_path):
    source = tmp_path / "timer.cu"
    source.write_text("""#include <lockstep/device_clock.hpp>
__device__ unsigned long long wide() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l" (now));
    return now;
}
__global__ void k(unsigned long long* x) { *x = wide() + lockstep::now_ns(); }
int main() {}
""")
    web = prepared("web")
    web.build(source, tmp_path / "timer.wasm")
    device = (web.folder / "work/timer.wasm/device.ll").read_text(encoding="utf-8")
    assert device.count('"=r"') == 2 and '"=l"' not in device
    assert 'timer.cu"' in device and 'device_clock.hpp"' in device and "0.timer.cu" not in device
    source.write_text(source.read_text().replace('"=l" (now)', '"=q" (now)'))
    with pytest.raises(BuildError, match=re.escape(f"{source}:4:")):
        web.build(source, tmp_path / "timer.wasm")


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ('__global__ void k() { asm("bar.sync 0;"); }', "bar.sync"),
        ("__device__ void other(); __global__ void k() { other(); }", "other"),
        ("__global__ void k() {}\nstatic auto f = cudaImportExternalSemaphore;", "cudaImportExternalSemaphore"),
    ],
)
def test_what_is_lacking_is_refused_by_name(tools, tmp_path, code, named):
    source = tmp_path / "lacking.cu"
    source.write_text(f"{code}\nint main() {{ k<<<1, 1>>>(); return sizeof(int) == 0; }}\n")
    if "static auto" in code:
        source.write_text(source.read_text().replace("return", "if (&f == nullptr || f(0, 0)) return 1; return"))
    with pytest.raises(Unsupported, match=re.escape(named)):
        tools.build(source, tmp_path / "lacking")
    assert not (tmp_path / "lacking").exists()


def test_header_that_is_not_there_is_named(tools, tmp_path):
    source = tmp_path / "library.cu"
    source.write_text("#include <cub/cub.cuh>\nint main() {}\n")
    with pytest.raises(BuildError, match="cub/cub.cuh"):
        tools.build(source, tmp_path / "library")


SITES = """#include <cstdio>
#include <cstring>
#define SITE __syncthreads();
#define TEN(X) X X X X X X X X X X
#define HUNDRED(X) TEN(TEN(X))
#define THOUSAND(X) TEN(HUNDRED(X))
// All on one line, so that only the number of a site tells its barrier from the others.
__global__ void in_turn(int* x) { SITES_IN_TURN x[threadIdx.x] = 1; }
__global__ void apart(int* x, bool all) { if (threadIdx.x < 32) SITE if (all) { SITES_BETWEEN } if (threadIdx.x >= 32) SITE x[threadIdx.x] = 2; }
int main(int argc, char**) {
    int* x = nullptr;
    cudaMalloc(&x, 64 * sizeof(int));
    in_turn<<<1, 64>>>(x);
    std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
    if (argc > 1) apart<<<1, 64>>>(x, false);
    std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


@pytest.mark.parametrize(
    "between",
    [
        "HUNDRED(SITE) HUNDRED(SITE) HUNDRED(SITE)",
        "THOUSAND(SITE) THOUSAND(SITE) TEN(SITE) TEN(SITE) TEN(SITE) TEN(SITE) SITE SITE SITE SITE SITE SITE",  # 2046
        " ".join(["THOUSAND(SITE)"] * 65 + ["HUNDRED(SITE)"] * 5 + ["TEN(SITE)"] * 3 + ["SITE"] * 5),  # 65535
    ],
    ids=["300", "2046", "65535"],
)
def test_barriers_are_told_apart_however_many_there_are(tools, tmp_path, between):
    source = tmp_path / "sites.cu"
    source.write_text(
        SITES.replace("SITES_IN_TURN", "HUNDRED(SITE) HUNDRED(SITE) HUNDRED(SITE)").replace("SITES_BETWEEN", between),
        encoding="utf-8",
    )
    tools.build(source, tmp_path / "sites")
    line = 1 + SITES[: SITES.index("void apart")].count("\n")
    printed, status = natively(tmp_path / "sites", [], 0)
    assert (printed, status) == ("cudaSuccess\ncudaSuccess\n", 0)
    printed, status = natively(tmp_path / "sites", ["apart"], 0)
    assert f"waits at sites.cu:{line}, thread (32,0,0) at another barrier of that line" in printed
    assert "cudaErrorLaunchFailure" in printed and status == 0


def test_every_name_of_the_abi_is_defined(tools):
    header = (ROOT / "programs/emulator/runtime/abi.hpp").read_text(encoding="utf-8")
    names = header[
        header.index("functions that the rewriter puts calls to") : header.index("what the rewriter defines")
    ]
    wanted = set(re.findall(r'\w+\[\] = "(__emu_\w*\w)";', names))
    wanted = {name for name in wanted if not name.endswith("_")}
    symbols = subprocess.run(
        ["nm", "--defined-only", *tools.runtime()], capture_output=True, text=True, check=True
    ).stdout
    defined = set(re.findall(r"^\w* ?[TBDR] (__emu_\w+)$", symbols, re.M))
    assert len(wanted) >= 40
    assert wanted - defined == set()
    rewriter = (ROOT / "programs/emulator/rewriter/registers.cpp").read_text(encoding="utf-8")
    registers = re.search(r"known_registers\[\] = \{(.*?)\}", rewriter)[1]
    by_kind = {f"__emu_register_{name}" for name in re.findall(r'"(\w+)"', registers)}
    assert defined - wanted - by_kind == set()


def includes_of_the_runtime() -> dict[str, set[str]]:
    """By part of the runtime, a header with the file of the same name: the parts whose headers it includes."""
    parts: dict[str, set[str]] = {}
    for file in sorted((ROOT / "programs/emulator/runtime").glob("*.?pp")):
        included = re.findall(r'^#include "(\w+)\.hpp"', file.read_text(encoding="utf-8"), re.M)
        parts.setdefault(file.stem, set()).update(set(included) - {file.stem})
    return parts


def cycle_in(parts: dict[str, set[str]]) -> set[str]:
    """What is left when parts that include nothing further are taken away again and again."""
    left = dict(parts)
    while ground := [part for part, included in left.items() if not included & set(left)]:
        for part in ground:
            del left[part]
    return set(left)


def test_the_parts_of_the_runtime_include_one_another_without_a_cycle():
    parts = includes_of_the_runtime()
    assert len(parts) > 30
    assert cycle_in(parts) == set()
    assert cycle_in(parts | {"abi": {"barriers"}}) >= {"abi", "runtime", "barriers"}
    sizes = {
        file.name: len(file.read_text(encoding="utf-8").splitlines())
        for file in (ROOT / "programs/emulator/runtime").iterdir()
    }
    assert {name: lines for name, lines in sizes.items() if lines > 300} == {}
