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
    shutil.copytree(ROOT / "docs/_ext/lockstep_sphinx/emulator", folder, dirs_exist_ok=True)
    (folder / "index.html").write_text("<!doctype html><title>Tests</title>")
    with serve(folder) as base:
        tab = browser.new_page()
        tab.goto(base)

        def run(program: Path, arguments: list[str], seed: int) -> tuple[str, int]:
            job = {"name": program.stem, "arguments": arguments, "seed": seed}
            return tuple(tab.evaluate(RUN, [program.name, job]))

        run.tab = tab
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
            worker = os.environ.get("PYTEST_XDIST_WORKER", "")  # each needs intermediate files of its own
            made = folder / (name + worker + (".wasm" if request.param == "web" else ""))
            tools.build(HERE / f"{name}.cu", made)
            built[name] = made
        printed, status = execute(built[name], list(arguments), seed)
        sides = {True: "", False: ""}
        for line in printed.splitlines(keepends=True):
            sides["emulator: " in line or "Assertion" in line] += line
        return subprocess.CompletedProcess([name, *arguments], status, sides[False], sides[True])

    return run


FILES = """async ([address, job]) => {
  const {execute} = await import("/run.js");
  const module = await WebAssembly.compile(await (await fetch(address)).arrayBuffer());
  const files = [];
  const keep = ({file, bytes}) => file && files.push([file, [...bytes]]);
  const last = await execute({...job, module}, new AbortController().signal, keep);
  return [files, last.status ?? JSON.stringify(last)];
}"""


def test_a_browser_gets_the_files_that_a_program_writes(page):
    folder, run = page
    prepared("web").build(HERE / "files.cu", folder / "files.wasm")
    job = {"name": "files", "arguments": [], "seed": 0}
    files, status = run.tab.evaluate(FILES, ["files.wasm", job])
    pixmap = list(b"P6\n2 1\n255\n") + [10, 20, 30, 40, 50, 60]
    assert (status, dict(files)) == (0, {"red.ppm": pixmap, "numbers.csv": list(b"1,2\n")})
    shown = """([file, bytes]) => import("/run.js").then(({pixels}) => {
      const image = pixels(new Uint8Array(bytes));
      return image && [image.width, image.height, ...image.data];
    })"""
    assert run.tab.evaluate(shown, ["red.ppm", pixmap]) == [2, 1, 10, 20, 30, 255, 40, 50, 60, 255]
    assert run.tab.evaluate(shown, ["red.ppm", pixmap[:-1]]) is None


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "name",
    [
        "async_operations",
        "arithmetic",
        "intrinsics",
        "captures",
        "calls",
        "driver",
        "error_log",
        "graphs",
        "green_contexts",
        "groups",
        "handles",
        "hints",
        "launches",
        "layers",
        "mappings",
        "pools",
        "textures",
        "waits",
    ],
)
def test_operations_are_what_they_are_defined_to_be(program, name, seed):
    done = program(name, seed=seed)
    assert (done.stdout, done.stderr, done.returncode) == ("0 failures\n", "", 0)


# What is found, and where: {name} stands for the file and the line with the comment "line: name". Of two texts, one.
DEFECTS = {
    "out of bounds": ("cudaErrorIllegalAddress", "touch, .*, thread (0,0,0), {touch}: writes 4 bytes at offset 256 of an allocation of 256 bytes"),
    "before": ("cudaErrorIllegalAddress", "touch, .*, {touch}: writes 4 bytes 4 bytes before an allocation of 256 bytes"),
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
    "set and added to": (
        "cudaErrorLaunchFailure",
        "set_and_added_to, .*, {added to}: a race: writes shared memory that thread (0,0,0) wrote at {set},",
        "set_and_added_to, .*, {added to}: reads shared memory that no thread has written yet",
    ),
    "local array": ("cudaErrorIllegalAddress", "local_array, .*, {one too many}: writes 4 bytes at offset 32 of a local array of 32 bytes"),
    "write after read": (
        "cudaErrorLaunchFailure",
        "write_after_read, .*, {early read}: a race: reads shared memory that thread .* wrote at {late write},",
        "write_after_read, .*, {late write}: a race: writes shared memory that thread .* read at {early read},",
    ),
    "sum in one word": (
        "cudaErrorLaunchFailure",
        "sum_in_one_word, .*, {sum in one word}: a race: reads global memory that thread .* wrote at {sum in one word}, with no barrier between",
    ),
    "last block wins": (
        "cudaErrorLaunchFailure",
        "last_block_wins, .*, {last block wins}: a race: writes global memory that thread (0,0,0) of block .* wrote at {last block wins}, and nothing orders the two",
    ),
    "shift": (
        "cudaErrorLaunchFailure",
        "shift, .*, {neighbor read}: a race: reads global memory that thread .* wrote at {own written}, with no barrier between",
        "shift, .*, {own written}: a race: writes global memory that thread .* read at {neighbor read}, with no barrier between",
    ),
    "uninitialized": ("cudaErrorLaunchFailure", "uninitialized, .*, thread (5,0,0), {uninitialized}: reads shared memory that no thread has written yet"),
    "outside shared": ("cudaErrorIllegalAddress", "thread (63,0,0), {outside shared}: writes 4 bytes outside of the block's shared variables"),
    "between shared": ("cudaErrorIllegalAddress", "thread (63,0,0), {between shared}: writes 4 bytes outside of the block's shared variables"),
    "of those here": ("cudaErrorIllegalAddress", "of_those_here, .*, {of those here}: writes 4 bytes at offset 2.. of an allocation of 256 bytes"),
    "both branches": (
        "cudaErrorLaunchFailure",
        "both_branches, .*, {one branch}: a warp operation of the lanes 0xffffffff, of which thread .* calls another, at {the other}:",
        "both_branches, .*, {the other}: a warp operation of the lanes 0xffffffff, of which thread .* calls another, at {one branch}:",
    ),
    "brings nothing": ("cudaErrorLaunchFailure", "a copy brings 64 bytes of device memory to the host of which none was ever written"),
    "left out": ("cudaErrorLaunchFailure", "left_out, block (0,0,0): a barrier that only a part of the block reaches: thread .* waits at {left out}, thread .* has come to the end of the kernel without it"),
    "fewer rounds": ("cudaErrorLaunchFailure", "fewer_rounds, block (0,0,0): a barrier that only a part of the block reaches: thread (0,0,0) waits at {fewer rounds}, thread (1,0,0) has come to the end of the kernel without it"),
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

ASYNC_DEFECTS = {
    "early read": ("cudaErrorLaunchFailure", "loads, .*, {loaded read}: reads shared memory that an asynchronous copy still writes, which began at {load}: wait for it first"),
    "reader without wait": (
        "cudaErrorLaunchFailure",
        "loads, .*, {loaded read}: reads shared memory that an asynchronous copy still writes, which began at {load}",
        "loads, .*, {loaded read}: a race: reads shared memory that an asynchronous copy wrote at {load}, without a wait at the barrier of the copy",
    ),
    "few bytes": ("cudaErrorLaunchTimeout", "loads, .*: deadlock: 64 threads wait at the barrier initialized at {loads init}, whose phase 0 lacks 256 bytes at {wait}"),
    "many bytes": ("cudaErrorLaunchTimeout", "loads, .*: deadlock: 64 threads wait at the barrier initialized at {loads init}, whose phase 0 lacks nothing, but has 128 bytes too many at {wait}"),
    "parity again": ("cudaErrorLaunchFailure", "phases, .*, {wait}: waits for parity 0 of a barrier again, though the thread has already waited for that phase: the current one has parity 1"),
    "missing arrival": ("cudaErrorLaunchTimeout", "phases, .*: deadlock: 64 threads wait at the barrier initialized at {phases init}, whose phase 0 lacks 1 arrival at {wait}"),
    "old token": ("cudaErrorLaunchFailure", "phases, .*, {old token}: waits at a barrier with an old token"),
    "no fence": ("cudaErrorLaunchFailure", "stores, .*, {store}: an asynchronous copy reads shared memory that thread .* wrote at {stored write}, with no proxy fence between"),
    "not initialized": ("cudaErrorLaunchFailure", "phases, .*, {arrives}: uses a barrier that is not initialized"),
    "used at once": (
        "cudaErrorLaunchFailure",
        "phases, .*, {arrives}: uses a barrier that is not initialized",
        "phases, .*, {arrives}: a race: uses a barrier that thread (0,0,0) initialized at {phases init}, with no barrier between",
    ),
    "many arrivals": ("cudaErrorLaunchFailure", "phases, .*: arrives at a barrier with .*, though its phase expects only .* of 64 more"),
    "reused source": ("cudaErrorLaunchFailure", "stores, .*, {reused source}: writes shared memory that an asynchronous copy still reads, which began at {store}: wait until it has read first"),
    "read after read": ("cudaErrorLaunchFailure", "stores, .*, {read after read}: reads device memory that an asynchronous copy still writes, which began at {store}: wait for it first"),
    "ends reading": ("cudaErrorLaunchFailure", "stores, block (0,0,0): ends while an asynchronous copy still reads its shared memory, which began at {store}: wait until it has read first"),
    "ends writing": ("cudaErrorLaunchFailure", "loads, block (0,0,0): ends while an asynchronous copy still writes its shared memory, which began at {load}: wait for it first"),
    "misaligned": ("cudaErrorMisalignedAddress", "loads, .*, {load}: a bulk copy from or to an address that is no multiple of 16"),
    "own copy": ("cudaErrorLaunchFailure", "copies, .*, {copy read}: reads shared memory that an asynchronous copy still writes, which began at {own copy}: wait for it first"),
    "others copy": (
        "cudaErrorLaunchFailure",
        "copies, .*, {copy read}: a race: reads shared memory that thread .* wrote at {own copy}, with no barrier between",
        "copies, .*, {copy read}: reads shared memory that no thread has written yet",
        "copies, .*, {own copy}: a race: writes shared memory that thread .* read at {copy read}, with no barrier between",
    ),
    "no wait": (
        "cudaErrorLaunchFailure",
        "phases, .*, {phase read}: a race: reads shared memory that thread .* wrote at {phase write}, with no barrier between",
        "phases, .*, {phase read}: reads shared memory that no thread has written yet",
        "phases, .*, {phase write}: a race: writes shared memory that thread .* read at {phase read}, with no barrier between",
    ),
    "by class": ("cudaErrorLaunchFailure", "clusters, .*, {by class}: arrives at another block's cuda::barrier"),
    "other block": ("cudaErrorIllegalAddress", "clusters, .*, {other block}: waits at a barrier of another block: a thread can only arrive there"),
    "odd corner": ("cudaErrorIllegalInstruction", "tiles, .*, {tile}: copies a tile whose corner is 2 elements from the first: this must be a multiple of 16 bytes"),
    "no fence after init": ("cudaErrorLaunchFailure", "loads, .*, {load}: an asynchronous copy tells a barrier that thread (0,0,0) initialized at {loads init}, with no proxy fence between: that thread needs fence_proxy_async, or fence_mbarrier_init"),
    "fence of others": ("cudaErrorLaunchFailure", "fenced, .*, {fenced copy}: an asynchronous copy writes shared memory that thread .* wrote at {overwritten write}, with no proxy fence between"),
    "overwritten": ("cudaErrorLaunchFailure", "fenced, .*, {fenced copy}: an asynchronous copy writes shared memory that thread .* wrote at {overwritten write}, with no proxy fence between"),
    "copied global": ("cudaErrorLaunchFailure", "fenced, .*, {fenced copy}: an asynchronous copy reads device memory that thread .* wrote at {x write}, with no proxy fence between"),
    "fence for shared": ("cudaErrorLaunchFailure", "fenced, .*, {fenced copy}: an asynchronous copy reads device memory that thread .* wrote at {x write}, with no proxy fence between"),
    "copied global of others": ("cudaErrorLaunchFailure", "fenced_for_others, block (1,0,0), .*, {others copy}: an asynchronous copy reads device memory that thread .* of block (0,0,0) wrote at {others write}, with no proxy fence between"),
    "short row": ("cudaErrorNotSupported", "tiles, .*, {tile}: copies a tile by a tensor map with what the emulator lacks: rows of the box that are shorter than the swizzle's span"),
    "half way": ("cudaErrorNotSupported", "tiles, .*, {tile}: rounds to TF32 a NaN, or a number half way between two: the emulator lacks that", "tiles, .*, {wait}: rounds to TF32 a NaN, or a number half way between two: the emulator lacks that"),
    "map without fence": ("cudaErrorLaunchFailure", "mapped, .*, {by map}: uses a tensor map in device memory without a fence: the block needs fence_proxy_tensormap_generic with sem_acquire before"),
    "map fenced before": ("cudaErrorLaunchFailure", "mapped, .*, {by new map}: uses a tensor map in device memory that has changed since its last fence"),
    "stored map": ("cudaErrorLaunchFailure", "mapped, .*, {by new map}: uses a tensor map that thread .* wrote at {stored map} and nothing has published since: tensormap_cp_fenceproxy does"),
    "map in shared": ("cudaErrorIllegalAddress", "mapped, .*, {by new map}: uses a tensor map in shared memory"),
    "no such box": ("cudaErrorIllegalInstruction", "mapped, .*, {by new map}: uses a tensor map in which a kernel has set what is not possible: a box has 1 to 256 elements along a dimension"),
    "no map": ("cudaErrorIllegalInstruction", "loads, .*, {no map}: uses a tensor map that cuTensorMapEncodeTiled has not made"),
    "initialized again": (
        "cudaErrorLaunchFailure",
        "phases, .*, {again}: initializes a barrier again in the middle of a phase; it was initialized at {phases init}",
    ),
}  # fmt: skip

LAUNCH_DEFECTS = {
    "shared to child": ("cudaErrorInvalidAddressSpace", "hands, .*, {pointer}: hands a pointer to shared memory to set, as argument 1: another grid cannot use it"),
    "local to child": ("cudaErrorInvalidAddressSpace", "hands, .*, {pointer}: hands a pointer to local memory to set, as argument 1"),
    "in a structure": ("cudaErrorInvalidAddressSpace", "hands, .*, {structure}: hands a pointer to shared memory to set_piece, as argument 1"),
    "in a small structure": ("cudaErrorInvalidAddressSpace", "hands, .*, {pair}: hands a pointer to local memory to set_pair, as argument 1"),
    "through memory": ("cudaErrorIllegalAddress", "set_through, .*, {set through}: writes shared memory of a block of another grid"),
    "other block": ("cudaErrorLaunchFailure", "uses, .*, {launches}: uses a stream that another block made: only its own block may use it"),
    "host stream": ("cudaErrorLaunchFailure", "uses, .*, {launches}: uses a stream of the host: a kernel may only use those that its block made"),
    "host event": ("cudaErrorLaunchFailure", "uses, .*, {records}: uses an event of the host: a kernel may only use those that its block made"),
    "destroyed": ("cudaErrorLaunchFailure", "uses, .*, {fills}: uses a stream that does not exist"),
    "small buffer": ("cudaErrorLaunchFailure", "by_hand, .*, {by hand}: launches with a buffer of 2 bytes for . bytes of arguments"),
    "buffer again": ("cudaErrorLaunchFailure", "by_hand, .*, {again}: launches with a buffer that cudaGetParameterBuffer has not given for this launch"),
    "host memory": ("cudaErrorIllegalAddress", "frees, .*, {frees}: frees memory that no kernel has allocated"),
    "child": ("cudaErrorIllegalAddress", "set, .*, {set}: writes 4 bytes through a null pointer"),
    "trap": ("cudaErrorLaunchFailure", "frees, .*: executes the instruction trap"),
}  # fmt: skip

HOST_DEFECTS = {
    "read early": ("cudaErrorLaunchFailure", "set, .*, {set}: a race: writes memory that the host read at {read early} before it waited for the kernel"),
    "written early": ("cudaErrorLaunchFailure", "copy, .*, {copy}: a race: reads memory that the host wrote at {written early} before it waited for the kernel"),
    "counted early": ("cudaErrorLaunchFailure", "count, .*, {count}: a race: writes memory that the host read at {counted early} before it waited for the kernel"),
    "copied early": ("cudaErrorLaunchFailure", "a copy or a fill writes memory that the host read at {copied early} before it waited for it"),
    "source changed": ("cudaErrorLaunchFailure", "a copy or a fill reads memory that the host wrote at {source changed} before it waited for it"),
    "filled early": ("cudaErrorLaunchFailure", "a copy or a fill writes memory that the host read at {filled early} before it waited for it"),
    "other event": ("cudaErrorLaunchFailure", "set, .*, {set}: a race: writes memory that the host read at {other event} before it waited for the kernel"),
}  # fmt: skip

MAPPING_DEFECTS = {
    "never mapped": ("cudaErrorIllegalAddress", "store, .*, {store}: writes 4 bytes of reserved addresses to which no memory is mapped"),
    "no access": ("cudaErrorIllegalAddress", "load, .*, {load}: reads 4 bytes of mapped memory to which cuMemSetAccess has given the device no access"),
    "never written": ("cudaErrorLaunchFailure", "load, .*, {load}: reads device memory that was never written"),
    "beyond": ("cudaErrorIllegalAddress", "store, .*, {store}: writes 4 bytes of reserved addresses to which no memory is mapped"),
    "beyond the range": ("cudaErrorIllegalAddress", "store, .*, {store}: writes 4 bytes of memory that is not the device's", "store, .*, {store}: writes 4 bytes where nothing is allocated"),
    "not waited for": ("cudaErrorIllegalAddress", "store, .*, {store}: writes 4 bytes of memory that was unmapped"),
    "copied later": ("cudaErrorIllegalAddress", "a copy or a fill writes reserved addresses whose mapping was taken away before: wait for the work first"),
    "unmapped": ("cudaErrorIllegalAddress", "load, .*, {load}: reads 4 bytes of memory that was unmapped"),
    "freed addresses": ("cudaErrorIllegalAddress", "load, .*, {load}: reads 4 bytes of addresses that were freed"),
    "released twice": ("cudaSuccess", "cuMemRelease: the handle names no memory, or was released"),
}  # fmt: skip
# A browser refuses memory that may only be read.
READ_ONLY_DEFECTS = {
    "read only": ("cudaErrorIllegalAddress", "store, .*, {store}: writes 4 bytes of memory that is mapped for reading only"),
    "read only, added to": ("cudaErrorIllegalAddress", "add, .*, {add}: writes 4 bytes of memory that is mapped for reading only"),
}  # fmt: skip

TEXTURE_DEFECTS = {
    "outside": ("cudaErrorIllegalAddress", "fetch, .*, {fetch}: fetches texel 64 of 64"),
    "before": ("cudaErrorIllegalAddress", "fetch, .*, {fetch}: fetches texel -1 of 64"),
    "never written": ("cudaErrorLaunchFailure", "fetch_plane, .*, {plane}: reads device memory that was never written"),
    "no object": ("cudaErrorIllegalAddress", "fetch, .*, {fetch}: fetches from what is no texture object"),
    "other shape": ("cudaErrorIllegalAddress", "fetch_plane, .*, {plane}: tex2D fetches from a texture that tex1Dfetch reads"),
    "other type": ("cudaErrorLaunchFailure", "fetch_floats, .*, {floats}: fetches float components of 32 bits from a texture that gives signed components of 32 bits"),
    "more components": ("cudaErrorLaunchFailure", "fetch_four, .*, {four}: fetches 4 components from texels with 1"),
    "no such component": ("cudaErrorIllegalAddress", "gather, .*, {gather}: gathers component 1 of texels with 1"),
    "stale": ("cudaErrorLaunchFailure", "write_and_fetch, .*, {after its own write}: fetches a texel that this kernel has written"),
    "stale sum": ("cudaErrorLaunchFailure", "add_and_fetch, .*, {after an atomic}: fetches a texel that this kernel has written"),
    "race": (
        "cudaErrorLaunchFailure",
        "fetch_and_write, .*, {other's texel}: a race: reads global memory that thread .* wrote at {own texel}",
        "fetch_and_write, .*, {own texel}: a race: writes global memory that thread .* read at {other's texel}",
    ),
    "misaligned": ("cudaErrorMisalignedAddress", "store, .*, {store}: byte 5 of a row is no multiple of the 4 bytes of an element: x counts bytes"),
    "too far right": ("cudaErrorIllegalAddress", "store, .*, {store}: writes column 8 of a surface with 8"),
    "too far down": ("cudaErrorIllegalAddress", "store, .*, {store}: writes row 4 of a surface with 4"),
    "other surface": ("cudaErrorIllegalAddress", "store_line, .*, {store line}: uses a function for a 1D array with a surface of a 2D array"),
    "stale surface": ("cudaErrorLaunchFailure", "store_and_fetch, .*, {after a surface}: fetches a texel that this kernel has written"),
    "destroyed": ("cudaErrorIllegalAddress", "fetch_plane, .*, {plane}: fetches from a texture object that was destroyed"),
    "destroyed surface": ("cudaErrorIllegalAddress", "store, .*, {store}: uses a surface object that was destroyed"),
    "freed array": ("cudaErrorIllegalAddress", "store, .*, {store}: uses a surface of a CUDA array that was freed"),
    "freed memory": ("cudaErrorIllegalAddress", "fetch, .*, {fetch}: reads 4 bytes of memory that was freed"),
}  # fmt: skip


def lines_of(program: str) -> dict[str, int]:
    """The numbers of the lines with a comment "line: name"."""
    text = (HERE / f"{program}.cu").read_text(encoding="utf-8")
    return {
        name: number for number, line in enumerate(text.splitlines(), 1) for name in re.findall(r"// line: (.+)$", line)
    }


PLANTED = {
    "defects": DEFECTS,
    "async_defects": ASYNC_DEFECTS,
    "launch_defects": LAUNCH_DEFECTS,
    "host_defects": HOST_DEFECTS,
    "mapping_defects": MAPPING_DEFECTS,
    "texture_defects": TEXTURE_DEFECTS,
}
LINES = {program: lines_of(program) for program in PLANTED}


def found_text(program: str, pattern: str) -> str:
    """A regular expression for a text of a table above, with the lines' numbers."""
    pattern = pattern.replace("(", r"\(").replace(")", r"\)")
    return re.sub(r"\{([^}]+)\}", lambda match: rf"{program}\.cu:{LINES[program][match[1]]}(?!\d)", pattern)


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize(("planted", "defect"), [(name, defect) for name in PLANTED for defect in PLANTED[name]])
def test_defects_are_found_and_stay(program, planted, defect, seed):
    error, *patterns = PLANTED[planted][defect]
    done = program(planted, defect, seed=seed)
    assert done.stdout.splitlines() == [error, error], done.stderr  # the error sticks
    remarks = [line for line in done.stderr.splitlines() if line.startswith("emulator: ")]
    assert len(remarks) == 1
    assert any(re.search(found_text(planted, pattern), remarks[0]) for pattern in patterns), remarks[0]


def test_an_error_of_a_launch_that_nobody_looks_at_is_told_at_the_end(program):
    done = program("defects", "not looked at")
    assert done.stdout == "cudaSuccess\ncudaSuccess\n"
    [line] = [
        at for at, text in enumerate((HERE / "defects.cu").read_text().splitlines(), 1) if "touch<<<1, 2048>>>" in text
    ]
    told = f"emulator: 1 error was returned and not looked at: cudaErrorInvalidValue, first at defects.cu:{line}\n"
    assert (done.stderr, done.returncode) == (told, 1)


def test_device_memory_that_the_host_uses_ends_the_program(program):
    done = program("host_defects", "device memory")
    assert (done.stdout, done.returncode) == ("cudaSuccess\n", 1)
    line = LINES["host_defects"]["device memory"]
    told = f"emulator: the host reads device memory at host_defects.cu:{line}: only kernels and copies can reach it\n"
    assert done.stderr == told


@pytest.mark.parametrize("defect", READ_ONLY_DEFECTS)
def test_memory_may_be_for_reading_only_except_in_a_browser(program, request, defect):
    error, pattern = READ_ONLY_DEFECTS[defect]
    if request.node.callspec.params["program"] == "web":
        error, pattern = "cudaSuccess", "cuMemSetAccess: memory that kernels may only read: no browser can do this"
    done = program("mapping_defects", defect)
    assert done.stdout.splitlines() == [error, error]
    assert re.search(found_text("mapping_defects", pattern), done.stderr), done.stderr


def test_functions_of_the_driver_that_are_lacking_are_named(program):
    done = program("driver", "lacking")
    assert done.stdout == "0 failures\n"
    said = "emulator: of the driver's functions, {} is not here"
    assert done.stderr.splitlines() == [
        said.format("cuNoSuchFunction for version 12000"),
        said.format("cuMemAlloc for version 2000"),
        said.format("cuMemsetD32 for version 12000 with default streams of threads"),
    ]


LACKING = {
    "textures": [
        "cudaCreateTextureObject: the emulator lacks resource views",
        "cudaCreateTextureObject: the emulator lacks anisotropic filters",
    ],
    "error_log": [
        "cuLogsDumpToMemory: the emulator does not know what the log says of a call that failed with cudaErrorInvalidResourceHandle",
        "cuLogsDumpToMemory: the emulator lacks dumps to less than 25600 bytes",
    ],
    "green_contexts": [
        "cuDevSmResourceSplitByCount: the emulator does not know what a GPU makes of groups of 128 SMs",
        "the emulator lacks the default stream of a green context",
    ],
}


@pytest.mark.parametrize("name", LACKING)
def test_what_no_run_has_shown_is_refused_in_words(program, name):
    done = program(name, "lacking")
    assert done.stdout == "0 failures\n"
    assert done.stderr.splitlines() == [f"emulator: {line}" for line in LACKING[name]]


@pytest.mark.parametrize("place", ["stdout", "log.txt", "no/such/folder/log.txt"])
def test_the_log_goes_where_the_environment_says(tools, tmp_path, monkeypatch, place):
    tools.build(HERE / "error_log.cu", tmp_path / "program")
    monkeypatch.setenv("CUDA_LOG_FILE", place)
    monkeypatch.chdir(tmp_path)
    printed, status = natively(tmp_path / "program", [], 0)
    assert status == (place.startswith("no/"))  # whose log begins with a message about that
    written = (tmp_path / place).read_text(encoding="utf-8") if (tmp_path / place).exists() else printed
    line = (
        r"^\[\d\d:\d\d:\d\d\.\d{3}\]\[\d+\]\[CUDA\]\[E\] Returning 1 \(CUDA_ERROR_INVALID_VALUE\) from cuLaunchKernel$"
    )
    assert bool(re.search(line, written, re.M)) == (not place.startswith("no/"))


@pytest.mark.parametrize("planted", PLANTED)
def test_each_line_that_is_told_belongs_to_a_defect(planted):
    told = {
        name
        for _, *patterns in PLANTED[planted].values()
        for pattern in patterns
        for name in re.findall(r"\{([^}]+)\}", pattern)
    }
    assert told <= set(LINES[planted])
    assert planted != "defects" or told == set(LINES[planted])


@pytest.mark.parametrize("planted", PLANTED)
def test_right_programs_are_left_alone(program, planted):
    for seed in range(3):
        done = program(planted, seed=seed)
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
        ("__global__ void k() { cudaMemset2DAsync(nullptr, 0, 0, 0, 0, nullptr); }", "cudaMemset2DAsync"),
        ("__global__ void k() {}\nstatic auto f = cudaImportExternalSemaphore;", "cudaImportExternalSemaphore"),
        ("#include <cuda.h>\n__global__ void k() {}\nstatic auto f = cuMemPoolTrimTo;", "cuMemPoolTrimTo"),
        ("__global__ void k() { tex1DGrad<float>(cudaTextureObject_t(), 0, 0, 0); }", "tex1DGrad (lacking.cu:1)"),
        ("#include <cuda_fp16.h>\n__global__ void k() { __hcmadd(1, 2, 3); }", "__hcmadd (lacking.cu:2)"),
        ("#include <cstdlib>\n__global__ void k(int* x) { *x = rand(); }", "the host's function rand"),
        (
            "#include <cuda/ptx>\n__global__ void k() { void* map = nullptr; cuda::ptx::tensormap_replace_element_size(cuda::ptx::space_global, map, 1); }",
            "cuda::ptx::tensormap_replace_element_size",
        ),
    ],
)
def test_what_is_lacking_is_refused_by_name(tools, tmp_path, code, named):
    source = tmp_path / "lacking.cu"
    launch = "k<<<1, 1>>>(nullptr);" if "k(int* x)" in code else "k<<<1, 1>>>();"
    source.write_text(f"{code}\nint main() {{ {launch} return sizeof(int) == 0; }}\n")
    if "static auto" in code:
        source.write_text(source.read_text().replace("return", "if (&f == nullptr || f(0, 0)) return 1; return"))
    with pytest.raises(Unsupported, match=re.escape(named)):
        tools.build(source, tmp_path / "lacking")
    assert not (tmp_path / "lacking").exists()


def test_numbers_of_16_bits_are_those_of_the_toolkit(program, tmp_path_factory):
    host = tmp_path_factory.getbasetemp() / "small_floats_on_host"
    if not host.exists():
        command = ["nvcc", "-std=c++17", "-arch=sm_90", "-DON_HOST", "-o", host, HERE / "small_floats.cu"]
        subprocess.run(command, check=True, capture_output=True)
    done = program("small_floats")
    assert done.stdout == subprocess.run([host], check=True, capture_output=True, text=True).stdout
    assert len(set(done.stdout.splitlines())) > 70 and done.stderr == ""


def built_and_run(tools, tmp_path, code):
    """Builds a program and runs it here; its status and what it said."""
    source = tmp_path / "one.cu"
    source.write_text(code)
    tools.build(source, tmp_path / "one")
    done = subprocess.run([tmp_path / "one"], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stderr


@pytest.fixture(scope="session")
def host_threads(tools, tmp_path_factory) -> Path:
    """Built natively alone, since a browser has no threads; each worker needs intermediate files of its own."""
    made = tmp_path_factory.mktemp("threads") / f"host_threads{os.environ.get('PYTEST_XDIST_WORKER', '')}"
    tools.build(HERE / "host_threads.cu", made)
    return made


@pytest.mark.parametrize("seed", range(5))
def test_threads_of_the_host_and_host_functions_may_wait_for_one_another(host_threads, seed):
    assert natively(host_threads, [], seed) == ("0 failures\n", 0)


def test_a_kernel_waits_for_another_thread_of_the_host_but_not_for_ever(host_threads):
    printed, status = natively(host_threads, ["in-vain"], 0)
    assert status == 0 and "wait_for, block (0,0,0), thread (0,0,0): waits without end for memory to change" in printed
    assert printed.endswith("cudaErrorLaunchTimeout\n")


def test_host_functions_that_wait_for_each_other_are_stopped(host_threads):
    printed, status = natively(host_threads, ["each-other"], 0)
    assert status == 1 and "the runtime may run them one after another, so none may wait for another" in printed


TRACED = """#include <cstdio>
constexpr int rows = 32;
__device__ int twice(int number) {
    return 2 * number;
}
__global__ void k(int n, int* x) {
    __shared__ float tile[rows][rows];
    extern __shared__ int further[];
    const int lane = threadIdx.x;
    int sum = 0;
    tile[lane][0] = lane + 0.5f;
    for (int i = 0; i < 2; ++i) sum += twice(lane);
    further[lane] = sum;
    if (lane >= 16)
        x[lane * 8] = sum;
    atomicAdd(x, lane == 0 ? n : 0);
}
int main() {
    int* x;
    cudaMalloc(&x, 4096);
    cudaMemset(x, 0, 4096);
    k<<<6, 32, 256>>>(5, x);
    cudaDeviceSynchronize();
    int first;
    cudaMemcpy(&first, x, 4, cudaMemcpyDeviceToHost);
    std::printf("%d\\n", first);
}
"""

# The program's output, the trace as the page reads it, and what each step's accesses ask of the memory.
STEPS = """async ([address, job]) => {
  const {execute} = await import("/run.js");
  const {parse, judge} = await import("/trace.js");
  const module = await WebAssembly.compile(await (await fetch(address)).arrayBuffer());
  let [out, trace] = ["", ""];
  const last = await execute({...job, module}, new AbortController().signal, (heard) => { out += heard.out; trace += heard.trace; });
  const {blocks, variables} = parse(trace);
  for (const {steps, arrays} of blocks)
    for (const step of steps) step.judged = step.accesses.map((access) => judge(access, arrays).text);
  return {out, last, variables, blocks};
}"""


@pytest.fixture(scope="module")
def stepped(page, tmp_path_factory):
    """Builds a program for the stepper and runs it in the page; returns what the page reads of it."""
    folder, _ = page

    def run(code: str, name: str) -> dict:
        source = tmp_path_factory.mktemp("stepped") / f"{name}.cu"
        source.write_text(code)
        prepared("steps").build(source, folder / f"{name}.wasm")
        return run.tab.evaluate(STEPS, [f"{name}.wasm", {"name": name, "arguments": [], "seed": 0}])

    run.tab = page[1].tab
    return run


def test_a_trace_tells_values_and_accesses_of_each_step(stepped):
    found = stepped(TRACED, "traced")
    assert (found["out"], found["last"]) == ("30\n", {"status": 0})
    names = {v["name"]: (v["kind"], v["first"], v["last"]) for v in found["variables"]}
    assert names == {"number": ("i4", 3, 4), "lane": ("i4", 9, 17), "sum": ("i4", 10, 17), "i": ("i4", 12, 12)}
    numbers = [v["name"] for v in found["variables"]]
    assert [block["block"] for block in found["blocks"]] == [0, 1, 2, 3], "of the six"
    block = found["blocks"][0]
    assert [(a["name"], a["kind"], a["bytes"], a["extents"], a["place"]) for a in block["arrays"]] == [
        ("tile", "f4", 4096, [32, 32], 0),
        ("further", "i4", 256, [], 4096),
    ]
    steps = block["steps"]
    assert [step["line"] for step in steps] == [9, 10, 11, 12, 12, 4, 12, 12, 4, 12, 13, 14, 15, 16, 17]
    at = {step["line"]: step for step in steps}  # the last of a line
    values = {numbers[variable]: values for step in steps for variable, values in step["set"]}
    assert values == {"lane": "0=0~1*32", "sum": "0=0~4*32", "number": "0=0~1*32", "i": "0=2*32"}
    assert at[11]["judged"] == ["writes tile: 32 lanes, 32 wavefronts: a bank conflict"]
    assert at[11]["values"][0][0] == 0 and at[11]["values"][0][1].startswith("0=0.5 32=1.5 64=2.5 ")
    assert at[13]["judged"] == ["writes further: 32 lanes, 1 wavefront"]
    assert at[13]["values"] == [[1, "0=0~4*32"]]
    assert at[15]["lanes"] == "." * 16 + "#" * 16
    assert at[15]["judged"] == ["writes global memory: 16 lanes of 4 bytes, 16 sectors; 2 would hold them"]
    assert at[16]["judged"] == ["atomic operations on global memory: 32 lanes, 1 address"]


def test_a_long_trace_is_cut_and_the_program_goes_on(stepped):
    code = TRACED.replace("i < 2;", "i < 5000;")
    found = stepped(code, "long")
    assert (found["out"], found["last"]) == ("30\n", {"status": 0})
    assert [(block["cut"], len(block["steps"])) for block in found["blocks"]] == [(True, 2000), (True, 2000)]


def test_more_constant_memory_than_there_is_is_refused(tools, tmp_path):
    code = "__constant__ float c[SIZE];\n__global__ void k(float* x) { *x = c[*x > 0]; }\nint main() { return &k == nullptr; }\n"
    assert built_and_run(tools, tmp_path, code.replace("SIZE", "16384")) == (0, "")
    said = "emulator: the program has 65540 bytes of constant memory or more; ptxas refuses more than 65536\n"
    assert built_and_run(tools, tmp_path, code.replace("SIZE", "16385")) == (1, said)


def test_kernel_that_crashes_is_named(tools, tmp_path):
    code = """__noinline__ __device__ void fill(int* a, int n) { for (int i = 0; i < n; ++i) a[i] = -1; }
__global__ void k(int n, int* x) {
    int a[4];
    fill(a, n);
    x[threadIdx.x] = a[threadIdx.x % 4];
}
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(200, x);
    return cudaDeviceSynchronize();
}
"""
    status, said = built_and_run(tools, tmp_path, code)
    assert status < 0, "it still ends by its signal"
    assert said.startswith(
        "emulator: k, block (0,0,0), thread (0,0,0): crashes; the likeliest reason is an index outside"
    )


def test_a_name_that_nobody_knows_is_a_mistake(tools, tmp_path):
    source = tmp_path / "mistake.cu"
    source.write_text("__global__ void k() { no_such_function_anywhere(); }\nint main() {}\n")
    with pytest.raises(BuildError, match="no_such_function_anywhere"):
        tools.build(source, tmp_path / "mistake")


def test_header_that_is_not_there_is_named(tools, tmp_path):
    source = tmp_path / "library.cu"
    source.write_text("#include <cub/cub.cuh>\nint main() {}\n")
    with pytest.raises(Unsupported, match=re.escape("the header cub/cub.cuh (library.cu:1)")):
        tools.build(source, tmp_path / "library")
    source.write_text('#include "mine.hpp"\nint main() {}\n')
    with pytest.raises(BuildError, match="mine.hpp"):
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
    for part in ("abi_async", "abi_launches", "abi_textures"):
        names += (ROOT / f"programs/emulator/runtime/{part}.hpp").read_text(encoding="utf-8")
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
