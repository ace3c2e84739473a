// All lanes of a warp store to one word. One of the values remains, and which one is
// undefined. Of atomic additions to one word, all take effect.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Writes from 32 lanes to the same places.
/// @param words  two words in device memory, at 0
__global__ void write(int* words) {
    words[0] = 100 + static_cast<int>(threadIdx.x);
    atomicAdd(words + 1, 1);
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_words(2);
    d_words.fill_bytes(0);
    write<<<1, 32>>>(d_words.data());
    lockstep::check(cudaGetLastError());
    const auto words = d_words.to_host();
    const bool one_of_them = words[0] >= 100 && words[0] < 132;
    lockstep::report("one of 32 values remains", one_of_them);
    lockstep::report("atomic additions", words[1]);
    return one_of_them && words[1] == 32 ? EXIT_SUCCESS : EXIT_FAILURE;
}
