// When is a variable not kept in registers? When its address is computed at run time.
// An array that is only indexed with constants becomes registers. The same array,
// indexed with a value known only at run time, goes to local memory. Both kernels are
// timed, since the constant indices cost 32 times the additions.

#include <cstdlib>
#include <vector>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int slots = 32;

// [kernels]
/// Counts how often each value occurs in the thread's numbers; each index is a number
/// of the data.
/// @param rounds   numbers for each thread
/// @param numbers  rounds ints in device memory
/// @param most     one int for each thread in device memory: its largest count
__global__ void computed_index(int rounds, const int* numbers, int* most) {
    int counts[slots] = {};
    for (int i = 0; i < rounds; ++i) counts[(numbers[i] + threadIdx.x) % slots] += 1;
    int largest = 0;
    for (int slot = 0; slot < slots; ++slot) largest = max(largest, counts[slot]);
    most[blockIdx.x * blockDim.x + threadIdx.x] = largest;
}

/// The same; each index is a constant once the inner loop is unrolled.
/// @param rounds   numbers for each thread
/// @param numbers  rounds ints in device memory
/// @param most     one int for each thread in device memory: its largest count
__global__ void constant_index(int rounds, const int* numbers, int* most) {
    int counts[slots] = {};
    for (int i = 0; i < rounds; ++i) {
        const int wanted = (numbers[i] + threadIdx.x) % slots;
#pragma unroll
        for (int slot = 0; slot < slots; ++slot) counts[slot] += slot == wanted;
    }
    int largest = 0;
#pragma unroll
    for (int slot = 0; slot < slots; ++slot) largest = max(largest, counts[slot]);
    most[blockIdx.x * blockDim.x + threadIdx.x] = largest;
}
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 1056, 1, 65'535);
    // checks values only, where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    constexpr int rounds = 320;
    constexpr int block_size = 256;
    std::vector<int> numbers(rounds);
    for (int i = 0; i < rounds; ++i) numbers[i] = i * i;
    std::vector<int> counts(slots);
    for (const int number : numbers) counts[number % slots] += 1;
    int expected = 0;
    for (const int count : counts) expected = count > expected ? count : expected;

    lockstep::device_buffer<int> d_numbers(numbers);
    lockstep::device_buffer<int> d_most(std::size_t(blocks) * block_size);
    bool right = true;
    std::size_t bytes[2] = {};
    double us[2] = {};
    for (const bool constant : {false, true}) {
        const auto kernel = constant ? constant_index : computed_index;
        d_most.fill_bytes(0xFF);
        const auto launch = [&] {
            kernel<<<blocks, block_size>>>(rounds, d_numbers.data(), d_most.data());
        };
        launch();
        lockstep::check(cudaGetLastError());
        for (const int most : d_most.to_host()) right = right && most == expected;
        // [ask]
        cudaFuncAttributes attributes{};
        lockstep::check(cudaFuncGetAttributes(&attributes, kernel));
        bytes[constant] = attributes.localSizeBytes;  // for each thread
        // [/ask]
        if (!untimed)
            us[constant] = lockstep::time_back_to_back(launch).median_ms * 1e3;
    }
    lockstep::report("computed index: local", bytes[0], "bytes");
    lockstep::report("constant index: local", bytes[1], "bytes");
    if (!untimed) {
        lockstep::report("computed index: time", lockstep::measured{us[0]}, "us");
        lockstep::report("constant index: time", lockstep::measured{us[1]}, "us");
    }
    return right && bytes[0] >= slots * sizeof(int) && bytes[1] == 0 ? EXIT_SUCCESS
                                                                     : EXIT_FAILURE;
}
