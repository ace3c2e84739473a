// Can a kernel read a file that is mapped into the process? Directly only where
// pageable memory access is 1. Elsewhere there are two detours: register the mapping,
// so that the kernel reads the file's pages across the link, or copy it. The file lives
// in memory (memfd_create), so that no file is left.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Adds up bytes.
/// @param n      number of bytes
/// @param bytes  n bytes that the GPU can read
/// @param sum    one word in device memory, 0 before
__global__ void add_bytes(int n, const unsigned char* bytes, unsigned* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, unsigned(bytes[i]));
}
// [/kernel]

// [file]
/// A file of `n` bytes, mapped into this process.
/// @param n  number of bytes
unsigned char* mapped_file(int n) {
    const int file = memfd_create("samples", 0);
    if (file < 0 || posix_fallocate(file, 0, n) != 0) return nullptr;
    void* at = mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);  // the mapping keeps the file
    return at == MAP_FAILED ? nullptr : static_cast<unsigned char*>(at);
}
// [/file]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    enum { copy, registered, direct };
    const int how = options.choice("how", {"copy", "register", "direct"});
    options.finish();
    lockstep::require_device();
    int pageable = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));

    constexpr int n = 1 << 20;
    unsigned char* bytes = mapped_file(n);
    if (!bytes) {
        std::fprintf(stderr, "cannot make a file in memory\n");
        return EXIT_FAILURE;
    }
    for (int i = 0; i < n; ++i) bytes[i] = i % 251;
    const unsigned expected = std::accumulate(bytes, bytes + n, 0u);
    lockstep::device_buffer<unsigned> d_sum(std::vector<unsigned>{0});

    // [how]
    lockstep::device_buffer<unsigned char> d_bytes(n);
    const unsigned char* for_kernel = bytes;  // direct: the host's own pointer
    if (how == copy) {
        lockstep::check(cudaMemcpy(d_bytes.data(), bytes, n, cudaMemcpyHostToDevice));
        for_kernel = d_bytes.data();
    }
    if (how == registered) {
        lockstep::check(cudaHostRegister(bytes, n, cudaHostRegisterMapped));
        void* mapped = nullptr;
        lockstep::check(cudaHostGetDevicePointer(&mapped, bytes, 0));
        for_kernel = static_cast<unsigned char*>(mapped);
    }
    add_bytes<<<n / 256, 256>>>(n, for_kernel, d_sum.data());
    // [/how]
    lockstep::check(cudaGetLastError());
    const cudaError_t ended = cudaDeviceSynchronize();
    lockstep::report("pageable memory access", pageable);
    lockstep::report("kernel ended with", cudaGetErrorName(ended));
    if (how == direct && !pageable)
        return ended == cudaErrorIllegalAddress ? EXIT_SUCCESS : EXIT_FAILURE;
    lockstep::check(ended);
    const unsigned sum = d_sum.to_host()[0];
    lockstep::report("sum of the file's bytes", sum);
    lockstep::report("the CPU's sum", expected);
    if (how == registered) lockstep::check(cudaHostUnregister(bytes));
    return sum == expected && munmap(bytes, n) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
