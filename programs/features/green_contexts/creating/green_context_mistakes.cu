// What do the calls around a green context refuse? Each mistake here is answered by an
// error at once, except one that only shows later: a stream that outlives its context.

#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/green_context.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Prints what a call returned.
/// @return whether it was refused
bool refused(const char* mistake, CUresult result) {
    lockstep::report(mistake, lockstep::name_of(result));
    return result != CUDA_SUCCESS;
}

int main() {
    lockstep::require_device();
    CUdevResource all = lockstep::all_sms();
    CUdevResource group{};
    unsigned count = 1;
    lockstep::check(cuDevSmResourceSplitByCount(&group, &count, &all, nullptr, 0, 16));
    bool right = true;

    // [descriptor]
    CUdevResource empty{};  // no call has filled it
    CUdevResourceDesc descriptor = nullptr;
    const CUresult unfilled = cuDevResourceGenerateDesc(&descriptor, &empty, 1);
    // [/descriptor]
    right &= refused("resource never filled", unfilled);

    // [flags]
    CUgreenCtx context = nullptr;
    lockstep::check(cuDevResourceGenerateDesc(&descriptor, &group, 1));
    const CUresult no_flag = cuGreenCtxCreate(&context, descriptor, 0, 0);
    lockstep::check(
        cuGreenCtxCreate(&context, descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    CUstream stream = nullptr;
    const CUresult blocking =
        cuGreenCtxStreamCreate(&stream, context, CU_STREAM_DEFAULT, 0);
    // [/flags]
    right &= refused("context without its flag", no_flag);
    right &= refused("stream without its flag", blocking);

    // [convert]
    const CUresult cast = cuCtxPushCurrent(reinterpret_cast<CUcontext>(context));
    // [/convert]
    right &= refused("cast, not converted", cast);

    // [order]
    lockstep::check(
        cuGreenCtxStreamCreate(&stream, context, CU_STREAM_NON_BLOCKING, 0));
    lockstep::check(cuGreenCtxDestroy(context));  // before its stream: wrong
    const CUresult orphan = cuStreamQuery(stream);
    // [/order]
    right &= refused("stream after its context", orphan);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
