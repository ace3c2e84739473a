// Does a buffer that will be overwritten have to move? The CPU has written it, the GPU
// will overwrite it. A prefetch moves the old bytes across the link. If they are
// discarded first, there is nothing to move. CUPTI counts the bytes.

#include <array>
#include <chrono>
#include <cstdlib>
#include <string>

#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/page_counter.hpp>
#include <lockstep/page_counts.hpp>
#include <lockstep/require_device.hpp>

/// Writes i into element i.
/// @param n     number of elements
/// @param data  n values in managed memory
__global__ void overwrite(int n, int* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
}

/// Two buffers that one batch handles.
using buffers = std::array<void*, 2>;

/// What one way gave.
struct outcome {
    double mib_to_gpu;  ///< moved to the GPU
    long long gpu_faults;  ///< reports of faults from the GPU
    double us;  ///< time of the hint and both kernels
};

int main() {
    const CUptiResult available = lockstep::page_counter::start();
    lockstep::require_device();
    if (available != CUPTI_SUCCESS) {
        lockstep::report("counters not available", int(available));
        return EXIT_SUCCESS;
    }
    constexpr int n = 4 << 20;  // 16 MiB in each buffer
    constexpr std::size_t bytes = n * sizeof(int);
    const lockstep::owned_stream stream;  // a batch refuses the legacy default stream
    cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    std::array<std::size_t, 2> sizes = {bytes, bytes};
    std::size_t first = 0;  // location 0 serves the buffers from number 0 on

    // [ways]
    const auto prefetch = [&](buffers& both) {
        return cudaMemPrefetchBatchAsync(both.data(), sizes.data(), both.size(), &gpu,
                                         &first, 1, 0, stream);
    };
    const auto discard = [&](buffers& both) {
        return cudaMemDiscardBatchAsync(both.data(), sizes.data(), both.size(), 0,
                                        stream);
    };
    const auto discard_and_prefetch = [&](buffers& both) {
        return cudaMemDiscardAndPrefetchBatchAsync(
            both.data(), sizes.data(), both.size(), &gpu, &first, 1, 0, stream);
    };
    // [/ways]

    bool right = true;
    overwrite<<<1, 1, 0, stream>>>(0, nullptr);  // loads the kernel
    lockstep::check(cudaGetLastError());
    const auto run = [&](auto&& hint) {
        buffers both{};
        for (void*& one : both) {
            lockstep::check(cudaMallocManaged(&one, bytes));
            for (int i = 0; i < n; ++i) static_cast<int*>(one)[i] = -1;
        }
        lockstep::page_counter::read();
        // [measure]
        const auto begin = std::chrono::steady_clock::now();
        hint(both);
        for (void* one : both)
            overwrite<<<n / 256, 256, 0, stream>>>(n, static_cast<int*>(one));
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaStreamSynchronize(stream));
        const auto end = std::chrono::steady_clock::now();
        // [/measure]
        const lockstep::page_counts counts = lockstep::page_counter::read();
        for (void* one : both) {
            for (int i = 0; i < n; ++i) right = right && static_cast<int*>(one)[i] == i;
            lockstep::check(cudaFree(one));
        }
        return outcome{counts.mib_to_gpu(), counts.gpu_faults,
                       std::chrono::duration<double, std::micro>(end - begin).count()};
    };
    const auto show = [](const char* hint, const outcome& found) {
        const std::string name = hint;
        lockstep::report((name + ": to GPU").c_str(),
                         lockstep::measured{found.mib_to_gpu}, "MiB");
        lockstep::report((name + ": GPU faults").c_str(),
                         lockstep::counted{found.gpu_faults});
        lockstep::report((name + ": time").c_str(), lockstep::measured{found.us}, "us");
    };
    run([&](buffers& both) { lockstep::check(prefetch(both)); });  // warms up
    // [runs]
    const outcome none = run([](buffers&) {});
    show("no hint", none);
    show("prefetch", run([&](buffers& both) { lockstep::check(prefetch(both)); }));
    show("discard", run([&](buffers& both) { lockstep::check(discard(both)); }));
    const outcome both_hints =
        run([&](buffers& both) { lockstep::check(discard_and_prefetch(both)); });
    show("in one call", both_hints);
    // [/runs]
    lockstep::report("values right", right);
    return right && both_hints.mib_to_gpu < none.mib_to_gpu ? EXIT_SUCCESS
                                                            : EXIT_FAILURE;
}
