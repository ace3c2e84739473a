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
NEWER_ARCHIVE = "https://docs.nvidia.com/cuda/archive/13.1.0"
APPENDICES = "https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices"
GUIDE = f"{APPENDICES}/cpp-language-extensions.html"
TOPICS = f"{NEWER_ARCHIVE}/cuda-programming-guide/04-special-topics"
OLD_GUIDE = "https://docs.nvidia.com/cuda/archive/12.6.0/cuda-c-programming-guide/index.html"  # textures
MATH = f"{ARCHIVE}/cuda-math-api/cuda_math_api"
CCCL = "https://nvidia.github.io/cccl"
LIBCUDACXX = f"{CCCL}/libcudacxx/extended_api"

RUNTIME = f"{ARCHIVE}/cuda-runtime-api"
DRIVER = f"{ARCHIVE}/cuda-driver-api"
HEADERS = (
    ("driver_types.h", RUNTIME),
    ("cuda_runtime_api.h", RUNTIME),
    ("cuda_runtime.h", RUNTIME),
    ("cuda.h", DRIVER),
)
LIBRARIES = (("nvrtc.h", f"{ARCHIVE}/nvrtc/index.html"), ("cublas_api.h", f"{ARCHIVE}/cublas/index.html"))

DPX = ("max3", "min3", "bmax", "bmin", "addmax", "addmin")
DPX_RELU = ("max3", "min3", "max", "min", "addmax", "addmin")

# What the language adds to C++: written down here, since no header groups it.
LANGUAGE = (
    "__global__ __device__ __host__ __shared__ __constant__ __managed__ __grid_constant__ __launch_bounds__",
    "__cluster_dims__ __block_size__ __maxnreg__ __noinline__ __forceinline__ __inline_hint__ __restrict__ __nv_pure__",
    "threadIdx blockIdx blockDim gridDim warpSize",
    "dim3 __int128 __float128",
    *(
        f"{sign}{kind}{n}"
        for sign in ("", "u")
        for kind in ("char", "short", "int", "long", "longlong")
        for n in "1234"
    ),
    *(f"{kind}{n}" for kind in ("float", "double") for n in "1234"),
    *(f"{kind}4_{size}a" for kind in ("long", "ulong", "longlong", "ulonglong", "double") for size in (16, 32)),
    "__syncthreads __syncthreads_count __syncthreads_and __syncthreads_or __syncwarp",
    "__threadfence __threadfence_block __threadfence_system",
    "__shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync",
    "__all_sync __any_sync __ballot_sync __activemask __match_any_sync __match_all_sync",
    "__reduce_add_sync __reduce_min_sync __reduce_max_sync __reduce_and_sync __reduce_or_sync __reduce_xor_sync",
    "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor",
    "__nv_atomic_load __nv_atomic_load_n __nv_atomic_store __nv_atomic_store_n __nv_atomic_thread_fence",
    "__nv_atomic_exchange __nv_atomic_exchange_n __nv_atomic_compare_exchange __nv_atomic_compare_exchange_n",
    "__nv_atomic_add __nv_atomic_sub __nv_atomic_and __nv_atomic_or __nv_atomic_xor __nv_atomic_min __nv_atomic_max",
    "__nv_atomic_fetch_add __nv_atomic_fetch_sub __nv_atomic_fetch_and __nv_atomic_fetch_or __nv_atomic_fetch_xor",
    "__nv_atomic_fetch_min __nv_atomic_fetch_max",
    "__NV_ATOMIC_RELAXED __NV_ATOMIC_CONSUME __NV_ATOMIC_ACQUIRE __NV_ATOMIC_RELEASE __NV_ATOMIC_ACQ_REL",
    "__NV_ATOMIC_SEQ_CST __NV_THREAD_SCOPE_THREAD __NV_THREAD_SCOPE_BLOCK __NV_THREAD_SCOPE_CLUSTER",
    "__NV_THREAD_SCOPE_DEVICE __NV_THREAD_SCOPE_SYSTEM",
    "__ldg __ldcg __ldca __ldcs __ldlu __ldcv __stwb __stcg __stcs __stwt",
    "__nanosleep __trap __brkpt __assume clock64 clock",
    "__builtin_assume __builtin_assume_aligned __builtin_expect __builtin_unreachable",
    "nv_abi nv_diag_suppress nv_diag_warning nv_diag_error nv_diag_default nv_diag_once nv_diagnostic",
    "__CUDA_ARCH__ __CUDA_ARCH_SPECIFIC__ __CUDA_ARCH_FAMILY_SPECIFIC__ __CUDA_ARCH_FEAT_SM90_ALL",
    "__NVCC__ __CUDACC__ __CUDACC_DEBUG__ __CUDACC_RDC__ __CUDACC_RELAXED_CONSTEXPR__ __CUDACC_EXTENDED_LAMBDA__",
    "__CUDACC_DEVICE_ATOMIC_BUILTINS__ __NVCC_DIAG_PRAGMA_SUPPORT__",
    "__nv_is_extended_device_lambda_closure_type __nv_is_extended_device_lambda_with_preserved_return_type",
    "__nv_is_extended_host_device_lambda_closure_type",
    "__isGlobal __isShared __isConstant __isLocal __isGridConstant",
    "__cvta_generic_to_global __cvta_generic_to_shared __cvta_generic_to_constant __cvta_generic_to_local",
    "__cvta_global_to_generic __cvta_shared_to_generic __cvta_constant_to_generic __cvta_local_to_generic",
    "__cvta_generic_to_grid_constant __cvta_grid_constant_to_generic",
    *(f"__vi{form}_{kind}" for form in DPX for kind in ("s32", "u32", "s16x2", "u16x2")),
    *(f"__vi{form}_{kind}_relu" for form in DPX_RELU for kind in ("s32", "s16x2")),
    *(f"nvcuda::wmma::{name}" for name in ("fragment", "fill_fragment", "load_matrix_sync", "store_matrix_sync")),
    *(f"nvcuda::wmma::{name}" for name in ("mma_sync", "bmma_sync")),
)


def _rounded(operations: str, form: str) -> str:
    """The names of operations in each of the four rounding modes."""
    return " ".join(form.format(one, mode) for one in operations.split() for mode in ("rn", "rz", "ru", "rd"))


def _within(namespace: str, names: str) -> str:
    return " ".join(f"{namespace}::{name}" for name in names.split())


# Further names that no group of the four headers holds, by the page that documents them.
FURTHER = (
    (f"{APPENDICES}/cpp-language-support.html", "__nv_aligned_device_malloc nvstd::function"),
    (f"{RUNTIME}/stream-sync-behavior.html", "CUDA_API_PER_THREAD_DEFAULT_STREAM"),
    (f"{RUNTIME}/group__CUDART__DRIVER__ENTRY__POINT.html", "cudaGetExportTable"),
    (
        f"{DRIVER}/group__CUDA__DRIVER__ENTRY__POINT.html",
        "cuGetExportTable cuGetProcAddress_v2 PFN_cuTensorMapEncodeTiled_v12000",
    ),
    (f"{DRIVER}/group__CUDA__LOGS.html", "CUlogsCallback"),
    (f"{NEWER_ARCHIVE}/cuda-driver-api/group__CUDA__TYPES.html", "CU_JIT_BINARY_LOADER_THREAD_COUNT"),
    (
        f"{RUNTIME}/group__CUDART__EXECUTION.html",
        "cudaGridDependencySynchronize cudaTriggerProgrammaticLaunchCompletion",
    ),
    (
        f"{RUNTIME}/group__CUDART__GRAPH.html",
        "cudaGetCurrentGraphExec cudaGraphKernelNodeSetEnabled cudaGraphKernelNodeSetGridDim cudaGraphKernelNodeSetParam "
        "cudaGraphKernelNodeUpdatesApply cudaGraphSetConditional cudaStreamGraphFireAndForget "
        "cudaStreamGraphFireAndForgetAsSibling cudaStreamGraphTailLaunch",
    ),
    (
        f"{TOPICS}/dynamic-parallelism.html",
        "cudaGetParameterBuffer cudaLaunchDevice cudaStreamFireAndForget cudaStreamTailLaunch",
    ),
    (
        f"{NEWER_ARCHIVE}/cuda-runtime-api/group__CUDART__EXECUTION__CONTEXT.html",
        "cudaDevResourceGenerateDesc cudaDevSmResourceSplit cudaDevSmResourceSplitByCount cudaDeviceGetDevResource "
        "cudaDeviceGetExecutionCtx cudaExecutionCtxDestroy cudaExecutionCtxGetDevResource cudaExecutionCtxGetDevice "
        "cudaExecutionCtxGetId cudaExecutionCtxRecordEvent cudaExecutionCtxStreamCreate cudaExecutionCtxSynchronize "
        "cudaExecutionCtxWaitEvent cudaGreenCtxCreate cudaStreamGetDevResource",
    ),
    (
        f"{NEWER_ARCHIVE}/cuda-runtime-api/group__CUDART__TYPES.html",
        "cudaDevResource cudaDevResourceDesc_t cudaDevResourceType cudaDevResourceTypeInvalid cudaDevResourceTypeSm "
        "cudaDevResourceTypeWorkqueue cudaDevResourceTypeWorkqueueConfig cudaDevSmResource cudaDevSmResourceGroupBackfill "
        "cudaDevSmResourceGroupParams cudaDevSmResourceSplitIgnoreSmCoscheduling "
        "cudaDevSmResourceSplitMaxPotentialClusterSize cudaDevWorkqueueConfigResource cudaDevWorkqueueConfigScope "
        "cudaDevWorkqueueConfigScopeDeviceCtx cudaDevWorkqueueConfigScopeGreenCtxBalanced cudaDevWorkqueueResource "
        "cudaExecutionContext_t",
    ),
    (
        f"{RUNTIME}/group__CUDART__TYPES.html",
        "cudaTextureObject_t cudaSurfaceObject_t cudaHostFn_t cudaStreamCallback_t make_cudaExtent make_cudaPitchedPtr make_cudaPos",
    ),
    (
        f"{APPENDICES}/environment-variables.html",
        "CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER CUDA_MANAGED_FORCE_DEVICE_ALLOC CUDA_CACHE_DISABLE CUDA_CACHE_PATH "
        "CUDA_CACHE_MAXSIZE CUDA_FORCE_PTX_JIT CUDA_FORCE_JIT CUDA_DISABLE_PTX_JIT CUDA_DISABLE_JIT "
        "CUDA_FORCE_PRELOAD_LIBRARIES CUDA_LAUNCH_BLOCKING CUDA_DEVICE_MAX_CONNECTIONS CUDA_DEVICE_MAX_COPY_CONNECTIONS "
        "CUDA_SCALE_LAUNCH_QUEUES CUDA_GRAPHS_USE_NODE_PRIORITY CUDA_DEVICE_WAITS_ON_EXCEPTION "
        "CUDA_DEVICE_DEFAULT_PERSISTING_L2_CACHE_PERCENTAGE_LIMIT CUDA_AUTO_BOOST CUDA_MODULE_LOADING "
        "CUDA_MODULE_DATA_LOADING CUDA_BINARY_LOADER_THREAD_COUNT CUDA_LOG_FILE",
    ),
    (
        f"{APPENDICES}/device-callable-apis.html",
        "__mbarrier_t __mbarrier_token_t __mbarrier_maximum_count __mbarrier_init __mbarrier_inval __mbarrier_arrive "
        "__mbarrier_arrive_and_drop __mbarrier_test_wait __mbarrier_test_wait_parity __mbarrier_try_wait "
        "__mbarrier_try_wait_parity __pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior __pipeline_arrive_on",
    ),
    (
        OLD_GUIDE,
        "tex1D tex1Dfetch tex1DLayered tex2D tex2DLayered tex2DLod tex2Dgather tex3D texCubemap texCubemapLayered "
        "surf1Dread surf1Dwrite surf1DLayeredread surf1DLayeredwrite surf2Dread surf2Dwrite surf2DLayeredread "
        "surf2DLayeredwrite surf3Dread surf3Dwrite surfCubemapread surfCubemapwrite surfCubemapLayeredread "
        "surfCubemapLayeredwrite",
    ),
    (
        f"{MATH}/group__CUDA__MATH__SINGLE.html",
        "cospif cyl_bessel_i0f cyl_bessel_i1f erfcinvf erfcxf erfinvf exp10f fdividef j0f j1f jnf norm3df norm4df "
        "normcdff normcdfinvf normf rcbrtf rhypotf rnorm3df rnorm4df rnormf rsqrtf sincosf sincospif sinpif y0f y1f ynf",
    ),
    (
        f"{MATH}/group__CUDA__MATH__DOUBLE.html",
        "cospi cyl_bessel_i0 cyl_bessel_i1 erfcinv erfcx erfinv exp10 norm3d norm4d normcdf normcdfinv rcbrt rhypot "
        "rnorm3d rnorm4d rsqrt sincos sincospi sinpi "
        + _within(
            "cuda::std",
            "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma "
            "fmax fmin fmod fpclassify frexp hypot ilogb isfinite isinf isnan isnormal ldexp lgamma llrint llround log "
            "log10 log1p log2 logb lrint lround modf nan nearbyint nextafter pow remainder remquo rint round scalbln "
            "scalbn signbit sin sinh sqrt tan tanh tgamma trunc",
        ),
    ),
    (
        f"{MATH}/group__CUDA__MATH__INTRINSIC__SINGLE.html",
        "__cosf __exp10f __expf __fdividef __frsqrt_rn __log10f __log2f __logf __powf __saturatef __sincosf __sinf "
        "__tanf __tanhf " + _rounded("add sub mul div ma maf rcp sqrt", "__f{}_{}"),
    ),
    (f"{MATH}/group__CUDA__MATH__INTRINSIC__DOUBLE.html", _rounded("add sub mul div rcp sqrt", "__d{}_{}")),
    (
        f"{MATH}/group__CUDA__MATH__INTRINSIC__INT.html",
        "__brev __brevll __byte_perm __clz __clzll __dp2a_lo __dp4a __ffs __ffsll __fns __funnelshift_l __funnelshift_r "
        "__hadd __mul24 __mulhi __popc __popcll __sad __usad __umulhi __umul64hi",
    ),
    (
        f"{MATH}/group__CUDA__MATH__INTRINSIC__CAST.html",
        "__double_as_longlong __longlong_as_double __float_as_int __float_as_uint __int_as_float __uint_as_float "
        "__double2hiint __double2loint __hiloint2double __int2double_rn __uint2double_rn "
        + _rounded("int uint ll ull", "__float2{}_{}")
        + " "
        + _rounded("int uint ll ull float", "__double2{}_{}")
        + " "
        + _rounded("int uint ll ull", "__{}2float_{}")
        + " "
        + _rounded("ll ull", "__{}2double_{}"),
    ),
    (
        f"{MATH}/group__CUDA__MATH____HALF__MISC.html",
        "__half __half2 __half_raw __double2half __float2half __half2float __half22float2 __floats2half2_rn "
        "__float22half2_rn __halves2half2 __low2float __high2float __half_as_ushort __ushort_as_half "
        + _rounded("half", "__float2{}_{}"),
    ),
    (f"{MATH}/group__CUDA__MATH____HALF__ARITHMETIC.html", "__hmul __hfma"),
    (f"{MATH}/group__CUDA__MATH____HALF2__ARITHMETIC.html", "__hadd2 __hmul2 __hfma2"),
    (f"{MATH}/group__CUDA__MATH____HALF__FUNCTIONS.html", "hexp10 hrcp hrsqrt htanh_approx"),
    (
        f"{MATH}/group__CUDA__MATH____BFLOAT16__MISC.html",
        "__nv_bfloat16 __nv_bfloat162 __double2bfloat16 __float2bfloat16 __bfloat162float __bfloat1622float2 "
        "__halves2bfloat162 __bfloat16_as_ushort __ushort_as_bfloat16 " + _rounded("bfloat16", "__float2{}_{}"),
    ),
    (
        f"{MATH}/group__CUDA__MATH__FP8__MISC.html",
        "__nv_fp8_e4m3 __nv_fp8_e5m2 __nv_cvt_float_to_fp8 __nv_cvt_fp8_to_halfraw",
    ),
    (
        f"{MATH}/group__CUDA__MATH__FP6__MISC.html",
        "__nv_fp6_e2m3 __nv_fp6_e3m2 __nv_cvt_float_to_fp6 __nv_cvt_fp6_to_halfraw",
    ),
    (f"{MATH}/group__CUDA__MATH__FP4__MISC.html", "__nv_fp4_e2m1 __nv_cvt_float_to_fp4 __nv_cvt_fp4_to_halfraw"),
    ("https://docs.nvidia.com/deploy/nvml-api/index.html", "nvmlDeviceGetCudaComputeCapability"),
    (f"{ARCHIVE}/cublas/index.html", "cublasCreate cublasDestroy cublasSetStream cublasSgemm cuComplex"),
    (
        f"{TOPICS}/cooperative-groups.html",
        _within(
            "cooperative_groups",
            "thread_group thread_block thread_block_tile coalesced_group cluster_group grid_group block_tile_memory "
            "this_thread this_thread_block this_cluster this_grid this_multi_grid coalesced_threads tiled_partition "
            "labeled_partition binary_partition stride_partition reduce inclusive_scan exclusive_scan invoke_one "
            "invoke_one_broadcast memcpy_async wait wait_prior",
        ),
    ),
    (
        f"{LIBCUDACXX}/synchronization_primitives.html",
        _within(
            "cuda",
            "latch counting_semaphore binary_semaphore atomic_thread_fence device::barrier_arrive_tx device::barrier_expect_tx "
            "device::barrier_native_handle make_pipeline pipeline_consumer_wait_prior pipeline_role "
            "pipeline_shared_state memory_order_relaxed memory_order_acquire memory_order_release memory_order_seq_cst "
            "thread_scope_thread thread_scope_block thread_scope_device thread_scope_system",
        ),
    ),
    (
        f"{LIBCUDACXX}/asynchronous_operations.html",
        _within("cuda", "memcpy_async device::memcpy_async_tx aligned_size_t"),
    ),
    (f"{LIBCUDACXX}/memory_access_properties.html", _within("cuda", "access_property annotated_ptr")),
    (
        f"{CCCL}/libcudacxx/",
        _within(
            "cuda",
            "ceil_div for_each_canceled_block device::warp_shuffle_idx std::assume_aligned std::bit_cast std::complex "
            "std::numeric_limits std::terminate",
        ),
    ),
    (
        f"{CCCL}/libcudacxx/ptx/instructions.html",
        _within(
            "cuda::ptx",
            "clusterlaunchcontrol_try_cancel clusterlaunchcontrol_try_cancel_multicast "
            "clusterlaunchcontrol_query_cancel_is_canceled clusterlaunchcontrol_query_cancel_get_first_ctaid_x "
            "cp_async_bulk cp_async_bulk_tensor cp_async_bulk_commit_group cp_async_bulk_wait_group "
            "cp_async_bulk_wait_group_read elect_sync fence_mbarrier_init fence_proxy_async "
            "fence_proxy_async_generic_sync_restrict fence_proxy_tensormap_generic mbarrier_init mbarrier_arrive "
            "mbarrier_arrive_expect_tx mbarrier_try_wait mbarrier_try_wait_parity st_async tensormap_cp_fenceproxy "
            "tensormap_replace_global_address",
        ),
    ),
    (f"{CCCL}/cub/", _within("cub", "WarpReduce WarpScan")),
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
    found = {name: GUIDE for line in LANGUAGE for name in line.split()} | {"#pragma unroll": GUIDE}
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
    found |= {name: address for address, names in FURTHER for name in names.split()}
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
