// Each block has an array of counts in shared memory, and their sum belongs in global
// memory. With atomicAdd, each thread adds one count at a time; a bulk reduction adds
// the whole array by one instruction. Which takes less time? Both add the same counts;
// what a bulk reduction saves are the instructions of the threads.

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

namespace ptx = cuda::ptx;

constexpr int block_size = 256;
constexpr int bins = 4096;
enum variant { atomics, bulk };

/// A count of a block: 0 to 6.
__host__ __device__ unsigned count_of(int block, int bin) {
    return static_cast<unsigned>((block * 3 + bin) % 7);
}

// [kernel]
/// Adds the counts of all blocks.
/// @tparam how  a block adds its counts
/// @param sums  bins words in device memory, 16-byte aligned, added to
template <variant how>
__global__ void add_counts(unsigned* sums) {
    __shared__ alignas(128) unsigned counts[bins];
    for (int i = threadIdx.x; i < bins; i += block_size)
        counts[i] = count_of(blockIdx.x, i);
    if (how == atomics) {
        for (int i = threadIdx.x; i < bins; i += block_size)
            atomicAdd(&sums[i], counts[i]);
    } else {
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            constexpr std::uint32_t bytes = sizeof counts;
            ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add,
                                      sums, counts, bytes);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
    }
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 10'560, 1, 100'000);  // 80 x 132 SMs
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device(90);

    std::vector<unsigned> expected(bins);
    for (int i = 0; i < bins; ++i)
        for (int block = 0; block < blocks; ++block) expected[i] += count_of(block, i);
    lockstep::device_buffer<unsigned> d_sums(bins);
    const auto launch = [&](std::size_t how) {
        if (how == atomics)
            add_counts<atomics><<<blocks, block_size>>>(d_sums.data());
        else
            add_counts<bulk><<<blocks, block_size>>>(d_sums.data());
        lockstep::check(cudaGetLastError());
    };
    std::size_t wrong = 0;
    for (const variant how : {atomics, bulk}) {
        d_sums.fill_bytes(0);
        launch(how);
        wrong += lockstep::count_mismatches(d_sums.to_host(), expected);
    }
    lockstep::report("wrong sums", wrong);
    if (!untimed) {
        const auto times = lockstep::time_in_turns(2, launch);
        lockstep::report("atomicAdd", lockstep::measured{1e3 * times[0].median_ms},
                         "us");
        lockstep::report("bulk reduction", lockstep::measured{1e3 * times[1].median_ms},
                         "us");
    }
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
