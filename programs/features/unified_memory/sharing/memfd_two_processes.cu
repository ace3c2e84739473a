// How can two processes and the GPU share memory, if managed memory cannot be exported?
// Through a file in memory: both processes map it, and each registers its mapping with
// CUDA, since kernels cannot follow system pointers here. Parent and child take
// turns: each lets a kernel add up and change the same numbers.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 4096;
constexpr std::size_t bytes = n * sizeof(int);

// [kernel]
/// Adds up the numbers, and adds one to each.
/// @param numbers  n ints that the GPU can reach
/// @param sum      one int in device memory, 0 before
__global__ void sum_and_raise(int* numbers, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(sum, numbers[i]);
    numbers[i] += 1;
}
// [/kernel]

/// Maps a file, and lets the kernel work on it.
/// @param file  its descriptor, open for reading and writing
/// @return the sum that the kernel found
int work_on(int file) {
    // [map]
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) return -1;
    lockstep::check(cudaHostRegister(at, bytes, cudaHostRegisterMapped));
    void* for_gpu = nullptr;
    lockstep::check(cudaHostGetDevicePointer(&for_gpu, at, 0));
    lockstep::device_buffer<int> d_sum(std::vector<int>{0});
    sum_and_raise<<<n / 256, 256>>>(static_cast<int*>(for_gpu), d_sum.data());
    lockstep::check(cudaGetLastError());
    const int sum = d_sum.to_host()[0];
    lockstep::check(cudaHostUnregister(at));
    munmap(at, bytes);
    // [/map]
    return sum;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* path = options.text("join");
    options.finish();
    lockstep::require_device();
    if (path) {  // the child
        const int file = open(path, O_RDWR);
        std::printf("%d", file < 0 ? -1 : work_on(file));
        return EXIT_SUCCESS;
    }
    // [parent]
    const int file = memfd_create("shared numbers", 0);
    if (file < 0 || ftruncate(file, bytes) != 0) return EXIT_FAILURE;
    const std::string name =
        "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file);
    const int first = work_on(file);  // zeros, then ones
    const std::string by_child = lockstep::output_of(argv[0], "--join " + name);
    const int third = work_on(file);
    // [/parent]
    lockstep::report("parent's sum", first);
    lockstep::report("child's sum", by_child.c_str());
    lockstep::report("parent's sum after that", third);
    close(file);
    const bool right = first == 0 && by_child == std::to_string(n) && third == 2 * n;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
