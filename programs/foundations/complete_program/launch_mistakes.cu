// What does a launch report that cannot run? The launch itself returns nothing, so a
// program that does not ask goes on as if the kernel had run. cudaGetLastError, called
// right after the launch, says what is wrong.

#include <cstdio>
#include <cstdlib>

/// Ends the program with a message unless a CUDA call succeeded.
/// @param status  what the call returned
/// @param call    what the program was doing
void check(cudaError_t status, const char* call) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s: %s\n", call, cudaGetErrorName(status),
                 cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}

/// Sets a flag: proves that the kernel ran.
/// @param ran  one int in device memory
__global__ void set_flag(int* ran) { *ran = 1; }

int main() {
    int* d_ran = nullptr;
    check(cudaMalloc(&d_ran, sizeof(int)), "allocate the flag");
    // [launches]
    const int threads[] = {1024, 1025};
    cudaError_t errors[2] = {};
    int ran[2] = {};
    for (int i = 0; i < 2; ++i) {
        check(cudaMemset(d_ran, 0, sizeof(int)), "clear the flag");
        set_flag<<<1, threads[i]>>>(d_ran);
        errors[i] = cudaGetLastError();
        check(cudaMemcpy(&ran[i], d_ran, sizeof(int), cudaMemcpyDeviceToHost),
              "copy the flag");
        std::printf("%d threads in a block: %s, kernel ran: %s\n", threads[i],
                    cudaGetErrorString(errors[i]), ran[i] ? "yes" : "no");
    }
    // [/launches]
    check(cudaFree(d_ran), "free the flag");
    const bool as_expected = errors[0] == cudaSuccess && ran[0] == 1 &&
                             errors[1] != cudaSuccess && ran[1] == 0;
    return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
