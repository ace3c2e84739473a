// Eight streams get two kernels each. The host issues them stream after stream (depth
// first) or round after round (breadth first). With enough connections to the device
// the order does not matter. With one, all streams share a queue, and a kernel that
// must wait delays the kernels queued after it.

#include <cstdlib>
#include <vector>

#include <lockstep/device_clock.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    constexpr int streams = 8;
    std::vector<cudaStream_t> stream(streams);
    for (cudaStream_t& one : stream)
        lockstep::check(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    constexpr unsigned long long ns = 500'000;
    const auto wait = [&] {
        for (const cudaStream_t one : stream)
            lockstep::check(cudaStreamSynchronize(one));
    };
    // [orders]
    const auto one_after_the_other = [&] {
        for (const cudaStream_t one : stream)
            for (int step = 0; step < 2; ++step) lockstep::busy<<<1, 32, 0, one>>>(ns);
        lockstep::check(cudaGetLastError());
        wait();
    };
    const auto around = [&] {
        for (int step = 0; step < 2; ++step)
            for (const cudaStream_t one : stream) lockstep::busy<<<1, 32, 0, one>>>(ns);
        lockstep::check(cudaGetLastError());
        wait();
    };
    // [/orders]
    const double deep = lockstep::time_on_host(one_after_the_other).median_ms;
    const double broad = lockstep::time_on_host(around).median_ms;
    lockstep::report("depth first", lockstep::measured{deep}, "ms");
    lockstep::report("breadth first", lockstep::measured{broad}, "ms");
    lockstep::report("16 in a row, computed", 16 * 0.5, "ms");
    for (const cudaStream_t one : stream) lockstep::check(cudaStreamDestroy(one));
    return deep < 9 && broad < 9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
