// Which texels can an array hold? One, two or four components of 8, 16 or 32 bits:
// whole numbers with or without a sign, or floats. The channel description says so, and
// cudaCreateChannelDesc<T> derives it from a type.

#include <cstdio>
#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Allocates an array of a format, and prints what its texels are.
/// @return whether the array has this format
bool holds(const char* name, const cudaChannelFormatDesc& format) {
    cudaArray_t array = nullptr;
    lockstep::check(cudaMallocArray(&array, &format, 16, 16));
    cudaChannelFormatDesc stored{};
    cudaExtent extent{};
    unsigned flags = 0;
    lockstep::check(cudaArrayGetInfo(&stored, &extent, &flags, array));
    lockstep::check(cudaFreeArray(array));
    const char* kind = stored.f == cudaChannelFormatKindSigned     ? "signed"
                       : stored.f == cudaChannelFormatKindUnsigned ? "unsigned"
                       : stored.f == cudaChannelFormatKindFloat    ? "float"
                                                                   : "another kind";
    char text[64];
    std::snprintf(text, sizeof text, "%d %d %d %d bits, %s", stored.x, stored.y,
                  stored.z, stored.w, kind);
    lockstep::report(name, text);
    return stored.x == format.x && stored.y == format.y && stored.z == format.z &&
           stored.w == format.w && stored.f == format.f;
}

int main() {
    lockstep::require_device();

    // [formats]
    bool right = holds("unsigned char", cudaCreateChannelDesc<unsigned char>());
    right &= holds("uchar4", cudaCreateChannelDesc<uchar4>());
    right &= holds("short2", cudaCreateChannelDesc<short2>());
    right &= holds("int", cudaCreateChannelDesc<int>());
    right &= holds("float", cudaCreateChannelDesc<float>());
    right &= holds("float4", cudaCreateChannelDesc<float4>());
    right &= holds("one half", cudaCreateChannelDescHalf());
    right &= holds("four halves", cudaCreateChannelDescHalf4());
    right &= holds("two floats by hand",
                   cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindFloat));
    // [/formats]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
