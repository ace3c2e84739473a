// Which line of a kernel waits? The profiler samples the warps while the kernel runs
// and counts, for each instruction, how many of them were waiting there. This kernel
// loads neighboring words from two arrays, and jumps through a large table.
// The samples lie at the instruction that needs the loaded value, not at the load.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Multiplies each element by an entry of a table.
/// @param n      number of elements
/// @param entry  n indices in device memory
/// @param table  in device memory
/// @param x      n floats in device memory, changed in place
__global__ void look_up(int n, const std::uint32_t* entry, const float* table,
                        float* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const std::uint32_t at = entry[i];  // neighboring lanes, neighboring words
    const float factor = table[at];     // neighboring lanes, words far apart
    x[i] *= factor;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 24, 1, 1 << 26);
    options.finish();
    lockstep::require_device();

    std::vector<std::uint32_t> entry(n);
    std::vector<float> table(n), x(n), expected(n);
    for (int i = 0; i < n; ++i) {
        entry[i] = lockstep::random_word(i) % static_cast<std::uint32_t>(n);
        table[i] = static_cast<float>(i % 31);
        x[i] = static_cast<float>(i % 1000);
    }
    for (int i = 0; i < n; ++i) expected[i] = x[i] * table[entry[i]];
    const lockstep::device_buffer<std::uint32_t> d_entry(entry);
    const lockstep::device_buffer<float> d_table(table);
    lockstep::device_buffer<float> d_x(x);
    look_up<<<(n + 255) / 256, 256>>>(n, d_entry.data(), d_table.data(), d_x.data());
    lockstep::check(cudaGetLastError());
    const std::size_t wrong = lockstep::count_mismatches(d_x.to_host(), expected);
    lockstep::report("elements", n);
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
