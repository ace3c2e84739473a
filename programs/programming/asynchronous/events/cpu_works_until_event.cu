// How do CPU, kernel and copy work at the same time? The CPU computes in chunks and
// asks after each one whether the first kernel is done. When it is, the copy of its
// result starts in a second stream, while the second kernel, held at a latch here, is
// still busy.

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

/// Stores a multiple of each index.
/// @param n       number of elements
/// @param x       n elements in device memory
/// @param factor  what to multiply by
__global__ void fill(int n, int* x, int factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = factor * i;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 24, 1, 1 << 26);
    const bool pageable = options.choice("memory", {"pinned", "pageable"}) == 1;
    options.finish();
    lockstep::require_device();

    std::vector<int> pageable_x(n, -1);
    int* pinned_x = nullptr;
    lockstep::check(cudaMallocHost(&pinned_x, n * sizeof(int)));
    int* x = pageable ? pageable_x.data() : pinned_x;
    for (int i = 0; i < n; ++i) x[i] = -1;
    lockstep::device_buffer<int> d_x(n);
    lockstep::device_buffer<int> d_y(n);
    cudaStream_t kernels = nullptr;
    cudaStream_t copies = nullptr;
    cudaEvent_t x_ready = nullptr;
    lockstep::check(cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking));
    lockstep::check(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
    lockstep::check(cudaEventCreate(&x_ready));
    lockstep::stream_latch latch;
    lockstep::load_kernels(fill);
    const int block = 256;
    const int grid = (n + block - 1) / block;

    // [kernels]
    fill<<<grid, block, 0, kernels>>>(n, d_x.data(), 3);
    lockstep::check(cudaEventRecord(x_ready, kernels));
    latch.hold(kernels);  // the second kernel takes as long as the host likes
    fill<<<grid, block, 0, kernels>>>(n, d_y.data(), 5);
    lockstep::check(cudaGetLastError());
    // [/kernels]

    // [loop]
    constexpr long long chunks = 1000;
    constexpr long long chunk_size = 1000;
    long long sum = 0;
    double call_us = 0;
    bool copy_enqueued = false;
    for (long long done = 0; done < chunks || !copy_enqueued;) {
        if (done < chunks) {
            for (long long i = 0; i < chunk_size; ++i) sum += done * chunk_size + i;
            ++done;
        }
        if (!copy_enqueued) {
            const cudaError_t answer = cudaEventQuery(x_ready);
            if (answer != cudaErrorNotReady) {
                lockstep::check(answer);
                const auto begin = std::chrono::steady_clock::now();
                lockstep::check(cudaMemcpyAsync(x, d_x.data(), d_x.bytes(),
                                                cudaMemcpyDeviceToHost, copies));
                const std::chrono::duration<double, std::micro> call =
                    std::chrono::steady_clock::now() - begin;
                call_us = call.count();
                copy_enqueued = true;
            }
        }
    }
    // [/loop]

    // [end]
    lockstep::check(cudaStreamSynchronize(copies));
    const bool second_still_held = latch.closed();
    latch.open();
    lockstep::check(cudaStreamSynchronize(kernels));
    // [/end]

    std::vector<int> expected_x(n);
    std::vector<int> expected_y(n);
    for (int i = 0; i < n; ++i) {
        expected_x[i] = 3 * i;
        expected_y[i] = 5 * i;
    }
    const std::vector<int> found_x(x, x + n);
    const std::size_t wrong = lockstep::count_mismatches(found_x, expected_x) +
                              lockstep::count_mismatches(d_y.to_host(), expected_y);
    lockstep::report("copy done, kernel 2 held", second_still_held);
    lockstep::report("sum computed by the CPU", sum);
    lockstep::report("wrong elements", wrong);
    lockstep::report("copy: call took", lockstep::measured{call_us}, "us");
    lockstep::check(cudaEventDestroy(x_ready));
    lockstep::check(cudaStreamDestroy(kernels));
    lockstep::check(cudaStreamDestroy(copies));
    lockstep::check(cudaFreeHost(pinned_x));
    constexpr long long numbers = chunks * chunk_size;
    const bool right = sum == numbers * (numbers - 1) / 2 && wrong == 0;
    return right && second_still_held && !latch.gave_up() ? EXIT_SUCCESS : EXIT_FAILURE;
}
