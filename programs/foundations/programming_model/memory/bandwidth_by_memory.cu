// How many bytes a second does each memory deliver to all SMs together? All SMs read:
// their own shared memory, lines that fit their L1 cache, an array that fits the L2
// cache, one that only device memory holds, and one that stays in host memory. Each
// memory farther away is shared by more, holds more, and delivers less.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 1024;
constexpr int words = 2 * block_size;  // of 16 bytes: 32 KiB for each block

/// Sum of the parts of a word.
__device__ unsigned total(uint4 word) { return word.x + word.y + word.z + word.w; }

/// Reads 32 KiB again and again, each thread two words a round.
/// @param rounds  how often
/// @param near    32 KiB in shared or device memory
__device__ unsigned read_again(int rounds, const uint4* near) {
    unsigned sum = 0;
#pragma unroll 4
    for (int round = 0; round < rounds; ++round) {
        // other words each round, so that the compiler cannot keep them in registers
        const int place = (threadIdx.x + round * 32) % words;
        sum += total(near[place]) + total(near[(place + block_size) % words]);
    }
    return sum;
}

// [near]
/// Each block reads its 32 KiB of an array through the L1 cache.
/// @param rounds  how often
/// @param data    32 KiB for each block in device memory
/// @param sums    one for each thread in device memory, written
__global__ void read_l1(int rounds, const uint4* data, unsigned* sums) {
    sums[blockIdx.x * block_size + threadIdx.x] =
        read_again(rounds, data + std::size_t(blockIdx.x) * words);
}

/// Each block copies its 32 KiB to shared memory, and reads them there.
/// @param rounds  how often
/// @param data    32 KiB for each block in device memory
/// @param sums    one for each thread in device memory, written
__global__ void read_shared(int rounds, const uint4* data, unsigned* sums) {
    __shared__ uint4 tile[words];
    for (int i = threadIdx.x; i < words; i += block_size)
        tile[i] = data[std::size_t(blockIdx.x) * words + i];
    __syncthreads();
    sums[blockIdx.x * block_size + threadIdx.x] = read_again(rounds, tile);
}
// [/near]

// [far]
/// All blocks together sweep over one array, past the L1 cache.
/// @param sweeps  how often
/// @param n       number of words, a multiple of 4 * 1024
/// @param data    n words that the GPU can read
/// @param sums    one for each thread in device memory, written
__global__ void read_far(int sweeps, std::size_t n, const uint4* data, unsigned* sums) {
    constexpr int loads = 4;
    unsigned sum = 0;
    for (int round = 0; round < sweeps; ++round)
        for (std::size_t i = std::size_t(blockIdx.x) * block_size * loads + threadIdx.x;
             i < n; i += std::size_t(gridDim.x) * block_size * loads) {
            uint4 word[loads];
#pragma unroll
            for (int load = 0; load < loads; ++load)
                word[load] = __ldcg(data + i + load * block_size);
#pragma unroll
            for (int load = 0; load < loads; ++load) sum += total(word[load]);
        }
    sums[blockIdx.x * block_size + threadIdx.x] = sum;
}
// [/far]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mib = options.integer("mib", 1024, 16, 4096);
    const int rounds = options.integer("rounds", 8192, 1, 65'536);
    // checks values only, where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const std::size_t mebi = 1 << 20;
    const std::size_t host_bytes = mib / 4 * mebi;
    const std::vector<uint4> ones(mib * mebi / sizeof(uint4), uint4{1, 1, 1, 1});
    const lockstep::device_buffer<uint4> d_data(ones);
    uint4* mapped = nullptr;
    lockstep::check(cudaMallocHost(&mapped, host_bytes));
    std::copy_n(ones.begin(), host_bytes / sizeof(uint4), mapped);
    lockstep::device_buffer<unsigned> d_sums(std::size_t(2) * sms * block_size);
    bool right = true;
    // GB/s of a kernel that reads so many bytes, and so many ones in words of 4 bytes
    const auto rate = [&](double bytes, auto&& launch) {
        d_sums.fill_bytes(0);
        const lockstep::timing time = lockstep::time_on_device(launch, 10);
        const std::vector<unsigned> sums = d_sums.to_host();
        const std::uint64_t read =
            std::accumulate(sums.begin(), sums.end(), std::uint64_t(0));
        right = right && static_cast<double>(read) * 4 == bytes;
        return time.per_second(bytes) * 1e-9;
    };
    // [rates]
    const double near_bytes = 32.0 * 1024 * rounds * sms;
    const double shared = rate(near_bytes, [&] {
        read_shared<<<sms, block_size>>>(rounds, d_data.data(), d_sums.data());
    });
    const double l1 = rate(near_bytes, [&] {
        read_l1<<<sms, block_size>>>(rounds, d_data.data(), d_sums.data());
    });
    const auto far = [&](const uint4* data, std::size_t bytes, int sweeps) {
        return rate(static_cast<double>(bytes) * sweeps, [=, &d_sums] {
            read_far<<<2 * sms, block_size>>>(sweeps, bytes / sizeof *data, data,
                                              d_sums.data());
        });
    };
    const double l2 = far(d_data.data(), 16 * mebi, mib / 4);
    const double device = far(d_data.data(), mib * mebi, 4);
    const double host = far(mapped, host_bytes, 1);
    // [/rates]
    lockstep::check(cudaFreeHost(mapped));
    lockstep::report("shared memory, all SMs", lockstep::measured{shared}, "GB/s");
    lockstep::report("L1 cache, all SMs", lockstep::measured{l1}, "GB/s");
    lockstep::report("L2 cache", lockstep::measured{l2}, "GB/s");
    lockstep::report("device memory", lockstep::measured{device}, "GB/s");
    lockstep::report("mapped host memory", lockstep::measured{host}, "GB/s");
    lockstep::report("all bytes were read", right);
    const bool ordered = shared > l2 && l1 > l2 && l2 > device && device > host;
    return right && (untimed || ordered) ? EXIT_SUCCESS : EXIT_FAILURE;
}
