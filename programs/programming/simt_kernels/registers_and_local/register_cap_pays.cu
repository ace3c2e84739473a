// When is a cap on registers worth its spills? When the kernel waits more than it
// works, and the spilled values are not used where it spends its time. Each thread
// keeps 64 values, follows a chain of loads, each of which needs the result of the one
// before, and only then uses the values. The cap spills them once, and more warps
// follow their chains at the same time.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 256;
constexpr int values = 64;
constexpr unsigned rows = 1u << 17;  // of 32 words: 16 MiB, too large for L1, fits L2

// [kernel]
/// Loads 64 values, follows a chain through a table, then uses the values.
/// @param steps  length of the chain
/// @param table  `rows` rows of 32 words in device memory: in each word the index at
///               which the next row begins
/// @param kept   64 numbers for each thread of a block in device memory
/// @param sums   one number for each thread in device memory, written
__global__ void follow_then_use(int steps, const unsigned* __restrict__ table,
                                const volatile unsigned* kept, unsigned* sums) {
    const unsigned thread = blockIdx.x * block_size + threadIdx.x;
    unsigned value[values];
    // volatile, so that the compiler cannot load them after the chain
#pragma unroll
    for (int i = 0; i < values; ++i) value[i] = kept[i * block_size + threadIdx.x];
    unsigned row = thread / 32 * 32 % (32 * rows);  // one chain for each warp
    for (int step = 0; step < steps; ++step) row = table[row + threadIdx.x % 32];
    unsigned sum = 0;
#pragma unroll
    for (int i = 0; i < values; ++i) sum += value[i] ^ (row + i);
    sums[thread] = sum;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    // 32 for each SM of an H200; any other number is right, too
    const int blocks = options.integer("blocks", 132 * 32, 1, 1 << 14);
    const int steps = options.integer("steps", 200, 1, 10'000);
    options.finish();
    lockstep::require_device();

    std::vector<unsigned> table(32 * rows);
    // an odd factor: the next row is another one, far away
    for (unsigned i = 0; i < 32 * rows; ++i)
        table[i] = (i / 32 * 2'654'435'761u + 12'345u) % rows * 32;
    std::vector<unsigned> kept(values * block_size);
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = static_cast<unsigned>(i);
    const lockstep::device_buffer<unsigned> d_table(table);
    const lockstep::device_buffer<unsigned> d_kept(kept);
    lockstep::device_buffer<unsigned> d_sums(std::size_t(blocks) * block_size);
    d_sums.fill_bytes(0xFF);

    const lockstep::timing time = lockstep::time_on_device([&] {
        follow_then_use<<<blocks, block_size>>>(steps, d_table.data(), d_kept.data(),
                                                d_sums.data());
    });
    std::vector<unsigned> expected(block_size);  // of the first block
    for (unsigned thread = 0; thread < block_size; ++thread) {
        unsigned row = thread / 32 * 32 % (32 * rows);
        for (int step = 0; step < steps; ++step) row = table[row + thread % 32];
        for (int i = 0; i < values; ++i)
            expected[thread] += kept[i * block_size + thread] ^ (row + i);
    }
    std::vector<unsigned> sums = d_sums.to_host();
    sums.resize(block_size);
    const std::size_t wrong = lockstep::count_mismatches(sums, expected);

    cudaFuncAttributes attributes{};
    lockstep::check(cudaFuncGetAttributes(&attributes, follow_then_use));
    int resident = 0;
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, follow_then_use, block_size, 0));
    lockstep::report("registers of a thread", attributes.numRegs);
    lockstep::report("local memory of a thread", attributes.localSizeBytes, "bytes");
    lockstep::report("threads on an SM", resident * block_size);
    lockstep::report("time", lockstep::measured{time.median_ms * 1e3}, "us");
    lockstep::report("wrong sums", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
