// How does a grid in one device stream wait for a grid in another? By an event, as on
// the host. What the events and streams of device code refuse comes after it.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int questions = 5;

/// Sets a number after 50 us; one thread.
/// @param x  an int in device memory, written
__global__ void slow_set(int* x) {
    lockstep::busy_wait(50'000);
    *x = 21;
}

/// Doubles a number; one thread.
/// @param x  an int in device memory
/// @param y  an int in device memory, written
__global__ void twice(const int* x, int* y) { *y = 2 * *x; }

// [join]
/// Launches into two streams, the second after the first; one thread.
/// @param x  two ints in device memory, written by the children
/// @return the last error
__device__ cudaError_t join(int* x) {
    cudaStream_t left = nullptr, right = nullptr;
    cudaEvent_t done = nullptr;
    cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    slow_set<<<1, 1, 0, left>>>(x);
    cudaEventRecord(done, left);
    cudaStreamWaitEvent(right, done, 0);
    twice<<<1, 1, 0, right>>>(x, x + 1);
    const cudaError_t error = cudaGetLastError();
    cudaEventDestroy(done);
    cudaStreamDestroy(left);
    cudaStreamDestroy(right);
    return error;
}
// [/join]

// [ask]
/// Joins two streams, and tries what may be refused; one thread.
/// @param x       two ints in device memory, written by the children
/// @param errors  one for each question in device memory, written
__global__ void parent(int* x, int* errors) {
    errors[0] = join(x);
    cudaEvent_t event = nullptr, timed = nullptr;
    errors[1] = cudaEventCreateWithFlags(&timed, cudaEventDefault);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    errors[2] = cudaEventRecord(event, cudaStreamTailLaunch);
    errors[3] = cudaEventRecord(event, cudaStreamFireAndForget);
    cudaEventRecord(event, nullptr);
    errors[4] = cudaStreamWaitEvent(cudaStreamTailLaunch, event, 0);
    cudaEventDestroy(event);
    cudaGetLastError();  // clears what the mistakes left
}
// [/ask]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(2), d_errors(questions);
    d_x.fill_bytes(0xFF);
    d_errors.fill_bytes(0xFF);
    parent<<<1, 1>>>(d_x.data(), d_errors.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> errors = d_errors.to_host(), x = d_x.to_host();

    const char* labels[questions] = {
        "two streams joined", "event that takes the time", "record in the tail stream",
        "record, fire and forget", "tail stream waits for event"};
    for (int i = 0; i < questions; ++i)
        lockstep::report(labels[i],
                         cudaGetErrorName(static_cast<cudaError_t>(errors[i])));
    lockstep::report("read after the event", x[1]);
    const bool right = errors[0] == cudaSuccess && x[0] == 21 && x[1] == 42 &&
                       errors[1] != cudaSuccess && errors[2] != cudaSuccess &&
                       errors[3] != cudaSuccess;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
