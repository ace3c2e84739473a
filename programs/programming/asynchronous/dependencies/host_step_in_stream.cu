// Can the CPU take a step in the middle of a stream? cudaLaunchHostFunc enqueues a
// function of the host like a kernel: it runs when everything before it is done, and
// what follows waits for it. A second one at the end tells the waiting main thread,
// which makes no CUDA call to wait.

#include <cstdlib>
#include <future>
#include <thread>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Multiplies a number.
/// @param value   one int in pinned host memory
/// @param factor  what to multiply by
__global__ void multiply(int* value, int factor) { *value *= factor; }

// [host-functions]
/// Adds one to a number.
/// @param data  one int
void add_one(void* data) { *static_cast<int*>(data) += 1; }

/// What the last function of the stream tells the main thread: the id of the thread
/// that ran it.
using done_signal = std::promise<std::thread::id>;

/// Says that everything before it is done.
/// @param data  a done_signal
void say_done(void* data) {
    static_cast<done_signal*>(data)->set_value(std::this_thread::get_id());
}
// [/host-functions]

int main() {
    lockstep::require_device();

    int* value = nullptr;
    lockstep::check(cudaMallocHost(&value, sizeof(int)));
    *value = 5;
    cudaStream_t stream = nullptr;
    lockstep::check(cudaStreamCreate(&stream));

    // [stream]
    done_signal done;
    multiply<<<1, 1, 0, stream>>>(value, 2);
    lockstep::check(cudaLaunchHostFunc(stream, add_one, value));
    multiply<<<1, 1, 0, stream>>>(value, 3);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaLaunchHostFunc(stream, say_done, &done));

    const std::thread::id who = done.get_future().get();  // waits without CUDA
    const int result = *value;
    // [/stream]

    lockstep::report("result", result);
    lockstep::report("ran on another thread", who != std::this_thread::get_id());
    lockstep::check(cudaStreamDestroy(stream));
    lockstep::check(cudaFreeHost(value));
    const bool right = result == (5 * 2 + 1) * 3;
    return right && who != std::this_thread::get_id() ? EXIT_SUCCESS : EXIT_FAILURE;
}
