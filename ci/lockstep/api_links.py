"""Writes docs/_ext/lockstep_sphinx/links/api_links.json: where NVIDIA documents each name that a listing may hold.

    python3 ci setup api-links [/usr/local/cuda/include]

The toolkit's headers carry Doxygen groups, and each group is one page of the reference. The pages
of the toolkit's own release are linked: those of the newest one move (13.4 moved them all).
"""

import argparse
import json
import re
import sys
from pathlib import Path

from lockstep.files import ROOT

ARCHIVE = "https://docs.nvidia.com/cuda/archive/13.0.0"
GUIDE = "https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/cpp-language-extensions.html"
LIBCUDACXX = "https://nvidia.github.io/cccl/libcudacxx/extended_api"

RUNTIME = f"{ARCHIVE}/cuda-runtime-api"
DRIVER = f"{ARCHIVE}/cuda-driver-api"
HEADERS = (
    ("driver_types.h", RUNTIME),
    ("cuda_runtime_api.h", RUNTIME),
    ("cuda_runtime.h", RUNTIME),
    ("cuda.h", DRIVER),
)
LIBRARIES = (("nvrtc.h", f"{ARCHIVE}/nvrtc/index.html"), ("cublas_api.h", f"{ARCHIVE}/cublas/index.html"))

# What the language adds to C++: written down here, since no header groups it.
LANGUAGE = (
    "__global__ __device__ __host__ __shared__ __constant__ __managed__ __grid_constant__ __launch_bounds__",
    "__cluster_dims__ __maxnreg__ __noinline__ __forceinline__ __restrict__",
    "threadIdx blockIdx blockDim gridDim warpSize",
    "__syncthreads __syncthreads_count __syncthreads_and __syncthreads_or __syncwarp",
    "__threadfence __threadfence_block __threadfence_system",
    "__shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync",
    "__all_sync __any_sync __ballot_sync __activemask __match_any_sync __match_all_sync",
    "__reduce_add_sync __reduce_min_sync __reduce_max_sync __reduce_and_sync __reduce_or_sync __reduce_xor_sync",
    "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor",
    "__ldg __ldcg __ldca __ldcs __ldlu __ldcv __stwb __stcg __stcs __stwt",
    "__nanosleep __trap __brkpt __assume __CUDA_ARCH__ __CUDA_ARCH_SPECIFIC__ __CUDA_ARCH_FEAT_SM90_ALL clock64 clock",
    "__isGlobal __isShared __isConstant __isLocal __cvta_generic_to_shared",
    "dim3",
)

_TOKEN = re.compile(
    r"\\(?:def|addto)group\s+(?P<group>\w+)|(?P<open>@\{)|(?P<close>@\})|"
    r"(?P<function>\b(?:cuda|cu)[A-Z]\w+)(?=\s*\()|"
    r"\b(?:struct|union|enum)\s+(?:__device_builtin__\s+)?(?P<name>(?:cuda|CU)\w+)\s*\{|"
    r"\btypedef\b[^;{}]*?\b(?P<alias>(?:cuda|CU)\w+)\s*;|"
    r"\}\s*(?P<tail>(?:cuda|CU)\w+)\s*;|"
    r"^[\s,]*(?P<enumerator>(?:cuda|CU_|CUDA_)\w+)\s*=|"
    r"^\s*\#define\s+(?P<macro>(?:cuda|CU_|CUDA_)\w+)",
    re.M,
)


def page(base: str, group: str) -> str:
    """The page of a Doxygen group: underscores are doubled in its name."""
    return f"{base}/group__{group.replace('_', '__')}.html"


def names(text: str, default: str = "") -> dict[str, str]:
    """Name to group, for everything a header declares inside a group; `default` outside of all."""
    found: dict[str, str] = {}
    types = default
    pending = ""
    groups: list[str] = []
    for part in re.split(r"(/\*.*?\*/|//[^\n]*)", text, flags=re.S):
        comment = part.startswith(("/*", "//"))
        for token in _TOKEN.finditer(part):
            if token["group"]:
                pending = token["group"]
                types = pending if pending.endswith("_TYPES") else types
            elif token["open"]:
                groups.append(pending or (groups[-1] if groups else ""))
                pending = ""
            elif token["close"]:
                groups = groups[:-1]
            elif not comment:
                name = token["function"] or token["name"] or token["alias"] or token["tail"]
                name = name or token["enumerator"] or token["macro"]
                group = groups[-1] if groups else types
                if name and group and not name.endswith(("_st", "_enum", "_union")):
                    found.setdefault(name, group)
    return found


def table(include: Path) -> dict[str, str]:
    """Name to address of the page that documents it."""
    found = {name: GUIDE for line in LANGUAGE for name in line.split()}
    for header, base in HEADERS:
        text = (include / header).read_text(encoding="utf-8", errors="replace")
        for name, group in names(text, "CUDART_HIGHLEVEL" if header == "cuda_runtime.h" else "").items():
            found.setdefault(name, page(base, group))
    for header, address in LIBRARIES:
        path = include / header
        if path.exists():
            text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8", errors="replace"), flags=re.S)
            for name in re.findall(r"\b((?:nvrtc|cublas)[A-Z]\w+)\s*\(|\b(NVRTC_[A-Z_]+|CUBLAS_[A-Z0-9_]+)\s*=", text):
                found.setdefault(name[0] or name[1], address)
            for name in re.findall(r"\b((?:nvrtc|cublas)[A-Z]\w*)\s*;", text):
                found.setdefault(name, address)
    found |= {
        "cuda::barrier": f"{LIBCUDACXX}/synchronization_primitives/barrier.html",
        "cuda::pipeline": f"{LIBCUDACXX}/synchronization_primitives/pipeline.html",
        "cuda::atomic_ref": f"{LIBCUDACXX}/synchronization_primitives/atomic_ref.html",
        "cuda::atomic": f"{LIBCUDACXX}/synchronization_primitives/atomic.html",
    }
    return found


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="setup api-links", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("include", nargs="?", type=Path, default=Path("/usr/local/cuda/include"), metavar="FOLDER")
    include: Path = parser.parse_args(argv).include
    if not (include / "cuda_runtime_api.h").exists():
        print(f"api-links: {include} holds no cuda_runtime_api.h; name the toolkit's include folder", file=sys.stderr)
        return 2
    by_page: dict[str, list[str]] = {}
    for name, address in table(include).items():
        by_page.setdefault(address, []).append(name)
    pages = {address: sorted(found) for address, found in sorted(by_page.items())}
    target = ROOT / "docs/_ext/lockstep_sphinx/links/api_links.json"
    target.write_text(json.dumps(pages, indent=0) + "\n", encoding="utf-8")
    print(f"{sum(map(len, pages.values()))} names on {len(pages)} pages")
    return 0
