// Is a sum the same in every run? If a fixed tree of additions decides its order, yes.
// If threads add with atomicAdd, the schedule decides the order, and float sums may
// differ. Integer additions have no rounding, so their order does not matter.

#include <cstdlib>
#include <set>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [atomics]
/// Adds 1 / (i + 1) for all threads, in the order of the schedule.
/// @param n    number of terms
/// @param sum  a zero, replaced by the sum
__global__ void add_atomically(int n, float* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, 1.0f / (i + 1));
}

/// Adds the same numbers as multiples of 2^-40; each is rounded before the addition.
/// @param n    number of terms
/// @param sum  a zero, replaced by the sum
__global__ void add_integers(int n, unsigned long long* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, __float2ull_rn(1.0f / (i + 1) * 0x1p40f));
}
// [/atomics]

// [tree]
/// Adds the same numbers in one block, in a tree that depends on nothing.
/// @param n    number of terms
/// @param sum  replaced by the sum
__global__ void add_in_a_tree(int n, float* sum) {
    __shared__ float part[256];
    float own = 0;
    for (int i = threadIdx.x; i < n; i += 256) own += 1.0f / (i + 1);
    part[threadIdx.x] = own;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();  // all sums of the larger tree are written
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) *sum = part[0];
}
// [/tree]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 20, 1, 1 << 24);
    options.finish();
    lockstep::require_device();

    constexpr int runs = 50, block_size = 256;
    const int blocks = (n + block_size - 1) / block_size;
    lockstep::device_buffer<float> d_sum(1);
    lockstep::device_buffer<unsigned long long> d_integer(1);
    std::set<float> atomic, tree;
    std::set<unsigned long long> integer;
    for (int run = 0; run < runs; ++run) {
        d_sum.fill_bytes(0);
        d_integer.fill_bytes(0);
        add_atomically<<<blocks, block_size>>>(n, d_sum.data());
        lockstep::check(cudaGetLastError());
        atomic.insert(d_sum.to_host()[0]);
        add_integers<<<blocks, block_size>>>(n, d_integer.data());
        lockstep::check(cudaGetLastError());
        integer.insert(d_integer.to_host()[0]);
        add_in_a_tree<<<1, 256>>>(n, d_sum.data());
        lockstep::check(cudaGetLastError());
        tree.insert(d_sum.to_host()[0]);
    }

    double exact = 0;
    for (int i = 0; i < n; ++i) exact += 1.0 / (i + 1);
    lockstep::report("runs of each kernel", runs);
    lockstep::report("different sums, atomicAdd",
                     lockstep::counted{static_cast<long long>(atomic.size())});
    lockstep::report("different sums, integers", integer.size());
    lockstep::report("different sums, fixed tree", tree.size());

    // each of n additions is off by at most half a unit of the sum
    const double bound = n * 0x1p-24 * exact;
    bool right = integer.size() == 1 && tree.size() == 1;
    for (const float each : atomic)
        right &= exact - each <= bound && each - exact <= bound;
    right &= static_cast<double>(*integer.begin()) * 0x1p-40 - exact < 1e-3 &&
             exact - static_cast<double>(*integer.begin()) * 0x1p-40 < 1e-3;
    right &= *tree.begin() - exact < 1e-3 && exact - *tree.begin() < 1e-3;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
