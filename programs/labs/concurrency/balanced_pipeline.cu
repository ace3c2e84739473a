// What is the most that overlap can save? If copy in, kernel and copy out take equally
// long, a pipeline of chunks could be three times as fast. It stays below that: both
// directions of the link at once are slower than each alone, the first copy in and the
// last copy out overlap with nothing, and each chunk has a cost of its own.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// A number far along a random sequence.
/// @param value   where the sequence starts
/// @param rounds  number of steps
__host__ __device__ unsigned scrambled(unsigned value, int rounds) {
    for (int round = 0; round < rounds; ++round)
        value = value * 1664525u + (value >> 7);
    return value;
}

/// Scrambles each element.
/// @param n       number of elements
/// @param rounds  steps for each element
/// @param x       n words in device memory
/// @param y       n words in device memory, written
__global__ void scramble(int n, int rounds, const unsigned* x, unsigned* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = scrambled(x[i], rounds);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 25, 1024, 1 << 27);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const std::size_t bytes = n * sizeof(unsigned);
    unsigned *x = nullptr, *y = nullptr;
    lockstep::check(cudaMallocHost(&x, bytes));
    lockstep::check(cudaMallocHost(&y, bytes));
    constexpr int period = 4096;  // the input repeats itself: a short reference
    for (int i = 0; i < n; ++i) x[i] = i % period + 1;
    lockstep::device_buffer<unsigned> d_x(n), d_y(n);
    const std::vector<lockstep::owned_stream> streams(4);
    lockstep::load_kernels(scramble);

    // [operations]
    const auto copy_in = [&](int at, int size, cudaStream_t stream) {
        lockstep::check(cudaMemcpyAsync(d_x.data() + at, x + at,
                                        size * sizeof(unsigned), cudaMemcpyHostToDevice,
                                        stream));
    };
    const auto compute = [&](int at, int size, int rounds, cudaStream_t stream) {
        scramble<<<(size + 255) / 256, 256, 0, stream>>>(size, rounds, d_x.data() + at,
                                                         d_y.data() + at);
        lockstep::check(cudaGetLastError());
    };
    const auto copy_out = [&](int at, int size, cudaStream_t stream) {
        lockstep::check(cudaMemcpyAsync(y + at, d_y.data() + at,
                                        size * sizeof(unsigned), cudaMemcpyDeviceToHost,
                                        stream));
    };
    // [/operations]
    const auto milliseconds = [&](auto work) {
        return lockstep::time_on_host(
                   [&] {
                       work();
                       lockstep::check(cudaDeviceSynchronize());
                   },
                   9)
            .median_ms;
    };
    int rounds = 128;
    // [pipeline]
    const auto pipeline = [&](int chunks) {
        const int chunk = (n + chunks - 1) / chunks;
        for (int c = 0; c * chunk < n; ++c) {
            const int size = std::min(chunk, n - c * chunk);
            const cudaStream_t stream = streams[c % streams.size()];
            copy_in(c * chunk, size, stream);
            compute(c * chunk, size, rounds, stream);
            copy_out(c * chunk, size, stream);
        }
    };
    // [/pipeline]
    std::memset(y, 0xFF, bytes);
    pipeline(8);
    lockstep::check(cudaDeviceSynchronize());
    double best = 0;
    if (!untimed) {
        // [parts]
        const double in = milliseconds([&] { copy_in(0, n, streams[0]); });
        const double out = milliseconds([&] { copy_out(0, n, streams[0]); });
        const double both = milliseconds([&] {
            copy_in(0, n, streams[0]);
            copy_out(0, n, streams[1]);
        });
        const auto kernel = [&] { compute(0, n, rounds, streams[0]); };
        rounds = std::max(1, static_cast<int>(rounds * in / milliseconds(kernel)));
        // [/parts]
        const double computing = milliseconds(kernel);
        const double serial = milliseconds([&] { pipeline(1); });
        int best_chunks = 0;
        for (int chunks = 2; chunks <= 128; chunks *= 2) {
            const double gain = serial / milliseconds([&] { pipeline(chunks); });
            if (gain <= best) continue;
            best = gain;
            best_chunks = chunks;
        }
        const double gb = bytes * 1e-6;  // in one millisecond, GB/s
        lockstep::report("copy in, alone", lockstep::measured{gb / in}, "GB/s");
        lockstep::report("copy out, alone", lockstep::measured{gb / out}, "GB/s");
        lockstep::report("both at once, each", lockstep::measured{gb / both}, "GB/s");
        lockstep::report("kernel", lockstep::measured{computing}, "ms");
        lockstep::report("one chunk", lockstep::measured{serial}, "ms");
        lockstep::report("best number of chunks", lockstep::counted{best_chunks});
        lockstep::report("with that number", lockstep::measured{serial / best}, "ms");
        lockstep::report("speedup", lockstep::measured{best}, "times");
    }
    std::size_t wrong = 0;
    std::vector<unsigned> expected(period);
    for (int i = 0; i < period; ++i) expected[i] = scrambled(i + 1, rounds);
    for (int i = 0; i < n; ++i) wrong += y[i] != expected[i % period];
    lockstep::report("wrong elements", wrong);
    lockstep::check(cudaFreeHost(x));
    lockstep::check(cudaFreeHost(y));
    return wrong == 0 && (untimed || best > 1.1) ? EXIT_SUCCESS : EXIT_FAILURE;
}
