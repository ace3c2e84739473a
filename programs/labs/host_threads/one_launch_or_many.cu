// When do several host threads pay? A piece of work is a kernel of one block, which
// leaves most of the GPU idle. Streams let pieces run side by side; one thread can feed
// them all as long as a piece takes longer than its launch. One launch of all pieces
// needs neither streams nor threads, and is the fastest by far.

#include <cstdlib>
#include <thread>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;

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

/// Walks in each thread; a block is a piece of work.
/// @param first   the first piece of this launch
/// @param steps   steps of each walk
/// @param places  an int for each thread of each piece in device memory, written
__global__ void walk(int first, int steps, int* places) {
    const int i = (first + blockIdx.x) * block_size + threadIdx.x;
    places[i] = walked(i, steps);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int pieces = options.integer("pieces", 2048, 8, 1 << 14) / 8 * 8;
    const int given_steps = options.integer("steps", 4096, 0, 1 << 20);
    const int runs = options.integer("runs", 9, 1, 100);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> d_places(std::size_t(pieces) * block_size);
    std::vector<lockstep::owned_stream> streams(8);
    lockstep::load_kernels(walk);

    // [ways]
    const auto all_at_once = [&](int steps) {
        walk<<<pieces, block_size>>>(0, steps, d_places.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
    };
    const auto one_by_one = [&](int threads, int stream_count, int steps) {
        const auto launch_share = [&](int t) {
            for (int p = t; p < pieces; p += threads) {
                const cudaStream_t stream = streams[p % stream_count];
                walk<<<1, block_size, 0, stream>>>(p, steps, d_places.data());
                lockstep::check(cudaGetLastError());
            }
        };
        std::vector<std::thread> workers;
        for (int t = 1; t < threads; ++t) workers.emplace_back(launch_share, t);
        launch_share(0);
        for (std::thread& worker : workers) worker.join();
        lockstep::check(cudaDeviceSynchronize());
    };
    // [/ways]

    std::size_t wrong = 0;
    const auto checked_us = [&](auto&& work, int steps) {
        std::vector<int> expected(d_places.size());
        for (std::size_t i = 0; i < expected.size(); i += 97)
            expected[i] = walked(static_cast<unsigned>(i), steps);
        d_places.fill_bytes(0x55);
        lockstep::check(cudaDeviceSynchronize());
        const double ms = lockstep::time_on_host(work, runs).median_ms;
        const std::vector<int> found = d_places.to_host();
        for (std::size_t i = 0; i < found.size(); i += 97)
            wrong += found[i] != expected[i];
        return ms * 1e3 / pieces;
    };
    struct way {
        const char* name;
        int threads;
        int streams;
    };
    const way ways[] = {{"1 thread, 1 stream", 1, 1},
                        {"1 thread, 8 streams", 1, 8},
                        {"8 threads, 8 streams", 8, 8}};

    lockstep::csv_file series(csv, "how,steps,~us");
    std::vector<int> sweep{given_steps};
    if (csv) sweep = {0, 256, 1024, 2048, 4096, 8192, 16384, 32768};
    for (const int steps : sweep) {
        const auto show = [&](const char* how, double us) {
            if (!csv) lockstep::report(how, lockstep::measured{us}, "us a piece");
            series.row("\"%s\",%d,%.4f", how, steps, us);
        };
        for (const way& each : ways)
            show(each.name,
                 checked_us([&] { one_by_one(each.threads, each.streams, steps); },
                            steps));
        show("1 launch", checked_us([&] { all_at_once(steps); }, steps));
    }
    series.finish();
    lockstep::report("wrong places", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
