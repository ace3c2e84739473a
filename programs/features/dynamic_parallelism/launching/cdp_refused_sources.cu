// Which calls may device code not make? The command line defines the name of a mistake,
// and the compiler refuses it, or warns. Without a name the file compiles.

#include <cuda_runtime.h>

/// A child.
/// @param x  an int in global memory, increased
__global__ void child(int* x) { ++*x; }

// [mistakes]
/// A parent with the mistake that the command line names; one thread.
/// @param x  an int in device memory
__global__ void parent(int* x) {
#if defined DEVICE_SYNCHRONIZE
    child<<<1, 1>>>(x);
    cudaDeviceSynchronize();
#elif defined STREAM_CREATE
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    child<<<1, 1, 0, stream>>>(x);
#elif defined EVENT_QUERY
    cudaEvent_t event = nullptr;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaEventQuery(event);
#elif defined SET_DEVICE
    cudaSetDevice(0);
#elif defined LOCAL_POINTER
    int mine = *x;
    child<<<1, 1>>>(&mine);
#elif defined TAIL
    child<<<1, 1, 0, cudaStreamTailLaunch>>>(x);
#else
    child<<<1, 1>>>(x);
#endif
}
// [/mistakes]

int main() { return 0; }
