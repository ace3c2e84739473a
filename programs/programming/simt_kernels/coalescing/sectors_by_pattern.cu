// How many sectors does a load of a warp move, for each stride, offset and size of
// word? As many as its lanes touch. Each case is a launch of its own, so that the
// profiler counts the requests and sectors of each; the page's calculator must give the
// same numbers.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int warp_size = 32;
constexpr int sector_bytes = 32;
constexpr int most_words = 64 * warp_size;

// [kernel]
/// One warp reads one word a lane.
/// @tparam Word  type of a word
/// @param x       device array of at least 31 * stride + offset + 1 words
/// @param stride  distance between the words of neighboring lanes, in words
/// @param offset  where lane 0 reads, in words
/// @param y       device array of 32 words: what each lane read
template <class Word>
__global__ void read_pattern(const Word* x, int stride, int offset, Word* y) {
    y[threadIdx.x] = x[threadIdx.x * stride + offset];
}
// [/kernel]

/// Number of sectors that the lanes touch, counted from the addresses.
int sectors_touched(int word_bytes, int stride, int offset) {
    std::set<int> sectors;
    for (int lane = 0; lane < warp_size; ++lane)
        sectors.insert((lane * stride + offset) * word_bytes / sector_bytes);
    return static_cast<int>(sectors.size());
}

/// Runs one case, prints its row, and returns whether each lane got its word.
/// @param x       the bytes of the array, in host memory
/// @param d_x     the same in device memory
/// @param stride  distance of neighboring lanes, in words
/// @param offset  of lane 0, in words
template <class Word>
bool show(const std::vector<std::uint8_t>& x,
          const lockstep::device_buffer<std::uint8_t>& d_x, int stride, int offset) {
    lockstep::device_buffer<Word> d_y(warp_size);
    d_y.fill_bytes(0xFF);
    read_pattern<<<1, warp_size>>>(reinterpret_cast<const Word*>(d_x.data()), stride,
                                   offset, d_y.data());
    lockstep::check(cudaGetLastError());
    const std::vector<Word> y = d_y.to_host();

    constexpr int word_bytes = sizeof(Word);
    std::printf("%10d%8d%8d%9d\n", word_bytes, stride, offset,
                sectors_touched(word_bytes, stride, offset));
    bool right = true;
    for (int lane = 0; lane < warp_size; ++lane)
        right =
            right && std::memcmp(&y[lane], &x[(lane * stride + offset) * word_bytes],
                                 word_bytes) == 0;
    return right;
}

/// Runs all cases of one size of word.
template <class Word>
bool show_all(const std::vector<std::uint8_t>& x,
              const lockstep::device_buffer<std::uint8_t>& d_x) {
    bool right = true;
    for (const int stride : {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 32, 33})
        right = show<Word>(x, d_x, stride, 0) && right;
    for (const int stride : {0, 1, 2, 3})
        for (const int offset : {1, 7, 13})
            right = show<Word>(x, d_x, stride, offset) && right;
    return right;
}

int main() {
    lockstep::require_device();

    std::vector<std::uint8_t> x(most_words * sizeof(uint4));
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<std::uint8_t>(i * 2654435761u >> 16);
    const lockstep::device_buffer<std::uint8_t> d_x(x);

    std::printf("word_bytes  stride  offset  sectors\n");
    bool right = show_all<std::uint8_t>(x, d_x);
    right = show_all<std::uint16_t>(x, d_x) && right;
    right = show_all<std::uint32_t>(x, d_x) && right;
    right = show_all<uint2>(x, d_x) && right;
    right = show_all<uint4>(x, d_x) && right;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
