// What does a round of a barrier cost in blocks of 128, 256 and 1024 threads? Thread 0
// announces a value that all threads read. All threads arrive and wait by token or by
// parity, or thread 0 alone arrives and all wait by parity. In each variant, and
// with __syncthreads() in place of the barrier, one more __syncthreads() ends the
// round.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>
#include <lockstep/warp_span.hpp>

/// Who arrives, and how all threads wait.
enum class variant { block_sync, all_by_token, all_by_parity, one_by_parity };

// [kernel]
/// Thread 0 announces a value in each round, and all threads of the only block add the
/// values up.
/// @tparam how    who arrives, and how threads wait
/// @param rounds  number of rounds
/// @param sums    one unsigned for each thread in device memory, written
/// @param spans   one for each warp in device memory, written
template <variant how>
__global__ void announce_alone(int rounds, unsigned* sums, lockstep::warp_span* spans) {
    __shared__ std::uint64_t barrier;
    __shared__ unsigned value;
    const int t = threadIdx.x;
    if (t == 0)
        cuda::ptx::mbarrier_init(&barrier,
                                 how == variant::one_by_parity ? 1 : blockDim.x);
    __syncthreads();
    unsigned sum = 0;
    const long long begin = clock64();
    for (int round = 0; round < rounds; ++round) {
        if (t == 0) value = 2 * round + 1;
        if constexpr (how == variant::block_sync) {
            __syncthreads();
        } else {
            std::uint64_t token = 0;
            if (how != variant::one_by_parity || t == 0)
                token = cuda::ptx::mbarrier_arrive(&barrier);
            if (how == variant::all_by_token)
                while (!cuda::ptx::mbarrier_try_wait(&barrier, token)) {
                }
            else
                while (!cuda::ptx::mbarrier_try_wait_parity(&barrier, round % 2)) {
                }
        }
        sum += value;
        __syncthreads();  // all have read the value, and all are in the same phase
    }
    lockstep::note_span(spans, begin, clock64());
    sums[t] = sum;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 2000, 1, 20'000);
    const int runs = options.integer("runs", 21, 1, 1000);
    options.finish();
    lockstep::require_device(90);

    using kernel = void (*)(int, unsigned*, lockstep::warp_span*);
    const struct {
        const char* name;
        kernel launched;
    } variants[] = {{"__syncthreads()", announce_alone<variant::block_sync>},
                    {"all arrive, token", announce_alone<variant::all_by_token>},
                    {"all arrive, parity", announce_alone<variant::all_by_parity>},
                    {"one arrives, parity", announce_alone<variant::one_by_parity>}};
    std::size_t wrong = 0;
    std::printf("cycles a round        128 threads   256 threads  1024 threads\n");
    for (const auto& one : variants) {
        std::printf("%-19s", one.name);
        for (const int block_size : {128, 256, 1024}) {
            lockstep::device_buffer<unsigned> d_sums(block_size);
            lockstep::device_buffer<lockstep::warp_span> d_spans(block_size / 32);
            const std::vector<unsigned> expected(
                block_size, static_cast<unsigned>(rounds) * rounds);
            std::vector<double> cycles;
            for (int run = -1; run < runs; ++run) {  // the first one warms up
                d_sums.fill_bytes(0xFF);
                one.launched<<<1, block_size>>>(rounds, d_sums.data(), d_spans.data());
                lockstep::check(cudaGetLastError());
                wrong += lockstep::count_mismatches(d_sums.to_host(), expected);
                if (run >= 0)
                    cycles.push_back(double(lockstep::cycles_of(d_spans.to_host())) /
                                     rounds);
            }
            char text[24];
            std::snprintf(text, sizeof text, "~%.1f",
                          lockstep::summarize(cycles).median_ms);
            std::printf("%14s", text);
        }
        std::printf("\n");
    }
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
