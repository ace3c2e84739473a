// Dynamic parallelism: a kernel launches another one, and a third that begins when both
// have ended, without the host.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Counts its threads.
/// @param sum  one int in device memory, increased
__global__ void child(int* sum) { atomicAdd(sum, 1); }

/// Reads the count.
/// @param sum   one int in device memory, read
/// @param seen  one int in device memory, written
__global__ void tail(const int* sum, int* seen) { *seen = *sum; }

/// Launches both.
/// @param sum   one int in device memory, which the children increase
/// @param seen  one int in device memory, set to the sum in the end
__global__ void parent(int* sum, int* seen) {
    child<<<4, 64>>>(sum);
    // begins when this grid and its children have ended
    tail<<<1, 1, 0, cudaStreamTailLaunch>>>(sum, seen);
}
// [/kernels]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> words(2);
    words.fill_bytes(0);
    parent<<<1, 1>>>(words.data(), words.data() + 1);
    lockstep::check(cudaGetLastError());
    const auto found = words.to_host();
    lockstep::report("threads of the child grid", found[0]);
    lockstep::report("count read by the tail grid", found[1]);
    return found[0] == 256 && found[1] == 256 ? EXIT_SUCCESS : EXIT_FAILURE;
}
