// Each block computes 64 numbers and launches a child that adds them up. As given, the
// numbers are in shared memory, which the child cannot read. Give it memory that it can
// read, a part of its own for each block, with all 64 numbers in it, and launch one
// child for each block.

#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int blocks = 8;
constexpr int n = 64;

/// Adds up numbers; one block of n threads.
/// @param x    n ints
/// @param sum  an int in device memory, increased
__global__ void add_up(const int* x, int* sum) { atomicAdd(sum, x[threadIdx.x]); }

/// Computes n numbers in each block and has a child add them up.
/// @param scratch  n ints for each block in device memory
/// @param sums     one int for each block in device memory
__global__ void parent(int* scratch, int* sums) {
    const int number = static_cast<int>(blockIdx.x * n + threadIdx.x);
    int* const sum = sums + blockIdx.x;
    // [task]
    int* const mine = scratch + blockIdx.x * n;
    mine[threadIdx.x] = number;
    __syncthreads();
    if (threadIdx.x == 0) add_up<<<1, n>>>(mine, sum);
    //= given
    //| __shared__ int mine[n];
    //| mine[threadIdx.x] = number;
    //| __syncthreads();
    //| if (threadIdx.x == 0) add_up<<<1, n>>>(mine, sum);
    //= mutant same_place
    //| scratch[threadIdx.x] = number;
    //| __syncthreads();
    //| if (threadIdx.x == 0) add_up<<<1, n>>>(scratch, sum);
    //= mutant every_thread
    //| int* const mine = scratch + blockIdx.x * n;
    //| mine[threadIdx.x] = number;
    //| __syncthreads();
    //| add_up<<<1, n>>>(mine, sum);
    //= mutant one_number
    //| int* const mine = scratch + blockIdx.x * n;
    //| if (threadIdx.x == 0) mine[0] = number;
    //| if (threadIdx.x == 0) add_up<<<1, n>>>(mine, sum);
    // [/task]
}

int main() {
    lockstep::require_device();

    std::vector<int> expected;
    for (int block = 0; block < blocks; ++block)
        expected.push_back(n * (block * n) + n * (n - 1) / 2);
    lockstep::device_buffer<int> d_scratch(blocks * n), d_sums(blocks);
    d_scratch.fill_bytes(0);
    d_sums.fill_bytes(0);
    parent<<<blocks, n>>>(d_scratch.data(), d_sums.data());
    lockstep::check(cudaGetLastError());
    lockstep::exercise_verdict verdict;
    const bool ended = cudaDeviceSynchronize() == cudaSuccess;
    verdict.holds("no fault", ended, "the child reads memory that it must not read");
    if (ended)
        verdict.equal("sums", d_sums.to_host(), expected,
                      lockstep::numbered("the sum of block"));
    return verdict.finish();
}
