// Plants one defect of kernels that launch kernels, named by the argument; without one, the same
// work done right.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

enum class wrong {
    nothing,
    shared_to_child,
    local_to_child,
    in_a_structure,
    in_a_small_structure,
    through_memory,
    other_block,
    host_stream,
    host_event,
    destroyed,
    small_buffer,
    buffer_again,
    host_memory,
    child,
    traps
};

struct piece {
    int number;
    int* places[3];
};
struct pair {
    int* place;
    int number;
};

__global__ void set(int* x) { *x = 1; }  // line: set
__global__ void set_piece(piece p) { *p.places[2] = 1; }
__global__ void set_pair(pair p) { *p.place = 1; }
__global__ void set_through(int** p) { **p = 1; }  // line: set through

// Keeps the compiler from seeing what kind of pointer it is.
__device__ __noinline__ int* hides(int* p) { return p; }

__global__ void hands(wrong how, int* y, int** places) {
    __shared__ int shared;
    volatile int local = 0;
    int* const stack = const_cast<int*>(&local);
    shared = 0;
    set<<<1, 1>>>(hides(how == wrong::shared_to_child  ? &shared  // line: pointer
                        : how == wrong::local_to_child ? stack
                                                       : y));
    piece p{};
    p.places[2] = hides(how == wrong::in_a_structure ? &shared : y);
    set_piece<<<1, 1>>>(p);  // line: structure
    set_pair<<<1, 1>>>({hides(how == wrong::in_a_small_structure ? stack : y), 1});  // line: pair
    *places = hides(how == wrong::through_memory ? &shared : y);
    set_through<<<1, 1>>>(places);
    if (how == wrong::through_memory)
        while (*static_cast<volatile int*>(y + 1) == 0) {
        }
}

struct handles {
    cudaStream_t stream;
    cudaEvent_t event;
};

__global__ void makes(handles* made) {
    cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking);
}
__global__ void uses(wrong how, handles given, handles* made, int* y) {
    cudaStream_t own = nullptr;
    cudaEvent_t event = nullptr;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaEventRecord(how == wrong::host_event ? given.event : event, own);  // line: records
    cudaStream_t used = how == wrong::other_block   ? made->stream
                        : how == wrong::host_stream ? given.stream
                                                    : own;
    set<<<1, 1, 0, used>>>(y);  // line: launches
    cudaStreamDestroy(own);
    cudaEventDestroy(event);
    if (how == wrong::destroyed) cudaMemsetAsync(y, 0, 4, own);  // line: fills
}

__global__ void by_hand(wrong how, int* y) {
    const int bytes = how == wrong::small_buffer ? 2 : 8;
    auto** const buffer = static_cast<int**>(cudaGetParameterBuffer(64, 8));
    *buffer = y;
    void* const given = bytes < 8 ? cudaGetParameterBuffer(64, bytes) : buffer;
    void* const kernel = reinterpret_cast<void*>(set);
    cudaLaunchDevice(kernel, given, dim3(1), dim3(1), 0, nullptr);  // line: by hand
    if (how == wrong::buffer_again)
        cudaLaunchDevice(kernel, given, dim3(1), dim3(1), 0, nullptr);  // line: again
}

__global__ void frees(wrong how, int* y) {
    int* made = nullptr;
    cudaMalloc(&made, 4);
    cudaFree(how == wrong::host_memory ? y : made);  // line: frees
    if (how == wrong::child) set<<<1, 1>>>(nullptr);
    if (how == wrong::traps) asm volatile("trap;");
}

int main(int argc, char** argv) {
    const struct {
        const char* name;
        wrong how;
    } defects[] = {
        {"shared to child", wrong::shared_to_child},
        {"local to child", wrong::local_to_child},
        {"in a structure", wrong::in_a_structure},
        {"in a small structure", wrong::in_a_small_structure},
        {"through memory", wrong::through_memory},
        {"other block", wrong::other_block},
        {"host stream", wrong::host_stream},
        {"host event", wrong::host_event},
        {"destroyed", wrong::destroyed},
        {"small buffer", wrong::small_buffer},
        {"buffer again", wrong::buffer_again},
        {"host memory", wrong::host_memory},
        {"child", wrong::child},
        {"trap", wrong::traps},
    };
    wrong how = wrong::nothing;
    for (const auto& one : defects)
        if (argc > 1 && std::strcmp(argv[1], one.name) == 0) how = one.how;
    int *y = nullptr, **places = nullptr;
    handles given{}, *made = nullptr;
    cudaMalloc(&y, 8);
    cudaMalloc(&places, sizeof *places);
    cudaMalloc(&made, sizeof *made);
    cudaMemset(y, 0, 8);
    cudaStreamCreate(&given.stream);
    cudaEventCreate(&given.event);
    hands<<<1, 1>>>(how, y, places);
    makes<<<1, 1>>>(made);
    uses<<<1, 1>>>(how, given, made, y);
    by_hand<<<1, 1>>>(how, y);
    frees<<<1, 1>>>(how, y);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::printf("%s\n", cudaGetErrorName(cudaMemset(y, 0, 4)));
}
