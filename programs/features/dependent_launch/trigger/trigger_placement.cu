// Where in the primary kernel should the trigger stand? The earlier it stands, the
// earlier the secondary starts, but an earlier start helps only until the secondary's
// prologue ends before the primary does.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// When two kernels ran, in nanoseconds of the GPU's clock.
struct stamps {
    unsigned long long first_begin;  ///< of the primary's earliest block
    unsigned long long second_begin;  ///< of the secondary's earliest block
    unsigned long long second_end;  ///< of its latest
};

constexpr unsigned long long work_ns = 40'000;  // of the primary

// [kernels]
/// The primary: works for 40 us, triggers after a part of that, stores at the end.
/// @param trigger_ns  time from its begin to its trigger
/// @param data        one int for each block in device memory, written
/// @param when        in device memory
__global__ void primary(unsigned long long trigger_ns, int* data, stamps* when) {
    const unsigned long long begin = lockstep::now_ns();
    atomicMin(&when->first_begin, begin);
    while (lockstep::now_ns() - begin < trigger_ns) {
    }
    cudaTriggerProgrammaticLaunchCompletion();
    while (lockstep::now_ns() - begin < work_ns) {
    }
    data[blockIdx.x] = 9;
}

/// The secondary: a prologue, the wait, and 4 us that need the primary's results.
/// @param prologue_ns  time of the prologue
/// @param data         one int for each block in device memory
/// @param found        one int for each block in device memory, written
/// @param when         in device memory
__global__ void secondary(unsigned long long prologue_ns, const int* data, int* found,
                          stamps* when) {
    atomicMin(&when->second_begin, lockstep::now_ns());
    lockstep::busy_wait(prologue_ns);
    cudaGridDependencySynchronize();
    found[blockIdx.x] = data[blockIdx.x];
    lockstep::busy_wait(4'000);
    atomicMax(&when->second_end, lockstep::now_ns());
}
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 21, 1, 1000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    constexpr int blocks = 40;
    lockstep::device_buffer<int> data(blocks);
    lockstep::device_buffer<int> found(blocks);
    lockstep::device_buffer<stamps> times(1);
    const lockstep::owned_stream stream;
    std::size_t wrong = 0;
    /// Median times of both kernels: the start of the second and the end of both.
    struct outcome {
        double start_us;
        double both_us;
    };
    const auto run = [&](bool dependent, int percent, unsigned long long prologue_us) {
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = dependent ? 1 : 0;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(32);
        config.stream = stream;
        config.attrs = &early;
        config.numAttrs = 1;
        std::vector<double> starts;
        std::vector<double> ends;
        for (int round = -1; round < rounds; ++round) {  // the first one warms up
            data.fill_bytes(0);
            const stamps none{~0ULL, ~0ULL, 0};
            lockstep::check(
                cudaMemcpy(times.data(), &none, sizeof none, cudaMemcpyHostToDevice));
            lockstep::check(cudaDeviceSynchronize());
            primary<<<blocks, 32, 0, stream>>>(work_ns / 100 * percent, data.data(),
                                               times.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaLaunchKernelEx(&config, secondary, prologue_us * 1000,
                                               data.data(), found.data(),
                                               times.data()));
            lockstep::check(cudaStreamSynchronize(stream));
            wrong += lockstep::count_mismatches(found.to_host(),
                                                std::vector<int>(blocks, 9));
            const stamps when = times.to_host()[0];
            if (round < 0) continue;
            starts.push_back(1e-3 * (when.second_begin - when.first_begin));
            ends.push_back(1e-3 * (when.second_end - when.first_begin));
        }
        return outcome{lockstep::summarize(starts).median_ms,
                       lockstep::summarize(ends).median_ms};
    };
    // [sweep]
    struct series_of {
        const char* name;
        bool dependent;
        unsigned long long prologue_us;
    };
    const std::vector<series_of> all{{"plain, prologue 16 us", false, 16},
                                     {"dependent, prologue 16 us", true, 16},
                                     {"dependent, prologue 4 us", true, 4}};
    std::printf("%-28s%-10s%-12s%s\n", "us", "trigger", "2nd starts", "both take");
    lockstep::csv_file file(csv, "launch,trigger_percent,~start_us,~both_us");
    for (const series_of& one : all)
        for (int percent = 0; percent <= 100; percent += csv ? 10 : 50) {
            const outcome took = run(one.dependent, percent, one.prologue_us);
            file.row("\"%s\",%d,%.2f,%.2f", one.name, percent, took.start_us,
                     took.both_us);
            if (percent % 50 == 0)
                std::printf("%-28s%3d %%     ~%-11.1f~%.1f\n", one.name, percent,
                            took.start_us, took.both_us);
        }
    // [/sweep]
    file.finish();
    lockstep::report("wrong values", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
