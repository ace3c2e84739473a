// What does a warp pay for gaps between the words that it reads? Whatever lies in a gap
// is fetched too. At a stride of 8 floats every lane needs a 32-byte sector of its own;
// device memory delivers sectors in pairs, so the time goes on growing up to a stride
// of 16. A start in the middle of a sector costs one sector more in each load, and next
// to no time.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;
constexpr int loads_per_thread = 8;
constexpr int max_stride = 32;

/// What word `i` of the array holds.
__host__ __device__ std::uint32_t content(std::size_t i) {
    return static_cast<std::uint32_t>(i) * 2654435761u >> 8;
}

/// Fills the array.
/// @param words  number of words
/// @param x      device array of `words` words
__global__ void fill(std::size_t words, std::uint32_t* x) {
    const std::size_t threads = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
         i += threads)
        x[i] = content(i);
}

// [kernel]
/// Each thread adds eight words. In each load, neighboring threads read words that are
/// `stride` apart.
/// @param x       device array of 8 * threads * stride + offset words
/// @param stride  distance between neighbors' words, in words
/// @param offset  where the reads begin, in words
/// @param sums    device array, one word per thread: the sum of its words
__global__ void read_with_gaps(const std::uint32_t* x, std::size_t stride,
                               std::size_t offset, std::uint32_t* sums) {
    const std::size_t threads = std::size_t(gridDim.x) * blockDim.x;
    const std::size_t thread = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    std::uint32_t sum = 0;
#pragma unroll
    for (int load = 0; load < loads_per_thread; ++load)
        sum += x[(load * threads + thread) * stride + offset];
    sums[thread] = sum;
}
// [/kernel]

// [model]
/// Number of 32-byte sectors that the 32 lanes of a warp touch in one load.
int sectors_touched(int stride, int offset) {
    std::set<int> sectors;
    for (int lane = 0; lane < 32; ++lane) sectors.insert((lane * stride + offset) / 8);
    return static_cast<int>(sectors.size());
}
// [/model]

/// The reads of all threads, at one stride and offset.
class experiment {
public:
    /// @param blocks  number of blocks
    explicit experiment(int blocks)
        : blocks_(blocks),
          threads_(std::size_t(blocks) * block_size),
          d_x_(threads_ * loads_per_thread * max_stride + max_stride),
          d_sums_(threads_) {
        fill<<<2048, block_size>>>(d_x_.size(), d_x_.data());
        lockstep::check(cudaGetLastError());
    }

    /// Median time in microseconds.
    double time_us(int stride, int offset) {
        d_sums_.fill_bytes(0xFF);
        const auto time = lockstep::time_back_to_back([&] {
            read_with_gaps<<<blocks_, block_size>>>(d_x_.data(), stride, offset,
                                                    d_sums_.data());
        });
        const std::vector<std::uint32_t> sums = d_sums_.to_host();
        for (std::size_t thread = 0; thread < threads_; thread += 61) {
            std::uint32_t expected = 0;
            for (std::size_t load = 0; load < loads_per_thread; ++load)
                expected += content((load * threads_ + thread) * stride + offset);
            right_ = right_ && sums[thread] == expected;
        }
        return time.median_ms * 1e3;
    }

    /// Bytes that the threads asked for, per microsecond, in GB/s.
    double useful_gbps(double time_us) const {
        return threads_ * loads_per_thread * 4 / time_us * 1e-3;
    }
    /// Whether all sums were right so far.
    bool right() const { return right_; }

private:
    int blocks_;
    std::size_t threads_;
    lockstep::device_buffer<std::uint32_t> d_x_;
    lockstep::device_buffer<std::uint32_t> d_sums_;
    bool right_ = true;
};

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int show = options.choice("show", {"strides", "offsets", "one"});
    const int blocks = options.integer("blocks", 16384, 1, 65536);
    const int stride = options.integer("stride", 1, 1, max_stride);
    const int offset = options.integer("offset", 0, 0, max_stride - 1);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    experiment reads(blocks);
    if (show == 2) {
        const double time = reads.time_us(stride, offset);
        lockstep::report("sectors a load", sectors_touched(stride, offset));
        lockstep::report("bytes used / fetched",
                         400.0 / sectors_touched(stride, offset), "%");
        lockstep::report("time", lockstep::measured{time}, "us");
        lockstep::report("time / time at stride 1",
                         lockstep::measured{time / reads.time_us(1, 0)});
        return reads.right() ? EXIT_SUCCESS : EXIT_FAILURE;
    }

    const bool strides = show == 0;
    lockstep::csv_file table(csv, strides ? "stride,sectors,~time_us,~useful_gbps"
                                          : "offset,sectors,~time_us,~useful_gbps");
    std::printf("%s  sectors      used   time       useful bytes\n",
                strides ? "stride" : "offset");
    double fastest = 1e30;
    double slowest = 0;
    for (int value = strides ? 1 : 0; value < max_stride + strides; ++value) {
        const int sectors =
            strides ? sectors_touched(value, 0) : sectors_touched(1, value);
        const double time = strides ? reads.time_us(value, 0) : reads.time_us(1, value);
        const double useful = reads.useful_gbps(time);
        fastest = std::min(fastest, time);
        slowest = std::max(slowest, time);
        table.row("%d,%d,%.2f,%.1f", value, sectors, time, useful);
        const bool power_of_two = (value & (value - 1)) == 0;
        if (power_of_two)
            std::printf("%6d%9d%8.1f %%   ~%-5.0f us   ~%.0f GB/s\n", value, sectors,
                        400.0 / sectors, time, useful);
    }
    table.finish();
    lockstep::report("slowest / fastest time", lockstep::measured{slowest / fastest});
    const bool as_expected = strides ? slowest > 3 * fastest : slowest < 1.5 * fastest;
    return reads.right() && as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
