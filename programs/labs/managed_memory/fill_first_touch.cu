// What does the first touch of managed memory cost a kernel? Many times the kernel
// itself. 256 blocks of 256 threads fill an array that the CPU wrote, one without any
// touch before, one that a prefetch has brought to the GPU, and one in device memory.
// The same is measured for larger arrays. Each round has a fresh array.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

// [kernel]
/// Writes one word in each thread.
/// @param words  as many words as there are threads
__global__ void fill(int* words) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    words[i] = 3 * i;
}
// [/kernel]

enum start { cpu_wrote, untouched, prefetched, device_memory, starts };
constexpr const char* names[] = {"CPU wrote", "untouched", "prefetched",
                                 "device memory"};

/// An array in the state of a start.
/// @param from   the start
/// @param bytes  size of the array
int* fresh_array(start from, std::size_t bytes) {
    int* words = nullptr;
    // [starts]
    if (from == device_memory) {
        lockstep::check(cudaMalloc(&words, bytes));
        return words;
    }
    lockstep::check(cudaMallocManaged(&words, bytes));
    if (from != untouched)
        for (std::size_t i = 0; i < bytes / sizeof(int); ++i) words[i] = -1;
    if (from == prefetched) {
        const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
        lockstep::check(cudaMemPrefetchAsync(words, bytes, gpu, 0, nullptr));
    }
    // [/starts]
    return words;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int largest = options.integer("blocks", 1 << 16, 256, 1 << 16);
    const int rounds = options.integer("rounds", 20, 1, 100);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    const lockstep::owned_event begin, end;
    lockstep::csv_file series(csv, "kib,start,~us,~gb_per_s");
    double small_us[2][starts] = {};  // of 256 blocks: the first launch, the second
    bool right = true;
    for (int blocks = 256; blocks <= largest; blocks *= 4) {
        const int n = blocks * 256;
        const std::size_t bytes = n * sizeof(int);
        std::vector<double> ms[2][starts];
        for (int round = -3; round < rounds; ++round)  // the first three warm up
            for (int from = 0; from < starts; ++from) {
                int* words = fresh_array(start(from), bytes);
                for (std::vector<double>* launch : {ms[0], ms[1]}) {
                    float elapsed_ms = 0;
                    lockstep::check(cudaDeviceSynchronize());
                    lockstep::check(cudaEventRecord(begin));
                    fill<<<blocks, 256>>>(words);
                    lockstep::check(cudaGetLastError());
                    lockstep::check(cudaEventRecord(end));
                    lockstep::check(cudaEventSynchronize(end));
                    lockstep::check(cudaEventElapsedTime(&elapsed_ms, begin, end));
                    if (round >= 0) launch[from].push_back(elapsed_ms);
                }
                if (round == rounds - 1) {
                    std::vector<int> found(n);
                    lockstep::check(
                        cudaMemcpy(found.data(), words, bytes, cudaMemcpyDefault));
                    for (int i = 0; i < n; ++i) right = right && found[i] == 3 * i;
                }
                lockstep::check(cudaFree(words));
            }
        for (int from = 0; from < starts; ++from) {
            const double us = lockstep::summarize(ms[0][from]).median_ms * 1e3;
            series.row("%d,%s,%.4g,%.4g", blocks, names[from], us, bytes / us * 1e-3);
            if (blocks > 256) continue;
            small_us[0][from] = us;
            small_us[1][from] = lockstep::summarize(ms[1][from]).median_ms * 1e3;
        }
    }
    series.finish();
    lockstep::report("array", 256, "KiB");
    for (int from = 0; from < starts; ++from)
        lockstep::report(names[from], lockstep::measured{small_us[0][from]}, "us");
    lockstep::report("CPU wrote, second launch",
                     lockstep::measured{small_us[1][cpu_wrote]}, "us");
    lockstep::report("values right", right);
    const bool pays = untimed || small_us[0][cpu_wrote] > 3 * small_us[0][prefetched];
    return right && pays ? EXIT_SUCCESS : EXIT_FAILURE;
}
