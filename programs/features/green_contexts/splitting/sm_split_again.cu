// Can a group be divided once more? Not as the split left it. A green context has to be
// made of it first; what that context says are its SMs can be split again.

#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/green_context.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/sm_set.hpp>

int main() {
    lockstep::require_device();
    CUdevResource all = lockstep::all_sms();
    CUdevResource group{};
    unsigned count = 1;
    lockstep::check(cuDevSmResourceSplitByCount(&group, &count, &all, nullptr, 0, 64));

    // [direct]
    CUdevResource parts[4]{};
    unsigned made = 4;
    const CUresult direct =
        cuDevSmResourceSplitByCount(parts, &made, &group, nullptr, 0, 16);
    // [/direct]
    lockstep::report("splitting the group itself", lockstep::name_of(direct));

    // [context]
    const lockstep::green_context outer(&group);
    CUdevResource its{};
    lockstep::check(cuGreenCtxGetDevResource(outer, &its, CU_DEV_RESOURCE_TYPE_SM));
    made = 4;
    lockstep::check(cuDevSmResourceSplitByCount(parts, &made, &its, nullptr, 0, 16));
    // [/context]
    lockstep::report("SMs of the outer context", its.sm.smCount);
    lockstep::report("parts", made);
    lockstep::report("SMs of each", parts[0].sm.smCount);

    const lockstep::green_context inner(&parts[0]);
    const auto of_outer = lockstep::sms_of(outer.stream());
    const auto of_inner = lockstep::sms_of(inner.stream());
    const int within = lockstep::in_both(of_outer, of_inner);
    lockstep::report("SMs used in the first part", of_inner.size());
    lockstep::report("of these, SMs of the outer", within);
    return direct != CUDA_SUCCESS && of_inner.size() == parts[0].sm.smCount &&
                   within == int(of_inner.size())
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
