// Which language features of C++20 work in a kernel? One thread uses each of them once,
// with a value that the compiler does not know, and prints whether the result is right.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [concepts]
template <class T>
concept has_size = requires(const T& x) {
    { x.size() };
};
struct three {
    __device__ int size() const { return 3; }
};
template <class T>
__device__ int size_of(const T&) {
    return 1;
}
template <has_size T>  // preferred where it fits
__device__ int size_of(const T& x) {
    return x.size();
}
__device__ int twice(auto x) { return 2 * x; }  // abbreviated template
__device__ bool concepts(int n) { return size_of(three()) == 3 && size_of(n) == 1; }
__device__ bool abbreviated_templates(int n) { return twice(n) == 2 * n; }
// [/concepts]

template <class A, class B>
struct two {
    A a;
    B b;
};
template <class A>
using with_int = two<A, int>;
__device__ bool deduction_for_aggregates(int n) {
    const two t{n, 0.5f};
    const with_int u{0.5f, n};
    return t.a == n && u.b == n && t.b == u.a;
}
template <class T>
struct holds {
    T::type value;  // no typename
};
struct has_type {
    using type = int;
};
namespace other {
struct tag {};
template <class T>
__device__ int bytes(tag) {
    return sizeof(T);
}
}  // namespace other
__device__ bool lookup_and_typename(int n) {
    return holds<has_type>{n}.value == n && bytes<long long>(other::tag()) == 8;
}

// [compile-time]
__device__ consteval int square(int n) { return n * n; }  // at compile time only
__device__ bool immediate_functions(int n) { return square(3) + n == 9 + n; }
struct size {
    int rows;
    int columns;
};
template <size s>  // an object as a template argument
__device__ int area() {
    return s.rows * s.columns;
}
__device__ bool objects_as_arguments(int n) { return area<size{2, 3}>() + n == 6 + n; }
__device__ constexpr int built_at(int n) {
    if (__builtin_is_constant_evaluated()) return 0;
    return n;
}
__device__ bool evaluated_when(int n) {
    constexpr int early = built_at(7);
    return early == 0 && built_at(n) == n;
}
union number {
    int whole;
    float fraction;
};
__device__ constexpr int through_union(int n) {
    number x = {.fraction = 0.5f};
    x.whole = n;
    return x.whole;
}
__device__ constexpr int through_heap(int n) {
    int* const p = new int(n);
    const int value = *p;
    delete p;
    return value;
}
__device__ bool constexpr_new_and_unions(int n) {
    constexpr int seven = through_heap(3) + through_union(4);
    return seven == 7 && through_union(n) == n && through_heap(n) == n;
}
struct shape {
    __device__ constexpr virtual int sides() const { return 0; }
};
struct triangle : shape {
    __device__ constexpr int sides() const override { return 3; }
};
__device__ bool virtual_constexpr(int n) {
    constexpr triangle t;
    static_assert(t.sides() == 3);
    return t.sides() + n == 3 + n;
}
// [/compile-time]

// [objects]
__device__ bool designated_initializers(int n) {
    const size s = {.rows = n, .columns = 2};
    return s.rows == n && s.columns == 2;
}
__device__ bool aggregates_in_parentheses(int n) {
    const size s(n, 2);
    return s.rows == n && s.columns == 2;
}
struct empty {};
struct holder {
    [[no_unique_address]] empty nothing;
    int value;
};
__device__ bool no_unique_address(int n) {
    const holder h = {{}, n};
    return sizeof h == sizeof(int) && h.value == n;
}
struct whole {
    int value;
    __device__ explicit(false) whole(int v) : value(v) {}
    __device__ bool operator==(const whole& other) const {
        return value == other.value;
    }
};
__device__ bool reversed_comparison(int n) { return !(n + 1 == whole(n)); }  // and !=
__device__ bool conditional_explicit(int n) {
    const whole w = n;
    return w.value == n && w != whole(n + 1);
}
struct version {
    int number;
    __device__ int operator<=>(const version& other) const {
        return number - other.number;
    }
};
__device__ bool three_way_comparison(int n) {
    return version{n} < version{n + 1} && version{n} >= version{n};
}
struct flags {
    unsigned small : 4 = 5;  // initializer of a bit-field
};
__device__ bool bit_field_initializers(int n) { return flags().small == unsigned(n); }
// [/objects]

// [lambdas-and-statements]
__device__ bool lambda_templates(int n) {
    const auto size = []<class T>(T) { return sizeof(T); };
    return size(n) == 4 && size(1ll * n) == 8;
}
__device__ bool lambdas_without_state(int n) {
    using add = decltype([](int a, int b) { return a + b; });
    return add()(n, 1) == n + 1;  // made without an initializer
}
template <class... T>
__device__ int captured(T... x) {
    return [... all = x] { return (0 + ... + all); }();
}
__device__ bool packs_in_captures(int n) { return captured(n, 1, 2) == n + 3; }
__device__ bool range_for_with_initializer(int n) {
    int sum = 0;
    for (int factor = 2; int x : {n, 1}) sum += factor * x;
    return sum == 2 * n + 2;
}
__device__ constinit int started = 6;  // initialized without running code
__device__ bool constant_initialization(int n) { return started == n + 1; }
enum class axis { x, y };
__device__ bool using_enum(int n) {
    using enum axis;
    return (n > 0 ? y : x) == axis::y;
}
__device__ bool likely_attributes(int n) {
    if (n > 0) [[likely]]
        return true;
    return false;
}
// [/lambdas-and-statements]
__device__ bool char8_type(int n) {
    return u8"abc"[n % 4] == u8'b' && sizeof(char8_t) == 1;
}
__device__ bool signed_shifts(int n) { return (-n >> 1) == -3 && (-n << 1) == -2 * n; }
#define ADD(first, ...) (first __VA_OPT__(+) __VA_ARGS__)
__device__ bool va_opt(int n) { return ADD(n) == n && ADD(n, 2) == n + 2; }

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
    show("concepts", concepts(n), wrong);
    show("abbreviated templates", abbreviated_templates(n), wrong);
    show("deduction for aggregates", deduction_for_aggregates(n), wrong);
    show("lookup, fewer typename", lookup_and_typename(n), wrong);
    show("constexpr new and unions", constexpr_new_and_unions(n), wrong);
    show("consteval", immediate_functions(n), wrong);
    show("objects as arguments", objects_as_arguments(n), wrong);
    show("evaluated when", evaluated_when(n), wrong);
    show("virtual constexpr", virtual_constexpr(n), wrong);
    show("designated initializers", designated_initializers(n), wrong);
    show("aggregates in parentheses", aggregates_in_parentheses(n), wrong);
    show("[[no_unique_address]]", no_unique_address(n), wrong);
    show("explicit(bool)", conditional_explicit(n), wrong);
    show("reversed comparison", reversed_comparison(n), wrong);
    show("three-way comparison", three_way_comparison(n), wrong);
    show("bit-field initializers", bit_field_initializers(n), wrong);
    show("template lambdas", lambda_templates(n), wrong);
    show("lambdas without state", lambdas_without_state(n), wrong);
    show("packs in captures", packs_in_captures(n), wrong);
    show("range for with initializer", range_for_with_initializer(n), wrong);
    show("using enum", using_enum(n), wrong);
    show("constinit", constant_initialization(n), wrong);
    show("[[likely]]", likely_attributes(n), wrong);
    show("char8_t", char8_type(n), wrong);
    show("shifts of negative numbers", signed_shifts(n), wrong);
    show("__VA_OPT__", va_opt(n), wrong);
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
