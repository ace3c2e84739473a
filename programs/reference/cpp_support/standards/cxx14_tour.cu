// Which language features of C++14 work in a kernel? One thread uses each of them once,
// with a value that the compiler does not know, and prints whether the result is right.
// The file itself is C++14 code: nvcc -std=c++14 accepts it.

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#include <lockstep/require_device.hpp>

// [features]
__device__ bool generic_lambdas(int n) {
    const auto add = [](auto a, auto b) { return a + b; };
    return add(n, 1) == n + 1 && add(n, 0.5f) == n + 0.5f;
}
__device__ bool init_captures(int n) {
    const auto more = [next = n + 1](int x) { return next + x; };
    return more(2) == n + 3;
}
__device__ auto deduced(int n) { return 2ll * n; }
__device__ decltype(auto) passed_on(int& n) { return (n); }  // int&
__device__ constexpr int sum_up_to(int n) {
    int sum = 0;
    for (int i = 1; i <= n; ++i) sum += i;  // a loop in a constexpr function
    return sum;
}
template <class T>
constexpr T one_third = T(1) / T(3);  // variable template
// [/features]
__device__ bool deduced_return_types(int n) {
    return sizeof(deduced(n)) == 8 && deduced(n) == 2 * n;
}
__device__ bool decltype_auto(int n) {
    int changed = n;
    passed_on(changed) = 7;
    return changed == 7;
}
__device__ bool relaxed_constexpr(int n) {
    constexpr int ten = sum_up_to(4);
    return ten == 10 && sum_up_to(n) == n * (n + 1) / 2;
}
__device__ bool variable_templates(int n) {
    return n * one_third<float> == n * (1.0f / 3.0f) && one_third<int> == 0;
}
__device__ bool binary_literals(int n) { return (n & 0b1111'0000) == 0 && 0b101 == 5; }
__device__ bool digit_separators(int n) { return n + 1'000'000 == n + 1000000; }
struct point {
    int x = 1;
    int y = 2;
};
__device__ bool aggregates_with_defaults(int n) {
    const point p{n};
    return p.x == n && p.y == 2;
}
[[deprecated("shows the attribute")]] __device__ int old_name(int n);
struct two {
    __device__ constexpr operator int() const { return 2; }
};
__device__ bool contextual_conversions(int n) {
    switch (two()) {
        case 2: return n > 0;
        default: return false;
    }
}

// [kernel]
/// Prints a line, and counts a wrong result.
__device__ void show(const char* feature, bool right, int* wrong) {
    printf("%-28s%s\n", feature, right ? "yes" : "no");
    *wrong += !right;
}

/// Uses each feature once; one thread.
/// @param n      5, which the compiler does not know
/// @param wrong  one int that the device can access, 0 at the beginning
__global__ void use_each(int n, int* wrong) {
    show("generic lambdas", generic_lambdas(n), wrong);
    show("initialized captures", init_captures(n), wrong);
    show("deduced return types", deduced_return_types(n), wrong);
    show("decltype(auto)", decltype_auto(n), wrong);
    show("constexpr with loops", relaxed_constexpr(n), wrong);
    show("variable templates", variable_templates(n), wrong);
    show("binary literals", binary_literals(n), wrong);
    show("digit separators", digit_separators(n), wrong);
    show("aggregates with defaults", aggregates_with_defaults(n), wrong);
    show("contextual conversions", contextual_conversions(n), wrong);
}
// [/kernel]

int main() {
    lockstep::require_device();
    int* d_wrong = nullptr;
    lockstep::check(cudaMalloc(&d_wrong, sizeof *d_wrong));
    lockstep::check(cudaMemset(d_wrong, 0, sizeof *d_wrong));
    use_each<<<1, 1>>>(5, d_wrong);
    lockstep::check(cudaGetLastError());
    int wrong = -1;
    lockstep::check(cudaMemcpy(&wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost));
    lockstep::check(cudaFree(d_wrong));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
