"""Names of CUDA lead to NVIDIA's documentation."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lockstep import api_links
from lockstep.setup import toolkit
from lockstep_sphinx.links import api

ROOT = Path(__file__).resolve().parents[3]

HEADER = """
/** \\defgroup CUDART_MEMORY Memory
 * @{ */
/** text that names cudaWrong() */
extern cudaError_t cudaMalloc(void **p, size_t n);
/** @} */
/** \\defgroup CUDART_TYPES Types */
enum cudaError {
  cudaSuccess = 0,
  , cudaErrorOther = 2
};
typedef enum cudaError cudaError_t;
"""


def test_role_links_the_name(build):
    html, warnings = build(":cuda:`cudaMalloc` and :cuda:`cudaFree()`")
    assert "group__CUDART__MEMORY.html#:~:text=cudaMalloc" in html and '#:~:text=cudaFree"' in html
    assert warnings == ""


def test_role_with_an_unknown_name_is_a_warning(build):
    assert "no documentation known for cudaMaloc; check its spelling" in build(":cuda:`cudaMaloc`").warnings


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("cudaMalloc", "cuda-runtime-api/group__CUDART__MEMORY.html"),
        ("cudaErrorInvalidValue", "cuda-runtime-api/group__CUDART__TYPES.html"),
        ("cudaLaunchKernelEx", "cuda-runtime-api/group__CUDART__HIGHLEVEL.html"),
        ("cuTensorMapEncodeTiled", "cuda-driver-api/group__CUDA__TENSOR__MEMORY.html"),
        ("CUDA_SUCCESS", "cuda-driver-api/group__CUDA__TYPES.html"),
        ("__syncthreads", "cpp-language-extensions.html"),
        ("nvrtcCompileProgram", "nvrtc/index.html"),
    ],
)
def test_table_knows_where_names_are_documented(name, page):
    assert page in api.address(name)


def test_generator_reads_groups_functions_types_and_enumerators():
    assert api_links.names(HEADER) == {
        "cudaMalloc": "CUDART_MEMORY",
        "cudaError": "CUDART_TYPES",
        "cudaSuccess": "CUDART_TYPES",
        "cudaErrorOther": "CUDART_TYPES",
        "cudaError_t": "CUDART_TYPES",
    }


def test_generator_without_headers_says_so(tmp_path):
    run = subprocess.run([sys.executable, ROOT / "ci", "setup", "api-links", tmp_path], capture_output=True, text=True)
    assert run.returncode == 2 and "cuda_runtime_api.h" in run.stderr


def test_committed_table_is_what_the_generator_writes():
    nvcc = toolkit.usable(ROOT, os.environ)
    if nvcc is None:
        pytest.skip("the CUDA toolkit is missing; ci/setup.sh check installs it")
    if "13.0" not in subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout:
        pytest.skip("the table is made from the headers of CUDA 13.0")
    assert api_links.table(nvcc.resolve().parent.parent / "include") == api.table()


def test_colourless_spans_are_dropped_and_links_take_the_place_of_spans():
    html = '<span class="n">cudaFree</span><span class="p">(</span><span class="n">x</span><span class="w"> </span>'
    assert api.linked(html).endswith(">cudaFree</a>(x ")
