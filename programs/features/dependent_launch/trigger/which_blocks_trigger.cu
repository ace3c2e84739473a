// When does a primary kernel count as triggered? When every block has triggered or
// ended. One thread is enough for a block, a block that returns early does no harm, and
// one block that neither triggers nor ends holds the secondary back.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// When two kernels began, in nanoseconds of the GPU's clock.
struct stamps {
    unsigned long long first_begin;  ///< of the primary's earliest block
    unsigned long long second_begin;  ///< of the secondary
};

/// Who triggers in the primary.
enum class who { none, every_thread, thread_zero, even_blocks, all_but_block_zero };

// [primary]
/// The primary: each block works for 30 us, after some of them have triggered.
/// @param triggers  who triggers
/// @param when      in device memory
__global__ void primary(who triggers, stamps* when) {
    atomicMin(&when->first_begin, lockstep::now_ns());
    switch (triggers) {
        case who::none: break;
        case who::every_thread: cudaTriggerProgrammaticLaunchCompletion(); break;
        case who::thread_zero:
            if (threadIdx.x == 0) cudaTriggerProgrammaticLaunchCompletion();
            break;
        case who::even_blocks:
            if (blockIdx.x % 2) return;  // ends, and triggers by ending
            cudaTriggerProgrammaticLaunchCompletion();
            break;
        case who::all_but_block_zero:
            if (blockIdx.x != 0) cudaTriggerProgrammaticLaunchCompletion();
            break;
    }
    lockstep::busy_wait(30'000);
}
// [/primary]

/// The secondary: notes when it began, and waits.
/// @param when  in device memory
__global__ void secondary(stamps* when) {
    atomicMin(&when->second_begin, lockstep::now_ns());
    cudaGridDependencySynchronize();
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 21, 1, 1000);
    options.finish();
    lockstep::require_device(90);

    int sms = 0;
    int shared_bytes = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaDeviceGetAttribute(&shared_bytes,
                                           cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    lockstep::check(cudaFuncSetAttribute(
        primary, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    const int most_of_an_sm = shared_bytes / 2 + 2048;
    lockstep::device_buffer<stamps> times(1);
    const lockstep::owned_stream stream;
    bool ran = true;
    const auto run = [&](const char* label, who triggers, int blocks, int shared) {
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(1);
        config.blockDim = dim3(32);
        config.stream = stream;
        config.attrs = &early;
        config.numAttrs = 1;
        std::vector<double> starts;
        for (int round = -1; round < rounds; ++round) {  // the first one warms up
            times.fill_bytes(0xFF);
            lockstep::check(cudaDeviceSynchronize());
            primary<<<blocks, 64, shared, stream>>>(triggers, times.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaLaunchKernelEx(&config, secondary, times.data()));
            lockstep::check(cudaStreamSynchronize(stream));
            const stamps when = times.to_host()[0];
            ran = ran && when.second_begin != ~0ULL;
            if (round >= 0)
                starts.push_back(1e-3 * (when.second_begin - when.first_begin));
        }
        lockstep::report(
            label, lockstep::measured{lockstep::summarize(starts).median_ms}, "us");
    };
    // [cases]
    run("no block", who::none, 40, 0);
    run("every thread", who::every_thread, 40, 0);
    run("one thread of each block", who::thread_zero, 40, 0);
    run("half trigger, half end", who::even_blocks, 40, 0);
    run("all blocks but one", who::all_but_block_zero, 40, 0);
    // one block on each SM, so half of the blocks start when the other half has ended
    run("two waves of blocks", who::every_thread, 2 * sms, most_of_an_sm);
    // [/cases]
    return ran ? EXIT_SUCCESS : EXIT_FAILURE;
}
