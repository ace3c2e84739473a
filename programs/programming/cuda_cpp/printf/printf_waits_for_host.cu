// When does text that a kernel prints appear? Not when the kernel prints it: it is
// written into a buffer on the GPU, and the host prints that buffer at its next
// synchronizing call. Here the kernel has long ended when the host looks.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <lockstep/require_device.hpp>

/// Prints one line.
__global__ void speak() { printf("device: printed by the kernel\n"); }

int main() {
    lockstep::require_device();
    // [order]
    speak<<<1, 1>>>();
    lockstep::check(cudaGetLastError());
    std::printf("host:   the launch has returned\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    std::printf("host:   0.2 seconds later\n");
    std::fflush(stdout);
    lockstep::check(cudaDeviceSynchronize());  // prints what the kernel wrote
    std::printf("host:   after cudaDeviceSynchronize\n");
    // [/order]
    return EXIT_SUCCESS;
}
