// Which language features of C++17 work in a kernel? One thread uses each of them once,
// with a value that the compiler does not know, and prints whether the result is right.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [templates]
template <class... Terms>
__device__ int sum(Terms... terms) {
    return (0 + ... + terms);  // fold expression
}
template <class T>
__device__ int bits(T) {
    if constexpr (sizeof(T) == 8)  // the other branch is not compiled
        return 64;
    else
        return 32;
}
template <auto value>  // a parameter that takes its type from the argument
__device__ auto constant() {
    return value;
}
template <class T>
struct boxed {
    __device__ boxed(T v) : value(v) {}
    T value;
};
__device__ bool class_template_deduction(int n) {
    const boxed box(n + 0.5f);  // boxed<float>
    return box.value == n + 0.5f;
}
// [/templates]
__device__ bool fold_expressions(int n) { return sum(n, 1, 2) == n + 3; }
__device__ bool constexpr_if(int n) { return bits(n) == 32 && bits(1ll * n) == 64; }
__device__ bool auto_template_parameters(int n) {
    return constant<'c'>() == 'c' && constant<7>() + n == 7 + n;
}

// [statements]
struct pair {
    int first;
    float second;
};
__device__ bool structured_bindings(int n) {
    const pair both = {n, 0.5f};
    const auto& [whole, fraction] = both;
    return whole == n && fraction == 0.5f;
}
__device__ bool if_with_initializer(int n) {
    if (const int doubled = 2 * n; doubled > n)
        return doubled == n + n;
    else
        return false;
}
struct counter {
    int count;
    __device__ int later(int n) {
        const auto add = [*this](int more) { return count + more; };  // a copy of *this
        count = 0;
        return add(n);
    }
};
__device__ bool capture_of_this(int n) { return counter{n}.later(1) == n + 1; }
__device__ bool constexpr_lambdas(int n) {
    const auto square = [](int x) constexpr { return x * x; };
    static_assert(square(3) == 9);  // no message needed
    return square(n) == n * n;
}
// [/statements]
struct fixed {
    __device__ explicit fixed(int v) : value(v) {}
    fixed(const fixed&) = delete;
    int value;
};
__device__ fixed make(int n) { return fixed(n); }  // neither copied nor moved
__device__ bool guaranteed_copy_elision(int n) { return make(n).value == n; }
struct extended : pair {
    int third;
};
__device__ bool aggregates_with_bases(int n) {
    const extended e = {{n, 0.5f}, 3};
    return e.first == n && e.third == 3;
}
enum class byte : unsigned char {};
__device__ bool enumerations_in_braces(int n) {
    return static_cast<int>(byte{7}) + n == 7 + n;
}
struct named {
    static constexpr int size = 3;  // an inline variable
};
inline constexpr int shared_size = 4;
__device__ bool inline_constants(int n) {
    return named::size + shared_size + n == 7 + n;
}
namespace outer::inner {
__device__ int value() { return 4; }
}  // namespace outer::inner
__device__ bool nested_namespaces(int n) { return outer::inner::value() < n; }
template <class... Bases>
struct overloaded : Bases... {
    using Bases::operator()...;  // pack expansion
};
template <class... Bases>
overloaded(Bases...) -> overloaded<Bases...>;
__device__ bool using_with_packs(int n) {
    const auto kind = overloaded{[](int) { return 1; }, [](float) { return 2; }};
    return kind(n) == 1 && kind(n + 0.5f) == 2;
}
struct until {
    const int* stop;
};
__device__ bool operator!=(const int* at, until end) { return at != end.stop; }
struct range {
    int x[3];
    __device__ const int* begin() const { return x; }
    __device__ until end() const { return {x + 3}; }  // of another type
};
__device__ bool range_for_with_sentinel(int n) {
    int total = 0;
    for (int x : range{{n, 1, 2}}) total += x;
    return total == n + 3;
}
[[nodiscard]] __device__ int attributes_of([[maybe_unused]] int unused, int n) {
    switch (n) {
        case 5: n += 1; [[fallthrough]];
        default: n += 1;
    }
    return n;
}
__device__ bool attributes(int n) { return attributes_of(0, n) == n + 2; }
__device__ int chosen(int (*)(int)) { return 1; }
__device__ int chosen(int (*)(int) noexcept) { return 2; }
__device__ int quiet(int n) noexcept { return n; }
__device__ bool noexcept_in_types(int n) { return chosen(quiet) == 2 && quiet(n) == n; }
template <template <class> typename Holder>
__device__ int value_of(Holder<int> holder) {
    return holder.value;
}
__device__ bool template_template_typename(int n) { return value_of(boxed(n)) == n; }
namespace [[deprecated]] unused {}
enum kind { first [[deprecated]], second };
[[using gnu: unused]] __device__ int kind_of() { return second; }
__device__ bool more_attributes(int n) { return kind_of() + n == n + 1; }
#if __has_include(<cstdio>)
__device__ bool has_include(int n) { return n > 0 && u8'c' == 'c'; }
#endif
__device__ bool hexadecimal_floats(int n) { return 0x1.8p1f * n == 3.0f * n; }
__device__ bool evaluation_order(int n) {
    int x[8] = {};
    int i = 1;
    x[i] = i = n % 4 + 1;  // the right side first
    return x[2] == 2;
}

// [kernel]
/// Prints a line, and counts a wrong result.
__device__ void show(const char* feature, bool right, int* wrong) {
    printf("%-28s%s\n", feature, right ? "yes" : "no");
    *wrong += !right;
}

/// Uses each feature once; one thread.
/// @param n      5, which the compiler does not know
/// @param wrong  one int in device memory, 0 at the beginning
__global__ void use_each(int n, int* wrong) {
    show("fold expressions", fold_expressions(n), wrong);
    show("if constexpr", constexpr_if(n), wrong);
    show("auto template parameters", auto_template_parameters(n), wrong);
    show("class template deduction", class_template_deduction(n), wrong);
    show("structured bindings", structured_bindings(n), wrong);
    show("if with initializer", if_with_initializer(n), wrong);
    show("capture of *this", capture_of_this(n), wrong);
    show("constexpr lambdas", constexpr_lambdas(n), wrong);
    show("guaranteed copy elision", guaranteed_copy_elision(n), wrong);
    show("aggregates with bases", aggregates_with_bases(n), wrong);
    show("enumerations in braces", enumerations_in_braces(n), wrong);
    show("inline constants", inline_constants(n), wrong);
    show("nested namespaces", nested_namespaces(n), wrong);
    show("using with packs", using_with_packs(n), wrong);
    show("range for with a sentinel", range_for_with_sentinel(n), wrong);
    show("attributes", attributes(n), wrong);
    show("more attributes", more_attributes(n), wrong);
    show("noexcept in types", noexcept_in_types(n), wrong);
    show("typename in parameters", template_template_typename(n), wrong);
    show("__has_include, u8''", has_include(n), wrong);
    show("hexadecimal floats", hexadecimal_floats(n), wrong);
    show("order of evaluation", evaluation_order(n), wrong);
}
// [/kernel]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<int> d_wrong(1);
    d_wrong.fill_bytes(0);
    use_each<<<1, 1>>>(5, d_wrong.data());
    lockstep::check(cudaGetLastError());
    return d_wrong.to_host()[0] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
