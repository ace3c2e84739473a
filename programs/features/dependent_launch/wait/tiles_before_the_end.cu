// Can a secondary use results before the primary has ended? Yes, if each tile has a
// flag of its own: the primary releases it after the tile, the secondary acquires it
// before. It still waits for the primary's end before it ends itself.

#include <cstdlib>
#include <vector>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// What the secondary saw.
struct findings {
    unsigned long long first_begin;  ///< when the primary's first block began, in ns
    unsigned long long first_end;  ///< when its last block had stored its tile
    unsigned long long second_read;  ///< when the secondary read its first tile
    unsigned long long second_end;  ///< when the secondary's last block ended
    int gave_up;  ///< blocks that saw no flag for 0.2 s
};

/// A flag of a tile: the number of the round that wrote the tile.
using tile_flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

// [primary]
/// The primary: block b finishes its tile after (b % 8 + 1) * 5 us.
/// @param round  number of the round
/// @param tiles  one tile of blockDim.x ints for each block in device memory, written
/// @param flags  one flag for each block in device memory, set to `round`
/// @param seen   in device memory
__global__ void primary(int round, int* tiles, int* flags, findings* seen) {
    if (threadIdx.x == 0) atomicMin(&seen->first_begin, lockstep::now_ns());
    cudaTriggerProgrammaticLaunchCompletion();
    lockstep::busy_wait((blockIdx.x % 8 + 1) * 5'000);
    tiles[blockIdx.x * blockDim.x + threadIdx.x] = round;
    __syncthreads();  // the flag stands for the stores of all threads
    if (threadIdx.x == 0) {
        tile_flag(flags[blockIdx.x]).store(round, cuda::memory_order_release);
        atomicMax(&seen->first_end, lockstep::now_ns());
    }
}
// [/primary]

// [secondary]
/// The secondary: each block works on eight tiles, for 5 us on each, in the order in
/// which the primary finishes them.
/// @param by_flag  whether it waits for each tile's flag, or for the primary
/// @param round    number of the round
/// @param tiles    the primary's tiles
/// @param flags    their flags
/// @param sums     one int for each element in device memory, increased by it
/// @param seen     in device memory
__global__ void secondary(bool by_flag, int round, const int* tiles, int* flags,
                          int* sums, findings* seen) {
    if (!by_flag) cudaGridDependencySynchronize();
    for (int tile = blockIdx.x * 8; tile < static_cast<int>(blockIdx.x + 1) * 8;
         ++tile) {
        if (by_flag && threadIdx.x == 0) {
            const unsigned long long begin = lockstep::now_ns();
            while (tile_flag(flags[tile]).load(cuda::memory_order_acquire) != round) {
                if (lockstep::now_ns() - begin > 200'000'000) {
                    atomicAdd(&seen->gave_up, 1);
                    break;
                }
            }
        }
        __syncthreads();  // thread 0 acquired for all threads of the block
        if (threadIdx.x == 0) atomicMin(&seen->second_read, lockstep::now_ns());
        const int i = tile * blockDim.x + threadIdx.x;
        sums[i] += tiles[i];
        lockstep::busy_wait(5'000);
    }
    cudaGridDependencySynchronize();  // the next kernel may rely on the primary's end
    if (threadIdx.x == 0) atomicMax(&seen->second_end, lockstep::now_ns());
}
// [/secondary]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 21, 1, 1000);
    options.finish();
    lockstep::require_device(90);

    constexpr int blocks = 64;
    constexpr int block_size = 128;
    constexpr int n = blocks * block_size;
    const lockstep::owned_stream stream;
    bool right = true;
    const auto run = [&](const char* read_label, const char* both_label, bool by_flag) {
        const std::vector<int> zeros(n, 0);
        lockstep::device_buffer<int> tiles(zeros);
        lockstep::device_buffer<int> sums(zeros);
        lockstep::device_buffer<int> flags(std::vector<int>(blocks, 0));
        lockstep::device_buffer<findings> seen(1);
        std::vector<double> reads;
        std::vector<double> ends;
        int expected = 0;
        for (int round = 1; round <= rounds; ++round) {
            const findings none{~0ULL, 0, ~0ULL, 0, 0};
            lockstep::check(
                cudaMemcpy(seen.data(), &none, sizeof none, cudaMemcpyHostToDevice));
            lockstep::check(cudaDeviceSynchronize());
            cudaLaunchAttribute early{};
            early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            early.val.programmaticStreamSerializationAllowed = 1;
            cudaLaunchConfig_t config{};
            config.gridDim = dim3(blocks / 8);
            config.blockDim = dim3(block_size);
            config.stream = stream;
            config.attrs = &early;
            config.numAttrs = 1;
            primary<<<blocks, block_size, 0, stream>>>(round, tiles.data(),
                                                       flags.data(), seen.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaLaunchKernelEx(&config, secondary, by_flag, round,
                                               tiles.data(), flags.data(), sums.data(),
                                               seen.data()));
            lockstep::check(cudaStreamSynchronize(stream));
            expected += round;
            const findings now = seen.to_host()[0];
            right = right && now.gave_up == 0;
            reads.push_back(1e-3 * (now.second_read - now.first_begin));
            ends.push_back(1e-3 * (now.second_end - now.first_begin));
        }
        for (const int sum : sums.to_host()) right = right && sum == expected;
        lockstep::report(
            read_label, lockstep::measured{lockstep::summarize(reads).median_ms}, "us");
        lockstep::report(both_label,
                         lockstep::measured{lockstep::summarize(ends).median_ms}, "us");
    };
    run("wait: first tile read", "wait: both kernels", false);
    run("flags: first tile read", "flags: both kernels", true);
    lockstep::report("results right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
