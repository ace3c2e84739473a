// Branch A makes numbers, hands them to a library, and goes on with what that returns.
// Branch B has nothing to do with them and should run meanwhile. It does not: the
// library has no parameter for a stream. Let B run, and keep the three steps of A in
// order. The library stays as it is, and the host must not wait.

#include <chrono>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

constexpr int n = 1000;

/// Waits, then replaces each number by a multiple plus another number. One block.
/// @param ns      how long to wait, in nanoseconds
/// @param x       n ints in device memory
/// @param factor  of the multiple
/// @param plus    the other number
__global__ void change(unsigned ns, int* x, int factor, int plus) {
    if (threadIdx.x == 0) lockstep::busy_wait(ns);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = factor * x[i] + plus;
}

/// The library's function: it launches into the default stream.
void library_doubles(int* x) {
    change<<<1, 256>>>(100'000, x, 2, 0);
    lockstep::check(cudaGetLastError());
}

/// What both branches use.
struct job {
    int *x, *y;  // device memory of A and of B
    cudaStream_t a, b;
    cudaEvent_t made, doubled;  // for you to record
};

/// Makes the two streams.
void make_streams(cudaStream_t* a, cudaStream_t* b) {
    // [task-streams]
    lockstep::check(cudaStreamCreateWithFlags(a, cudaStreamNonBlocking));
    lockstep::check(cudaStreamCreateWithFlags(b, cudaStreamNonBlocking));
    //= given
    //| lockstep::check(cudaStreamCreate(a));
    //| lockstep::check(cudaStreamCreate(b));
    //= mutant blocking_streams
    //| lockstep::check(cudaStreamCreate(a));
    //| lockstep::check(cudaStreamCreate(b));
    // [/task-streams]
}

/// Enqueues both branches.
void enqueue(const job& j) {
    // [task-order]
    change<<<1, 256, 0, j.a>>>(300'000, j.x, 1, 5);
    lockstep::check(cudaEventRecord(j.made, j.a));
    lockstep::check(cudaStreamWaitEvent(cudaStreamLegacy, j.made, 0));
    library_doubles(j.x);
    lockstep::check(cudaEventRecord(j.doubled, cudaStreamLegacy));
    lockstep::check(cudaStreamWaitEvent(j.a, j.doubled, 0));
    change<<<1, 256, 0, j.a>>>(0, j.x, 1, 3);
    change<<<1, 256, 0, j.b>>>(0, j.y, 7, 1);
    //= given
    //| change<<<1, 256, 0, j.a>>>(300'000, j.x, 1, 5);
    //| library_doubles(j.x);
    //| change<<<1, 256, 0, j.a>>>(0, j.x, 1, 3);
    //| change<<<1, 256, 0, j.b>>>(0, j.y, 7, 1);
    //= mutant no_events
    //| change<<<1, 256, 0, j.a>>>(300'000, j.x, 1, 5);
    //| library_doubles(j.x);
    //| change<<<1, 256, 0, j.a>>>(0, j.x, 1, 3);
    //| change<<<1, 256, 0, j.b>>>(0, j.y, 7, 1);
    //= mutant made_too_early
    //| lockstep::check(cudaEventRecord(j.made, j.a));
    //| change<<<1, 256, 0, j.a>>>(300'000, j.x, 1, 5);
    //| lockstep::check(cudaStreamWaitEvent(cudaStreamLegacy, j.made, 0));
    //| library_doubles(j.x);
    //| lockstep::check(cudaEventRecord(j.doubled, cudaStreamLegacy));
    //| lockstep::check(cudaStreamWaitEvent(j.a, j.doubled, 0));
    //| change<<<1, 256, 0, j.a>>>(0, j.x, 1, 3);
    //| change<<<1, 256, 0, j.b>>>(0, j.y, 7, 1);
    //= mutant no_way_back
    //| change<<<1, 256, 0, j.a>>>(300'000, j.x, 1, 5);
    //| lockstep::check(cudaEventRecord(j.made, j.a));
    //| lockstep::check(cudaStreamWaitEvent(cudaStreamLegacy, j.made, 0));
    //| library_doubles(j.x);
    //| change<<<1, 256, 0, j.a>>>(0, j.x, 1, 3);
    //| change<<<1, 256, 0, j.b>>>(0, j.y, 7, 1);
    //= mutant host_waits
    //| change<<<1, 256, 0, j.a>>>(300'000, j.x, 1, 5);
    //| lockstep::check(cudaStreamSynchronize(j.a));
    //| library_doubles(j.x);
    //| lockstep::check(cudaStreamSynchronize(cudaStreamLegacy));
    //| change<<<1, 256, 0, j.a>>>(0, j.x, 1, 3);
    //| change<<<1, 256, 0, j.b>>>(0, j.y, 7, 1);
    // [/task-order]
    lockstep::check(cudaGetLastError());
}

int main() {
    lockstep::require_device();
    std::vector<int> x(n), expected_x(n), expected_y(n);
    for (int i = 0; i < n; ++i) {
        x[i] = i * 37 % 101;
        expected_x[i] = (x[i] + 5) * 2 + 3;
        expected_y[i] = 7 * x[i] + 1;
    }
    lockstep::device_buffer<int> d_x(x), d_y(x);
    const lockstep::owned_event made(cudaEventDisableTiming);
    const lockstep::owned_event doubled(cudaEventDisableTiming);
    job j{d_x.data(), d_y.data(), nullptr, nullptr, made, doubled};
    make_streams(&j.a, &j.b);
    lockstep::load_kernels(change);

    lockstep::exercise_verdict verdict;
    lockstep::stream_latch latch;
    latch.hold(j.a);
    enqueue(j);
    verdict.holds("host only enqueues", latch.closed(),
                  "with branch A held back, a call waited for it: which one?");
    bool done = false;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    while (!done && std::chrono::steady_clock::now() < end)
        done = cudaStreamQuery(j.b) == cudaSuccess;
    verdict.holds("B runs while A is held back", done && latch.closed(),
                  "what stands between the two in the default stream, and which "
                  "streams wait for it?");
    latch.open();
    lockstep::check(cudaDeviceSynchronize());
    const std::vector<int> found = d_x.to_host();
    verdict.holds("A: make, double, add 3", found == expected_x,
                  found[1] == (x[1] + 5) + 3 || found[1] == x[1] * 2 + 8
                      ? "the library doubled before the numbers were made"
                      : "the numbers changed while the library worked on them");
    verdict.holds("B", d_y.to_host() == expected_y, "its numbers are wrong");
    lockstep::check(cudaStreamDestroy(j.a));
    lockstep::check(cudaStreamDestroy(j.b));
    return verdict.finish();
}
