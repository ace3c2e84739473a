// How many kernels run at the same time? Each is alone in its stream and has one small
// block, so there is room for many. But the host launches them one after the other: a
// kernel that ends before the next is launched meets none. Only long kernels reach the
// limit of the GPU, and kernels that fill the GPU hardly overlap at all. With several
// kernels in each stream, the number of connections counts, too.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// When a kernel ran, in nanoseconds of the GPU's clock.
struct span {
    unsigned long long begin, end;
};

/// Works for a given time, and notes when.
/// @param ns    how long, in nanoseconds
/// @param when  one span in device memory, written
__global__ void work(unsigned long long ns, span* when) {
    if (threadIdx.x == 0) {
        const unsigned long long begin = lockstep::now_ns();
        lockstep::busy_wait(ns);
        if (blockIdx.x == 0) *when = {begin, lockstep::now_ns()};
    }
    __syncthreads();
}
// [/kernel]

/// The most kernels that ran at the same time.
int most_at_once(const std::vector<span>& spans) {
    std::vector<std::pair<unsigned long long, int>> changes;
    for (const span& one : spans) {
        changes.push_back({one.begin, 1});
        changes.push_back({one.end, -1});  // first, if at the time of a begin
    }
    std::sort(changes.begin(), changes.end());
    int now = 0, most = 0;
    for (const auto& [time, change] : changes) most = std::max(most, now += change);
    return most;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int most_streams = options.integer("streams", 256, 32, 1024);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();
    const std::vector<lockstep::owned_stream> streams(most_streams);
    lockstep::device_buffer<span> d_spans(4 * most_streams);
    lockstep::load_kernels(work);
    int sms = 0, blocks_per_sm = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, work, 1024, 0));

    // [experiment]
    const auto experiment = [&](int stream_count, int kernels_each, int us,
                                int blocks) {
        const int count = stream_count * kernels_each;
        const int threads = blocks > 1 ? 1024 : 32;
        for (int k = 0; k < count; ++k)  // depth first: a stream's kernels together
            work<<<blocks, threads, 0, streams[k / kernels_each]>>>(us * 1000ull,
                                                                    d_spans.data() + k);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
        std::vector<span> spans(count);
        lockstep::check(cudaMemcpy(spans.data(), d_spans.data(), count * sizeof(span),
                                   cudaMemcpyDeviceToHost));
        return most_at_once(spans);
    };
    // [/experiment]
    experiment(32, 1, 1, 1);  // the first launches are slower
    int least = most_streams, most = 0;
    const auto row = [&](const std::string& label, int found) {
        lockstep::report(label.c_str(), lockstep::counted{found});
        least = std::min(least, found);
        most = std::max(most, found);
    };
    for (int us : {2, 20, 200, 2000})
        row(std::to_string(most_streams) + " kernels of " + std::to_string(us) + " us",
            experiment(most_streams, 1, us, 1));
    row("8 kernels that fill the GPU",
        experiment(8, 1, 500, untimed ? 2 : sms * blocks_per_sm));
    row("32 streams with 4 kernels", experiment(32, 4, 2000, 1));
    return untimed || (least <= 8 && most > 64) ? EXIT_SUCCESS : EXIT_FAILURE;
}
