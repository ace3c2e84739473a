// Where is a kernel parameter, and may a thread take its address? A plain parameter
// whose address is taken is first copied to the local memory of each thread. With
// __grid_constant__ there is one parameter for the whole grid: a thread may hand its
// address to the others, and no copy is made.

#include <cstdlib>
#include <set>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// A parameter that is worth no copy: 256 bytes.
struct table {
    int values[64];
};

/// What one thread found out.
struct finding {
    const table* address;  ///< of the parameter
    int grid_constant;  ///< __isGridConstant(address)
    int local;  ///< __isLocal(address)
    int value;  ///< read through the address
};

// [kernels]
/// Each thread takes the address of its parameter.
/// @param t      the parameter
/// @param found  one entry for each thread in device memory
__global__ void plain_parameter(const table t, finding* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const table* const address = &t;
    found[i] = {address, __isGridConstant(address) != 0, __isLocal(address) != 0,
                address->values[i % 64]};
}

/// Thread 0 of each block takes the address, and all of the block read through it.
/// @param t      the parameter
/// @param found  one entry for each thread in device memory
__global__ void one_for_the_grid(const __grid_constant__ table t, finding* found) {
    __shared__ const table* address;
    if (threadIdx.x == 0) address = &t;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    found[i] = {address, __isGridConstant(address) != 0, __isLocal(address) != 0,
                address->values[i % 64]};
}
// [/kernels]

/// Launches four blocks, and reports what their threads found.
/// @param kernel         one of the two
/// @param grid_constant  whether the parameter is one for the grid
/// @return whether all is as expected
bool ask(void (*kernel)(table, finding*), bool grid_constant) {
    constexpr int threads = 64, blocks = 4;
    table t{};
    for (int i = 0; i < 64; ++i) t.values[i] = i * i;
    lockstep::device_buffer<finding> d_found(threads * blocks);
    d_found.fill_bytes(0xFF);
    kernel<<<blocks, threads>>>(t, d_found.data());
    lockstep::check(cudaGetLastError());

    bool right = true;
    std::set<const table*> addresses;
    const std::vector<finding> found = d_found.to_host();
    for (int i = 0; i < threads * blocks; ++i) {
        right = right && found[i].value == t.values[i % 64] &&
                (found[i].grid_constant == 1) == grid_constant &&
                (found[i].local == 1) != grid_constant;
        addresses.insert(found[i].address);
    }
    lockstep::report("in local memory", found[0].local == 1);
    lockstep::report("grid constant", found[0].grid_constant == 1);
    if (grid_constant) lockstep::report("addresses in the grid", addresses.size());
    return right && (!grid_constant || addresses.size() == 1);
}

int main() {
    lockstep::require_device();
    lockstep::report("parameter", "plain");
    const bool plain = ask(plain_parameter, false);
    lockstep::report("parameter", "__grid_constant__");
    const bool one = ask(one_for_the_grid, true);
    return plain && one ? EXIT_SUCCESS : EXIT_FAILURE;
}
