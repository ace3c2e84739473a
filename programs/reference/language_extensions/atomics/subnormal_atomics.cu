// Does an atomic addition of floats keep subnormal numbers, those that are smaller than
// 2^-126? In shared memory it does, and in global memory it replaces them by 0,
// whatever -ftz says. Addition of doubles keeps its subnormal numbers in both.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Adds a subnormal number to 0 in both memories.
/// @param tiny       a subnormal float
/// @param tiniest    a subnormal double
/// @param in_global  a float and, 8 bytes later, a double in device memory, both 0
/// @param in_shared  the same, for what shared memory held
__global__ void add_tiny(float tiny, double tiniest, double* in_global,
                         double* in_shared) {
    __shared__ float sum;
    __shared__ double double_sum;
    sum = 0;
    double_sum = 0;
    atomicAdd(&sum, tiny);
    atomicAdd(&double_sum, tiniest);
    *reinterpret_cast<float*>(in_shared) = sum;
    in_shared[1] = double_sum;

    atomicAdd(reinterpret_cast<float*>(in_global), tiny);
    atomicAdd(in_global + 1, tiniest);
}
// [/kernel]

int main() {
    lockstep::require_device();

    constexpr float tiny = 1e-40f;
    constexpr double tiniest = 1e-310;
    lockstep::device_buffer<double> in_global(2), in_shared(2);
    in_global.fill_bytes(0);
    in_shared.fill_bytes(0);
    add_tiny<<<1, 1>>>(tiny, tiniest, in_global.data(), in_shared.data());
    lockstep::check(cudaGetLastError());
    const std::vector<double> global = in_global.to_host(),
                              shared = in_shared.to_host();
    const float global_float = *reinterpret_cast<const float*>(global.data());
    const float shared_float = *reinterpret_cast<const float*>(shared.data());

    lockstep::report("0 + 1e-40f in shared memory", shared_float);
    lockstep::report("0 + 1e-40f in global memory", global_float);
    lockstep::report("0 + 1e-310 in shared memory", shared[1]);
    lockstep::report("0 + 1e-310 in global memory", global[1]);
    return shared_float == tiny && global_float == 0 && shared[1] == tiniest &&
                   global[1] == tiniest
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
