// Stands in for CUDA's own header when clang compiles a program for the emulator: the toolkit's declarations of the
// runtime API, and the device side declared anew for a processor.
#pragma once

#define __CUDACC__ 1
#define _ALLOW_UNSUPPORTED_LIBCPP 1
#define __NV_NO_HOST_COMPILER_CHECK 1

#include "toolkit/crt/host_defines.h"

// Device code may call these, too. Algorithms stay the host's; but they bring std::abs, which does not.
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#endif
#pragma clang force_cuda_host_device begin
#if __has_include(<bits/std_abs.h>)
#include <bits/std_abs.h>
#endif
#pragma clang force_cuda_host_device end
#include <stdlib.h>

#include <exception>
#include <new>

#include <algorithm>
#include <utility>
#pragma clang force_cuda_host_device begin
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <cstdlib>
#pragma clang force_cuda_host_device end

// The device functions of the toolkit are for its own compiler: their guards keep them out.
#define __COMMON_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#include "toolkit/cuda_runtime.h"

// What clang's code for <<<>>> calls.
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void* stream = nullptr);

#undef __noinline__
#define __noinline__ __attribute__((noinline))
#undef __maxnreg__
#define __maxnreg__(registers)
#undef __cluster_dims__
#define __cluster_dims__(...) __attribute__((annotate("cluster_dims", __VA_ARGS__)))
#undef __managed__
#define __managed__ __device__ __attribute__((annotate("managed")))
#undef __grid_constant__
#define __grid_constant__

#include "emulator/device.h"
