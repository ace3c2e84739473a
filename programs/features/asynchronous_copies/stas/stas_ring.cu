// Eight blocks of a cluster form a ring: in every round each sends its values to the
// next block. With st.async two barriers for each block are enough, one that counts the
// bytes that arrive and one that says that the buffer is free. With ordinary stores
// the whole cluster has to synchronize twice a round. Which ring turns faster?

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
/// @param rounds  number of rounds
/// @param y       one word for each thread in device memory, written
__global__ void __cluster_dims__(ring) by_stores(int rounds, unsigned* y) {
    __shared__ unsigned words[block_size];
    const cg::cluster_group cluster = cg::this_cluster();
    unsigned* theirs =
        cluster.map_shared_rank(words, (cluster.block_rank() + 1) % ring);
    unsigned value = blockIdx.x * block_size + threadIdx.x;
    cluster.sync();
    for (int round = 0; round < rounds; ++round) {
        theirs[threadIdx.x] = value;
        cluster.sync();  // all values have arrived
        value = words[threadIdx.x] + 1;
        cluster.sync();  // all buffers are free
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
/// @param rounds  number of rounds
/// @param y       one word for each thread in device memory, written
__global__ void __cluster_dims__(ring) by_stas(int rounds, unsigned* y) {
    __shared__ unsigned words[block_size];
    __shared__ std::uint64_t filled, ready;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned next = (cluster.block_rank() + 1) % ring;
    const unsigned previous = (cluster.block_rank() + ring - 1) % ring;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&filled, 1);  // thread 0, and the bytes
        ptx::mbarrier_init(&ready, block_size);  // the threads of the next block
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();  // all barriers are initialized
    unsigned* theirs = cluster.map_shared_rank(words, next) + threadIdx.x;
    std::uint64_t* next_filled = cluster.map_shared_rank(&filled, next);
    std::uint64_t* previous_ready = cluster.map_shared_rank(&ready, previous);
    unsigned value = blockIdx.x * block_size + threadIdx.x;
    for (int round = 0; round < rounds; ++round) {
        ptx::st_async(theirs, value, next_filled);
        if (threadIdx.x == 0)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                           ptx::space_shared, &filled, sizeof words);
        wait(&filled, round % 2);  // the previous block's values are here
        value = words[threadIdx.x] + 1;
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                             previous_ready);  // it may send again
        wait(&ready, round % 2);  // the next block has read, too
    }
    y[blockIdx.x * block_size + threadIdx.x] = value;
    cluster.sync();  // a block must not end while another one signals to it
}
// [/stas]

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
    const auto launch = [&](std::size_t how) {
        const auto kernel = how == 0 ? by_stores : by_stas;
        kernel<<<blocks, block_size>>>(rounds, d_y.data());
        lockstep::check(cudaGetLastError());
    };
    std::size_t wrong = 0;
    for (const std::size_t how : {0, 1}) {
        d_y.fill_bytes(0xFF);
        launch(how);
        wrong += lockstep::count_mismatches(d_y.to_host(), expected);
    }
    lockstep::report("wrong values", wrong);
    if (!untimed) {
        const auto times = lockstep::time_in_turns(2, launch);
        const auto ns = [&](int i) {
            return lockstep::measured{1e6 * times[i].median_ms / rounds};
        };
        lockstep::report("stores and cluster.sync()", ns(0), "ns a round");
        lockstep::report("st.async and barriers", ns(1), "ns a round");
    }
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
