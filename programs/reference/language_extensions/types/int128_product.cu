// Does device code have integers of 128 bits? Yes, where the host compiler has them.
// The product of two 64-bit numbers fits, on the device as on the host.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

using wide = unsigned __int128;

// [kernel]
/// Multiplies, and divides the product again.
/// @param a, b  the factors
/// @param out   in device memory: high and low half of a * b, and a * b / a
__global__ void multiply(unsigned long long a, unsigned long long b,
                         unsigned long long* out) {
    const wide product = static_cast<wide>(a) * b;
    out[0] = static_cast<unsigned long long>(product >> 64);
    out[1] = static_cast<unsigned long long>(product);
    out[2] = static_cast<unsigned long long>(product / a);
}
// [/kernel]

int main() {
    lockstep::require_device();
    constexpr unsigned long long a = 0xFEDC'BA98'7654'3210, b = 0x0123'4567'89AB'CDEF;
    lockstep::device_buffer<unsigned long long> d_out(3);
    d_out.fill_bytes(0);
    multiply<<<1, 1>>>(a, b, d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<unsigned long long> out = d_out.to_host();

    const wide product = static_cast<wide>(a) * b;
    const bool same = (static_cast<wide>(out[0]) << 64 | out[1]) == product;
    lockstep::report("size of __int128", sizeof(wide), "bytes");
    lockstep::report("alignment of __int128", alignof(wide), "bytes");
    lockstep::report("product as on the host", same);
    lockstep::report("product / a is b", out[2] == b);
    return same && out[2] == b ? EXIT_SUCCESS : EXIT_FAILURE;
}
