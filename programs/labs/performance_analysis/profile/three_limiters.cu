// What limits a kernel? Four kernels, each with its own answer: one moves bytes as fast
// as the memory can, one computes as fast as the FMA pipes can, one does much of both,
// and one waits for a single load at a time and comes near neither peak.

#include <cstdlib>
#include <functional>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [addition]
/// Adds two arrays: one addition for each 12 bytes.
/// @param n        number of elements
/// @param a, b, c  n floats each in device memory; c is written
__global__ void add_arrays(unsigned n, const float* a, const float* b, float* c) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
// [/addition]

// [halving]
/// Halves and adds 1, again and again.
template <int times>
__host__ __device__ float halved(float x) {
    for (int k = 0; k < times; ++k) x = fmaf(x, 0.5F, 1.0F);
    return x;
}

/// 64 times: 16 operations for each of the 8 bytes.
/// @param n     number of elements
/// @param x, y  n floats each in device memory; y is written
__global__ void halve_64(unsigned n, const float* x, float* y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = halved<64>(x[i]);
}

/// 1024 times: 256 operations for each of the 8 bytes.
/// @param n     number of elements
/// @param x, y  n floats each in device memory; y is written
__global__ void halve_1024(unsigned n, const float* x, float* y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = halved<1024>(x[i]);
}
// [/halving]

// [list]
/// An element of a list.
struct node {
    unsigned next;  ///< number of the element after it
    float value;
};

/// Follows a list and adds up its values: one addition for each 8 bytes.
/// @param steps  how far each thread goes
/// @param list   in device memory
/// @param sums   a float for each thread in device memory, written
__global__ void follow_list(int steps, const node* list, float* sums) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = thread;
    float sum = 0;
    for (int step = 0; step < steps; ++step) {
        const node one = list[at];
        sum += one.value;
        at = one.next;  // the address of the next load is a result of this one
    }
    sums[thread] = sum;
}
// [/list]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const unsigned n = 1U << options.integer("log-n", 26, 12, 28);
    const int steps = options.integer("steps", 1000, 1, 10'000);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    std::vector<float> a(n), b(n);
    std::vector<node> list(n);
    for (unsigned i = 0; i < n; ++i) {
        a[i] = static_cast<float>(i % 1000);
        b[i] = static_cast<float>(i % 7);
        // a linear congruential generator: a walk through all that looks random
        list[i] = {(i * 1'664'525U + 1'013'904'223U) & (n - 1),
                   static_cast<float>(i % 11)};
    }
    const lockstep::device_buffer<float> d_a(a), d_b(b);
    lockstep::device_buffer<float> d_c(n);
    const lockstep::device_buffer<node> d_list(list);
    constexpr unsigned walkers = 4096;  // for an H200, about a warp for each SM
    lockstep::device_buffer<float> d_sums(walkers);

    const unsigned blocks = (n + 255) / 256;
    const std::function<void()> work[] = {
        [&] { add_arrays<<<blocks, 256>>>(n, d_a.data(), d_b.data(), d_c.data()); },
        [&] { halve_64<<<blocks, 256>>>(n, d_a.data(), d_c.data()); },
        [&] { halve_1024<<<blocks, 256>>>(n, d_a.data(), d_c.data()); },
        [&] { follow_list<<<walkers / 32, 32>>>(steps, d_list.data(), d_sums.data()); },
    };
    bool right = true;
    for (int kernel = 0; kernel < 4; ++kernel) {
        d_c.fill_bytes(0xFF);
        work[kernel]();
        lockstep::check(cudaGetLastError());
        const std::vector<float> c = d_c.to_host();
        // the input repeats itself, which keeps the reference short
        std::vector<float> few(1000), many(1000);
        for (int i = 0; i < 1000; ++i) few[i] = halved<64>(a[i]);
        for (int i = 0; i < 1000; ++i) many[i] = halved<1024>(a[i]);
        for (unsigned i = 0; kernel < 3 && i < n; ++i)
            right = right && c[i] == (kernel == 0   ? a[i] + b[i]
                                      : kernel == 1 ? few[i % 1000]
                                                    : many[i % 1000]);
    }
    const std::vector<float> sums = d_sums.to_host();
    for (unsigned walker = 0; walker < walkers; ++walker) {
        unsigned at = walker;
        float sum = 0;  // of whole numbers: exact
        for (int step = 0; step < steps; ++step, at = list[at].next)
            sum += list[at].value;
        right = right && sums[walker] == sum;
    }
    lockstep::report("all results are right", right);
    if (untimed) return right ? EXIT_SUCCESS : EXIT_FAILURE;

    const double work_done[] = {12e-9 * n, 128e-12 * n, 2048e-12 * n,
                                8e-9 * walkers * steps};
    double rates[4];
    const char* names[] = {"add_arrays", "halve_64", "halve_1024", "follow_list"};
    for (int k = 0; k < 4; ++k) {
        rates[k] = work_done[k] / (1e-3 * lockstep::time_on_device(work[k]).median_ms);
        lockstep::report(names[k], lockstep::measured{rates[k]},
                         k == 0 || k == 3 ? "GB/s" : "TFLOP/s");
    }
    const bool designed = rates[3] < 0.2 * rates[0] && rates[2] > rates[1];
    return right && designed ? EXIT_SUCCESS : EXIT_FAILURE;
}
