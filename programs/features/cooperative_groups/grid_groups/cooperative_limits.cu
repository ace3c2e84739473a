// How large may a cooperative grid be? As large as fits onto the GPU at once: blocks on
// each SM times SMs. Larger blocks and more shared memory leave room for fewer. The
// launch of one block more is refused. It does not matter what else is running: if
// another kernel occupies the GPU, the cooperative one starts when it has ended.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

// [kernel]
/// Synchronizes the grid once.
/// @param begin  device value, written: when all blocks had started
__global__ void sync_grid(unsigned long long* begin) {
    const cg::grid_group grid = cg::this_grid();
    grid.sync();
    if (grid.thread_rank() == 0) *begin = lockstep::now_ns();
}
// [/kernel]

/// Occupies its places for a while, and notes when.
/// @param begin  device value, lowered to the begin of the first block
/// @param end    device value, raised to the end of the last block
__global__ void occupy(unsigned long long* begin, unsigned long long* end) {
    atomicMin(begin, lockstep::now_ns());
    lockstep::busy_wait(2'000'000);
    atomicMax(end, lockstep::now_ns());
}

/// Most blocks of a cooperative launch.
int capacity_of(int threads, int shared) {
    // [capacity]
    int sms = 0, blocks_on_each = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_on_each, sync_grid, threads, shared));
    // [/capacity]
    return sms * blocks_on_each;
}

/// Launches cooperatively through attributes, as the launch with <<<>>> cannot.
cudaError_t launch(int blocks, int threads, int shared, cudaStream_t stream,
                   unsigned long long* begin) {
    // [launch]
    cudaLaunchAttribute cooperative = {};
    cooperative.id = cudaLaunchAttributeCooperative;
    cooperative.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    config.attrs = &cooperative;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, sync_grid, begin);
    // [/launch]
}

/// Launches while another kernel occupies the GPU.
/// @return whether the launch succeeded, and the kernels did not run together
bool launch_while_busy() {
    // when all blocks of sync_grid() had started; begin and end of occupy()
    lockstep::device_buffer<unsigned long long> d_times(
        std::vector<unsigned long long>{0, ~0ull, 0});
    unsigned long long* begin = d_times.data();
    const lockstep::owned_stream other, mine;
    const int places = capacity_of(1024, 0);
    // [busy]
    occupy<<<places, 1024, 0, other>>>(begin + 1, begin + 2);
    lockstep::check(cudaGetLastError());
    const cudaError_t while_busy = launch(places, 1024, 0, mine, begin);
    // [/busy]
    lockstep::check(cudaDeviceSynchronize());
    const std::vector<unsigned long long> times = d_times.to_host();
    lockstep::report("launch while GPU is busy", cudaGetErrorName(while_busy));
    const bool together = times[1] < times[0] && times[0] < times[2];
    lockstep::report("both at the same time", together);
    return while_busy == cudaSuccess && !together;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool busy = options.flag("busy");
    options.finish();
    lockstep::require_device();

    if (busy) return launch_while_busy() ? EXIT_SUCCESS : EXIT_FAILURE;

    int supported = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
    lockstep::report("cooperative launches", supported == 1);

    lockstep::device_buffer<unsigned long long> d_begin(1);
    unsigned long long* begin = d_begin.data();
    bool right = supported == 1;
    const struct {
        int threads;  // of a block
        int shared;  // bytes of a block
    } shapes[] = {{64, 0}, {256, 0}, {1024, 0}, {256, 40'000}};
    std::printf("%8s%15s%10s%14s  %s\n", "threads", "shared memory", "most",
                "all of them", "one more");
    for (const auto& shape : shapes) {
        const int most = capacity_of(shape.threads, shape.shared);
        const cudaError_t fits =
            launch(most, shape.threads, shape.shared, nullptr, begin);
        lockstep::check(cudaDeviceSynchronize());
        const cudaError_t more =
            launch(most + 1, shape.threads, shape.shared, nullptr, begin);
        static_cast<void>(cudaGetLastError());  // clears the refusal, printed below
        std::printf("%8d%13d B%10d%14s  %s\n", shape.threads, shape.shared, most,
                    cudaGetErrorName(fits), cudaGetErrorName(more));
        right =
            right && fits == cudaSuccess && more == cudaErrorCooperativeLaunchTooLarge;
    }

    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
