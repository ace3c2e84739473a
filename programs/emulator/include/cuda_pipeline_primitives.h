// The pipeline's primitives for C: copies of a thread, in groups.
#pragma once

#include "cuda_awbarrier_primitives.h"

__EMU_DEVICE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes,
                                          size_t zeros = 0, __EMU_PLACE) {
    if (bytes != 4 && bytes != 8 && bytes != 16)
        __emu_fault(cudaErrorLaunchFailure,
                    "__pipeline_memcpy_async() of a size that is none of 4, 8 and 16 bytes", file,
                    line);
    if (zeros > bytes)
        __emu_fault(cudaErrorLaunchFailure, "__pipeline_memcpy_async() with more zeros than bytes",
                    file, line);
    if (!__isShared(to) || !__isGlobal(from))
        __emu_fault(cudaErrorIllegalAddress,
                    "__pipeline_memcpy_async() that is not from global to shared memory", file,
                    line);
    emulator_headers::check_alignment(to, from, bytes, file, line);
    __emu_copy_async(to, from, bytes, zeros, file, line);
}
__EMU_DEVICE void __pipeline_commit() { __emu_copy_commit(); }
__EMU_DEVICE void __pipeline_wait_prior(size_t prior) {
    __emu_copy_wait(prior < 8 ? unsigned(prior) : 8);  // it counts no further
}
__EMU_DEVICE void __pipeline_arrive_on(__mbarrier_t* barrier, __EMU_PLACE) {
    __emu_copy_arrive_on(barrier, 1, file, line);
}
