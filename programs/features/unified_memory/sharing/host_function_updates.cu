// May a host function in a stream touch managed memory? Yes, if no other stream with a
// kernel could use it. Here it changes what the kernel wrote, and then wakes a thread
// that waits for the stream's work without a call of CUDA.

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1024;

/// Writes i * i into element i.
/// @param data  n values in managed memory
__global__ void square(int* data) { data[threadIdx.x] = threadIdx.x * threadIdx.x; }

// [message]
/// What the host function works on, and how it says that it is done.
struct message {
    int* data;
    std::mutex guard;
    std::condition_variable changed;
    bool done = false;
};

/// Runs on a thread of the driver, after the kernel; calls nothing of CUDA.
/// @param argument  the message
void subtract_one(void* argument) {
    auto& to = *static_cast<message*>(argument);
    for (int i = 0; i < n; ++i) to.data[i] -= 1;
    const std::lock_guard<std::mutex> lock(to.guard);
    to.done = true;
    to.changed.notify_one();
}
// [/message]

int main() {
    lockstep::require_device();
    message sent{};
    lockstep::check(cudaMallocManaged(&sent.data, n * sizeof(int)));
    const lockstep::owned_stream stream;
    // [act]
    square<<<1, n, 0, stream>>>(sent.data);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaLaunchHostFunc(stream, subtract_one, &sent));
    std::unique_lock<std::mutex> lock(sent.guard);
    const bool woken = sent.changed.wait_for(lock, std::chrono::seconds(10),
                                             [&] { return sent.done; });
    lock.unlock();
    // [/act]
    bool right = woken;
    for (int i = 0; i < n; ++i) right = right && sent.data[i] == i * i - 1;
    lockstep::report("last element", sent.data[n - 1]);
    lockstep::report("values right", right);
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaFree(sent.data));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
