// A counter that only one block uses: in shared memory, at block scope, and with
// relaxed order, since the addition only has to be indivisible. Written with
// cuda::atomic and with the compiler's built-in functions.

#include <cstdlib>
#include <vector>

#include <cuda/atomic>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [library]
/// Each thread takes a ticket.
/// @param taken  one int for each thread in device memory: ticket i is marked by
///               increasing element i
__global__ void tickets_of_library(int* taken) {
    using counter = cuda::atomic<int, cuda::thread_scope_block>;
    __shared__ alignas(counter) unsigned char memory[sizeof(counter)];
    auto* next = reinterpret_cast<counter*>(memory);
    if (threadIdx.x == 0) new (next) counter(0);  // one thread constructs it
    __syncthreads();
    const int ticket = next->fetch_add(1, cuda::memory_order_relaxed);
    taken[blockIdx.x * blockDim.x + ticket] += 1;
}
// [/library]

// [builtin]
/// The same with compiler functions.
/// @param taken  one int for each thread in device memory: ticket i is marked by
///               increasing element i
__global__ void tickets_of_compiler(int* taken) {
    __shared__ int next;
    if (threadIdx.x == 0)
        __nv_atomic_store_n(&next, 0, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __syncthreads();
    const int ticket =
        __nv_atomic_fetch_add(&next, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    taken[blockIdx.x * blockDim.x + ticket] += 1;
}
// [/builtin]

int main() {
    lockstep::require_device();

    constexpr int n = 50 * 256;
    const std::vector<int> once(n, 1);
    lockstep::device_buffer<int> taken(n);
    taken.fill_bytes(0);
    tickets_of_library<<<50, 256>>>(taken.data());
    lockstep::check(cudaGetLastError());
    const std::size_t library = lockstep::count_mismatches(taken.to_host(), once);
    taken.fill_bytes(0);
    tickets_of_compiler<<<50, 256>>>(taken.data());
    lockstep::check(cudaGetLastError());
    const std::size_t compiler = lockstep::count_mismatches(taken.to_host(), once);
    lockstep::report("tickets lost or doubled", library + compiler);
    return library + compiler == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
