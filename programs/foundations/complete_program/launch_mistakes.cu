// What does a launch report that cannot run? The launch itself returns nothing, so a
// program that does not ask goes on as if the kernel had run. cudaGetLastError, called
// right after the launch, says what is wrong.

#include <cstdio>
#include <cstdlib>

/// Sets a flag: proves that the kernel ran.
/// @param ran  one int in device memory
__global__ void set_flag(int* ran) { *ran = 1; }

int main() {
    int* d_ran = nullptr;
    const cudaError_t status = cudaMalloc(&d_ran, sizeof(int));
    if (status != cudaSuccess) {
        std::fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(status));
        return EXIT_FAILURE;
    }
    bool as_expected = true;
    // [launches]
    for (const int threads : {1024, 1025}) {
        as_expected &= cudaMemset(d_ran, 0, sizeof(int)) == cudaSuccess;
        set_flag<<<1, threads>>>(d_ran);
        const cudaError_t error = cudaGetLastError();
        int ran = 0;
        as_expected &=
            cudaMemcpy(&ran, d_ran, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess;
        std::printf("%d threads in a block: %s, kernel ran: %s\n", threads,
                    cudaGetErrorString(error), ran ? "yes" : "no");
        as_expected &= (error == cudaSuccess) == (threads <= 1024);
        as_expected &= (ran == 1) == (threads <= 1024);
    }
    // [/launches]
    as_expected &= cudaFree(d_ran) == cudaSuccess;
    return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
