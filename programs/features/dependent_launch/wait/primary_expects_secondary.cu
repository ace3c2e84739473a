// May a primary kernel wait for a sign of its secondary? No: the early start is
// allowed, not promised. Without a trigger, or without room on the GPU, the sign never
// comes. The kernel here gives up after a millisecond; one without such a limit would
// never end.

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// A word that both kernels use while they run.
using shared_word = cuda::atomic_ref<int, cuda::thread_scope_device>;

// [kernels]
/// The primary: waits for the secondary's sign, for a millisecond at most.
/// @param trigger  whether it triggers first
/// @param sign     an int in device memory
/// @param met      an int in device memory: how many blocks saw the sign
__global__ void primary(bool trigger, int* sign, int* met) {
    if (trigger) cudaTriggerProgrammaticLaunchCompletion();
    if (threadIdx.x != 0) return;
    const unsigned long long begin = lockstep::now_ns();
    while (lockstep::now_ns() - begin < 1'000'000)
        if (shared_word(*sign).load(cuda::memory_order_relaxed) == 1) {
            atomicAdd(met, 1);
            return;
        }
}

/// The secondary: gives the sign.
/// @param sign  an int in device memory
__global__ void secondary(int* sign) {
    shared_word(*sign).store(1, cuda::memory_order_relaxed);
    cudaGridDependencySynchronize();
}
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 20, 1, 1000);
    options.finish();
    lockstep::require_device(90);

    int sms = 0;
    int shared_bytes = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaDeviceGetAttribute(&shared_bytes,
                                           cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    for (const void* kernel : {reinterpret_cast<const void*>(primary),
                               reinterpret_cast<const void*>(secondary)})
        lockstep::check(cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    lockstep::device_buffer<int> sign(1);
    lockstep::device_buffer<int> met(1);
    const lockstep::owned_stream stream;
    const auto rounds_met = [&](bool trigger, int blocks, int shared) {
        long long all_met = 0;
        for (int round = 0; round < rounds; ++round) {
            sign.fill_bytes(0);
            met.fill_bytes(0);
            lockstep::check(cudaDeviceSynchronize());
            cudaLaunchAttribute early{};
            early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            early.val.programmaticStreamSerializationAllowed = 1;
            cudaLaunchConfig_t config{};
            config.gridDim = dim3(1);
            config.blockDim = dim3(32);
            config.dynamicSmemBytes = shared;
            config.stream = stream;
            config.attrs = &early;
            config.numAttrs = 1;
            primary<<<blocks, 32, shared, stream>>>(trigger, sign.data(), met.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaLaunchKernelEx(&config, secondary, sign.data()));
            lockstep::check(cudaStreamSynchronize(stream));
            all_met += met.to_host()[0] == blocks;
        }
        return all_met;
    };
    // [cases]
    lockstep::report("rounds", rounds);
    lockstep::report("met: trigger and room",
                     lockstep::counted{rounds_met(true, 16, 0)});
    const long long without_trigger = rounds_met(false, 16, 0);
    const long long without_room = rounds_met(true, sms, shared_bytes);
    lockstep::report("met: no trigger", without_trigger);
    lockstep::report("met: trigger, no room", without_room);
    // [/cases]
    return without_trigger == 0 && without_room == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
