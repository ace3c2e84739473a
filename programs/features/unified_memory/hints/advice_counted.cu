// What does each advice change? The same steps run under eight kinds of advice. Each is
// timed, and CUPTI counts what it moved, for the data file: the CPU writes, a prefetch
// (with --prefetch), the GPU reads twice, the CPU reads, the GPU reads, the CPU writes
// one int of each page, the GPU reads again. An advice is seen in which steps move
// pages and which fault.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/page_counter.hpp>
#include <lockstep/page_counts.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int page_ints = 4096 / sizeof(int);  // the CPU's pages have 4 KiB

/// Adds up all elements; the sum wraps.
/// @param n     number of elements
/// @param data  n values
/// @param sum   one value, 0 before the first call
__global__ void sum_up(int n, const unsigned* data, unsigned* sum) {
    const int step = gridDim.x * blockDim.x;
    unsigned mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        mine += data[i];
    atomicAdd(sum, mine);
}

/// Gives one advice, for a range of managed memory.
/// @param name   the advice, an index into the list in main
/// @param data   start of the range
/// @param bytes  its length
void advise(int name, void* data, std::size_t bytes) {
    // [advice]
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
    const auto give = [&](cudaMemoryAdvise advice, cudaMemLocation where) {
        lockstep::check(cudaMemAdvise(data, bytes, advice, where));
    };
    switch (name) {
        case 0: break;  // none
        case 1: give(cudaMemAdviseSetReadMostly, gpu); break;
        case 2:
            give(cudaMemAdviseSetReadMostly, gpu);
            give(cudaMemAdviseUnsetReadMostly, gpu);
            break;
        case 3: give(cudaMemAdviseSetPreferredLocation, gpu); break;
        case 4: give(cudaMemAdviseSetPreferredLocation, cpu); break;
        case 5: give(cudaMemAdviseSetAccessedBy, gpu); break;
        case 6:
            give(cudaMemAdviseSetPreferredLocation, cpu);
            give(cudaMemAdviseSetAccessedBy, gpu);
            break;
        case 7:
            give(cudaMemAdviseSetPreferredLocation, gpu);
            give(cudaMemAdviseSetAccessedBy, cpu);
            break;
    }
    // [/advice]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mib = options.integer("mib", 32, 1, 128);
    const bool prefetch = options.flag("prefetch");
    const char* csv = options.text("csv");
    options.finish();
    const CUptiResult available = lockstep::page_counter::start();
    lockstep::require_device();
    if (available != CUPTI_SUCCESS) {
        lockstep::report("counters not available", int(available));
        return EXIT_SUCCESS;
    }
    constexpr const char* kinds[] = {
        "none",       "read mostly",     "unset again",    "prefer GPU",
        "prefer CPU", "accessed by GPU", "CPU and mapped", "GPU and mapped"};
    const int n = mib * (1 << 20) / int(sizeof(unsigned));
    const std::size_t bytes = n * sizeof(unsigned);
    unsigned* d_sum = nullptr;
    lockstep::check(cudaMalloc(&d_sum, sizeof *d_sum));
    lockstep::check(cudaMemset(d_sum, 0, sizeof *d_sum));
    sum_up<<<1, 1>>>(0, nullptr, d_sum);  // loads the kernel
    lockstep::check(cudaGetLastError());
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = 2 * sms;
    lockstep::csv_file series(csv,
                              "advice,step,~to_gpu_mib,~to_cpu_mib,~gpu_faults,"
                              "~cpu_faults,~remote_maps,~us");
    unsigned expected = 0, touched = 0, expected_touched = 0;
    for (int advice = 0; advice < 8; ++advice) {
        unsigned* data = nullptr;
        lockstep::check(cudaMallocManaged(&data, bytes));
        for (int i = 0; i < n; ++i) data[i] = i % 1021;  // first touch on the CPU
        advise(advice, data, bytes);
        lockstep::page_counter::read();  // what came before does not count
        std::string times, names;
        const auto step = [&](const char* name, auto&& work) {
            const auto begin = std::chrono::steady_clock::now();
            work();
            lockstep::check(cudaDeviceSynchronize());
            const auto end = std::chrono::steady_clock::now();
            const double us =
                std::chrono::duration<double, std::micro>(end - begin).count();
            const lockstep::page_counts counts = lockstep::page_counter::read();
            series.row("%s,%s,%.4g,%.4g,%lld,%lld,%lld,%.4g", kinds[advice], name,
                       counts.mib_to_gpu(), counts.mib_to_cpu(), counts.gpu_faults,
                       counts.cpu_faults, counts.remote_maps, us);
            char number[32];
            char cell[48];
            std::snprintf(number, sizeof number, "~%.0f", us);
            std::snprintf(cell, sizeof cell, "%-12s", number);
            times += cell;
            names += name + std::string(12 - std::strlen(name), ' ');
        };
        const auto gpu_reads = [&] {
            sum_up<<<blocks, 512>>>(n, data, d_sum);
            lockstep::check(cudaGetLastError());
        };
        // [steps]
        if (prefetch)
            step("prefetch", [&] {
                const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
                lockstep::check(cudaMemPrefetchAsync(data, bytes, gpu, 0, nullptr));
            });
        step("GPU 1", gpu_reads);
        step("GPU 2", gpu_reads);
        step("CPU reads", [&] {
            for (int i = 0; i < n; i += page_ints) touched += data[i];
        });
        step("GPU 3", gpu_reads);
        step("CPU writes", [&] {
            for (int i = 0; i < n; i += page_ints) data[i] += 1;
        });
        step("GPU 4", gpu_reads);
        // [/steps]
        if (advice == 0)
            lockstep::report("time of the step, us",
                             names.substr(0, names.find_last_not_of(' ') + 1).c_str());
        lockstep::report(kinds[advice],
                         times.substr(0, times.find_last_not_of(' ') + 1).c_str());
        for (int i = 0; i < n; ++i) expected += 4 * (i % 1021);
        expected += n / page_ints;  // what the CPU added before the fourth
        for (int i = 0; i < n; i += page_ints) expected_touched += i % 1021;
        lockstep::check(cudaFree(data));
    }
    series.finish();
    unsigned sum = 0;
    lockstep::check(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDefault));
    lockstep::check(cudaFree(d_sum));
    const bool right = sum == expected && touched == expected_touched;
    lockstep::report("values right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
