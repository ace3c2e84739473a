// What does a prefetch or an advice change? The CPU writes an array in managed memory.
// Then the GPU reads it twice, the CPU reads it, and the GPU reads it again. Without a
// hint each change of the reader moves all pages. A prefetch moves them ahead of the
// reader. "Read mostly" lets both sides keep a copy. "Stay on the CPU" never moves
// them, and every pass of the GPU crosses the link.

#include <chrono>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/require_device.hpp>

constexpr int page_ints = 4096 / sizeof(int);  // the CPU's pages have 4 KiB

// [kernel]
/// Adds up all elements; the sum wraps.
/// @param n     number of elements
/// @param data  n values
/// @param sum   one value, 0 before the first call
__global__ void add_up(int n, const unsigned* data, unsigned* sum) {
    const int step = gridDim.x * blockDim.x;
    unsigned mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        mine += data[i];
    atomicAdd(sum, mine);
}
// [/kernel]

/// Time of one pass of the GPU over the array, in microseconds.
/// @param n     number of elements
/// @param data  n values in managed memory
/// @param sum   one value in device memory, to which the pass adds
double gpu_pass_us(int n, const unsigned* data, unsigned* sum) {
    const lockstep::owned_event begin;
    const lockstep::owned_event end;
    lockstep::check(cudaEventRecord(begin));
    constexpr int blocks = 264;  // 2 for each SM of an H200; any number is right
    add_up<<<blocks, 512>>>(n, data, sum);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(end));
    lockstep::check(cudaEventSynchronize(end));
    float elapsed_ms = 0;
    lockstep::check(cudaEventElapsedTime(&elapsed_ms, begin, end));
    return elapsed_ms * 1e3;
}

// [ask]
/// Which processor the last prefetch of a range was asked to move it to.
/// @param data   start of the range, in managed memory
/// @param bytes  its length
const char* last_prefetch(const void* data, std::size_t bytes) {
    int number = 0;
    lockstep::check(cudaMemRangeGetAttribute(&number, sizeof number,
                                             cudaMemRangeAttributeLastPrefetchLocation,
                                             data, bytes));
    return number == cudaCpuDeviceId       ? "CPU"
           : number == 0                   ? "GPU 0"
           : number == cudaInvalidDeviceId ? "none"
                                           : "other";
}
// [/ask]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mib = options.integer("mib", 64, 1, 512);
    enum { none, prefetch, read_mostly, stay_on_cpu };
    const int hint =
        options.choice("hint", {"none", "prefetch", "read-mostly", "stay-on-cpu"});
    options.finish();
    lockstep::require_device();
    int concurrent = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    if (!concurrent) {
        lockstep::report("concurrent managed access", "no: hints have no effect");
        return EXIT_SUCCESS;
    }

    const int n = (mib << 20) / static_cast<int>(sizeof(unsigned));
    const std::size_t bytes = n * sizeof(unsigned);
    unsigned* data = nullptr;
    unsigned* d_sum = nullptr;
    lockstep::check(cudaMallocManaged(&data, bytes));
    lockstep::check(cudaMalloc(&d_sum, sizeof *d_sum));
    lockstep::check(cudaMemset(d_sum, 0, sizeof *d_sum));
    gpu_pass_us(0, data, d_sum);  // loads the kernel, touches no page
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) {
        data[i] = i % 1021;  // first touch on the CPU
        sum += data[i];
    }

    // [hint]
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
    if (hint == prefetch)
        lockstep::check(cudaMemPrefetchAsync(data, bytes, gpu, 0, nullptr));
    if (hint == read_mostly)
        lockstep::check(cudaMemAdvise(data, bytes, cudaMemAdviseSetReadMostly, gpu));
    if (hint == stay_on_cpu) {
        lockstep::check(
            cudaMemAdvise(data, bytes, cudaMemAdviseSetPreferredLocation, cpu));
        lockstep::check(cudaMemAdvise(data, bytes, cudaMemAdviseSetAccessedBy, gpu));
    }
    // [/hint]
    lockstep::check(cudaDeviceSynchronize());

    // [passes]
    const double first_us = gpu_pass_us(n, data, d_sum);
    const double second_us = gpu_pass_us(n, data, d_sum);
    if (hint == prefetch)
        lockstep::check(cudaMemPrefetchAsync(data, bytes, cpu, 0, nullptr));
    lockstep::check(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    unsigned touched = 0;
    for (int i = 0; i < n; i += page_ints) touched += data[i];  // one int a page
    const auto end = std::chrono::steady_clock::now();
    const double cpu_us =
        std::chrono::duration<double, std::micro>(end - begin).count();
    const double third_us = gpu_pass_us(n, data, d_sum);  // no prefetch before this one
    // [/passes]

    unsigned expected_touched = 0;
    for (int i = 0; i < n; i += page_ints) expected_touched += i % 1021;
    unsigned gpu_sum = 0;
    lockstep::check(cudaMemcpy(&gpu_sum, d_sum, sizeof gpu_sum, cudaMemcpyDefault));
    const bool right = gpu_sum == 3 * sum && touched == expected_touched;
    lockstep::report("GPU, first pass", lockstep::measured{first_us}, "us");
    lockstep::report("GPU, second pass", lockstep::measured{second_us}, "us");
    lockstep::report("CPU, one read per page", lockstep::measured{cpu_us}, "us");
    lockstep::report("GPU, third pass", lockstep::measured{third_us}, "us");
    lockstep::report("last prefetch went to", last_prefetch(data, bytes));
    lockstep::report("values right", right);
    lockstep::check(cudaFree(data));
    lockstep::check(cudaFree(d_sum));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
