// Which SMs does a kernel run on? On all of them, if it is launched into an ordinary
// stream. The same function launches the same kernels into the streams of two green
// contexts here, one of 16 SMs and one of all others, and each kernel stays on the SMs
// of its context.

#include <cstdio>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/sm_set.hpp>

/// The SMs that the kernels of two streams ran on.
struct two_sets {
    lockstep::sm_set first;   ///< of the first stream
    lockstep::sm_set second;  ///< of the second stream
};

// [launch]
/// Launches a kernel into each of two streams. Knows nothing of green contexts.
two_sets launch_into(cudaStream_t one, cudaStream_t other) {
    lockstep::sm_marks first;
    lockstep::sm_marks second;
    constexpr int threads = lockstep::sm_marks::threads;
    lockstep::mark_sm<<<first.blocks(), threads, 0, one>>>(first.data());
    lockstep::mark_sm<<<second.blocks(), threads, 0, other>>>(second.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamSynchronize(one));
    lockstep::check(cudaStreamSynchronize(other));
    return {first.found(), second.found()};
}
// [/launch]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    // [resource]
    lockstep::check(cudaSetDevice(0));  // initializes the primary context
    CUdevResource all{};
    lockstep::check(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
    // [/resource]

    // [split]
    CUdevResource parts[2]{};
    unsigned count = 1;  // one group, and the rest
    constexpr unsigned wanted = 16;
    lockstep::check(
        cuDevSmResourceSplitByCount(&parts[0], &count, &all, &parts[1], 0, wanted));
    if (count < 1 || parts[1].sm.smCount == 0) {
        std::fprintf(stderr, "the device has no more than %u SMs\n", wanted);
        return EXIT_FAILURE;
    }
    // [/split]

    // [create]
    CUgreenCtx contexts[2]{};
    CUstream green[2]{};
    for (int i = 0; i < 2; ++i) {
        CUdevResourceDesc descriptor = nullptr;
        lockstep::check(cuDevResourceGenerateDesc(&descriptor, &parts[i], 1));
        lockstep::check(
            cuGreenCtxCreate(&contexts[i], descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM));
        lockstep::check(
            cuGreenCtxStreamCreate(&green[i], contexts[i], CU_STREAM_NON_BLOCKING, 0));
    }
    // [/create]

    // [compare]
    const lockstep::owned_stream plain[2];
    const two_sets before = launch_into(plain[0], plain[1]);
    const two_sets after = launch_into(green[0], green[1]);
    // [/compare]

    // [destroy]
    for (int i = 0; i < 2; ++i) {
        lockstep::check(cuStreamDestroy(green[i]));
        lockstep::check(cuGreenCtxDestroy(contexts[i]));
    }
    // [/destroy]

    const int common = lockstep::in_both(after.first, after.second);
    lockstep::report("SMs of the device", all.sm.smCount);
    lockstep::report("ordinary stream 1, SMs used", before.first.size());
    lockstep::report("ordinary stream 2, SMs used", before.second.size());
    lockstep::report("green stream 1, SMs used", after.first.size());
    lockstep::report("green stream 2, SMs used", after.second.size());
    lockstep::report("SMs used by both", common);
    lockstep::csv_file places(csv, "sm,~context");
    for (int sm = 0; sm < int(all.sm.smCount); ++sm)
        places.row("%d,%d", sm,
                   after.first.count(sm)    ? 1
                   : after.second.count(sm) ? 2
                                            : 0);
    places.finish();
    return after.first.size() == parts[0].sm.smCount &&
                   after.second.size() == parts[1].sm.smCount && common == 0
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
