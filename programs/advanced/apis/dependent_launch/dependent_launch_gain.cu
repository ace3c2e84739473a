// What does a programmatic dependent launch save in a chain of kernels? Much, where
// each kernel is short and part of it needs no results; little, where kernels are long;
// and less, where each kernel fills the GPU, so that the next one finds no room.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernel]
/// One kernel of the chain.
/// @param prologue_ns  time of the part that needs no results of the kernel before
/// @param work_ns      time of the part that does
/// @param data         one int for each block in device memory, increased by one
__global__ void step(unsigned long long prologue_ns, unsigned long long work_ns,
                     int* data) {
    lockstep::busy_wait(prologue_ns);
    cudaGridDependencySynchronize();  // the kernel before has ended
    cudaTriggerProgrammaticLaunchCompletion();  // the next may start its prologue
    lockstep::busy_wait(work_ns);
    if (threadIdx.x == 0) ++data[blockIdx.x];
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    int sms = 0;
    int shared_bytes = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaDeviceGetAttribute(&shared_bytes,
                                           cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    lockstep::check(cudaFuncSetAttribute(
        step, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));

    constexpr int kernels = 100;
    const int most_blocks = 2 * sms;
    const lockstep::owned_stream stream;
    std::size_t wrong = 0;
    // [chain]
    const auto us_per_kernel = [&](bool dependent, int blocks, std::size_t shared,
                                   unsigned long long work_ns, int* data) {
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = dependent ? 1 : 0;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(128);
        config.dynamicSmemBytes = shared;
        config.stream = stream;
        config.attrs = &early;
        config.numAttrs = 1;
        const auto chain = [&] {
            for (int i = 0; i < kernels; ++i)
                lockstep::check(
                    cudaLaunchKernelEx(&config, step, 5'000ULL, work_ns, data));
        };
        return 1e3 * lockstep::time_on_device(chain, 20, stream).median_ms / kernels;
    };
    // [/chain]
    const auto run = [&](const char* plain, const char* dependent, int blocks,
                         std::size_t shared, unsigned long long work_ns) {
        for (const bool early : {false, true}) {
            lockstep::device_buffer<int> data(std::vector<int>(most_blocks, 0));
            lockstep::check(cudaDeviceSynchronize());
            const double us =
                us_per_kernel(early, blocks, shared, work_ns, data.data());
            lockstep::report(early ? dependent : plain, lockstep::measured{us}, "us");
            std::vector<int> expected(most_blocks, 0);
            // 3 warm-up rounds and 20 timed ones
            for (int i = 0; i < blocks; ++i) expected[i] = 23 * kernels;
            wrong += lockstep::count_mismatches(data.to_host(), expected);
        }
    };
    run("short kernels, plain", "short kernels, dependent", sms / 2, 0, 5'000);
    run("long kernels, plain", "long kernels, dependent", sms / 2, 0, 200'000);
    // a block takes all shared memory of its SM, and there are two for each SM
    run("full GPU, plain", "full GPU, dependent", most_blocks, shared_bytes, 5'000);
    lockstep::report("wrong counts", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
