// What do the DPX functions compute? Each is a minimum or maximum of two or three
// values, some after an addition, some with 0 as a lower bound, on 32-bit words or on
// two 16-bit halves. All 36 are compared with a scalar reference, on the device and on
// the host.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// What a function returned: the value, and the predicates where it sets some.
struct outcome {
    unsigned value = 0;       ///< the returned word
    unsigned predicates = 0;  ///< bit 0: low half or whole word, bit 1: high half
};

enum kind { three, two, add, predicate };  ///< vimax3, vimax, viaddmax, vibmax
enum width { s32, u32, s16, u16 };         ///< what a word holds

// [functions]
#define ALL_TYPES(X, first, kind, larger) \
    X(first##_s32, kind, larger, s32)     \
    X(first##_u32, kind, larger, u32)     \
    X(first##_s16x2, kind, larger, s16)   \
    X(first##_u16x2, kind, larger, u16)
#define SIGNED_TYPES(X, first, kind, larger) \
    X(first##_s32_relu, kind, larger, s32)   \
    X(first##_s16x2_relu, kind, larger, s16)
#define ALL_WITHOUT_BOUND(X)                \
    ALL_TYPES(X, __vimax3, three, true)     \
    ALL_TYPES(X, __vimin3, three, false)    \
    ALL_TYPES(X, __viaddmax, add, true)     \
    ALL_TYPES(X, __viaddmin, add, false)    \
    ALL_TYPES(X, __vibmax, predicate, true) \
    ALL_TYPES(X, __vibmin, predicate, false)
#define ALL_WITH_BOUND(X)                   \
    SIGNED_TYPES(X, __vimax3, three, true)  \
    SIGNED_TYPES(X, __vimin3, three, false) \
    SIGNED_TYPES(X, __vimax, two, true)     \
    SIGNED_TYPES(X, __vimin, two, false)    \
    SIGNED_TYPES(X, __viaddmax, add, true)  \
    SIGNED_TYPES(X, __viaddmin, add, false)
// [/functions]

/// Calls a function of three values.
template <class T>
__host__ __device__ outcome call(T (*f)(T, T, T), unsigned a, unsigned b, unsigned c) {
    return {static_cast<unsigned>(f(a, b, c)), 0};
}
/// Calls a function of two values.
template <class T>
__host__ __device__ outcome call(T (*f)(T, T), unsigned a, unsigned b, unsigned) {
    return {static_cast<unsigned>(f(a, b)), 0};
}
/// Calls a function of two words that sets a predicate.
template <class T>
__host__ __device__ outcome call(T (*f)(T, T, bool*), unsigned a, unsigned b,
                                 unsigned) {
    bool set = false;
    const T value = f(a, b, &set);
    return {static_cast<unsigned>(value), set};
}
/// Calls a function of two pairs of halves, which sets the high predicate first.
inline __host__ __device__ outcome call(unsigned (*f)(unsigned, unsigned, bool*, bool*),
                                        unsigned a, unsigned b, unsigned) {
    bool high = false, low = false;
    const unsigned value = f(a, b, &high, &low);
    return {value, high * 2u + low};
}

/// Calls function number i.
__host__ __device__ outcome dpx(int i, unsigned a, unsigned b, unsigned c) {
    int number = 0;
#define CALL(name, kind, larger, width) \
    if (i == number++) return call(name, a, b, c);
    ALL_WITHOUT_BOUND(CALL)
    ALL_WITH_BOUND(CALL)
    return {};
}

/// A function for the reference.
struct description {
    kind what;    ///< its operation
    bool larger;  ///< maximum or minimum
    width type;   ///< of what
    bool bound;   ///< whether the result is at least 0
};
constexpr description functions[] = {
#define DESCRIBE(name, kind, larger, width) {kind, larger, width, false},
    ALL_WITHOUT_BOUND(DESCRIBE)
#undef DESCRIBE
#define DESCRIBE(name, kind, larger, width) {kind, larger, width, true},
        ALL_WITH_BOUND(DESCRIBE)};
constexpr int function_count = sizeof functions / sizeof *functions;

// [reference]
/// One part of a word, computed with 64-bit numbers.
/// @tparam T  type of the part
/// @param f   the function
/// @param a, b, c  the parts
/// @param set  whether a is the result; both may be
template <class T>
T part(const description& f, T a, T b, T c, bool& set) {
    set = f.larger ? a >= b : a <= b;
    const T sum = static_cast<T>(static_cast<std::int64_t>(a) + b);  // wraps around
    std::int64_t result = f.what == add ? sum : a;
    const auto take = [&](std::int64_t x) {
        result = f.larger ? std::max(result, x) : std::min(result, x);
    };
    if (f.what != add) take(b);
    if (f.what == three || f.what == add) take(c);
    return static_cast<T>(f.bound ? std::max<std::int64_t>(result, 0) : result);
}
// [/reference]

/// The same of both halves of a word.
template <class T>
outcome halves(const description& f, unsigned a, unsigned b, unsigned c) {
    bool high = false, low = false;
    const T top = part<T>(f, a >> 16, b >> 16, c >> 16, high);
    const T bottom = part<T>(f, a, b, c, low);
    return {unsigned(std::uint16_t(top)) << 16 | std::uint16_t(bottom),
            high * 2u + low};
}

/// What a function must return.
outcome reference(const description& f, unsigned a, unsigned b, unsigned c) {
    outcome result;
    bool set = false;
    switch (f.type) {
        case s32:
            result.value = part<int>(f, a, b, c, set), result.predicates = set;
            break;
        case u32:
            result.value = part<unsigned>(f, a, b, c, set), result.predicates = set;
            break;
        case s16: result = halves<std::int16_t>(f, a, b, c); break;
        case u16: result = halves<std::uint16_t>(f, a, b, c); break;
    }
    if (f.what != predicate) result.predicates = 0;
    return result;
}

/// Calls all functions with the words of each thread.
/// @param words    3 words for each thread in device memory
/// @param results  function_count outcomes for each thread in device memory
__global__ void call_all(const unsigned* words, outcome* results) {
    const int test = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < function_count; ++i)
        results[test * function_count + i] =
            dpx(i, words[3 * test], words[3 * test + 1], words[3 * test + 2]);
}

int main() {
    lockstep::require_device();

    constexpr int tests = 4096;
    std::vector<unsigned> words(3 * tests);
    unsigned state = 12345;
    for (unsigned& word : words) {
        state = state * 1664525 + 1013904223;
        // one word of four lies near the ends of its range, where sums wrap around
        word = state >> 30 ? state : 0x7fff8000 + (state >> 8) % 0x10000;
    }
    for (int test = 0; test < tests; test += 8) words[3 * test + 1] = words[3 * test];

    const lockstep::device_buffer<unsigned> d_words(words);
    lockstep::device_buffer<outcome> d_results(tests * function_count);
    d_results.fill_bytes(0xFF);
    call_all<<<tests / 128, 128>>>(d_words.data(), d_results.data());
    lockstep::check(cudaGetLastError());
    const std::vector<outcome> results = d_results.to_host();

    const auto same = [](const outcome& x, const outcome& y) {
        return x.value == y.value && x.predicates == y.predicates;
    };
    const auto report = [&](const char* label, kind what, bool bound) {
        int count = 0, on_device = 0, on_host = 0;
        for (int i = 0; i < function_count; ++i) {
            if (functions[i].what != what || functions[i].bound != bound) continue;
            ++count;
            for (int test = 0; test < tests; ++test) {
                const unsigned a = words[3 * test], b = words[3 * test + 1],
                               c = words[3 * test + 2];
                const outcome expected = reference(functions[i], a, b, c);
                on_device += same(results[test * function_count + i], expected);
                on_host += same(dpx(i, a, b, c), expected);
            }
        }
        const int all = count * tests;
        lockstep::report(
            label, (std::to_string(count) + " functions: " + std::to_string(on_device) +
                    " of " + std::to_string(all) + " right on the device, " +
                    std::to_string(on_host) + " on the host")
                       .c_str());
        return count > 0 && on_device == all && on_host == all;
    };
    bool right = report("vimax3, vimin3", three, false);
    right &= report("vimax3, vimin3, _relu", three, true);
    right &= report("vimax, vimin, _relu", two, true);
    right &= report("viaddmax, viaddmin", add, false);
    right &= report("viaddmax, viaddmin, _relu", add, true);
    right &= report("vibmax, vibmin", predicate, false);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
