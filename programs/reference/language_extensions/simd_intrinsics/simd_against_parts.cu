// What do the SIMD intrinsics compute? Each treats a 32-bit word as four bytes or two
// halves, and computes part by part. All 82 are compared with a reference that takes
// the word apart. Each pair of bytes appears in each of the four places.

#include <algorithm>
#include <cstdint>  // unused; goes with the next recording
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [functions]
#define UNARY(X) X(__vabs) X(__vabsss) X(__vneg) X(__vnegss)
#define SUMS(X) X(__vadd) X(__vaddss) X(__vaddus) X(__vsub) X(__vsubss) X(__vsubus)
#define MEANS(X) X(__vavgs) X(__vavgu) X(__vhaddu)
#define EXTREMES(X) X(__vmaxs) X(__vmaxu) X(__vmins) X(__vminu)
#define DISTANCES(X) X(__vabsdiffs) X(__vabsdiffu) X(__vsads) X(__vsadu)
#define COMPARISONS(X, name) \
    X(name##eq)              \
    X(name##ne)              \
    X(name##ge##s)           \
    X(name##geu)             \
    X(name##gts) X(name##gtu) X(name##les) X(name##leu) X(name##lts) X(name##ltu)
#define ALL(X) \
    UNARY(X)   \
    SUMS(X)    \
    MEANS(X) EXTREMES(X) DISTANCES(X) COMPARISONS(X, __vcmp) COMPARISONS(X, __vset)
// [/functions]

/// Calls a function of one word.
__device__ unsigned call(unsigned (*f)(unsigned), unsigned a, unsigned) { return f(a); }
/// Calls a function of two words.
__device__ unsigned call(unsigned (*f)(unsigned, unsigned), unsigned a, unsigned b) {
    return f(a, b);
}

/// Calls each function with the words of each thread.
/// @param words    2 words for each thread in device memory
/// @param results  one word for each function and thread in device memory: first all of
///                 the first function for four bytes, then the same for two halves
__global__ void call_all(const unsigned* words, unsigned* results) {
    const int test = blockIdx.x * blockDim.x + threadIdx.x;
    const int tests = gridDim.x * blockDim.x;
    const unsigned a = words[2 * test], b = words[2 * test + 1];
    unsigned* place = results + test;
#define CALL(name)                \
    *place = call(name##4, a, b); \
    place += tests;               \
    *place = call(name##2, a, b); \
    place += tests;
    ALL(CALL)
}

/// One part.
/// @param name    the function, without __v and the number of parts
/// @param bits    width of a part
/// @param sa, sb  the parts as signed numbers
/// @param ua, ub  the same as unsigned numbers
int part(const std::string& name, int bits, int sa, int sb, int ua, int ub) {
    const int largest = (1 << (bits - 1)) - 1, all = (1 << bits) - 1;
    const auto clamp_signed = [&](int x) {
        return std::clamp(x, -largest - 1, largest);
    };
    const auto clamp_unsigned = [&](int x) { return std::clamp(x, 0, all); };
    // [reference]
    if (name == "abs") return std::abs(sa);  // of the least number: itself, as it wraps
    if (name == "absss") return clamp_signed(std::abs(sa));
    if (name == "neg") return -sa;
    if (name == "negss") return clamp_signed(-sa);
    if (name == "add") return sa + sb;
    if (name == "addss") return clamp_signed(sa + sb);
    if (name == "addus") return clamp_unsigned(ua + ub);
    if (name == "sub") return sa - sb;
    if (name == "subss") return clamp_signed(sa - sb);
    if (name == "subus") return clamp_unsigned(ua - ub);
    if (name == "avgs") return (sa + sb + (sa + sb >= 0)) >> 1;  // ties away from 0
    if (name == "avgu") return (ua + ub + 1) >> 1;
    if (name == "haddu") return (ua + ub) >> 1;
    if (name == "maxs") return std::max(sa, sb);
    if (name == "maxu") return std::max(ua, ub);
    if (name == "mins") return std::min(sa, sb);
    if (name == "minu") return std::min(ua, ub);
    if (name == "absdiffs" || name == "sads") return std::abs(sa - sb);
    if (name == "absdiffu" || name == "sadu") return std::abs(ua - ub);
    // [/reference]
    const bool is_unsigned = name.back() == 'u';
    const int a = is_unsigned ? ua : sa, b = is_unsigned ? ub : sb;
    const std::string test = name.substr(3, 2);
    const bool holds = test == "eq"   ? a == b
                       : test == "ne" ? a != b
                       : test == "ge" ? a >= b
                       : test == "gt" ? a > b
                       : test == "le" ? a <= b
                                      : a < b;
    return holds ? (name[0] == 'c' ? all : 1) : 0;  // vcmp sets all bits, vset one
}

/// What a function must return for two words.
unsigned reference(const std::string& name, int parts, unsigned a, unsigned b) {
    const int bits = 32 / parts;
    unsigned word = 0, sum = 0;
    for (int shift = 0; shift < 32; shift += bits) {
        const unsigned mask = (1u << bits) - 1;
        const int ua = a >> shift & mask, ub = b >> shift & mask;
        const int half = 1 << (bits - 1);
        const int sa = (ua ^ half) - half, sb = (ub ^ half) - half;
        const unsigned result = part(name, bits, sa, sb, ua, ub);
        word |= (result & mask) << shift;
        sum += result;
    }
    return name == "sads" || name == "sadu" ? sum : word;  // these add up the parts
}

int main() {
    lockstep::require_device();

    constexpr int tests = 1 << 16;
    std::vector<unsigned> words(2 * tests);
    for (int test = 0; test < tests; ++test) {
        const unsigned x = test % 256, y = test / 256;
        words[2 * test] = x | (255 - x) << 8 | (x ^ 128) << 16 | (x + 85) % 256 << 24;
        words[2 * test + 1] = y | y << 8 | y << 16 | (255 - y) << 24;
    }
    const std::vector<std::string> names = {
#define NAME(name) std::string(#name).substr(3),
        ALL(NAME)};
    const lockstep::device_buffer<unsigned> d_words(words);
    lockstep::device_buffer<unsigned> d_results(names.size() * 2 * tests);
    d_results.fill_bytes(0xA5);
    call_all<<<tests / 256, 256>>>(d_words.data(), d_results.data());
    lockstep::check(cudaGetLastError());
    const std::vector<unsigned> results = d_results.to_host();

    bool right = true;
    std::size_t next = 0;
    const auto report = [&](const char* label, std::size_t count) {
        long long wrong = 0;
        for (const std::size_t end = next + count; next < end; ++next)
            for (int i = 0; i < 2 * tests; ++i) {
                const int test = i % tests;
                wrong += results[next * 2 * tests + i] !=
                         reference(names[next], i < tests ? 4 : 2, words[2 * test],
                                   words[2 * test + 1]);
            }
        lockstep::report(
            label, (std::to_string(2 * count) + " functions, " + std::to_string(wrong) +
                    " of " + std::to_string(2 * count * tests) + " words wrong")
                       .c_str());
        right = right && wrong == 0;
    };
    report("absolute value, negation", 4);
    report("addition, subtraction", 6);
    report("averages", 3);
    report("minimum, maximum", 4);
    report("differences", 4);
    report("comparisons, all bits", 10);
    report("comparisons, one bit", 10);
    return right && next == names.size() ? EXIT_SUCCESS : EXIT_FAILURE;
}
