// What does a trigger cost that comes much too early? The secondary's blocks wait on
// the SMs and keep their shared memory, so work of another stream finds no room.

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// When a kernel ran, in nanoseconds of the GPU's clock.
struct stamps {
    unsigned long long begin;  ///< of its earliest block
    unsigned long long end;  ///< of its latest
};

// [kernels]
/// The primary: 100 us of work on a few SMs.
/// @param trigger_ns  time from its begin to its trigger
/// @param when        three stamps in device memory: of this kernel and the two below
__global__ void primary(unsigned long long trigger_ns, stamps* when) {
    const unsigned long long begin = lockstep::now_ns();
    atomicMin(&when[0].begin, begin);
    while (lockstep::now_ns() - begin < trigger_ns) {
    }
    cudaTriggerProgrammaticLaunchCompletion();
    while (lockstep::now_ns() - begin < 100'000) {
    }
    atomicMax(&when[0].end, lockstep::now_ns());
}

/// The secondary: waits, with much shared memory, then works for 10 us.
/// @param when  three stamps in device memory
__global__ void secondary(stamps* when) {
    atomicMin(&when[1].begin, lockstep::now_ns());
    cudaGridDependencySynchronize();
    lockstep::busy_wait(10'000);
    atomicMax(&when[1].end, lockstep::now_ns());
}

/// Work of another stream, with shared memory that does not fit beside the secondary.
/// @param when  three stamps in device memory
__global__ void other_work(stamps* when) {
    atomicMin(&when[2].begin, lockstep::now_ns());
    lockstep::busy_wait(20'000);
    atomicMax(&when[2].end, lockstep::now_ns());
}
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    constexpr int kib = 1024;  // an SM of an H200 has 228 KiB of shared memory
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    // its SMs offer the other kernels as much shared memory as all SMs do
    lockstep::check(cudaFuncSetAttribute(primary,
                                         cudaFuncAttributePreferredSharedMemoryCarveout,
                                         cudaSharedmemCarveoutMaxShared));
    lockstep::check(cudaFuncSetAttribute(
        secondary, cudaFuncAttributeMaxDynamicSharedMemorySize, 150 * kib));
    lockstep::check(cudaFuncSetAttribute(
        other_work, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 * kib));
    lockstep::device_buffer<stamps> times(3);
    const lockstep::owned_stream stream;
    const lockstep::owned_stream other_stream;
    lockstep::csv_file timeline(csv, "row,kind,name,~start_us,~end_us");
    bool ran = true;
    const auto run = [&](const char* label, const char* row, int trigger_us) {
        const std::vector<stamps> none(3, stamps{~0ULL, 0});
        lockstep::check(cudaMemcpy(times.data(), none.data(), times.bytes(),
                                   cudaMemcpyHostToDevice));
        lockstep::check(cudaDeviceSynchronize());
        // [launches]
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(sms);
        config.blockDim = dim3(128);
        config.dynamicSmemBytes = 150 * kib;
        config.stream = stream;
        config.attrs = &early;
        config.numAttrs = 1;
        primary<<<16, 128, 0, stream>>>(trigger_us * 1000ULL, times.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaLaunchKernelEx(&config, secondary, times.data()));
        const auto launched = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - launched <
               std::chrono::microseconds(25)) {
        }  // the other work arrives a little later
        other_work<<<sms, 128, 120 * kib, other_stream>>>(times.data());
        lockstep::check(cudaGetLastError());
        // [/launches]
        lockstep::check(cudaDeviceSynchronize());
        if (!row) return;  // a warm-up
        const std::vector<stamps> when = times.to_host();
        const char* names[] = {"primary", "secondary", "other work"};
        const auto us = [&](unsigned long long at) {
            return 1e-3 * static_cast<double>(at - when[0].begin);
        };
        for (int i = 0; i < 3; ++i) {
            timeline.row("%s %d,kernel,%s,%.2f,%.2f", row, i + 1, names[i],
                         us(when[i].begin), us(when[i].end));
            ran = ran && when[i].end != 0;
        }
        lockstep::report(label, lockstep::measured{us(when[2].end)}, "us");
    };
    run("warm-up", nullptr, 0);
    run("trigger early, other ends", "early", 0);
    run("trigger late, other ends", "late", 90);
    timeline.finish();
    return ran ? EXIT_SUCCESS : EXIT_FAILURE;
}
