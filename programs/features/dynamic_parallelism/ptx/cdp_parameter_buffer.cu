// What becomes of kernel<<<...>>>(...) in device code? A parameter buffer, filled with
// the arguments, and a call that launches it. This program makes both calls itself.

#include <cstddef>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [child]
/// What the child received.
struct received {
    long long sum;  ///< of all numbers among its arguments
    int offsets[5];  ///< of the arguments in the buffer
    int alignment;   ///< largest power of two, up to 64, that divides its address
    int error;       ///< what the launch returned
};

/// Adds up its arguments, which have four sizes; one thread.
/// @param c, i, d, s  numbers
/// @param r           in device memory, written
__global__ void child(char c, int i, double d, short s, received* r) {
    r->sum = c + i + static_cast<long long>(d) + s;
}
// [/child]

// [arguments]
/// Puts an argument at the next multiple of its size.
/// @param value   the argument
/// @param buffer  the parameter buffer
/// @param end     where the arguments before it end; increased
/// @return its offset
template <class T>
__device__ int put(T value, char* buffer, std::size_t* end) {
    const std::size_t at = (*end + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    *reinterpret_cast<T*>(buffer + at) = value;
    *end = at + sizeof(T);
    return static_cast<int>(at);
}

/// Launches the child by hand; one thread.
/// @param r  for the child
__global__ void parent(received* r) {
    auto* const buffer = static_cast<char*>(cudaGetParameterBuffer(64, 32));
    if (!buffer) {
        r->error = cudaErrorMemoryAllocation;
        return;
    }
    std::size_t end = 0;
    r->offsets[0] = put(static_cast<char>(1), buffer, &end);
    r->offsets[1] = put(20, buffer, &end);
    r->offsets[2] = put(300.0, buffer, &end);
    r->offsets[3] = put(static_cast<short>(4000), buffer, &end);
    r->offsets[4] = put(r, buffer, &end);
    const auto address = reinterpret_cast<std::size_t>(buffer);
    for (r->alignment = 1; r->alignment < 64 && address % (2 * r->alignment) == 0;)
        r->alignment *= 2;
    r->error = cudaLaunchDevice(reinterpret_cast<void*>(child), buffer, dim3(1),
                                dim3(1), 0, nullptr);
}
// [/arguments]

/// The same, left to the compiler; one thread.
/// @param r  for the child
__global__ void plain_parent(received* r) { child<<<1, 1>>>(1, 20, 300.0, 4000, r); }

int main() {
    lockstep::require_device();

    lockstep::device_buffer<received> d_by_hand(1), d_plain(1);
    d_by_hand.fill_bytes(0);
    d_plain.fill_bytes(0);
    parent<<<1, 1>>>(d_by_hand.data());
    plain_parent<<<1, 1>>>(d_plain.data());
    lockstep::check(cudaGetLastError());
    const received by_hand = d_by_hand.to_host()[0], plain = d_plain.to_host()[0];

    const char* labels[] = {"char at", "int at", "double at", "short at", "pointer at"};
    for (int i = 0; i < 5; ++i) lockstep::report(labels[i], by_hand.offsets[i]);
    lockstep::report("alignment asked for", 64, "bytes");
    lockstep::report("alignment found", by_hand.alignment, "bytes");
    lockstep::report("launch",
                     cudaGetErrorName(static_cast<cudaError_t>(by_hand.error)));
    lockstep::report("sum, by hand", by_hand.sum);
    lockstep::report("sum, by the compiler", plain.sum);
    return by_hand.sum == 4321 && plain.sum == 4321 ? EXIT_SUCCESS : EXIT_FAILURE;
}
