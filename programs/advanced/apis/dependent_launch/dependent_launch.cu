// The second kernel of a stream usually begins when the first has ended. A programmatic
// dependent launch lets it begin earlier, do what needs no results, and wait inside.
// How much earlier? And what if it does not wait?

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// When two kernels ran, in nanoseconds of the GPU's clock.
struct stamps {
    unsigned long long first_begin;  ///< of the first kernel's earliest block
    unsigned long long first_end;  ///< of its latest
    unsigned long long second_begin;  ///< of the second kernel's earliest block
    unsigned long long second_end;  ///< of its latest
};

/// A word that one kernel stores while another may load it.
using shared_word = cuda::atomic_ref<int, cuda::thread_scope_device>;

// [primary]
/// The first kernel: lets the second begin, then works on for a while, and stores its
/// results at the end.
/// @param trigger  whether it says that the second may begin
/// @param data     one int for each block in device memory, written
/// @param when     in device memory
__global__ void primary(bool trigger, int* data, stamps* when) {
    atomicMin(&when->first_begin, lockstep::now_ns());
    if (trigger) cudaTriggerProgrammaticLaunchCompletion();
    lockstep::busy_wait(20'000);
    shared_word(data[blockIdx.x]).store(9, cuda::memory_order_relaxed);
    atomicMax(&when->first_end, lockstep::now_ns());
}
// [/primary]

// [secondary]
/// The second kernel: does what needs no results of the first, waits for it, and copies
/// its results.
/// @param wait   whether it waits
/// @param data   one int for each block in device memory
/// @param found  one int for each block in device memory, written
/// @param when   in device memory
__global__ void secondary(bool wait, int* data, int* found, stamps* when) {
    atomicMin(&when->second_begin, lockstep::now_ns());
    lockstep::busy_wait(8'000);  // stands for indices, tables, other inputs
    if (wait) cudaGridDependencySynchronize();
    found[blockIdx.x] = shared_word(data[blockIdx.x]).load(cuda::memory_order_relaxed);
    atomicMax(&when->second_end, lockstep::now_ns());
}
// [/secondary]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool careless = options.flag("no-wait");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    constexpr int blocks = 40;
    lockstep::device_buffer<int> data(blocks);
    lockstep::device_buffer<int> found(blocks);
    lockstep::device_buffer<stamps> times(1);
    lockstep::csv_file timeline(csv, "row,kind,name,~start_us,~end_us");
    const lockstep::owned_stream stream;
    bool right = true;
    const auto run = [&](const char* name, const char* row, bool early_allowed,
                         bool trigger) {
        data.fill_bytes(0);
        const stamps none{~0ULL, 0, ~0ULL, 0};
        lockstep::check(
            cudaMemcpy(times.data(), &none, sizeof none, cudaMemcpyHostToDevice));
        lockstep::check(cudaDeviceSynchronize());
        // [launches]
        primary<<<blocks, 32, 0, stream>>>(trigger, data.data(), times.data());
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(32);
        config.stream = stream;
        config.attrs = &early;
        config.numAttrs = early_allowed ? 1 : 0;
        lockstep::check(cudaLaunchKernelEx(&config, secondary, !careless, data.data(),
                                           found.data(), times.data()));
        // [/launches]
        lockstep::check(cudaStreamSynchronize(stream));
        if (!row) return;  // a warm-up
        const stamps when = times.to_host()[0];
        const auto us = [&](unsigned long long from, unsigned long long to) {
            return (static_cast<double>(to) - static_cast<double>(from)) * 1e-3;
        };
        const std::size_t wrong =
            lockstep::count_mismatches(found.to_host(), std::vector<int>(blocks, 9));
        char began[32];
        char both[32];
        std::snprintf(began, sizeof began, "~%+.1f us",
                      us(when.first_end, when.second_begin));
        std::snprintf(both, sizeof both, "~%.1f us",
                      us(when.first_begin, std::max(when.first_end, when.second_end)));
        std::printf("%-24s%12s%12s   %s\n", name, began, both,
                    wrong == 0 ? "right" : "read too early");
        timeline.row("%s,kernel,primary,0.00,%.2f", row,
                     us(when.first_begin, when.first_end));
        timeline.row("%s 2nd,kernel,secondary,%.2f,%.2f", row,
                     us(when.first_begin, when.second_begin),
                     us(when.first_begin, when.second_end));
        right = right && (wrong != 0) == (careless && early_allowed && trigger);
    };
    run("warm-up", nullptr, false, false);
    run("warm-up", nullptr, true, true);
    std::printf("%-24s%12s%12s   %s\n", "", "2nd starts", "both take", "results");
    run("plain launch", "plain", false, false);
    run("attribute only", "attribute", true, false);
    run("attribute and trigger", "trigger", true, true);
    timeline.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
