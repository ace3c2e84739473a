// What does CUDA_MPS_ACTIVE_THREAD_PERCENTAGE limit? For each percentage a client of
// the Multi-Process Service reports its number of SMs, counts the SMs that its blocks
// ran on, and times a kernel of arithmetic and one that reads memory.

#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/mps.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/timer.hpp>

#include "arithmetic.hpp"

constexpr int sm_numbers = 1024, words = 1 << 27;  // 512 MiB

/// What a client answers.
struct finding {
    int reported;       ///< number of SMs, as the runtime says
    int seen;           ///< number of SMs on which blocks ran
    double compute_ms;  ///< time of the kernel of arithmetic
    double read_ms;     ///< time of the kernel that reads
};

// [mark]
/// Marks the SM of each block, which lasts long enough for the others to find one each.
/// @param marks  one int for each possible number of an SM in device memory, 1 is
/// stored
__global__ void mark(int* marks) {
    unsigned sm = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    if (sm < sm_numbers) marks[sm] = 1;
    lockstep::busy_wait(20'000);
}
// [/mark]

/// Reads all words.
/// @param n      number of words
/// @param x      n words in device memory
/// @param found  an int in device memory, written if a word is not 0, which none is
__global__ void read_all(int n, const int* x, int* found) {
    int any = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        any |= x[i];
    if (any) *found = 1;
}

/// A client.
int measure(const lockstep::partner& parent) {
    finding found{};
    lockstep::check(
        cudaDeviceGetAttribute(&found.reported, cudaDevAttrMultiProcessorCount, 0));
    lockstep::device_buffer<int> marks(std::vector<int>(sm_numbers, 0));
    mark<<<32 * 132, 128>>>(marks.data());
    lockstep::check(cudaGetLastError());
    for (const int marked : marks.to_host()) found.seen += marked;

    lockstep::device_buffer<float> d_result(1);
    lockstep::device_buffer<int> d_x(words), d_found(1);
    d_x.fill_bytes(0);
    const auto times = lockstep::time_in_turns(2, [&](std::size_t kernel) {
        if (kernel == 0)
            mps::compute<<<mps::compute_blocks, mps::compute_threads>>>(
                1000, d_result.data());
        else
            read_all<<<8448, 256>>>(words, d_x.data(), d_found.data());
    });
    found.compute_ms = times[0].median_ms;
    found.read_ms = times[1].median_ms;
    parent.send(found);
    return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    const char* csv = options.text("csv");
    options.finish();
    if (socket >= 0) return measure(lockstep::partner(socket));
    lockstep::require_mps();

    lockstep::csv_file table(csv, "percentage,kernel,reported,~seen,~ms");
    int before = 0;
    bool right = true;
    for (const int percentage : {5, 10, 20, 25, 33, 40, 50, 60, 66, 75, 80, 90, 100}) {
        const std::string text = std::to_string(percentage);
        const lockstep::inherited share("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
                                        text.c_str());
        const auto found = lockstep::partner(argv[0]).receive<finding>();
        table.row("%d,arithmetic,%d,%d,%.4f", percentage, found.reported, found.seen,
                  found.compute_ms);
        table.row("%d,reading,%d,%d,%.4f", percentage, found.reported, found.seen,
                  found.read_ms);
        lockstep::report((text + " %, SMs reported").c_str(), found.reported);
        if (percentage == 10 || percentage == 50 || percentage == 100) {
            lockstep::report((text + " %, SMs seen").c_str(),
                             lockstep::counted{found.seen});
            lockstep::report((text + " %, arithmetic").c_str(),
                             lockstep::measured{found.compute_ms}, "ms");
            lockstep::report((text + " %, reading").c_str(),
                             lockstep::measured{found.read_ms}, "ms");
        }
        right = right && found.reported >= before && found.seen > 0;
        before = found.reported;
    }
    table.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
