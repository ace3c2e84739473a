// Five patterns in which a warp can read 32 words. Older GPUs fetched whole cache lines
// of 128 bytes; GPUs since Volta fetch sectors of 32 bytes. How much of what is fetched
// is used, counted in lines and counted in sectors?

#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

enum pattern { aligned, permuted, shifted, same, scattered };

// [patterns]
/// The word that a lane reads.
/// @param which  one of the patterns
/// @param lane   0 to 31
__host__ __device__ int word(pattern which, int lane) {
    switch (which) {
        case aligned: return 64 + lane;
        case permuted: return 64 + (lane * 5 + 3) % 32;
        case shifted: return 64 + lane - 2;
        case same: return 64;
        default: return 64 + 97 * lane;
    }
}
// [/patterns]

/// One warp reads.
/// @param in   4096 ints in device memory
/// @param out  32 ints in device memory, written
template <pattern which>
__global__ void read_words(const int* in, int* out) {
    out[threadIdx.x] = in[word(which, threadIdx.x)];
}

int main() {
    lockstep::require_device();

    std::vector<int> in(4096);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 3);
    lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(32);
    const struct {
        const char* name;
        pattern which;
        void (*kernel)(const int*, int*);
    } cases[] = {{"consecutive words", aligned, read_words<aligned>},
                 {"the same, permuted", permuted, read_words<permuted>},
                 {"shifted by two words", shifted, read_words<shifted>},
                 {"all the same word", same, read_words<same>},
                 {"scattered", scattered, read_words<scattered>}};
    bool right = true;
    std::printf("%-24s%8s%15s%10s%17s\n", "", "lines", "used of lines", "sectors",
                "used of sectors");
    for (const auto& [name, which, kernel] : cases) {
        d_out.fill_bytes(0xFF);
        kernel<<<1, 32>>>(d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        std::vector<int> expected;
        std::set<int> words;
        std::set<int> sectors;
        std::set<int> lines;
        for (int lane = 0; lane < 32; ++lane) {
            const int i = word(which, lane);
            expected.push_back(in[i]);
            words.insert(i);
            sectors.insert(i / 8);
            lines.insert(i / 32);
        }
        right = right && lockstep::count_mismatches(d_out.to_host(), expected) == 0;
        std::printf("%-24s%8zu%13.1f %%%10zu%15.1f %%\n", name, lines.size(),
                    100.0 * words.size() / (32 * lines.size()), sectors.size(),
                    100.0 * words.size() / (8 * sectors.size()));
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
