// Which newer features of C++ work in a kernel? Structured bindings, consteval
// functions, which need no specifier, inline constants, template parameters of deduced
// type, and the operator <=>. What <=> returns is compared by functions of the C++
// library, so this program needs -expt-relaxed-constexpr.

#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [functions]
/// Runs in the compiler alone, so either side may call it.
consteval int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// A constant for both sides, in any number of files.
inline constexpr int offset = 100;

/// Two numbers.
struct pair_of {
    int first;
    int second;
};

/// A variable template, whose parameter is a value of any type.
template <auto value>
constexpr int doubled = 2 * value;

/// Uses one feature for each result.
/// @param x        a number
/// @param results  five ints, written
__host__ __device__ void use(int x, int* results) {
    results[0] = factorial(5);
    auto [low, high] = pair_of{x, x + 1};
    results[1] = 10 * low + high;
    results[2] = (x <=> 3) > 0;
    results[3] = offset;
    results[4] = doubled<21>;
}
// [/functions]

/// The same on the device; one thread.
/// @param x        a number
/// @param results  five ints in device memory, written
__global__ void use_there(int x, int* results) { use(x, results); }

int main() {
    lockstep::require_device();
    constexpr int count = 5;
    int here[count] = {};
    use(4, here);
    lockstep::device_buffer<int> d_there(count);
    d_there.fill_bytes(0xFF);
    use_there<<<1, 1>>>(4, d_there.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> there = d_there.to_host();

    const char* labels[count] = {"consteval factorial(5)", "structured bindings",
                                 "(4 <=> 3) > 0", "inline constexpr", "doubled<21>"};
    const int expected[count] = {120, 45, 1, 100, 42};
    bool right = true;
    lockstep::report("", "host  device");
    for (int i = 0; i < count; ++i) {
        std::string line = std::to_string(here[i]);
        line.resize(6, ' ');
        lockstep::report(labels[i], (line + std::to_string(there[i])).c_str());
        right = right && here[i] == expected[i] && there[i] == expected[i];
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
