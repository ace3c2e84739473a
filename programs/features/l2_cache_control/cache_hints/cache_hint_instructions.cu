// What is an access property in the machine code? PTX makes a cache policy, a 64-bit
// value, with createpolicy, and an access takes it as a hint. Further instructions
// prefetch a line with a priority, give it back its normal one, or discard it.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 16;
constexpr int line_bytes = 128;

// [load]
/// Loads a word with a cache policy.
__device__ int load_with(const int* address, std::uint64_t policy) {
    int word;
    asm volatile("ld.global.L2::cache_hint.b32 %0, [%1], %2;"
                 : "=r"(word)
                 : "l"(address), "l"(policy)
                 : "memory");
    return word;
}

/// Adds two arrays: half of the loads of x are to stay in L2, y is not.
/// @param x, y  n ints each in device memory
/// @param sum   n ints in device memory, written
__global__ void add_with_policies(const int* x, const int* y, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    std::uint64_t keep, pass;
    asm("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %0, 0.5;"
        : "=l"(keep));
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(pass));
    sum[i] = load_with(x + i, keep) + load_with(y + i, pass);
}
// [/load]

// [lines]
/// Requests the lines of an array before they are needed, to be evicted last.
/// @param x  n ints in device memory, whole lines; one thread for each line
__global__ void prefetch_lines(const int* x) {
    const char* line = reinterpret_cast<const char*>(x) +
                       (blockIdx.x * blockDim.x + threadIdx.x) * line_bytes;
    asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(line));
}

/// Gives the lines of an array their normal priority again.
/// @param x  n ints in device memory, whole lines; one thread for each line
__global__ void release_lines(int* x) {
    char* line = reinterpret_cast<char*>(x) +
                 (blockIdx.x * blockDim.x + threadIdx.x) * line_bytes;
    asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(line)
                 : "memory");
}
// [/lines]

int main() {
    lockstep::require_device(80);
    std::vector<int> x(n), y(n), expected(n);
    for (int i = 0; i < n; ++i) {
        x[i] = i;
        y[i] = 2 * i;
        expected[i] = 3 * i;
    }
    lockstep::device_buffer<int> d_x(x), d_y(y), d_sum(n);
    d_sum.fill_bytes(0xFF);

    constexpr int lines = n * sizeof(int) / line_bytes;
    prefetch_lines<<<lines / 256, 256>>>(d_x.data());
    lockstep::check(cudaGetLastError());
    add_with_policies<<<n / 256, 256>>>(d_x.data(), d_y.data(), d_sum.data());
    lockstep::check(cudaGetLastError());
    release_lines<<<lines / 256, 256>>>(d_x.data());
    lockstep::check(cudaGetLastError());
    const bool right = lockstep::count_mismatches(d_sum.to_host(), expected) == 0 &&
                       lockstep::count_mismatches(d_x.to_host(), x) == 0;
    lockstep::report("sums right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
