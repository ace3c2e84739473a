// How many SMs does a group get? Each request here names groups and a smallest size,
// and the driver rounds the size up to what the hardware allows, or makes fewer groups.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/driver.hpp>
#include <lockstep/green_context.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr unsigned any_sms = CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING;
constexpr unsigned largest = CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE;

int main() {
    lockstep::require_device();
    CUdevResource all = lockstep::all_sms();
    lockstep::report("SMs of the device", all.sm.smCount);
    lockstep::report("smallest group", all.sm.minSmPartitionSize, "SMs");
    lockstep::report("alignment", all.sm.smCoscheduledAlignment, "SMs");

    bool right = true;
    std::printf("\n%18s  %-16s%8s%10s%6s\n", "request", "flag", "groups", "SMs each",
                "rest");
    // [split]
    const auto split = [&](unsigned groups, unsigned smallest, unsigned flags) {
        std::vector<CUdevResource> parts(groups);
        CUdevResource rest{};
        unsigned made = groups;
        lockstep::check(cuDevSmResourceSplitByCount(parts.data(), &made, &all, &rest,
                                                    flags, smallest));
        const unsigned each = parts[0].sm.smCount;
        // [/split]
        std::printf("%3u of %3u or more  %-16s%8u%10u%6u\n", groups, smallest,
                    flags == any_sms   ? "any SMs"
                    : flags == largest ? "largest cluster"
                                       : "",
                    made, each, rest.sm.smCount);
        const unsigned multiple = flags == any_sms ? 2 : all.sm.smCoscheduledAlignment;
        right = right && made <= groups && each >= smallest && each % multiple == 0 &&
                made * each + rest.sm.smCount == all.sm.smCount;
        return parts[0];
    };
    // [requests]
    const unsigned over_half = all.sm.smCount / 2 + 6;
    split(2, over_half, 0);  // does not fit twice
    split(6, 11, 0);
    split(6, 11, any_sms);
    split(2, 1, 0);
    split(2, 1, any_sms);
    split(2, 0, 0);
    split(16, 8, 0);
    split(16, 8, largest);
    CUdevResource group = split(1, 16, 0);
    // [/requests]

    // [query]
    unsigned groups = 0;
    lockstep::check(
        cuDevSmResourceSplitByCount(nullptr, &groups, &all, nullptr, 0, 24));
    // [/query]
    std::printf("\n");
    lockstep::report("groups of 24, if asked for", groups);

    // [fields]
    const lockstep::green_context context(&group);
    CUdevResource its{};
    lockstep::check(cuGreenCtxGetDevResource(context, &its, CU_DEV_RESOURCE_TYPE_SM));
    // [/fields]
    lockstep::report("alignment of a group", group.sm.smCoscheduledAlignment, "SMs");
    lockstep::report("alignment of its context", its.sm.smCoscheduledAlignment, "SMs");
    return right && groups > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
