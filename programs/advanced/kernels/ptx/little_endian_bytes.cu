// In which order do the bytes of a number lie in the GPU's memory? The low-order byte
// first, as on the CPUs.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

/// Stores 0x01020304.
/// @param word  one word in device memory, written
__global__ void store(unsigned* word) { *word = 0x01020304; }

int main() {
    lockstep::require_device();

    lockstep::device_buffer<unsigned> word(1);
    store<<<1, 1>>>(word.data());
    lockstep::check(cudaGetLastError());
    unsigned char bytes[4] = {};
    lockstep::check(cudaMemcpy(bytes, word.data(), 4, cudaMemcpyDeviceToHost));
    std::printf("bytes of 0x01020304         %02x %02x %02x %02x\n", bytes[0], bytes[1],
                bytes[2], bytes[3]);
    return bytes[0] == 4 && bytes[1] == 3 && bytes[2] == 2 && bytes[3] == 1
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
