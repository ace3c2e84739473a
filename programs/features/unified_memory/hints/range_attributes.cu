// What does the driver remember of a range of managed memory? Eight attributes tell
// which advice and which prefetch a range was given, one by one or all at once. If the
// two halves of a range were given different ones, the answer is "none" or "invalid".

#include <array>
#include <cstdlib>
#include <string>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// What is asked for, in the order of the enumeration.
struct hints {
    int read_mostly;
    int preferred;
    int accessed_by[2];
    int prefetched;
    cudaMemLocationType preferred_type;
    int preferred_id;
    cudaMemLocationType prefetched_type;
    int prefetched_id;
};

/// All attributes of a range, by one call.
/// @param data   start of the range
/// @param bytes  its length
hints all_of(const void* data, std::size_t bytes) {
    // [all]
    hints found{};
    std::array<cudaMemRangeAttribute, 8> attributes = {
        cudaMemRangeAttributeReadMostly,
        cudaMemRangeAttributePreferredLocation,
        cudaMemRangeAttributeAccessedBy,
        cudaMemRangeAttributeLastPrefetchLocation,
        cudaMemRangeAttributePreferredLocationType,
        cudaMemRangeAttributePreferredLocationId,
        cudaMemRangeAttributeLastPrefetchLocationType,
        cudaMemRangeAttributeLastPrefetchLocationId};
    void* results[] = {&found.read_mostly,     &found.preferred,
                       &found.accessed_by,     &found.prefetched,
                       &found.preferred_type,  &found.preferred_id,
                       &found.prefetched_type, &found.prefetched_id};
    std::size_t sizes[] = {4, 4, 8, 4, 4, 4, 4, 4};
    lockstep::check(cudaMemRangeGetAttributes(results, sizes, attributes.data(),
                                              attributes.size(), data, bytes));
    // [/all]
    return found;
}

/// A location as text; where the type is neither device nor node, the id means nothing.
/// @param type  of the location
/// @param id    of the location
std::string place(cudaMemLocationType type, int id) {
    switch (type) {
        case cudaMemLocationTypeDevice: return "device " + std::to_string(id);
        case cudaMemLocationTypeHost: return "host";
        case cudaMemLocationTypeHostNuma: return "host node " + std::to_string(id);
        case cudaMemLocationTypeInvalid: return "invalid";
        case cudaMemLocationTypeHostNumaCurrent: return "nearest node";
        default: return "type " + std::to_string(type);
    }
}

/// Prints the attributes of a range in one line.
/// @param label  which range, after which call
/// @param found  its attributes
void show(const char* label, const hints& found) {
    std::string line = found.read_mostly ? "read mostly, " : "";
    line += "preferred " + place(found.preferred_type, found.preferred_id);
    line += ", accessed by";
    for (const int processor : found.accessed_by)
        line += processor == cudaInvalidDeviceId ? " -"
                : processor == cudaCpuDeviceId   ? " CPU"
                                                 : " " + std::to_string(processor);
    line += ", prefetched to " + place(found.prefetched_type, found.prefetched_id);
    lockstep::report(label, line.c_str());
}

int main() {
    lockstep::require_device();
    int concurrent = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    if (!concurrent) {
        lockstep::report("concurrent managed access", "no: hints have no effect");
        return EXIT_SUCCESS;
    }
    constexpr std::size_t bytes = std::size_t(4) << 20;
    char* data = nullptr;
    lockstep::check(cudaMallocManaged(&data, bytes));
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
    const cudaMemLocation node{cudaMemLocationTypeHostNuma, 0};
    const cudaMemLocation near{cudaMemLocationTypeHostNumaCurrent, 0};
    const auto advise = [&](std::size_t part, cudaMemoryAdvise advice,
                            cudaMemLocation where) {
        lockstep::check(cudaMemAdvise(data, part, advice, where));
    };
    // [steps]
    show("fresh", all_of(data, bytes));
    advise(bytes, cudaMemAdviseSetReadMostly, gpu);
    advise(bytes, cudaMemAdviseSetPreferredLocation, gpu);
    advise(bytes, cudaMemAdviseSetAccessedBy, gpu);
    advise(bytes, cudaMemAdviseSetAccessedBy, cpu);
    show("three kinds of advice", all_of(data, bytes));
    advise(bytes / 2, cudaMemAdviseSetPreferredLocation, cpu);
    lockstep::check(cudaMemPrefetchAsync(data, bytes / 2, cpu, 0, nullptr));
    const hints mixed = all_of(data, bytes);
    show("first half: preferred host", mixed);
    show("the first half alone", all_of(data, bytes / 2));
    advise(bytes, cudaMemAdviseUnsetReadMostly, gpu);
    advise(bytes, cudaMemAdviseUnsetAccessedBy, gpu);
    advise(bytes, cudaMemAdviseUnsetAccessedBy, cpu);
    advise(bytes, cudaMemAdviseUnsetPreferredLocation, gpu);
    lockstep::check(cudaMemPrefetchAsync(data, bytes, gpu, 0, nullptr));
    const hints cleared = all_of(data, bytes);
    show("all unset, prefetched", cleared);
    // [/steps]

    // [numa]
    char* second = nullptr;  // a fresh range
    lockstep::check(cudaMallocManaged(&second, bytes));
    const cudaError_t set_node =
        cudaMemAdvise(second, bytes, cudaMemAdviseSetPreferredLocation, node);
    lockstep::report("prefer host node 0", cudaGetErrorName(set_node));
    show("after that", all_of(second, bytes));
    const cudaError_t to_node = cudaMemPrefetchAsync(second, bytes, node, 0, nullptr);
    lockstep::report("prefetch to host node 0", cudaGetErrorName(to_node));
    show("after that", all_of(second, bytes));
    const cudaError_t to_near = cudaMemPrefetchAsync(second, bytes, near, 0, nullptr);
    lockstep::report("prefetch to nearest node", cudaGetErrorName(to_near));
    show("after that", all_of(second, bytes));
    // [/numa]
    // [one]
    int last = 0;
    lockstep::check(cudaMemRangeGetAttribute(
        &last, sizeof last, cudaMemRangeAttributeReadMostly, data, bytes));
    // [/one]
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cudaFree(data));
    lockstep::check(cudaFree(second));
    const bool right = mixed.preferred_type == cudaMemLocationTypeInvalid &&
                       mixed.preferred == cudaInvalidDeviceId &&
                       cleared.prefetched == 0 && last == 0;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
