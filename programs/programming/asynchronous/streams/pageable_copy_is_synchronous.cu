// Does cudaMemcpyAsync return before the copy is done? From pinned memory it does. From
// pageable memory it copies as correctly, but the host has to wait: here the stream is
// held at a latch, and the call comes back only when the latch has given up.

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

// [calls]
/// What a call of cudaMemcpyAsync did to the host.
struct outcome {
    bool went_on;  ///< the call returned while the stream was held
    double call_us;  ///< duration of the call in an idle stream
};

/// Copies to the device, first in a stream that is held and then in one that is idle.
/// @param d_x     destination in device memory
/// @param x       source in host memory
/// @param bytes   size of both
/// @param stream  an idle stream
outcome copy(void* d_x, const void* x, std::size_t bytes, cudaStream_t stream) {
    lockstep::stream_latch latch;
    latch.hold(stream, 200'000'000);  // a tenth of a second
    lockstep::check(cudaMemcpyAsync(d_x, x, bytes, cudaMemcpyHostToDevice, stream));
    const bool went_on = latch.closed();
    latch.open();
    lockstep::check(cudaStreamSynchronize(stream));

    const auto begin = std::chrono::steady_clock::now();
    lockstep::check(cudaMemcpyAsync(d_x, x, bytes, cudaMemcpyHostToDevice, stream));
    const auto end = std::chrono::steady_clock::now();
    lockstep::check(cudaStreamSynchronize(stream));
    return {went_on, std::chrono::duration<double, std::micro>(end - begin).count()};
}
// [/calls]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t bytes =
        options.integer<std::size_t>("bytes", 64 << 20, 1, 1LL << 30);
    options.finish();
    lockstep::require_device();

    // [memory]
    std::vector<unsigned char> pageable(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        pageable[i] = static_cast<unsigned char>(i % 251);
    void* pinned = nullptr;
    lockstep::check(cudaMallocHost(&pinned, bytes));
    std::memcpy(pinned, pageable.data(), bytes);
    // [/memory]
    lockstep::device_buffer<unsigned char> d_x(bytes);
    cudaStream_t stream = nullptr;
    lockstep::check(cudaStreamCreate(&stream));

    d_x.fill_bytes(0xFF);
    const outcome from_pinned = copy(d_x.data(), pinned, bytes, stream);
    const bool pinned_right = d_x.to_host() == pageable;
    d_x.fill_bytes(0xFF);
    const outcome from_pageable = copy(d_x.data(), pageable.data(), bytes, stream);
    const bool pageable_right = d_x.to_host() == pageable;

    lockstep::report("bytes", bytes);
    lockstep::report("pinned: host went on", from_pinned.went_on);
    lockstep::report("pageable: host went on", from_pageable.went_on);
    lockstep::report("pinned: call took", lockstep::measured{from_pinned.call_us},
                     "us");
    lockstep::report("pageable: call took", lockstep::measured{from_pageable.call_us},
                     "us");
    lockstep::report("both copies right", pinned_right && pageable_right);
    lockstep::check(cudaStreamDestroy(stream));
    lockstep::check(cudaFreeHost(pinned));
    // small copies from pageable memory are a question of their own
    const bool large = bytes >= (1 << 20);
    const bool waited =
        !from_pageable.went_on && from_pageable.call_us > 2 * from_pinned.call_us;
    return pinned_right && pageable_right && from_pinned.went_on && (!large || waited)
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
