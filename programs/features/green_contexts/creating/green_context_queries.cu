// How does a program check that a green context is what it asked for? The context and
// its streams can be asked, and each context has a number of its own.

#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/green_context.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    CUdevResource all = lockstep::all_sms();
    CUdevResource groups[2]{};
    unsigned count = 2;
    lockstep::check(cuDevSmResourceSplitByCount(groups, &count, &all, nullptr, 0, 16));
    const lockstep::green_context one(&groups[0]);
    const lockstep::green_context other(&groups[1]);

    // [context]
    CUdevResource of_green{};
    lockstep::check(cuGreenCtxGetDevResource(one, &of_green, CU_DEV_RESOURCE_TYPE_SM));
    CUcontext converted = nullptr;
    lockstep::check(cuCtxFromGreenCtx(&converted, one));
    CUdevResource of_converted{};
    lockstep::check(
        cuCtxGetDevResource(converted, &of_converted, CU_DEV_RESOURCE_TYPE_SM));
    CUcontext primary = nullptr;
    lockstep::check(cuCtxGetCurrent(&primary));
    CUdevResource of_primary{};
    lockstep::check(cuCtxGetDevResource(primary, &of_primary, CU_DEV_RESOURCE_TYPE_SM));
    // [/context]

    // [number]
    unsigned long long number = 0;
    unsigned long long other_number = 0;
    lockstep::check(cuGreenCtxGetId(one, &number));
    lockstep::check(cuGreenCtxGetId(other, &other_number));
    // [/number]

    // [stream]
    const lockstep::owned_stream plain;
    CUgreenCtx of_stream = nullptr;
    CUgreenCtx of_plain = nullptr;
    lockstep::check(cuStreamGetGreenCtx(one.stream(), &of_stream));
    lockstep::check(cuStreamGetGreenCtx(plain, &of_plain));
    // [/stream]

    // [current]
    lockstep::check(cuCtxPushCurrent(converted));
    const lockstep::owned_stream by_runtime;  // made while the green context is current
    CUgreenCtx of_runtime = nullptr;
    lockstep::check(cuStreamGetGreenCtx(by_runtime, &of_runtime));
    lockstep::check(cuCtxPopCurrent(nullptr));
    // [/current]
    lockstep::report("SMs of the green context", of_green.sm.smCount);
    lockstep::report("SMs of it, converted", of_converted.sm.smCount);
    lockstep::report("SMs of the primary context", of_primary.sm.smCount);
    lockstep::report("stream knows its context", of_stream == one);
    lockstep::report("ordinary stream has one", of_plain != nullptr);
    lockstep::report("runtime's stream, current", of_runtime == one);
    const bool right = of_green.sm.smCount == groups[0].sm.smCount &&
                       of_converted.sm.smCount == of_green.sm.smCount &&
                       of_primary.sm.smCount == all.sm.smCount &&
                       number != other_number && of_stream == one && !of_plain &&
                       of_runtime == one;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
