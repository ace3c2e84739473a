// Eight blocks of a cluster form a ring: in every round each sends its values to the
// next block. With st.async each buffer has two barriers, one that counts the bytes
// that arrive and one that says that the buffer is free. With ordinary stores the whole
// cluster has to synchronize, twice a round with one buffer and once with two in turn.
// Which ring turns faster? With one buffer that of st.async, with two that of the
// stores.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

constexpr int block_size = 128;
constexpr int ring = 8;  // blocks of a cluster

// [stores]
/// Passes values around the ring with ordinary stores.
/// @tparam buffers  1, or 2 that are used in turn
/// @param rounds    number of rounds
/// @param y         one word for each thread in device memory, written
template <int buffers>
__global__ void __cluster_dims__(ring) by_stores(int rounds, unsigned* y) {
    __shared__ unsigned words[buffers][block_size];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned next = (cluster.block_rank() + 1) % ring;
    unsigned* theirs = cluster.map_shared_rank(words[0], next) + threadIdx.x;
    unsigned value = blockIdx.x * block_size + threadIdx.x;
    cluster.sync();
    for (int round = 0; round < rounds; ++round) {
        const int now = round % buffers;
        theirs[now * block_size] = value;
        cluster.sync();  // all values have arrived
        value = words[now][threadIdx.x] + 1;
        if (buffers == 1) cluster.sync();  // all have read; the next round writes here
    }
    y[blockIdx.x * block_size + threadIdx.x] = value;
}
// [/stores]

// [wait]
/// Waits for the phase with this parity. Gives up after two seconds.
__device__ void wait(std::uint64_t* barrier, int parity) {
    const auto done = [&] {
        return ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                             barrier, parity, 1'000'000);
    };
    if (done()) return;
    const unsigned long long begin = lockstep::now_ns();
    while (!done())
        if (lockstep::now_ns() - begin > 2'000'000'000) __trap();
}
// [/wait]

// [stas]
/// Passes values around the ring with st.async.
/// @tparam buffers  1, or 2 that are used in turn
/// @param rounds    number of rounds
/// @param y         one word for each thread in device memory, written
template <int buffers>
__global__ void __cluster_dims__(ring) by_stas(int rounds, unsigned* y) {
    __shared__ unsigned words[buffers][block_size];
    __shared__ std::uint64_t filled[buffers], ready[buffers];
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned next = (cluster.block_rank() + 1) % ring;
    const unsigned previous = (cluster.block_rank() + ring - 1) % ring;
    if (threadIdx.x == 0) {
        for (int i = 0; i < buffers; ++i) {
            ptx::mbarrier_init(filled + i, 1);  // thread 0, and the bytes
            ptx::mbarrier_init(ready + i, block_size);  // the next block's threads
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();  // all barriers are initialized
    // [/stas]
    // [stas-loop]
    unsigned* theirs = cluster.map_shared_rank(words[0], next) + threadIdx.x;
    std::uint64_t* next_filled = cluster.map_shared_rank(filled, next);
    std::uint64_t* previous_ready = cluster.map_shared_rank(ready, previous);
    unsigned value = blockIdx.x * block_size + threadIdx.x;
    for (int round = 0; round < rounds; ++round) {
        const int now = round % buffers;
        const int use = round / buffers;  // of this buffer
        wait(ready + now, (use + 1) % 2);  // the next block has read the last use
        ptx::st_async(theirs + now * block_size, value, next_filled + now);
        if (threadIdx.x == 0)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                           ptx::space_shared, filled + now,
                                           sizeof words[now]);
        wait(filled + now, use % 2);  // the previous block's values are here
        value = words[now][threadIdx.x] + 1;
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                             previous_ready + now);  // it may send again
    }
    y[blockIdx.x * block_size + threadIdx.x] = value;
    cluster.sync();  // a block must not end while another one signals to it
}
// [/stas-loop]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int clusters = options.integer("clusters", 8, 1, 1000);
    const int rounds = options.integer("rounds", 1000, 1, 100'000);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device(90);

    const int blocks = clusters * ring;
    std::vector<unsigned> expected(blocks * block_size);
    for (int block = 0; block < blocks; ++block) {
        const int rank = block % ring;
        const int from = block - rank + ((rank - rounds) % ring + ring) % ring;
        for (int t = 0; t < block_size; ++t)
            expected[block * block_size + t] = from * block_size + t + rounds;
    }
    lockstep::device_buffer<unsigned> d_y(expected.size());
    struct way {
        const char* name;
        void (*run)(int, unsigned*);
    };
    constexpr way ways[] = {{"stores and cluster.sync()", by_stores<1>},
                            {"stores, two buffers", by_stores<2>},
                            {"st.async and barriers", by_stas<1>},
                            {"st.async, two buffers", by_stas<2>}};
    constexpr std::size_t count = sizeof ways / sizeof *ways;
    const auto launch = [&](std::size_t i) {
        ways[i].run<<<blocks, block_size>>>(rounds, d_y.data());
        lockstep::check(cudaGetLastError());
    };
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
        d_y.fill_bytes(0xFF);
        launch(i);
        wrong += lockstep::count_mismatches(d_y.to_host(), expected);
    }
    lockstep::report("wrong values", wrong);
    if (!untimed) {
        const auto times = lockstep::time_in_turns(count, launch);
        for (std::size_t i = 0; i < count; ++i)
            lockstep::report(ways[i].name,
                             lockstep::measured{1e6 * times[i].median_ms / rounds},
                             "ns a round");
    }
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
