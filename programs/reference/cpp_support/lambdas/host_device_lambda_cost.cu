// What does `__host__ __device__` cost a lambda on the host? nvcc wraps it, and each
// call on the host goes through a pointer to a function. The host compiler cannot
// inline that, so a short loop is slower than with a plain lambda, or with a function
// object for both sides, which nvcc does not wrap.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

// [loop]
/// Adds up what f makes of all elements, on the host.
/// @param x  the elements
/// @param f  takes an int, returns an int
template <class Function>
int sum_of(const std::vector<int>& x, Function f) {
    int sum = 0;
    for (const int element : x) sum += f(element);
    return sum;
}
// [/loop]

// [object]
/// A function object for both sides.
struct multiple {
    int factor;
    __host__ __device__ int operator()(int element) const { return factor * element; }
};
// [/object]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1'000'000, 1, 10'000'000);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const std::vector<int> x(n, 2);
    const int three = 3;
    // [lambdas]
    const auto plain = [three](int element) { return three * element; };
    const auto both = [three] __host__ __device__(int element) {
        return three * element;
    };
    const multiple object{three};
    // [/lambdas]
    int plain_sum = 0, both_sum = 0, object_sum = 0;
    const double plain_ms =
        lockstep::time_on_host([&] { plain_sum = sum_of(x, plain); }).median_ms;
    const double both_ms =
        lockstep::time_on_host([&] { both_sum = sum_of(x, both); }).median_ms;
    const double object_ms =
        lockstep::time_on_host([&] { object_sum = sum_of(x, object); }).median_ms;
    const bool right = plain_sum == 6 * n && both_sum == 6 * n && object_sum == 6 * n;
    lockstep::report("sums are right", right);
    if (!untimed) {
        lockstep::report("plain lambda", lockstep::measured{1e6 * plain_ms / n},
                         "ns a call");
        lockstep::report("__host__ __device__ lambda",
                         lockstep::measured{1e6 * both_ms / n}, "ns a call");
        lockstep::report("__host__ __device__ object",
                         lockstep::measured{1e6 * object_ms / n}, "ns a call");
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
