// Which NaN does an operation return if it receives one? IEEE 754 leaves the sign and
// the payload open. The program adds 1 to four NaNs, as floats and as doubles, and
// prints the bits of the sums: each of them is a quiet NaN.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Adds 1 to NaNs.
/// @param singles  bits of a float for each thread, replaced by the bits of the sum
/// @param doubles  bits of a double for each thread, replaced by the bits of the sum
__global__ void add_one(unsigned* singles, long long* doubles) {
    const unsigned i = threadIdx.x;
    singles[i] = __float_as_uint(__uint_as_float(singles[i]) + 1.0f);
    doubles[i] = __double_as_longlong(__longlong_as_double(doubles[i]) + 1.0);
}
// [/kernel]

int main() {
    lockstep::require_device();

    const char* names[] = {"quiet, no payload", "quiet, payload 0x123",
                           "negative, payload 0x123", "signaling, payload 0x123"};
    const std::vector<unsigned> singles{0x7fc00000, 0x7fc00123, 0xffc00123, 0x7f800123};
    const std::vector<long long> doubles{0x7ff8000000000000, 0x7ff8000000000123,
                                         static_cast<long long>(0xfff8000000000123),
                                         0x7ff0000000000123};
    lockstep::device_buffer<unsigned> d_singles(singles);
    lockstep::device_buffer<long long> d_doubles(doubles);
    add_one<<<1, 4>>>(d_singles.data(), d_doubles.data());
    lockstep::check(cudaGetLastError());
    const auto single_sums = d_singles.to_host();
    const auto double_sums = d_doubles.to_host();

    bool right = true;
    std::printf("%-26s%10s%10s%20s%20s\n", "NaN", "float", "plus 1", "double",
                "plus 1");
    for (int i = 0; i < 4; ++i) {
        std::printf("%-26s%10x%10x%20llx%20llx\n", names[i], singles[i], single_sums[i],
                    doubles[i], double_sums[i]);
        // the first bit of the fraction says that a NaN is quiet
        right &= (single_sums[i] & 0x7fc00000) == 0x7fc00000 &&
                 (double_sums[i] & 0x7ff8000000000000) == 0x7ff8000000000000;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
