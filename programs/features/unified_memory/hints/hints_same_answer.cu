// Can a hint make a result wrong? No: one computation runs under six sets of hints,
// some of them silly, and gives the same answer each time. Only the time differs. Each
// set is timed with its hints, as a program would pay for them.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// Adds one to every element.
/// @param n     number of elements
/// @param data  n values in managed memory
__global__ void add_one_to_all(int n, int* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 21, 1024, 1 << 24);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();
    const std::size_t bytes = n * sizeof(int);
    int* data = nullptr;
    lockstep::check(cudaMallocManaged(&data, bytes));
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
    const auto advise = [&](cudaMemoryAdvise advice, cudaMemLocation where) {
        lockstep::check(cudaMemAdvise(data, bytes, advice, where));
    };
    const auto prefetch = [&](cudaMemLocation where) {
        lockstep::check(cudaMemPrefetchAsync(data, bytes, where, 0, nullptr));
    };

    // [round]
    long long sum = 0;
    const auto round = [&](int hints) {
        for (int i = 0; i < n; ++i) data[i] = i & 1023;
        if (hints == 1) prefetch(gpu);
        if (hints == 2) advise(cudaMemAdviseSetReadMostly, gpu);  // the kernel writes
        if (hints == 3) advise(cudaMemAdviseSetPreferredLocation, cpu);  // wrong side
        if (hints == 4)  // there and back, three times
            for (int i = 0; i < 3; ++i) {
                prefetch(gpu);
                prefetch(cpu);
            }
        if (hints == 5) prefetch(gpu);
        add_one_to_all<<<(n + 255) / 256, 256>>>(n, data);
        lockstep::check(cudaGetLastError());
        if (hints == 5) prefetch(cpu);
        lockstep::check(cudaDeviceSynchronize());
        sum = 0;
        for (int i = 0; i < n; ++i) sum += data[i];
        if (hints == 2) advise(cudaMemAdviseUnsetReadMostly, gpu);
        if (hints == 3) advise(cudaMemAdviseUnsetPreferredLocation, cpu);
    };
    // [/round]
    long long expected = 0;
    for (int i = 0; i < n; ++i) expected += (i & 1023) + 1;
    const char* names[] = {"no hint",          "prefetch to GPU", "read mostly",
                           "preferred on CPU", "there and back",  "prefetch both ways"};
    bool right = true;
    double ms[6] = {};
    for (int hints = 0; hints < 6; ++hints) {
        ms[hints] = lockstep::time_on_host([&] { round(hints); }, 20).median_ms;
        right = right && sum == expected;
        lockstep::report(names[hints], lockstep::measured{ms[hints]}, "ms");
    }
    lockstep::report("six equal answers", right);
    lockstep::check(cudaFree(data));
    return right && (untimed || ms[5] < ms[0]) ? EXIT_SUCCESS : EXIT_FAILURE;
}
