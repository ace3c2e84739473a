// What the headers for asynchronous barriers and copies share: the runtime's functions for them.
#pragma once

#include "../cuda_runtime.h"

extern "C" {
__device__ void __emu_mbarrier_init(void* barrier, unsigned arrivals, const char* file, int line);
__device__ void __emu_mbarrier_inval(void* barrier, const char* file, int line);
__device__ unsigned long long __emu_mbarrier_arrive(void* barrier, unsigned arrivals,
                                                    unsigned bytes, int code, const char* file,
                                                    int line);
__device__ void __emu_mbarrier_release(void* barrier);
__device__ int __emu_mbarrier_wait(void* barrier, unsigned long long which, int code,
                                   const char* file, int line);
__device__ void __emu_copy_async(void* to, const void* from, size_t bytes, size_t zeros,
                                 const char* file, int line);
__device__ void __emu_copy_commit();
__device__ void __emu_copy_wait(unsigned prior);
__device__ void __emu_copy_arrive_on(void* barrier, int counted, const char* file, int line);
__device__ void __emu_bulk_copy(void* to, const void* from, unsigned bytes, void* barrier,
                                unsigned blocks, int operation, int type, const char* file,
                                int line);
__device__ void __emu_bulk_commit();
__device__ void __emu_bulk_wait(unsigned prior, int only_read);
__device__ void __emu_store_async(void* to, const void* value, unsigned bytes, void* barrier,
                                  int operation, int type, const char* file, int line);
__device__ void __emu_tensor_copy(void* shared, const void* map, const int* at, int rank,
                                  void* barrier, unsigned blocks, int operation, const char* file,
                                  int line);
__device__ void __emu_proxy_fence(int spaces);
__device__ void __emu_init_fence();
__device__ void __emu_map_fence(const void* map);
__device__ void __emu_map_publish(void* to, const void* from, const char* file, int line);
__device__ void __emu_map_replace(void* map, int field, int dimension, long long value,
                                  const char* file, int line);
}

namespace emulator_headers {

// The part of a thread: every count-th piece, in the largest words that fit.
__EMU_DEVICE void copy_part(size_t rank, size_t count, void* to, const void* from, size_t bytes,
                            const char* file, int line) {
    const size_t odd = (size_t)to | (size_t)from | bytes;
    const size_t word = odd % 16 == 0 ? 16 : odd % 8 == 0 ? 8 : odd % 4 == 0 ? 4 : 1;
    for (size_t at = rank * word; at < bytes; at += count * word)
        __emu_copy_async((char*)to + at, (const char*)from + at, word, 0, file, line);
}

__EMU_DEVICE void check_alignment(const void* to, const void* from, size_t alignment,
                                  const char* file, int line) {
    if (((size_t)to | (size_t)from) % alignment != 0)
        __emu_fault(cudaErrorMisalignedAddress,
                    "an asynchronous copy of memory that is not aligned as it says", file, line);
}

}  // namespace emulator_headers

namespace cuda {
template <size_t Alignment>
struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    __host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
    __host__ __device__ constexpr operator size_t() const { return value; }
};
}  // namespace cuda
