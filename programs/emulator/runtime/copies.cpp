#include "copies.hpp"

#include <cstring>
#include <memory>
#include <vector>

#include "entry.hpp"
#include "memory_sides.hpp"

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

void move(void* to, const void* from, size_t bytes) {
    memmove(to, from, bytes);
    copy_states(to, from, bytes);
}

}  // namespace

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
        !fits(from, from_pitch * (height - 1) + width))
        return cudaErrorInvalidValue;
    const auto rows = [=](const unsigned char* source, size_t source_pitch) {
        for (size_t row = 0; row < height; ++row)
            move(static_cast<unsigned char*>(to) + row * to_pitch, source + row * source_pitch,
                 width);
        return cudaSuccess;
    };
    const auto* source = static_cast<const unsigned char*>(from);
    if (!wait && !stream.capture && from_side == memory_side::pageable &&
        to_side != memory_side::pageable) {
        // Pageable memory is staged before the call returns: a change afterwards does not count. A
        // graph reads it each time.
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

cudaError_t fill(void* to, size_t pitch, int value, size_t width, size_t height,
                 device_stream& stream, bool wait) {
    if (width == 0 || height == 0) return cudaSuccess;
    if (height > 1 && pitch < width) return cudaErrorInvalidValue;
    const memory_side side = side_of(to);
    if (!to || side == memory_side::bad || side == memory_side::pageable ||
        !fits(to, pitch * (height - 1) + width))
        return cudaErrorInvalidValue;
    const work_item work = enqueue(stream, [=] {
        for (size_t row = 0; row < height; ++row) {
            unsigned char* begin = static_cast<unsigned char*>(to) + row * pitch;
            memset(begin, value, width);
            mark_initialized(begin, width);
        }
        return cudaSuccess;
    });
    return wait && side != memory_side::device ? finished(work) : cudaSuccess;
}

}  // namespace emulator
