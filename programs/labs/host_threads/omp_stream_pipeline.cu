// Does a loop over chunks get faster when the threads of an OpenMP loop enqueue its
// work? In the default stream it does not: all threads share that queue. With streams
// of their own the threads are as fast as one thread that uses as many streams, since
// the copies and the kernels take the time, not the calls.

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
/// Where a random walk stands after some steps, each one up or one down.
/// @param seed   of its random numbers
/// @param steps  number of steps
__host__ __device__ int walked(unsigned seed, int steps) {
    int ups = 0;
    for (int step = 0; step < steps; ++step) {
        seed = seed * 1664525u + 1013904223u;
        ups += static_cast<int>(seed >> 31);
    }
    return 2 * ups - steps;
}

/// Walks once for each seed.
/// @param n       number of walks
/// @param steps   steps of each
/// @param seeds   n words in device memory
/// @param places  n ints in device memory, written
__global__ void walk(int n, int steps, const unsigned* seeds, int* places) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) places[i] = walked(seeds[i], steps);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int chunks = options.integer("chunks", 64, 1, 1024);
    const int chunk = options.integer("chunk", 1 << 20, 256, 1 << 22);
    const int given_steps = options.integer("steps", 1280, 0, 1 << 16);
    const int only = options.integer("way", 0, 0, 5);  // runs it once, for a timeline
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    const std::size_t n = std::size_t(chunks) * chunk;
    unsigned* seeds = nullptr;
    int* places = nullptr;
    lockstep::check(cudaMallocHost(&seeds, n * sizeof *seeds));
    lockstep::check(cudaMallocHost(&places, n * sizeof *places));
    // the seeds repeat, which keeps the reference short; no chunk equals the next
    constexpr int period = 4093;
    for (std::size_t i = 0; i < n; ++i) seeds[i] = i % period;
    lockstep::device_buffer<unsigned> d_seeds(n);
    lockstep::device_buffer<int> d_places(n);
    lockstep::load_kernels(walk);

    // [streams]
    std::vector<cudaStream_t> eight(8);
    for (cudaStream_t& stream : eight)
        lockstep::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    struct way {
        const char* name;
        int threads;
        std::vector<cudaStream_t> streams;
    };
    const std::vector<way> ways{
        {"1 thread, default stream", 1, {cudaStreamLegacy}},
        {"1 thread, 8 streams", 1, eight},
        {"8 threads, default stream", 8, {cudaStreamLegacy}},
        {"8 threads, own defaults", 8, {cudaStreamPerThread}},
        {"8 threads, 8 streams", 8, eight},
    };
    // [/streams]

    // [pipeline]
    const auto run = [&](const way& how, int steps) {
#pragma omp parallel for num_threads(how.threads) schedule(static, 1)
        for (int c = 0; c < chunks; ++c) {
            const cudaStream_t stream = how.streams[c % how.streams.size()];
            const std::size_t first = std::size_t(c) * chunk;
            unsigned* d_in = d_seeds.data() + first;
            int* d_out = d_places.data() + first;
            lockstep::check(cudaMemcpyAsync(d_in, seeds + first, chunk * sizeof *d_in,
                                            cudaMemcpyHostToDevice, stream));
            walk<<<(chunk + 255) / 256, 256, 0, stream>>>(chunk, steps, d_in, d_out);
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaMemcpyAsync(places + first, d_out,
                                            chunk * sizeof *d_out,
                                            cudaMemcpyDeviceToHost, stream));
        }
        lockstep::check(cudaDeviceSynchronize());
    };
    // [/pipeline]

    std::size_t wrong = 0;
    const auto checked_ms = [&](const way& how, int steps, int runs) {
        std::vector<int> reference(period);
        for (int i = 0; i < period; ++i) reference[i] = walked(i, steps);
        std::memset(places, 0x55, n * sizeof *places);
        const auto work = [&] { run(how, steps); };
        double ms = 0;
        runs > 0 ? void(ms = lockstep::time_on_host(work, runs).median_ms) : work();
        for (std::size_t i = 0; i < n; ++i) wrong += places[i] != reference[i % period];
        return ms;
    };

    bool plausible = true;
    if (only > 0) {
        checked_ms(ways[only - 1], given_steps, 0);
    } else if (csv) {
        lockstep::csv_file series(csv, "how,steps,~ms,~times_as_fast");
        for (int steps = 80; steps <= 10240; steps *= 2) {
            const double slow = checked_ms(ways[0], steps, 9);
            for (const way& how : {ways[1], ways[4]}) {
                const double ms = checked_ms(how, steps, 9);
                series.row("\"%s\",%d,%.4f,%.3f", how.name, steps, ms, slow / ms);
            }
        }
        series.finish();
    } else {
        const auto in_one_launch = [&] {
            walk<<<(n + 255) / 256, 256>>>(n, given_steps, d_seeds.data(),
                                           d_places.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaDeviceSynchronize());
        };
        lockstep::report(
            "kernel alone, 1 launch",
            lockstep::measured{lockstep::time_on_host(in_one_launch).median_ms}, "ms");
        std::vector<double> times_ms;
        for (const way& how : ways) {
            times_ms.push_back(checked_ms(how, given_steps, 20));
            lockstep::report(how.name, lockstep::measured{times_ms.back()}, "ms");
        }
        // few chunks, or much or little computing, leave less to overlap
        const bool large = n >= 1 << 26 && chunks == 64 && given_steps == 1280;
        plausible = !large || times_ms[4] < 0.75 * times_ms[0];
    }
    lockstep::report("wrong places", wrong);
    for (cudaStream_t stream : eight) lockstep::check(cudaStreamDestroy(stream));
    lockstep::check(cudaFreeHost(seeds));
    lockstep::check(cudaFreeHost(places));
    return wrong == 0 && plausible ? EXIT_SUCCESS : EXIT_FAILURE;
}
