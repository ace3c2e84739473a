// How long does __nanosleep sleep? The argument is a hint: by the documentation, the
// thread sleeps between 0 and twice that time, and at most about a millisecond. The
// program measures each duration 100 times with the GPU's clock.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int samples = 100;

// [kernel]
/// One thread sleeps again and again.
/// @param ns     what it asks for, in nanoseconds
/// @param slept  `samples` durations in nanoseconds, device memory
__global__ void sleep(unsigned ns, unsigned long long* slept) {
    for (int i = 0; i < samples; ++i) {
        const unsigned long long begin = lockstep::now_ns();
        __nanosleep(ns);
        slept[i] = lockstep::now_ns() - begin;
    }
}
// [/kernel]

int main() {
    lockstep::require_device(70);

    lockstep::device_buffer<unsigned long long> d_slept(samples);
    bool bounded = true;
    for (const unsigned ns : {100u, 1'000u, 10'000u, 100'000u, 1'000'000u}) {
        sleep<<<1, 1>>>(ns, d_slept.data());
        lockstep::check(cudaGetLastError());
        std::vector<unsigned long long> slept = d_slept.to_host();
        std::sort(slept.begin(), slept.end());
        const std::string label = "asked for " + std::to_string(ns) + " ns";
        lockstep::report(label.c_str(),
                         lockstep::measured{static_cast<double>(slept[samples / 2])},
                         "ns slept, median");
        bounded = bounded && slept[samples / 2] < 4'000'000;
    }
    return bounded ? EXIT_SUCCESS : EXIT_FAILURE;
}
