// red.async adds a register to a word in the shared memory of another block, and lets a
// barrier of that block count it. Here four blocks of a cluster sort their values into
// one histogram, of which each holds a quarter. No block asks for a result, so none
// waits for one.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

constexpr int block_size = 256;
constexpr int blocks = 4;  // of a cluster
constexpr int bins = 64;  // of a block
constexpr int values = 2048;  // of a block

// [kernel]
/// Counts values in a histogram that is spread over the cluster.
/// @param x      values bytes for each block in device memory; the upper two bits name
///               a block of the cluster, the lower six a bin
/// @param sent   number of values that go to each block of each cluster, in device
///               memory
/// @param y      bins words for each block in device memory, written
__global__ void __cluster_dims__(blocks)
    histogram(const unsigned char* x, const unsigned* sent, unsigned* y) {
    __shared__ std::uint32_t counts[bins];
    __shared__ std::uint64_t arrived;
    const cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < bins) counts[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();  // counts are zero, barriers are initialized
    if (threadIdx.x == 0)
        ptx::mbarrier_arrive_expect_tx(
            ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived,
            sent[blockIdx.x] * std::uint32_t(sizeof(std::uint32_t)));
    const std::uint32_t one = 1;
    for (int i = threadIdx.x; i < values; i += block_size) {
        const int value = x[blockIdx.x * values + i];
        const unsigned owner = value / bins;
        ptx::red_async(ptx::op_add,
                       cluster.map_shared_rank(counts, owner) + value % bins, one,
                       cluster.map_shared_rank(&arrived, owner));
    }
    const long long begin = clock64();
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                          &arrived, 0))
        if (clock64() - begin > 2'000'000'000) __trap();  // cycles: about a second
    if (threadIdx.x < bins) y[blockIdx.x * bins + threadIdx.x] = counts[threadIdx.x];
    cluster.sync();  // a block must not end while another one adds to its counts
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int clusters = options.integer("clusters", 100, 1, 1000);
    options.finish();
    lockstep::require_device(90);

    std::vector<unsigned char> x(std::size_t(clusters) * blocks * values);
    std::vector<unsigned> sent(clusters * blocks), expected(clusters * blocks * bins);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<unsigned char>(i * i / 7 % 251);
        const std::size_t owner = i / (blocks * values) * blocks + x[i] / bins;
        ++sent[owner];
        ++expected[owner * bins + x[i] % bins];
    }
    const lockstep::device_buffer<unsigned char> d_x(x);
    const lockstep::device_buffer<unsigned> d_sent(sent);
    lockstep::device_buffer<unsigned> d_y(expected.size());
    d_y.fill_bytes(0xFF);
    histogram<<<clusters * blocks, block_size>>>(d_x.data(), d_sent.data(), d_y.data());
    lockstep::check(cudaGetLastError());
    const std::size_t wrong = lockstep::count_mismatches(d_y.to_host(), expected);
    lockstep::report("values counted", x.size());
    lockstep::report("bins", expected.size());
    lockstep::report("wrong bins", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
