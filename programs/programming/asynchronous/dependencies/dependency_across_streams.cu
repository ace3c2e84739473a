// What makes a stream wait for another? Only an event that the program records and lets
// it wait for. Without one, a consumer in a second stream reads what a producer in the
// first has not written yet. With an event recorded after the producer, and
// cudaStreamWaitEvent before the consumer, it reads the right value, and the host never
// stops.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

// [kernels]
/// The producer: stores a number in each element.
/// @param n      number of elements
/// @param x      n elements in device memory
/// @param value  the number
__global__ void produce(int n, int* x, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = value;
}

/// The consumer: copies each element.
/// @param n  number of elements
/// @param x  n elements in device memory
/// @param y  n elements in device memory
__global__ void consume(int n, const int* x, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 100'000, 1, 1 << 26);
    const int record = options.choice("record", {"after", "before", "never"});
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(n);
    lockstep::device_buffer<int> d_y(n);
    d_x.fill_bytes(0);
    d_y.fill_bytes(0xFF);
    lockstep::check(cudaDeviceSynchronize());
    cudaStream_t first = nullptr;
    cudaStream_t second = nullptr;
    cudaEvent_t produced = nullptr;
    lockstep::check(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    lockstep::check(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    lockstep::check(cudaEventCreateWithFlags(&produced, cudaEventDisableTiming));
    lockstep::stream_latch latch;
    lockstep::load_kernels(produce, consume);
    const int block = 256;
    const int grid = (n + block - 1) / block;

    const bool waits = record == 0;
    if (waits) {
        // [streams]
        latch.hold(first);  // the producer is late
        produce<<<grid, block, 0, first>>>(n, d_x.data(), 42);
        lockstep::check(cudaEventRecord(produced, first));

        lockstep::check(cudaStreamWaitEvent(second, produced, 0));
        consume<<<grid, block, 0, second>>>(n, d_x.data(), d_y.data());
        // [/streams]
    } else {
        if (record == 1) lockstep::check(cudaEventRecord(produced, first));  // early
        latch.hold(first);
        produce<<<grid, block, 0, first>>>(n, d_x.data(), 42);
        if (record == 1) lockstep::check(cudaStreamWaitEvent(second, produced, 0));
        consume<<<grid, block, 0, second>>>(n, d_x.data(), d_y.data());
    }
    lockstep::check(cudaGetLastError());

    // [look]
    // the consumer does not wait, so the host can
    if (!waits) lockstep::check(cudaStreamSynchronize(second));
    const cudaError_t consumer = cudaStreamQuery(second);
    latch.open();
    lockstep::check(cudaDeviceSynchronize());
    // [/look]

    const std::vector<int> y = d_y.to_host();
    lockstep::report("second stream, latch closed", cudaGetErrorName(consumer));
    lockstep::report("the consumer read", y[0]);
    lockstep::check(cudaEventDestroy(produced));
    lockstep::check(cudaStreamDestroy(first));
    lockstep::check(cudaStreamDestroy(second));
    const std::size_t unexpected =
        lockstep::count_mismatches(y, std::vector<int>(n, waits ? 42 : 0));
    const bool right =
        consumer == (waits ? cudaErrorNotReady : cudaSuccess) && unexpected == 0;
    return right && !latch.gave_up() ? EXIT_SUCCESS : EXIT_FAILURE;
}
