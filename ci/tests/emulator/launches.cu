// Kernels that launch kernels: what runs when, what it is given, and what the device runtime says.

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "expect.hpp"

template <class T>
static T* zeros(int count) {
    T* made = nullptr;
    EXPECT(cudaMalloc(&made, count * sizeof(T)) == cudaSuccess);
    EXPECT(cudaMemset(made, 0, count * sizeof(T)) == cudaSuccess);
    return made;
}
template <class T>
static T value_of(const T* x) {
    T found;
    EXPECT(cudaMemcpy(&found, x, sizeof found, cudaMemcpyDeviceToHost) == cudaSuccess);
    return found;
}

// -- arguments

struct large {
    char letter;
    double numbers[5];
    int* place;
};
struct small {
    int* place;
    short number;
};
struct none {};
struct alignas(32) wide {
    int number;
};

__global__ void many(bool flag, none, char letter, large by_value, small by_registers, wide aligned,
                     double number, int* sum) {
    atomicAdd(sum, flag + letter + int(by_value.numbers[4]) + by_value.letter +
                       by_registers.number + aligned.number + int(number));
    atomicAdd(by_value.place, 1);
    atomicAdd(by_registers.place, 1);
}
__global__ void nothing_given() {}
// Of these the host knows nothing: only kernels launch them.
template <class T>
__global__ void from_kernels_only(T value, none, small more, int* sum) {
    atomicAdd(sum, int(value) + more.number);
}
namespace {
__global__ void hidden(int* sum) { atomicAdd(sum, 5); }
}  // namespace
static __global__ void shaped(int* sum) {
    extern __shared__ int room[];
    const unsigned thread = threadIdx.z * blockDim.x + threadIdx.x;
    room[thread] = int(gridDim.y * blockDim.z + blockIdx.y);
    atomicAdd(sum, room[thread]);
}
__device__ void launches_shaped(int* sum) {
    shaped<<<dim3(1, 2), dim3(2, 1, 3), 6 * sizeof(int)>>>(sum);
}
__global__ void gives(int* sum) {
    large by_value{'a', {1, 2, 3, 4, 500}, sum + 1};
    many<<<1, 1>>>(true, none{}, 'b', by_value, small{sum + 1, 1000}, wide{2000}, 3000.5, sum);
    by_value.numbers[4] = 0;  // too late: the launch has copied it
    from_kernels_only<<<1, 1>>>(2.5, none{}, small{sum, 7}, sum + 2);
    from_kernels_only<<<1, 1>>>(short(3), none{}, small{sum, 8}, sum + 2);
    hidden<<<1, 1>>>(sum + 3);
    nothing_given<<<1, 1>>>();
    launches_shaped(sum + 4);
}

static void arguments() {
    int* sum = zeros<int>(5);
    gives<<<1, 1>>>(sum);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(value_of(sum) == 1 + 'b' + 500 + 'a' + 1000 + 2000 + 3000);
    EXPECT(value_of(sum + 1) == 2);
    EXPECT(value_of(sum + 2) == 20);
    EXPECT(value_of(sum + 3) == 5);
    EXPECT(value_of(sum + 4) == 6 * (6 + 7));
}

// -- variables and kernels that other files do not see

static __device__ int counter = 3;
static __constant__ int factor = 1;
namespace {
__device__ int shown;
__managed__ int both = 4;
__global__ void multiplies(int times) { shown = times * factor * counter * both; }
}  // namespace
static __global__ void multiplies_too(int times) { multiplies<<<1, 1>>>(times); }

static void variables() {
    const int two = 2, five = 5;
    int found = 0;
    EXPECT(cudaMemcpyToSymbol(factor, &two, sizeof two) == cudaSuccess);
    EXPECT(cudaMemcpyToSymbol(counter, &five, sizeof five) == cudaSuccess);
    multiplies<<<1, 1>>>(1);
    EXPECT(cudaMemcpyFromSymbol(&found, shown, sizeof found) == cudaSuccess && found == 40);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    both = 5;
    multiplies_too<<<1, 1>>>(7);
    EXPECT(cudaMemcpyFromSymbol(&found, shown, sizeof found) == cudaSuccess && found == 350);
}

// -- order

struct record {
    int length;
    char letters[60];
};

__device__ void append(record* r, char letter) { r->letters[atomicAdd(&r->length, 1)] = letter; }
__global__ void leaf(record* r, char letter) { append(r, letter); }
__global__ void chain(record* r, char letter, int more) {
    if (more > 0) chain<<<1, 1>>>(r, char(letter + 1), more - 1);
    append(r, letter);
}
__global__ void orders(record* r) {
    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(r, 'Y');
    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(r, 'Z');
    leaf<<<1, 1>>>(r, '1');
    chain<<<1, 1>>>(r, 'a', 3);
    leaf<<<1, 1>>>(r, '2');
    leaf<<<1, 1, 0, cudaStreamFireAndForget>>>(r, 'f');
    leaf<<<1, 1, 0, cudaStreamPerThread>>>(r, 't');
    append(r, 'P');
}

static std::string letters_of(const record* r) { return value_of(r).letters; }

static std::string last_three(const std::string& text) {
    return text.size() < 3 ? text : text.substr(text.size() - 3);
}
static bool comes(const std::string& text, char first, char later) {
    return text.find(first) < text.find(later) && text.find(later) != text.npos;
}

static void order_of_streams() {
    record* r = zeros<record>(1);
    cudaStream_t stream;
    EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
    orders<<<1, 1, 0, stream>>>(r);
    leaf<<<1, 1, 0, stream>>>(r, 'H');
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
    const std::string found = letters_of(r);
    EXPECT(found.size() == 12);
    // the second waits for all that the chain has launched, the tails for everything
    for (const char letter : std::string("abcd"))
        EXPECT(comes(found, '1', letter) && comes(found, letter, '2'));
    EXPECT(last_three(found) == "YZH");
    EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
}

__global__ void joins(int* x) {
    cudaStream_t left = nullptr, right = nullptr;
    cudaEvent_t event = nullptr;
    cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaMemsetAsync(x, 1, sizeof(int), left);
    cudaEventRecord(event, left);
    cudaStreamWaitEvent(right, event, 0);
    cudaMemcpyAsync(x + 1, x, sizeof(int), cudaMemcpyDeviceToDevice, right);
    hidden<<<1, 1, 0, right>>>(x + 1);
    cudaMemcpyAsync(x + 2, x + 1, sizeof(int), cudaMemcpyDefault, cudaStreamTailLaunch);
    x[3] = cudaEventDestroy(event) + cudaStreamDestroy(left) + cudaStreamDestroy(right) +
           cudaGetLastError();
}

static void events() {
    int* x = zeros<int>(4);
    joins<<<1, 1>>>(x);
    EXPECT(value_of(x + 2) == 0x01010101 + 5);
    EXPECT(value_of(x + 3) == 0);
}

// A graph's node is complete when what its kernel launched is.
static void nodes() {
    record* r = zeros<record>(1);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
    EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    orders<<<1, 1, 0, stream>>>(r);
    leaf<<<1, 1, 0, stream>>>(r, 'H');
    EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    EXPECT(cudaGraphInstantiate(&instance, graph, 0) == cudaSuccess);
    for (int run = 1; run <= 2; ++run) {
        EXPECT(cudaGraphLaunch(instance, stream) == cudaSuccess);
        EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
        const std::string found = letters_of(r);
        EXPECT(found.size() == 12u * run && last_three(found) == "YZH");
    }
}

// -- what is refused with an error

struct answers {
    int errors[12], ran;
};

__global__ void ran(answers* a) {
    if (threadIdx.x == 0) atomicAdd(&a->ran, 1);
}
__global__ void asks(answers* a) {
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    int at = 0;
    ran<<<1, 1025>>>(a);
    a->errors[at++] = cudaPeekAtLastError();
    a->errors[at++] = cudaGetLastError();
    a->errors[at++] = cudaGetLastError();
    ran<<<0, 1>>>(a);
    a->errors[at++] = cudaGetLastError();
    ran<<<1, 1, 1 << 20>>>(a);
    a->errors[at++] = cudaGetLastError();
    ran<<<1, 32>>>(a);
    a->errors[at++] = cudaGetLastError();
    a->errors[at++] = cudaEventCreateWithFlags(&event, cudaEventDefault);
    a->errors[at++] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    a->errors[at++] = cudaEventRecord(event, cudaStreamTailLaunch);
    a->errors[at++] = cudaStreamWaitEvent(cudaStreamFireAndForget, event, 0);
    a->errors[at++] = cudaStreamDestroy(stream);
    a->errors[at++] = cudaMemsetAsync(&at, 0, sizeof at, nullptr);
}

static void errors() {
    answers* a = zeros<answers>(1);
    asks<<<1, 1>>>(a);
    const answers found = value_of(a);
    const int configuration = cudaErrorInvalidConfiguration, value = cudaErrorInvalidValue;
    const int wanted[] = {
        configuration, configuration, 0,     configuration, configuration, 0, value, 0,
        value,         value,         value, value};
    for (int i = 0; i < 12; ++i) EXPECT(found.errors[i] == wanted[i]);
    EXPECT(found.ran == 1);
    EXPECT(cudaGetLastError() == cudaSuccess);
}

struct tally {
    int accepted, refused, error, ran;
};

__global__ void counts(volatile int* held, tally* t) {
    while (*held) {
    }
    atomicAdd(&t->ran, 1);
}
__global__ void launches_many(int launches, int* held, tally* t) {
    for (int i = 0; i < launches; ++i) {
        counts<<<1, 1>>>(held, t);
        const int error = cudaGetLastError();
        ++(error ? t->refused : t->accepted);
        if (error) t->error = error;
    }
    *static_cast<volatile int*>(held) = 0;
}

static void pending() {
    size_t limit = 0;
    EXPECT(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount) == cudaSuccess);
    EXPECT(limit == 2048);
    EXPECT(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 10) == cudaSuccess);
    EXPECT(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount) == cudaSuccess);
    EXPECT(limit == 10);
    for (const int holds : {0, 1}) {
        tally* t = zeros<tally>(1);
        int* held = zeros<int>(1);
        EXPECT(cudaMemset(held, holds, 1) == cudaSuccess);
        launches_many<<<1, 1>>>(30, held, t);
        const tally found = value_of(t);
        EXPECT(found.accepted == (holds ? 10 : 30) && found.accepted == found.ran);
        EXPECT(found.error == (holds ? cudaErrorLaunchPendingCountExceeded : cudaSuccess));
    }
    EXPECT(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048) == cudaSuccess);
}

// -- the heap, questions, and a launch without <<<>>>

struct heap {
    int* made;
    int error, freed;
};
__global__ void allocates(heap* h) {
    h->error = cudaMalloc(&h->made, sizeof(int));
    *h->made = 6;
    int* more = nullptr;
    h->freed = cudaMalloc(&more, size_t(64) << 20);
}
__global__ void frees(heap* h) {
    hidden<<<1, 1, 0, cudaStreamTailLaunch>>>(&h->error);
    if (*h->made == 6) h->error += cudaFree(h->made);
}

static void memory() {
    heap* h = zeros<heap>(1);
    allocates<<<1, 1>>>(h);
    EXPECT(value_of(h).freed == cudaErrorMemoryAllocation);
    frees<<<1, 1>>>(h);
    EXPECT(value_of(h).error == 5);
}

__host__ __device__ void ask(long long* found) {
    int sms = 0, blocks = 0, device = -1;
    size_t bytes = 0;
    cudaFuncAttributes attributes{};
    found[0] = cudaGetDevice(&device) + cudaFuncGetAttributes(&attributes, hidden) +
               cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0) +
               cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize) +
               cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, hidden, 128, 0);
    found[1] = device;
    found[2] = sms;
    found[3] = attributes.maxThreadsPerBlock;
    found[4] = blocks;
    found[5] = (long long)bytes;
}
__global__ void asks_too(long long* found) { ask(found); }

static void questions() {
    long long on_host[6], *found = zeros<long long>(6);
    ask(on_host);
    EXPECT(on_host[0] == 0);
    asks_too<<<1, 1>>>(found);
    for (int i = 0; i < 6; ++i) EXPECT(value_of(found + i) == on_host[i]);
}

__global__ void adds(short a, double b, int* sum) { atomicAdd(sum, a + int(b)); }
__global__ void by_hand(int* sum) {
    auto* const buffer = static_cast<char*>(cudaGetParameterBuffer(64, 24));
    *reinterpret_cast<short*>(buffer) = 3;
    *reinterpret_cast<double*>(buffer + 8) = 4;
    *reinterpret_cast<int**>(buffer + 16) = sum;
    sum[1] = cudaLaunchDevice(reinterpret_cast<void*>(adds), buffer, dim3(2), dim3(3), 0, nullptr);
}

// a variable that other files could see, and a kernel without parameters, which needs no buffer
__device__ int seen_by_all;
__global__ void takes_nothing() { atomicAdd(&seen_by_all, 1); }
__global__ void by_hand_without(int* error) {
    *error = cudaLaunchDevice(reinterpret_cast<void*>(takes_nothing), nullptr, dim3(2), dim3(3), 0,
                              nullptr);
}

static void without_brackets() {
    int* sum = zeros<int>(2);
    by_hand<<<1, 1>>>(sum);
    EXPECT(value_of(sum) == 42 && value_of(sum + 1) == 0);
    int found = 1;
    EXPECT(cudaMemcpyToSymbol(seen_by_all, &found, sizeof found) == cudaSuccess);
    by_hand_without<<<1, 1>>>(sum);
    EXPECT(value_of(sum) == 0);
    EXPECT(cudaMemcpyFromSymbol(&found, seen_by_all, sizeof found) == cudaSuccess && found == 7);
}

int main() {
    arguments();
    variables();
    order_of_streams();
    events();
    nodes();
    errors();
    pending();
    memory();
    questions();
    without_brackets();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
