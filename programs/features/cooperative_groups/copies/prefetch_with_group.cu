// What does the group's memcpy_async gain? Blocks work through chunks of an array: a
// plain copy through registers, an asynchronous copy for which the block waits at once,
// and one that is issued a chunk ahead, so that it runs meanwhile. Only the last hides
// the memory's latency; what that gains becomes a smaller share with more work.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 256;
constexpr int chunk = 4 * block_size;  // words of a chunk
enum copy { through_registers, wait_at_once, chunk_ahead };

/// What is done with a word, in `work` dependent steps.
__host__ __device__ unsigned use(unsigned word, int work) {
    for (int i = 0; i < work; ++i) word = word * 1664525 + (word >> 13);
    return word;
}

/// A thread's share of a chunk that others have copied.
__device__ unsigned share_of(const unsigned* words, int work) {
    unsigned sum = 0;
    for (int i = threadIdx.x; i < chunk; i += block_size)
        sum += use(words[i ^ 1], work);
    return sum;
}

// [kernel]
/// Adds up what is made of all words.
/// @tparam how   the chunks reach shared memory
/// @param chunks  number of chunks of each block
/// @param work   steps that each word takes
/// @param x      chunks * chunk words for each block in device memory, 16-byte aligned
/// @param sums   one word for each thread in device memory, written
template <copy how>
__global__ void add_up(int chunks, int work, const unsigned* x, unsigned* sums) {
    __shared__ alignas(16) unsigned words[2][chunk];
    const cg::thread_block block = cg::this_thread_block();
    x += std::size_t(blockIdx.x) * chunks * chunk;
    const auto fetch = [&](int i) {
        // the type promises an alignment of 16 bytes
        cg::memcpy_async(block, reinterpret_cast<uint4*>(words[i % 2]),
                         reinterpret_cast<const uint4*>(x + i * chunk),
                         chunk * sizeof(unsigned));
    };
    unsigned sum = 0;
    if (how == chunk_ahead) fetch(0);
    for (int i = 0; i < chunks; ++i) {
        if (how == through_registers) {
            for (int j = threadIdx.x; j < chunk; j += block_size)
                words[i % 2][j] = x[i * chunk + j];
            block.sync();
        } else if (how == wait_at_once) {
            fetch(i);
            cg::wait(block);
        } else if (i + 1 < chunks) {
            fetch(i + 1);
            cg::wait_prior<1>(block);  // all copies but the last one
        } else {
            cg::wait(block);
        }
        sum += share_of(words[i % 2], work);
        block.sync();  // the buffer is free again
    }
    sums[blockIdx.x * block_size + threadIdx.x] = sum;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int chunks = options.integer("chunks", 64, 1, 1024);
    const int blocks_per_sm = options.integer("blocks-per-sm", 1, 1, 8);
    const int one = options.integer("work", -1, -1, 1000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(80);

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = one < 0 ? sms * blocks_per_sm : 2;
    std::vector<unsigned> x(std::size_t(blocks) * chunks * chunk);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = unsigned(i) * 2654435761u;
    const lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<unsigned> d_sums(blocks * block_size);

    const char* names[] = {"registers", "wait at once", "a chunk ahead"};
    lockstep::csv_file series(csv, "copy,work,~ns");
    std::printf("time of a chunk, by steps of work for each word\n");
    std::printf("%6s%15s%15s%15s\n", "work", names[0], names[1], names[2]);
    std::size_t wrong = 0;
    for (const int work :
         one < 0 ? std::vector<int>{0, 4, 8, 16, 32, 64, 128} : std::vector<int>{one}) {
        std::vector<unsigned> expected(block_size);  // of block 0
        for (int i = 0; i < chunks * chunk; ++i)
            expected[i % block_size] += use(x[i ^ 1], work);
        const auto launch = [&](std::size_t how) {
            const auto kernel = how == 0   ? add_up<through_registers>
                                : how == 1 ? add_up<wait_at_once>
                                           : add_up<chunk_ahead>;
            kernel<<<blocks, block_size>>>(chunks, work, d_x.data(), d_sums.data());
            lockstep::check(cudaGetLastError());
        };
        std::vector<unsigned> first;
        for (std::size_t how = 0; how < 3; ++how) {
            d_sums.fill_bytes(0xFF);
            launch(how);
            std::vector<unsigned> sums = d_sums.to_host();
            if (how == 0) first = sums;
            wrong += lockstep::count_mismatches(sums, first);
            for (int i = 0; i < block_size; ++i) wrong += sums[i] != expected[i];
        }
        const auto times = lockstep::time_in_turns(3, launch);
        std::printf("%6d", work);
        for (std::size_t how = 0; how < 3; ++how) {
            const double ns = 1e6 * times[how].median_ms / chunks;
            char text[24];
            std::snprintf(text, sizeof text, "~%.0f ns", ns);
            std::printf("%15s", text);
            series.row("\"%s\",%d,%.4g", names[how], work, ns);
        }
        std::printf("\n");
    }
    series.finish();
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
