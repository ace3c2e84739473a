// Why page-lock host memory? The GPU's copy engine reads host memory by physical
// address. Ordinary memory may be moved or swapped out, so a copy goes through a small
// pinned buffer in chunks. Page-locked memory is read directly, and several times
// faster.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t mib = options.integer<std::size_t>("mib", 256, 1, 4096);
    options.finish();
    lockstep::require_device();

    const std::size_t bytes = mib << 20;
    std::vector<char> pageable(bytes, 1);
    // [pinned]
    char* pinned = nullptr;
    lockstep::check(cudaMallocHost(&pinned, bytes));
    // [/pinned]
    for (std::size_t i = 0; i < bytes; ++i) pinned[i] = static_cast<char>(i % 127);
    lockstep::device_buffer<char> d_data(bytes);

    // [measure]
    const auto rate = [&](void* to, const void* from) {
        const auto copy = [&] {
            lockstep::check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
        };
        return lockstep::time_on_host(copy, 5).per_second(bytes) * 1e-9;
    };
    const double pageable_in = rate(d_data.data(), pageable.data());
    const double pageable_out = rate(pageable.data(), d_data.data());
    const double pinned_in = rate(d_data.data(), pinned);
    const double pinned_out = rate(pinned, d_data.data());
    // [/measure]

    lockstep::report("buffer", mib, "MiB");
    lockstep::report("pageable to device", lockstep::measured{pageable_in}, "GB/s");
    lockstep::report("device to pageable", lockstep::measured{pageable_out}, "GB/s");
    lockstep::report("pinned to device", lockstep::measured{pinned_in}, "GB/s");
    lockstep::report("device to pinned", lockstep::measured{pinned_out}, "GB/s");
    bool right = true;
    for (std::size_t i = 0; i < bytes; i += 4093)
        right = right && pinned[i] == static_cast<char>(i % 127);
    lockstep::check(cudaFreeHost(pinned));
    const bool faster =
        mib < 64 || (pinned_in > 1.5 * pageable_in && pinned_out > 1.5 * pageable_out);
    lockstep::report("pinned is faster", faster);
    return right && faster ? EXIT_SUCCESS : EXIT_FAILURE;
}
