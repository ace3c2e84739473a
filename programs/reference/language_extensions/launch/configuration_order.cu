// In which order does a launch evaluate what stands in it? First the execution
// configuration, then the arguments of the kernel. Here each expression takes the next
// number.

#include <cstdlib>
#include <vector>  // unused; goes with the next recording

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Writes its argument, so that the launch has one.
/// @param number  any number
/// @param out     one int in device memory
__global__ void write(int number, int* out) { *out = number; }
// [/kernel]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<int> d_out(1);
    d_out.fill_bytes(0xFF);

    // [launch]
    int next = 0, of_grid = 0, of_block = 0, of_shared = 0, of_stream = 0;
    const auto take = [&next](int& number, auto value) {
        number = next++;
        return value;
    };
    write<<<take(of_grid, 1), take(of_block, 32), take(of_shared, 0),
            take(of_stream, cudaStream_t(nullptr))>>>(next++, d_out.data());
    // [/launch]
    lockstep::check(cudaGetLastError());
    const int of_argument = d_out.to_host()[0];

    bool before = true;
    for (const int number : {of_grid, of_block, of_shared, of_stream})
        before = before && number < of_argument;
    lockstep::report("expressions", next);
    lockstep::report("number of the argument", of_argument);
    lockstep::report("configuration came first", before);
    return before && next == 5 ? EXIT_SUCCESS : EXIT_FAILURE;
}
