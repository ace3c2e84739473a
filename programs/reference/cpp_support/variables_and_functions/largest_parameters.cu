// How many bytes may all parameters of a kernel have? 32,764 from compute
// capability 7.0 on. The kernel adds up a table that comes as its argument. With one
// word more, the assembler refuses it.

#include <cstddef>  // unused; goes with the next recording
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
#ifndef WORDS
#define WORDS 8189
#endif
/// A table, passed by value; with the pointer, 32,764 bytes.
struct table {
    int words[WORDS];
};

/// Adds up the table; one thread.
/// @param sum    one int in device memory, written
/// @param given  the table
__global__ void add_up(int* sum, const __grid_constant__ table given) {
    int total = 0;
    for (const int word : given.words) total += word;
    *sum = total;
}
// [/kernel]

int main() {
    lockstep::require_device();
    static table given;
    int expected = 0;
    for (int i = 0; i < WORDS; ++i) expected += given.words[i] = i % 100;
    lockstep::device_buffer<int> d_sum(1);
    d_sum.fill_bytes(0xFF);
    add_up<<<1, 1>>>(d_sum.data(), given);
    lockstep::check(cudaGetLastError());
    const int sum = d_sum.to_host()[0];

    lockstep::report("parameters", sizeof(int*) + sizeof(table), "bytes");
    lockstep::report("sum is right", sum == expected);
    return sum == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
