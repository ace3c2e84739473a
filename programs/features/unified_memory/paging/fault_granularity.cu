// How much moves if one byte is touched? The CPU writes an array, then one thread of
// the GPU touches one int every so many KiB, then the CPU does the same. CUPTI counts
// the bytes that moved and the faults, beside the time. The driver moves more than a
// page at a time: neighbors come along.

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/page_counter.hpp>
#include <lockstep/page_counts.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Adds one to one int of each stretch; one thread for each.
/// @param touches  number of stretches
/// @param stride   ints in a stretch
/// @param data     touches * stride ints in managed memory
__global__ void touch(int touches, int stride, int* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < touches) data[std::size_t(i) * stride] += 1;
}
// [/kernel]

/// What one stride gave.
struct result {
    lockstep::page_counts gpu;
    lockstep::page_counts cpu;
    double gpu_us;
    double cpu_us;
    bool right;
};

/// Lets the GPU, then the CPU, touch a fresh array.
/// @param n       number of ints in the array
/// @param stride  ints from one touch to the next
result touch_both(int n, int stride) {
    int* data = nullptr;
    lockstep::check(cudaMallocManaged(&data, n * sizeof(int)));
    for (int i = 0; i < n; ++i) data[i] = i;  // all pages begin on the CPU
    lockstep::page_counter::read();           // what came before does not count
    result found{};
    // [act]
    const lockstep::owned_event begin, end;
    const int touches = n / stride;
    lockstep::check(cudaEventRecord(begin));
    touch<<<(touches + 255) / 256, 256>>>(touches, stride, data);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(end));
    found.gpu = lockstep::page_counter::read();

    const auto start = std::chrono::steady_clock::now();
    bool right = true;
    for (int i = 0; i < n; i += stride) right = right && data[i] == i + 1;
    const auto stop = std::chrono::steady_clock::now();
    found.cpu = lockstep::page_counter::read();
    // [/act]
    float ms = 0;
    lockstep::check(cudaEventElapsedTime(&ms, begin, end));
    found.gpu_us = ms * 1e3;
    found.cpu_us = std::chrono::duration<double, std::micro>(stop - start).count();
    found.right = right;
    lockstep::check(cudaFree(data));
    return found;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mib = options.integer("mib", 64, 4, 256);
    const char* csv = options.text("csv");
    options.finish();
    const CUptiResult available = lockstep::page_counter::start();
    lockstep::require_device();
    if (available != CUPTI_SUCCESS) {
        lockstep::report("counters not available", int(available));
        return EXIT_SUCCESS;
    }
    const int n = mib * (1 << 20) / int(sizeof(int));
    touch<<<1, 1>>>(0, 1, nullptr);  // loads the kernel
    lockstep::check(cudaGetLastError());
    lockstep::csv_file series(
        csv,
        "stride_kib,touches,~gpu_mib,~gpu_faults,~gpu_us,"
        "~smallest_kib,~largest_kib,~cpu_mib,~cpu_faults,~cpu_us");
    bool right = true;
    std::printf("%14s%15s%15s%15s%15s%15s\n", "one touch each", "moved to GPU",
                "GPU faults", "smallest move", "largest move", "back to CPU");
    for (const int kib : {4, 16, 64, 256, 1024, 2048, 4096}) {
        const int stride = kib * 1024 / int(sizeof(int));
        const result found = touch_both(n, stride);
        series.row("%d,%d,%.4g,%lld,%.4g,%lld,%lld,%.4g,%lld,%.4g", kib, n / stride,
                   found.gpu.mib_to_gpu(), found.gpu.gpu_faults, found.gpu_us,
                   found.gpu.smallest_bytes / 1024, found.gpu.largest_bytes / 1024,
                   found.cpu.mib_to_cpu(), found.cpu.cpu_faults, found.cpu_us);
        right = right && found.right;
        if (kib != 4 && kib != 64 && kib != 4096) continue;
        char cells[5][24];
        std::snprintf(cells[0], 24, "~%.1f MiB", found.gpu.mib_to_gpu());
        std::snprintf(cells[1], 24, "~%lld", found.gpu.gpu_faults);
        std::snprintf(cells[2], 24, "~%lld KiB", found.gpu.smallest_bytes / 1024);
        std::snprintf(cells[3], 24, "~%lld KiB", found.gpu.largest_bytes / 1024);
        std::snprintf(cells[4], 24, "~%.1f MiB", found.cpu.mib_to_cpu());
        std::printf("%10d KiB", kib);
        for (const char* cell : cells) std::printf("%15s", cell);
        std::printf("\n");
    }
    series.finish();
    lockstep::report("values right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
