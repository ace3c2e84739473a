// Arithmetic of 16 bits. Built by nvcc with -DON_HOST, the toolkit's own functions compute on the
// processor what the emulator's compute in a kernel; both print one number for each function.

#include <cstdio>
#include <cstring>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#ifdef ON_HOST
#define EITHER __host__ __device__
#else
#define EITHER __device__
#endif

constexpr int functions = 80, rounds = 20'000;
using sums = unsigned long long[functions];

/// Folds the results of each function into one number.
struct listener {
    unsigned long long* all;
    int next = 0;
    EITHER void add(unsigned long long value) { all[next] = all[next] * 31 + value, ++next; }
    template <class T>
    EITHER void number(T value) {
        unsigned short bits = 0x7fff;  // for all that are none
        if (!__hisnan(value)) memcpy(&bits, &value, sizeof bits);
        add(bits);
    }
    template <class P>
    EITHER void pair(P value) {
        number(value.x);
        number(value.y);
    }
};

EITHER unsigned drawn(unsigned& state) {
    state = state * 1664525U + 1013904223U;
    return state >> 16;
}
EITHER __half from_bits(__half, unsigned bits) { return __ushort_as_half((unsigned short)bits); }
EITHER __nv_bfloat16 from_bits(__nv_bfloat16, unsigned bits) {
    return __ushort_as_bfloat16((unsigned short)bits);
}

template <class T, class P>
EITHER void arithmetic(unsigned long long* all) {
    unsigned state = 1;
    for (int i = 0; i < rounds; ++i) {
        const T a = from_bits(T(), drawn(state)), b = from_bits(T(), drawn(state)),
                c = from_bits(T(), drawn(state));
        if (__hisnan(a) || __hisnan(b) || __hisnan(c)) continue;
        listener to{all};
        to.number(__hadd(a, b)), to.number(__hsub(a, b)), to.number(__hmul(a, b));
        to.number(__hdiv(a, b)), to.number(__hneg(a)), to.number(__habs(a));
        to.number(__hmax(a, b)), to.number(__hmin(a, b)), to.number(__hmax_nan(a, b));
        to.number(__hmin_nan(a, b)), to.number(__hadd_sat(a, b)), to.number(__hsub_sat(a, b));
        to.number(__hmul_sat(a, b)), to.number(a + b), to.number(-a);
        to.add(__heq(a, b)), to.add(__hlt(a, b)), to.add(__hge(a, b)), to.add(__hneu(a, b));
        to.add(__hisinf(a)), to.add(a < b), to.add(a != b);
        const P p(a, b), q(b, c);
        to.pair(__hadd2(p, q)), to.pair(__hsub2(p, q)), to.pair(__hmul2(p, q));
        to.pair(__h2div(p, q)), to.pair(__hneg2(p)), to.pair(__habs2(p)), to.pair(__hmax2(p, q));
        to.pair(__heq2(p, q)), to.pair(__hlt2(p, q)), to.pair(p + q), to.pair(p * q), to.pair(-p);
        to.pair(__lowhigh2highlow(p));
        to.add(__hbgt2(p, q)), to.add(__hbne2(p, q)), to.add(__hlt2_mask(p, q));
        to.add(p == q), to.add(p != q);
    }
}

EITHER void conversions(unsigned long long* all) {
    unsigned state = 7;
    for (int i = 0; i < rounds; ++i) {
        const __half a = from_bits(__half(), drawn(state));
        const int n = (int)(drawn(state) << 16 | drawn(state)) >> (i % 2 * 15);
        if (__hisnan(a)) continue;
        listener to{all};
        to.add(__half2int_rz(a)), to.add(__half2uint_rz(a)), to.add(__half2ll_rz(a));
        to.add(__half2ull_rz(a)), to.add(__half_as_ushort(a));
        to.number(__int2half_rn(n)), to.number(__uint2half_rn(n)), to.number(__ll2half_rn(n * 3LL));
        to.number(__ull2half_rn((unsigned)n)), to.number(__double2half(n * 1e-4));
        const float2 f = __half22float2(__floats2half2_rn(n * 1e-4f, n * 1e-3f));
        to.number(__low2half(__float2half2_rn(f.x))), to.number(__float2half(f.y));
        to.number(__int2bfloat16_rn(n)), to.number(__ll2bfloat16_rn(((long long)n << 30) + 1));
        to.number(__ull2bfloat16_rn(~0ULL - n));
        to.add(__bfloat162int_rz(__float2bfloat16(n * 1e-3f)));
    }
}

template <int part>
EITHER void all_of(unsigned long long* all) {
    if constexpr (part == 0) arithmetic<__half, __half2>(all);
    if constexpr (part == 1) arithmetic<__nv_bfloat16, __nv_bfloat162>(all);
    if constexpr (part == 2) conversions(all);
}
template <int part>
__global__ void compute(unsigned long long* all) {
    all_of<part>(all);
}

template <int part>
void report() {
    static sums found;
#ifdef ON_HOST
    all_of<part>(found);
#else
    unsigned long long* all = nullptr;
    cudaMalloc(&all, sizeof found);
    cudaMemset(all, 0, sizeof found);
    compute<part><<<1, 1>>>(all);
    cudaMemcpy(found, all, sizeof found, cudaMemcpyDeviceToHost);
#endif
    for (const unsigned long long one : found) std::printf("%d %llx\n", part, one);
}

#ifndef ON_HOST
// In a kernel alone: what has no twin on the host.
__global__ void in_a_kernel(__half2* sum, int* right) {
    atomicAdd(sum, __float2half2_rn(1.0f));
    atomicAdd(&sum->x, __half(0.5f));
    const __half lane(float(threadIdx.x % 32));
    const bool exact = __hfma2(__half2(lane, lane), __half2half2(lane), __half2(lane, 1.0f)) ==
                       __half2(float(threadIdx.x % 32 * (threadIdx.x % 32 + 1)),
                               float(threadIdx.x % 32 * (threadIdx.x % 32) + 1));
    const bool shuffled = __shfl_xor_sync(0xffffffffU, lane, 1) == __half(threadIdx.x % 32 ^ 1U);
    atomicAdd(right, exact && shuffled && hsqrt(__hmul(lane, lane)) == lane);
}
#endif

int main() {
    report<0>();
    report<1>();
    report<2>();
#ifndef ON_HOST
    __half2* sum = nullptr;
    int *right = nullptr, n = 0;
    cudaMalloc(&sum, sizeof *sum);
    cudaMalloc(&right, sizeof *right);
    cudaMemset(sum, 0, sizeof *sum);
    cudaMemset(right, 0, sizeof *right);
    in_a_kernel<<<2, 64>>>(sum, right);
    __half2 total;
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
    cudaMemcpy(&n, right, sizeof n, cudaMemcpyDeviceToHost);
    if (float(total.x) != 192 || float(total.y) != 128 || n != 128) std::puts("wrong in a kernel");
#endif
}
