// Two processes launch kernels of eight blocks at the same time. Do blocks of both run
// at the same moment? The first block of each kernel stamps when it ran, and its
// longest pause. Without the Multi-Process Service (MPS) the processes take turns; as
// its clients they run together.

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/require_device.hpp>

constexpr int kernels = 24, blocks = 8;
constexpr unsigned long long work_ns = 250'000, pause_ns = 20'000;

/// When a block ran, in nanoseconds of the GPU's clock.
struct span {
    unsigned long long begin;  ///< of the block
    unsigned long long pause;  ///< where its longest pause begins
    unsigned long long resume;  ///< and where that ends
    unsigned long long end;  ///< of the block
};

/// What a process answers.
struct finding {
    span spans[kernels];  ///< of the first block of each kernel
    int client;  ///< whether the process is a client of the service
};

// [kernel]
/// Each block works for 250 us. A step longer than 20 us is a pause, and no work.
/// @param first  one span in device memory, written by the first block
__global__ void work(span* first) {
    const unsigned long long begin = lockstep::now_ns();
    span mine{begin, begin, begin, begin};
    for (unsigned long long worked = 0; worked < work_ns;) {
        const unsigned long long now = lockstep::now_ns();
        const unsigned long long step = now - mine.end;
        if (step > mine.resume - mine.pause) {
            mine.pause = mine.end;
            mine.resume = now;
        }
        if (step < pause_ns) worked += step;
        mine.end = now;
    }
    if (blockIdx.x == 0) *first = mine;
}
// [/kernel]

// [process]
/// One of the two processes: launches its kernels when the parent says so.
int launch_all(const lockstep::partner& parent) {
    lockstep::device_buffer<span> d_spans(kernels);
    lockstep::load_kernels(work);
    finding found{};
    lockstep::check(cudaDeviceGetAttribute(&found.client, cudaDevAttrMpsEnabled, 0));
    parent.send(0);  // ready
    parent.receive<int>();  // go
    for (int kernel = 0; kernel < kernels; ++kernel)
        work<<<blocks, 1>>>(d_spans.data() + kernel);
    lockstep::check(cudaGetLastError());
    const std::vector<span> spans = d_spans.to_host();  // waits for all of them
    std::copy(spans.begin(), spans.end(), found.spans);
    parent.send(found);
    return EXIT_SUCCESS;
}
// [/process]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();
    if (socket >= 0) return launch_all(lockstep::partner(socket));

    lockstep::partner partners[] = {lockstep::partner(argv[0]),
                                    lockstep::partner(argv[0])};
    for (const auto& one : partners) one.receive<int>();  // ready
    for (const auto& one : partners) one.send(0);  // go
    const finding found[] = {partners[0].receive<finding>(),
                             partners[1].receive<finding>()};

    using piece = std::pair<unsigned long long, unsigned long long>;
    std::vector<piece> pieces[2];  // two for each kernel: before and after its pause
    unsigned long long begin = ~0ull, end = 0;
    double each = 0, both = 0;
    for (int process = 0; process < 2; ++process)
        for (const span& s : found[process].spans) {
            pieces[process].push_back({s.begin, s.pause});
            pieces[process].push_back({s.resume, s.end});
            begin = std::min(begin, s.begin);
            end = std::max(end, s.end);
            each += double(s.pause - s.begin) + double(s.end - s.resume);
        }
    for (const piece& a : pieces[0])
        for (const piece& b : pieces[1]) {
            const auto until = std::min(a.second, b.second);
            const auto from = std::max(a.first, b.first);
            if (until > from) both += double(until - from);
        }

    lockstep::csv_file timeline(csv, "row,kind,name,~start_us,~end_us");
    for (int process = 0; process < 2; ++process)
        for (const piece& p : pieces[process])
            timeline.row("process %c,kernel,kernels of %c,%.2f,%.2f", 'A' + process,
                         'A' + process, 1e-3 * double(p.first - begin),
                         1e-3 * double(p.second - begin));
    timeline.finish();
    lockstep::report("clients of the service", found[0].client + found[1].client);
    lockstep::report("work of each process", 1e-6 * work_ns * kernels, "ms");
    lockstep::report("both done after", lockstep::measured{1e-6 * double(end - begin)},
                     "ms");
    lockstep::report("time when both ran",
                     lockstep::measured{100 * both / (each - both)}, "%");
    return each > 1.9 * kernels * work_ns ? EXIT_SUCCESS : EXIT_FAILURE;
}
