// May one stream allocate, a second use the memory, and a third free it? Yes, if events
// put the three in order: the use after the allocation, the free after every use. A
// missing event need not show in the result; a tool finds it.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Writes ten times the index into each element, and passes it on.
/// @param n        number of elements
/// @param scratch  n ints in device memory, written
/// @param result   n ints in device memory, written
__global__ void use(int n, int* scratch, int* result) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    scratch[i] = 10 * i;
    result[i] = scratch[i] + 1;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 20, 1, 1 << 26);
    const bool waits = !options.flag("no-wait");
    options.finish();
    lockstep::require_device();

    const lockstep::owned_stream first, second, third;
    const lockstep::owned_event allocated(cudaEventDisableTiming);
    const lockstep::owned_event used(cudaEventDisableTiming);
    lockstep::device_buffer<int> d_result(n);
    d_result.fill_bytes(0xFF);
    lockstep::check(cudaDeviceSynchronize());
    // [order]
    int* scratch = nullptr;
    lockstep::check(cudaMallocAsync(&scratch, n * sizeof(int), first));
    lockstep::check(cudaEventRecord(allocated, first));

    if (waits) lockstep::check(cudaStreamWaitEvent(second, allocated));
    use<<<(n + 255) / 256, 256, 0, second>>>(n, scratch, d_result.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(used, second));

    lockstep::check(cudaStreamWaitEvent(third, used));  // not while it is in use
    lockstep::check(cudaFreeAsync(scratch, third));
    // [/order]
    lockstep::check(cudaDeviceSynchronize());

    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = 10 * i + 1;
    const std::size_t wrong = lockstep::count_mismatches(d_result.to_host(), expected);
    lockstep::report("wrong elements", wrong);
    if (!waits) return EXIT_SUCCESS;  // undefined, so there is nothing to check
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
