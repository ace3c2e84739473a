// Device 0 is current, and the stream belongs to device 1. What is allowed, and where
// does it run?

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

__device__ int mark = 0;  // one on each device

/// Sets the mark of the device that runs it.
__global__ void set_mark() { mark = 1; }

int main() {
    lockstep::require_device(0, 2);

    int* memory[2] = {};
    cudaEvent_t event[2] = {};
    cudaStream_t stream[2] = {};
    for (const int device : {0, 1}) {
        lockstep::check(cudaSetDevice(device));
        lockstep::check(cudaMalloc(&memory[device], 1024));
        // a copy may read only what was written
        lockstep::check(cudaMemset(memory[device], 0, 1024));
        lockstep::check(cudaEventCreate(&event[device]));
        lockstep::check(
            cudaStreamCreateWithFlags(&stream[device], cudaStreamNonBlocking));
        lockstep::check(cudaEventRecord(event[device], stream[device]));
        lockstep::check(cudaDeviceSynchronize());
    }
    lockstep::check(cudaSetDevice(0));

    // [rules]
    set_mark<<<1, 1, 0, stream[1]>>>();
    const cudaError_t launch = cudaGetLastError();
    const cudaError_t copy =
        cudaMemcpyAsync(memory[1], memory[0], 1024, cudaMemcpyDefault, stream[1]);
    const cudaError_t record = cudaEventRecord(event[0], stream[1]);
    float ms = 0;
    const cudaError_t elapsed = cudaEventElapsedTime(&ms, event[0], event[1]);
    const cudaError_t wait = cudaStreamWaitEvent(stream[0], event[1], 0);
    const cudaError_t query = cudaEventQuery(event[1]);
    const cudaError_t synchronize = cudaStreamSynchronize(stream[1]);
    // [/rules]
    cudaGetLastError();  // the refusals are looked at below
    int marks[2] = {};
    for (const int device : {0, 1}) {
        lockstep::check(cudaSetDevice(device));
        lockstep::check(cudaDeviceSynchronize());
        lockstep::check(cudaMemcpyFromSymbol(&marks[device], mark, sizeof mark));
    }
    lockstep::report("launch", cudaGetErrorName(launch));
    lockstep::report("it ran on device 0", marks[0] == 1);
    lockstep::report("it ran on device 1", marks[1] == 1);
    lockstep::report("copy", cudaGetErrorName(copy));
    lockstep::report("record event of 0", cudaGetErrorName(record));
    lockstep::report("time between 0 and 1", cudaGetErrorName(elapsed));
    lockstep::report("stream of 0 waits for 1", cudaGetErrorName(wait));
    lockstep::report("query event of 1", cudaGetErrorName(query));
    lockstep::report("synchronize stream of 1", cudaGetErrorName(synchronize));
    for (const int device : {0, 1}) {
        lockstep::check(cudaEventDestroy(event[device]));
        lockstep::check(cudaStreamDestroy(stream[device]));
        lockstep::check(cudaFree(memory[device]));
    }
    const bool allowed =
        copy == cudaSuccess && wait == cudaSuccess && query == cudaSuccess;
    return allowed && record != cudaSuccess && elapsed != cudaSuccess &&
                   marks[0] + marks[1] == 1
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
