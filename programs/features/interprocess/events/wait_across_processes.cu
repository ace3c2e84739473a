// The first process fills one buffer four times, with 1, 2, 3 and 4. The second process
// adds up each filling. Messages keep the two hosts in step, but a message says only
// that work was enqueued, not that it is done. Let each process wait on the GPU for the
// other: no reading before the fill, no new fill before the reading. Both events are
// there, and both are recorded.

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 19, rounds = 4;

/// What the first process sends.
struct offer {
    cudaIpcMemHandle_t memory;  ///< n ints
    cudaIpcEventHandle_t filled;  ///< recorded by the first process after each fill
    cudaIpcEventHandle_t taken;  ///< recorded by the second after each reading
};

/// What the second process answers.
struct finding {
    int sums[rounds];  ///< one for each filling
};

/// Sets all elements.
/// @param x      n ints in device memory, written
/// @param value  the number that all become
__global__ void fill(int* x, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = value;
}

/// Adds up all elements.
/// @param x    n ints in device memory
/// @param sum  one int in device memory, added to
__global__ void add_up(const int* x, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i]);
}

/// The second process: reads each filling, slowly.
int read_all(const lockstep::partner& first) {
    const auto given = first.receive<offer>();
    const lockstep::owned_stream stream;
    lockstep::device_buffer<int> d_sums(std::vector<int>(rounds, 0));
    void* x = nullptr;
    cudaEvent_t filled = nullptr;
    cudaEvent_t taken = nullptr;
    lockstep::check(
        cudaIpcOpenMemHandle(&x, given.memory, cudaIpcMemLazyEnablePeerAccess));
    lockstep::check(cudaIpcOpenEventHandle(&filled, given.filled));
    lockstep::check(cudaIpcOpenEventHandle(&taken, given.taken));
    first.send(0);
    for (int round = 0; round < rounds; ++round) {
        first.receive<int>();  // a fill was enqueued, and filled was recorded
        // [task-read]
        lockstep::check(cudaStreamWaitEvent(stream, filled));
        //= given
        //| // Has the buffer been filled?
        //= mutant waits_for_itself
        //| lockstep::check(cudaStreamWaitEvent(stream, taken));
        // [/task-read]
        lockstep::busy<<<1, 1, 0, stream>>>(50'000'000);  // reading is slow: 50 ms
        add_up<<<n / 256, 256, 0, stream>>>(static_cast<int*>(x),
                                            d_sums.data() + round);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaEventRecord(taken, stream));
        first.send(round);
    }
    lockstep::check(cudaStreamSynchronize(stream));
    const std::vector<int> sums = d_sums.to_host();
    finding found{};
    for (int round = 0; round < rounds; ++round) found.sums[round] = sums[round];
    first.send(found);
    lockstep::check(cudaIpcCloseMemHandle(x));
    lockstep::check(cudaEventDestroy(filled));
    lockstep::check(cudaEventDestroy(taken));
    return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    lockstep::require_device();
    if (socket >= 0) return read_all(lockstep::partner(socket));

    lockstep::partner second(argv[0]);
    const lockstep::owned_stream stream;
    constexpr unsigned for_processes = cudaEventInterprocess | cudaEventDisableTiming;
    int* x = nullptr;
    cudaEvent_t filled = nullptr;
    cudaEvent_t taken = nullptr;
    offer offered{};
    lockstep::check(cudaMalloc(&x, n * sizeof(int)));
    lockstep::check(cudaMemset(x, 0, n * sizeof(int)));
    lockstep::check(cudaEventCreateWithFlags(&filled, for_processes));
    lockstep::check(cudaEventCreateWithFlags(&taken, for_processes));
    lockstep::check(cudaIpcGetMemHandle(&offered.memory, x));
    lockstep::check(cudaIpcGetEventHandle(&offered.filled, filled));
    lockstep::check(cudaIpcGetEventHandle(&offered.taken, taken));
    lockstep::check(cudaDeviceSynchronize());
    second.send(offered);
    second.receive<int>();
    for (int round = 0; round < rounds; ++round) {
        // [task-fill]
        if (round > 0) lockstep::check(cudaStreamWaitEvent(stream, taken));
        //= given
        //| // May the buffer be overwritten?
        //= mutant waits_for_own_fill
        //| if (round > 0) lockstep::check(cudaStreamWaitEvent(stream, filled));
        // [/task-fill]
        if (round == 0) lockstep::busy<<<1, 1, 0, stream>>>(300'000'000);  // 300 ms
        fill<<<n / 256, 256, 0, stream>>>(x, round + 1);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaEventRecord(filled, stream));
        second.send(round);
        second.receive<int>();  // a reading was enqueued, and taken was recorded
    }
    const auto found = second.receive<finding>();
    second.end();
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaEventDestroy(filled));
    lockstep::check(cudaEventDestroy(taken));
    lockstep::check(cudaFree(x));
    lockstep::exercise_verdict verdict;
    const auto place = [](std::size_t i) {
        return "the sum of filling " + std::to_string(i + 1);
    };
    verdict.equal("readings", std::vector<int>(found.sums, found.sums + rounds),
                  std::vector<int>{n, 2 * n, 3 * n, 4 * n}, place);
    return verdict.finish();
}
