// How are groups of different sizes made in one call? Each group has parameters of its
// own: its size, or 0 for as many SMs as there are, and how many of them must be in one
// cluster. The groups are served in order, so the demanding ones come first.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

using groups = std::vector<cudaDevSmResourceGroupParams>;

// [group]
/// The parameters of a group.
/// @param sms        SMs; 0 means as many as possible
/// @param together   SMs that must be able to run one cluster; 0 means the default
/// @param preferred  larger sets that are welcome, for a preferred cluster size
/// @param flags      0, or cudaDevSmResourceGroupBackfill to add any other SMs
cudaDevSmResourceGroupParams group(unsigned sms, unsigned together,
                                   unsigned preferred = 0,
                                   unsigned flags = cudaDevSmResourceGroupDefault) {
    cudaDevSmResourceGroupParams params{};
    params.smCount = sms;
    params.coscheduledSmCount = together;
    params.preferredCoscheduledSmCount = preferred;
    params.flags = flags;
    return params;
}
// [/group]

int main() {
    lockstep::require_device(90);
    lockstep::check(cudaSetDevice(0));
    cudaDevResource all{};
    lockstep::check(cudaDeviceGetDevResource(0, &all, cudaDevResourceTypeSm));

    bool right = true;
    std::printf("%-34s%10s%10s%10s\n", "", "group 1", "group 2", "rest");
    // [split]
    const auto split = [&](const char* name, groups wanted, bool with_rest) {
        std::vector<cudaDevResource> made(wanted.size());
        cudaDevResource rest{};
        lockstep::check(cudaDevSmResourceSplit(made.data(), unsigned(made.size()), &all,
                                               with_rest ? &rest : nullptr, 0,
                                               wanted.data()));
        // [/split]
        for (std::size_t i = 0; i < made.size(); ++i)
            right = right && made[i].type == cudaDevResourceTypeSm &&
                    made[i].sm.smCount == wanted[i].smCount;
        std::printf("%-34s%10u%10u%10u\n", name, made[0].sm.smCount,
                    made.size() > 1 ? made[1].sm.smCount : 0, rest.sm.smCount);
    };
    // [cases]
    constexpr unsigned fill = cudaDevSmResourceGroupBackfill;
    split("16", {group(16, 0)}, false);
    split("16, and the rest", {group(16, 2, 2)}, true);
    split("16, and all others", {group(16, 2, 2), group(0, 2, 2, fill)}, false);
    split("28 and 32, clusters of 4", {group(28, 4, 4), group(32, 4, 4)}, false);
    split("most for clusters of 8", {group(0, 8, 8)}, true);
    split("8, then most for clusters of 4", {group(8, 2, 2), group(0, 4, 4)}, false);
    // [/cases]

    // [dry-run]
    cudaDevSmResourceGroupParams trial = group(0, 0);
    lockstep::check(cudaDevSmResourceSplit(nullptr, 1, &all, nullptr, 0, &trial));
    // [/dry-run]
    lockstep::report("SMs, if as many as possible", trial.smCount);
    lockstep::report("SMs together, by default", trial.coscheduledSmCount);
    right = right && trial.coscheduledSmCount == all.sm.smCoscheduledAlignment;

    // [refused]
    cudaDevResource made{};
    cudaDevSmResourceGroupParams odd = group(15, 2);
    const cudaError_t result = cudaDevSmResourceSplit(&made, 1, &all, nullptr, 0, &odd);
    // [/refused]
    lockstep::report("an odd number of SMs", cudaGetErrorName(result));

    // [by-count]
    cudaDevResource equal[2]{};
    const auto split_by_count = [&](unsigned flags) {
        unsigned count = 2;  // groups wanted, and then groups made
        lockstep::check(
            cudaDevSmResourceSplitByCount(equal, &count, &all, nullptr, flags, 16));
        right = right && count == 2;
    };
    split_by_count(0);
    split_by_count(cudaDevSmResourceSplitIgnoreSmCoscheduling);
    split_by_count(cudaDevSmResourceSplitMaxPotentialClusterSize);
    // [/by-count]
    return right && result != cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
