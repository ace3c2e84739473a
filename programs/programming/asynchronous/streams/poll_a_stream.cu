// How does a host thread wait without standing still? It asks cudaStreamQuery, which
// answers at once: cudaErrorNotReady while there is work in the stream, cudaSuccess
// when there is none, and anything else is a real error. Between two questions the host
// computes.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

/// Stores a number.
/// @param where  one int in pinned host memory
/// @param value  the number
__global__ void store(int* where, int value) { *where = value; }

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const long long chunks = options.integer<long long>("chunks", 1000, 1, 100'000);
    options.finish();
    lockstep::require_device();

    int* result = nullptr;
    lockstep::check(cudaMallocHost(&result, sizeof(int)));
    *result = -1;
    cudaStream_t stream = nullptr;
    lockstep::check(cudaStreamCreate(&stream));
    lockstep::stream_latch latch;
    latch.hold(stream);
    store<<<1, 1, 0, stream>>>(result, 42);
    lockstep::check(cudaGetLastError());

    // [poll]
    const cudaError_t first_answer = cudaStreamQuery(stream);
    long long done = 0;
    long long sum = 0;
    cudaError_t answer = first_answer;
    while (answer == cudaErrorNotReady) {
        sum += ++done;  // a chunk of the host's own work
        if (done == chunks) latch.open();  // the GPU may go on now
        answer = cudaStreamQuery(stream);
    }
    lockstep::check(answer);  // what is neither "not ready" nor success is an error
    // [/poll]
    const cudaError_t last_error = cudaGetLastError();

    lockstep::report("first answer", cudaGetErrorName(first_answer));
    lockstep::report("last answer", cudaGetErrorName(answer));
    lockstep::report("all chunks done meanwhile", done >= chunks);
    lockstep::report("last error", cudaGetErrorName(last_error));
    lockstep::report("result", *result);
    const bool right = first_answer == cudaErrorNotReady && done >= chunks &&
                       sum == done * (done + 1) / 2 && last_error == cudaSuccess &&
                       *result == 42 && !latch.gave_up();
    lockstep::check(cudaStreamDestroy(stream));
    lockstep::check(cudaFreeHost(result));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
