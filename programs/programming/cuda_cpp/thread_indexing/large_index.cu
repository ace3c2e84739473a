// What becomes of an index beyond 2^32? The product of two members of blockIdx and
// blockDim has 32 bits and wraps around, also if the result is stored as std::size_t.
// Converted before the multiplication, it does not. The program needs no large array:
// it launches 2^32 + 1024 threads and looks at those that should have a large index.

#include <cstdint>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// What the threads found.
struct findings {
    unsigned long long narrow;  ///< index of thread 2^32, from a 32-bit product
    unsigned long long wide;  ///< the same, converted before the multiplication
    unsigned int narrow_zeros;  ///< threads with index 0, from a 32-bit product
    unsigned int wide_zeros;  ///< the same, converted before the multiplication
};

// [kernel]
/// Computes each thread's index in two ways.
/// @param found  one struct in device memory, zeros at the beginning
__global__ void two_indices(findings* found) {
    const std::size_t narrow = blockIdx.x * blockDim.x + threadIdx.x;  // the mistake
    const std::size_t wide = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (narrow == 0) atomicAdd(&found->narrow_zeros, 1U);
    if (wide == 0) atomicAdd(&found->wide_zeros, 1U);
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
        found->narrow = narrow;
        found->wide = wide;
    }
}
// [/kernel]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<findings> d_found(1);
    d_found.fill_bytes(0);

    // [launch]
    constexpr unsigned block_size = 1024;
    constexpr unsigned blocks = (1U << 22) + 1;  // 2^32 + 1024 threads
    two_indices<<<blocks, block_size>>>(d_found.data());
    lockstep::check(cudaGetLastError());
    // [/launch]
    const findings found = d_found.to_host()[0];

    lockstep::report("thread 2^32: 32-bit index", found.narrow);
    lockstep::report("thread 2^32: 64-bit index", found.wide);
    lockstep::report("threads with 32-bit index 0", found.narrow_zeros);
    lockstep::report("threads with 64-bit index 0", found.wide_zeros);
    const bool as_told = found.narrow == 0 && found.wide == std::uint64_t(1) << 32 &&
                         found.narrow_zeros == 2 && found.wide_zeros == 1;
    return as_told ? EXIT_SUCCESS : EXIT_FAILURE;
}
