// Managed memory: advice, prefetches and their attributes. They are remembered, and change nothing
// else: both sides see the same memory.

#include <algorithm>
#include <cstring>
#include <vector>

#include "captures.hpp"
#include "memory_sides.hpp"

namespace {

using namespace emulator;

constexpr cudaMemLocation nowhere{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};

struct range {
    memory_allocation* allocation = nullptr;
    uintptr_t begin = 0, end = 0;
};

cudaError_t managed_range(const void* p, size_t bytes, range* found) {
    memory_allocation* allocation = host_allocation(p);
    if (bytes == 0 || !allocation || allocation->kind != managed_memory || !fits(p, bytes))
        return cudaErrorInvalidValue;
    *found = {allocation, uintptr_t(p), uintptr_t(p) + bytes};
    return cudaSuccess;
}

// The parts of a range, each with hints of its own; parts begin where hints ever did.
std::vector<memory_hints*> parts(const range& asked) {
    auto& hints = asked.allocation->hints;
    const auto split = [&](uintptr_t at) {
        if (hints.empty()) hints[asked.allocation->begin] = {};
        if (at < asked.allocation->begin + asked.allocation->bytes)
            hints.try_emplace(at, std::prev(hints.upper_bound(at))->second);
    };
    split(asked.begin);
    split(asked.end);
    std::vector<memory_hints*> found;
    for (auto part = hints.find(asked.begin); part != hints.end() && part->first < asked.end;
         ++part)
        found.push_back(&part->second);
    return found;
}

bool no_such_device(cudaMemLocation place) {
    return place.type == cudaMemLocationTypeDevice && place.id != 0;
}

int number_of(cudaMemLocation place) {
    switch (place.type) {
        case cudaMemLocationTypeDevice: return place.id;
        case cudaMemLocationTypeHost: return cudaCpuDeviceId;
        default: return cudaInvalidDeviceId;
    }
}

bool is_node(cudaMemLocation place) {
    return place.type == cudaMemLocationTypeHostNuma ||
           place.type == cudaMemLocationTypeHostNumaCurrent;
}

bool same(cudaMemLocation a, cudaMemLocation b) { return a.type == b.type && a.id == b.id; }

// What all parts of a range have; nowhere if they differ.
template <class F>
cudaMemLocation common(const std::vector<memory_hints*>& found, F&& place) {
    for (const memory_hints* part : found)
        if (!same(place(*part), place(*found.front()))) return nowhere;
    return place(*found.front());
}

cudaError_t tell(const range& asked, cudaMemRangeAttribute which, void* data, size_t bytes) {
    const std::vector<memory_hints*> found = parts(asked);
    const auto all = [&](auto&& has) { return std::all_of(found.begin(), found.end(), has); };
    const cudaMemLocation preferred =
        common(found, [](const memory_hints& part) { return part.preferred; });
    const cudaMemLocation prefetched =
        common(found, [](const memory_hints& part) { return part.prefetched; });
    if (!data || bytes == 0 || bytes % sizeof(int)) return cudaErrorInvalidValue;
    int* values = static_cast<int*>(data);
    if (which == cudaMemRangeAttributeAccessedBy) {
        std::fill(values, values + bytes / sizeof(int), cudaInvalidDeviceId);
        int* next = values;
        const auto add = [&](int number, bool has) {
            if (has && next != values + bytes / sizeof(int)) *next++ = number;
        };
        add(0, all([](const memory_hints* part) { return part->used_by_device; }));
        add(cudaCpuDeviceId, all([](const memory_hints* part) { return part->used_by_host; }));
        return cudaSuccess;
    }
    if (bytes != sizeof(int)) return cudaErrorInvalidValue;
    switch (which) {
        case cudaMemRangeAttributeReadMostly:
            *values = all([](const memory_hints* part) { return part->read_mostly; });
            return cudaSuccess;
        case cudaMemRangeAttributePreferredLocation:
            *values = number_of(preferred);
            return cudaSuccess;
        case cudaMemRangeAttributeLastPrefetchLocation:
            *values = number_of(prefetched);
            return cudaSuccess;
        case cudaMemRangeAttributePreferredLocationType:
            *values = int(preferred.type);
            return cudaSuccess;
        case cudaMemRangeAttributePreferredLocationId: *values = preferred.id; return cudaSuccess;
        case cudaMemRangeAttributeLastPrefetchLocationType:
            *values = int(prefetched.type);
            return cudaSuccess;
        case cudaMemRangeAttributeLastPrefetchLocationId:
            *values = prefetched.id;
            return cudaSuccess;
        default: return cudaErrorInvalidValue;
    }
}

cudaMemLocation remembered(cudaMemLocation place) {
    const bool named =
        place.type == cudaMemLocationTypeDevice || place.type == cudaMemLocationTypeHostNuma;
    return {place.type, named ? place.id : 0};
}

cudaError_t prefetch(const void* p, size_t bytes, cudaMemLocation place) {
    range asked;
    const cudaError_t error = managed_range(p, bytes, &asked);
    if (error != cudaSuccess) return error;
    if (no_such_device(place)) return cudaErrorInvalidDevice;
    for (memory_hints* part : parts(asked)) part->prefetched = remembered(place);
    return cudaSuccess;
}

// Ranges of one call, each handled in order.
template <class F>
cudaError_t each_range(void** begins, const size_t* sizes, size_t count, unsigned long long flags,
                       cudaStream_t handle, F&& act) {
    return in_stream(handle, [&](device_stream& stream) {
        if (!begins || !sizes || count == 0 || flags != 0 || &stream == stream_of(nullptr))
            return cudaErrorInvalidValue;
        if (spoils(stream)) return cudaErrorStreamCaptureUnsupported;
        for (size_t i = 0; i < count; ++i) {
            const cudaError_t error = act(stream, i);
            if (error != cudaSuccess) return error;
        }
        return cudaSuccess;
    });
}

// The number of the location for a range: of the last whose first range is not after it.
size_t place_of(const size_t* firsts, size_t count, size_t number) {
    size_t found = 0;
    while (found + 1 < count && firsts[found + 1] <= number) ++found;
    return found;
}

cudaError_t discard(device_stream& stream, void* p, size_t bytes) {
    range asked;
    const cudaError_t error = managed_range(p, bytes, &asked);
    if (error != cudaSuccess) return error;
    enqueue(stream, [=] {
        forget_values(p, bytes);
        return cudaSuccess;
    });
    return cudaSuccess;
}

}  // namespace

extern "C" {

// Which stream's kernels may use memory says nothing here, where the host may touch it at any time.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* p, size_t length, unsigned flags) {
    return in_stream(handle, [=](device_stream& stream) {
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
            flags != cudaMemAttachSingle)
            return cudaErrorInvalidValue;
        const memory_allocation* found = host_allocation(p);
        if (!found || found->kind != managed_memory ||
            (length != 0 && (found->begin != uintptr_t(p) || found->bytes != length)))
            return cudaErrorInvalidValue;
        if (flags == cudaMemAttachSingle && &stream == stream_of(nullptr))
            return cudaErrorInvalidValue;
        if (spoils(stream)) return cudaErrorStreamCaptureUnsupported;
        enqueue(stream, [] { return cudaSuccess; });
        return cudaSuccess;
    });
}
cudaError_t cudaMemAdvise(const void* p, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation place) {
    return enter([=] {
        range asked;
        const cudaError_t error = managed_range(p, bytes, &asked);
        if (error != cudaSuccess) return error;
        if (no_such_device(place)) return cudaErrorInvalidDevice;
        if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
            return cudaErrorInvalidValue;
        const bool set = advice == cudaMemAdviseSetAccessedBy;
        for (memory_hints* part : parts(asked)) {
            if (advice == cudaMemAdviseSetReadMostly) part->read_mostly = true;
            if (advice == cudaMemAdviseUnsetReadMostly) part->read_mostly = false;
            // A node of the host is accepted and, as on an H200 with driver 580, not remembered.
            if (advice == cudaMemAdviseSetPreferredLocation && !is_node(place))
                part->preferred = remembered(place);
            if (advice == cudaMemAdviseUnsetPreferredLocation) part->preferred = nowhere;
            if (set || advice == cudaMemAdviseUnsetAccessedBy)
                (place.type == cudaMemLocationTypeDevice ? part->used_by_device
                                                         : part->used_by_host) = set;
        }
        return cudaSuccess;
    });
}
cudaError_t cudaMemPrefetchAsync(const void* p, size_t bytes, cudaMemLocation place, unsigned flags,
                                 cudaStream_t handle) {
    return in_stream(handle, [=](device_stream& stream) {
        if (flags != 0) return cudaErrorInvalidValue;
        if (no_such_device(place)) return cudaErrorInvalidDevice;
        const cudaError_t error = prefetch(p, bytes, place);
        if (error != cudaSuccess) return error;
        if (spoils(stream)) return cudaErrorStreamCaptureUnsupported;
        enqueue(stream, [] { return cudaSuccess; });
        return cudaSuccess;
    });
}
cudaError_t cudaMemPrefetchBatchAsync(void** begins, size_t* sizes, size_t count,
                                      cudaMemLocation* places, size_t* firsts, size_t place_count,
                                      unsigned long long flags, cudaStream_t stream) {
    if (!places || !firsts || place_count == 0) return refuse(cudaErrorInvalidValue);
    return each_range(begins, sizes, count, flags, stream, [=](device_stream&, size_t i) {
        return prefetch(begins[i], sizes[i], places[place_of(firsts, place_count, i)]);
    });
}
cudaError_t cudaMemDiscardBatchAsync(void** begins, size_t* sizes, size_t count,
                                     unsigned long long flags, cudaStream_t handle) {
    return each_range(begins, sizes, count, flags, handle, [=](device_stream& stream, size_t i) {
        return discard(stream, begins[i], sizes[i]);
    });
}
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** begins, size_t* sizes, size_t count,
                                                cudaMemLocation* places, size_t* firsts,
                                                size_t place_count, unsigned long long flags,
                                                cudaStream_t handle) {
    const cudaError_t error = cudaMemDiscardBatchAsync(begins, sizes, count, flags, handle);
    return error == cudaSuccess ? cudaMemPrefetchBatchAsync(begins, sizes, count, places, firsts,
                                                            place_count, flags, handle)
                                : error;
}
cudaError_t cudaMemRangeGetAttribute(void* data, size_t bytes, cudaMemRangeAttribute which,
                                     const void* p, size_t length) {
    return enter([=] {
        range asked;
        const cudaError_t error = managed_range(p, length, &asked);
        return error == cudaSuccess ? tell(asked, which, data, bytes) : error;
    });
}
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* bytes, cudaMemRangeAttribute* which,
                                      size_t count, const void* p, size_t length) {
    return enter([=] {
        range asked;
        cudaError_t error = managed_range(p, length, &asked);
        if (!data || !bytes || !which || count == 0) return cudaErrorInvalidValue;
        for (size_t i = 0; i < count && error == cudaSuccess; ++i)
            error = tell(asked, which[i], data[i], bytes[i]);
        return error;
    });
}

}  // extern "C"
