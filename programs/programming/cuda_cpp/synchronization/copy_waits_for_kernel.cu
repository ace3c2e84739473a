// Must you wait for a kernel before you copy its result? Not with a blocking copy: it
// starts after the kernel, because both are in the same stream. This kernel waits for a
// while before it writes, and the copy still returns the new value.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Lets `delay` clock cycles pass, then writes 42.
/// @param delay   cycles of the SM's clock
/// @param result  one int in device memory
__global__ void answer_slowly(long long delay, int* result) {
    const long long start = clock64();
    while (clock64() - start < delay) {
    }
    *result = 42;
}
// [/kernel]

int main() {
    lockstep::require_device();

    int result = 0;
    lockstep::device_buffer<int> d_result(std::vector<int>{0});
    // [act]
    answer_slowly<<<1, 1>>>(100'000'000, d_result.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(
        cudaMemcpy(&result, d_result.data(), sizeof(int), cudaMemcpyDeviceToHost));
    // [/act]
    lockstep::report("copied without a wait", result);
    return result == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
