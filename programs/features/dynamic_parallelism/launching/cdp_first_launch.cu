// How does a kernel launch another kernel? With the syntax of the host. Here the size
// of the second grid depends on a number that only the GPU knows: how many elements of
// an array are negative. No step of it needs the host.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;

// [state]
/// What the kernels pass to each other.
struct state {
    int count;   ///< number of negative elements
    int blocks;  ///< blocks of the child grid
    int error;   ///< what the parent's launches returned
    unsigned long long sum;  ///< of all elements in the end
};
// [/state]

/// Lists the negative elements.
/// @param n     number of elements
/// @param x     n ints in device memory
/// @param list  room for n indices in device memory, written
/// @param s     in device memory; its count is increased
__global__ void find(int n, const int* x, int* list, state* s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] < 0) list[atomicAdd(&s->count, 1)] = i;
}

// [children]
/// The child: makes the listed elements positive.
/// @param n     number of listed elements
/// @param list  n indices in device memory
/// @param x     ints in device memory, changed
__global__ void negate(int n, const int* list, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[list[i]] = -x[list[i]];
}

/// The tail: adds up all elements; one block.
/// @param n  number of elements
/// @param x  n ints in device memory
/// @param s  in device memory; its sum is increased
__global__ void add_up(int n, const int* x, state* s) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&s->sum, static_cast<unsigned long long>(x[i]));
}
// [/children]

// [parent]
/// The parent: launches a grid of the size that is needed, and the sum after it; one
/// thread.
/// @param n     number of elements
/// @param list  s->count indices in device memory
/// @param x     n ints in device memory, changed by the child
/// @param s     in device memory
__global__ void parent(int n, const int* list, int* x, state* s) {
    if (s->count > 0) {
        s->blocks = (s->count + block_size - 1) / block_size;
        negate<<<s->blocks, block_size>>>(s->count, list, x);
        s->error = cudaGetLastError();
    }
    add_up<<<1, block_size, 0, cudaStreamTailLaunch>>>(n, x, s);
    if (s->error == cudaSuccess) s->error = cudaGetLastError();
}
// [/parent]

int main() {
    lockstep::require_device();

    constexpr int n = 10'000;
    std::vector<int> x(n);
    for (int i = 0; i < n; ++i) x[i] = i % 7 == 0 ? -i : i;
    lockstep::device_buffer<int> d_x(x), d_list(n);
    lockstep::device_buffer<state> d_state(std::vector<state>(1));

    // [launch]
    constexpr int grid_size = (n + block_size - 1) / block_size;
    find<<<grid_size, block_size>>>(n, d_x.data(), d_list.data(), d_state.data());
    lockstep::check(cudaGetLastError());
    parent<<<1, 1>>>(n, d_list.data(), d_x.data(), d_state.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());  // for the parent, its child and its tail
    // [/launch]

    const state found = d_state.to_host()[0];
    lockstep::report("elements", n);
    lockstep::report("negative elements", found.count);
    lockstep::report("blocks of the child grid", found.blocks);
    lockstep::report("sum of all in the end", found.sum);
    lockstep::report("launches in the kernel",
                     cudaGetErrorName(static_cast<cudaError_t>(found.error)));
    const bool right = found.count == (n - 1) / 7 && found.sum == n * (n - 1ull) / 2 &&
                       found.error == cudaSuccess;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
