// Which resources may one descriptor combine? According to the header, only what one
// and the same call split off. This asks the driver, and counts the SMs that a context
// gets.

#include <cstdio>
#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/green_context.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/sm_set.hpp>

/// Tries to combine two resources, and prints what came of it.
/// @return the number of SMs that a kernel ran on; 0 where something was refused
std::size_t combine(const char* name, const CUdevResource& a, const CUdevResource& b) {
    // [combine]
    CUdevResource both[2] = {a, b};
    CUdevResourceDesc descriptor = nullptr;
    CUgreenCtx context = nullptr;
    CUresult result = cuDevResourceGenerateDesc(&descriptor, both, 2);
    if (result == CUDA_SUCCESS)
        result = cuGreenCtxCreate(&context, descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM);
    // [/combine]
    std::size_t used = 0;
    unsigned stated = 0;
    if (result == CUDA_SUCCESS) {
        CUdevResource its{};
        CUstream stream = nullptr;
        lockstep::check(
            cuGreenCtxGetDevResource(context, &its, CU_DEV_RESOURCE_TYPE_SM));
        lockstep::check(
            cuGreenCtxStreamCreate(&stream, context, CU_STREAM_NON_BLOCKING, 0));
        stated = its.sm.smCount;
        used = lockstep::sms_of(stream).size();
        lockstep::check(cuStreamDestroy(stream));
        lockstep::check(cuGreenCtxDestroy(context));
    }
    std::printf("%-22s%3u +%3u %9u %6zu  %s\n", name, a.sm.smCount, b.sm.smCount,
                stated, used, lockstep::name_of(result));
    return used;
}

int main() {
    lockstep::require_device();
    CUdevResource all = lockstep::all_sms();

    // [splits]
    const auto split = [](const CUdevResource& from, CUdevResource(&groups)[2],
                          unsigned sms, unsigned flags) {
        unsigned count = 2;
        lockstep::check(
            cuDevSmResourceSplitByCount(groups, &count, &from, nullptr, flags, sms));
    };
    CUdevResource first[2]{};
    CUdevResource again[2]{};
    CUdevResource larger[2]{};
    CUdevResource any[2]{};
    split(all, first, 16, 0);
    split(all, again, 16, 0);
    split(all, larger, 32, 0);
    split(all, any, 16, CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING);
    // [/splits]
    std::printf("%-22s%8s %9s %6s\n", "", "SMs", "context", "used");
    const std::size_t same = combine("one split", first[0], first[1]);
    combine("one group, twice", first[0], first[0]);
    combine("a second split", first[0], again[1]);
    combine("the same SMs again", first[0], again[0]);
    combine("another size", first[0], larger[1]);
    combine("another flag", first[0], any[1]);
    combine("the whole device", first[0], all);
    return same == first[0].sm.smCount + first[1].sm.smCount ? EXIT_SUCCESS
                                                             : EXIT_FAILURE;
}
