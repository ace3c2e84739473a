// How does a program overlap its copies with its kernels? It divides the data into
// chunks and gives each chunk its copy in, its kernel and its copy out, in streams by
// turns. While one chunk computes, another comes in and a third goes out. With one
// stream, or with pageable memory, nothing overlaps.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// A number far along a random sequence.
/// @param value   where the sequence starts, not 0
/// @param rounds  number of steps
__host__ __device__ unsigned scrambled(unsigned value, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        value ^= value << 13;
        value ^= value >> 17;
        value ^= value << 5;
    }
    return value;
}

/// Scrambles each element.
/// @param n       number of elements
/// @param rounds  steps for each element
/// @param x       n elements in device memory
/// @param y       n elements in device memory
__global__ void scramble(int n, int rounds, const unsigned* x, unsigned* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = scrambled(x[i], rounds);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 24, 1024, 1 << 27);
    const int rounds = options.integer("rounds", 128, 0, 10'000);
    const int given_chunks = options.integer("chunks", 16, 1, 1024);
    // number of streams, for a timeline
    const int once = options.integer("once", 0, 0, 8);
    const bool pageable = options.choice("memory", {"pinned", "pageable"}) == 1;
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    // [memory]
    const std::size_t bytes = n * sizeof(unsigned);
    unsigned* x = nullptr;
    unsigned* y = nullptr;
    if (pageable) {
        x = static_cast<unsigned*>(std::malloc(bytes));
        y = static_cast<unsigned*>(std::malloc(bytes));
        if (!x || !y) return EXIT_FAILURE;
    } else {
        lockstep::check(cudaMallocHost(&x, bytes));
        lockstep::check(cudaMallocHost(&y, bytes));
    }
    // [/memory]
    // the input repeats itself, which keeps the reference short
    constexpr int period = 4096;
    std::vector<unsigned> reference(period);
    for (int i = 0; i < period; ++i) reference[i] = scrambled(i + 1, rounds);
    for (int i = 0; i < n; ++i) x[i] = i % period + 1;
    lockstep::device_buffer<unsigned> d_x(n);
    lockstep::device_buffer<unsigned> d_y(n);
    std::vector<cudaStream_t> streams(8);
    for (cudaStream_t& stream : streams)
        lockstep::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    lockstep::load_kernels(scramble);
    constexpr int block = 256;

    // [pipeline]
    const auto pipeline = [&](int stream_count, int chunks) {
        const int chunk = (n + chunks - 1) / chunks;
        for (int c = 0; c * chunk < n; ++c) {
            const int begin = c * chunk;
            const int size = std::min(chunk, n - begin);
            const std::size_t chunk_bytes = size * sizeof(unsigned);
            const cudaStream_t stream = streams[c % stream_count];
            unsigned* d_in = d_x.data() + begin;
            unsigned* d_out = d_y.data() + begin;
            lockstep::check(cudaMemcpyAsync(d_in, x + begin, chunk_bytes,
                                            cudaMemcpyHostToDevice, stream));
            scramble<<<(size + block - 1) / block, block, 0, stream>>>(size, rounds,
                                                                       d_in, d_out);
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaMemcpyAsync(y + begin, d_out, chunk_bytes,
                                            cudaMemcpyDeviceToHost, stream));
        }
        lockstep::check(cudaDeviceSynchronize());
    };
    // [/pipeline]

    std::size_t wrong = 0;
    const auto checked_time = [&](int stream_count, int chunks, int runs) {
        std::memset(y, 0xFF, bytes);
        const double ms =
            lockstep::time_on_host([&] { pipeline(stream_count, chunks); }, runs)
                .median_ms;
        for (int i = 0; i < n; ++i) wrong += y[i] != reference[i % period];
        return ms;
    };

    bool plausible = true;
    if (once) {
        std::memset(y, 0xFF, bytes);
        pipeline(once, given_chunks);
        for (int i = 0; i < n; ++i) wrong += y[i] != reference[i % period];
    } else if (csv) {
        lockstep::csv_file series(csv, "streams,chunks,~time_ms");
        for (int stream_count : {1, 2, 4})
            for (int chunks = 1; chunks <= 256; chunks *= 2)
                series.row("%d,%d,%.4f", stream_count, chunks,
                           checked_time(stream_count, chunks, 9));
        series.finish();
    } else {
        // [parts]
        const cudaStream_t stream = streams[0];
        const double in_ms =
            lockstep::time_on_host([&] {
                lockstep::check(cudaMemcpyAsync(d_x.data(), x, bytes,
                                                cudaMemcpyHostToDevice, stream));
                lockstep::check(cudaStreamSynchronize(stream));
            }).median_ms;
        const double kernel_ms =
            lockstep::time_on_host([&] {
                scramble<<<(n + block - 1) / block, block, 0, stream>>>(
                    n, rounds, d_x.data(), d_y.data());
                lockstep::check(cudaGetLastError());
                lockstep::check(cudaStreamSynchronize(stream));
            }).median_ms;
        const double out_ms =
            lockstep::time_on_host([&] {
                lockstep::check(cudaMemcpyAsync(y, d_y.data(), bytes,
                                                cudaMemcpyDeviceToHost, stream));
                lockstep::check(cudaStreamSynchronize(stream));
            }).median_ms;
        // [/parts]
        int copy_engines = 0;
        lockstep::check(
            cudaDeviceGetAttribute(&copy_engines, cudaDevAttrAsyncEngineCount, 0));
        const double one_ms = checked_time(1, given_chunks, 20);
        const double two_ms = checked_time(2, given_chunks, 20);
        const double four_ms = checked_time(4, given_chunks, 20);
        lockstep::report("copy engines", copy_engines);
        lockstep::report("data, each way", bytes / 1048576.0, "MiB");
        lockstep::report("chunks", given_chunks);
        lockstep::report("copy in, alone", lockstep::measured{in_ms}, "ms");
        lockstep::report("kernel, alone", lockstep::measured{kernel_ms}, "ms");
        lockstep::report("copy out, alone", lockstep::measured{out_ms}, "ms");
        lockstep::report("chunks in 1 stream", lockstep::measured{one_ms}, "ms");
        lockstep::report("chunks in 2 streams", lockstep::measured{two_ms}, "ms");
        lockstep::report("chunks in 4 streams", lockstep::measured{four_ms}, "ms");
        // a kernel that takes far longer than the copies leaves little to gain
        const bool large =
            n >= 1 << 24 && given_chunks >= 8 && given_chunks <= 64 && rounds <= 128;
        plausible = !large || pageable || four_ms < 0.8 * one_ms;
    }
    lockstep::report("wrong elements", wrong);

    for (cudaStream_t stream : streams) lockstep::check(cudaStreamDestroy(stream));
    if (pageable) {
        std::free(x);
        std::free(y);
    } else {
        lockstep::check(cudaFreeHost(x));
        lockstep::check(cudaFreeHost(y));
    }
    return wrong == 0 && plausible ? EXIT_SUCCESS : EXIT_FAILURE;
}
