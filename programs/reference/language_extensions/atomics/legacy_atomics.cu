// What do atomicAdd and its relatives store and return, and for which types? One thread
// calls each function once for each type, on a word that holds 12: all return the old
// value, and the output says what they leave. The last lines show where atomicInc and
// atomicDec wrap around.

#include <cstdlib>
#include <string>  // unused; goes with the next recording
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Calls a function on a word that holds `before`; returns what the word holds after,
/// or 99 if the function did not return `before`.
template <class T, class F>
__device__ long long apply(T* word, T before, F function) {
    *word = before;
    const T returned = function(word);
    return returned == before ? static_cast<long long>(*word) : 99;
}

// [integers]
/// The operations of all integer types; each result takes one element.
/// @param word  an aligned place in device memory
/// @param left  where results go
/// @return      the element after the last result
template <class T>
__device__ long long* integer_operations(T* word, long long* left) {
    *left++ = apply(word, T(12), [](T* p) { return atomicAdd(p, T(5)); });
    *left++ = apply(word, T(12), [](T* p) { return atomicMin(p, T(5)); });
    *left++ = apply(word, T(12), [](T* p) { return atomicMax(p, T(50)); });
    *left++ = apply(word, T(12), [](T* p) { return atomicAnd(p, T(5)); });
    *left++ = apply(word, T(12), [](T* p) { return atomicOr(p, T(5)); });
    *left++ = apply(word, T(12), [](T* p) { return atomicXor(p, T(5)); });
    *left++ = apply(word, T(12), [](T* p) { return atomicExch(p, T(5)); });
    *left++ = apply(word, T(12), [](T* p) { return atomicCAS(p, T(12), T(5)); });
    *left++ = apply(word, T(12), [](T* p) { return atomicCAS(p, T(11), T(5)); });
    return left;
}
// [/integers]

// [wraps]
/// atomicInc and atomicDec with the limit 20, on words below, at and above it.
/// @param word  an aligned place in device memory
/// @param left  where six results go
/// @return      the element after the last result
__device__ long long* wrap_around(unsigned* word, long long* left) {
    for (const unsigned before : {12u, 20u, 25u})
        *left++ = apply(word, before, [](unsigned* p) { return atomicInc(p, 20); });
    for (const unsigned before : {12u, 0u, 25u})
        *left++ = apply(word, before, [](unsigned* p) { return atomicDec(p, 20); });
    return left;
}
// [/wraps]

/// Calls everything in one thread.
/// @param memory  8 aligned bytes in device memory
/// @param left    41 results, device memory
__global__ void call_all(void* memory, long long* left) {
    const auto as = [&](auto zero) { return static_cast<decltype(zero)*>(memory); };
    left = integer_operations(as(int{}), left);
    left = integer_operations(as(unsigned{}), left);
    left = integer_operations(as(0ull), left);
    *left++ = apply(as(int{}), 12, [](int* p) { return atomicSub(p, 5); });
    *left++ = apply(as(0u), 12u, [](unsigned* p) { return atomicSub(p, 5u); });
    *left++ = apply(as(0ll), 12ll, [](long long* p) { return atomicMin(p, -5ll); });
    *left++ = apply(as(0ll), 12ll, [](long long* p) { return atomicMax(p, 50ll); });
    *left++ = apply(as(0.0f), 12.0f, [](float* p) { return atomicAdd(p, 5.0f); });
    *left++ = apply(as(0.0), 12.0, [](double* p) { return atomicAdd(p, 5.0); });
    *left++ = apply(as(0.0f), 12.0f, [](float* p) { return atomicExch(p, 5.0f); });
    using half_word = unsigned short;
    *left++ = apply(as(half_word{}), half_word{12}, [](half_word* p) {
        return atomicCAS(p, half_word{12}, half_word{5});
    });
    wrap_around(as(0u), left);
}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<long long> memory(1), left(41);
    left.fill_bytes(0xFF);
    call_all<<<1, 1>>>(memory.data(), left.data());
    lockstep::check(cudaGetLastError());
    const std::vector<long long> found = left.to_host();

    std::vector<long long> expected;
    for (int type = 0; type < 3; ++type)
        for (const long long x : {17, 5, 50, 4, 13, 9, 5, 5, 12}) expected.push_back(x);
    for (const long long x : {7, 7, -5, 50, 17, 17, 5, 5}) expected.push_back(x);
    for (const long long x : {13, 0, 0, 11, 20, 20}) expected.push_back(x);

    constexpr const char* integers[] = {
        "atomicAdd 5",  "atomicMin 5",       "atomicMax 50",
        "atomicAnd 5",  "atomicOr 5",        "atomicXor 5",
        "atomicExch 5", "atomicCAS 12 -> 5", "atomicCAS 11 -> 5"};
    for (int i = 0; i < 9; ++i) lockstep::report(integers[i], found[i]);
    constexpr const char* others[] = {
        "atomicSub 5, int",         "atomicSub 5, unsigned",
        "atomicMin -5, long long",  "atomicMax 50, long long",
        "atomicAdd 5, float",       "atomicAdd 5, double",
        "atomicExch 5, float",      "atomicCAS 12 -> 5, short",
        "atomicInc 20, word is 12", "atomicInc 20, word is 20",
        "atomicInc 20, word is 25", "atomicDec 20, word is 12",
        "atomicDec 20, word is 0",  "atomicDec 20, word is 25"};
    for (int i = 0; i < 14; ++i) lockstep::report(others[i], found[27 + i]);
    return lockstep::count_mismatches(found, expected) == 0 ? EXIT_SUCCESS
                                                            : EXIT_FAILURE;
}
