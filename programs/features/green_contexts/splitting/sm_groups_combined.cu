// How does one get 24 SMs and 16, if a split makes groups of one size? A descriptor may
// combine several groups of one split, and its rest as well.

#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/green_context.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/sm_set.hpp>

int main() {
    lockstep::require_device();
    CUdevResource all = lockstep::all_sms();

    // [combine]
    CUdevResource groups[6]{};  // five groups, and the rest after them
    unsigned count = 5;
    lockstep::check(
        cuDevSmResourceSplitByCount(groups, &count, &all, &groups[5], 0, 8));
    CUdevResourceDesc descriptor = nullptr;
    lockstep::check(cuDevResourceGenerateDesc(&descriptor, &groups[2], 3));
    CUgreenCtx combined = nullptr;
    lockstep::check(
        cuGreenCtxCreate(&combined, descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    CUdevResource whole{};
    lockstep::check(
        cuGreenCtxGetDevResource(combined, &whole, CU_DEV_RESOURCE_TYPE_SM));
    // [/combine]
    lockstep::report("groups", count);
    lockstep::report("SMs of each", groups[0].sm.smCount);
    lockstep::report("SMs of groups 2, 3 and 4", whole.sm.smCount);

    // [others]
    const lockstep::green_context first_two(&groups[0], 2);
    const lockstep::green_context last_and_rest(&groups[4], 2);
    // [/others]
    const auto of_first = lockstep::sms_of(first_two.stream());
    const auto of_last = lockstep::sms_of(last_and_rest.stream());
    lockstep::report("SMs used by 0 and 1", of_first.size());
    lockstep::report("SMs used by 4 and the rest", of_last.size());
    lockstep::report("SMs used by both", lockstep::in_both(of_first, of_last));
    lockstep::check(cuGreenCtxDestroy(combined));
    return whole.sm.smCount == 3 * groups[0].sm.smCount &&
                   of_first.size() == 2 * groups[0].sm.smCount &&
                   of_last.size() == groups[4].sm.smCount + groups[5].sm.smCount
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
