// Each GPU has a default stream of its own. Work in both takes as long as work in one:
// nothing orders them.

#include <cstdlib>

#include <lockstep/device_clock.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device(0, 2);

    // [both]
    const auto run = [](int devices) {
        return lockstep::time_on_host([&] {
                   for (int device = 0; device < devices; ++device) {
                       lockstep::check(cudaSetDevice(device));
                       lockstep::busy<<<1, 1>>>(3'000'000);
                       lockstep::check(cudaGetLastError());
                   }
                   for (int device = 0; device < devices; ++device) {
                       lockstep::check(cudaSetDevice(device));
                       lockstep::check(cudaDeviceSynchronize());
                   }
               })
            .median_ms;
    };
    // [/both]
    const double one = run(1);
    const double two = run(2);
    lockstep::report("3 ms on one GPU", lockstep::measured{one}, "ms");
    lockstep::report("3 ms on each of two", lockstep::measured{two}, "ms");
    return two < 1.7 * one ? EXIT_SUCCESS : EXIT_FAILURE;
}
