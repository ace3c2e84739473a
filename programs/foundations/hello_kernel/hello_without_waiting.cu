// What if the host does not wait for the kernel? The launch returns at once, main ends,
// and the text that the kernel printed stays in a buffer that no call empties. With
// `--wait` the host waits, and the text appears.

#include <cstdio>
#include <cstring>

// [kernel]
/// Prints which thread it is.
__global__ void hello() {
    printf("hello from block %u, thread %u\n", blockIdx.x, threadIdx.x);
}
// [/kernel]

int main(int argc, char** argv) {
    const bool wait = argc == 2 && std::strcmp(argv[1], "--wait") == 0;
    if (argc > 1 && !wait) {
        std::fprintf(stderr, "%s: unknown argument; there is --wait\n", argv[1]);
        return 2;
    }
    // [launch]
    hello<<<2, 4>>>();
    const cudaError_t error = cudaGetLastError();
    // [/launch]
    if (error != cudaSuccess) {
        std::fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(error));
        return 1;
    }
    std::printf("the launch was accepted\n");
    // [end]
    if (wait) cudaDeviceSynchronize();
    // [/end]
    return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
