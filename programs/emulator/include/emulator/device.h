// What device code finds without an include: built-in variables, barriers, warp operations,
// atomics, clocks. Every function with the source place of its call reports it when it finds a
// mistake.
#pragma once

#include "../../runtime/abi.hpp"
#include "../../runtime/hardware.hpp"

#define __EMU_DEVICE static __device__ __inline__ __attribute__((always_inline, unused))
#define __EMU_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()
// The rewriter puts a number of its own in the place of each no_site; two calls on one line differ
// in it.
#define __EMU_SITE emulator_abi::no_site

extern "C" {
__device__ int __emu_barrier(int kind, int value, const char* file, int line, int site);
__device__ void __emu_warp_barrier(unsigned mask, const char* file, int line);
// Gives the lanes of `mask` what each brought: `value` of `size` bytes goes in, 32 of them come
// out.
__device__ unsigned __emu_warp_gather(unsigned mask, const void* value, int size, void* all,
                                      const char* file, int line);
__device__ unsigned __emu_active_lanes(const char* file, int line, int site);
__device__ int __emu_lane();
__device__ long long __emu_clock();
__device__ unsigned long long __emu_nanoseconds();
__device__ void __emu_sleep(unsigned nanoseconds);
[[noreturn]] __device__ void __emu_fault(int error, const char* text, const char* file, int line);
__device__ unsigned long long __emu_atomic(void* place, int type, int operation,
                                           unsigned long long value, unsigned long long expected,
                                           const char* file, int line);
__device__ void __emu_fence();
__device__ void __emu_group_barrier(int scope, const char* file, int line, int site);
__device__ int __emu_group_arrive(int scope, const char* file, int line);
__device__ void __emu_group_wait(int scope, int phase, const char* file, int line);
__device__ void __emu_tile_exchange(unsigned threads, const void* value, int size, int source,
                                    void* result, const char* file, int line);
__device__ void* __emu_remote_shared(void* mine, unsigned rank, const char* file, int line);
__device__ unsigned __emu_shared_rank(const void* shared, const char* file, int line);
__device__ void __emu_set_conditional(unsigned long long handle, unsigned value);
__device__ int __emu_graph_launch(void* graph, void* stream, void* mark);
__device__ void* __emu_current_graph();
__device__ void __emu_trigger();
__device__ void __emu_grid_dependency();
__device__ unsigned __emu_cluster_query(int what);
__device__ int __emu_space(const void* pointer);
__device__ size_t __emu_shared_address(const void* pointer, const char* file, int line);
}

extern __device__ const uint3 threadIdx __asm("__emu_thread"), blockIdx __asm("__emu_block");
extern __device__ const dim3 blockDim __asm("__emu_block_size"), gridDim __asm("__emu_grid_size");
static const int warpSize = emulator_hardware::warp_size;

// -- barriers and fences

#define __syncthreads __emu_syncthreads  // clang knows the name, and would rather have its own
__EMU_DEVICE void __syncthreads(__EMU_PLACE) {
    __emu_barrier(emulator_abi::barrier_plain, 0, file, line, __EMU_SITE);
}
__EMU_DEVICE int __syncthreads_count(int value, __EMU_PLACE) {
    return __emu_barrier(emulator_abi::barrier_count, value, file, line, __EMU_SITE);
}
__EMU_DEVICE int __syncthreads_and(int value, __EMU_PLACE) {
    return __emu_barrier(emulator_abi::barrier_and, value, file, line, __EMU_SITE);
}
__EMU_DEVICE int __syncthreads_or(int value, __EMU_PLACE) {
    return __emu_barrier(emulator_abi::barrier_or, value, file, line, __EMU_SITE);
}
__EMU_DEVICE void __syncwarp(unsigned mask = 0xffffffffU, __EMU_PLACE) {
    __emu_warp_barrier(mask, file, line);
}
__EMU_DEVICE void __threadfence() { __emu_fence(); }
__EMU_DEVICE void __threadfence_block() { __emu_fence(); }
__EMU_DEVICE void __threadfence_system() { __emu_fence(); }

// -- warp operations

// The lane that a shuffle reads, or its own where the source lies outside of its segment.
enum { __emu_shfl_index, __emu_shfl_up, __emu_shfl_down, __emu_shfl_xor };
__EMU_DEVICE int __emu_source_lane(int kind, int amount, int width, const char* file, int line) {
    if (width < 1 || width > warpSize || width & (width - 1))
        __emu_fault(cudaErrorLaunchFailure, "a shuffle whose width is no power of two from 1 to 32",
                    file, line);
    amount &= warpSize - 1;  // the instruction has five bits for it
    const int lane = __emu_lane();
    const int first = lane & ~(width - 1);
    const int last = first + width - 1;
    switch (kind) {
        case __emu_shfl_index: return first + (amount & (width - 1));
        case __emu_shfl_up: return lane - amount < first ? lane : lane - amount;
        case __emu_shfl_down: return lane + amount > last ? lane : lane + amount;
        default: return (lane ^ amount) > last ? lane : lane ^ amount;
    }
}

extern "C" __device__ void __emu_shuffle(unsigned mask, const void* value, int size, int source,
                                         void* result, const char* file, int line);
template <typename T>
__EMU_DEVICE T __emu_shuffled(int kind, unsigned mask, T value, int amount, int width,
                              const char* file, int line) {
    T result;
    const int source = __emu_source_lane(kind, amount, width, file, line);
    if (kind == __emu_shfl_index && !(mask >> source & 1))
        __emu_fault(cudaErrorLaunchFailure, "a shuffle from a lane that its mask does not name",
                    file, line);
    __emu_shuffle(mask, &value, sizeof(T), source, &result, file, line);
    return result;
}
template <typename T>
__EMU_DEVICE T __shfl_sync(unsigned mask, T value, int lane, int width = warpSize, __EMU_PLACE) {
    return __emu_shuffled(__emu_shfl_index, mask, value, lane, width, file, line);
}
template <typename T>
__EMU_DEVICE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                              __EMU_PLACE) {
    return __emu_shuffled(__emu_shfl_up, mask, value, int(delta), width, file, line);
}
template <typename T>
__EMU_DEVICE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                                __EMU_PLACE) {
    return __emu_shuffled(__emu_shfl_down, mask, value, int(delta), width, file, line);
}
template <typename T>
__EMU_DEVICE T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = warpSize,
                               __EMU_PLACE) {
    return __emu_shuffled(__emu_shfl_xor, mask, value, lanes, width, file, line);
}

__EMU_DEVICE unsigned __emu_ballot_of(unsigned mask, bool vote, const char* file, int line) {
    bool votes[warpSize] = {};
    const unsigned lanes = __emu_warp_gather(mask, &vote, sizeof vote, votes, file, line);
    unsigned result = 0;
    for (int lane = 0; lane < warpSize; ++lane)
        if (lanes >> lane & 1 && votes[lane]) result |= 1U << lane;
    return result;
}
__EMU_DEVICE unsigned __ballot_sync(unsigned mask, int vote, __EMU_PLACE) {
    return __emu_ballot_of(mask, vote != 0, file, line);
}
__EMU_DEVICE int __any_sync(unsigned mask, int vote, __EMU_PLACE) {
    return __emu_ballot_of(mask, vote != 0, file, line) != 0;
}
__EMU_DEVICE int __all_sync(unsigned mask, int vote, __EMU_PLACE) {
    return __emu_ballot_of(mask, vote == 0, file, line) == 0;
}
__EMU_DEVICE unsigned __activemask(__EMU_PLACE) {
    return __emu_active_lanes(file, line, __EMU_SITE);
}

// The lanes that brought the same value; `lanes` are all that brought one.
template <typename T>
__EMU_DEVICE unsigned __emu_matching(unsigned mask, T value, unsigned& lanes, const char* file,
                                     int line) {
    T all[warpSize];
    lanes = __emu_warp_gather(mask, &value, sizeof value, all, file, line);
    unsigned same = 0;
    for (int lane = 0; lane < warpSize; ++lane)
        if (lanes >> lane & 1 && memcmp(&all[lane], &value, sizeof value) == 0) same |= 1U << lane;
    return same;
}
__EMU_DEVICE int __uni_sync(unsigned mask, int vote, __EMU_PLACE) {
    unsigned lanes;
    return __emu_matching(mask, vote != 0, lanes, file, line) == lanes;
}
template <typename T>
__EMU_DEVICE unsigned __match_any_sync(unsigned mask, T value, __EMU_PLACE) {
    unsigned lanes;
    return __emu_matching(mask, value, lanes, file, line);
}
template <typename T>
__EMU_DEVICE unsigned __match_all_sync(unsigned mask, T value, int* predicate, __EMU_PLACE) {
    unsigned lanes;
    *predicate = __emu_matching(mask, value, lanes, file, line) == lanes;
    return *predicate ? lanes : 0;
}
template <typename T, typename F>
__EMU_DEVICE T __emu_reduced(unsigned mask, T value, F combine, const char* file, int line) {
    T all[warpSize];
    const unsigned lanes = __emu_warp_gather(mask, &value, sizeof value, all, file, line);
    bool first = true;
    for (int lane = 0; lane < warpSize; ++lane) {
        if (!(lanes >> lane & 1)) continue;
        value = first ? all[lane] : combine(value, all[lane]);
        first = false;
    }
    return value;
}
#define __EMU_REDUCE(name, T, expression)                                                        \
    __EMU_DEVICE T name(unsigned mask, T value, __EMU_PLACE) {                                   \
        return __emu_reduced(mask, value, [](T a, T b) -> T { return expression; }, file, line); \
    }
__EMU_REDUCE(__reduce_add_sync, unsigned, a + b)
__EMU_REDUCE(__reduce_add_sync, int, int(unsigned(a) + unsigned(b)))
__EMU_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
__EMU_REDUCE(__reduce_min_sync, int, a < b ? a : b)
__EMU_REDUCE(__reduce_max_sync, unsigned, a < b ? b : a)
__EMU_REDUCE(__reduce_max_sync, int, a < b ? b : a)
__EMU_REDUCE(__reduce_and_sync, unsigned, a& b)
__EMU_REDUCE(__reduce_or_sync, unsigned, a | b)
__EMU_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef __EMU_REDUCE

// -- atomics

template <typename T>
struct __emu_type {
    static constexpr int kind =
        T(-1) < T(0) ? emulator_abi::atomic_signed : emulator_abi::atomic_unsigned;
};
template <>
struct __emu_type<float> {
    static constexpr int kind = emulator_abi::atomic_float;
};
template <>
struct __emu_type<double> {
    static constexpr int kind = emulator_abi::atomic_double;
};

template <typename T>
__EMU_DEVICE T __emu_atomically(const volatile T* place, int operation, T value, T expected,
                                const char* file, int line) {
    static_assert(sizeof(T) <= 8, "an atomic of at most 8 bytes");
    unsigned long long bits = 0, other = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    __builtin_memcpy(&other, &expected, sizeof(T));
    bits = __emu_atomic((void*)place, emulator_abi::atomic_type(__emu_type<T>::kind, sizeof(T)),
                        operation, bits, other, file, line);
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}
#define __EMU_ATOMIC(name, T, operation)                                     \
    __EMU_DEVICE T name(T* place, T value, __EMU_PLACE) {                    \
        return __emu_atomically<T>(place, operation, value, {}, file, line); \
    }                                                                        \
    __EMU_DEVICE T name##_block(T* place, T value, __EMU_PLACE) {            \
        return __emu_atomically<T>(place, operation, value, {}, file, line); \
    }                                                                        \
    __EMU_DEVICE T name##_system(T* place, T value, __EMU_PLACE) {           \
        return __emu_atomically<T>(place, operation, value, {}, file, line); \
    }
#define __EMU_ATOMIC_INTEGERS(name, operation) \
    __EMU_ATOMIC(name, int, operation)         \
    __EMU_ATOMIC(name, unsigned, operation)    \
    __EMU_ATOMIC(name, unsigned long long, operation)
__EMU_ATOMIC_INTEGERS(atomicAdd, emulator_abi::atomic_add)
__EMU_ATOMIC(atomicAdd, float, emulator_abi::atomic_add)
__EMU_ATOMIC(atomicAdd, double, emulator_abi::atomic_add)
__EMU_ATOMIC_INTEGERS(atomicExch, emulator_abi::atomic_exchange)
__EMU_ATOMIC(atomicExch, float, emulator_abi::atomic_exchange)
__EMU_ATOMIC_INTEGERS(atomicMin, emulator_abi::atomic_min)
__EMU_ATOMIC(atomicMin, long long, emulator_abi::atomic_min)
__EMU_ATOMIC_INTEGERS(atomicMax, emulator_abi::atomic_max)
__EMU_ATOMIC(atomicMax, long long, emulator_abi::atomic_max)
__EMU_ATOMIC_INTEGERS(atomicAnd, emulator_abi::atomic_and)
__EMU_ATOMIC_INTEGERS(atomicOr, emulator_abi::atomic_or)
__EMU_ATOMIC_INTEGERS(atomicXor, emulator_abi::atomic_xor)
__EMU_ATOMIC(atomicInc, unsigned, emulator_abi::atomic_increment)
__EMU_ATOMIC(atomicDec, unsigned, emulator_abi::atomic_decrement)
#undef __EMU_ATOMIC
#undef __EMU_ATOMIC_INTEGERS
__EMU_DEVICE int atomicSub(int* place, int value, __EMU_PLACE) {
    return atomicAdd(place, int(-unsigned(value)), file, line);
}
__EMU_DEVICE unsigned atomicSub(unsigned* place, unsigned value, __EMU_PLACE) {
    return atomicAdd(place, 0U - value, file, line);
}
#define __EMU_CAS(name, T)                                                                    \
    __EMU_DEVICE T name(T* place, T expected, T value, __EMU_PLACE) {                         \
        return __emu_atomically<T>(place, emulator_abi::atomic_compare_swap, value, expected, \
                                   file, line);                                               \
    }
#define __EMU_CAS_TYPES(name) \
    __EMU_CAS(name, int)      \
    __EMU_CAS(name, unsigned) __EMU_CAS(name, unsigned short) __EMU_CAS(name, unsigned long long)
__EMU_CAS_TYPES(atomicCAS)
__EMU_CAS_TYPES(atomicCAS_block)
__EMU_CAS_TYPES(atomicCAS_system)
#undef __EMU_CAS
#undef __EMU_CAS_TYPES

// -- loads and stores with a hint: the hint does nothing here

#define __EMU_LOAD(name)                  \
    template <typename T>                 \
    __EMU_DEVICE T name(const T* place) { \
        return *place;                    \
    }
#define __EMU_STORE(name)                       \
    template <typename T>                       \
    __EMU_DEVICE void name(T* place, T value) { \
        *place = value;                         \
    }
__EMU_LOAD(__ldg)
__EMU_LOAD(__ldcg)
__EMU_LOAD(__ldca)
__EMU_LOAD(__ldcs)
__EMU_LOAD(__ldlu)
__EMU_LOAD(__ldcv)
__EMU_STORE(__stcg)
__EMU_STORE(__stcs)
__EMU_STORE(__stwb)
__EMU_STORE(__stwt)
#undef __EMU_LOAD
#undef __EMU_STORE

// -- arithmetic

__EMU_DEVICE int __popc(unsigned value) { return __builtin_popcount(value); }
__EMU_DEVICE int __popcll(unsigned long long value) { return __builtin_popcountll(value); }
__EMU_DEVICE int __clz(int value) { return value == 0 ? 32 : __builtin_clz(unsigned(value)); }
__EMU_DEVICE int __clzll(long long value) {
    return value == 0 ? 64 : __builtin_clzll((unsigned long long)value);
}
__EMU_DEVICE int __ffs(int value) { return __builtin_ffs(value); }
__EMU_DEVICE int __ffsll(long long value) { return __builtin_ffsll(value); }
__EMU_DEVICE unsigned __brev(unsigned value) { return __builtin_bitreverse32(value); }
__EMU_DEVICE unsigned long long __brevll(unsigned long long value) {
    return __builtin_bitreverse64(value);
}
__EMU_DEVICE int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
__EMU_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
    return unsigned((unsigned long long)a * b >> 32);
}
__EMU_DEVICE int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
__EMU_DEVICE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
__EMU_DEVICE long long __mul64hi(long long a, long long b) {
    return (long long)((__int128)a * b >> 64);
}
__EMU_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
__EMU_DEVICE unsigned __sad(int a, int b, unsigned c) {
    return (a > b ? unsigned(a) - unsigned(b) : unsigned(b) - unsigned(a)) + c;
}
__EMU_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) {
    return (a > b ? a - b : b - a) + c;
}
// Each of the four lower half bytes of the selector names a byte of the two words, and with its
// upper bit that byte's sign.
__EMU_DEVICE unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    const unsigned long long both = (unsigned long long)high << 32 | low;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned chosen = selector >> 4 * i & 15;
        const unsigned byte = unsigned(both >> 8 * (chosen & 7)) & 255;
        result |= (chosen & 8 ? (byte & 128 ? 255U : 0U) : byte) << 8 * i;
    }
    return result;
}
__EMU_DEVICE int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 32; i += 8)
        c = int(unsigned(c) + unsigned((signed char)(a >> i) * (signed char)(b >> i)));
    return c;
}
__EMU_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 32; i += 8) c += (a >> i & 255) * (b >> i & 255);
    return c;
}
__EMU_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : unsigned(((unsigned long long)high << 32 | low) << shift >> 32);
}
__EMU_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : unsigned(((unsigned long long)high << 32 | low) >> shift);
}
__EMU_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return unsigned(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
__EMU_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return unsigned(((unsigned long long)high << 32 | low) >> (shift & 31));
}
__EMU_DEVICE float __fdividef(float a, float b) { return a / b; }
#define __expf __emu_expf  // the C library has one of this name
__EMU_DEVICE float __expf(float a) { return __builtin_expf(a); }
#define __logf __emu_logf  // the C library has one of this name
__EMU_DEVICE float __logf(float a) { return __builtin_logf(a); }
#define __sinf __emu_sinf  // the C library has one of this name
__EMU_DEVICE float __sinf(float a) { return __builtin_sinf(a); }
#define __cosf __emu_cosf  // the C library has one of this name
__EMU_DEVICE float __cosf(float a) { return __builtin_cosf(a); }
#define __powf __emu_powf
__EMU_DEVICE float __powf(float a, float b) { return __builtin_powf(a, b); }
__EMU_DEVICE float __saturatef(float a) { return a > 0 ? a > 1 ? 1 : a : 0; }
static __host__ __device__ __inline__ float rsqrtf(float a) { return 1.0F / __builtin_sqrtf(a); }
static __host__ __device__ __inline__ double rsqrt(double a) { return 1.0 / __builtin_sqrt(a); }
__EMU_DEVICE int __float_as_int(float value) { return __builtin_bit_cast(int, value); }
__EMU_DEVICE unsigned __float_as_uint(float value) { return __builtin_bit_cast(unsigned, value); }
__EMU_DEVICE float __int_as_float(int value) { return __builtin_bit_cast(float, value); }
__EMU_DEVICE float __uint_as_float(unsigned value) { return __builtin_bit_cast(float, value); }
__EMU_DEVICE long long __double_as_longlong(double value) {
    return __builtin_bit_cast(long long, value);
}
__EMU_DEVICE double __longlong_as_double(long long value) {
    return __builtin_bit_cast(double, value);
}
#define __EMU_EXTREME(T)                                                            \
    static __host__ __device__ __inline__ T min(T a, T b) { return b < a ? b : a; } \
    static __host__ __device__ __inline__ T max(T a, T b) { return a < b ? b : a; }
__EMU_EXTREME(int)
__EMU_EXTREME(unsigned)
__EMU_EXTREME(long)
__EMU_EXTREME(unsigned long)
__EMU_EXTREME(long long)
__EMU_EXTREME(unsigned long long)
#undef __EMU_EXTREME
// Of two floats of which one is no number, the other one.
static __host__ __device__ __inline__ float min(float a, float b) { return __builtin_fminf(a, b); }
static __host__ __device__ __inline__ float max(float a, float b) { return __builtin_fmaxf(a, b); }
static __host__ __device__ __inline__ double min(double a, double b) {
    return __builtin_fmin(a, b);
}
static __host__ __device__ __inline__ double max(double a, double b) {
    return __builtin_fmax(a, b);
}
static __host__ __device__ __inline__ unsigned min(unsigned a, int b) {
    return min(a, unsigned(b));
}
static __host__ __device__ __inline__ unsigned min(int a, unsigned b) {
    return min(unsigned(a), b);
}
static __host__ __device__ __inline__ unsigned max(unsigned a, int b) {
    return max(a, unsigned(b));
}
static __host__ __device__ __inline__ unsigned max(int a, unsigned b) {
    return max(unsigned(a), b);
}

#include "arithmetic.h"

// -- clocks, spaces, ends

__EMU_DEVICE long long clock64() { return __emu_clock(); }
__EMU_DEVICE clock_t clock() { return clock_t(__emu_clock()); }
__EMU_DEVICE void __nanosleep(unsigned nanoseconds) { __emu_sleep(nanoseconds); }
__EMU_DEVICE void __trap(__EMU_PLACE) {
    __emu_fault(cudaErrorLaunchFailure, "__trap()", file, line);
}
__EMU_DEVICE void __brkpt() {}
__EMU_DEVICE unsigned __isGlobal(const void* pointer) {
    return __emu_space(pointer) == emulator_abi::space_global;
}
__EMU_DEVICE size_t __cvta_generic_to_shared(const void* pointer, __EMU_PLACE) {
    return __emu_shared_address(pointer, file, line);
}
__EMU_DEVICE unsigned __isShared(const void* pointer) {
    return __emu_space(pointer) == emulator_abi::space_shared;
}
__EMU_DEVICE unsigned __isClusterShared(const void* pointer) {
    return __isShared(pointer) || __emu_space(pointer) == emulator_abi::space_cluster_shared;
}
__EMU_DEVICE unsigned __isConstant(const void* pointer) {
    return __emu_space(pointer) == emulator_abi::space_constant;
}
__EMU_DEVICE unsigned __isLocal(const void* pointer) {
    return __emu_space(pointer) == emulator_abi::space_local;
}

// -- graphs

__EMU_DEVICE void cudaGraphSetConditional(unsigned long long handle, unsigned value) {
    __emu_set_conditional(handle, value);
}

// Streams that stand for ways to launch a graph, in addresses that every processor has.
#undef cudaStreamGraphTailLaunch
#undef cudaStreamGraphFireAndForget
#undef cudaStreamGraphFireAndForgetAsSibling
#define cudaStreamGraphTailLaunch ((cudaStream_t)(size_t)emulator_abi::launch_tail)
#define cudaStreamGraphFireAndForget ((cudaStream_t)(size_t)emulator_abi::launch_child)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)(size_t)emulator_abi::launch_sibling)
__EMU_DEVICE cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    static __shared__ char mark[emulator_abi::launching_mark_bytes];
    return cudaError_t(__emu_graph_launch(graph, stream, mark));
}
__EMU_DEVICE cudaGraphExec_t cudaGetCurrentGraphExec() {
    return cudaGraphExec_t(__emu_current_graph());
}

// -- dependent launches

__EMU_DEVICE void cudaTriggerProgrammaticLaunchCompletion() { __emu_trigger(); }
__EMU_DEVICE void cudaGridDependencySynchronize() { __emu_grid_dependency(); }
