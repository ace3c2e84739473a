// Cooperative groups: each collective against its definition, for groups of each kind.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/atomic>
#include <utility>
#include <vector>

#include "expect.hpp"

namespace cg = cooperative_groups;

constexpr int threads = 256;

// What a group of these threads, in this order, should give for a value of each.
struct wanted_values {
    int sum, most, before, up_to;
};
static wanted_values wanted(const std::vector<int>& members, int me) {
    wanted_values found{0, -1, 0, 0};
    for (const int member : members) {
        const int value = member * 7 % 31;
        found.sum += value;
        found.most = value > found.most ? value : found.most;
        if (member < me) found.before += value;
        if (member <= me) found.up_to += value;
    }
    return found;
}

template <typename Group>
__device__ void collect(const Group& group, int value, int* out) {
    out[0] = cg::reduce(group, value, cg::plus<int>());
    out[1] = cg::reduce(group, value, cg::greater<int>());
    out[2] = cg::exclusive_scan(group, value);
    out[3] = cg::inclusive_scan(group, value, cg::plus<int>());
    out[4] = int(group.num_threads());
    out[5] = int(group.thread_rank());
    out[6] = int(group.meta_group_rank());
    out[7] = int(group.meta_group_size());
    out[8] = cg::invoke_one_broadcast(group, [&] { return int(threadIdx.x) + 1; });
}

__global__ void collectives(int* out, int kind) {
    const cg::thread_block block = cg::this_thread_block();
    const int me = int(block.thread_rank()), value = me * 7 % 31;
    out += me * 9;
    const auto warp = cg::tiled_partition<32>(block);
    if (kind == 0) collect(cg::tiled_partition<1>(block), value, out);
    if (kind == 1) collect(cg::tiled_partition<4>(block), value, out);
    if (kind == 2) collect(warp, value, out);
    if (kind == 3) collect(cg::tiled_partition<64>(block), value, out);
    if (kind == 4) collect(cg::tiled_partition<256>(block), value, out);
    if (kind == 5) collect(cg::labeled_partition(warp, me % 5), value, out);
    if (kind == 6) collect(cg::binary_partition(warp, me % 3 == 0), value, out);
    if (kind == 7 && me % 2) collect(cg::coalesced_threads(), value, out);
    if (kind == 8) collect(cg::tiled_partition(cg::coalesced_threads(), 8), value, out);
    if (kind == 9) collect(cg::tiled_partition<8>(warp), value, out);
}

static void check_collectives(int kind, int first_of(int), bool together(int, int)) {
    int* out = nullptr;
    cudaMallocManaged(&out, threads * 9 * sizeof(int));
    collectives<<<1, threads>>>(out, kind);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int me = 0; me < threads; ++me) {
        if (!together(me, me)) continue;
        std::vector<int> members, leaders;
        const int first = first_of(me), end = kind == 3 || kind == 4 || kind < 2 ? threads : 32;
        for (int i = first; i < threads && i < first + (end == 32 ? 32 : end); ++i)
            if (together(me, i)) members.push_back(i);
        const wanted_values right = wanted(members, me);
        const int* found = out + me * 9;
        int rank = 0;
        while (members[rank] != me) ++rank;
        const bool same = found[0] == right.sum && found[1] == right.most &&
                          found[2] == right.before && found[3] == right.up_to &&
                          found[4] == int(members.size()) && found[5] == rank && found[6] >= 0 &&
                          found[6] < found[7] && found[8] == members[0] + 1;
        if (!same && failures++ < 9)
            std::printf("kind %d, thread %d: %d %d %d %d %d %d %d %d %d\n", kind, me, found[0],
                        found[1], found[2], found[3], found[4], found[5], found[6], found[7],
                        found[8]);
    }
    cudaFree(out);
}

// Half of what is read was written by the others before they arrived.
__global__ void in_two_steps(int* out) {
    __shared__ int values[threads];
    const cg::thread_block block = cg::this_thread_block();
    const int me = int(block.thread_rank());
    int sum = 0;
    for (int round = 0; round < 3; ++round) {
        values[me] = me + round;
        cg::thread_block::arrival_token token = block.barrier_arrive();
        sum += round;
        block.barrier_wait(std::move(token));
        sum += values[threads - 1 - me];
        block.sync();
    }
    out[me] = sum;
}

__global__ void of_the_cluster(int* out) {
    __shared__ int mine;
    const cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) mine = 100 + int(cluster.block_rank());
    auto token = cluster.barrier_arrive();
    const int local = int(cluster.thread_rank());
    cluster.barrier_wait(std::move(token));
    const unsigned other = (cluster.block_rank() + 1) % cluster.num_blocks();
    const int* theirs = cluster.map_shared_rank(&mine, other);
    const bool right = cluster.query_shared_rank(theirs) == other;
    out[cg::this_grid().thread_rank()] = right ? *theirs + 1000 * local : -1;
    cluster.sync();
}

__global__ void of_the_grid(int* values, int* out) {
    const cg::grid_group grid = cg::this_grid();
    const int me = int(grid.thread_rank()), all = int(grid.num_threads());
    values[me] = me;
    auto token = grid.barrier_arrive();
    grid.barrier_wait(std::move(token));
    out[me] = values[all - 1 - me];
    grid.sync();
    values[me] = grid.is_valid() ? 1 : 0;
}

__device__ int rank_of(const cg::thread_group& group) {
    group.sync();
    return int(group.thread_rank() * 1000 + group.size());
}
__global__ void of_any_kind(int* out) {
    const cg::thread_block block = cg::this_thread_block();
    const auto wide = cg::tiled_partition<128>(block);
    const cg::thread_group small = cg::tiled_partition(block, 4);
    out[block.thread_rank()] = rank_of(block) + rank_of(wide) + rank_of(small) +
                               rank_of(cg::tiled_partition(small, 2)) + rank_of(cg::this_cluster());
}

__global__ void copies(const int* from, int* out, int offset) {
    __shared__ alignas(16) int here[threads];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, here, from + offset, sizeof(int) * (threads - 4));
    cg::wait(block);
    const int me = int(block.thread_rank());
    if (me < threads - 4) out[me] = here[threads - 5 - me];
}

__global__ void adds_up(int* total, int* out) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(*total);
    out[tile.meta_group_rank() * 16 + tile.thread_rank()] =
        cg::exclusive_scan_update(tile, sum, 2, cg::plus<int>());
    cg::reduce_update_async(tile, sum, 1, cg::plus<int>());
}

static void barriers_and_copies() {
    int *out = nullptr, *values = nullptr;
    cudaMallocManaged(&out, 1024 * sizeof(int));
    cudaMallocManaged(&values, 1024 * sizeof(int));
    in_two_steps<<<1, threads>>>(out);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < threads; ++i) EXPECT(out[i] == 3 * (threads - 1 - i) + 6);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 4;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(8);
    config.blockDim = dim3(32);
    config.attrs = &attribute;
    config.numAttrs = 1;
    EXPECT(cudaLaunchKernelEx(&config, of_the_cluster, out) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 256; ++i) EXPECT(out[i] == 100 + (i / 32 + 1) % 4 + 1000 * (i % 128));
    void* arguments[] = {&values, &out};
    EXPECT(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(of_the_grid), dim3(4), dim3(64),
                                       arguments, 0, nullptr) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 256; ++i) EXPECT(out[i] == 255 - i && values[i] == 1);
    of_any_kind<<<1, threads>>>(out);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < threads; ++i)
        EXPECT(out[i] == 1000 * (2 * i + i % 128 + i % 4 + i % 2) + 2 * threads + 128 + 4 + 2);
    for (int i = 0; i < 512; ++i) values[i] = 3 * i;
    for (const int offset : {0, 1, 4}) {
        copies<<<1, threads>>>(values, out, offset);
        EXPECT(cudaDeviceSynchronize() == cudaSuccess);
        for (int i = 0; i < threads - 4; ++i) EXPECT(out[i] == 3 * (threads - 5 - i + offset));
    }
    values[0] = 5;
    adds_up<<<1, 64>>>(values, out);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(values[0] == 5 + 4 * 16 * 3);
    for (int i = 1; i < 64; ++i) EXPECT(i % 16 == 0 || out[i] == out[i - 1] + 2);
}

// A kernel that may begin early must wait before it reads what the one before writes.
__global__ void writes(int* x) {
    cudaTriggerProgrammaticLaunchCompletion();
    for (int i = 0; i < 100; ++i) __nanosleep(10);
    x[blockIdx.x] = int(blockIdx.x) + 1;
}
__global__ void adds_one(int* x) {
    cudaGridDependencySynchronize();
    x[blockIdx.x] += 1;
}
static void dependent_launches() {
    int* x = nullptr;
    cudaMallocManaged(&x, 64 * sizeof(int));
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(16);
    config.blockDim = dim3(1);
    config.attrs = &attribute;
    config.numAttrs = 1;
    writes<<<16, 1>>>(x);
    for (int i = 0; i < 3; ++i) EXPECT(cudaLaunchKernelEx(&config, adds_one, x) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 16; ++i) EXPECT(x[i] == i + 4);
}

int main() {
    const auto warp_of = [](int me) { return me / 32 * 32; };
    const auto start = [](int) { return 0; };
    check_collectives(0, start, [](int a, int b) { return a == b; });
    check_collectives(1, start, [](int a, int b) { return a / 4 == b / 4; });
    check_collectives(2, warp_of, [](int, int) { return true; });
    check_collectives(3, start, [](int a, int b) { return a / 64 == b / 64; });
    check_collectives(4, start, [](int, int) { return true; });
    check_collectives(5, warp_of, [](int a, int b) { return a % 5 == b % 5; });
    check_collectives(6, warp_of, [](int a, int b) { return (a % 3 == 0) == (b % 3 == 0); });
    check_collectives(7, warp_of, [](int a, int b) { return a % 2 == 1 && b % 2 == 1; });
    check_collectives(8, warp_of, [](int a, int b) { return a / 8 == b / 8; });
    check_collectives(9, warp_of, [](int a, int b) { return a / 8 == b / 8; });
    barriers_and_copies();
    dependent_launches();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
