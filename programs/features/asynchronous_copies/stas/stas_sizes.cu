// st.async sends 4, 8 or 16 bytes from registers to the shared memory of another block
// of the cluster. A barrier of the receiving block counts the bytes.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/ptx>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

constexpr int block_size = 64;

// [kernel]
/// Two blocks exchange their words.
/// @tparam share  words of each thread: 1, 2 or 4
/// @param x       share words for each thread in device memory
/// @param y       as many in device memory, written: those of the other block
template <int share>
__global__ void __cluster_dims__(2) exchange(const int* x, int* y) {
    __shared__ alignas(16) int words[block_size * share];
    __shared__ std::uint64_t arrived;
    const cg::cluster_group cluster = cg::this_cluster();
    const int mine = static_cast<int>(threadIdx.x) * share;
    x += blockIdx.x * block_size * share;
    y += blockIdx.x * block_size * share;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();  // the barriers of both blocks are initialized
    if (threadIdx.x == 0)
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof words);
    const unsigned other = cluster.block_rank() ^ 1;
    int* to = cluster.map_shared_rank(words, other) + mine;
    std::uint64_t* barrier = cluster.map_shared_rank(&arrived, other);
    if constexpr (share == 1) {
        ptx::st_async(to, x[mine], barrier);
    } else {
        int value[share];
        for (int i = 0; i < share; ++i) value[i] = x[mine + i];
        ptx::st_async(to, value, barrier);
    }
    const long long begin = clock64();
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                          &arrived, 0))
        if (clock64() - begin > 2'000'000'000) __trap();  // cycles: about a second
    for (int i = mine; i < mine + share; ++i) y[i] = words[i];
    cluster.sync();  // a block must not end while the other sends to it
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    constexpr int max_words = 2 * block_size * 4;
    std::vector<int> x(max_words);
    for (int i = 0; i < max_words; ++i) x[i] = i * 3;
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_y(max_words);
    std::size_t wrong = 0;
    const auto show = [&](const char* name, auto kernel, int share) {
        const int half = block_size * share;
        std::vector<int> expected(max_words, -1);
        for (int i = 0; i < 2 * half; ++i) expected[i] = x[(i + half) % (2 * half)];
        d_y.fill_bytes(0xFF);
        kernel<<<2, block_size>>>(d_x.data(), d_y.data());
        lockstep::check(cudaGetLastError());
        const std::size_t found = lockstep::count_mismatches(d_y.to_host(), expected);
        lockstep::report(name, found);
        wrong += found;
    };
    show("4 bytes: wrong words", exchange<1>, 1);
    show("8 bytes: wrong words", exchange<2>, 2);
    show("16 bytes: wrong words", exchange<4>, 4);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
