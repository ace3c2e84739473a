// What does a green context cost, next to an ordinary one? It is a part of the primary
// context, so creating it takes little time and little memory, provided that the
// primary context exists. Otherwise each green context creates and destroys that as
// well.

#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>

/// How much device memory is free, in MiB.
double free_mib() {
    std::size_t available = 0;
    std::size_t total = 0;
    lockstep::check(cuMemGetInfo(&available, &total));
    return double(available) / (1 << 20);
}

int main() {
    lockstep::check(cuInit(0));
    CUdevice device = 0;
    lockstep::check(cuDeviceGet(&device, 0));
    CUdevResource all{};
    lockstep::check(cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM));
    CUdevResource part{};
    unsigned count = 1;
    lockstep::check(cuDevSmResourceSplitByCount(&part, &count, &all, nullptr, 0, 16));

    // [create]
    const auto create = [&] {
        CUdevResourceDesc descriptor = nullptr;
        CUgreenCtx context = nullptr;
        lockstep::check(cuDevResourceGenerateDesc(&descriptor, &part, 1));
        lockstep::check(cuGreenCtxCreate(&context, descriptor, device,
                                         CU_GREEN_CTX_DEFAULT_STREAM));
        return context;
    };
    const auto create_and_destroy = [&] {
        lockstep::check(cuGreenCtxDestroy(create()));
    };
    const double alone_ms = lockstep::time_on_host(create_and_destroy, 3).median_ms;
    CUcontext primary = nullptr;
    lockstep::check(cuDevicePrimaryCtxRetain(&primary, device));
    lockstep::check(cuCtxSetCurrent(primary));
    const double green_ms = lockstep::time_on_host(create_and_destroy).median_ms;
    // [/create]

    // [ordinary]
    const double ordinary_ms =
        lockstep::time_on_host(
            [&] {
                CUcontext context = nullptr;
                lockstep::check(cuCtxCreate(&context, nullptr, 0, device));
                lockstep::check(cuCtxDestroy(context));
            },
            3)
            .median_ms;
    // [/ordinary]

    // [memory]
    lockstep::check(cuCtxSetCurrent(primary));
    const double before = free_mib();
    CUgreenCtx green = create();
    const double with_green = free_mib();
    CUcontext ordinary = nullptr;
    lockstep::check(cuCtxCreate(&ordinary, nullptr, 0, device));
    const double with_ordinary = free_mib();
    // [/memory]
    lockstep::report("green, no primary context", lockstep::measured{alone_ms}, "ms");
    lockstep::report("green, primary context", lockstep::measured{green_ms}, "ms");
    lockstep::report("ordinary context", lockstep::measured{ordinary_ms}, "ms");
    lockstep::report("memory, green", lockstep::measured{before - with_green}, "MiB");
    lockstep::report("memory, ordinary", lockstep::measured{with_green - with_ordinary},
                     "MiB");
    lockstep::check(cuCtxDestroy(ordinary));
    lockstep::check(cuGreenCtxDestroy(green));
    lockstep::check(cuDevicePrimaryCtxRelease(device));
    return EXIT_SUCCESS;
}
