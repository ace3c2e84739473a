#include "copies.hpp"

#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "captures.hpp"
#include "graphs.hpp"
#include "host_uses.hpp"
#include "memory_sides.hpp"
#include "texel_arrays.hpp"
#include "virtual_memory.hpp"

namespace emulator {

namespace {

bool direction_holds(memory_side to, memory_side from, cudaMemcpyKind kind) {
    if (to == memory_side::bad || from == memory_side::bad) return false;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind == cudaMemcpyDefault) return true;
    if (to_device && to == memory_side::pageable) return false;
    if (from_device && from == memory_side::pageable) return false;
    if (!to_device && to == memory_side::device) return false;
    return from_device || from != memory_side::device;
}

// Memory of pools and graphs comes and goes in the order of the work.
bool is_there(const void* p, size_t bytes, bool write) {
    if (!in_arena(p)) return true;
    const unsigned char* states = write ? shadow_of(p) : states_to_read(p);
    if (!memchr(states, abi::shadow_not_allocated, bytes)) return true;
    fflush(stdout);
    const char* what = write ? "writes" : "reads";
    if (find_range(p)) {
        fprintf(stderr,
                "emulator: a copy or a fill %s reserved addresses whose mapping was taken away "
                "before: wait for the work first\n",
                what);
        return false;
    }
    fprintf(stderr,
            "emulator: a copy or a fill %s memory that is not there at this point of the stream's "
            "order: it was freed, or is allocated later\n",
            what);
    return false;
}

bool host_has_waited(const void* p, size_t bytes, bool write) {
    if (!in_arena(p)) return true;
    const std::optional<host_use> other = host_use_after(host_uses_before, p, bytes, write);
    if (!other) return true;
    fflush(stdout);
    fprintf(stderr,
            "emulator: a copy or a fill %s memory that the host %s%s%s before it waited for it\n",
            write ? "writes" : "reads", other->wrote ? "wrote" : "read",
            other->place.empty() ? "" : " at ", other->place.c_str());
    return false;
}

// To the host, of device memory that nothing has written.
bool brings_nothing(const void* to, const void* from, size_t bytes) {
    if (!bytes || !in_arena(from) || side_of(from) != memory_side::device ||
        side_of(to) == memory_side::device ||
        any_is(states_to_read(from), bytes, abi::shadow_initialized))
        return false;
    fflush(stdout);
    fprintf(stderr,
            "emulator: a copy brings %zu bytes of device memory to the host of which none was ever "
            "written\n",
            bytes);
    return true;
}

cudaError_t move(void* to, const void* from, size_t bytes) {
    if (!is_there(from, bytes, false) || !is_there(to, bytes, true)) return cudaErrorIllegalAddress;
    if (!host_has_waited(from, bytes, false) || !host_has_waited(to, bytes, true))
        return cudaErrorLaunchFailure;
    if (brings_nothing(to, from, bytes)) return cudaErrorLaunchFailure;
    memmove(to, from, bytes);
    copy_states(to, from, bytes);
    return cudaSuccess;
}

const unsigned char* begin_of(const cudaPitchedPtr& area, const cudaPos& at) {
    return static_cast<const unsigned char*>(area.ptr) + (at.z * area.ysize + at.y) * area.pitch +
           at.x;
}
size_t reach(const cudaPitchedPtr& area, const cudaExtent& size) {
    return ((size.depth - 1) * area.ysize + size.height - 1) * area.pitch + size.width;
}
bool lies_well(const cudaPitchedPtr& area, const cudaPos& at, const cudaExtent& size) {
    const bool rows = size.height * size.depth > 1;
    return area.ptr && (!rows || area.pitch >= at.x + size.width) &&
           side_of(area.ptr) != memory_side::bad && fits(begin_of(area, at), reach(area, size));
}

}  // namespace

cudaError_t check(const cudaMemcpy3DParms& copy) {
    if (copy.srcArray || copy.dstArray)
        return cudaErrorInvalidValue;  // of graphs: the emulator lacks them
    if (copy.kind < cudaMemcpyHostToHost || copy.kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    const cudaExtent size = copy.extent;
    if (size.width * size.height * size.depth == 0) return cudaErrorInvalidValue;
    if (!lies_well(copy.dstPtr, copy.dstPos, size) || !lies_well(copy.srcPtr, copy.srcPos, size) ||
        !writable(begin_of(copy.dstPtr, copy.dstPos), reach(copy.dstPtr, size)))
        return cudaErrorInvalidValue;
    return direction_holds(side_of(copy.dstPtr.ptr), side_of(copy.srcPtr.ptr), copy.kind)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

cudaError_t check(const cudaMemsetParams& fill) {
    const size_t element = fill.elementSize, width = fill.width * element;
    if ((element != 1 && element != 2 && element != 4) || width == 0 || fill.height == 0)
        return cudaErrorInvalidValue;
    if (!fill.dst || uintptr_t(fill.dst) % element || (fill.height > 1 && fill.pitch < width))
        return cudaErrorInvalidValue;
    const memory_side side = side_of(fill.dst);
    return side != memory_side::bad && side != memory_side::pageable &&
                   fits(fill.dst, (fill.height - 1) * fill.pitch + width) &&
                   writable(fill.dst, (fill.height - 1) * fill.pitch + width)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

cudaError_t carry_out(const cudaMemcpy3DParms& copy) {
    for (size_t slice = 0; slice < copy.extent.depth; ++slice)
        for (size_t row = 0; row < copy.extent.height; ++row) {
            const auto at = [&](const cudaPitchedPtr& area, cudaPos place) {
                place.y += row;
                place.z += slice;
                return const_cast<unsigned char*>(begin_of(area, place));
            };
            const cudaError_t error =
                move(at(copy.dstPtr, copy.dstPos), at(copy.srcPtr, copy.srcPos), copy.extent.width);
            if (error != cudaSuccess) return error;
        }
    return cudaSuccess;
}

cudaError_t carry_out(const cudaMemsetParams& fill) {
    for (size_t row = 0; row < fill.height; ++row) {
        unsigned char* begin = static_cast<unsigned char*>(fill.dst) + row * fill.pitch;
        if (!is_there(begin, fill.width * fill.elementSize, true)) return cudaErrorIllegalAddress;
        if (!host_has_waited(begin, fill.width * fill.elementSize, true))
            return cudaErrorLaunchFailure;
        for (size_t i = 0; i < fill.width; ++i)
            memcpy(begin + i * fill.elementSize, &fill.value, fill.elementSize);
        mark_initialized(begin, fill.width * fill.elementSize);
    }
    return cudaSuccess;
}

static cudaError_t capture_copy(const cudaMemcpy3DParms& wanted, device_stream& stream) {
    const auto node = new_node(cudaGraphNodeTypeMemcpy);
    node->copy = wanted;
    capture_node(stream, node);
    return cudaSuccess;
}

cudaError_t copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                 size_t height, cudaMemcpyKind kind, device_stream& stream, bool wait) {
    if (width == 0 || height == 0) return cudaSuccess;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!to || !from) return cudaErrorInvalidValue;
    for (const size_t pitch : {to_pitch, from_pitch}) {
        if (pitch < width && height > 1) return cudaErrorInvalidPitchValue;
        if (pitch < width && pitch != 0) return cudaErrorInvalidValue;
    }
    const memory_side to_side = side_of(to), from_side = side_of(from);
    if (!stream.capture && !direction_holds(to_side, from_side, kind)) return cudaErrorInvalidValue;
    if (!fits(to, to_pitch * (height - 1) + width) ||
        !fits(from, from_pitch * (height - 1) + width) ||
        !writable(to, to_pitch * (height - 1) + width))
        return cudaErrorInvalidValue;
    if (stream.capture)
        return capture_copy({nullptr,
                             {},
                             {const_cast<void*>(from), from_pitch, width, height},
                             nullptr,
                             {},
                             {to, to_pitch, width, height},
                             {width, height, 1},
                             kind},
                            stream);
    const auto rows = [=](const unsigned char* source, size_t source_pitch) {
        cudaError_t error = cudaSuccess;
        for (size_t row = 0; row < height && error == cudaSuccess; ++row)
            error = move(static_cast<unsigned char*>(to) + row * to_pitch,
                         source + row * source_pitch, width);
        return error;
    };
    const auto* source = static_cast<const unsigned char*>(from);
    if (!wait && from_side == memory_side::pageable && to_side != memory_side::pageable) {
        // Pageable memory is staged before the call returns: a change afterwards does not count.
        auto staged = std::make_shared<std::vector<unsigned char>>(width * height);
        for (size_t row = 0; row < height; ++row)
            memcpy(staged->data() + row * width, source + row * from_pitch, width);
        enqueue(stream, [=] { return rows(staged->data(), width); });
        return cudaSuccess;
    }
    const work_item work = enqueue(stream, [=] { return rows(source, from_pitch); });
    const auto on_host = [](memory_side side) {
        return side == memory_side::pageable || side == memory_side::pinned;
    };
    const bool within_device = to_side == memory_side::device && from_side == memory_side::device;
    const bool within_host = on_host(to_side) && on_host(from_side);
    return (wait && !within_device) || to_side == memory_side::pageable || within_host
               ? finished(work)
               : cudaSuccess;
}

cudaError_t copy(const cudaMemcpy3DParms& asked, device_stream& stream, bool wait) {
    cudaMemcpy3DParms wanted;
    if (const cudaError_t error = without_arrays(asked, &wanted); error != cudaSuccess)
        return error;
    if (wanted.extent.width * wanted.extent.height * wanted.extent.depth == 0) return cudaSuccess;
    if (const cudaError_t error = check(wanted); error != cudaSuccess) return error;
    if (stream.capture) return capture_copy(wanted, stream);
    cudaPos to = wanted.dstPos, from = wanted.srcPos;
    for (size_t layer = 0; layer < wanted.extent.depth; ++layer, ++to.z, ++from.z) {
        const cudaError_t error =
            copy(const_cast<unsigned char*>(begin_of(wanted.dstPtr, to)), wanted.dstPtr.pitch,
                 begin_of(wanted.srcPtr, from), wanted.srcPtr.pitch, wanted.extent.width,
                 wanted.extent.height, wanted.kind, stream, wait);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t fill(void* to, size_t pitch, int value, size_t width, size_t height,
                 device_stream& stream, bool wait) {
    if (width == 0 || height == 0) return cudaSuccess;
    if (height > 1 && pitch < width) return cudaErrorInvalidValue;
    const memory_side side = side_of(to);
    if (!to || side == memory_side::bad || side == memory_side::pageable ||
        !fits(to, pitch * (height - 1) + width) || !writable(to, pitch * (height - 1) + width))
        return cudaErrorInvalidValue;
    if (stream.capture) {
        const auto node = new_node(cudaGraphNodeTypeMemset);
        node->fill = {to, pitch, unsigned(value & 0xff), 1, width, height};
        capture_node(stream, node);
        return cudaSuccess;
    }
    const work_item work = enqueue(stream, [=] {
        for (size_t row = 0; row < height; ++row) {
            unsigned char* begin = static_cast<unsigned char*>(to) + row * pitch;
            if (!is_there(begin, width, true)) return cudaErrorIllegalAddress;
            if (!host_has_waited(begin, width, true)) return cudaErrorLaunchFailure;
            memset(begin, value, width);
            mark_initialized(begin, width);
        }
        return cudaSuccess;
    });
    return wait && side != memory_side::device ? finished(work) : cudaSuccess;
}

}  // namespace emulator
