// How much does each form of cooperative_groups::memcpy_async() copy? The form with one
// size counts bytes, the form with two layouts counts elements and takes the smaller
// one, and cuda::aligned_size_t counts bytes and promises an alignment. wait_prior<N>()
// leaves N copies in flight. Each form works for a block, a tile and a coalesced group.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int n = 64;  // ints of each destination
constexpr int forms = 7;

/// Calls each form with its own part of shared memory.
/// @param from  n ints in device memory
/// @param to    forms * n ints in device memory, written
__global__ void copy_in_forms(const int* from, int* to) {
    __shared__ alignas(16) int words[forms][n];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<32>(block);
    for (unsigned i = block.thread_rank(); i < forms * n; i += block.num_threads())
        words[i / n][i % n] = -1;
    block.sync();
    // [forms]
    cg::memcpy_async(block, words[0], from, 64);  // bytes
    cg::memcpy_async(block, words[1], from, 64 * sizeof(int));  // bytes
    cg::memcpy_async(block, words[2], 64, from, 64);  // elements
    cg::memcpy_async(block, words[3], 64, from, 40);  // elements
    cg::memcpy_async(block, words[4], from, cuda::aligned_size_t<16>(128));
    cg::wait_prior<1>(block);  // all but the last; the block has met
    if (tile.meta_group_rank() == 0)
        cg::memcpy_async(tile, words[5], from, 48 * sizeof(int));
    if (block.thread_rank() < 32) {
        const cg::coalesced_group active = cg::coalesced_threads();
        cg::memcpy_async(active, words[6], from, 16 * sizeof(int));
    }
    cg::wait(block);
    // [/forms]
    for (unsigned i = block.thread_rank(); i < forms * n; i += block.num_threads())
        to[i] = words[i / n][i % n];
}

int main() {
    lockstep::require_device(80);

    std::vector<int> in(n);
    for (int i = 0; i < n; ++i) in[i] = 5 * i;
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(forms * n);
    d_out.fill_bytes(0xEE);
    copy_in_forms<<<1, 64>>>(d_in.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> out = d_out.to_host();

    const struct {
        const char* label;
        int copied;
    } rows[forms] = {{"size 64", 16},
                     {"size 64 * sizeof(int)", 64},
                     {"layouts 64 and 64", 64},
                     {"layouts 64 and 40", 40},
                     {"aligned_size_t<16>(128)", 32},
                     {"tile, size 192", 48},
                     {"coalesced group, size 64", 16}};
    bool right = true;
    for (int form = 0; form < forms; ++form) {
        int copied = 0, kept = 0;
        for (int i = 0; i < n; ++i) {
            copied += out[form * n + i] == in[i];
            kept += out[form * n + i] == -1;
        }
        lockstep::report(rows[form].label, copied, "ints copied");
        right = right && copied == rows[form].copied && copied + kept == n;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
