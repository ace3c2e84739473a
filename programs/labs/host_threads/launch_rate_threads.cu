// Do several host threads launch more kernels in a second than one? Threads of the same
// process use one CUDA context, and its calls exclude each other for part of their
// time. The kernels do next to nothing, so the launches take the time.

#include <cstdlib>
#include <string>
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

// [kernel]
/// Counts its own launch.
/// @param launches  a counter in device memory
__global__ void count(unsigned* launches) { atomicAdd(launches, 1); }
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int launches = options.integer("launches", 8192, 16, 1 << 20) / 16 * 16;
    const int runs = options.integer("runs", 9, 1, 100);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<unsigned> d_count(1);
    std::vector<lockstep::owned_stream> streams(16);
    lockstep::load_kernels(count);

    // [launches]
    const auto launch_all = [&](int threads, bool own_stream) {
        const auto launch_share = [&](int t) {
            const cudaStream_t stream = streams[own_stream ? t : 0];
            for (int i = 0; i < launches / threads; ++i) {
                count<<<1, 1, 0, stream>>>(d_count.data());
                lockstep::check(cudaGetLastError());
            }
        };
        std::vector<std::thread> workers;
        for (int t = 0; t < threads; ++t) workers.emplace_back(launch_share, t);
        for (std::thread& worker : workers) worker.join();
        lockstep::check(cudaDeviceSynchronize());
    };
    // [/launches]

    unsigned wrong = 0;
    lockstep::csv_file series(csv, "streams,threads,~launches_per_ms");
    for (const bool own_stream : {true, false})
        for (int threads = 1; threads <= 16; threads *= 2) {
            d_count.fill_bytes(0);
            lockstep::check(cudaDeviceSynchronize());
            const double rate =
                lockstep::time_on_host([&] { launch_all(threads, own_stream); }, runs)
                    .per_second(launches) /
                1e3;
            wrong += d_count.to_host()[0] != unsigned(launches) * (runs + 1);
            const std::string label = std::to_string(threads) +
                                      (threads == 1 ? " thread, " : " threads, ") +
                                      (own_stream ? "own streams" : "shared stream");
            lockstep::report(label.c_str(), lockstep::measured{rate}, "launches/ms");
            series.row("%s,%d,%.1f", own_stream ? "own" : "shared", threads, rate);
        }
    series.finish();
    lockstep::report("wrong counts", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
