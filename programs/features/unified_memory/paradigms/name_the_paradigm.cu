// Find out which paradigm of unified memory a machine has, and what a program may do
// there. The function gets three device attributes as ints. Return the paradigm, and
// whether the CPU may touch managed memory while a kernel runs, and whether a kernel
// may follow a pointer from malloc. Attributes of four machines are judged, and those
// of yours.

#include <string>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Attributes of a device, as cudaDeviceGetAttribute gives them.
struct attributes {
    int concurrent_managed_access;
    int pageable_memory_access;
    int uses_host_page_tables;
};

enum paradigm { limited, managed_only, all_in_software, all_in_hardware };

/// What the learner's part returns.
struct answer {
    paradigm kind;
    bool cpu_may_touch_during_kernel;
    bool kernel_may_follow_malloc;
};

// [task]
/// The paradigm of a machine.
/// @param of  its attributes
answer name(attributes of) {
    if (!of.concurrent_managed_access) return {limited, false, false};
    if (!of.pageable_memory_access) return {managed_only, true, false};
    return {of.uses_host_page_tables ? all_in_hardware : all_in_software, true, true};
}
//= given
//| /// The paradigm of a machine.
//| answer name(attributes) { return {managed_only, true, false}; }
//= mutant no_limited
//| answer name(attributes of) {
//|     if (!of.pageable_memory_access) return {managed_only, true, false};
//|     return {of.uses_host_page_tables ? all_in_hardware : all_in_software, true, true};
//| }
//= mutant software_forgotten
//| answer name(attributes of) {
//|     if (!of.concurrent_managed_access) return {limited, false, false};
//|     if (of.uses_host_page_tables) return {all_in_hardware, true, true};
//|     return {managed_only, true, of.pageable_memory_access != 0};
//| }
//= mutant touch_needs_pageable
//| answer name(attributes of) {
//|     if (!of.concurrent_managed_access) return {limited, false, false};
//|     if (!of.pageable_memory_access) return {managed_only, false, false};
//|     return {of.uses_host_page_tables ? all_in_hardware : all_in_software, true, true};
//| }
// [/task]

int main() {
    lockstep::require_device();
    const struct {
        const char* machine;
        attributes of;
        answer expected;
    } cases[] = {
        {"Windows", {0, 0, 0}, {limited, false, false}},
        {"Linux, HMM off", {1, 0, 0}, {managed_only, true, false}},
        {"Linux, HMM on", {1, 1, 0}, {all_in_software, true, true}},
        {"Grace Hopper", {1, 1, 1}, {all_in_hardware, true, true}},
    };
    lockstep::exercise_verdict verdict;
    const char* names[] = {"limited", "managed memory only", "all memory, in software",
                           "all memory, in hardware"};
    for (const auto& one : cases) {
        const answer found = name(one.of), expected = one.expected;
        std::string problem;  // the first one
        if (found.kernel_may_follow_malloc != expected.kernel_may_follow_malloc)
            problem = "may a kernel follow a pointer from malloc there?";
        if (found.cpu_may_touch_during_kernel != expected.cpu_may_touch_during_kernel)
            problem = "may the CPU touch managed memory during a kernel there?";
        if (found.kind != expected.kind)
            problem = std::string("kind is \"") + names[found.kind] +
                      "\", expected \"" + names[expected.kind] + "\"";
        verdict.holds(one.machine, problem.empty(), problem.c_str());
    }
    attributes here{};
    lockstep::check(cudaDeviceGetAttribute(&here.concurrent_managed_access,
                                           cudaDevAttrConcurrentManagedAccess, 0));
    lockstep::check(cudaDeviceGetAttribute(&here.pageable_memory_access,
                                           cudaDevAttrPageableMemoryAccess, 0));
    lockstep::check(
        cudaDeviceGetAttribute(&here.uses_host_page_tables,
                               cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0));
    lockstep::report("this machine", names[name(here).kind]);
    return verdict.finish();
}
