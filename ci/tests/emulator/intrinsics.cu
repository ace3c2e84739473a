// Every warp operation, barrier and atomic against its definition, calculated again on the host.

#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cuda/atomic>
#include <vector>

#include "expect.hpp"

namespace cg = cooperative_groups;

constexpr unsigned all = 0xffffffffU;
constexpr int lanes = 32;

// Runs a kernel of one warp and returns what its lanes wrote.
template <class T, class Kernel>
std::vector<T> warp(Kernel kernel) {
    T* d = nullptr;
    cudaMalloc(&d, lanes * sizeof(T));
    kernel<<<1, lanes>>>(d);
    std::vector<T> host(lanes);
    EXPECT(cudaMemcpy(host.data(), d, lanes * sizeof(T), cudaMemcpyDefault) == cudaSuccess);
    cudaFree(d);
    return host;
}

__global__ void index(int* out) { out[threadIdx.x] = __shfl_sync(all, int(threadIdx.x) * 3, 5); }
__global__ void index_in_eights(int* out) {
    out[threadIdx.x] = __shfl_sync(all, int(threadIdx.x), 9, 8);
}
__global__ void up(int* out) { out[threadIdx.x] = __shfl_up_sync(all, int(threadIdx.x), 3); }
__global__ void down_in_sixteens(int* out) {
    out[threadIdx.x] = __shfl_down_sync(all, int(threadIdx.x), 5, 16);
}
__global__ void xor_eight(double* out) {
    out[threadIdx.x] = __shfl_xor_sync(all, 0.5 * threadIdx.x, 8);
}
__global__ void ballot(unsigned* out) {
    out[threadIdx.x] = __ballot_sync(all, threadIdx.x % 3 == 0);
}
__global__ void half_ballot(unsigned* out) {
    out[threadIdx.x] =
        threadIdx.x < 16 ? __ballot_sync(0xffff, threadIdx.x & 1) : __ballot_sync(0xffff0000, 1);
}
__global__ void votes(int* out) {
    out[threadIdx.x] = (__any_sync(all, threadIdx.x == 9) != 0) +
                       2 * (__all_sync(all, threadIdx.x < 31) != 0) +
                       4 * (__all_sync(all, threadIdx.x < 32) != 0) +
                       8 * (__any_sync(all, 0) != 0) + 16 * (__uni_sync(all, 1) != 0);
}
__global__ void match_any(unsigned* out) {
    out[threadIdx.x] = __match_any_sync(all, threadIdx.x / 5);
}
__global__ void match_all(unsigned* out) {
    int same = 0;
    int different = 0;
    const unsigned first = __match_all_sync(all, 7, &same);
    const unsigned second = __match_all_sync(all, threadIdx.x, &different);
    out[threadIdx.x] = first == all && same == 1 && second == 0 && different == 0;
}
__global__ void reductions(int* out) {
    const int x = int(threadIdx.x) - 10;
    const unsigned u = threadIdx.x;
    out[threadIdx.x] = __reduce_add_sync(all, x) == 176 && __reduce_min_sync(all, x) == -10 &&
                       __reduce_max_sync(all, x) == 21 && __reduce_and_sync(all, u | 64) == 64 &&
                       __reduce_or_sync(all, u) == 31 && __reduce_xor_sync(all, u + 1) == 32;
}
__global__ void active(unsigned* out) {
    out[threadIdx.x] = 0;
    if (threadIdx.x % 4 == 1) out[threadIdx.x] = __activemask();
}
__global__ void bits(int* out) {
    const unsigned x = threadIdx.x * 2654435761U;
    int right = __popc(x) == __popcll(x) && __clz(1) == 31 && __clz(0) == 32 && __ffs(8) == 4 &&
                __ffs(0) == 0;
    right = right && __brev(1U) == 0x80000000U &&
            __umulhi(x, x) == unsigned((unsigned long long)x * x >> 32);
    right = right && __funnelshift_l(0x80000000U, 1, 1) == 3 && __float_as_int(1.0F) == 0x3f800000;
    out[threadIdx.x] = right;
}

__global__ void counts(int* out) {
    const int count = __syncthreads_count(threadIdx.x % 3 == 0);
    const int both = __syncthreads_and(threadIdx.x < 64);
    const int any = __syncthreads_or(threadIdx.x == 63);
    out[threadIdx.x] = count * 100 + (both != 0) * 10 + (any != 0);
}

__global__ void atomics(int* place, unsigned* wrapping, float* sum, unsigned long long* largest) {
    atomicAdd(&place[0], 1);
    atomicMax(&place[1], int(threadIdx.x));
    atomicMin(&place[2], -int(threadIdx.x));
    atomicOr(&place[3], 1 << threadIdx.x % 31);
    atomicXor(&place[4], int(threadIdx.x));
    atomicSub(&place[5], 2);
    atomicInc(wrapping, 9);
    atomicAdd(sum, 0.5F);
    atomicMax(largest, (unsigned long long)threadIdx.x << 40);
    int old = place[6];
    for (int seen = -1; seen != old;) {
        seen = old;
        old = atomicCAS(&place[6], seen, seen + 3);
    }
    cuda::atomic_ref<int, cuda::thread_scope_device>(place[7]).fetch_add(
        5, cuda::memory_order_relaxed);
}

__global__ void groups(int* out) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<8>(block);
    const int sum = cg::reduce(tile, int(block.thread_rank()), cg::plus<int>());
    int rank = -1;
    if (threadIdx.x % 2 == 0) {
        const auto some = cg::coalesced_threads();
        rank = int(some.thread_rank() * 100 + some.num_threads());
    }
    out[threadIdx.x] = sum * 10000 + rank + int(tile.meta_group_rank()) * 1000000;
    block.sync();
}

__global__ void grid_sum(int* parts, int* total) {
    const auto grid = cg::this_grid();
    atomicAdd(&parts[blockIdx.x], 1);
    grid.sync();
    if (grid.thread_rank() == 0)
        for (unsigned b = 0; b < gridDim.x; ++b) *total += parts[b];
}

__global__ void __cluster_dims__(4, 1, 1) neighbors(int* out) {
    __shared__ int mine;
    const auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) mine = int(cluster.block_rank()) + 10 * int(blockIdx.x);
    cluster.sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = *cluster.map_shared_rank(&mine, (cluster.block_rank() + 1) % 4);
    cluster.sync();
}

// Bits as IEEE 754 has them, and rounding to even.
__global__ void halves(int* out) {
    const auto bf16 = [](float x) { return int(__float2bfloat16(x).bits); };
    const auto fp16 = [](float x) { return int(__float2half(x).bits); };
    int right = bf16(0.1F) == 0x3dcd && bf16(1.0F / 3) == 0x3eab && bf16(-2.5F) == 0xc020;
    right = right && fp16(0.1F) == 0x2e66 && fp16(65504) == 0x7bff && fp16(-2.5F) == 0xc100 &&
            fp16(1e-9F) == 0;
    const auto one = __float2bfloat16(1);
    right = right && __hadd(one, __float2bfloat16(0.00390625F)).bits == 0x3f80;
    right = right && __hadd(one, __float2bfloat16(0.0078125F)).bits == 0x3f81;
    right =
        right && float(__hfma(__float2half(3), __float2half(0.5F), __float2half(0.25F))) == 1.75F;
    // c + 2^-11 - 2^-31, where c + 2^-11 is half way to the next number: one rounding gives c, two
    // give more.
    const float step = 0.0009765625F, c = 1 + step;
    right = right && float(__hfma(__float2half(c / 32), __float2half((1 - step) / 64),
                                  __float2half(c))) == c;
    right = right && fp16(65519.9F) == 0x7bff && fp16(65520) == 0x7c00 && fp16(-1e30F) == 0xfc00;
    right =
        right && fp16(5.9604645e-8F) == 1 && fp16(2.9802322e-8F) == 0 && fp16(8.9406967e-8F) == 2;
    right = right && bf16(3.4e38F) == 0x7f80 && bf16(0.0F / (threadIdx.x - threadIdx.x)) == 0x7fff;
    for (unsigned pattern = threadIdx.x; pattern < 65536; pattern += blockDim.x) {
        __half half;
        __nv_bfloat16 bfloat;
        half.bits = bfloat.bits = static_cast<unsigned short>(pattern);
        const float a = half, b = bfloat;
        right = right && (a == a ? __half(a).bits == pattern : (pattern & 0x7fffU) > 0x7c00U);
        right =
            right && (b == b ? __nv_bfloat16(b).bits == pattern : (pattern & 0x7fffU) > 0x7f80U);
    }
    out[threadIdx.x] = right;
}

__global__ void dynamic(int* out) {
    extern __shared__ int shared[];
    shared[threadIdx.x] = int(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

__constant__ int table[4];
__device__ int counter = 40;
__managed__ int managed = 5;
__global__ void variables(int* out) {
    out[threadIdx.x] = table[threadIdx.x % 4];
    if (threadIdx.x == 0) managed += ++counter;
}

__global__ void beyond_five_bits(int* out) {
    const int x = int(threadIdx.x);
    out[x] =
        __shfl_xor_sync(all, x, 33) == (x ^ 1) && __shfl_up_sync(all, x, 33) == (x < 1 ? x : x - 1);
}
__global__ void tiles(int* out) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const auto part = cg::tiled_partition<4>(tile);
    out[threadIdx.x] = tile.shfl(int(threadIdx.x), 9) + 100 * int(part.meta_group_rank()) +
                       1000 * int(part.meta_group_size());
}
__global__ void six_of_them(int* out) {
    out[threadIdx.x] = 0;
    if (threadIdx.x < 6)
        out[threadIdx.x] =
            cg::reduce(cg::coalesced_threads(), int(threadIdx.x) + 1, cg::plus<int>());
}
__global__ void conversions(int* out, float large, float no_number) {
    out[0] = __float2int_rz(large) == 0x7fffffff && __float2int_rn(-large) == -0x7fffffff - 1;
    out[1] = __float2int_rz(no_number) == 0 && __saturatef(no_number) == 0;
    out[2] = min(no_number, 1.0F) == 1.0F && max(2.0F, no_number) == 2.0F;
    out[3] = !cg::this_grid().is_valid();
}
__global__ void whole(uint3* out) { out[threadIdx.x] = threadIdx; }
__global__ void fenced(int* out) {
    out[1] = 20;
    __threadfence();
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    out[0] = out[1] + 1;
}
struct shape {
    virtual __device__ int number(int x) = 0;
};
struct square : shape {
    __device__ int number(int x) override {
        __shared__ int numbers[lanes];
        numbers[x] = x;
        __syncwarp();
        return numbers[lanes - 1 - x];
    }
};
__global__ void through_a_pointer(int* out) {
    extern __shared__ int words[];
    words[threadIdx.x] = 7;
    square some;
    shape* chosen = out ? &some : nullptr;
    const int number = chosen->number(int(threadIdx.x));
    out[threadIdx.x] = 100 * number + words[threadIdx.x];
}
__global__ void adds_floats(float* out) {
    cuda::atomic_ref<float, cuda::thread_scope_device>(*out).fetch_add(1.5F,
                                                                       cuda::memory_order_relaxed);
}
__global__ void takes_long(int* out) {
    for (int i = 0; i < 1000; ++i) atomicAdd(out + 1, 1);
    out[0] = 5;
}
__global__ void __launch_bounds__(128) bounded(int* out) { out[threadIdx.x] = 1; }

// One lane for all: the others bring variables without a value.
__global__ void leader_adds(int* count, int* places) {
    int place;
    if (threadIdx.x % 32 == 0) place = atomicAdd(count, 32);
    place = __shfl_sync(all, place, 0);
    places[threadIdx.x] = place + int(threadIdx.x % 32);
}
__global__ void group_leader_adds(int* count) {
    const auto group = cg::coalesced_threads();
    int place;
    if (group.thread_rank() == 0) place = atomicAdd(count, int(group.size()));
    place = group.shfl(place, 0);
}
__device__ int take(int* count) {
    const unsigned active = __activemask();
    const int lane = int(threadIdx.x) & 31, leader = __ffs(int(active)) - 1;
    int place = 0;
    if (lane == leader) place = atomicAdd(count, __popc(active));
    place = __shfl_sync(active, place, leader);
    return place + __popc(active & ((1U << lane) - 1));
}
__global__ void take_in_two_branches(int* counts, int* odd, int* even) {
    const int value = int(threadIdx.x);
    if (value & 1)
        odd[take(&counts[0])] = value;
    else
        even[take(&counts[1])] = value;
}
__device__ unsigned who() { return __activemask(); }
__global__ void asked_in_two_branches(unsigned* out) {
    if (threadIdx.x < 10)
        out[threadIdx.x] = who();
    else
        out[threadIdx.x] = who();
}
// The GPU's order of additions shows in what is lost.
__global__ void reduces_a_few(float* out) {
    if (threadIdx.x % 2 == 0) {
        const auto group = cg::coalesced_threads();
        const float value = group.thread_rank() == 0   ? 1e8f
                            : group.thread_rank() == 8 ? -1e8f
                                                       : 1.0f;
        out[threadIdx.x] = cg::reduce(group, value, cg::plus<float>());
    }
    if (threadIdx.x < 6) {
        const auto group = cg::coalesced_threads();
        const float values[] = {1e8f, 1, 1, 1, -1e8f, 1};
        out[1 + 2 * threadIdx.x] = cg::reduce(group, values[threadIdx.x], cg::plus<float>());
    }
}
__global__ void votes_of_the_living(unsigned* out) {
    if (threadIdx.x >= 20) return;
    const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    int same = 0;
    const unsigned matching = __match_all_sync(all, 7, &same);
    out[threadIdx.x] = __ballot_sync(all, 1) + unsigned(__all_sync(all, 1)) +
                       __reduce_add_sync(all, 1U) + (same ? matching : 0) + tile.meta_group_size();
}

struct with_array {
    int number;
    float rest[8];
};
__global__ void constant_places(int* out) {
    __shared__ int tile[4][33];
    __shared__ with_array one[3];
    tile[3][32] = int(threadIdx.x) + 4;
    one[2].rest[7] = 5;
    out[0] = tile[3][32] + int(one[2].rest[7]) + int((size_t)&tile[1][0] - (size_t)&tile[0][0]);
}
template <class... Numbers>
__global__ void sum_of(int* out, Numbers... numbers) {
    *out = int((0 + ... + numbers));
}
__device__ char text_with_brackets[] = "a(b, c";
__global__ void conversions(long long* out, float large, float none, double wide) {
    out[0] = int(large);
    out[1] = int(-large);
    out[2] = unsigned(-large);
    out[3] = unsigned(large);
    out[4] = int(none);
    out[5] = (long long)(none);
    out[6] = (long long)(wide);
    out[7] = int(double(none));
    out[8] = (unsigned char)(large / 1e20f);
    out[9] = text_with_brackets[1];
}
__global__ void whole_numbers(unsigned* out) {
    out[0] = __byte_perm(0x33221100U, 0x776655f4U, 0x4cU | 0x7000U);
    out[1] = unsigned(__dp4a(0x01ff0203, 0x02020202, 1));
    out[2] = __funnelshift_lc(1, 2, 32) + __funnelshift_rc(1, 2, 40);
    out[3] = unsigned(__umul64hi(1ULL << 63, 6)) + __sad(-3, 4, 1) + __usad(9, 4, 1);
}
__global__ void library_results(float* sine, float* cosine, int* exponent) {
    sincosf(0.5f, sine, cosine);
    *sine = frexpf(*sine + *cosine, exponent);
    *exponent += 1;
}

static void numbers() {
    long long* x = nullptr;
    cudaMallocManaged(&x, 1024);
    constant_places<<<1, 1>>>(reinterpret_cast<int*>(x));
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && *reinterpret_cast<int*>(x) == 4 + 5 + 132);
    sum_of<<<1, 1>>>(reinterpret_cast<int*>(x), 1, 2.0f, short(3));
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && *reinterpret_cast<int*>(x) == 6);
    conversions<<<1, 1>>>(x, 3e22f, NAN, 1e300);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(x[0] == 2147483647 && x[1] == -2147483647 - 1 && x[2] == 0 && x[3] == 4294967295);
    EXPECT(x[4] == 0 && x[5] == LLONG_MIN && x[6] == LLONG_MAX && x[7] == -2147483647 - 1 &&
           x[8] == 44 && x[9] == '(');
    whole_numbers<<<1, 1>>>(reinterpret_cast<unsigned*>(x));
    const unsigned* found = reinterpret_cast<unsigned*>(x);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(found[0] == 0x7700f4ffU && found[1] == 3 * 2 + 2 * 2 - 2 + 2 + 1);
    EXPECT(found[2] == 3 && found[3] == 3 + 8 + 6);
    float* own = nullptr;
    cudaMalloc(&own, 12);
    library_results<<<1, 1>>>(own, own + 1, reinterpret_cast<int*>(own + 2));
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
}

static void lanes_apart() {
    int* x = nullptr;
    cudaMallocManaged(&x, 1024);
    cudaMemset(x, 0, 1024);
    leader_adds<<<1, 64>>>(x, x + 1);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && x[0] == 64);
    cudaMemset(x, 0, 1024);
    group_leader_adds<<<1, 32>>>(x);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && x[0] == 32);
    cudaMemset(x, 0, 1024);
    take_in_two_branches<<<1, 32>>>(x, x + 2, x + 40);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && x[0] == 16 && x[1] == 16);
    asked_in_two_branches<<<1, 32>>>(reinterpret_cast<unsigned*>(x));
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && x[0] == 0x3ff &&
           unsigned(x[31]) == 0xfffffc00U);
    float* sums = reinterpret_cast<float*>(x);
    reduces_a_few<<<1, 32>>>(sums);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && sums[0] == 0 && sums[1] == 0);
    votes_of_the_living<<<1, 32>>>(reinterpret_cast<unsigned*>(x));
    EXPECT(cudaDeviceSynchronize() == cudaSuccess &&
           unsigned(x[3]) == 0xfffffU + 1 + 20 + 0xfffffU + 1);
}

// Events, symbols and queues at their edges.
static void edges() {
    int* d = nullptr;
    int host[256] = {};
    cudaMalloc(&d, sizeof host);
    bounded<<<1, 128>>>(d);
    EXPECT(cudaGetLastError() == cudaSuccess);
    bounded<<<1, 129>>>(d);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);

    uint3 places[4] = {};
    uint3* d_places = nullptr;
    cudaMalloc(&d_places, sizeof places);
    whole<<<1, 4>>>(d_places);
    cudaMemcpy(places, d_places, sizeof places, cudaMemcpyDefault);
    EXPECT(places[3].x == 3 && places[3].y == 0);
    fenced<<<1, 1>>>(d);
    EXPECT(cudaMemcpy(host, d, 4, cudaMemcpyDefault) == cudaSuccess && host[0] == 21);
    through_a_pointer<<<1, lanes, lanes * sizeof(int)>>>(d);
    EXPECT(cudaMemcpy(host, d, lanes * sizeof(int), cudaMemcpyDefault) == cudaSuccess &&
           host[0] == 3107);
    float* added = nullptr;
    cudaMallocManaged(&added, sizeof(float));
    *added = 0;
    adds_floats<<<1, lanes>>>(added);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && *added == 48);
    cudaStream_t brief = nullptr;
    cudaStreamCreate(&brief);
    cudaMemset(d, 0, sizeof host);
    takes_long<<<1, 1, 0, brief>>>(d);
    EXPECT(cudaStreamDestroy(brief) == cudaSuccess);
    cudaMemcpy(host, d, 4,
               cudaMemcpyDefault);  // the legacy stream waits for what the other still had to do
    EXPECT(host[0] == 5);
    EXPECT(cudaMemcpyToSymbol(managed, host, sizeof managed) == cudaSuccess && managed == host[0]);
    EXPECT(cudaMemcpy2D(d, 4, host, 64, 16, 2, cudaMemcpyDefault) == cudaErrorInvalidPitchValue);
    void* variable = nullptr;
    cudaGetSymbolAddress(&variable, table);
    EXPECT(cudaMemcpy(variable, host, sizeof table + 4, cudaMemcpyDefault) ==
           cudaErrorInvalidValue);
    int* queued = nullptr;
    cudaMallocAsync(&queued, 64, nullptr);
    EXPECT(cudaFreeAsync(queued, nullptr) == cudaSuccess);
    EXPECT(cudaFreeAsync(queued, nullptr) == cudaErrorInvalidValue);

    cuda::atomic<int> number(3);
    EXPECT(number.fetch_max(7) == 3 && number.fetch_min(5) == 7 && number.load() == 5);
    cudaGetLastError();
}

// The kernels' heap: what malloc gives there, and what of it the host may do.
__device__ char* kept;
__global__ void heap(size_t limit, int* x) {
    char* large = static_cast<char*>(malloc(limit + 1));
    char* first = static_cast<char*>(malloc(limit * 2 / 3));
    const char* second = static_cast<char*>(malloc(limit * 2 / 3));
    free(first);
    kept = static_cast<char*>(malloc(limit * 2 / 3));
    kept[0] = 5;
    free(nullptr);
    *x = (large == nullptr) + 2 * (first != nullptr) + 4 * (second == nullptr) +
         8 * (kept != nullptr);
}
// printf gives back how many arguments it was given.
__global__ void prints(int* x) {
    const char* format = "";
    x[0] = printf("") * 100 + printf(format, 1, "a, (b)", 2.5) * 10 +
           std::printf(format, x[1] == 0 ? 1 : 2, x[1]);
}
static void heap_and_printf() {
    size_t limit = 0;
    char byte = 0, *there = nullptr;
    int* x = nullptr;
    cudaMallocManaged(&x, 8);
    EXPECT(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize) == cudaSuccess && limit == 8 << 20);
    for (const size_t bytes : {limit, limit / 1024}) {
        EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes) == cudaSuccess);
        heap<<<1, 1>>>(bytes, x);
        EXPECT(cudaDeviceSynchronize() == cudaSuccess && *x == 15);
        cudaMemcpyFromSymbol(&there, kept, sizeof there);
        EXPECT(cudaMemcpy(&byte, there, 1, cudaMemcpyDefault) == cudaErrorInvalidValue);
        EXPECT(cudaFree(there) == cudaErrorInvalidValue);
        cudaDeviceReset();
        cudaMallocManaged(&x, 8);
    }
    cudaMemset(x, 0, 8);
    prints<<<1, 1>>>(x);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && *x == 32);
}

int main() {
    heap_and_printf();
    EXPECT(warp<int>(beyond_five_bits) == std::vector<int>(lanes, 1));
    const auto tiled = warp<int>(tiles);
    const auto six = warp<int>(six_of_them);
    for (int lane = 0; lane < lanes; ++lane) {
        EXPECT(tiled[lane] == lane / 8 * 8 + 1 + 100 * (lane % 8 / 4) + 2000);
        EXPECT(six[lane] == (lane < 6 ? 21 : 0));
    }
    int* right = nullptr;
    cudaMallocManaged(&right, 16);
    conversions<<<1, 1>>>(right, 1e10F, __builtin_nanf(""));
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && right[0] && right[1] && right[2] && right[3]);
    EXPECT(warp<int>(index) == std::vector<int>(lanes, 15));
    const auto eights = warp<int>(index_in_eights);
    const auto moved = warp<int>(up);
    const auto sixteens = warp<int>(down_in_sixteens);
    const auto crossed = warp<double>(xor_eight);
    const auto half = warp<unsigned>(half_ballot);
    const auto same = warp<unsigned>(match_any);
    const auto mask = warp<unsigned>(active);
    const auto group = warp<int>(groups);
    for (int lane = 0; lane < lanes; ++lane) {
        EXPECT(eights[lane] == lane / 8 * 8 + 1);
        EXPECT(moved[lane] == (lane < 3 ? lane : lane - 3));
        EXPECT(sixteens[lane] == (lane % 16 + 5 > 15 ? lane : lane + 5));
        EXPECT(crossed[lane] == 0.5 * (lane ^ 8));
        EXPECT(half[lane] == (lane < 16 ? 0xaaaaU : 0xffff0000U));
        unsigned expected = 0;
        for (int other = 0; other < lanes; ++other)
            expected |= unsigned(other / 5 == lane / 5) << other;
        EXPECT(same[lane] == expected);
        EXPECT(mask[lane] == (lane % 4 == 1 ? 0x22222222U : 0U));
        const int sum = lane / 8 * 8 * 8 + 28;
        EXPECT(group[lane] ==
               sum * 10000 + (lane % 2 == 0 ? lane / 2 * 100 + 16 : -1) + lane / 8 * 1000000);
    }
    EXPECT(warp<unsigned>(ballot) == std::vector<unsigned>(lanes, 0x49249249U));
    EXPECT(warp<int>(votes) == std::vector<int>(lanes, 1 + 4 + 16));
    EXPECT(warp<unsigned>(match_all) == std::vector<unsigned>(lanes, 1));
    EXPECT(warp<int>(reductions) == std::vector<int>(lanes, 1));
    EXPECT(warp<int>(halves) == std::vector<int>(lanes, 1));
    EXPECT(warp<int>(bits) == std::vector<int>(lanes, 1));

    int* d = nullptr;
    int host[100];
    cudaMalloc(&d, sizeof host);
    counts<<<1, 100>>>(d);
    cudaMemcpy(host, d, sizeof host, cudaMemcpyDefault);
    for (int value : host) EXPECT(value == 3401);

    unsigned* wrapping = nullptr;
    float* sum = nullptr;
    unsigned long long* largest = nullptr;
    cudaMallocManaged(&wrapping, 4);
    cudaMallocManaged(&sum, 4);
    cudaMallocManaged(&largest, 8);
    cudaMemset(d, 0, sizeof host);
    atomics<<<3, 100>>>(d, wrapping, sum, largest);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    cudaMemcpy(host, d, sizeof host, cudaMemcpyDefault);
    EXPECT(host[0] == 300 && host[1] == 99 && host[2] == -99 && host[3] == 0x7fffffff);
    EXPECT(host[4] == 0 && host[5] == -600 && host[6] == 900 && host[7] == 1500);
    EXPECT(*wrapping == 0 && *sum == 150 && *largest == 99ULL << 40);

    int* total = nullptr;
    cudaMallocManaged(&total, 4);
    *total = 0;
    cudaMemset(d, 0, sizeof host);
    void* arguments[] = {&d, &total};
    EXPECT(cudaLaunchCooperativeKernel((const void*)grid_sum, 7, 33, arguments, 0, nullptr) ==
           cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && *total == 231);

    neighbors<<<8, 32>>>(d);
    cudaMemcpy(host, d, sizeof host, cudaMemcpyDefault);
    for (int block = 0; block < 8; ++block)
        EXPECT(host[block] == (block + 1) % 4 + 10 * (block / 4 * 4 + (block + 1) % 4));

    dynamic<<<1, 100, sizeof host>>>(d);
    cudaMemcpy(host, d, sizeof host, cudaMemcpyDefault);
    for (int i = 0; i < 100; ++i) EXPECT(host[i] == 99 - i);

    const int values[] = {3, 1, 4, 1};
    EXPECT(cudaMemcpyToSymbol(table, values, sizeof values) == cudaSuccess);
    variables<<<1, 4>>>(d);
    cudaMemcpy(host, d, sizeof values, cudaMemcpyDefault);
    EXPECT(host[0] == 3 && host[2] == 4 && managed == 46);
    EXPECT(cudaMemcpyFromSymbol(&host[0], counter, 4) == cudaSuccess && host[0] == 41);
    lanes_apart();
    numbers();
    edges();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
