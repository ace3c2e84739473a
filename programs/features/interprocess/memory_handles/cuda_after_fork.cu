// Can a process use CUDA after a fork? The parent initializes CUDA and forks. The child
// is a copy of the parent, with a copy of its pointers, and asks for memory.

#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    // [fork]
    void* x = nullptr;
    lockstep::check(cudaMalloc(&x, 1 << 20));  // initializes CUDA
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0) return EXIT_FAILURE;
    const pid_t child = fork();
    if (child < 0) return EXIT_FAILURE;
    if (child == 0) {
        alarm(10);  // ends the child if the call never returns
        void* y = nullptr;
        const cudaError_t error = cudaMalloc(&y, 1 << 20);
        const bool sent = write(ends[1], &error, sizeof error) == sizeof error;
        _exit(sent ? EXIT_SUCCESS : EXIT_FAILURE);  // without the parent's clean-up
    }
    close(ends[1]);
    // [/fork]
    cudaError_t in_child = cudaSuccess;
    const bool received = read(ends[0], &in_child, sizeof in_child) == sizeof in_child;
    waitpid(child, nullptr, 0);
    void* y = nullptr;
    const cudaError_t in_parent = cudaMalloc(&y, 1 << 20);
    lockstep::report("cudaMalloc in the child",
                     received ? cudaGetErrorName(in_child) : "no answer");
    lockstep::report("cudaMalloc in the parent", cudaGetErrorName(in_parent));
    lockstep::check(cudaFree(y));
    lockstep::check(cudaFree(x));
    const bool right = !(received && in_child == cudaSuccess);
    return right && in_parent == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
