"""The calculators of pages: what the real ones say of recordings that exist, and what the check says of bad ones."""

import re
import shutil
import subprocess

import pytest

from lockstep.calculators import CALCULATORS, FOLDER, Calculator, CalculatorError
from lockstep.checks import calculators
from lockstep.data import DataError
from lockstep.files import ROOT
from lockstep.programs import cmake_lists
from lockstep.recordings import series, transcripts

PROGRAMS = ROOT / "programs"
SIMT = PROGRAMS / "programming/simt_kernels"
LANES = range(32)


def sectors(*cases: dict) -> list[int]:
    return [answer["sectors"] for answer in calculators.ask(ROOT, "coalescing", cases)["answers"]]


def wavefronts(*cases: dict) -> list[int]:
    return [answer["wavefronts"] for answer in calculators.ask(ROOT, "bank_conflicts", cases)["answers"]]


def strided(stride: int, offset: int = 0, word_bytes: int = 4) -> dict:
    return {"word_bytes": word_bytes, "stride": stride, "offset": offset}


def gathered(words: list[int], word_bytes: int = 4) -> dict:
    return {"words": words, "word_bytes": word_bytes}


def output(program: str, command: str) -> list[str]:
    """What the first command that begins so printed, as recorded."""
    recorded = transcripts.parse((PROGRAMS / f"{program}.console").read_text(encoding="utf-8"))
    return next(found.output for found in recorded.commands if found.text.startswith(command))


def counted(program: str, column: str) -> list[int]:
    """A column of the table that ncu's filters made."""
    heads, *rows = [re.split(r" {2,}", line) for line in output(program, "ncu")]
    return [int(row[heads.index(column)].removeprefix("~")) for row in rows]


# -- what was recorded before there were calculators ---------------------------------------------------------------------

PATTERNS = [
    strided(1),
    gathered([31 - lane for lane in LANES]),
    gathered([lane * 5 % 32 for lane in LANES]),
    strided(1, 1),
    strided(2),
    strided(8),
    strided(32),
    strided(0),
    strided(1, word_bytes=8),
    strided(2, word_bytes=8),
]


@pytest.mark.content
def test_sectors_are_those_of_sectors_per_request_and_of_the_profiler():
    program = "programming/simt_kernels/coalescing/sectors_per_request"
    printed = [int(line[22:].split()[0]) for line in output(program, "./")[1:]]
    assert sectors(*PATTERNS) == printed == counted(program, "sectors per request")


@pytest.mark.content
@pytest.mark.parametrize(("file", "column"), [("strided_reads.csv", "stride"), ("offset_reads.csv", "offset")])
def test_sectors_are_those_of_strided_reads(file, column):
    rows = series.read(SIMT / "coalescing" / file)
    cases = [strided(**({"stride": 1} | {column: int(row[column])})) for row in rows]
    assert sectors(*cases) == [int(row["sectors"]) for row in rows] and len(rows) >= 32


@pytest.mark.content
def test_sectors_are_those_of_five_patterns_as_the_profiler_counted_them():
    program = "labs/optimisation_2/five_patterns"
    cases = [
        strided(1, 64),
        gathered([64 + (lane * 5 + 3) % 32 for lane in LANES]),
        strided(1, 62),
        strided(0, 64),
        strided(97, 64),
    ]
    printed = [int(line.split()[-3]) for line in output(program, "./")[1:]]
    assert sectors(*cases) == printed == counted(program, "sectors per request")


@pytest.mark.content
def test_sectors_are_the_answers_of_predict_sectors():
    cases = [
        strided(1),
        gathered([31 - lane for lane in LANES]),
        strided(1, 2),
        strided(0, 7),
        strided(2),
        strided(8),
        strided(1000),
        strided(1, word_bytes=8),
        strided(1, word_bytes=16),
        gathered([lane // 8 * 64 for lane in LANES]),
    ]
    source = (PROGRAMS / "labs/optimisation_2/predict_sectors.cu").read_text(encoding="utf-8")
    answers = re.findall(r"^    (\d+),  //", source.split("// [task]")[1], re.M)
    assert sectors(*cases) == list(map(int, answers))
    assert output("labs/optimisation_2/predict_sectors", "./")[-1].endswith("solved")


@pytest.mark.content
def test_sectors_are_those_that_the_profiler_counted_of_rows_columns_and_transposes():
    rows = counted("labs/optimisation_2/rows_and_columns", "sectors per request")
    assert sectors(strided(100), strided(1), strided(1)) == rows
    stores = counted("programming/simt_kernels/bank_conflicts/transpose_three_ways", "sectors per store")
    assert sectors(strided(1024), strided(1), strided(1)) == stores


@pytest.mark.content
def test_wavefronts_are_the_ways_of_bank_conflict_ways():
    rows = series.read(SIMT / "bank_conflicts/bank_conflict_ways.csv")
    cases = []
    for row in rows:
        places = [lane * int(row["stride"]) for lane in LANES]
        cases.append(gathered([i + i // 32 if row["layout"] == "padded" else i for i in places]))
    assert wavefronts(*cases) == [int(row["ways"]) for row in rows] and len(rows) == 68


@pytest.mark.content
def test_wavefronts_are_the_cycles_of_bank_conflict_ways():
    rows = series.read(SIMT / "bank_conflicts/bank_conflict_ways.csv")
    assert rows and all(round(float(row["~cycles_per_load"])) == int(row["ways"]) for row in rows)


@pytest.mark.content
def test_wavefronts_are_the_words_of_a_bank_of_broadcast_and_one_writer():
    recorded = output("programming/simt_kernels/bank_conflicts/broadcast_and_one_writer", "./")[1:]
    cases = [
        [*LANES],
        [lane * 13 % 32 for lane in LANES],
        [5 if lane % 7 == 3 else lane for lane in LANES],
        [5 for _ in LANES],
        [5 if lane % 2 else 37 for lane in LANES],
        [5 + 32 * (lane % 4) for lane in LANES],
    ]
    assert wavefronts(*map(gathered, cases)) == [int(line[28:].split()[0]) for line in recorded]


@pytest.mark.content
def test_wavefronts_are_those_that_the_profiler_counted_of_transposes():
    """The counter has a small excess, which its transcript declares; it is far below one wavefront a load."""
    program = "programming/simt_kernels/bank_conflicts/transpose_three_ways"
    _, plain, padded = counted(program, "wavefronts of shared-memory loads")
    loads = 1024 * 1024 // 32
    tile = {"pattern": "tile", "word_bytes": 4, "a": 1}
    assert wavefronts(tile | {"b": 0}, tile | {"b": 1}) == [plain // loads, padded // loads]


@pytest.mark.content
def test_blocks_are_those_of_occupancy_by_hand():
    rows = series.read(SIMT / "occupancy/occupancy_by_hand.csv")
    cases = [
        {"capability": 90, "threads": int(r["threads"]), "registers": 8, "shared_bytes": int(r["shared_kib"]) * 1024}
        for r in rows
    ]
    wanted = [int(row["blocks"]) for row in rows]
    recorded = transcripts.parse((SIMT / "occupancy/occupancy_by_hand.console").read_text(encoding="utf-8"))
    for command in recorded.commands:
        for line in command.output:
            if match := re.match(r"(?:light|heavy) +(\d+) +(\d+) +(\d+) KiB +\d+ +(\d+) ", line):
                registers, threads, kib, blocks = map(int, match.groups())
                cases.append({"capability": 90, "threads": threads, "registers": registers, "shared_bytes": kib * 1024})
                wanted.append(blocks)
    answers = calculators.ask(ROOT, "occupancy", cases)["answers"]
    assert [answer["blocks"] for answer in answers] == wanted and len(wanted) == 132


# -- the other architectures ---------------------------------------------------------------------------------------------

BY_HEADER = """
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_occupancy.h>
int main() {
    int capability, threads_of_sm, sm_kib, block_kib, reserved, threads, registers, shared;
    while (std::scanf("%d %d %d %d %d %d %d %d", &capability, &threads_of_sm, &sm_kib, &block_kib, &reserved, &threads, &registers,
                      &shared) == 8) {
        cudaOccDeviceProp gpu;
        gpu.computeMajor = capability / 10;
        gpu.computeMinor = capability % 10;
        gpu.maxThreadsPerBlock = 1024;
        gpu.maxThreadsPerMultiprocessor = threads_of_sm;
        gpu.regsPerBlock = gpu.regsPerMultiprocessor = 65536;
        gpu.warpSize = 32;
        gpu.sharedMemPerBlock = 49152;
        gpu.sharedMemPerMultiprocessor = sm_kib * 1024;
        gpu.sharedMemPerBlockOptin = block_kib * 1024;
        gpu.reservedSharedMemPerBlock = reserved;
        gpu.numSms = 1;
        cudaOccFuncAttributes kernel;
        kernel.maxThreadsPerBlock = 1024;
        kernel.numRegs = registers;
        kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        kernel.maxDynamicSharedSizeBytes = block_kib * 1024;
        kernel.numBlockBarriers = 1;
        cudaOccDeviceState state;
        cudaOccResult result;
        if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &gpu, &kernel, &state, threads, shared) != CUDA_OCC_SUCCESS) return 1;
        std::printf("%d\\n", result.activeBlocksPerMultiprocessor);
    }
}
"""


@pytest.mark.content
def test_the_limits_are_those_of_the_page_of_compute_capabilities():
    source = (PROGRAMS / "reference/compute_capabilities/limits_of_this_gpu.cu").read_text(encoding="utf-8")
    table = re.findall(r"\{(\d+), (\d+), (\d+), (\d+), (\d+)\}", source)
    limits = calculators.ask(ROOT, "occupancy", [])["limits"]
    assert {row[0]: list(map(int, row[1:])) for row in table} == {key: row[:4] for key, row in limits.items()}


def test_blocks_are_those_of_the_toolkits_header_on_every_architecture(nvcc, tmp_path):
    (tmp_path / "header.cpp").write_text(BY_HEADER)
    include = nvcc.resolve().parents[1] / "include"
    subprocess.run(["g++", "-I", include, "header.cpp", "-o", "header"], cwd=tmp_path, check=True)
    limits = calculators.ask(ROOT, "occupancy", [])["limits"]
    cases = [
        {"capability": int(key), "threads": threads, "registers": registers, "shared_bytes": shared}
        for key in limits
        for threads in (1, 32, 33, 96, 128, 250, 384, 512, 640, 768, 1024)
        for registers in (1, 8, 9, 32, 33, 41, 64, 71, 80, 128, 129, 168, 255)
        for shared in (0, 1, 127, 128, 129, 5000, 33000, 49152, 49153, 65536, 101376, 101377, 166912, 232448)
    ]
    lines = [
        " ".join(map(str, (case["capability"], *limits[str(case["capability"])][1:5], *list(case.values())[1:])))
        for case in cases
    ]
    done = subprocess.run([tmp_path / "header"], input="\n".join(lines), capture_output=True, text=True, check=True)
    answers = calculators.ask(ROOT, "occupancy", cases)["answers"]
    assert [answer["blocks"] for answer in answers] == list(map(int, done.stdout.split()))


# -- wide words ----------------------------------------------------------------------------------------------------------


def test_wide_words_are_served_in_parts_and_pairs_of_lanes_together():
    line = {"pattern": "linear", "a": 1, "b": 0}
    pairs = {"pattern": "swizzle", "a": 0, "b": 1}
    cases = [line | {"word_bytes": size} for size in (4, 8, 16)] + [pairs | {"word_bytes": size} for size in (4, 8, 16)]
    assert wavefronts(*cases) == [1, 2, 4, 1, 1, 2]


# -- the check, shown recordings that are made by hand --------------------------------------------------------------------

COALESCING = Calculator("coalescing", "part/page", "part/page/demo", 2)
GOOD = "word_bytes,stride,offset,requests,sectors\n4,1,0,1,4\n4,1,1,1,5\n16,3,2,1,32\n"


@pytest.fixture
def judge(project):
    """What the check says of a recording, and of a page's deviations."""
    project.list.write_text("lockstep_program(demo DATA demo.csv)\n")
    shutil.copytree(ROOT / FOLDER, project.root / FOLDER)
    cmake_lists.update(project.root)

    def judged(recording: str | None, book: str = "") -> list[str]:
        if recording is not None:
            (project.page / "demo.csv").write_text(recording)
        if book:
            (project.root / "docs/part/page.explore").write_text(book)
        return calculators.problems(project.root, COALESCING)

    return judged


BOOK = """[[deviations]]
case = { word_bytes = 4, stride = 1, offset = 1 }
recorded = { sectors = 6 }
because = "it is made up"
"""


def test_a_recording_that_is_predicted_passes(judge):
    assert judge(GOOD) == []


def test_each_case_that_is_not_predicted_is_one_line(judge):
    found = judge(GOOD.replace("1,1,5", "1,1,6").replace("1,32", "2,31"))
    assert found == [
        "programs/part/page/demo.csv:3: word bytes 4, stride 1, offset 1: recorded sectors 6, predicted sectors 5; "
        "correct docs/_ext/lockstep_sphinx/explore/coalescing.js, or name the deviation in docs/part/page.explore",
        "programs/part/page/demo.csv:4: word bytes 16, stride 3, offset 2: recorded requests 2, sectors 31, "
        "predicted requests 1, sectors 32; "
        "correct docs/_ext/lockstep_sphinx/explore/coalescing.js, or name the deviation in docs/part/page.explore",
    ]


def test_a_deviation_that_is_named_passes(judge):
    assert judge(GOOD.replace("1,1,5", "1,1,6"), BOOK) == []


def test_a_deviation_of_another_number_is_found(judge):
    assert "recorded sectors 7, predicted sectors 5" in judge(GOOD.replace("1,1,5", "1,1,7"), BOOK)[0]


def test_a_deviation_that_is_none_is_found(judge):
    assert judge(GOOD, BOOK) == [
        "docs/part/page.explore:1: word bytes 4, stride 1, offset 1: is predicted as recorded; remove the deviation"
    ]


def test_a_deviation_of_a_case_that_was_not_recorded_is_found(judge):
    [found] = judge(GOOD, BOOK.replace("stride = 1", "stride = 9"))
    assert found.endswith("offset 1: no such case was recorded; remove it")


@pytest.mark.parametrize(
    ("book", "said"),
    [
        (
            BOOK.replace("it is made up", " "),
            'page.explore:4: deviations.1.because: is " "; expected a text that is not empty',
        ),
        (
            BOOK.replace("because", "why"),
            "page.explore:4: deviations.1.why: unknown key; there are case, recorded, because",
        ),
        (BOOK.replace("deviations", "measured"), "page.explore:1: measured: unknown key; there are deviations"),
        ("[[deviations", "page.explore:1: cannot be read: "),
    ],
)
def test_a_book_of_deviations_that_cannot_be_read_has_its_line(judge, book, said):
    with pytest.raises(DataError, match=re.escape(said)):
        judge(GOOD, book)


@pytest.mark.parametrize(
    ("recording", "said"),
    [
        (None, "was never recorded; make record PROGRAM=demo"),
        (GOOD.split("\n")[0] + "\n4,1,0,1,4\n", "has 1 cases; 2 are needed"),
        (
            GOOD.replace("stride", "step"),
            "has no column stride, which docs/_ext/lockstep_sphinx/explore/coalescing.js asks for",
        ),
        (GOOD.replace("sectors", "lines"), "docs/_ext/lockstep_sphinx/explore/coalescing.js predicts no lines"),
        (GOOD.replace("4,1,0,1,4", "4,1,0,1"), "row 1 has 4 columns, the header 5"),
        (GOOD.replace("4,1,0,1,4", "4,1,0,1,~4"), "recorded sectors ~4, predicted sectors 4"),
    ],
)
def test_a_recording_that_does_not_fit_is_one_line(judge, recording, said):
    [found] = judge(recording)
    assert said in found


def test_a_calculator_that_fails_is_one_line(judge, project):
    (project.root / FOLDER / "coalescing.js").write_text("throw new Error('planted')")
    with pytest.raises(CalculatorError, match=r"coalescing\.js: Error: planted"):
        judge(GOOD)


@pytest.mark.content
def test_every_calculator_stands_on_its_page_and_has_a_program_that_records_its_cases():
    for calculator in CALCULATORS.values():
        assert (PROGRAMS / f"{calculator.program}.cu").exists()
        page = (ROOT / f"docs/{calculator.page}.rst").read_text(encoding="utf-8")
        assert f".. explore:: {calculator.name}\n" in page
        assert (ROOT / FOLDER / f"{calculator.name}.js").exists()
