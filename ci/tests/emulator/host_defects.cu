// Plants one defect of the host, named by the argument; without one, the same work done right.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void set(int* x) { x[threadIdx.x] = 1; }  // line: set
__global__ void copy(int* to, const int* from) {
    to[threadIdx.x] = from[threadIdx.x];  // line: copy
}
__global__ void count(int* x) { atomicAdd(x, 1); }  // line: count
__global__ void raise(volatile int* flag, int* x) {
    x[1] = 2;
    __threadfence_system();
    *flag = 1;
}

struct pair {
    int first, second;
};

int main(int argc, char** argv) {
    const char* defect = argc > 1 ? argv[1] : "";
    const auto is = [&](const char* name) { return std::strcmp(defect, name) == 0; };
    const auto wait_unless = [&](const char* name) {
        if (!is(name)) cudaDeviceSynchronize();
    };
    int *x = nullptr, *device = nullptr, *pinned = nullptr, sum = 0;
    cudaMallocManaged(&x, 64 * sizeof(int));
    cudaMalloc(&device, 64 * sizeof(int));
    cudaMallocHost(&pinned, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i) x[i] = pinned[i] = 0;

    set<<<1, 32>>>(x);
    sum += x[40];  // no thread touches it
    wait_unless("read early");
    sum += x[3];  // line: read early

    wait_unless("");
    copy<<<1, 32>>>(device, x);
    wait_unless("written early");
    x[4] = 2;  // line: written early

    wait_unless("");
    count<<<1, 32>>>(x);
    wait_unless("counted early");
    sum += x[0];  // line: counted early

    wait_unless("");
    set<<<1, 32>>>(device);
    cudaMemcpyAsync(pinned, device, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    wait_unless("copied early");
    sum += pinned[31];  // line: copied early

    wait_unless("");
    cudaMemcpyAsync(device, pinned, 64 * sizeof(int), cudaMemcpyHostToDevice);
    wait_unless("source changed");
    pinned[5] = 3;  // line: source changed

    wait_unless("");
    cudaMemsetAsync(x, 0, 64 * sizeof(int));
    wait_unless("filled early");
    pair both;
    std::memcpy(&both, x + 8, sizeof(both));  // line: filled early
    sum += both.second;

    wait_unless("");
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    set<<<1, 32, 0, stream>>>(x);
    cudaEventRecord(event, stream);
    set<<<1, 32>>>(device);  // still pending
    is("other event") ? cudaSuccess : cudaEventSynchronize(event);
    sum += x[2];  // line: other event

    wait_unless("");
    raise<<<1, 1>>>(x + 48, x + 56);  // the program orders the two by a flag
    while (*static_cast<volatile int*>(x + 48) == 0 &&
           cudaStreamQuery(nullptr) == cudaErrorNotReady) {
    }
    sum += x[57];
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    if (is("device memory")) sum += device[1];  // line: device memory
    std::printf("%s\n", cudaGetErrorName(cudaMemset(device, sum, 4)));
    return 0;
}
