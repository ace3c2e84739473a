// Conversions, rounded arithmetic and functions that C++ lacks, and accesses of 8 bytes side by
// side, which may not become one of 16.

#include <cuda_runtime.h>

#include <device_launch_parameters.h>
#include <math_constants.h>
#include <climits>
#include <cmath>
#include <cuda/atomic>

#include "expect.hpp"

struct particle {
    int id;
    double x, y, z;
};

__global__ void move(double3* place, particle* all, double* rows, long long* sums) {
    const int i = threadIdx.x;
    place[i].x += 1;
    place[i].y += 2;
    place[i].z += 3;
    all[i].x += place[i].x;
    all[i].y += place[i].y;
    all[i].z += place[i].z;
    double* row = rows + 3 * i;
    row[0] = 1;
    row[1] = 2;
    row[2] = 3;
    long long sum = 0;
    for (int k = 0; k < 3; ++k) sum += (long long)(rows[3 * i + k]);
    sums[i] = sum;
}

__global__ void length(const char* text, int* found) {
    int n = 0;
    while (text[n]) ++n;
    *found = n;
}

__global__ void convert(long long* out, float f, double d) {
    *out++ = __float2int_ru(f);
    *out++ = __float2int_rd(-f);
    *out++ = __float2uint_rn(f);
    *out++ = __float2uint_rz(-f);
    *out++ = __double2int_rn(d);
    *out++ = __double2int_rn(-d);
    *out++ = __float2int_rz(1e20F);
    *out++ = __double2int_rz(-1e20);
    *out++ = __float2int_rn(CUDART_NAN_F);
    *out++ = __double2int_rn(CUDART_NAN);
    *out++ = __float2ll_rn(CUDART_NAN_F);
    *out++ = __double2ll_rd(-1e30);
    *out++ = (long long)(__double2ull_ru(1e30));
    *out++ = __double2hiint(d);
    *out++ = __double_as_longlong(__hiloint2double(__double2hiint(d), __double2loint(d)));
    *out++ = __hadd(INT_MAX, INT_MAX) - __rhadd(-1, 2);
    *out++ = __uhadd(UINT_MAX, UINT_MAX - 1);
    *out++ = umin(3, 4) + llmax(-1, 2);
}

__global__ void functions(double* out, float f, double d) {
    *out++ = sinpi(d) + sinpif(f);
    *out++ = cospi(0.5) + cospi(1e15 + 1);
    *out++ = rcbrt(8.0) + norm3d(2.0, 3.0, 6.0) + rhypot(3.0, 4.0);
    *out++ = normcdf(0.0);
    *out++ = __fdiv_rn(f, 3.0F) == f / 3.0F && __frcp_rn(4.0F) == 0.25F;
    *out++ = __dadd_rn(__dmul_rn(d, d), -d * d);
    sincospi(d, out, out + 1);
}

__global__ void operators(int* word) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ref(*word);
    ++ref;
    ref += 2;
    ref.fetch_add(1, cuda::std::memory_order_relaxed);
    ref--;
}

// What C++ leaves open and a GPU does.
__global__ void left_open(long long* out, unsigned bits, int one, float zero) {
    *out++ = (1U << bits) - 1;
    *out++ = -5 >> bits;
    *out++ = 0xffffffffU >> bits;
    *out++ = 1LL << (2 * bits);
    *out++ = 1U << (bits - 1);
    *out++ = INT_MIN / one;
    *out++ = INT_MIN % one;
    *out++ = 7 / one;
    *out++ = LLONG_MIN / one;
    *out++ = __float_as_int(zero / zero);
    *out++ = __float_as_int(sqrtf(zero - 1));
    *out++ = __float_as_int(-(zero * CUDART_INF_F) + 1);
    *out++ = __float_as_int(__int_as_float(0x7fc00001));  // moved, not computed
}

int main() {
    double3* place = nullptr;
    particle* all = nullptr;
    double* rows = nullptr;
    long long* numbers = nullptr;
    cudaMallocManaged(&place, 8 * sizeof *place);
    cudaMallocManaged(&all, 8 * sizeof *all);
    cudaMallocManaged(&rows, 24 * sizeof *rows);
    cudaMallocManaged(&numbers, 32 * sizeof *numbers);
    cudaMemset(place, 0, 8 * sizeof *place);
    cudaMemset(all, 0, 8 * sizeof *all);
    move<<<1, 8>>>(place, all, rows, numbers);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 8; ++i)
        EXPECT(all[i].x == 1 && all[i].y == 2 && all[i].z == 3 && numbers[i] == 6);

    char* text = nullptr;
    int* word = nullptr;
    cudaMallocManaged(&text, 8);
    cudaMallocManaged(&word, sizeof *word);
    for (int i = 0; i < 6; ++i) text[i] = "hello"[i];
    length<<<1, 1>>>(text, word);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && *word == 5);

    convert<<<1, 1>>>(numbers, 2.5F, 3.5);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    const double d = 3.5;
    const long long expected[] = {
        3,           -3,           2,       0,          4,
        -4,          INT_MAX,      INT_MIN, 0,          INT_MIN,
        LLONG_MIN,   LLONG_MIN,    -1,      0x400C0000, *reinterpret_cast<const long long*>(&d),
        INT_MAX - 1, UINT_MAX - 1, 5};
    for (int i = 0; i < 18; ++i) EXPECT(numbers[i] == expected[i]);

    left_open<<<1, 1>>>(numbers, 32, -1, 0);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    const long long of_gpu[] = {UINT_MAX,   -1,         0,         0,         1LL << 31,
                                INT_MIN,    0,          -7,        LLONG_MIN, 0x7fffffff,
                                0x7fffffff, 0x7fffffff, 0x7fc00001};
#ifdef __wasm__
    numbers[10] &= 0x7fffffff;  // a root that is no number keeps the processor's bits in a browser
    EXPECT(numbers[10] >= 0x7fc00000);
    numbers[10] = of_gpu[10];
#endif
    for (int i = 0; i < 13; ++i) EXPECT(numbers[i] == of_gpu[i]);

    functions<<<1, 1>>>(rows, 1.0F, 0.25);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(std::fabs(rows[0] - std::sqrt(0.5)) < 1e-15);
    EXPECT(rows[1] == -1);
    EXPECT(std::fabs(rows[2] - (0.5 + 7 + 0.2)) < 1e-14);
    EXPECT(rows[3] == 0.5 && rows[4] == 1 && rows[5] == 0);
    EXPECT(std::fabs(rows[6] - rows[7]) < 1e-15 && std::fabs(sinpi(0.25) - rows[6]) < 1e-15);

    *word = 0;
    operators<<<1, 1>>>(word);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && *word == 3);
    std::printf("%d failures\n", failures);
    return failures != 0;
}
