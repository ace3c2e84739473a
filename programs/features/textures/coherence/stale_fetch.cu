// May a kernel fetch what it has just written? No: texture fetches are cached, and
// nothing tells that cache of the kernel's own writes. A block fetches all texels, so
// that the cache has them; then every texel is written, by the same threads or by
// another block; then they are fetched again, and loaded. The program counts the old
// values, and fetches once more in a second launch.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256;  // texels, one for each thread of a block
constexpr int old_value = 1, new_value = 2;

/// Waits until another block has come to a step.
/// @param step   counter of steps in device memory
/// @param until  the step
__device__ void wait_for(int* step, int until) {
    while (atomicAdd(step, 0) < until) {
    }
}

/// Fetches, writes and reads again: block 0 reads; block 0 or block 1 writes.
/// @tparam other  whether block 1 writes
/// @tparam fence  whether a fence comes before the second read
/// @param texels  texture of the memory at x
/// @param x       n ints in device memory, old_value before and new_value after
/// @param zero    one int in device memory, 0
/// @param step    one int in device memory, 0 before
/// @param first, fetched, loaded  what was fetched before the write, fetched after it
///                and loaded after it: n ints each in device memory, written
template <bool other, bool fence>
__global__ void read_write_read(cudaTextureObject_t texels, int* x,
                                const volatile int* zero, int* step, int* first,
                                int* fetched, int* loaded) {
    const int i = threadIdx.x;
    if (blockIdx.x == 0) {
        // [reads]
        const int before = tex1Dfetch<int>(texels, i);
        first[i] = before;
        __syncthreads_count(before);  // needs the values, so the fetches are complete
        if (!other) {
            x[i] = new_value;
        } else if (i == 0) {
            atomicExch(step, 1);  // block 1 may write
            wait_for(step, 2);
        }
        __syncthreads();
        if (fence) __threadfence();
        // the index comes from memory, so that the compiler cannot reuse the first
        // fetch or move the second one up
        fetched[i] = tex1Dfetch<int>(texels, i + *zero);
        loaded[i] = *static_cast<volatile int*>(x + i);
        // [/reads]
    } else if (other) {
        // [writes]
        if (i == 0) wait_for(step, 1);
        __syncthreads();
        x[i] = new_value;
        __threadfence();  // the values come before the step
        __syncthreads();
        if (i == 0) atomicExch(step, 2);
        // [/writes]
    }
}

/// Fetches all texels; one block of n threads.
/// @param texels  the texture
/// @param values  n ints in device memory, written
__global__ void next_launch(cudaTextureObject_t texels, int* values) {
    values[threadIdx.x] = tex1Dfetch<int>(texels, threadIdx.x);
}

/// Number of elements with a value.
int count(const std::vector<int>& all, int value) {
    int found = 0;
    for (const int each : all) found += each == value;
    return found;
}

int main() {
    lockstep::require_device();

    const std::vector<int> old_values(n, old_value);
    bool right = true;
    std::printf("%-40s%-12s%-12s%s\n", "old values", "fetched", "loaded",
                "next launch");
    const auto try_way = [&](const char* label, auto kernel, bool ordered) {
        lockstep::device_buffer<int> d_x(old_values), d_zero(1), d_step(1), d_first(n),
            d_fetched(n), d_loaded(n), d_next(n);
        d_zero.fill_bytes(0);
        d_step.fill_bytes(0);
        for (auto* poisoned : {&d_first, &d_fetched, &d_loaded, &d_next})
            poisoned->fill_bytes(0xFF);
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear = {d_x.data(), cudaCreateChannelDesc<int>(), d_x.bytes()};
        cudaTextureDesc description{};
        description.readMode = cudaReadModeElementType;
        cudaTextureObject_t texels = 0;
        lockstep::check(
            cudaCreateTextureObject(&texels, &resource, &description, nullptr));
        // [launches]
        kernel<<<2, n>>>(texels, d_x.data(), d_zero.data(), d_step.data(),
                         d_first.data(), d_fetched.data(), d_loaded.data());
        lockstep::check(cudaGetLastError());
        next_launch<<<1, n>>>(texels, d_next.data());
        lockstep::check(cudaGetLastError());
        // [/launches]
        const std::vector<int> fetched = d_fetched.to_host(),
                               loaded = d_loaded.to_host(), next = d_next.to_host();
        lockstep::check(cudaDestroyTextureObject(texels));
        std::printf("%-40s~%-11d~%-11d%d\n", label, count(fetched, old_value),
                    count(loaded, old_value), count(next, old_value));
        right = right && d_first.to_host() == old_values &&
                count(fetched, old_value) + count(fetched, new_value) == n &&
                count(next, new_value) == n;
        if (ordered) right = right && count(loaded, new_value) == n;
    };
    try_way("own write", read_write_read<false, false>, true);
    try_way("own write, then a fence", read_write_read<false, true>, true);
    try_way("write of another block", read_write_read<true, false>, false);
    try_way("write of another block, then a fence", read_write_read<true, true>, true);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
