// A structure that is passed to a kernel must look the same on both sides. float4 has
// an alignment of 16, four floats have one of 4.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [structures]
struct four_floats {
    float x, y, z, w;
};
struct with_vector {
    float first;
    float4 second;
};
struct with_floats {
    float first;
    four_floats second;
};
// [/structures]

/// Sizes and alignments as the device sees them.
/// @param found  four ints in device memory, written
__global__ void look(int* found) {
    found[0] = sizeof(with_vector);
    found[1] = __alignof(with_vector);
    found[2] = sizeof(with_floats);
    found[3] = __alignof(with_floats);
}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_found(4);
    look<<<1, 1>>>(d_found.data());
    lockstep::check(cudaGetLastError());
    const auto device = d_found.to_host();
    const int host[] = {sizeof(with_vector), __alignof(with_vector),
                        sizeof(with_floats), __alignof(with_floats)};
    std::printf("%-28s%8s%8s\n", "", "host", "device");
    const char* names[] = {"float, float4: bytes", "float, float4: alignment",
                           "five floats: bytes", "five floats: alignment"};
    bool same = true;
    for (int i = 0; i < 4; ++i) {
        std::printf("%-28s%8d%8d\n", names[i], host[i], device[i]);
        same = same && host[i] == device[i];
    }
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
