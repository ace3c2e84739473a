// What may a kernel be given that was written inside a function of the host? Extended
// lambdas of four kinds, and each computes on the GPU what it should. Three traits tell
// the kinds apart, on the host, at compile time.

#include <cstdlib>
#include <string>
#include <type_traits>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Stores what f makes of 5; one thread.
/// @param f       takes an int, returns an int
/// @param result  one int in device memory, written
template <class Function>
__global__ void apply(Function f, int* result) {
    *result = f(5);
}

// [traits]
/// What the three traits say of a lambda: 4, 2 and 1, added up.
template <class Lambda>
constexpr int traits =
    4 * __nv_is_extended_device_lambda_closure_type(Lambda) +
    2 * __nv_is_extended_device_lambda_with_preserved_return_type(Lambda) +
    __nv_is_extended_host_device_lambda_closure_type(Lambda);
// [/traits]

/// Runs a lambda on the GPU, and prints its traits and result.
/// @param name      label of the line
/// @param f         takes an int, returns an int
/// @param expected  what it should make of 5
/// @param as_told   what its traits should be
/// @return whether all is as it should be
template <class Function>
bool examine(const char* name, Function f, int expected, int as_told) {
    lockstep::device_buffer<int> d_result(1);
    d_result.fill_bytes(0xFF);
    apply<<<1, 1>>>(f, d_result.data());
    lockstep::check(cudaGetLastError());
    const int result = d_result.to_host()[0];
    constexpr int found = traits<Function>;
    const std::string line = std::to_string(found >> 2) + "   " +
                             std::to_string(found >> 1 & 1) + "   " +
                             std::to_string(found & 1) + "   " + std::to_string(result);
    lockstep::report(name, line.c_str());
    return result == expected && found == as_told;
}

int main() {
    lockstep::require_device();
    lockstep::report("", "D   R   HD  result");
    const int three = 3;
    const int table[2][2] = {{1, 2}, {3, 4}};

    // [kinds]
    const auto device = [three] __device__(int x) { return three * x; };
    const auto preserved = [table] __device__(int x) -> int { return table[1][1] * x; };
    const auto generic = [start = three + 4] __device__(auto x) { return start * x; };
    const auto both = [=] __host__ __device__(int x) { return three + x; };
    static_assert(std::is_same_v<decltype(preserved(1)), int>);  // asks for the result
    // [/kinds]
    bool right = examine("__device__", device, 15, 4);
    right = examine("__device__ ... -> int", preserved, 20, 6) && right;
    right = examine("generic __device__", generic, 35, 4) && right;
    right = examine("__host__ __device__", both, 8, 1) && right;
    lockstep::report("the last one, on the host", both(5));
    return right && both(5) == 8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
