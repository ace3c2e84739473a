// Do kernels in two green contexts always run at the same time? No. If their streams
// share a work queue, the second waits for the first, although its SMs are idle. The
// number of queues is a variable of the environment, CUDA_DEVICE_MAX_CONNECTIONS.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/green_context.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Occupies its SM for a while and notes when it ended.
/// @param ns   how long, in nanoseconds
/// @param end  one time in device memory, written
__global__ void task(unsigned long long ns, unsigned long long* end) {
    lockstep::busy_wait(ns);
    *end = lockstep::now_ns();
}

int main() {
    lockstep::require_device();
    CUdevResource all = lockstep::all_sms();
    CUdevResource groups[2]{};
    unsigned count = 2;
    lockstep::check(cuDevSmResourceSplitByCount(groups, &count, &all, nullptr, 0, 16));
    const lockstep::green_context one(&groups[0]);
    const lockstep::green_context other(&groups[1]);
    lockstep::device_buffer<unsigned long long> ends(3);

    bool other_first = false;
    for (int round = 0; round < 2; ++round) {  // the first loads the kernel
        // [launches]
        task<<<1, 1, 0, one.stream()>>>(1'000'000, ends.data());
        task<<<1, 1, 0, one.stream()>>>(1'000'000, ends.data() + 1);
        task<<<1, 1, 0, other.stream()>>>(1'000, ends.data() + 2);
        // [/launches]
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
        const auto end = ends.to_host();
        other_first = end[2] < end[0];
    }
    const char* queues = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    lockstep::report("maximum of work queues", queues ? queues : "the default");
    lockstep::report("other context ran at once", other_first);
    return EXIT_SUCCESS;
}
