// How long does a short kernel of one client take while another client keeps the GPU
// full? The other one has the same priority, or CUDA_MPS_CLIENT_PRIORITY says that it
// is below normal.

#include <chrono>
#include <cstdlib>

#include <lockstep/check.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/mps.hpp>
#include <lockstep/partner.hpp>

/// The other client: keeps the GPU full for a second.
int fill_gpu(const lockstep::partner& parent) {
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const auto begin = std::chrono::steady_clock::now();
    for (bool told = false;
         std::chrono::steady_clock::now() - begin < std::chrono::seconds(1);
         told = true) {
        // [full]
        // two blocks of 1,024 threads fill an SM; 20 waves of 200 us, queued four times
        for (int i = 0; i < 4; ++i) lockstep::busy<<<40 * sms, 1024>>>(200'000);
        // [/full]
        lockstep::check(cudaGetLastError());
        if (!told) parent.send(0);
        lockstep::check(cudaDeviceSynchronize());
    }
    return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    if (socket >= 0) return fill_gpu(lockstep::partner(socket));
    lockstep::require_mps();

    lockstep::load_kernels(lockstep::busy);
    // [short]
    const auto short_kernel_us = [] {
        const auto time = lockstep::time_on_host(
            [] {
                lockstep::busy<<<16, 1024>>>(20'000);  // 20 us
                lockstep::check(cudaDeviceSynchronize());
            },
            50);
        return 1e3 * time.median_ms;
    };
    // [/short]
    const double alone = short_kernel_us();
    lockstep::report("no other client", lockstep::measured{alone}, "us");
    bool right = alone >= 20;
    for (const char* priority : {"0", "1"}) {
        const lockstep::inherited below("CUDA_MPS_CLIENT_PRIORITY", priority);
        const lockstep::partner other(argv[0]);
        other.receive<int>();  // its kernels run
        const double us = short_kernel_us();
        lockstep::report(
            *priority == '0' ? "the other normal" : "the other below normal",
            lockstep::measured{us}, "us");
        right = right && us >= 20;
    }  // waits for the other's end
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
