// Where does a dependent launch gain its time? Four kernels in a row note when they
// began, when their prologue was done, when their wait was over, and when they ended:
// once with plain launches, once with dependent ones.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// Four moments of a kernel, in nanoseconds of the GPU's clock.
struct moments {
    unsigned long long begin;  ///< its begin
    unsigned long long ready;  ///< the end of its prologue
    unsigned long long go;     ///< the end of its wait
    unsigned long long end;    ///< its end
};

// [step]
/// One step of one thread: 5 us of prologue, the wait, 5 us of work on the result
/// before.
/// @param number  position in the chain
/// @param value   an int in device memory, increased by one
/// @param when    one for each step in device memory, written
__global__ void step(int number, int* value, moments* when) {
    when[number].begin = lockstep::now_ns();
    cudaTriggerProgrammaticLaunchCompletion();
    lockstep::busy_wait(5'000);
    when[number].ready = lockstep::now_ns();
    cudaGridDependencySynchronize();
    when[number].go = lockstep::now_ns();
    lockstep::busy_wait(5'000);
    ++*value;
    when[number].end = lockstep::now_ns();
}
// [/step]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    constexpr int steps = 4;
    lockstep::device_buffer<moments> times(steps);
    lockstep::device_buffer<int> value(1);
    const lockstep::owned_stream stream;
    lockstep::csv_file timeline(csv, "row,kind,name,~start_us,~end_us");
    bool right = true;
    const auto run = [&](const char* label, const char* row, bool dependent) {
        for (int round = 0; round < 2; ++round) {  // the first one warms up
            value.fill_bytes(0);
            lockstep::check(cudaDeviceSynchronize());
            cudaLaunchAttribute early{};
            early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            early.val.programmaticStreamSerializationAllowed = dependent ? 1 : 0;
            cudaLaunchConfig_t config{};
            config.gridDim = dim3(1);
            config.blockDim = dim3(1);
            config.stream = stream;
            config.attrs = &early;
            config.numAttrs = 1;
            lockstep::busy<<<1, 1, 0, stream>>>(50'000);  // the host launches meanwhile
            lockstep::check(cudaGetLastError());
            for (int number = 0; number < steps; ++number)
                lockstep::check(cudaLaunchKernelEx(&config, step, number, value.data(),
                                                   times.data()));
            lockstep::check(cudaStreamSynchronize(stream));
        }
        right = right && value.to_host()[0] == steps;
        const std::vector<moments> when = times.to_host();
        const auto us = [&](unsigned long long at) {
            return 1e-3 * static_cast<double>(at - when[0].begin);
        };
        for (int i = 0; i < steps; ++i) {
            const moments& one = when[i];
            const auto bar = [&](const char* name, unsigned long long from,
                                 unsigned long long to) {
                timeline.row("%s %d,kernel,%s,%.2f,%.2f", row, i + 1, name, us(from),
                             us(to));
            };
            bar("prologue", one.begin, one.ready);
            bar("wait", one.ready, one.go);
            bar("uses the result", one.go, one.end);
        }
        lockstep::report(label, lockstep::measured{us(when[steps - 1].end)}, "us");
    };
    run("plain launches", "plain", false);
    run("dependent launches", "early", true);
    timeline.finish();
    lockstep::report("results right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
