// Two green contexts divide the SMs of a GPU. A kernel launched into one of them runs
// on the SMs of that context only.

#include <algorithm>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Marks the SM of each block, and runs long enough that every available SM gets a
/// block.
/// @param used  one int for each SM in device memory, 1 written where a block ran
__global__ void note_place(int* used) {
    unsigned place = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(place));
    used[place] = 1;
    lockstep::busy_wait(20'000);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const auto wanted = options.integer<unsigned>("multiprocessors", 16, 8, 1024);
    options.finish();
    lockstep::require_device();
    // the runtime's context: the green one is a part of it
    lockstep::check(cudaFree(nullptr));
    int all = 0;
    lockstep::check(cudaDeviceGetAttribute(&all, cudaDevAttrMultiProcessorCount, 0));

    // [split]
    CUdevice device = 0;
    lockstep::check(cuDeviceGet(&device, 0));
    CUdevResource whole{};
    lockstep::check(cuDeviceGetDevResource(device, &whole, CU_DEV_RESOURCE_TYPE_SM));
    CUdevResource part{};
    CUdevResource rest{};
    unsigned groups = 1;
    lockstep::check(
        cuDevSmResourceSplitByCount(&part, &groups, &whole, &rest, 0, wanted));
    // [/split]

    const auto places = [&](CUdevResource resource) {
        // [context]
        CUdevResourceDesc description = nullptr;
        CUgreenCtx context = nullptr;
        CUstream stream = nullptr;
        lockstep::check(cuDevResourceGenerateDesc(&description, &resource, 1));
        lockstep::check(cuGreenCtxCreate(&context, description, device,
                                         CU_GREEN_CTX_DEFAULT_STREAM));
        lockstep::check(
            cuGreenCtxStreamCreate(&stream, context, CU_STREAM_NON_BLOCKING, 0));
        lockstep::device_buffer<int> used(all);
        used.fill_bytes(0);
        lockstep::check(cudaDeviceSynchronize());
        note_place<<<32 * all, 128, 0, stream>>>(used.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaStreamSynchronize(stream));
        // [/context]
        const auto host = used.to_host();
        lockstep::check(cuStreamDestroy(stream));
        lockstep::check(cuGreenCtxDestroy(context));
        return static_cast<unsigned>(std::count(host.begin(), host.end(), 1));
    };
    const unsigned in_part = places(part);
    const unsigned in_rest = places(rest);
    lockstep::report("SMs of the GPU", all);
    lockstep::report("SMs requested", wanted);
    lockstep::report("SMs used in one context", in_part);
    lockstep::report("SMs used in the other", in_rest);
    return in_part == part.sm.smCount && in_rest == rest.sm.smCount ? EXIT_SUCCESS
                                                                    : EXIT_FAILURE;
}
