// How do threads wait that do not arrive? In each round one thread stores a value that
// all threads of the block read. It suffices that this thread arrives, and that all
// wait for the parity. Compared: all threads arrive, and wait by token or by parity.
// By the guide, the lanes of a warp arrive with one update, so 1024 arrivals are 32.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 1024;

/// Who arrives, and how all threads wait.
enum class variant { all_by_token, all_by_parity, one_by_parity };

// [kernel]
/// Thread 0 announces a value in each round, and all threads add the values up.
/// @tparam how    who arrives, and how threads wait
/// @param rounds  number of rounds
/// @param sums    one unsigned for each thread in device memory, written
template <variant how>
__global__ void announce(int rounds, unsigned* sums) {
    __shared__ std::uint64_t barrier;
    __shared__ unsigned value;
    const int t = threadIdx.x;
    constexpr int arrivals = how == variant::one_by_parity ? 1 : block_size;
    if (t == 0) cuda::ptx::mbarrier_init(&barrier, arrivals);
    __syncthreads();
    unsigned sum = 0;
    for (int round = 0; round < rounds; ++round) {
        if (t == 0) value = 2 * round + 1;
        std::uint64_t token = 0;
        if (how != variant::one_by_parity || t == 0)
            token = cuda::ptx::mbarrier_arrive(&barrier);
        if (how == variant::all_by_token)
            while (!cuda::ptx::mbarrier_try_wait(&barrier, token)) {
            }
        else
            while (!cuda::ptx::mbarrier_try_wait_parity(&barrier, round % 2)) {
            }
        sum += value;
        __syncthreads();  // all have read the value, and all are in the same phase
    }
    sums[blockIdx.x * block_size + t] = sum;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 5000, 1, 20'000);
    const int blocks = options.integer("blocks", 132, 1, 1000);  // SMs of an H200
    options.finish();
    lockstep::require_device(90);

    lockstep::device_buffer<unsigned> d_sums(std::size_t(blocks) * block_size);
    const std::vector<unsigned> expected(d_sums.size(),
                                         static_cast<unsigned>(rounds * rounds));
    const auto launch = [&](std::size_t kernel) {
        if (kernel == 0)
            announce<variant::all_by_token>
                <<<blocks, block_size>>>(rounds, d_sums.data());
        else if (kernel == 1)
            announce<variant::all_by_parity>
                <<<blocks, block_size>>>(rounds, d_sums.data());
        else
            announce<variant::one_by_parity>
                <<<blocks, block_size>>>(rounds, d_sums.data());
        lockstep::check(cudaGetLastError());
    };
    std::size_t wrong = 0;
    for (const std::size_t kernel : {0, 1, 2}) {
        d_sums.fill_bytes(0xFF);
        launch(kernel);
        wrong += lockstep::count_mismatches(d_sums.to_host(), expected);
    }
    const auto times = lockstep::time_in_turns(3, launch);
    const auto ns = [&](int kernel) {
        return lockstep::measured{1e6 * times[kernel].median_ms / rounds};
    };
    lockstep::report("wrong sums", wrong);
    lockstep::report("all arrive, token", ns(0), "ns a round");
    lockstep::report("all arrive, parity", ns(1), "ns a round");
    lockstep::report("one arrives, parity", ns(2), "ns a round");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
