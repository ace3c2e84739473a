// How is managed memory made? By cudaMallocManaged, by a pool whose allocation type is
// managed, or by a __managed__ variable. All three are read and written by both
// processors through one pointer.

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [variable]
__managed__ int from_variable;
// [/variable]

// [kernel]
/// Adds one to each of three values, wherever they live.
/// @param a  one int, readable and writable by the GPU
/// @param b  likewise
/// @param c  likewise
__global__ void add_one(int* a, int* b, int* c) {
    *a += 1;
    *b += 1;
    *c += 1;
}
// [/kernel]

/// Whether the driver calls an address managed.
bool is_managed(const void* address) {
    cudaPointerAttributes attributes{};
    lockstep::check(cudaPointerGetAttributes(&attributes, address));
    return attributes.type == cudaMemoryTypeManaged;
}

int main() {
    lockstep::require_device();

    // [call]
    int* from_call = nullptr;
    lockstep::check(cudaMallocManaged(&from_call, sizeof(int)));
    // [/call]

    // [pool]
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypeManaged;
    properties.location = {cudaMemLocationTypeDevice, 0};
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &properties));
    int* from_pool = nullptr;
    lockstep::check(cudaMallocFromPoolAsync(&from_pool, sizeof(int), pool, nullptr));
    lockstep::check(cudaStreamSynchronize(nullptr));
    // [/pool]

    // [share]
    *from_call = 10;  // the CPU writes
    *from_pool = 20;
    from_variable = 30;
    add_one<<<1, 1>>>(from_call, from_pool, &from_variable);  // the GPU changes
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    lockstep::report("cudaMallocManaged", *from_call);  // the CPU reads
    lockstep::report("cudaMallocFromPoolAsync", *from_pool);
    lockstep::report("__managed__", from_variable);
    // [/share]
    const bool managed =
        is_managed(from_call) && is_managed(from_pool) && is_managed(&from_variable);
    lockstep::report("all three are managed", managed);
    const bool right = *from_call == 11 && *from_pool == 21 && from_variable == 31;

    lockstep::check(cudaFree(from_call));
    lockstep::check(cudaFreeAsync(from_pool, nullptr));
    lockstep::check(cudaStreamSynchronize(nullptr));
    lockstep::check(cudaMemPoolDestroy(pool));
    return managed && right ? EXIT_SUCCESS : EXIT_FAILURE;
}
