// The second kernel of a stream usually begins when the first has ended. A programmatic dependent launch lets it begin
// earlier, do what needs no results, and wait inside. How much earlier? And what if it does not wait?

#include <cstdlib>
#include <vector>

#include <lockstep/arguments.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>

__device__ unsigned long long now_ns() {
    unsigned long long ns = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

// [primary]
/// The first kernel: lets the second begin, then works on for a while, and stores its results at the end.
/// @param trigger  whether it says that the second may begin
/// @param data     one int for each block in device memory, written
/// @param end      one time in device memory, the latest block's
__global__ void primary(bool trigger, int* data, unsigned long long* end) {
    if (trigger) cudaTriggerProgrammaticLaunchCompletion();
    const unsigned long long begin = now_ns();
    while (now_ns() - begin < 300'000) {
    }
    data[blockIdx.x] = 9;
    atomicMax(end, now_ns());
}
// [/primary]

// [secondary]
/// The second kernel: notes when it begins, waits for the first, and copies its results.
/// @param wait   whether it waits
/// @param data   one int for each block in device memory
/// @param found  one int for each block in device memory, written
/// @param begin  one time in device memory, the earliest block's
__global__ void secondary(bool wait, const int* data, int* found, unsigned long long* begin) {
    atomicMin(begin, now_ns());
    // Here stands what needs no results of the first: indices, tables, other inputs.
    if (wait) cudaGridDependencySynchronize();
    found[blockIdx.x] = *static_cast<const volatile int*>(data + blockIdx.x);
}
// [/secondary]

int main(int argc, char** argv) {
    lockstep::arguments arguments(argc, argv);
    const bool careless = arguments.flag("no-wait");
    arguments.finish();
    lockstep::require_device(90);

    constexpr int blocks = 40;
    lockstep::device_buffer<int> data(blocks);
    const lockstep::device_buffer<int> found(blocks);
    lockstep::device_buffer<unsigned long long> times(2);
    cudaStream_t stream = nullptr;
    lockstep::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    bool right = true;
    const auto run = [&](const char* name, bool attribute_too, bool trigger, bool shown) {
        data.fill_bytes(0);
        times.fill_bytes(0);
        lockstep::check(cudaMemset(times.data() + 1, 0xFF, 8));
        lockstep::check(cudaDeviceSynchronize());
        // [launches]
        primary<<<blocks, 32, 0, stream>>>(trigger, data.data(), times.data());
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(32);
        config.stream = stream;
        config.attrs = &attribute;
        config.numAttrs = attribute_too ? 1 : 0;
        lockstep::check(cudaLaunchKernelEx(&config, secondary, !careless, static_cast<const int*>(data.data()),
                                           found.data(), times.data() + 1));
        // [/launches]
        lockstep::check(cudaStreamSynchronize(stream));
        const auto stamps = times.to_host();
        const std::size_t wrong = lockstep::count_mismatches(found.to_host(), std::vector<int>(blocks, 9));
        if (!shown) return;
        const double us = (static_cast<double>(stamps[1]) - static_cast<double>(stamps[0])) * 1e-3;
        char text[32];
        std::snprintf(text, sizeof text, "~%+.1f us", us);
        std::printf("%-28s%12s   %s\n", name, text, wrong == 0 ? "right" : "read too early");
        right = right && (wrong != 0) == (careless && attribute_too && trigger);
    };
    run("warm-up", false, false, false);
    std::printf("%-28s%12s   %s\n", "", "began", "results");
    run("plain", false, false, true);
    run("attribute", true, false, true);
    run("attribute and trigger", true, true, true);
    lockstep::check(cudaStreamDestroy(stream));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
