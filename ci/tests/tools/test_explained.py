"""What becomes of the compiler's complaints about a program for the emulator: each kind in one line."""

import pytest

from lockstep.emulator import explained

MEMCPY = """memcpy.cu:1:43: error: no matching function for call to 'cudaMemcpy'
    1 | int main() { int h[4], *d; cudaMemcpy(d, h, 16); }
      |                            ^~~~~~~~~~
/toolkit/include/cuda_runtime_api.h:7431:46: note: candidate function not viable: requires 4 arguments, but 3 were provided
 7431 | extern __host__ cudaError_t CUDARTAPI cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind);
      |                                              ^
memcpy.cu:9:1: error: expected ';'
"""
SHUFFLE = "/home/me/old.cu:4:43: error: use of undeclared identifier '__shfl'; did you mean '__shfl_sync'?\n"
MEMBER = "old.cu:2:76: error: no member named 'clockRate' in 'cudaDeviceProp'\n"
PREFETCH = """old.cu:3:5: error: no matching function for call to 'cudaMemPrefetchAsync'
cuda_runtime_api.h:1:46: note: candidate function not viable: no known conversion from 'int' to 'struct cudaMemLocation' for 3rd argument
"""
WAITS = """old.cu:2:39: error: no matching function for call to 'cudaDeviceSynchronize'
cuda_runtime_api.h:1:46: note: candidate function not viable: call to __host__ function from __global__ function
"""
MIN = """old.cu:38:9: error: no matching function for call to 'min'
stl_algobase.h:230:5: note: candidate template ignored: deduced conflicting types for parameter '_Tp' ('int' vs. 'long')
stl_algobase.h:278:5: note: candidate template ignored: could not match 'initializer_list<_Tp>' against 'int'
a.h:1:1: note: candidate function not viable: reason three
a.h:2:1: note: candidate function not viable: reason four
"""


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (
            MEMCPY,
            "memcpy.cu:1: no matching function for call to 'cudaMemcpy': requires 4 arguments, but 3 were provided",
        ),
        (
            SHUFFLE,
            "old.cu:4: __shfl: it was removed with the warps of compute capability 7.0, whose lanes need a mask: __shfl_sync",
        ),
        (
            MEMBER,
            "old.cu:2: clockRate: it is no member of cudaDeviceProp since CUDA 13: ask cudaDeviceGetAttribute for cudaDevAttrClockRate",
        ),
        (
            PREFETCH,
            "old.cu:3: no matching function for call to 'cudaMemPrefetchAsync': no known conversion from 'int' to 'struct "
            "cudaMemLocation' for 3rd argument; cudaMemPrefetchAsync takes a cudaMemLocation and flags since CUDA 13, in place of "
            "the number of a device",
        ),
        (
            WAITS,
            "old.cu:2: cudaDeviceSynchronize: a kernel cannot wait for the kernels that it launches since CUDA 12: end it, or launch "
            "the rest into cudaStreamTailLaunch",
        ),
        (
            MIN,
            "old.cu:38: no matching function for call to 'min': deduced conflicting types for parameter '_Tp' ('int' vs. 'long'); "
            "could not match 'initializer_list<_Tp>' against 'int'; reason three; ...",
        ),
        ("old.cu:9:1: error: expected ';'\n", ""),
    ],
)
def test_a_complaint_is_told_in_one_line(said, line):
    assert explained.refused(said) == line


def test_names_and_headers_of_the_toolkit_are_lacking_and_others_are_not(tmp_path):
    (tmp_path / "cuda_runtime_api.h").write_text(
        "cudaError_t cudaArrayGetPlane(int);\nint clockRate;\n", encoding="utf-8"
    )
    (tmp_path / "cufft.h").write_text("", encoding="utf-8")
    missing = "a.cu:3:9: error: use of undeclared identifier '{}'\n"
    assert explained.lacking(missing.format("cudaArrayGetPlane"), tmp_path) == "cudaArrayGetPlane (a.cu:3)"
    assert explained.lacking(missing.format("mine"), tmp_path) == ""
    assert explained.lacking(missing.format("clockRate"), tmp_path) == ""  # removed, which is told elsewhere
    header = "a.cu:1:10: fatal error: '{}' file not found\n"
    assert explained.lacking(header.format("cufft.h"), tmp_path) == "the header cufft.h (a.cu:1)"
    assert explained.lacking(header.format("mpi.h"), tmp_path) == "the header mpi.h (a.cu:1)"
    assert explained.lacking(header.format("mine.h"), tmp_path) == ""
