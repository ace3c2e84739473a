// A picture lies in memory as three planes, all reds, then all greens, then all blues;
// the result has red, green and blue of each pixel side by side. Each lane stores three
// words that lie together, so in one store neighboring lanes are three words apart: 12
// sectors for each request instead of 4. Go through shared memory, so that neighboring
// lanes store neighboring words.

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;  // one thread for each pixel

/// The result, which the kernel writes.
struct picture {
    std::uint32_t* words;
    int* places;  ///< null, or three words for each thread: where it stored
    int stores;  ///< of this thread so far

    __device__ void store(int i, std::uint32_t value) {
        words[i] = value;
        const int thread = blockIdx.x * blockDim.x + threadIdx.x;
        if (places && stores < 3)
            places[stores++ * gridDim.x * blockDim.x + thread] = i;
    }
};

/// Brings the three colors of each pixel together.
/// @param n       number of pixels
/// @param planes  3 x n words in device memory, a plane after the other
/// @param pixels  3 x n words, written, a pixel after the other
__global__ void interleave(int n, const std::uint32_t* planes, picture pixels) {
    // [task]
    __shared__ std::uint32_t words[3 * block_size];
    const int first = blockIdx.x * block_size;
    const int i = first + threadIdx.x;
    for (int color = 0; color < 3; ++color)
        if (i < n) words[3 * threadIdx.x + color] = planes[color * n + i];
    __syncthreads();
    const int last = min(3 * block_size, 3 * (n - first));  // words of this block
    for (int word = threadIdx.x; word < last; word += block_size)
        pixels.store(3 * first + word, words[word]);
    //= given
    //| const int i = blockIdx.x * block_size + threadIdx.x;
    //| for (int color = 0; color < 3; ++color)
    //|     if (i < n) pixels.store(3 * i + color, planes[color * n + i]);
    //= mutant whole_blocks_only
    //| __shared__ std::uint32_t words[3 * block_size];
    //| const int first = blockIdx.x * block_size;
    //| if (first + block_size > n) return;
    //| for (int color = 0; color < 3; ++color)
    //|     words[3 * threadIdx.x + color] = planes[color * n + first + threadIdx.x];
    //| __syncthreads();
    //| for (int word = threadIdx.x; word < 3 * block_size; word += block_size)
    //|     pixels.store(3 * first + word, words[word]);
    //= mutant no_barrier
    //| __shared__ std::uint32_t words[3 * block_size];
    //| const int first = blockIdx.x * block_size;
    //| const int i = first + threadIdx.x;
    //| for (int color = 0; color < 3; ++color)
    //|     if (i < n) words[3 * threadIdx.x + color] = planes[color * n + i];
    //| const int last = min(3 * block_size, 3 * (n - first));
    //| for (int word = threadIdx.x; word < last; word += block_size)
    //|     pixels.store(3 * first + word, words[word]);
    //= mutant still_planes
    //| __shared__ std::uint32_t words[3 * block_size];
    //| const int first = blockIdx.x * block_size;
    //| const int i = first + threadIdx.x;
    //| for (int color = 0; color < 3; ++color)
    //|     if (i < n) words[color * block_size + threadIdx.x] = planes[color * n + i];
    //| __syncthreads();
    //| const int last = min(3 * block_size, 3 * (n - first));
    //| for (int word = threadIdx.x; word < last; word += block_size)
    //|     pixels.store(3 * first + word, words[word]);
    // [/task]
}

/// Sectors that a warp touches with one store, on average.
/// @param places  where each thread stored, as the number of a word; -1 if it did not
double sectors_of_a_store(const std::vector<int>& places) {
    double sectors = 0, stores = 0;
    for (std::size_t warp = 0; warp < places.size(); warp += 32) {
        std::set<int> touched;
        for (std::size_t lane = warp; lane < warp + 32; ++lane)
            if (places[lane] >= 0) touched.insert(places[lane] / 8);
        sectors += double(touched.size());
        stores += !touched.empty();
    }
    return sectors / stores;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1'000'003, 1, 1 << 24);
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<std::uint32_t> planes(3 * std::size_t(n));
    lockstep::device_buffer<std::uint32_t> pixels(planes.size());
    lockstep::fill_random(planes.data(), planes.size());
    pixels.fill_bytes(0xFF);
    const int blocks = (n + block_size - 1) / block_size;
    lockstep::device_buffer<int> places(3 * std::size_t(blocks) * block_size);
    places.fill_bytes(0xFF);
    interleave<<<blocks, block_size>>>(n, planes.data(),
                                       {pixels.data(), places.data(), 0});
    lockstep::check(cudaGetLastError());

    const std::vector<std::uint32_t> in = planes.to_host(), out = pixels.to_host();
    lockstep::exercise_verdict verdict;
    const std::size_t tail = n / block_size * std::size_t(3 * block_size);
    bool tail_written = true;
    for (std::size_t i = tail; i < out.size(); ++i)
        tail_written = tail_written && out[i] == in[i % 3 * n + i / 3];
    verdict.holds("pixels of the last block", tail_written,
                  "the last block has fewer pixels than threads");
    const char* colors[] = {"red of each pixel", "green of each pixel",
                            "blue of each pixel"};
    for (int color = 0; color < 3; ++color) {
        std::vector<std::uint32_t> found(n);
        for (int i = 0; i < n; ++i) found[i] = out[3 * std::size_t(i) + color];
        const auto plane = in.begin() + std::size_t(color) * n;
        verdict.equal(colors[color], found,
                      std::vector<std::uint32_t>(plane, plane + n));
    }
    verdict.holds("sectors of a store", sectors_of_a_store(places.to_host()) <= 4.5,
                  "neighboring lanes must store neighboring words of the result");
    return verdict.finish();
}
