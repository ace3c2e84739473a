// How many wavefronts does a load of a warp from shared memory take? With words of 4
// bytes, as many as the busiest bank has different words to deliver. Wider words are
// served in parts, and only a counter can tell. Each case is a launch of its own; the
// page's calculator must give the profiler's numbers.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int warp_size = 32;
constexpr int banks = 32;
constexpr int most_words = 1280;

// [patterns]
enum class pattern { linear, swizzle, tile };

/// Which word a lane reads.
/// @param how   the pattern
/// @param a, b  its two numbers: factor and summand, factor and shift, or the columns
///              that a row of lanes covers and the padding after each 32 words
/// @param lane  0 to 31
__host__ __device__ int word_of(pattern how, int a, int b, int lane) {
    switch (how) {
        case pattern::linear: return a * lane + b;
        case pattern::swizzle: return (a * lane) ^ (lane >> b);
        default: return lane / a * (32 + b) + lane % a;
    }
}
// [/patterns]

/// A word that holds a number, in each of its parts.
template <class Word>
__host__ __device__ Word holding(std::uint32_t i) {
    Word word;
    for (std::size_t part = 0; part < sizeof(Word) / 4; ++part)
        reinterpret_cast<std::uint32_t*>(&word)[part] = i;
    return word;
}

// [kernel]
/// One warp fills shared memory and reads one word a lane, with one load.
/// @tparam Word  type of a word
/// @param how   the pattern
/// @param a, b  its two numbers
/// @param y     device array of 32 words: what each lane read
template <class Word>
__global__ void read_pattern(pattern how, int a, int b, Word* y) {
    __shared__ Word words[most_words];
    for (int i = threadIdx.x; i < most_words; i += warp_size)
        words[i] = holding<Word>(i);
    __syncthreads();
    y[threadIdx.x] = words[word_of(how, a, b, threadIdx.x)];
}
// [/kernel]

/// The most different 4-byte words that the whole warp wants of one bank.
int words_of_one_bank(int word_bytes, pattern how, int a, int b) {
    std::vector<std::set<int>> wanted(banks);
    for (int lane = 0; lane < warp_size; ++lane) {
        for (int part = 0; part < word_bytes / 4; ++part) {
            const int word = word_of(how, a, b, lane) * (word_bytes / 4) + part;
            wanted[word % banks].insert(word);
        }
    }
    std::size_t most = 0;
    for (const auto& words : wanted) most = std::max(most, words.size());
    return static_cast<int>(most);
}

/// Runs one case, prints its row, and returns whether each lane got its word.
template <class Word>
bool show(pattern how, int a, int b) {
    lockstep::device_buffer<Word> d_y(warp_size);
    d_y.fill_bytes(0xFF);
    read_pattern<<<1, warp_size>>>(how, a, b, d_y.data());
    lockstep::check(cudaGetLastError());
    const std::vector<Word> y = d_y.to_host();

    constexpr const char* names[] = {"linear", "swizzle", "tile"};
    constexpr int word_bytes = sizeof(Word);
    std::printf("%-9s%10d%5d%5d%15d\n", names[static_cast<int>(how)], word_bytes, a, b,
                words_of_one_bank(word_bytes, how, a, b));
    bool right = true;
    for (int lane = 0; lane < warp_size; ++lane) {
        const auto expected = holding<Word>(word_of(how, a, b, lane));
        right = right && std::memcmp(&y[lane], &expected, word_bytes) == 0;
    }
    return right;
}

/// Runs all cases of one size of word.
template <class Word>
bool show_all() {
    bool right = true;
    for (const int a : {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 31, 32, 33})
        right = show<Word>(pattern::linear, a, 0) && right;
    for (const int b : {1, 5, 32}) right = show<Word>(pattern::linear, 1, b) && right;
    for (const int a : {0, 1, 2, 8, 16, 32})
        for (const int b : {0, 1, 2, 3, 5})
            right = show<Word>(pattern::swizzle, a, b) && right;
    for (const int a : {1, 2, 4, 8, 16, 32})
        for (const int b : {0, 1, 2, 4})
            right = show<Word>(pattern::tile, a, b) && right;
    return right;
}

int main() {
    lockstep::require_device();

    std::printf("pattern  word_bytes    a    b  words_of_bank\n");
    bool right = show_all<std::uint32_t>();
    right = show_all<uint2>() && right;
    right = show_all<uint4>() && right;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
