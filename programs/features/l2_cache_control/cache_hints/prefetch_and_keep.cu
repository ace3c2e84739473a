// Can a kernel bring a table into L2 before it is needed, and keep it there while other
// data passes through? cuda::apply_access_property prefetches the lines of a range as
// normal or persisting ones. Another kernel then reads an array larger than L2, and a
// third one measures how long loads from the table take.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include <cuda/annotated_ptr>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

using property = cuda::access_property;

constexpr int line_words = 32;  // of 4 bytes: a line of 128 bytes
constexpr int block_size = 256;
constexpr int loads = 256;  // of each block, one after the other

// [prefetch]
/// Brings a table into L2; a thread for each line.
/// @param lines  number of lines
/// @param table  lines * line_words words in device memory, aligned to 128 bytes
/// @param how    normal or persisting
template <class Property>
__global__ void prefetch(unsigned lines, const unsigned* table, Property how) {
    const unsigned i = blockIdx.x * block_size + threadIdx.x;
    if (i < lines)
        cuda::apply_access_property(table + std::size_t(i) * line_words,
                                    line_words * sizeof(unsigned), how);
}
// [/prefetch]

/// Reads an array once.
/// @param n     number of uint4s
/// @param x     n uint4s in device memory
/// @param sum   one word in device memory, increased by a sum over the array
__global__ void read_once(std::size_t n, const uint4* x, unsigned* sum) {
    unsigned mine = 0;
    for (std::size_t i = blockIdx.x * std::size_t(block_size) + threadIdx.x; i < n;
         i += std::size_t(gridDim.x) * block_size)
        mine += x[i].x + x[i].y + x[i].z + x[i].w;
    if (mine != 0) atomicAdd(sum, mine);
}

/// The line after a line in the chain; all lines are in one chain.
__host__ __device__ unsigned after(unsigned line, unsigned lines) {
    return (5 * line + 3) % lines;
}

/// Where a block's chain begins.
__host__ __device__ unsigned start(unsigned block, unsigned lines) {
    return block * 9973 % lines;
}

/// Follows the chain through the table; one thread for each block.
/// @param lines   number of lines
/// @param table   in its first word each line holds the number of the next one
/// @param ends    the last line of each block in device memory, written
/// @param cycles  clock cycles of each block in device memory, written
__global__ void follow(unsigned lines, const unsigned* table, unsigned* ends,
                       int* cycles) {
    unsigned at = start(blockIdx.x, lines);
    const long long begin = clock64();
    for (int i = 0; i < loads; ++i) at = table[std::size_t(at) * line_words];
    ends[blockIdx.x] = at;
    cycles[blockIdx.x] = static_cast<int>(clock64() - begin);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int table_mib = options.integer("table-mib", 16, 1, 64);
    const int other_mib = options.integer("other-mib", 256, 1, 4096);
    const int runs = options.integer("runs", 11, 1, 100);
    options.finish();
    lockstep::require_device(80);
    cudaDeviceProp device{};
    lockstep::check(cudaGetDeviceProperties(&device, 0));

    unsigned lines = 1;  // a power of two, so that all lines are in one chain
    while (std::size_t(lines) * 2 * line_words * sizeof(unsigned) <=
           std::size_t(table_mib) << 20)
        lines *= 2;
    const unsigned blocks = device.multiProcessorCount;
    std::vector<unsigned> table(std::size_t(lines) * line_words), expected(blocks);
    for (unsigned i = 0; i < lines; ++i)
        table[std::size_t(i) * line_words] = after(i, lines);
    for (unsigned block = 0; block < blocks; ++block) {
        expected[block] = start(block, lines);
        for (int i = 0; i < loads; ++i) expected[block] = after(expected[block], lines);
    }
    const lockstep::device_buffer<unsigned> d_table(table);
    lockstep::device_buffer<uint4> d_other((std::size_t(other_mib) << 20) /
                                           sizeof(uint4));
    lockstep::device_buffer<unsigned> d_ends(blocks), d_sum(1);
    lockstep::device_buffer<int> d_cycles(blocks);
    d_other.fill_bytes(0);
    d_sum.fill_bytes(0);
    const auto set_aside = [&](std::size_t bytes) {
        if (device.persistingL2CacheMaxSize == 0) return;  // as under MIG
        lockstep::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, bytes));
    };

    bool right = true;
    const auto run = [&](const char* label, auto before) {
        std::vector<int> samples;
        for (int i = 0; i < runs; ++i) {
            lockstep::check(cudaDeviceSynchronize());
            lockstep::check(cudaCtxResetPersistingL2Cache());
            const auto pass = [&] {
                read_once<<<blocks * 4, block_size>>>(d_other.size(), d_other.data(),
                                                      d_sum.data());
                lockstep::check(cudaGetLastError());
            };
            pass();  // drives out what the run before left
            before();
            lockstep::check(cudaGetLastError());
            pass();
            follow<<<blocks, 1>>>(lines, d_table.data(), d_ends.data(),
                                  d_cycles.data());
            lockstep::check(cudaGetLastError());
            right = right && d_ends.to_host() == expected;
            for (const int cycles : d_cycles.to_host()) samples.push_back(cycles);
        }
        const auto middle = samples.begin() + samples.size() / 2;
        std::nth_element(samples.begin(), middle, samples.end());
        lockstep::report(label, lockstep::measured{double(*middle) / loads},
                         "cycles a load");
    };
    // [cases]
    const unsigned grid_size = (lines + block_size - 1) / block_size;
    set_aside(0);
    run("no prefetch", [] {});
    run("prefetched, normal", [&] {
        prefetch<<<grid_size, block_size>>>(lines, d_table.data(), property::normal{});
    });
    run("prefetched, persisting", [&] {
        prefetch<<<grid_size, block_size>>>(lines, d_table.data(),
                                            property::persisting{});
    });
    set_aside(device.persistingL2CacheMaxSize);
    run("persisting, set-aside", [&] {
        prefetch<<<grid_size, block_size>>>(lines, d_table.data(),
                                            property::persisting{});
    });
    // [/cases]
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cudaCtxResetPersistingL2Cache());
    lockstep::report("chains", right ? "right" : "wrong");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
