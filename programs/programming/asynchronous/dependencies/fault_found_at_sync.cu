// Which of the kernels in my stream went wrong? The launches all succeed, and the wait
// at the end says only that something failed. With CUDA_LAUNCH_BLOCKING=1 the host
// waits after each launch, so the first launch that reports the error caused it. The
// other streams of the process suffer too.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Works for a few milliseconds, then stores a number.
/// @param where  where the number goes
__global__ void step(int* where) {
    const long long start = clock64();
    while (clock64() - start < 10'000'000) {
    }
    *where = 1;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool healthy = options.choice("case", {"fault", "healthy"}) == 1;
    options.finish();
    lockstep::require_device();

    int* d_good = nullptr;
    lockstep::check(cudaMalloc(&d_good, sizeof(int)));
    // nothing is allocated at address 16
    int* bad = healthy ? d_good : reinterpret_cast<int*>(16);
    cudaStream_t stream = nullptr;
    cudaStream_t other = nullptr;
    lockstep::check(cudaStreamCreate(&stream));
    lockstep::check(cudaStreamCreate(&other));

    // [steps]
    step<<<1, 1, 0, stream>>>(d_good);
    const cudaError_t first = cudaGetLastError();
    step<<<1, 1, 0, stream>>>(bad);
    const cudaError_t second = cudaGetLastError();
    step<<<1, 1, 0, stream>>>(d_good);
    const cudaError_t third = cudaGetLastError();
    const cudaError_t wait = cudaStreamSynchronize(stream);
    const cudaError_t peek = cudaPeekAtLastError();  // looks
    const cudaError_t get = cudaGetLastError();      // looks and clears
    const cudaError_t get_again = cudaGetLastError();
    const cudaError_t wait_other = cudaStreamSynchronize(other);
    // [/steps]

    lockstep::report("launch of step 1", cudaGetErrorName(first));
    lockstep::report("launch of step 2", cudaGetErrorName(second));
    lockstep::report("launch of step 3", cudaGetErrorName(third));
    lockstep::report("wait for the stream", cudaGetErrorName(wait));
    lockstep::report("  in words", cudaGetErrorString(wait));
    lockstep::report("cudaPeekAtLastError", cudaGetErrorName(peek));
    lockstep::report("cudaGetLastError", cudaGetErrorName(get));
    lockstep::report("cudaGetLastError again", cudaGetErrorName(get_again));
    lockstep::report("wait for the idle stream", cudaGetErrorName(wait_other));
    const bool failed =
        wait == cudaErrorIllegalAddress && first == cudaSuccess && wait_other == wait;
    const bool fine =
        wait == cudaSuccess && third == cudaSuccess && wait_other == cudaSuccess;
    return (healthy ? fine : failed) && peek == get && get_again == cudaSuccess
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
