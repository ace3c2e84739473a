// How does one process wait on the GPU for work of another? The first process records
// an event after a slow fill. The second one opens the event: at first its kernel sees
// nothing of the fill, and after a wait for the event it sees everything. On the way
// back the second process records an event that the first one waits for.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 19;
constexpr std::size_t bytes = n * sizeof(int);

// [messages]
/// What the first process sends.
struct offer {
    cudaIpcMemHandle_t memory;    ///< n ints
    cudaIpcEventHandle_t filled;  ///< recorded by the first process
    cudaIpcEventHandle_t taken;   ///< recorded by the second process
};

/// What the second process answers.
struct finding {
    cudaError_t asked_early;  ///< the event, right after it was recorded
    int early;                ///< filled elements before the wait
    int late;                 ///< filled elements after the wait
};
// [/messages]

/// Sets all elements.
/// @param x      n ints in device memory, written
/// @param value  the number that all become
__global__ void fill(int* x, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = value;
}

/// Counts the elements that are 1.
/// @param x      n ints in device memory
/// @param count  one int in device memory, added to
__global__ void count_ones(const int* x, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] == 1) atomicAdd(count, 1);
}

/// Counts in a stream, and waits for that.
int ones_in(const int* x, cudaStream_t stream) {
    lockstep::device_buffer<int> d_count(std::vector<int>{0});
    count_ones<<<n / 256, 256, 0, stream>>>(x, d_count.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamSynchronize(stream));
    return d_count.to_host()[0];
}

/// The second process: looks before and after the event.
int look_twice(const lockstep::partner& first) {
    const lockstep::owned_stream stream;
    finding found{};
    // [open]
    const auto given = first.receive<offer>();
    void* opened = nullptr;
    cudaEvent_t filled = nullptr;
    cudaEvent_t taken = nullptr;
    lockstep::check(
        cudaIpcOpenMemHandle(&opened, given.memory, cudaIpcMemLazyEnablePeerAccess));
    lockstep::check(cudaIpcOpenEventHandle(&filled, given.filled));
    lockstep::check(cudaIpcOpenEventHandle(&taken, given.taken));
    // [/open]
    const int* x = static_cast<const int*>(opened);
    ones_in(x, stream);  // all is loaded and ready
    first.send(0);
    // [wait]
    first.receive<int>();  // from now on, the event has been recorded
    found.asked_early = cudaEventQuery(filled);
    found.early = ones_in(x, stream);
    lockstep::check(cudaStreamWaitEvent(stream, filled));
    found.late = ones_in(x, stream);
    lockstep::check(cudaEventRecord(taken, stream));
    first.send(found);
    // [/wait]
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaIpcCloseMemHandle(opened));
    lockstep::check(cudaEventDestroy(filled));
    lockstep::check(cudaEventDestroy(taken));
    return EXIT_SUCCESS;
}

/// The first process: fills slowly, and empties when the other one has looked.
int fill_slowly(lockstep::partner second) {
    const lockstep::owned_stream stream;
    int* x = nullptr;
    lockstep::check(cudaMalloc(&x, bytes));
    lockstep::check(cudaMemset(x, 0, bytes));
    // [create]
    constexpr unsigned for_processes = cudaEventInterprocess | cudaEventDisableTiming;
    cudaEvent_t filled = nullptr;
    cudaEvent_t taken = nullptr;
    lockstep::check(cudaEventCreateWithFlags(&filled, for_processes));
    lockstep::check(cudaEventCreateWithFlags(&taken, for_processes));
    offer offered{};
    lockstep::check(cudaIpcGetMemHandle(&offered.memory, x));
    lockstep::check(cudaIpcGetEventHandle(&offered.filled, filled));
    lockstep::check(cudaIpcGetEventHandle(&offered.taken, taken));
    second.send(offered);
    // [/create]
    second.receive<int>();
    // [record]
    lockstep::busy<<<1, 1, 0, stream>>>(300'000'000);  // 300 ms
    fill<<<n / 256, 256, 0, stream>>>(x, 1);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(filled, stream));
    second.send(0);  // after the record, never before it
    const auto found = second.receive<finding>();
    lockstep::check(cudaStreamWaitEvent(stream, taken));
    fill<<<n / 256, 256, 0, stream>>>(x, 2);
    // [/record]
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamSynchronize(stream));
    const int status = second.end();  // before memory and events go
    lockstep::check(cudaEventDestroy(filled));
    lockstep::check(cudaEventDestroy(taken));
    lockstep::check(cudaFree(x));

    lockstep::report("elements", n);
    lockstep::report("the event, asked at once", cudaGetErrorName(found.asked_early));
    lockstep::report("filled, before the wait", lockstep::counted{found.early});
    lockstep::report("filled, after the wait", found.late);
    return found.late == n && status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    lockstep::require_device();
    if (socket >= 0) return look_twice(lockstep::partner(socket));
    return fill_slowly(lockstep::partner(argv[0]));
}
