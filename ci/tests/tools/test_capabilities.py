"""The tables of compute capabilities agree with the programs, the toolkit and themselves."""

import re
import subprocess
from pathlib import Path

import pytest

from lockstep import capabilities, data

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / "programs/reference/compute_capabilities"

SMALL = """
[[capability]]
number = "8.9"
architecture = "Ada"
gpus = "L4"
news = "FP8"
[[capability]]
number = "9.0"
architecture = "Hopper"
gpus = "H200"
news = "clusters"
[[feature]]
name = "clusters"
since = "9.0"
shown = "a page"
[[format]]
name = "FP8"
since = "8.9"
shown = "a page"
[[common]]
name = "threads in a warp"
value = "32"
"""


def read(tmp_path, text):
    path = tmp_path / capabilities.FILE
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return capabilities.load(tmp_path)


@pytest.mark.content
def test_limits_are_those_that_the_program_compares_with_the_gpu():
    source = (PROGRAMS / "limits_of_this_gpu.cu").read_text(encoding="utf-8")
    table = re.findall(r"\{(\d+), (\d+), (\d+), (\d+), (\d+)\}", source)
    of_program = {int(row[0]): tuple(map(int, row[1:])) for row in table}
    of_file = {
        10 * major + minor: (has.blocks, has.threads, has.shared, has.shared_of_block)
        for one in capabilities.load(ROOT).capability
        if (has := one.limits)
        for major, minor in [capabilities.as_pair(one.number)]
    }
    assert of_program == of_file


@pytest.mark.content
def test_features_begin_where_the_program_that_probes_them_expects_them():
    source = (PROGRAMS / "feature_probe.cu").read_text(encoding="utf-8")
    rows = {name: int(since) for name, since in re.findall(r'\{"([^"]+)", (\d+),', source)}
    book = capabilities.load(ROOT)
    for feature in [*book.feature, *book.format]:
        if feature.probe:
            major, minor = capabilities.as_pair(feature.since or feature.only[0])
            assert rows[feature.probe] == 10 * major + minor, feature.name


@pytest.mark.content
def test_every_architecture_of_the_toolkit_has_a_row(nvcc):
    done = subprocess.run([nvcc, "--list-gpu-code"], capture_output=True, text=True, check=True)
    known = {f"{code[:-1]}.{code[-1]}" for code in re.findall(r"sm_(\d+)\s", done.stdout)}
    assert known == {one.number for one in capabilities.load(ROOT).capability}


@pytest.mark.content
def test_program_asks_for_every_attribute_of_the_toolkit(nvcc):
    header = nvcc.resolve().parents[1] / "include/driver_types.h"
    enumeration = re.search(r"enum __device_builtin__ cudaDeviceAttr\s*\{(.*?)\}", header.read_text(), re.DOTALL)
    assert enumeration
    known = {name for name in re.findall(r"cudaDevAttr(\w+)\s*=", enumeration[1]) if not name.startswith("Reserved")}
    source = (PROGRAMS / "device_attributes.cu").read_text(encoding="utf-8")
    assert set(re.findall(r'\{"(\w+)",\s+cudaDevAttr\1\}', source)) == known


@pytest.mark.content
def test_equal_rows_are_one_and_ours_stands_alone():
    rows = capabilities.as_list_table(capabilities.TABLES["limits"](capabilities.load(ROOT)))
    assert "   * - **9.0**\n" in rows
    assert "   * - 10.0, 10.3\n" in rows


@pytest.mark.parametrize(
    ("feature", "words"),
    [
        ('since = "8.9"', "all"),
        ('since = "9.0"', "9.0 and later"),
        ('since = "8.9"\nuntil = "9.0"', "8.9 to 9.0"),
        ('only = ["8.9", "9.0"]', "8.9 and 9.0"),
    ],
)
def test_where_a_feature_is_says_it_in_words(tmp_path, feature, words):
    book = read(tmp_path, SMALL.replace('since = "9.0"', feature))
    assert capabilities.where(book.feature[0], book) == words


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ('"8.9"\narch', '"89"\narch', 'is "89"; expected a compute capability such as "9.0"'),
        ('"8.9"\narch', '"9.1"\narch', "must stand in the order of their numbers"),
        ('since = "9.0"', 'since = "7.5"', "clusters: 7.5 is not among the capabilities"),
        ('since = "9.0"', 'sinse = "9.0"', 'did you mean "since"?'),
        ('since = "9.0"', 'since = "9.0"\nonly = ["9.0"]', "name either since or only"),
    ],
)
def test_contradiction_is_a_finding(tmp_path, old, new, finding):
    with pytest.raises(data.DataError) as raised:
        read(tmp_path, SMALL.replace(old, new, 1))
    assert finding in str(raised.value)
