// Do kernels of different streams overlap at their first launch? Four kernels, each in
// a stream of its own, run twice: first cold, then loaded.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// When a kernel ran, in nanoseconds of the GPU's clock.
struct stamps {
    unsigned long long begin;  ///< its begin
    unsigned long long end;  ///< its end
};

/// One of four kernels with the same work: 500 us in one thread.
/// @param when  one for each kernel in device memory
template <int number>
__global__ void worker(stamps* when) {
    when[number].begin = lockstep::now_ns();
    lockstep::busy_wait(500'000);
    when[number].end = lockstep::now_ns();
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool preload = options.flag("preload");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    constexpr int kernels = 4;
    lockstep::device_buffer<stamps> times(kernels);
    const std::vector<lockstep::owned_stream> streams(kernels);
    lockstep::busy<<<1, 1>>>(0);  // the module is loaded now, the four kernels are not
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    if (preload) {
        // [preload]
        cudaFuncAttributes attributes{};
        lockstep::check(cudaFuncGetAttributes(&attributes, worker<0>));
        lockstep::check(cudaFuncGetAttributes(&attributes, worker<1>));
        lockstep::check(cudaFuncGetAttributes(&attributes, worker<2>));
        lockstep::check(cudaFuncGetAttributes(&attributes, worker<3>));
        // [/preload]
    }
    lockstep::csv_file timeline(csv, "row,kind,name,~start_us,~end_us");
    bool ran = true;
    const auto run = [&](const char* label, const char* row) {
        times.fill_bytes(0);
        lockstep::check(cudaDeviceSynchronize());
        // [launches]
        worker<0><<<1, 1, 0, streams[0]>>>(times.data());
        worker<1><<<1, 1, 0, streams[1]>>>(times.data());
        worker<2><<<1, 1, 0, streams[2]>>>(times.data());
        worker<3><<<1, 1, 0, streams[3]>>>(times.data());
        lockstep::check(cudaGetLastError());
        // [/launches]
        lockstep::check(cudaDeviceSynchronize());
        const std::vector<stamps> when = times.to_host();
        unsigned long long begin = ~0ULL;
        unsigned long long end = 0;
        for (const stamps& one : when) {
            begin = std::min(begin, one.begin);
            end = std::max(end, one.end);
            ran = ran && one.end != 0;
        }
        for (int i = 0; i < kernels; ++i)
            timeline.row("%s %d,kernel,%s,%.2f,%.2f", row, i + 1, row,
                         1e-3 * (when[i].begin - begin), 1e-3 * (when[i].end - begin));
        lockstep::report(label, lockstep::measured{1e-3 * (end - begin)}, "us");
    };
    run("first launches", "first");
    run("second launches", "second");
    timeline.finish();
    return ran ? EXIT_SUCCESS : EXIT_FAILURE;
}
