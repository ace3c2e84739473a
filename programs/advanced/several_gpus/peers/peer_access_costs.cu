// With peer access enabled, every allocation has to be mapped for the peers. How much
// longer does it take?

#include <cstdlib>

#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device(0, 2);

    // [allocate]
    const auto allocate_us = [] {
        return 1e3 * lockstep::time_on_host([] {
                         void* memory = nullptr;
                         lockstep::check(cudaMalloc(&memory, 3 << 20));
                         lockstep::check(cudaFree(memory));
                     }).median_ms;
    };
    const double alone = allocate_us();
    lockstep::check(cudaSetDevice(1));
    lockstep::check(cudaDeviceEnablePeerAccess(0, 0));  // device 1 may reach device 0
    lockstep::check(cudaSetDevice(0));
    const double shared = allocate_us();
    // [/allocate]
    lockstep::report("allocate and free, no peer", lockstep::measured{alone}, "us");
    lockstep::report("allocate and free, one peer", lockstep::measured{shared}, "us");
    return EXIT_SUCCESS;
}
