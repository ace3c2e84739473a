// Which language features of C++11 work in a kernel? One thread uses each of them once,
// with a value that the compiler does not know, and prints whether the result is right.
// The file itself is C++11 code: nvcc -std=c++11 accepts it.

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include <cuda_runtime.h>

#include <lockstep/require_device.hpp>

// [classes-and-values]
struct word {
    int value = 3;  // initializer of a member
    word() = default;  // defaulted function
    word(const word&) = delete;  // deleted function
    __device__ word(int v) : value(v) {}
    __device__ word(int a, int b) : word(a + b) {}  // delegating constructor
    __device__ word(word&& other) : value(other.value) { other.value = 0; }
    __device__ int which() const& { return 1; }  // reference qualifiers
    __device__ int which() && { return 2; }
    __device__ explicit operator bool() const { return value != 0; }
};

__device__ bool move_constructor(int n) {
    word from(n);
    word to(static_cast<word&&>(from));
    return from.value == 0 && to.value == n;
}
__device__ bool reference_qualifiers(int n) {
    const word named(n);
    return named.which() == 1 && word(n).which() == 2;
}
// [/classes-and-values]
__device__ bool member_initializers(int n) { return word().value + n == n + 3; }
__device__ bool delegating_constructors(int n) { return word(n, 1).value == n + 1; }
__device__ bool explicit_conversions(int n) { return word(n) ? true : false; }

struct base {
    __device__ explicit base(int v) : value(v) {}
    __device__ virtual int twice() const { return 0; }
    int value;
};
struct derived final : base {
    using base::base;  // inherits the constructor
    __device__ int twice() const override { return 2 * value; }
};
__device__ bool inheriting_constructors(int n) { return derived(n).value == n; }
__device__ bool override_and_final(int n) {
    const derived object(n);
    const base& seen_as = object;
    return seen_as.twice() == 2 * n;
}

union either {
    __device__ either(int n) : object(n) {}
    __device__ ~either() {}
    word object;  // a member with constructors
    long bits;
};
__device__ bool unrestricted_unions(int n) { return either(n).object.value == n; }

// [templates]
__device__ int add() { return 0; }
template <class First, class... Rest>
__device__ int add(First first, Rest... rest) {
    return first + add(rest...);
}
__device__ bool variadic_templates(int n) { return add(n, 2, 3) == n + 5; }

template <class T, int size>
struct row {
    T at[size];
};
template <class T>
using pair_of = row<T, 2>;  // alias template
__device__ bool alias_templates(int n) {
    const pair_of<pair_of<int>> square = {
        {{{n, 1}}, {{2, 3}}}};  // right angle brackets
    return square.at[0].at[0] + square.at[1].at[1] == n + 3;
}
// [/templates]
template <class T = long>
__device__ int size_of_default() {
    return sizeof(T);
}
__device__ bool default_template_arguments(int n) {
    return size_of_default() + n == int(sizeof(long)) + n;
}
template <class T>
__device__ auto has_value(const T& x, int) -> decltype(x.value, true) {
    return true;
}
template <class T>
__device__ bool has_value(const T&, long) {
    return false;
}
__device__ bool expression_sfinae(int n) {
    return has_value(word(n), 0) && !has_value(n, 0);
}
template <class T>
__device__ int twice(T x) {
    return 2 * x.inner;
}
__device__ bool local_types_as_arguments(int n) {
    struct local {
        int inner;
    };
    return twice(local{n}) == 2 * n;
}

template <class T>
struct cell {
    T value;
    __device__ T get() const { return value; }
};
extern template struct cell<int>;  // instantiated at the end of the file
__device__ bool extern_templates(int n) { return cell<int>{n}.get() == n; }
template <class T>
class locked {
    int value = 3;
    friend T;  // a template parameter
};
struct opener {
    __device__ int open(const locked<opener>& x) const { return x.value; }
};
__device__ bool extended_friends(int n) {
    return opener().open({}) == 3 && n + sizeof(word::value) == n + sizeof(int);
}
[[noreturn]] __device__ void stop() {
    while (true) __trap();
}
__device__ bool attributes(int n) {
    if (n < 0) stop();
    return n > 0;
}

// [functions-and-statements]
__device__ bool range_based_for(int n) {
    int sum = 0;
    for (int x : {n, 2, 3}) sum += x;
    return sum == n + 5;
}
__device__ bool lambda_expressions(int n) {
    int sum = 0;
    const auto count = [&sum, n](int times) { sum += n * times; };
    count(2);
    count(3);
    return sum == 5 * n;
}
__device__ int total(std::initializer_list<int> list) {
    int sum = 0;
    for (const int* x = list.begin(); x != list.end(); ++x) sum += *x;
    return sum;
}
__device__ bool initializer_lists(int n) { return total({n, 4, 5}) == n + 9; }
// [/functions-and-statements]
__device__ auto half(int n) -> decltype(n / 2.0f) { return n / 2.0f; }
__device__ bool trailing_return_types(int n) { return half(n) * 2 == n; }
__device__ bool auto_and_decltype(int n) {
    auto wide = n + 1ll;
    decltype(wide) same = wide;
    return sizeof(same) == 8 && same == n + 1;
}
__device__ constexpr int square(int n) { return n * n; }
__device__ bool constexpr_functions(int n) {
    constexpr int nine = square(3);
    return square(n) == n * n && nine == 9;
}
enum class color : unsigned char;  // declared before it is defined
enum class color : unsigned char { red = 1, green };
__device__ bool scoped_enumerations(int n) {
    const color one = n > 0 ? color::green : color::red;
    return sizeof one == 1 && static_cast<int>(one) == 2;
}
__device__ bool null_pointers(int n) {
    const int* p = n > 0 ? &n : nullptr;
    return p != nullptr;
}
__device__ int operator""_dozen(unsigned long long n) { return int(12 * n); }
__device__ bool user_defined_literals(int n) { return 2_dozen + n == 24 + n; }
__device__ bool raw_strings_and_char32(int n) {
    const char* raw = R"(\n)";
    return raw[n % 2] == 'n' && U"\u00e9"[0] == 0xe9;
}
__device__ bool alignas_and_alignof(int n) {
    struct alignas(16) wide {
        int value;
    };
    wide local = {n};
    return alignof(wide) == 16 && reinterpret_cast<size_t>(&local) % 16 == 0;
}
inline namespace first {
__device__ int of_first() { return 1; }
}  // namespace first
__device__ bool inline_namespaces(int n) {
    return first::of_first() + n == n + of_first();
}
__device__ void quiet() noexcept {}
__device__ bool noexcept_operator(int n) { return noexcept(quiet()) && n > 0; }
__device__ bool func_name(int n) { return __func__[n % 2 - 1] == 'f'; }
static_assert(sizeof(long long) == 8, "long long has 64 bits");

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
    show("move constructor", move_constructor(n), wrong);
    show("reference qualifiers", reference_qualifiers(n), wrong);
    // [/kernel]
    show("member initializers", member_initializers(n), wrong);
    show("delegating constructors", delegating_constructors(n), wrong);
    show("inheriting constructors", inheriting_constructors(n), wrong);
    show("explicit conversions", explicit_conversions(n), wrong);
    show("override and final", override_and_final(n), wrong);
    show("unrestricted unions", unrestricted_unions(n), wrong);
    show("variadic templates", variadic_templates(n), wrong);
    show("alias templates, >>", alias_templates(n), wrong);
    show("default template arguments", default_template_arguments(n), wrong);
    show("expression SFINAE", expression_sfinae(n), wrong);
    show("local types as arguments", local_types_as_arguments(n), wrong);
    show("extern templates", extern_templates(n), wrong);
    show("extended friends, sizeof", extended_friends(n), wrong);
    show("attributes", attributes(n), wrong);
    show("range-based for", range_based_for(n), wrong);
    show("lambda expressions", lambda_expressions(n), wrong);
    show("initializer lists", initializer_lists(n), wrong);
    show("auto and decltype", auto_and_decltype(n), wrong);
    show("trailing return types", trailing_return_types(n), wrong);
    show("constexpr functions", constexpr_functions(n), wrong);
    show("scoped enumerations", scoped_enumerations(n), wrong);
    show("nullptr", null_pointers(n), wrong);
    show("user-defined literals", user_defined_literals(n), wrong);
    show("raw strings, char32_t", raw_strings_and_char32(n), wrong);
    show("alignas and alignof", alignas_and_alignof(n), wrong);
    show("inline namespaces", inline_namespaces(n), wrong);
    show("noexcept", noexcept_operator(n), wrong);
    show("__func__", func_name(n), wrong);
}
template struct cell<int>;

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
