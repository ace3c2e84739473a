// What does a split refuse? A request for more SMs than there are, and a resource that
// is not there. Not a flag that does not exist, and fewer groups than asked for are no
// error either, so a program has to look at what it got.

#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/green_context.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    CUdevResource all = lockstep::all_sms();

    // [mistakes]
    CUdevResource groups[4]{};
    unsigned count = 1;
    const CUresult too_many = cuDevSmResourceSplitByCount(groups, &count, &all, nullptr,
                                                          0, all.sm.smCount + 1);
    CUdevResource empty{};
    count = 1;
    const CUresult unfilled =
        cuDevSmResourceSplitByCount(groups, &count, &empty, nullptr, 0, 16);
    count = 1;
    const CUresult no_such_flag =
        cuDevSmResourceSplitByCount(groups, &count, &all, nullptr, 64, 16);
    // [/mistakes]

    // [fewer]
    unsigned made = 4;
    lockstep::check(cuDevSmResourceSplitByCount(groups, &made, &all, nullptr, 0, 40));
    // [/fewer]
    lockstep::report("more SMs than there are", lockstep::name_of(too_many));
    lockstep::report("resource never filled", lockstep::name_of(unfilled));
    lockstep::report("flag that does not exist", lockstep::name_of(no_such_flag));
    lockstep::report("groups asked for", 4);
    lockstep::report("groups made", made);
    lockstep::report("SMs of group 3", groups[3].sm.smCount);
    return too_many != CUDA_SUCCESS && unfilled != CUDA_SUCCESS && made < 4
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
