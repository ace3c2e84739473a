// May two green contexts have SMs in common? Yes: put the same group into both
// descriptors. Then kernels of both run on these SMs.

#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/green_context.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/sm_set.hpp>

int main() {
    lockstep::require_device();
    CUdevResource all = lockstep::all_sms();

    // [share]
    CUdevResource groups[3]{};
    unsigned count = 3;
    lockstep::check(cuDevSmResourceSplitByCount(groups, &count, &all, nullptr, 0, 16));
    const lockstep::green_context left(&groups[0], 2);   // groups 0 and 1
    const lockstep::green_context right(&groups[1], 2);  // groups 1 and 2
    const lockstep::green_context middle(&groups[1]);    // group 1 alone
    // [/share]
    const auto of_left = lockstep::sms_of(left.stream());
    const auto of_right = lockstep::sms_of(right.stream());
    const auto of_middle = lockstep::sms_of(middle.stream());
    const int shared = lockstep::in_both(of_left, of_right);
    lockstep::report("SMs of groups 0 and 1", of_left.size());
    lockstep::report("SMs of groups 1 and 2", of_right.size());
    lockstep::report("SMs in both", shared);
    lockstep::report("of these, SMs of group 1", lockstep::in_both(of_left, of_middle));
    return shared == int(groups[1].sm.smCount) &&
                   lockstep::in_both(of_left, of_middle) == shared &&
                   lockstep::in_both(of_right, of_middle) == shared
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
