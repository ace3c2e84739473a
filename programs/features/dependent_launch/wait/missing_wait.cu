// What does a secondary kernel read that does not wait? Whatever lies there at that
// moment. And what does it overwrite? Whatever the primary has not read yet.

#include <cstdlib>
#include <vector>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// A word that one kernel may store while another loads it.
using shared_word = cuda::atomic_ref<int, cuda::thread_scope_device>;

/// When the primary triggers.
enum class trigger { before_store, after_store, never };

// [primary]
/// The primary: works for 20 us, then copies its input to its output.
/// @param when  when it triggers
/// @param in    one int for each thread in device memory
/// @param out   likewise, written
__global__ void primary(trigger when, int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (when == trigger::before_store) cudaTriggerProgrammaticLaunchCompletion();
    lockstep::busy_wait(20'000);
    const int value = shared_word(in[i]).load(cuda::memory_order_relaxed);
    shared_word(out[i]).store(value, cuda::memory_order_relaxed);
    if (when == trigger::after_store) {
        cudaTriggerProgrammaticLaunchCompletion();
        lockstep::busy_wait(5'000);  // the secondary starts while this block is running
    }
}
// [/primary]

// [secondary]
/// The secondary: copies the primary's output, and clears the primary's input.
/// @param wait   whether it waits first
/// @param in     one int for each thread in device memory, cleared
/// @param out    the primary's output
/// @param found  one int for each thread in device memory, written
__global__ void secondary(bool wait, int* in, int* out, int* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (wait) cudaGridDependencySynchronize();
    found[i] = shared_word(out[i]).load(cuda::memory_order_relaxed);
    shared_word(in[i]).store(0, cuda::memory_order_relaxed);
}
// [/secondary]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 20, 1, 1000);
    options.finish();
    lockstep::require_device(90);

    constexpr int blocks = 64;
    constexpr int block_size = 128;
    constexpr int n = blocks * block_size;
    constexpr int stale = -1;
    const std::vector<int> inputs(n, 7);
    const std::vector<int> nothing(n, stale);
    lockstep::device_buffer<int> in(n);
    lockstep::device_buffer<int> out(n);
    lockstep::device_buffer<int> found(n);
    const lockstep::owned_stream stream;
    bool safe = true;
    const auto run = [&](const char* stale_label, const char* lost_label, bool wait,
                         trigger when) {
        long long stale_reads = 0;
        long long lost_inputs = 0;
        for (int round = -1; round < rounds; ++round) {  // the first one warms up
            lockstep::check(cudaMemcpy(in.data(), inputs.data(), in.bytes(),
                                       cudaMemcpyHostToDevice));
            lockstep::check(cudaMemcpy(out.data(), nothing.data(), out.bytes(),
                                       cudaMemcpyHostToDevice));
            found.fill_bytes(0);
            lockstep::check(cudaDeviceSynchronize());
            cudaLaunchAttribute early{};
            early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            early.val.programmaticStreamSerializationAllowed = 1;
            cudaLaunchConfig_t config{};
            config.gridDim = dim3(blocks);
            config.blockDim = dim3(block_size);
            config.stream = stream;
            config.attrs = &early;
            config.numAttrs = 1;
            primary<<<blocks, block_size, 0, stream>>>(when, in.data(), out.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaLaunchKernelEx(&config, secondary, wait, in.data(),
                                               out.data(), found.data()));
            lockstep::check(cudaStreamSynchronize(stream));
            if (round < 0) continue;
            for (const int value : found.to_host()) stale_reads += value != 7;
            for (const int value : out.to_host()) lost_inputs += value != 7;
        }
        if (wait) {  // must be 0 in every run
            lockstep::report(stale_label, stale_reads);
            lockstep::report(lost_label, lost_inputs);
            safe = safe && stale_reads == 0 && lost_inputs == 0;
        } else {
            lockstep::report(stale_label, lockstep::counted{stale_reads});
            lockstep::report(lost_label, lockstep::counted{lost_inputs});
        }
    };
    lockstep::report("elements", n * rounds);
    run("waits: stale reads", "waits: inputs lost", true, trigger::before_store);
    run("trigger first: stale", "trigger first: lost", false, trigger::before_store);
    run("trigger last: stale", "trigger last: lost", false, trigger::after_store);
    run("no trigger: stale", "no trigger: lost", false, trigger::never);
    return safe ? EXIT_SUCCESS : EXIT_FAILURE;
}
