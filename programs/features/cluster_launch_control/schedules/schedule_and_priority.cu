// When can a kernel of high priority start while another one fills the GPU? When blocks
// end and leave room. With one block per tile some end all the time; blocks that stay
// and draw tickets all end together, when the last tile is done.

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int shared_bytes = 90 * 1024;  // two blocks fit on an SM of an H200
constexpr unsigned long long tile_ns = 20'000;

/// When a kernel ran, in nanoseconds of the GPU's clock.
struct stamps {
    unsigned long long begin;  ///< of its earliest block
    unsigned long long end;  ///< of its latest
};

// [kernels]
/// Passes the time of one tile in each block; the urgent kernel is one of this kind.
/// @param when  stamps in device memory
__global__ void block_for_each_tile(stamps* when) {
    atomicMin(&when->begin, lockstep::now_ns());
    lockstep::busy_wait(tile_ns);
    atomicMax(&when->end, lockstep::now_ns());
}

/// Passes the time of tiles in blocks that stay; one thread a block.
/// @param tiles  number of tiles
/// @param drawn  tickets that were drawn, in device memory
/// @param when   stamps in device memory
__global__ void blocks_with_tickets(int tiles, int* drawn, stamps* when) {
    atomicMin(&when->begin, lockstep::now_ns());
    while (atomicAdd(drawn, 1) < tiles) lockstep::busy_wait(tile_ns);
    atomicMax(&when->end, lockstep::now_ns());
}
// [/kernels]

int main() {
    lockstep::require_device(80);
    int sms = 0, blocks_per_sm = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    for (const void* kernel : {reinterpret_cast<const void*>(block_for_each_tile),
                               reinterpret_cast<const void*>(blocks_with_tickets)})
        lockstep::check(cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_per_sm, blocks_with_tickets, 1, shared_bytes));
    const int resident = sms * blocks_per_sm;
    const int tiles = 40 * resident;
    lockstep::device_buffer<stamps> d_when(2);
    lockstep::device_buffer<int> d_drawn(1);

    // [streams]
    int least = 0, greatest = 0;
    lockstep::check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t batch = nullptr, urgent = nullptr;
    lockstep::check(cudaStreamCreateWithPriority(&batch, cudaStreamNonBlocking, least));
    lockstep::check(
        cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
    // [/streams]

    bool right = true;
    const auto run = [&](bool draw, const char* urgent_label, const char* batch_label) {
        const std::vector<stamps> none(2, stamps{~0ULL, 0});
        lockstep::check(cudaMemcpy(d_when.data(), none.data(), d_when.bytes(),
                                   cudaMemcpyHostToDevice));
        d_drawn.fill_bytes(0);
        lockstep::check(cudaDeviceSynchronize());
        // [launches]
        if (draw)
            blocks_with_tickets<<<resident, 1, shared_bytes, batch>>>(
                tiles, d_drawn.data(), d_when.data());
        else
            block_for_each_tile<<<tiles, 1, shared_bytes, batch>>>(d_when.data());
        lockstep::check(cudaGetLastError());
        const auto launched = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - launched <
               std::chrono::microseconds(100)) {
        }  // by now the first kernel fills the GPU
        block_for_each_tile<<<sms, 1, shared_bytes, urgent>>>(d_when.data() + 1);
        lockstep::check(cudaGetLastError());
        // [/launches]
        lockstep::check(cudaDeviceSynchronize());
        if (!urgent_label) return;  // a warm-up
        const std::vector<stamps> when = d_when.to_host();
        const auto us = [&](unsigned long long at) {
            return lockstep::measured{1e-3 *
                                      static_cast<long long>(at - when[0].begin)};
        };
        right &= when[0].end != 0 && when[1].end != 0;
        lockstep::report(urgent_label, us(when[1].begin), "us");
        lockstep::report(batch_label, us(when[0].end), "us");
    };
    run(false, nullptr, nullptr);
    run(true, nullptr, nullptr);
    run(false, "block per tile: urgent at", "block per tile: batch ends");
    run(true, "tickets: urgent at", "tickets: batch ends");
    lockstep::check(cudaStreamDestroy(batch));
    lockstep::check(cudaStreamDestroy(urgent));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
