// Can two kernels run at the same time? In two streams they can: kernel A waits for a
// flag that only kernel B raises, and sees it. In one stream B must wait until A has
// ended, so A waits without end. The kernel would wait for ever; a look at the clock
// makes it give up.

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Kernel A: waits for the flag, or gives up.
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

/// Kernel B: raises the flag.
/// @param flag  one int in device memory
__global__ void raise_flag(int* flag) {
    const cuda::atomic_ref<int, cuda::thread_scope_device> shared(*flag);
    shared.store(1, cuda::memory_order_relaxed);
}
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool two = options.integer("streams", 2, 1, 2) == 2;
    const bool b_first = options.choice("first", {"a", "b"}) == 1;
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> d_flag(1);
    lockstep::device_buffer<int> d_saw(1);
    d_flag.fill_bytes(0);
    d_saw.fill_bytes(0xFF);
    // streams that do not block would not wait for the fills
    lockstep::check(cudaDeviceSynchronize());
    lockstep::load_kernels(wait_for_flag, raise_flag);
    constexpr long long patience = 200'000'000;  // about a tenth of a second

    // [streams]
    cudaStream_t stream_a = nullptr;
    cudaStream_t stream_b = nullptr;
    lockstep::check(cudaStreamCreateWithFlags(&stream_a, cudaStreamNonBlocking));
    lockstep::check(cudaStreamCreateWithFlags(&stream_b, cudaStreamNonBlocking));
    // [/streams]
    if (two && !b_first) {
        // [launch]
        wait_for_flag<<<1, 1, 0, stream_a>>>(d_flag.data(), patience, d_saw.data());
        raise_flag<<<1, 1, 0, stream_b>>>(d_flag.data());
        // [/launch]
    } else {
        const cudaStream_t stream_of_b = two ? stream_b : stream_a;
        if (b_first) raise_flag<<<1, 1, 0, stream_of_b>>>(d_flag.data());
        wait_for_flag<<<1, 1, 0, stream_a>>>(d_flag.data(), patience, d_saw.data());
        if (!b_first) raise_flag<<<1, 1, 0, stream_of_b>>>(d_flag.data());
    }
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());

    const int saw = d_saw.to_host()[0];
    lockstep::report("streams", two ? 2 : 1);
    lockstep::report("A saw the flag of B", saw == 1);
    lockstep::check(cudaStreamDestroy(stream_a));
    lockstep::check(cudaStreamDestroy(stream_b));
    return saw == (two || b_first ? 1 : 0) ? EXIT_SUCCESS : EXIT_FAILURE;
}
