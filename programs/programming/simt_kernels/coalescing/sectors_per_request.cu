// How much memory does one load instruction of a warp fetch? As many 32-byte sectors as
// its 32 lanes touch. The host counts them from the addresses, and the GPU's own
// counters agree. Order within the sectors costs nothing; gaps and bad alignment do.

#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int warp_size = 32;
constexpr int sector_bytes = 32;
constexpr int words = 1024;

// [patterns]
/// Each pattern says which word a lane reads.
struct consecutive {
    __host__ __device__ static int word(int lane) { return lane; }
};
struct backwards {
    __host__ __device__ static int word(int lane) { return 31 - lane; }
};
struct shuffled {
    __host__ __device__ static int word(int lane) { return lane * 5 % 32; }
};
struct one_word_off {
    __host__ __device__ static int word(int lane) { return lane + 1; }
};
struct stride_2 {
    __host__ __device__ static int word(int lane) { return 2 * lane; }
};
struct stride_8 {
    __host__ __device__ static int word(int lane) { return 8 * lane; }
};
struct stride_32 {
    __host__ __device__ static int word(int lane) { return 32 * lane; }
};
struct all_the_same {
    __host__ __device__ static int word(int) { return 0; }
};
// [/patterns]

// [kernel]
/// One warp reads one word a lane.
/// @tparam Word     type of a word
/// @tparam Pattern  which word each lane reads
/// @param x  device array of `words` words
/// @param y  device array of 32 words: what each lane read
template <class Word, class Pattern>
__global__ void gather(const Word* x, Word* y) {
    y[threadIdx.x] = x[Pattern::word(threadIdx.x)];
}
// [/kernel]

// [model]
/// Number of 32-byte sectors that a warp's words lie in, and through `bytes_used` how
/// much of them it reads.
template <class Word, class Pattern>
int sectors_touched(int& bytes_used) {
    std::set<int> distinct_words;
    std::set<int> sectors;
    for (int lane = 0; lane < warp_size; ++lane) {
        const int word = Pattern::word(lane);
        distinct_words.insert(word);
        sectors.insert(word * static_cast<int>(sizeof(Word)) / sector_bytes);
    }
    bytes_used = static_cast<int>(distinct_words.size() * sizeof(Word));
    return static_cast<int>(sectors.size());
}
// [/model]

/// Runs one pattern, prints its row, and returns whether each lane got its word.
template <class Word, class Pattern>
bool show(const char* name) {
    std::vector<Word> x(words);
    for (int i = 0; i < words; ++i) x[i] = static_cast<Word>(i);
    const lockstep::device_buffer<Word> d_x(x);
    lockstep::device_buffer<Word> d_y(warp_size);
    d_y.fill_bytes(0xFF);
    gather<Word, Pattern><<<1, warp_size>>>(d_x.data(), d_y.data());
    lockstep::check(cudaGetLastError());
    const std::vector<Word> y = d_y.to_host();

    int used = 0;
    const int sectors = sectors_touched<Word, Pattern>(used);
    const int fetched = sectors * sector_bytes;
    std::printf("%-22s%7d%15d%12d%9.1f %%\n", name, sectors, fetched, used,
                100.0 * used / fetched);
    bool right = true;
    for (int lane = 0; lane < warp_size; ++lane)
        right = right && y[lane] == x[Pattern::word(lane)];
    return right;
}

int main() {
    lockstep::require_device();

    std::printf("%-22s%7s%15s%12s%11s\n", "32 lanes read", "sectors", "bytes fetched",
                "bytes used", "used");
    bool right = show<float, consecutive>("consecutive floats");
    right = show<float, backwards>("the same backwards") && right;
    right = show<float, shuffled>("the same shuffled") && right;
    right = show<float, one_word_off>("one word further") && right;
    right = show<float, stride_2>("every 2nd float") && right;
    right = show<float, stride_8>("every 8th float") && right;
    right = show<float, stride_32>("every 32nd float") && right;
    right = show<float, all_the_same>("all the same float") && right;
    right = show<double, consecutive>("consecutive doubles") && right;
    right = show<double, stride_2>("every 2nd double") && right;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
