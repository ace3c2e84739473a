// Can another process use memory from cudaMalloc, without a copy? The first process
// makes a handle of the allocation, 64 bytes, and sends it. The second one opens the
// handle and works on the same memory: the first one then finds what it wrote.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 19;  // 2 MiB, so nothing else lies in the same block of memory
constexpr std::size_t bytes = n * sizeof(int);

/// Adds up all elements, and adds one to each.
/// @param x    n ints in device memory, changed
/// @param sum  one number in device memory, 0 before
__global__ void sum_and_raise(int* x, unsigned long long* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(sum, static_cast<unsigned long long>(x[i]));
    x[i] += 1;
}

/// Runs the kernel on memory of this or the other process.
/// @param x  n ints in device memory, changed
/// @return the sum before the change
unsigned long long work_on(int* x) {
    lockstep::device_buffer<unsigned long long> d_sum(
        std::vector<unsigned long long>{0});
    sum_and_raise<<<n / 256, 256>>>(x, d_sum.data());
    lockstep::check(cudaGetLastError());
    return d_sum.to_host()[0];  // waits for the kernel
}

// [import]
/// The second process: opens the handle that it receives.
int import_memory(const lockstep::partner& first) {
    const auto handle = first.receive<cudaIpcMemHandle_t>();
    void* x = nullptr;
    lockstep::check(cudaIpcOpenMemHandle(&x, handle, cudaIpcMemLazyEnablePeerAccess));
    const unsigned long long sum = work_on(static_cast<int*>(x));
    lockstep::check(cudaIpcCloseMemHandle(x));  // not cudaFree: it is not ours
    first.send(sum);
    return EXIT_SUCCESS;
}
// [/import]

/// The first process: owns the memory.
int export_memory(lockstep::partner second) {
    // [export]
    void* x = nullptr;
    lockstep::check(cudaMalloc(&x, bytes));
    lockstep::check(cudaMemset(x, 0, bytes));
    const unsigned long long before = work_on(static_cast<int*>(x));  // 0, then ones
    cudaIpcMemHandle_t handle{};
    lockstep::check(cudaIpcGetMemHandle(&handle, x));
    second.send(handle);
    // [/export]

    // [answer]
    const auto by_second = second.receive<unsigned long long>();
    const unsigned long long after = work_on(static_cast<int*>(x));
    lockstep::check(cudaFree(x));  // the second process has closed its handle
    // [/answer]
    const int status = second.end();
    lockstep::report("handle", sizeof handle, "bytes");
    lockstep::report("elements", n);
    lockstep::report("sum, first process", before);
    lockstep::report("sum, second process", by_second);
    lockstep::report("sum, first process again", after);
    lockstep::report("second's exit status", status);
    const bool right = before == 0 && by_second == n && after == 2ull * n;
    return right && status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char** argv) {
    // [start]
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    lockstep::require_device();
    if (socket >= 0) return import_memory(lockstep::partner(socket));
    return export_memory(lockstep::partner(argv[0]));
    // [/start]
}
