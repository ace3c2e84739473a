"""The list of CUDA's names holds all of the two APIs and all that the guide names, each with a line that is as it must be."""

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from lockstep import data
from lockstep.setup import toolkit
from lockstep_sphinx import project
from lockstep_sphinx.links import api, entries, lines

ROOT = Path(__file__).resolve().parents[3]
COMPLETE = {"cuda_runtime_api.h": "CUDARTAPI", "cuda.h": "CUDAAPI"}  # and what their declarations say
GUIDE = data.read(ROOT / "ci/tests/extension/guide_names.toml", dict[str, list[data.Text]], ROOT)

pytestmark = pytest.mark.content

_FOR_OLD_BINARIES = re.compile(r"\s*#\s*if defined\(__CUDA_API_VERSION_INTERNAL\)\s*")
_CONDITION = re.compile(r"\s*#\s*(if|el|endif)")


@pytest.fixture(scope="module")
def told() -> dict[str, str]:
    """All lines of the project."""
    return {name: line for group in entries.GROUPS for name, line in lines.of_group(ROOT / "docs", group).items()}


def functions(header: str, mark: str) -> set[str]:
    """The functions that a header declares to a program, under the names that a program uses."""
    kept, skipped = [], [False]
    for line in re.sub(r"/\*.*?\*/|//[^\n]*", "", header, flags=re.S).splitlines():
        condition = _CONDITION.match(line)
        if condition and condition[1] == "if":
            skipped.append(skipped[-1] or bool(_FOR_OLD_BINARIES.fullmatch(line)))
        elif condition and condition[1] == "endif":
            skipped.pop()
        elif not skipped[-1]:
            kept.append(line)
    return set(re.findall(rf"\b{mark}\s+(cu\w+)\s*\(", "\n".join(kept)))


def test_functions_for_old_binaries_are_no_functions_of_a_header():
    header = """
        CUresult CUDAAPI cuInit(unsigned int Flags); /* CUDAAPI cuComment( */
        #if defined(__CUDA_API_VERSION_INTERNAL)
        #if 1
        CUresult CUDAAPI cuInit_v2(unsigned int Flags);
        #endif
        #endif
        #if defined(__GNUC__)
        CUresult CUDAAPI cuDeviceGet(CUdevice *device, int ordinal);
        #else
        CUresult CUDAAPI cuDeviceGet(CUdevice *device, int ordinal);
        #endif
    """
    assert functions(header, "CUDAAPI") == {"cuInit", "cuDeviceGet"}


@pytest.mark.parametrize("header", COMPLETE)
def test_every_function_of_a_header_has_a_line(header, told):
    nvcc = toolkit.usable(ROOT, os.environ)
    if nvcc is None:
        pytest.skip("the CUDA toolkit is missing; ci/setup.sh check installs it")
    path = nvcc.resolve().parent.parent / "include" / header
    declared = functions(path.read_text(encoding="utf-8", errors="replace"), COMPLETE[header])
    assert len(declared) > 300 and sorted(declared - told.keys()) == []


@pytest.mark.parametrize("section", GUIDE)
def test_every_name_of_the_guide_has_a_line(section, told):
    assert sorted(set(GUIDE[section]) - told.keys()) == []


def test_every_name_that_a_program_uses_has_a_line(told):
    known, used = api.table(), set()
    for path in (ROOT / "programs").rglob("*.cu"):
        used |= set(project.names_in(path.read_text(encoding="utf-8"))) & known.keys()
    assert sorted(used - told.keys()) == []


def test_names_that_a_line_quotes_are_names(told):
    quoted = {(name, said) for name, line in told.items() for said in re.findall(r"`([^`]+)`", line)}
    ours = {(name, said) for name, said in quoted if re.match(r"_*(cu|CU|nv)[a-zA-Z]|__", said)}
    assert sorted((name, said) for name, said in ours if said not in api.table()) == []


def test_each_entry_of_a_page_has_an_id_of_its_own(told):
    ids = Counter((entries.group(name), entries.anchor(name)) for name in told)
    assert [where for where, count in ids.items() if count > 1] == []


def test_each_group_has_a_page():
    assert {path.stem for path in (ROOT / "docs" / lines.FOLDER).glob("*.rst")} == set(entries.GROUPS)
    assert {path.stem for path in (ROOT / "docs" / lines.FOLDER).glob("*.toml")} == set(entries.GROUPS)
