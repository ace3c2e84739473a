// May different lanes of a warp call __syncwarp with different masks? Yes, if the masks
// share no lane. Lanes 0 to 15 reverse their words in shared memory, lanes 16 to 31
// rotate theirs, in the two branches of one if, and each half waits for itself only.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// One warp; each half exchanges words in its own way.
/// @param words  32 ints in device memory, replaced
__global__ void exchange_in_halves(int* words) {
    __shared__ int shared_words[32];
    const int lane = threadIdx.x;
    shared_words[lane] = words[lane];
    if (lane < 16) {
        __syncwarp(0x0000ffff);
        words[lane] = shared_words[15 - lane];
    } else {
        __syncwarp(0xffff0000);
        words[lane] = shared_words[16 + (lane + 1) % 16];
    }
}
// [/kernel]

int main() {
    lockstep::require_device();

    std::vector<int> words(32), expected(32);
    for (int lane = 0; lane < 32; ++lane) {
        words[lane] = lane;
        expected[lane] = lane < 16 ? 15 - lane : 16 + (lane + 1) % 16;
    }
    lockstep::device_buffer<int> d_words(words);
    exchange_in_halves<<<1, 32>>>(d_words.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> found = d_words.to_host();
    lockstep::report("lane 0 received from lane", found[0]);
    lockstep::report("lane 15 received from lane", found[15]);
    lockstep::report("lane 16 received from lane", found[16]);
    lockstep::report("lane 31 received from lane", found[31]);
    const std::size_t wrong = lockstep::count_mismatches(found, expected);
    lockstep::report("wrong words", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
