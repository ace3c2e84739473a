// Two host threads, neither names a stream: do they hinder each other? With the legacy
// default stream they do: all threads share it, so the second thread's kernel waits for
// the first thread's. Built with --default-stream per-thread each thread has a default
// stream of its own, and both kernels run together.

#include <cstdlib>
#include <thread>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Waits for the flag, or gives up.
/// @param flag      one int in device memory
/// @param patience  cycles of the SM's clock
/// @param saw       one int in device memory: 1 if the flag was raised in time
__global__ void wait_for_flag(int* flag, long long patience, int* saw) {
    const cuda::atomic_ref<int, cuda::thread_scope_device> shared(*flag);
    const long long start = clock64();
    while (shared.load(cuda::memory_order_relaxed) == 0 &&
           clock64() - start < patience) {
    }
    *saw = shared.load(cuda::memory_order_relaxed);
}

/// Raises the flag.
/// @param flag  one int in device memory
__global__ void raise_flag(int* flag) {
    const cuda::atomic_ref<int, cuda::thread_scope_device> shared(*flag);
    shared.store(1, cuda::memory_order_relaxed);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool one_thread = options.integer("threads", 2, 1, 2) == 1;
    options.finish();
    lockstep::require_device();
// nvcc --default-stream per-thread defines it
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    const bool per_thread = true;
#else
    const bool per_thread = false;
#endif

    lockstep::device_buffer<int> d_flag(1);
    lockstep::device_buffer<int> d_saw(1);
    d_flag.fill_bytes(0);
    d_saw.fill_bytes(0xFF);
    lockstep::check(cudaDeviceSynchronize());
    lockstep::load_kernels(wait_for_flag, raise_flag);
    constexpr long long patience = 200'000'000;  // about a tenth of a second

    // [threads]
    wait_for_flag<<<1, 1>>>(d_flag.data(), patience, d_saw.data());
    lockstep::check(cudaGetLastError());
    const auto raise = [&] {
        raise_flag<<<1, 1>>>(d_flag.data());
        lockstep::check(cudaGetLastError());
        // the default stream of the thread that calls it
        lockstep::check(cudaStreamSynchronize(nullptr));
    };
    if (one_thread)
        raise();
    else
        std::thread(raise).join();
    lockstep::check(cudaDeviceSynchronize());
    // [/threads]

    const int saw = d_saw.to_host()[0];
    lockstep::report("default stream", per_thread ? "per thread" : "legacy");
    lockstep::report("host threads", one_thread ? 1 : 2);
    lockstep::report("first kernel saw the flag", saw == 1);
    return saw == (per_thread && !one_thread ? 1 : 0) ? EXIT_SUCCESS : EXIT_FAILURE;
}
