// Stands in for CUDA's own header when clang compiles a program for the emulator: the toolkit's
// declarations of the runtime API, and the device side declared again for a processor.
#pragma once

#define __CUDACC__ 1
#define _ALLOW_UNSUPPORTED_LIBCPP 1
#define __NV_NO_HOST_COMPILER_CHECK 1

#include "toolkit/crt/host_defines.h"

// Device code may call the C library and its mathematics, too. Algorithms stay the host's, except
// what is constexpr.
#ifdef __wasm__
#pragma clang force_cuda_host_device begin
#include </usr/include/wasm32-wasi/math.h>  // those of the C library alone, which libc++ wraps
#include </usr/include/wasm32-wasi/stdio.h>
#include </usr/include/wasm32-wasi/stdlib.h>
#include </usr/include/wasm32-wasi/string.h>
#pragma clang force_cuda_host_device end
#undef signbit
#undef isfinite
#undef isnan
#undef isinf
#undef isnormal
#undef fpclassify
#undef isgreater
#undef isgreaterequal
#undef isless
#undef islessequal
#undef islessgreater
#undef isunordered
extern "C" __device__ _Noreturn void __assert_fail(const char*, const char*, int, const char*);
#include <new>  // has placement on the host alone; elsewhere, clang's own header adds the device's
__device__ inline void* operator new(__SIZE_TYPE__, void* place) noexcept { return place; }
__device__ inline void* operator new(__SIZE_TYPE__ bytes) { return malloc(bytes); }
__device__ inline void* operator new[](__SIZE_TYPE__ bytes) { return malloc(bytes); }
__device__ inline void operator delete(void* p) noexcept { free(p); }
__device__ inline void operator delete[](void* p) noexcept { free(p); }
__device__ inline void operator delete(void* p, __SIZE_TYPE__) noexcept { free(p); }
__device__ inline void operator delete[](void* p, __SIZE_TYPE__) noexcept { free(p); }
#else
#include <bits/c++config.h>
#pragma clang force_cuda_host_device begin
#include <bits/std_abs.h>
#pragma clang force_cuda_host_device end
#include <stdlib.h>

#include <algorithm>
#include <exception>
#include <new>
#pragma clang force_cuda_host_device begin
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cmath>
#include <cstdlib>
#pragma clang force_cuda_host_device end
#endif
#include <algorithm>
#include <utility>

// The device functions of the toolkit are for its own compiler: their guards keep them out.
#define __COMMON_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#include "toolkit/cuda_runtime.h"

// What clang's code for <<<>>> calls, with the place of the launch.
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                void* stream = nullptr,
                                                const char* file = __builtin_FILE(),
                                                int line = __builtin_LINE());

#undef __noinline__
#define __noinline__ __attribute__((noinline))
#undef __maxnreg__
#define __maxnreg__(registers)
#undef __launch_bounds__
#define __launch_bounds__(...) __attribute__((annotate("launch_bounds", __VA_ARGS__)))
#undef __cluster_dims__
#define __cluster_dims__(...) __attribute__((annotate("cluster_dims", __VA_ARGS__)))
#undef __managed__
#define __managed__ __device__ __attribute__((annotate("managed")))
#undef __grid_constant__
#define __grid_constant__

#include "emulator/device.h"
#include "emulator/launches.h"
#include "emulator/textures.h"
