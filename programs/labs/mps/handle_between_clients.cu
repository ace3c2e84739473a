// Each client of the Multi-Process Service has an address space of its own. Can two of
// them share memory? As any two processes can: one sends the handle of an allocation,
// the other one opens it and adds to what it finds there.

#include <cstdlib>
#include <numeric>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/mps.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/report.hpp>

constexpr int n = 1 << 19;  // 2 MiB, so nothing else lies in the same block of memory

/// Adds 1 to all elements.
/// @param x  n ints in device memory, changed in place
__global__ void add_one(int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}

/// The second client.
int open_and_add(const lockstep::partner& first) {
    int client = 0;
    lockstep::check(cudaDeviceGetAttribute(&client, cudaDevAttrMpsEnabled, 0));
    const auto handle = first.receive<cudaIpcMemHandle_t>();
    void* x = nullptr;
    lockstep::check(cudaIpcOpenMemHandle(&x, handle, cudaIpcMemLazyEnablePeerAccess));
    add_one<<<n / 256, 256>>>(static_cast<int*>(x));
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cudaIpcCloseMemHandle(x));
    first.send(client);
    return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    if (socket >= 0) return open_and_add(lockstep::partner(socket));
    lockstep::require_mps();

    lockstep::partner second(argv[0]);
    int client = 0;
    lockstep::check(cudaDeviceGetAttribute(&client, cudaDevAttrMpsEnabled, 0));
    std::vector<int> host(n), expected(n);
    std::iota(host.begin(), host.end(), 0);
    std::iota(expected.begin(), expected.end(), 1);
    void* x = nullptr;
    cudaIpcMemHandle_t handle{};
    lockstep::check(cudaMalloc(&x, n * sizeof(int)));
    lockstep::check(cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyDefault));
    lockstep::check(cudaIpcGetMemHandle(&handle, x));
    second.send(handle);
    const int other = second.receive<int>();
    lockstep::check(cudaMemcpy(host.data(), x, n * sizeof(int), cudaMemcpyDefault));
    lockstep::check(cudaFree(x));
    const std::size_t wrong = lockstep::count_mismatches(host, expected);
    lockstep::report("clients of the service", client + other);
    lockstep::report("wrong elements", wrong);
    return wrong == 0 && second.end() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
