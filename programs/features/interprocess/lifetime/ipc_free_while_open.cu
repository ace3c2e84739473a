// The first process frees memory that the second one still has open. What does the
// second one read, and when does the memory become free? That is undefined behavior:
// the program only prints what came of it in this run.

#include <cmath>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_memory.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t mib = 1 << 20;
constexpr std::size_t bytes = 256 * mib;
constexpr int n = bytes / sizeof(int);

/// What the second process finds in the memory.
struct finding {
    cudaError_t error;  ///< of the kernel that reads
    int old_values;     ///< elements that are 1, as before the free
    int new_values;     ///< elements that are 2, from the allocation after it
};

/// Sets all elements.
/// @param x      n ints in device memory, written
/// @param value  the number that all become
__global__ void fill(int* x, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = value;
}

/// Counts ones and twos.
/// @param x       n ints in device memory
/// @param counts  two ints in device memory, added to
__global__ void count(const int* x, int* counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (x[i] == 1 || x[i] == 2)) atomicAdd(&counts[x[i] - 1], 1);
}

/// Free memory of the device, in MiB.
double free_mib() { return double(lockstep::free_memory()) / mib; }

/// The second process: looks twice at memory that is gone, and closes it.
int look(const lockstep::partner& first) {
    const auto handle = first.receive<cudaIpcMemHandle_t>();
    lockstep::device_buffer<int> d_counts(2);
    void* x = nullptr;
    lockstep::check(cudaIpcOpenMemHandle(&x, handle, cudaIpcMemLazyEnablePeerAccess));
    const auto look_now = [&] {
        int counts[2] = {};
        cudaError_t error = cudaMemset(d_counts.data(), 0, sizeof counts);
        if (error == cudaSuccess) {
            count<<<n / 256, 256>>>(static_cast<const int*>(x), d_counts.data());
            error = cudaGetLastError();
        }
        if (error == cudaSuccess)
            error = cudaMemcpy(counts, d_counts.data(), sizeof counts,
                               cudaMemcpyDeviceToHost);
        return finding{error, counts[0], counts[1]};
    };
    first.send(look_now());
    for (int i = 0; i < 2; ++i) {
        first.receive<int>();
        first.send(look_now());
    }
    first.receive<int>();
    first.send(cudaIpcCloseMemHandle(x));
    first.receive<int>();
    return EXIT_SUCCESS;
}

/// The first process: frees too early.
int free_too_early(lockstep::partner second) {
    const auto allocate = [](int value) {
        int* x = nullptr;
        lockstep::check(cudaMalloc(&x, bytes));
        fill<<<n / 256, 256>>>(x, value);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
        return x;
    };
    const auto ask = [&] {
        second.send(0);
        return second.receive<finding>();
    };
    // [free]
    int* x = allocate(1);
    cudaIpcMemHandle_t handle{};
    lockstep::check(cudaIpcGetMemHandle(&handle, x));
    second.send(handle);
    const auto before = second.receive<finding>();
    const double at_first = free_mib();
    const cudaError_t freed = cudaFree(x);  // the second process has it open
    const double after_free = free_mib();
    const finding after = ask();
    int* y = allocate(2);
    const finding after_new = ask();
    const double before_close = free_mib();
    second.send(0);
    const auto closed = second.receive<cudaError_t>();
    const double after_close = free_mib();
    // [/free]
    const bool same_address = x == y;
    second.send(0);
    second.end();
    lockstep::check(cudaFree(y));

    const auto print = [](const char* old, const char* other, const finding& found) {
        if (found.error != cudaSuccess)
            return lockstep::report(old, cudaGetErrorName(found.error));
        lockstep::report(old, lockstep::counted{found.old_values});
        lockstep::report(other, lockstep::counted{found.new_values});
    };
    lockstep::report("elements", n);
    lockstep::report("before the free: ones", before.old_values);
    lockstep::report("cudaFree", cudaGetErrorName(freed));
    lockstep::report("freed by cudaFree, MiB",
                     lockstep::counted{std::llround(after_free - at_first)});
    print("after the free: ones", "after the free: twos", after);
    lockstep::report("new memory, same address", same_address);
    print("after the new memory: ones", "after the new memory: twos", after_new);
    lockstep::report("close", cudaGetErrorName(closed));
    lockstep::report("freed by the close, MiB",
                     lockstep::counted{std::llround(after_close - before_close)});
    return before.old_values == n ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    lockstep::require_device();
    if (socket >= 0) return look(lockstep::partner(socket));
    return free_too_early(lockstep::partner(argv[0]));
}
