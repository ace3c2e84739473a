// Which parts of the C++ library need no option in a kernel? nvcc marks the functions
// of std::initializer_list, and std::move and std::forward, for both sides. Two options
// take the marks away.

#include <cstdlib>
#include <initializer_list>
#include <utility>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [functions]
/// Adds up a list.
/// @param list  the numbers
__device__ int sum_of(std::initializer_list<int> list) {
    int sum = 0;
    for (const int number : list) sum += number;
    return sum;
}

/// Says how it was constructed: 1 from nothing, 2 by a copy, 3 by a move.
struct traced {
    __device__ traced() {}
    __device__ traced(const traced&) : made(2) {}
    __device__ traced(traced&&) noexcept : made(3) {}
    int made = 1;
};

/// Constructs an object from what it is given, as it is given.
/// @param given  an object to copy, or to move from
template <class T>
__device__ int made_from(T&& given) {
    return traced(std::forward<T>(given)).made;
}
// [/functions]

// [kernel]
/// Uses all three; one thread.
/// @param results  three ints in device memory, written
__global__ void use(int* results) {
    results[0] = sum_of({1, 2, 3, 4});
    traced object;
    results[1] = made_from(object);
    results[2] = made_from(std::move(object));
}
// [/kernel]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<int> d_results(3);
    d_results.fill_bytes(0xFF);
    use<<<1, 1>>>(d_results.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> results = d_results.to_host();
    lockstep::report("sum of the list", results[0]);
    lockstep::report("forwarded object: copied", results[1] == 2);
    lockstep::report("moved object: moved", results[2] == 3);
    const bool right = results == std::vector<int>{10, 2, 3};
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
