// Where in the source is the bad access that a tool found? Without help the tool knows
// the kernel and an offset in its machine code. A build with -lineinfo knows the file
// and the line. With 65 threads the last one writes past the end of the array.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Every thread writes its number.
/// @param numbers  one int for each thread on the device
__global__ void number(int* numbers) {
    const int i = threadIdx.x;
    numbers[i] = i;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int threads = options.integer("threads", 64, 1, 1024);
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> d_numbers(64);
    number<<<1, threads>>>(d_numbers.data());
    lockstep::check(cudaGetLastError());
    const auto numbers = d_numbers.to_host();
    const int last = threads < 64 ? threads - 1 : 63;
    lockstep::report("last number", numbers[last]);
    return numbers[last] == last ? EXIT_SUCCESS : EXIT_FAILURE;
}
