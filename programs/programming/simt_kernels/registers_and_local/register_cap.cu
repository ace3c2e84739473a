// Is it good to cap the registers of a kernel? It is a trade. With fewer registers for
// each thread more blocks fit on an SM, but values that find no register are spilled to
// local memory. This kernel keeps many values alive; compile it with and without a cap.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 256;
constexpr int values = 48;

// [kernel]
/// Mixes 48 values of each thread.
/// @param rounds  how often
/// @param data    48 numbers for each thread in device memory, changed in place
__global__ void mix(int rounds, unsigned* data) {
    unsigned* mine = data + std::size_t(blockIdx.x) * block_size * values + threadIdx.x;
    unsigned value[values];
#pragma unroll
    for (int i = 0; i < values; ++i) value[i] = mine[i * block_size];
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < values; ++i)
            value[i] = (value[i] ^ value[(i + 7) % values]) * 2654435761u + round;
    }
#pragma unroll
    for (int i = 0; i < values; ++i) mine[i * block_size] = value[i];
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    // 32 for each SM of an H200; any other number is right, too
    const int blocks = options.integer("blocks", 132 * 32, 1, 1 << 16);
    options.finish();
    lockstep::require_device();

    constexpr int rounds = 16;
    const std::size_t n = std::size_t(blocks) * block_size * values;
    std::vector<unsigned> data(n);
    for (std::size_t i = 0; i < n; ++i) data[i] = static_cast<unsigned>(i);
    lockstep::device_buffer<unsigned> d_data(data);
    mix<<<blocks, block_size>>>(rounds, d_data.data());
    lockstep::check(cudaGetLastError());
    const std::vector<unsigned> found = d_data.to_host();
    std::size_t wrong = 0;
    for (int thread = 0; thread < block_size; ++thread) {  // the first block
        unsigned value[values];
        for (int i = 0; i < values; ++i)
            value[i] = static_cast<unsigned>(i * block_size + thread);
        for (int round = 0; round < rounds; ++round)
            for (int i = 0; i < values; ++i)
                value[i] = (value[i] ^ value[(i + 7) % values]) * 2654435761u + round;
        for (int i = 0; i < values; ++i)
            wrong += found[i * block_size + thread] != value[i];
    }

    // [needs]
    cudaFuncAttributes attributes{};
    lockstep::check(cudaFuncGetAttributes(&attributes, mix));
    int resident = 0;
    lockstep::check(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, mix, block_size, 0));
    const lockstep::timing time = lockstep::time_on_device(
        [&] { mix<<<blocks, block_size>>>(rounds, d_data.data()); });
    // [/needs]
    lockstep::report("registers of a thread", attributes.numRegs);
    lockstep::report("local memory of a thread", attributes.localSizeBytes, "bytes");
    lockstep::report("blocks on an SM", resident);
    lockstep::report("threads on an SM", resident * block_size);
    lockstep::report("time", lockstep::measured{time.median_ms * 1e3}, "us");
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
