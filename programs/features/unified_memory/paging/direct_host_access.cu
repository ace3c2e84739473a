// Does the CPU reach managed memory that lies with the GPU? Where direct access is 1,
// the loop reads GPU memory, and nothing moves; that needs an advice for the host.
// Where it is 0, the loop's first touch faults and brings the page over, and the second
// kernel takes it back. The values are the same.

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Writes a first value into each element; one block.
/// @param out  1000 values in managed memory
__global__ void write_first(int* out) { out[threadIdx.x] = 110 + threadIdx.x; }

/// Adds the same once more.
/// @param out  1000 values in managed memory
__global__ void append_second(int* out) { out[threadIdx.x] += 110 + threadIdx.x; }
// [/kernels]

int main() {
    lockstep::require_device();
    int direct = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&direct, cudaDevAttrDirectManagedMemAccessFromHost, 0));
    constexpr int n = 1000;
    int* out = nullptr;
    lockstep::check(cudaMallocManaged(&out, n * sizeof(int)));
    // [act]
    const cudaMemLocation host{cudaMemLocationTypeHost, 0};
    lockstep::check(
        cudaMemAdvise(out, n * sizeof(int), cudaMemAdviseSetAccessedBy, host));
    write_first<<<1, n>>>(out);  // the page begins in GPU memory
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    long long sum = 0;
    for (int i = 0; i < n; ++i) sum += out[i];  // direct, or a fault and a migration
    append_second<<<1, n>>>(out);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    // [/act]
    lockstep::report("direct access from host", direct);
    lockstep::report("sum after the first kernel", sum);
    bool right = sum == 110LL * n + n * (n - 1LL) / 2;
    for (int i = 0; i < n; ++i) right = right && out[i] == 2 * (110 + i);
    lockstep::report("values right", right);
    lockstep::check(cudaFree(out));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
