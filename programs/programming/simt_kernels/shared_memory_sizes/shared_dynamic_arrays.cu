// How does a kernel get shared memory whose size is known only at the launch? As one
// array, of as many bytes as the third value of the launch says. A kernel that needs
// several arrays divides it by hand, and each must begin where its type may begin: 128
// shorts end at a multiple of four bytes, 127 do not.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [layout]
/// Where three arrays lie in dynamic shared memory, in bytes from its start.
struct layout {
    unsigned floats;  ///< after the shorts, which begin at 0
    unsigned chars;  ///< after the floats
    unsigned end;  ///< the size of all three
};

/// Lays out three arrays of `count` elements each.
/// @param count  elements of each array
/// @param align  whether the floats begin at a multiple of their size
layout lay_out(unsigned count, bool align) {
    unsigned floats = count * sizeof(short);
    if (align) floats = (floats + alignof(float) - 1) / alignof(float) * alignof(float);
    const unsigned chars = floats + count * sizeof(float);
    return {floats, chars, chars + count};
}
// [/layout]

// [kernel]
/// Fills three arrays in shared memory and adds one element of each.
/// @param count   elements of each array, one for each thread
/// @param places  where they begin
/// @param sums    one float for each thread in device memory
__global__ void fill_three(unsigned count, layout places, float* sums) {
    // the type decides the alignment of the start
    extern __shared__ std::int64_t memory[];
    char* start = reinterpret_cast<char*>(memory);
    short* shorts = reinterpret_cast<short*>(start);
    float* floats = reinterpret_cast<float*>(start + places.floats);
    char* chars = start + places.chars;
    shorts[threadIdx.x] = threadIdx.x;
    floats[threadIdx.x] = 1000.0f * threadIdx.x;
    chars[threadIdx.x] = 1;
    __syncthreads();
    const unsigned other = count - 1 - threadIdx.x;
    sums[threadIdx.x] = shorts[other] + floats[other] + chars[other];
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const unsigned count = options.integer<unsigned>("count", 128, 1, 128);
    const bool align = options.choice("align", {"yes", "no"}) == 0;
    const bool given = options.choice("third-number", {"given", "forgotten"}) == 0;
    options.finish();
    lockstep::require_device();

    const layout places = lay_out(count, align);
    lockstep::report("shorts begin at", 0, "bytes");
    lockstep::report("floats begin at", places.floats, "bytes");
    lockstep::report("chars begin at", places.chars, "bytes");
    lockstep::device_buffer<float> d_sums(count);
    d_sums.fill_bytes(0xFF);
    // [launch]
    if (given)
        fill_three<<<1, count, places.end>>>(count, places, d_sums.data());
    else
        // no shared memory at all
        fill_three<<<1, count>>>(count, places, d_sums.data());
    lockstep::check(cudaGetLastError());
    const cudaError_t found = cudaDeviceSynchronize();
    // [/launch]
    lockstep::report("kernel ended with", cudaGetErrorName(found));
    const bool misaligned = places.floats % alignof(float) != 0;
    if (found != cudaSuccess) return misaligned || !given ? EXIT_SUCCESS : EXIT_FAILURE;
    int wrong = 0;
    const std::vector<float> sums = d_sums.to_host();
    for (unsigned i = 0; i < count; ++i)
        wrong += sums[i] != 1001.0f * (count - 1 - i) + 1;
    lockstep::report("wrong sums", wrong);
    return wrong == 0 && !misaligned && given ? EXIT_SUCCESS : EXIT_FAILURE;
}
