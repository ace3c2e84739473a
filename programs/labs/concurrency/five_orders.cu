// Which operations of two streams overlap? K1 is a kernel in stream 1, M2 a copy in
// stream 2, and so on; each takes one step of time. A kernel here fills the GPU, so two
// kernels never overlap, and all copies go in one direction. An operation begins when
// the one before it in its stream has ended and the unit that it needs is free.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Keeps all its threads on their SMs for a given time.
/// @param ns  how long, in nanoseconds
__global__ void work(unsigned long long ns) {
    if (threadIdx.x == 0) lockstep::busy_wait(ns);
    __syncthreads();
}
// [/kernel]

/// An order in which operations are issued, and the least number of steps they need.
struct issue_order {
    const char* operations;
    int steps;
};

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t bytes = options.integer<std::size_t>("mib", 64, 1, 1024) << 20;
    const int given_blocks = options.integer("blocks", 0, 0, 10'000);
    const int once = options.integer("once", 0, 0, 5);  // this order alone
    const bool unchecked =
        options.flag("unchecked");  // for a timeline: nothing after it
    options.finish();
    lockstep::require_device();

    int sms = 0, blocks_per_sm = 0;
    constexpr int block_size = 1024;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, work,
                                                                  block_size, 0));
    const int blocks = given_blocks ? given_blocks : sms * blocks_per_sm;
    lockstep::device_buffer<char> d_data(4 * bytes);
    char* data = nullptr;
    lockstep::check(cudaMallocHost(&data, 4 * bytes));
    for (std::size_t i = 0; i < 4 * bytes; ++i) data[i] = static_cast<char>(i % 127);
    const lockstep::owned_stream streams[2];
    lockstep::load_kernels(work);

    // the kernels take as long as a copy
    const auto copy = [&](std::size_t at, cudaStream_t stream) {
        lockstep::check(cudaMemcpyAsync(d_data.data() + at * bytes, data + at * bytes,
                                        bytes, cudaMemcpyHostToDevice, stream));
    };
    const auto four_copies = [&] {
        for (int at = 0; at < 4; ++at) copy(at, streams[0]);
        lockstep::check(cudaStreamSynchronize(streams[0]));
    };
    const double step_ms = once ? 1 : lockstep::time_on_host(four_copies).median_ms / 4;
    const auto step_ns = static_cast<unsigned long long>(step_ms * 1e6);

    // [issue]
    const auto issue = [&](const char* operations) {
        int at = 0;
        for (const char* op = operations; *op; op += op[2] ? 3 : 2) {
            const cudaStream_t stream = streams[op[1] - '1'];
            if (op[0] == 'K') work<<<blocks, block_size, 0, stream>>>(step_ns);
            if (op[0] == 'M') copy(at++, stream);
        }
        lockstep::check(cudaGetLastError());
        for (cudaStream_t stream : streams)
            lockstep::check(cudaStreamSynchronize(stream));
        return at;  // copies made
    };
    // [/issue]

    const issue_order orders[] = {{"K1 M1 K2 M2", 3},
                                  {"K1 K2 M1 M2", 3},
                                  {"K1 M1 M2", 2},
                                  {"K1 M2 M1", 2},
                                  {"K1 M2 M2", 2}};
    const int copied = once ? issue(orders[once - 1].operations) : 4;
    bool plausible = true;
    if (!once) {
        lockstep::report("a copy, and a kernel", lockstep::measured{step_ms}, "ms");
        for (const issue_order& order : orders) {
            const auto time =
                lockstep::time_on_host([&] { issue(order.operations); }, 9);
            const double steps = time.median_ms / step_ms;
            lockstep::report(order.operations, lockstep::measured{steps}, "steps");
            plausible =
                plausible && steps > 0.9 * order.steps && steps < order.steps + 0.7;
        }
    }
    if (unchecked) return EXIT_SUCCESS;
    std::vector<char> back(copied * bytes);
    lockstep::check(
        cudaMemcpy(back.data(), d_data.data(), back.size(), cudaMemcpyDeviceToHost));
    const bool same = std::equal(back.begin(), back.end(), data);
    lockstep::report("copies right", same);
    lockstep::check(cudaFreeHost(data));
    return plausible && same ? EXIT_SUCCESS : EXIT_FAILURE;
}
