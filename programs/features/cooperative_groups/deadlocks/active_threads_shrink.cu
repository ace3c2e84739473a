// Is the group of coalesced_threads() the warp? Only of the threads that are active at
// that point. Lanes with less to do leave a loop early, and the group of those that go
// on becomes smaller. Code for such a group must be right for every size: here each
// group adds its size to a counter with one atomic operation.

#include <cstdlib>
#include <string>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int most = 4;  // turns of a lane

// [kernel]
/// Lane i takes i % 4 + 1 turns; in each turn the active threads count themselves.
/// @param done    counter in device memory, increased
/// @param groups  counter in device memory, increased by one for each group
/// @param sizes   largest group of each turn in device memory
__global__ void take_turns(int* done, int* groups, int* sizes) {
    const int turns = threadIdx.x % most + 1;
    for (int turn = 0; turn < turns; ++turn) {
        const cg::coalesced_group active = cg::coalesced_threads();
        if (active.thread_rank() == 0) {
            atomicAdd(done, active.num_threads());
            atomicAdd(groups, 1);
            atomicMax(&sizes[turn], active.num_threads());
        }
    }
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_found(2 + most);
    d_found.fill_bytes(0);
    int* found = d_found.data();
    take_turns<<<1, 32>>>(found, found + 1, found + 2);
    lockstep::check(cudaGetLastError());
    const std::vector<int> counts = d_found.to_host();

    lockstep::report("turns counted", counts[0]);
    lockstep::report("groups", lockstep::counted{counts[1]});
    for (int turn = 0; turn < most; ++turn)
        lockstep::report(("largest group, turn " + std::to_string(turn)).c_str(),
                         lockstep::counted{counts[2 + turn]});
    return counts[0] == 32 / most * (1 + 2 + 3 + 4) ? EXIT_SUCCESS : EXIT_FAILURE;
}
