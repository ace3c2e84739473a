"""What the compiler's first complaint about a program means: a name of CUDA's that the emulator lacks, that CUDA 13 removed, or a wrong call."""

import re
from functools import cache
from pathlib import Path

OTHER_HEADERS = {
    "nccl.h",
    "mpi.h",
    "cudnn.h",
    "nvtx3/nvToolsExt.h",
    "cutensor.h",
}  # not of the toolkit, but of its kind
_MISSING_HEADER = re.compile(r"^(?:.*/)?([^/:\n]+:\d+):\d+: fatal error: '([^']+)' file not found", re.M)
_MISSING_NAME = re.compile(
    r"^(?:.*/)?([^/:\n]+:\d+):\d+: error: (?:use of undeclared identifier|unknown type name|"
    r"no template named|no member named) '([A-Za-z_]\w*)'", re.M)  # fmt: skip
_WRONG_CALL = re.compile(
    r"^(?:.*/)?([^/:\n]+:\d+):\d+: error: (no matching function for call to '([A-Za-z_]\w*)')", re.M
)
_CANDIDATE = re.compile(r"note: candidate (?:function|template)[^:\n]*(?:not viable|ignored): ([^\n]+)")
_MOST_CANDIDATES = 3

_ATTRIBUTE = "it is no member of cudaDeviceProp since CUDA 13: ask cudaDeviceGetAttribute for "
_SYNC = "it was removed with the warps of compute capability 7.0, whose lanes need a mask: "
_TEXTURES = "texture references were removed in CUDA 12: make a texture object with cudaCreateTextureObject"
# What older programs use; https://docs.nvidia.com/cuda/cuda-toolkit-release-notes lists what a release removes.
REMOVED = {
    "clockRate": _ATTRIBUTE + "cudaDevAttrClockRate",
    "computeMode": _ATTRIBUTE + "cudaDevAttrComputeMode",
    "cooperativeMultiDeviceLaunch": "launches on several devices at once were removed in CUDA 13: launch on each device",
    "deviceOverlap": _ATTRIBUTE + "cudaDevAttrAsyncEngineCount",
    "kernelExecTimeoutEnabled": _ATTRIBUTE + "cudaDevAttrKernelExecTimeout",
    "maxTexture1DLinear": "it was removed in CUDA 13: ask cudaDeviceGetTexture1DLinearMaxWidth",
    "memoryClockRate": _ATTRIBUTE + "cudaDevAttrMemoryClockRate",
    "singleToDoublePrecisionPerfRatio": _ATTRIBUTE + "cudaDevAttrSingleToDoublePrecisionPerfRatio",
    "__shfl": _SYNC + "__shfl_sync",
    "__shfl_up": _SYNC + "__shfl_up_sync",
    "__shfl_down": _SYNC + "__shfl_down_sync",
    "__shfl_xor": _SYNC + "__shfl_xor_sync",
    "__any": _SYNC + "__any_sync",
    "__all": _SYNC + "__all_sync",
    "__ballot": _SYNC + "__ballot_sync",
    "texture": _TEXTURES,
    "surface": _TEXTURES.replace("texture", "surface").replace("Texture", "Surface"),
    "cudaBindTexture": _TEXTURES,
    "cudaBindTexture2D": _TEXTURES,
    "cudaBindTextureToArray": _TEXTURES,
    "cudaUnbindTexture": _TEXTURES,
    "cudaThreadSynchronize": "it was removed in CUDA 13: call cudaDeviceSynchronize",
    "cudaThreadExit": "it was removed in CUDA 13: call cudaDeviceReset",
    "cudaLaunchCooperativeKernelMultiDevice": "it was removed in CUDA 13: launch on each device",
}
# Functions whose parameters are others since CUDA 13.
CHANGED = {
    "cudaMemPrefetchAsync": "takes a cudaMemLocation and flags since CUDA 13, in place of the number of a device",
    "cudaMemAdvise": "takes a cudaMemLocation since CUDA 13, in place of the number of a device",
    "cudaGraphAddDependencies": "takes the data of the edges, too, since CUDA 13",
    "cudaGraphGetEdges": "returns the data of the edges, too, since CUDA 13",
    "cudaGraphNodeGetDependencies": "returns the data of the edges, too, since CUDA 13",
    "cudaStreamGetCaptureInfo": "returns the data of the edges, too, since CUDA 13",
    "cudaCtxCreate": "takes parameters of the context since CUDA 13",
}
IN_KERNELS = {
    "cudaDeviceSynchronize": "a kernel cannot wait for the kernels that it launches since CUDA 12: end it, or launch the rest into cudaStreamTailLaunch",
}


def lacking(said: str, headers: Path) -> str:
    """Which header or name of CUDA's a program needs and the emulator lacks, where the compiler says so; else nothing."""
    if match := _MISSING_HEADER.search(said):
        place, header = match.groups()
        found = any((headers / folder / header).exists() for folder in ("", "cccl"))
        return f"the header {header} ({place})" if found or header in OTHER_HEADERS else ""
    for match in _MISSING_NAME.finditer(said):
        place, name = match.groups()
        if name not in REMOVED and name in _names_of(headers):
            return f"{name} ({place})"
    return ""


def refused(said: str) -> str:
    """In one line, what is wrong with a program: what CUDA has removed or changed, or a call that fits no function; else nothing."""
    for match in _MISSING_NAME.finditer(said):
        place, name = match.groups()
        if name in REMOVED:
            return f"{place}: {name}: {REMOVED[name]}"
    if not (wrong := _WRONG_CALL.search(said)):
        return ""
    place, complaint, name = wrong.groups()
    of_this = said[wrong.end() :].partition(" error: ")[0]
    reasons = list(dict.fromkeys(_CANDIDATE.findall(of_this)))
    if name in IN_KERNELS and any("__host__" in reason or "host function" in reason for reason in reasons):
        return f"{place}: {name}: {IN_KERNELS[name]}"
    told = "; ".join(reasons[:_MOST_CANDIDATES]) + ("; ..." if len(reasons) > _MOST_CANDIDATES else "")
    hint = f"; {name} {CHANGED[name]}" if name in CHANGED else ""
    return f"{place}: {complaint}: {told}{hint}"


@cache
def _names_of(headers: Path) -> frozenset[str]:
    """All names that stand in the toolkit's headers of the runtime and of device code."""
    files = [
        *headers.glob("cu*.h*"),
        *headers.glob("*_functions*.h*"),
        *headers.glob("*_types.h"),
        *headers.glob("sm_*.h*"),
    ]
    files += [
        *headers.glob("crt/*.h*"),
        *headers.glob("cooperative_groups*"),
        *headers.glob("cooperative_groups/**/*.h"),
    ]
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file())
    return frozenset(name for text in texts for name in re.findall(r"[A-Za-z_]\w+", text))
