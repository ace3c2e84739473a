// memcpy_async of cooperative groups takes its size in bytes, even between pointers to
// int. With the number of elements, three quarters of the ints are not copied.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256;

// [kernel]
/// Copies through shared memory.
/// @param count  size passed to the copy
/// @param in     n ints in device memory
/// @param out    n ints in device memory, written
__global__ void copy(std::size_t count, const int* in, int* out) {
    __shared__ int words[n];
    const auto block = cooperative_groups::this_thread_block();
    words[threadIdx.x] = -1;
    block.sync();
    cooperative_groups::memcpy_async(block, words, in, count);
    cooperative_groups::wait(block);
    out[threadIdx.x] = words[threadIdx.x];
}
// [/kernel]

int main() {
    lockstep::require_device();

    std::vector<int> in(n);
    for (int i = 0; i < n; ++i) in[i] = i;
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(n);
    int unset[2] = {};
    for (const bool bytes : {false, true}) {
        copy<<<1, n>>>(bytes ? n * sizeof(int) : n, d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        for (const int word : d_out.to_host()) unset[bytes] += word == -1;
    }
    lockstep::report("ints not copied, size 256", unset[0]);
    lockstep::report("ints not copied, size 1024", unset[1]);
    return unset[0] == n / 4 * 3 && unset[1] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
