// Can a pool hold memory of the CPU? Yes, on a named NUMA node or wherever the system
// puts it. The CPU may use it from the start; a GPU needs permission.

#include <cstdlib>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 16;

/// Doubles each element.
/// @param x  n ints that the GPU may use, changed
__global__ void double_each(int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}

/// What device 0 may do with the memory of a pool.
const char* access_of_gpu(cudaMemPool_t pool) {
    cudaMemLocation gpu{};
    gpu.type = cudaMemLocationTypeDevice;
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    lockstep::check(cudaMemPoolGetAccess(&flags, pool, &gpu));
    return flags == cudaMemAccessFlagsProtReadWrite ? "read and write" : "none";
}

/// CPU and GPU share memory of a pool on the CPU's side.
/// @param place  where the pool's memory is to be
bool share(cudaMemLocation place) {
    const lockstep::owned_stream stream;
    // [pool]
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location = place;  // such as {cudaMemLocationTypeHostNuma, 0}
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    lockstep::report("  access of the GPU", access_of_gpu(pool));

    cudaMemAccessDesc permission{};
    permission.location.type = cudaMemLocationTypeDevice;
    permission.location.id = 0;
    permission.flags = cudaMemAccessFlagsProtReadWrite;
    lockstep::check(cudaMemPoolSetAccess(pool, &permission, 1));
    lockstep::report("  after SetAccess", access_of_gpu(pool));
    // [/pool]
    // [share]
    int* x = nullptr;
    lockstep::check(cudaMallocFromPoolAsync(&x, n * sizeof(int), pool, stream));
    // the CPU must wait until the stream has arrived at the allocation
    lockstep::check(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; ++i) x[i] = i;
    double_each<<<(n + 255) / 256, 256, 0, stream>>>(x);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamSynchronize(stream));
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && x[i] == 2 * i;
    lockstep::check(cudaFreeAsync(x, stream));
    // [/share]
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaMemPoolDestroy(pool));
    lockstep::report("  CPU and GPU agree", right);
    return right;
}

int main() {
    lockstep::require_device();

    int numa_pools = 0;
    lockstep::check(cudaDeviceGetAttribute(&numa_pools,
                                           cudaDevAttrHostNumaMemoryPoolsSupported, 0));
    cudaMemLocation place{};
    bool right = true;
    lockstep::report("pools on a NUMA node", numa_pools != 0);
    if (numa_pools) {
        place.type = cudaMemLocationTypeHostNuma;
        place.id = 0;  // node 0 exists on every machine
        right = share(place);
    }
    place.type = cudaMemLocationTypeHost;
    lockstep::report("pool of the host", "any node");
    return share(place) && right ? EXIT_SUCCESS : EXIT_FAILURE;
}
