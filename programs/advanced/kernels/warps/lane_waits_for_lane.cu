// A lane spins until another lane of its warp has set a flag. Before compute capability
// 7.0 a warp had one program counter, and this could spin forever. Since then each
// thread has its own.

#include <cstdlib>
#include <vector>

#include <cuda/atomic>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Each lane waits for the one before it, and then lets the next one go.
/// @param turn   one counter in device memory, at 0
/// @param order  32 ints in device memory, written: which lane came when
__global__ void one_after_the_other(int* turn, int* order) {
    cuda::atomic_ref<int, cuda::thread_scope_block> now(*turn);
    const int lane = static_cast<int>(threadIdx.x);
    while (now.load(cuda::memory_order_acquire) != lane) {
    }  // a lane of my own warp will change it
    order[lane] = lane;
    now.store(lane + 1, cuda::memory_order_release);
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> turn(1);
    turn.fill_bytes(0);
    lockstep::device_buffer<int> order(std::vector<int>(32, -1));
    one_after_the_other<<<1, 32>>>(turn.data(), order.data());
    lockstep::check(cudaGetLastError());
    std::vector<int> expected(32);
    for (int i = 0; i < 32; ++i) expected[i] = i;
    const bool right = lockstep::count_mismatches(order.to_host(), expected) == 0;
    lockstep::report("lanes that had their turn", turn.to_host()[0]);
    return right && turn.to_host()[0] == 32 ? EXIT_SUCCESS : EXIT_FAILURE;
}
