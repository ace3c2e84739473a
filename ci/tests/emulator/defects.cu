// Plants one defect, named by the argument; without one, the same work done right.

#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void touch(int* x, int i) { x[i] = 1; }  // line: touch
__global__ void look(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }  // line: look
__global__ void race(int* y) {
    __shared__ int shared[64];
    shared[threadIdx.x] = 0;
    __syncthreads();
    shared[threadIdx.x] = int(threadIdx.x);  // line: race writes
    y[threadIdx.x] = shared[63 - threadIdx.x];  // line: race reads
}
__global__ void same_value(int* y) {
    __shared__ int shared;
    shared = 7;
    __syncthreads();
    y[threadIdx.x] = shared;
}
__global__ void two_writers(int* y) {
    __shared__ int shared;
    shared = int(threadIdx.x);  // line: two writers
    __syncthreads();
    y[threadIdx.x] = shared;
}
__global__ void set_and_added_to(int* y) {
    __shared__ int shared;
    if (threadIdx.x == 0) shared = 0;  // line: set
    atomicAdd(&shared, 1);             // line: added to
    __syncthreads();
    y[threadIdx.x] = shared;
}
__global__ void local_array(int n, int* y) {
    int squares[8];
    for (int i = 0; i <= n; ++i) squares[i] = i * i;  // line: one too many
    y[threadIdx.x] = squares[threadIdx.x % n];
}
__global__ void write_after_read(int* y) {
    __shared__ int shared[64];
    shared[threadIdx.x] = 0;
    __syncthreads();
    y[threadIdx.x] = shared[0];  // line: early read
    shared[threadIdx.x] = 1;  // line: late write
}
__global__ void uninitialized(int* y) {
    __shared__ int shared[64];
    if (threadIdx.x != 5) shared[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = shared[threadIdx.x];  // line: uninitialized
}
__global__ void outside_shared(int* y) {
    __shared__ int shared[64];
    shared[threadIdx.x + 1] = 1;  // line: outside shared
    __syncthreads();
    y[threadIdx.x] = shared[1];
}
__global__ void between_shared(int* y) {
    __shared__ int first[64], second[64];
    second[threadIdx.x] = 0;
    first[threadIdx.x + 1] = int(threadIdx.x);  // line: between shared
    __syncthreads();
    y[threadIdx.x] = first[threadIdx.x ? threadIdx.x : 1] + second[threadIdx.x];
}
__global__ void two_barriers(int* y) {
    if (threadIdx.x < 32)
        __syncthreads();  // line: first barrier
    else
        __syncthreads();  // line: second barrier
    y[threadIdx.x] = 0;
}
__global__ void of_those_here(int* x) {
    const auto here = cooperative_groups::coalesced_threads();
    x[64 + here.thread_rank()] = 1;  // line: of those here
}
__global__ void both_branches(int* y) {
    int value;
    if (threadIdx.x < 16)
        value = __shfl_sync(0xffffffffU, 1, 0);  // line: one branch
    else
        value = __shfl_sync(0xffffffffU, 2, 0);  // line: the other
    y[threadIdx.x] = value;
}
__global__ void left_out(int* y) {
    if (threadIdx.x < 32) {
        y[threadIdx.x] = 0;
        __syncthreads();  // line: left out
    }
}
__global__ void fewer_rounds(int* y) {
    for (int i = int(threadIdx.x); i < 65; i += 64) {
        y[threadIdx.x] = i;
        __syncthreads();  // line: fewer rounds
    }
}
__global__ void returns_before(int* y, int n) {
    if (int(threadIdx.x) >= n) return;
    y[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 2; ++i) {
        if (int(threadIdx.x) > 40 + i) return;
        __syncthreads();
    }
}
// clang-format off
__global__ void two_on_a_line(int* y) {
    if (threadIdx.x < 32) __syncthreads(); else __syncthreads();  // line: two on a line
    y[threadIdx.x] = 0;
}
// clang-format on
__global__ void lonely_lane(int* y) {
    int value = 0;
    if (threadIdx.x < 16) value = __shfl_sync(0xffffffffU, 1, 0);  // line: lonely lane
    __syncthreads();  // line: barrier of the others
    y[threadIdx.x] = value;
}
__global__ void ended_lane(int* y) {
    if (threadIdx.x == 3) return;
    y[threadIdx.x] = __shfl_sync(0xffffffffU, 1, 3);  // line: ended lane
}
__global__ void other_branch(int* y) {
    int value = 0;
    if (threadIdx.x < 16) value = __shfl_sync(0xffffffffU, 1, 20);  // line: other branch
    y[threadIdx.x] = value;
}
__global__ void not_named(int* y) { y[threadIdx.x] = __shfl_sync(1U, 1, 0); }  // line: not named
__global__ void gives_back(int* x) { free(x); }

__global__ void waits_for_ever(volatile int* y) {
    while (y[0] == 0) {
    }
}
__global__ void misaligned(char* y) { *reinterpret_cast<int*>(y + 1) = 1; }  // line: misaligned
__global__ void asserts(int* y) { assert(y == nullptr); }  // line: assert
__global__ void traps(int*) { __trap(); }  // line: trap

__global__ void copies(float4* to, const float4* from) { *to = *from; }  // line: copies

__global__ void adds(int* x) { x[threadIdx.x] += 1; }  // line: adds
__device__ int variable[4];
__device__ int neighbor[4];
__global__ void touch_variable(int i) { variable[i] = neighbor[0] + 1; }  // line: touch variable
static int of_host = 1;
struct structure {
    float numbers[8];
};
__global__ void structures(structure* to, const structure* from) {
    __shared__ structure tile[64];
    tile[threadIdx.x] = from[threadIdx.x];  // line: structure written
    to[threadIdx.x] = tile[63 - threadIdx.x];  // line: structure read
}
__global__ void bytes_and_words(int* y) {
    __shared__ int words[16];
    if (threadIdx.x < 16) words[threadIdx.x] = 0;
    __syncthreads();
    reinterpret_cast<char*>(words)[threadIdx.x] = 1;  // line: byte written
    y[threadIdx.x] = words[threadIdx.x / 4];  // line: word read
}
__global__ void words_and_bytes(int* y) {
    __shared__ int words[16];
    if (threadIdx.x < 16) words[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < 16) words[threadIdx.x] = 1;  // line: word written
    y[threadIdx.x] = reinterpret_cast<char*>(words)[threadIdx.x];  // line: byte read
}
struct triple {
    short numbers[3];
};
__global__ void neighbors_in_a_word(int* y) {
    __shared__ triple triples[64];
    const short number = short(threadIdx.x);
    triple own{{number, number, number}};
    triples[threadIdx.x] = own;
    __syncthreads();
    own = triples[63 - threadIdx.x];
    y[threadIdx.x] = own.numbers[2];
}
struct ray {
    int id;
    bool on;  // and padding, which nobody writes
};
__global__ void make_rays(ray* rays) {
    rays[threadIdx.x].id = int(threadIdx.x);
    rays[threadIdx.x].on = threadIdx.x % 2;
}
__global__ void pack_rays(const ray* rays, ray* packed, int* count) {
    const ray own = rays[threadIdx.x];
    if (own.on) packed[atomicAdd(count, 1)] = own;
}
__global__ void locked_sum(int* sum) {
    __shared__ int lock, shared_sum;
    if (threadIdx.x == 0) lock = shared_sum = 0;
    __syncthreads();
    for (bool done = false; !done;)
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            shared_sum += int(threadIdx.x);
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    __syncthreads();
    if (threadIdx.x == 0) *sum = shared_sum;
}
__global__ void take_turns(volatile int* turn, int rounds) {
    const int count = int(blockDim.x);
    for (int round = 0; round < rounds; ++round) {
        while (*turn != round * count + (count - 1 - int(threadIdx.x))) {
        }
        *turn = *turn + 1;
    }
}
__global__ void some_have_ended(int* y, int n) {
    __shared__ int values[64];
    if (int(threadIdx.x) >= n) return;
    values[threadIdx.x] = 1;
    __syncwarp();
    y[threadIdx.x] = values[threadIdx.x ^ 1] + __popc(__ballot_sync(0xffffffffU, 1));
}
__global__ void shuffle_for_barrier(int* y) {
    __shared__ int values[32];
    values[threadIdx.x] = int(threadIdx.x);  // line: value written
    const int other = __shfl_xor_sync(0xffffffffU, int(threadIdx.x), 1);
    y[threadIdx.x] = other + values[threadIdx.x ^ 16];  // line: value read
}
struct fields {
    unsigned low : 3, middle : 5, high : 24;
};
__global__ void first_field(fields* to) { to[threadIdx.x].low = threadIdx.x; }
__global__ void exchanged_first(int* y) {
    __shared__ int value;
    if (threadIdx.x == 0) atomicExch(&value, 7);
    __syncthreads();
    y[threadIdx.x] = value;
}
__global__ void divides(int* y, int divisor) { y[threadIdx.x] = 7 / divisor; }  // line: divides
__global__ void not_in_the_mask(int* y) {
    if (threadIdx.x < 16)
        y[threadIdx.x] = __shfl_sync(0xffffU, int(threadIdx.x), 20);  // line: not in the mask
}
__device__ void write_and_wait(int* y) {
    y[threadIdx.x] = 1;
    __syncthreads();  // line: called barrier
}
__global__ void two_calls(int* y) {
    if (threadIdx.x < 32)
        write_and_wait(y);
    else
        write_and_wait(y);
}
__global__ void read_another(int* y) {
    __shared__ int* place;
    int own = int(threadIdx.x);
    if (threadIdx.x == 0) place = &own;
    __syncthreads();
    y[threadIdx.x] = *place;  // line: local memory
    __syncthreads();
    y[threadIdx.x] += own;
}
__global__ void fills_stack(int* y, int n, int step) {
    int own[20000];
    for (int i = 0; i < n; ++i) own[i * step] = i;
    __syncthreads();
    for (int i = 0; i < n; ++i) y[threadIdx.x] += own[i * step];
}
__global__ void waits_for_grid(int* y) {
    cooperative_groups::this_grid().sync();  // line: grid
    y[0] = 1;
}
__global__ void one_block_ends(int* y) {
    if (blockIdx.x == 1) return;
    cooperative_groups::this_grid().sync();  // line: grid without a block
    y[0] = 1;
}
__global__ void between_steps(int* y) {
    const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
    auto token = block.barrier_arrive();
    __syncthreads();  // line: between two steps
    block.barrier_wait(static_cast<decltype(token)&&>(token));
    y[threadIdx.x] = 1;
}
__global__ void old_token(int* y) {
    const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
    auto token = block.barrier_arrive();
    auto copy = token;
    block.barrier_wait(static_cast<decltype(token)&&>(token));
    block.barrier_wait(static_cast<decltype(token)&&>(copy));  // line: old token
    y[threadIdx.x] = 1;
}
__global__ void part_of_a_tile(int* y) {
    const auto tile =
        cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());
    if (threadIdx.x == 3) {
        __syncthreads();  // line: not in the tile
        return;
    }
    tile.sync();  // line: part of a tile
    y[threadIdx.x] = 1;
}
__global__ void last_warp(int* y) {
    __shared__ int shared[64];
    shared[threadIdx.x] = shared[threadIdx.x + 32] = 1;
    __syncthreads();
    volatile int* sums = shared;
    sums[threadIdx.x] = sums[threadIdx.x] + sums[threadIdx.x + 32];  // line: first sum
    sums[threadIdx.x] = sums[threadIdx.x] + sums[threadIdx.x + 16];  // line: last warp
    y[threadIdx.x] = sums[0];  // line: last sum
}
__global__ void read_twice(int* y) {
    __shared__ int shared;
    if (threadIdx.x == 0) shared = 1;
    __syncthreads();
    int value = threadIdx.x % 32 == 0 ? shared : 0;  // line: first read
    __syncwarp();
    if (threadIdx.x == 0) {
        value += shared;
        __syncwarp(1);
        shared = value;  // line: read and written
    }
    y[threadIdx.x] = value;
}
__global__ void odd_width(int* y) {
    y[threadIdx.x] = __shfl_sync(0xffffffffU, int(threadIdx.x), 0, 12);  // line: odd width
}
__global__ void sum_in_one_word(int* sum) { *sum += 1; }  // line: sum in one word
__global__ void last_block_wins(int* x) { x[0] = int(blockIdx.x); }  // line: last block wins
__global__ void shift(int* x) {
    const int next = x[threadIdx.x + 1];  // line: neighbor read
    x[threadIdx.x] = next;                // line: own written
}
__global__ void sum_as_a_tree(int* x) {
    for (int half = int(blockDim.x) / 2; half > 0; half /= 2) {
        if (int(threadIdx.x) < half) x[threadIdx.x] += x[threadIdx.x + half];
        __syncthreads();
    }
}
__global__ void same_in_all_blocks(int* x) { x[0] = 7; }
__global__ void locked_by_blocks(int* lock, int* sum) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += 1;
    __threadfence();
    atomicExch(lock, 0);
}
__global__ void last_block_sums(int* parts, int* count) {
    parts[blockIdx.x] = 1;
    __threadfence();
    if (atomicAdd(count, 1) != int(gridDim.x) - 1) return;
    __threadfence();
    for (unsigned i = 1; i < gridDim.x; ++i) parts[0] += parts[i];
}
__global__ void bytes_of_threads(unsigned char* x) { x[threadIdx.x] = threadIdx.x; }

int main(int argc, char** argv) {
    const char* defect = argc > 1 ? argv[1] : "";
    const auto is = [&](const char* name) { return std::strcmp(defect, name) == 0; };
    int* x = nullptr;
    int* y = nullptr;
    int* host = new int[64]();
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMalloc(&y, 64 * sizeof(int));
    cudaMemset(y, 0, 64 * sizeof(int));
    if (!is("never written")) cudaMemset(x, 0, 64 * sizeof(int));
    if (is("out of bounds")) touch<<<1, 1>>>(x, 64);
    if (is("before")) touch<<<1, 1>>>(x, -1);
    if (is("null")) touch<<<1, 1>>>(nullptr, 0);
    if (is("host memory")) touch<<<1, 1>>>(host, 0);
    if (is("freed")) {
        cudaFree(x);
        touch<<<1, 1>>>(x, 0);
    }
    if (is("freed in order")) {
        int* pooled = nullptr;
        cudaMallocAsync(&pooled, 64, nullptr);
        cudaFreeAsync(pooled, nullptr);
        touch<<<1, 1>>>(pooled, 0);
    }
    if (is("copied after its free")) {
        int* pooled = nullptr;
        cudaMallocAsync(&pooled, 64, nullptr);
        cudaFreeAsync(pooled, nullptr);
        cudaMemsetAsync(pooled, 0, 64, nullptr);
    }
    if (is("of a graph")) {
        cudaGraph_t graph = nullptr;
        cudaGraphNode_t node = nullptr;
        cudaGraphCreate(&graph, 0);
        cudaMemAllocNodeParams wanted{};
        wanted.poolProps.allocType = cudaMemAllocationTypePinned;
        wanted.poolProps.location = {cudaMemLocationTypeDevice, 0};
        wanted.bytesize = 64;
        cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &wanted);
        touch<<<1, 1>>>(static_cast<int*>(wanted.dptr), 0);
    }
    if (is("never set")) {
        cudaGraph_t graph = nullptr;
        cudaGraphNode_t node = nullptr;
        cudaGraphExec_t instance = nullptr;
        cudaGraphCreate(&graph, 0);
        cudaGraphNodeParams wanted{};
        wanted.type = cudaGraphNodeTypeConditional;
        wanted.conditional.type = cudaGraphCondTypeIf;
        wanted.conditional.size = 1;
        cudaGraphConditionalHandleCreate(&wanted.conditional.handle, graph, 0, 0);
        cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &wanted);
        cudaGraphInstantiate(&instance, graph, 0);
        cudaGraphLaunch(instance, nullptr);
    }
    if (is("grid without a block")) {
        void* arguments[] = {&y};
        cudaLaunchCooperativeKernel(reinterpret_cast<void*>(one_block_ends), dim3(3), dim3(32),
                                    arguments, 0, nullptr);
    }
    if (is("between two steps")) between_steps<<<1, 64>>>(y);
    if (is("old token")) old_token<<<1, 64>>>(y);
    if (is("part of a tile")) part_of_a_tile<<<1, 64>>>(y);
    if (is("race")) race<<<1, 64>>>(y);
    if (is("set and added to")) set_and_added_to<<<1, 64>>>(y);
    if (is("local array")) local_array<<<1, 64>>>(8, y);
    if (is("two writers")) two_writers<<<1, 64>>>(y);
    if (is("write after read")) write_after_read<<<1, 64>>>(y);
    if (is("uninitialized")) uninitialized<<<1, 64>>>(y);
    if (is("outside shared")) outside_shared<<<1, 64>>>(y);
    if (is("between shared")) between_shared<<<1, 64>>>(y);
    if (is("two barriers")) two_barriers<<<1, 64>>>(y);
    if (is("of those here")) of_those_here<<<1, 32>>>(x);
    if (is("both branches")) both_branches<<<1, 32>>>(y);
    if (is("brings nothing")) {
        int* fresh = nullptr;
        cudaMalloc(&fresh, 64 * sizeof(int));
        cudaMemcpyAsync(host, fresh, 64, cudaMemcpyDeviceToHost);
    }
    if (is("left out")) left_out<<<1, 64>>>(y);
    if (is("fewer rounds")) fewer_rounds<<<1, 64>>>(y);
    if (is("two on a line")) two_on_a_line<<<1, 64>>>(y);
    if (is("lonely lane")) lonely_lane<<<1, 32>>>(y);
    if (is("ended lane")) ended_lane<<<1, 32>>>(y);
    if (is("other branch")) other_branch<<<1, 32>>>(y);
    if (is("not named")) not_named<<<1, 32>>>(y);
    if (is("not of the heap")) gives_back<<<1, 1>>>(y);
    if (is("for ever")) waits_for_ever<<<1, 1>>>(y);
    if (is("misaligned")) misaligned<<<1, 1>>>(reinterpret_cast<char*>(y));
    if (is("misaligned copy"))
        copies<<<1, 1>>>(reinterpret_cast<float4*>(y), reinterpret_cast<float4*>(x + 1));
    if (is("added to")) {
        int* fresh = nullptr;
        cudaMalloc(&fresh, 64 * sizeof(int));
        adds<<<1, 64>>>(fresh);
    }
    if (is("variable")) touch_variable<<<1, 1>>>(100000);
    if (is("after a variable")) touch_variable<<<1, 1>>>(4);
    if (is("before a variable")) touch_variable<<<1, 1>>>(-1);
    if (is("host variable")) touch<<<1, 1>>>(&of_host, 0);
    if (is("structures")) {
        structure* many = nullptr;
        cudaMalloc(&many, 128 * sizeof(structure));
        cudaMemset(many, 0, 128 * sizeof(structure));
        structures<<<1, 64>>>(many + 64, many);
    }
    if (is("never written structure")) {
        float4* fresh = nullptr;
        cudaMalloc(&fresh, 2 * sizeof(float4));
        copies<<<1, 1>>>(fresh, fresh + 1);
    }
    if (is("local memory")) read_another<<<1, 64>>>(y);
    if (is("stack")) fills_stack<<<1, 64>>>(y, 100, 30);
    if (is("grid")) waits_for_grid<<<2, 32>>>(y);
    if (is("last warp")) last_warp<<<1, 32>>>(y);
    if (is("read twice")) read_twice<<<1, 64>>>(y);
    if (is("odd width")) odd_width<<<1, 32>>>(y);
    if (is("assert")) asserts<<<1, 1>>>(y);
    if (is("trap")) traps<<<1, 1>>>(y);
    if (is("bytes and words")) bytes_and_words<<<1, 64>>>(y);
    if (is("words and bytes")) words_and_bytes<<<1, 64>>>(y);
    if (is("shuffle for barrier")) shuffle_for_barrier<<<1, 32>>>(y);
    if (is("not in the mask")) not_in_the_mask<<<1, 32>>>(y);
    if (is("two calls")) two_calls<<<1, 64>>>(y);
    if (is("sum in one word")) sum_in_one_word<<<4, 64>>>(x);
    if (is("last block wins")) last_block_wins<<<4, 1>>>(x);
    if (is("shift")) shift<<<1, 63>>>(x);
    if (is("not looked at")) touch<<<1, 2048>>>(x, 0);
    int* z = nullptr;
    cudaMalloc(&z, 64 * sizeof(int));
    cudaMemset(z, 0, 64 * sizeof(int));
    returns_before<<<1, 64>>>(z, 50);
    sum_as_a_tree<<<1, 64>>>(z);
    same_in_all_blocks<<<4, 64>>>(z);
    for (int i = 0; i < 3; ++i) touch<<<1, 1>>>(z, 1);
    cudaMemset(z, 0, 64 * sizeof(int));
    locked_by_blocks<<<4, 1>>>(z, z + 1);
    cudaMemset(z, 0, 64 * sizeof(int));
    last_block_sums<<<8, 1>>>(z + 1, z);
    bytes_of_threads<<<1, 64>>>(reinterpret_cast<unsigned char*>(z));
    neighbors_in_a_word<<<1, 64>>>(y);
    ray* rays = nullptr;
    cudaMalloc(&rays, 128 * sizeof(ray));
    cudaMemset(y, 0, sizeof(int));
    make_rays<<<1, 64>>>(rays);
    pack_rays<<<1, 64>>>(rays, rays + 64, y);
    locked_sum<<<1, 64>>>(y);
    cudaMemset(y, 0, sizeof(int));
    take_turns<<<1, 256>>>(y, 8);
    some_have_ended<<<1, 64>>>(y, 50);
    exchanged_first<<<1, 64>>>(y);
    first_field<<<1, 32>>>(reinterpret_cast<fields*>(rays));
    if (is("zero")) divides<<<1, 1>>>(y, 0);
    some_have_ended<<<1, 33>>>(y, 32);
    same_value<<<1, 64>>>(y);
    look<<<1, 64>>>(x, y);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    std::printf("%s\n", cudaGetErrorName(cudaMemset(y, 0, 4)));
    delete[] host;
    return 0;
}
