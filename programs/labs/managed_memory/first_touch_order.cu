// Does the order of the accesses matter for the first touch of managed memory? A kernel
// adds one to each int of an array that the CPU wrote: in order, so that neighboring
// threads use neighboring words; far apart, so that each thread of a warp touches a
// page of its own; and in a scattered order. The second pass finds the pages on the
// GPU.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

constexpr unsigned page_words = 4096 / sizeof(int);

// [kernel]
enum order { neighboring, page_each, scattered, orders };

/// Adds one to every element.
/// @param n      number of elements, a power of two
/// @param words  n ints, changed in place
/// @param how    which element the i-th access is for
__global__ void add_one(unsigned n, int* words, order how) {
    const unsigned threads = gridDim.x * blockDim.x;
    const unsigned pages = n / page_words;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        unsigned at = i;
        if (how == page_each) at = i % pages * page_words + i / pages;
        if (how == scattered) at = i * 2654435761u % n;  // odd: every element once
        words[at] += 1;
    }
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const unsigned mib = 1u << options.integer("log-mib", 6, 0, 8);
    const int rounds = options.integer("rounds", 5, 1, 50);
    options.finish();
    lockstep::require_device();

    const unsigned n = (mib << 20) / sizeof(int);
    const lockstep::owned_event begin, end;
    constexpr const char* labels[2][orders] = {
        {"in order, first pass", "a page each, first pass", "scattered, first pass"},
        {"in order, second pass", "a page each, second pass",
         "scattered, second pass"}};
    std::vector<double> ms[2][orders];
    bool right = true;
    for (int round = -1; round < rounds; ++round)  // the first one loads the kernel
        for (int how = 0; how < orders; ++how) {
            int* words = nullptr;
            lockstep::check(cudaMallocManaged(&words, n * sizeof(int)));
            for (unsigned i = 0; i < n; ++i) words[i] = static_cast<int>(i % 1009);
            for (std::vector<double>* pass : {ms[0], ms[1]}) {
                float elapsed_ms = 0;
                lockstep::check(cudaEventRecord(begin));
                add_one<<<1056, 256>>>(n, words, order(how));
                lockstep::check(cudaGetLastError());
                lockstep::check(cudaEventRecord(end));
                lockstep::check(cudaEventSynchronize(end));
                lockstep::check(cudaEventElapsedTime(&elapsed_ms, begin, end));
                if (round >= 0) pass[how].push_back(elapsed_ms);
            }
            if (round == rounds - 1)
                for (unsigned i = 0; i < n; ++i)
                    right = right && words[i] == static_cast<int>(i % 1009) + 2;
            lockstep::check(cudaFree(words));
        }
    lockstep::report("array", mib, "MiB");
    for (int pass = 0; pass < 2; ++pass)
        for (int how = 0; how < orders; ++how)
            lockstep::report(
                labels[pass][how],
                lockstep::measured{lockstep::summarize(ms[pass][how]).median_ms}, "ms");
    lockstep::report("values right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
