// Which memory orders and scopes does each built-in atomic function take? The program
// compiles every combination that nvcc accepts, for every type, and runs it: the value
// that is returned and the value that is stored are right for all of them. Order and
// scope must be literals, so macros write out the combinations.

#include <cstdlib>
#include <string>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#define EACH_SCOPE(DO, ...)                     \
    DO(__VA_ARGS__, __NV_THREAD_SCOPE_THREAD);  \
    DO(__VA_ARGS__, __NV_THREAD_SCOPE_BLOCK);   \
    DO(__VA_ARGS__, __NV_THREAD_SCOPE_CLUSTER); \
    DO(__VA_ARGS__, __NV_THREAD_SCOPE_DEVICE);  \
    DO(__VA_ARGS__, __NV_THREAD_SCOPE_SYSTEM)

#define EACH_ORDER(DO, ...)                           \
    EACH_SCOPE(DO, __VA_ARGS__, __NV_ATOMIC_RELAXED); \
    EACH_SCOPE(DO, __VA_ARGS__, __NV_ATOMIC_CONSUME); \
    EACH_SCOPE(DO, __VA_ARGS__, __NV_ATOMIC_ACQUIRE); \
    EACH_SCOPE(DO, __VA_ARGS__, __NV_ATOMIC_RELEASE); \
    EACH_SCOPE(DO, __VA_ARGS__, __NV_ATOMIC_ACQ_REL); \
    EACH_SCOPE(DO, __VA_ARGS__, __NV_ATOMIC_SEQ_CST)

// [load-store-orders]
#define EACH_LOAD_ORDER(DO, ...)                      \
    EACH_SCOPE(DO, __VA_ARGS__, __NV_ATOMIC_RELAXED); \
    EACH_SCOPE(DO, __VA_ARGS__, __NV_ATOMIC_CONSUME); \
    EACH_SCOPE(DO, __VA_ARGS__, __NV_ATOMIC_ACQUIRE); \
    EACH_SCOPE(DO, __VA_ARGS__, __NV_ATOMIC_SEQ_CST)

#define EACH_STORE_ORDER(DO, ...)                     \
    EACH_SCOPE(DO, __VA_ARGS__, __NV_ATOMIC_RELAXED); \
    EACH_SCOPE(DO, __VA_ARGS__, __NV_ATOMIC_RELEASE); \
    EACH_SCOPE(DO, __VA_ARGS__, __NV_ATOMIC_SEQ_CST)
// [/load-store-orders]

#define EACH_PAIR_OF_ORDERS(DO, ...)                  \
    EACH_ORDER(DO, __VA_ARGS__, __NV_ATOMIC_RELAXED); \
    EACH_ORDER(DO, __VA_ARGS__, __NV_ATOMIC_CONSUME); \
    EACH_ORDER(DO, __VA_ARGS__, __NV_ATOMIC_ACQUIRE); \
    EACH_ORDER(DO, __VA_ARGS__, __NV_ATOMIC_RELEASE); \
    EACH_ORDER(DO, __VA_ARGS__, __NV_ATOMIC_ACQ_REL); \
    EACH_ORDER(DO, __VA_ARGS__, __NV_ATOMIC_SEQ_CST)

/// How many combinations were run, and how many gave the right values.
struct outcome {
    int run;    ///< combinations
    int right;  ///< of these, with the right values
};

/// Counts one combination.
__device__ void count(outcome& result, bool right) {
    ++result.run;
    result.right += right;
}

// [read-modify-write]
// One combination: the form that returns the old value, then the form that does not.
#define READ_MODIFY_WRITE(name, begin, operand, first, second, order, scope) \
    *word = T(begin);                                                        \
    old = __nv_atomic_fetch_##name(word, T(operand), order, scope);          \
    count(result, old == T(begin) && *word == T(first));                     \
    __nv_atomic_##name(word, T(operand), order, scope);                      \
    count(result, *word == T(second))
// [/read-modify-write]

/// Addition and subtraction.
/// @param word    an aligned place in device memory
/// @param result  counts are added to it
template <class T>
__device__ __noinline__ void sums(T* word, outcome& result) {
    T old;
    EACH_ORDER(READ_MODIFY_WRITE, add, 1, 2, 3, 5);
    EACH_ORDER(READ_MODIFY_WRITE, sub, 9, 2, 7, 5);
}

/// Bitwise operations.
template <class T>
__device__ __noinline__ void bits(T* word, outcome& result) {
    T old;
    EACH_ORDER(READ_MODIFY_WRITE, and, 7, 12, 4, 4);
    EACH_ORDER(READ_MODIFY_WRITE, or, 3, 8, 11, 11);
    EACH_ORDER(READ_MODIFY_WRITE, xor, 3, 6, 5, 3);
}

/// Smaller and larger of two values.
template <class T>
__device__ __noinline__ void extremes(T* word, outcome& result) {
    T old;
    EACH_ORDER(READ_MODIFY_WRITE, min, -1, 5, T(-1) < T(0) ? -1 : 5,
               T(-1) < T(0) ? -1 : 5);
    EACH_ORDER(READ_MODIFY_WRITE, max, -1, 5, T(-1) < T(0) ? 5 : -1,
               T(-1) < T(0) ? 5 : -1);
}

#define LOAD_EACH(unused, order, scope)                             \
    count(result, __nv_atomic_load_n(word, order, scope) == T(41)); \
    __nv_atomic_load(word, &found, order, scope);                   \
    count(result, found == T(41))

/// Loads, by value and into an object.
template <class T>
__device__ __noinline__ void loads(T* word, outcome& result) {
    T found;
    *word = T(41);
    EACH_LOAD_ORDER(LOAD_EACH, 0);
}

#define STORE_VALUE(unused, order, scope)          \
    __nv_atomic_store_n(word, T(7), order, scope); \
    count(result, *word == T(7))
#define STORE_OBJECT(unused, order, scope)         \
    __nv_atomic_store(word, &value, order, scope); \
    count(result, *word == T(8))

/// Stores, by value and from an object.
template <class T>
__device__ __noinline__ void stores(T* word, outcome& result) {
    T value = T(8);
    EACH_STORE_ORDER(STORE_OBJECT, 0);
    if constexpr (sizeof(T) < 16) {
        EACH_STORE_ORDER(STORE_VALUE, 0);
    } else {  // toolkit 13.0 refuses 16 bytes by value with the order SEQ_CST
        EACH_SCOPE(STORE_VALUE, 0, __NV_ATOMIC_RELAXED);
        EACH_SCOPE(STORE_VALUE, 0, __NV_ATOMIC_RELEASE);
    }
}

#define EXCHANGE_EACH(unused, order, scope)                                  \
    *word = T(1);                                                            \
    count(result, __nv_atomic_exchange_n(word, T(2), order, scope) == T(1)); \
    __nv_atomic_exchange(word, &value, &found, order, scope);                \
    count(result, found == T(2) && *word == T(3))

/// Exchanges, by value and between objects.
template <class T>
__device__ __noinline__ void exchanges(T* word, outcome& result) {
    T value = T(3), found;
    EACH_ORDER(EXCHANGE_EACH, 0);
}

// [compare-exchange]
#define COMPARE_EXCHANGE_EACH(unused, on_success, on_failure, scope)                \
    *word = T(1);                                                                   \
    expected = T(5); /* fails, and expected receives the value that is there */     \
    done = __nv_atomic_compare_exchange_n(word, &expected, T(2), false, on_success, \
                                          on_failure, scope);                       \
    count(result, !done && expected == T(1) && *word == T(1));                      \
    done = __nv_atomic_compare_exchange(word, &expected, &value, false, on_success, \
                                        on_failure, scope);                         \
    count(result, done && *word == T(3))
// [/compare-exchange]

/// Comparison and exchange, by value and between objects; the first one fails.
template <class T>
__device__ __noinline__ void compare_exchanges(T* word, outcome& result) {
    T value = T(3), expected;
    bool done;
    EACH_PAIR_OF_ORDERS(COMPARE_EXCHANGE_EACH, 0);
}

#define FENCE_EACH(unused, order, scope)    \
    *word = 1;                              \
    __nv_atomic_thread_fence(order, scope); \
    count(result, *word == 1)

/// Runs all combinations in one thread.
/// @param memory   16 aligned bytes in device memory
/// @param results  one outcome for each line of the output, device memory
__global__ void run_all(void* memory, outcome* results) {
    const auto as = [&](auto zero) { return static_cast<decltype(zero)*>(memory); };
    sums(as(int{}), results[0]);
    sums(as(unsigned{}), results[0]);
    sums(as(0ull), results[0]);
    sums(as(float{}), results[0]);
    sums(as(double{}), results[0]);
    bits(as(int{}), results[1]);
    bits(as(unsigned{}), results[1]);
    bits(as(0ll), results[1]);
    bits(as(0ull), results[1]);
    extremes(as(int{}), results[2]);
    extremes(as(unsigned{}), results[2]);
    extremes(as(0ll), results[2]);
    extremes(as(0ull), results[2]);
    loads(as(char{}), results[3]);
    loads(as(short{}), results[3]);
    loads(as(int{}), results[3]);
    loads(as(0ll), results[3]);
    loads(as(__int128{}), results[3]);
    stores(as(char{}), results[4]);
    stores(as(short{}), results[4]);
    stores(as(int{}), results[4]);
    stores(as(0ll), results[4]);
    stores(as(__int128{}), results[4]);
    exchanges(as(int{}), results[5]);
    exchanges(as(0ll), results[5]);
    exchanges(as(__int128{}), results[5]);
    compare_exchanges(as(short{}), results[6]);
    compare_exchanges(as(int{}), results[6]);
    compare_exchanges(as(0ll), results[6]);
    compare_exchanges(as(__int128{}), results[6]);
    int* word = as(int{});
    outcome& result = results[7];
    EACH_ORDER(FENCE_EACH, 0);
}

int main() {
    lockstep::require_device(90);

    constexpr const char* names[] = {"add, sub: 5 types",
                                     "and, or, xor: 4 types",
                                     "min, max: 4 types",
                                     "load: 5 sizes",
                                     "store: 5 sizes",
                                     "exchange: 3 sizes",
                                     "compare_exchange: 4 sizes",
                                     "thread_fence"};
    lockstep::device_buffer<long long> memory(2);
    lockstep::device_buffer<outcome> results(8);
    results.fill_bytes(0);
    run_all<<<1, 1>>>(memory.data(), results.data());
    lockstep::check(cudaGetLastError());
    const std::vector<outcome> host = results.to_host();
    bool right = true;
    for (int i = 0; i < 8; ++i) {
        const std::string of = std::to_string(host[i].right) + " of " +
                               std::to_string(host[i].run) + " right";
        lockstep::report(names[i], of.c_str());
        right = right && host[i].run > 0 && host[i].right == host[i].run;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
